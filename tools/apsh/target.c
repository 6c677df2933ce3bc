// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doca_log.h>

#include "common/folder.h"
#include "common/usage.h"
#include "core/device/target.h"

#include "fail.h"
#include "qmp.h"
#include "target.h"

static const char help[] =
	"Usage: doca_apsh target add NAME --vuid VUID [--device DEV] MEMORY\n"
	"       doca_apsh target del NAME\n"
	"       doca_apsh target show [NAME]\n"
	"\n"
	"Targets are machines whose memory may be inspected, see doca_target(5).\n"
	"\n"
	"  --vuid VUID       by which programs ask for it\n"
	"  --device DEV      device that has the representor (default: any)\n"
	"\n"
	"MEMORY is one of these:\n"
	"  --qmp SOCKET      of a machine of QEMU, whose monitor says where it is\n"
	"  --domain NAME     of a machine of libvirt, which virsh asks for the same\n"
	"  --file FILE       of a running machine, or an image\n"
	"  --function VUID   what a peer offers; local is this machine\n"
	"  --kcore           this machine\n"
	"\n"
	"  --format raw|lime|elf|kdump|qevm|auto\n"
	"                    of a file: raw (default), or auto: by its beginning, which a\n"
	"                    machine that runs could write\n";

enum {
	OPT_VUID = 256,
	OPT_DEVICE,
	OPT_QMP,
	OPT_DOMAIN,
	OPT_FILE,
	OPT_FORMAT,
	OPT_FUNCTION,
	OPT_KCORE
};

static const struct option long_options[] = {
	{ "vuid", required_argument, NULL, OPT_VUID },
	{ "device", required_argument, NULL, OPT_DEVICE },
	{ "qmp", required_argument, NULL, OPT_QMP },
	{ "domain", required_argument, NULL, OPT_DOMAIN },
	{ "file", required_argument, NULL, OPT_FILE },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "function", required_argument, NULL, OPT_FUNCTION },
	{ "kcore", no_argument, NULL, OPT_KCORE },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'v' },
	{ 0 },
};

struct wanted {
	const char *name, *vuid, *device, *qmp, *domain, *file, *format,
		*function;
	bool kcore;
};

static void set_option(struct wanted *w, int option)
{
	switch (option) {
	case OPT_VUID:
		w->vuid = optarg;
		break;
	case OPT_DEVICE:
		w->device = optarg;
		break;
	case OPT_QMP:
		w->qmp = optarg;
		break;
	case OPT_DOMAIN:
		w->domain = optarg;
		break;
	case OPT_FILE:
		w->file = optarg;
		break;
	case OPT_FORMAT:
		w->format = optarg;
		break;
	case OPT_FUNCTION:
		w->function = optarg;
		break;
	case OPT_KCORE:
		w->kcore = true;
		break;
	case 'h':
		print_and_exit(help);
	case 'v':
		print_version();
	default:
		usage_said();
	}
}

/* It becomes the name of a file. */
static void check_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

	if (!*name || *name == '.' || name[strspn(name, letters)] ||
	    strlen(name) >= TARGET_MAX_NAME)
		usage("target: '%s' is no name: it has letters, digits, and . "
		      "_ - within",
		      name);
}

static char *path_of(const char *name, const char *suffix)
{
	char *path;

	if (asprintf(&path, "%s/%s.json%s", doca_priv_targets_dir(), name,
		     suffix) < 0)
		target_fail("out of memory");
	return path;
}

static void add_text(struct json_object *to, const char *key, const char *text)
{
	json_object_object_add(to, key, json_object_new_string(text));
}

static void add_path(struct json_object *to, const char *key, const char *path)
{
	char *absolute = realpath(path, NULL);

	if (!absolute)
		target_fail("%s: %s", path, strerror(errno));
	add_text(to, key, absolute);
	free(absolute);
}

/* One file, or memfd, has a form of its own, without parts. */
static void add_only_part(struct json_object *memory, struct qmp_memory *q)
{
	struct json_object *part = json_object_array_get_idx(q->parts, 0);
	bool is_file = json_object_object_get(part, "file");
	const char *key = is_file ? "file" : "memfd";

	json_object_object_add(
		memory, key,
		json_object_get(json_object_object_get(part, key)));
	if (is_file)
		add_text(memory, "format", "raw");
	json_object_put(q->parts);
	for (size_t i = 0; i < json_object_array_length(q->regions); i++)
		json_object_object_del(json_object_array_get_idx(q->regions, i),
				       "part");
}

static void add_qmp(struct json_object *target, struct json_object *memory,
		    const struct wanted *w)
{
	struct qmp_memory q;
	struct qmp qmp = { 0 };

	if (w->qmp)
		qmp_open(&qmp, w->qmp);
	else
		qmp_open_domain(&qmp, w->domain);
	qmp_memory(&qmp, &q);
	if (json_object_array_length(q.parts) == 1)
		add_only_part(memory, &q);
	else
		json_object_object_add(memory, "parts", q.parts);
	json_object_object_add(target, "regions", q.regions);
	/* libvirt does not share its monitor */
	if (w->qmp)
		add_path(target, "qmp", w->qmp);
}

static struct json_object *describe(const struct wanted *w)
{
	struct json_object *target = json_object_new_object();
	struct json_object *memory = json_object_new_object();

	add_text(target, "vuid", w->vuid);
	add_text(target, "device", w->device ? w->device : "any");
	json_object_object_add(target, "memory", memory);
	if (w->qmp || w->domain)
		add_qmp(target, memory, w);
	if (w->file) {
		add_path(memory, "file", w->file);
		add_text(memory, "format", w->format ? w->format : "raw");
	}
	if (w->function)
		add_text(memory, "function", w->function);
	if (w->kcore)
		json_object_object_add(memory, "kcore",
				       json_object_new_boolean(true));
	return target;
}

/* Find a target; NULL if there is none. False, logged, if the list cannot be read. */
static bool find(const char *name, struct target **found)
{
	struct target_list list;

	*found = NULL;
	if (doca_priv_target_list(&list))
		return false;
	for (uint32_t i = 0; i < list.nr && !*found; i++)
		if (!strcmp(list.targets[i]->name, name))
			*found = doca_priv_target_get(list.targets[i]);
	doca_priv_target_list_free(&list);
	return true;
}

/* Write the whole file at once, and never replace another. */
static void write_file(const char *name, const char *text)
{
	char *path = path_of(name, ""), *temp = path_of(name, ".new");
	int fd, err = 0;

	if (folder_make(doca_priv_targets_dir()))
		target_fail("cannot make %s: %s", doca_priv_targets_dir(),
			    strerror(errno));
	unlink(temp);
	fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		target_fail("cannot write %s: %s", temp, strerror(errno));
	if (dprintf(fd, "%s\n", text) < 0 || fsync(fd) || link(temp, path))
		err = errno;
	close(fd);
	unlink(temp);
	if (err == EEXIST)
		target_fail("%s is there: 'target del %s' removes it", path,
			    name);
	if (err)
		target_fail("cannot write %s: %s", path, strerror(err));
	free(temp);
	free(path);
}

static int target_add(const struct wanted *w)
{
	struct json_object *json;
	struct target *made;
	char *path;

	if (!w->vuid)
		usage("target add: --vuid is missing");
	if (!!w->qmp + !!w->domain + !!w->file + !!w->function + w->kcore != 1)
		usage("target add: which memory? One of --qmp, --domain, "
		      "--file, --function and --kcore");
	if (w->format && !w->file)
		usage("target add: --format is of a --file");
	json = describe(w);
	write_file(w->name,
		   json_object_to_json_string_ext(
			   json, JSON_C_TO_STRING_PRETTY |
					 JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(json);
	if (find(w->name, &made) && made) {
		doca_priv_target_put(made);
		return EXIT_SUCCESS;
	}
	/* The log has said why. */
	path = path_of(w->name, "");
	unlink(path);
	free(path);
	return EXIT_FAILURE;
}

static int target_del(const struct wanted *w)
{
	char *path = path_of(w->name, "");

	if (unlink(path))
		target_fail("cannot remove %s: %s", path, strerror(errno));
	free(path);
	return EXIT_SUCCESS;
}

static void show_part(const struct target_part *part)
{
	if (part->path)
		printf("file %s", part->path);
	else
		printf("memfd %d of process %d", part->fd, part->pid);
}

static void show_memory(const struct target *t)
{
	switch (t->memory) {
	case TARGET_FILE:
	case TARGET_MEMFD:
		show_part(&t->file);
		break;
	case TARGET_PARTS:
		printf("%u parts", t->nr_parts);
		break;
	case TARGET_FUNCTION:
		printf("function %s", t->function);
		break;
	case TARGET_KCORE:
		printf("kcore");
		break;
	}
}

static void show_details(const struct target *t)
{
	printf("name    %s\nvuid    %s\ndevice  %s\nmemory  ", t->name, t->vuid,
	       t->device);
	show_memory(t);
	putchar('\n');
	if (t->memory == TARGET_FILE)
		printf("format  %s\n", doca_priv_target_formats[t->format]);
	for (uint32_t i = 0; i < t->nr_parts; i++) {
		printf("part %u  ", i);
		show_part(&t->parts[i]);
		putchar('\n');
	}
	for (uint32_t i = 0; i < t->nr_regions; i++) {
		printf("region  %#" PRIx64 " + %#" PRIx64 " at %#" PRIx64,
		       t->regions[i].gpa, t->regions[i].length,
		       t->regions[i].offset);
		if (t->nr_parts)
			printf(" of part %u", t->regions[i].part);
		putchar('\n');
	}
	if (t->qmp)
		printf("qmp     %s\n", t->qmp);
}

static int target_show(const struct wanted *w)
{
	struct target_list list;
	struct target *t;

	if (w->name) {
		if (!find(w->name, &t))
			return EXIT_FAILURE;
		if (t) {
			show_details(t);
			doca_priv_target_put(t);
			return EXIT_SUCCESS;
		}
		target_fail("there is no target %s in %s", w->name,
			    doca_priv_targets_dir());
	}
	if (doca_priv_target_list(&list))
		return EXIT_FAILURE;
	for (uint32_t i = 0; i < list.nr; i++) {
		t = list.targets[i];
		printf("%-16s %-24s %-10s ", t->name, t->vuid, t->device);
		show_memory(t);
		putchar('\n');
	}
	doca_priv_target_list_free(&list);
	return EXIT_SUCCESS;
}

int cmd_target(int argc, char **argv)
{
	static const char *const names[] = { "add", "del", "show" };
	struct doca_log_backend *log;
	struct wanted w = { 0 };
	size_t verb;
	int option;

	while ((option = getopt_long(argc, argv, "hv", long_options, NULL)) !=
	       -1)
		set_option(&w, option);
	if (optind == argc)
		usage("target: which command? add, del or show");
	verb = usage_choice("command", argv[optind++], names, 3);
	w.name = optind < argc ? argv[optind++] : NULL;
	if (optind < argc)
		usage("target: unexpected argument '%s'", argv[optind]);
	if (!w.name && verb != 2)
		usage("target %s: a name is missing", names[verb]);
	if (w.name)
		check_name(w.name);
	if (verb && (w.vuid || w.device || w.qmp || w.domain || w.file ||
		     w.format || w.function || w.kcore))
		usage("target %s takes no options", names[verb]);
	if (doca_log_backend_create_with_file_sdk(stderr, &log) == DOCA_SUCCESS)
		doca_log_backend_set_sdk_level(log, DOCA_LOG_LEVEL_WARNING);
	if (!verb)
		return target_add(&w);
	return verb == 1 ? target_del(&w) : target_show(&w);
}
