// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>

#include "common/usage.h"
#include "help.h"

#define OF_DEV "[show] [dev NAME]"
#define OF_FILE "[show] [file ID] [pid PID] [uid UID]"
#define OF_BOTH OF_FILE " [dev NAME]"
#define OF_UID "[show] [uid UID]"
#define INDENT "              "

static const struct verb verbs[] = {
	{ "device", OF_DEV,
	  "devices: RDMA devices, DMA engines, and those in software", CMD_SHOW,
	  &kind_device },
	{ "file", OF_FILE, "open files of /dev/doca: what each process has",
	  CMD_SHOW, &kind_file },
	{ "memory", OF_FILE, "registered memory, with what it pins", CMD_SHOW,
	  &kind_memory },
	{ "mapping", OF_BOTH, "keys to memory, of one's own or imported",
	  CMD_SHOW, &kind_mapping },
	{ "export", OF_BOTH,
	  "export blobs that are about, with the number of their imports",
	  CMD_SHOW, &kind_export },
	{ "queue", OF_BOTH, "queues with their state and counters", CMD_SHOW,
	  &kind_queue },
	{ "dm", OF_BOTH, "device memory, and who has it", CMD_SHOW, &kind_dm },
	{ "engine",
	  "[list | add NAME... | remove NAME... |\n"
	  "                       attach NAME DEVICE... | detach DEVICE...]",
	  "DMA engines, and what could be one; only root changes that",
	  CMD_ENGINE, &kind_engine },
	{ "pair",
	  "[show | add [NAME] [dpu DEVICE] [host DEVICE]\n"
	  "                       [users any|same] | del NAME...]",
	  "pairs of a host's device and its DPU's; only root changes them",
	  CMD_PAIR, &kind_pair },
	{ "representor", "[show]",
	  "what programs on a DPU's device see of hosts", CMD_SHOW,
	  &kind_representor },
	{ "comch", OF_BOTH,
	  "ends of communication channels: servers, clients, producers, consumers",
	  CMD_SHOW, &kind_comch },
	{ "connection", OF_BOTH,
	  "connections of servers and clients, a line for each end", CMD_SHOW,
	  &kind_connection },
	{ "worker", OF_FILE,
	  "worker threads, and how long they have worked and polled", CMD_SHOW,
	  &kind_worker },
	{ "user", OF_UID, "what each user has, and how much of it a user may",
	  CMD_SHOW, &kind_user },
	{ "summary", "", "how much there is of everything", CMD_SUMMARY, NULL },
	{ "top", "[-d SEC] [-n COUNT] [FILTER]...",
	  "queues by what they do now, again and again; Ctrl-C ends it",
	  CMD_TOP, NULL },
	{ "monitor", "",
	  "tell of devices and pairs that come and go; Ctrl-C ends it",
	  CMD_MONITOR, NULL },
	{ "metrics", "[--users]",
	  "figures in the text format of Prometheus; only for root",
	  CMD_METRICS, NULL },
	{ "revoke", "EXPORT...",
	  "end exports by their numbers: blobs are worthless from then on, and\n" INDENT
	  "tasks of importers fail; only for root",
	  CMD_REVOKE, NULL },
	{ "help", "[COMMAND]", "print this help, or that of one command",
	  CMD_HELP, NULL },
};
#define NR_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static const char head[] =
	"Usage: docactl [OPTION]... KIND [show] [FILTER]...\n"
	"       docactl [OPTION]... COMMAND [ARGUMENT]...\n"
	"\n"
	"Show what the DOCA driver and its users have, revoke exports, add DMA engines,\n"
	"and pair devices.\n"
	"\n"
	"A user sees their own objects. Root sees those of everybody, and addresses.\n"
	"\n"
	"KIND is one of these, or the begin of its name:\n";

static const char filters[] =
	"\n"
	"FILTER is one of these; what is shown passes all:\n"
	"  file ID    of the open file with this number\n"
	"  pid PID    of files that this process has opened\n"
	"  uid UID    of files that this user, a number or a name, has opened\n"
	"  dev NAME   of this device\n"
	"\n"
	"COMMAND is one of these, or the begin of its name:\n";

static const char tail[] =
	"\n"
	"Options:\n"
	"  -j, --json         write JSON; top and monitor write one line each time\n"
	"  -d, --delay SEC    top: seconds between two looks; default 1\n"
	"  -n, --count COUNT  top: how often to look; default: for ever\n"
	"      --users        metrics: series for each user as well, not only their sums\n"
	"  -h, --help         print this help\n"
	"  -v, --version      print the version\n"
	"\n"
	"Exit status: 0 if all went well, 1 if something failed, 2 for wrong usage.\n"
	"\n"
	"Examples:\n"
	"  docactl memory show pid 4711      what does this process pin?\n"
	"  docactl queue dev rxe0            who uses this device?\n"
	"  docactl export show               what can be reached from outside?\n"
	"  docactl engine add 0000:6a:01.0   have this device copy\n"
	"  docactl pair add                  make a host and a DPU of this machine\n"
	"  docactl user show uid 1000        how much is left for this user?\n"
	"  docactl revoke 12                 take that export back\n"
	"  docactl --json file | jq '.rows | map(.pinned_bytes) | add'\n";

const struct verb *verb_find(const char *name)
{
	const char *names[NR_VERBS];
	size_t i;

	for (i = 0; i < NR_VERBS; i++)
		names[i] = verbs[i].name;
	return &verbs[usage_choice("command", name, names, NR_VERBS)];
}

static void print_verbs(bool kinds)
{
	const struct verb *verb;

	for (verb = verbs; verb < verbs + NR_VERBS; verb++)
		if (!!verb->kind == kinds)
			printf("  %-11s %s\n", verb->name, verb->text);
}

void help_print(void)
{
	fputs(head, stdout);
	print_verbs(true);
	fputs(filters, stdout);
	print_verbs(false);
	print_and_exit(tail);
}

void help_print_verb(const struct verb *verb)
{
	printf("Usage: docactl %s%s%s\n\n  %-11s %s\n", verb->name,
	       *verb->arguments ? " " : "", verb->arguments, verb->name,
	       verb->text);
	print_and_exit("\n'docactl --help' explains filters and options.\n");
}
