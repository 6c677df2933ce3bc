// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The plans throughput and latency, with peers. */
#include <stdio.h>

#include "bench/msg.h"
#include "bench/sizes.h"
#include "peer.h"
#include "plans.h"

#define NR_PEERS 2

static const struct peer {
	const char *name;
	const char *package;
	peer_find *find;
} peers[NR_PEERS] = {
	{ "io_uring", "liburing-dev", uring_peer },
	{ "DPDK", "libdpdk-dev", dpdk_peer },
};

static struct way *ways[NR_PEERS];

static void prepare(struct bench *bench)
{
	const struct peer_conf conf = {
		.area = &bench->area,
		.half = bench->area.half,
		.cpus = &bench->cpus,
	};
	struct peer_text text;
	unsigned int i;

	progress("looking for what to compare with");
	for (i = 0; i < NR_PEERS; i++) {
		const struct peer *peer = &peers[i];

		if (peer->find)
			ways[i] = peer->find(&conf, &text);
		else
			snprintf(
				text.s, sizeof(text.s),
				"not measured: this program was built without it; install %s and build it again",
				peer->package);
		results_fact(&bench->results, peer->name, "%s", text.s);
	}
}

static void add(struct bench *bench, struct group *group)
{
	unsigned int i;

	(void)bench;
	for (i = 0; i < NR_PEERS; i++) {
		group->refs[NR_SIZES_REFS + i] = ways[i];
		group_add(group, ways[i]);
	}
}

static const char *const refs[] = { SIZES_REFS, "io_uring", "dma_skeleton",
				    NULL };

static const char notes[] = SIZES_NOTES
	"  io_uring    SQPOLL: NOPs, and reads of a file in the page cache\n"
	"  dma_skelet. DPDK's dmadev with the skeleton driver\n";

const struct plan plan_peers = {
	.name = "peers",
	.help = "throughput, beside io_uring and DPDK",
	.prepare = prepare,
	.run = sizes_run,
	.add = add,
	.check = sizes_check,
	.with_sizes = true,
	.columns = { .refs = refs, .notes = notes },
};

const struct plan plan_peers_latency = {
	.name = "peers-latency",
	.help = "latency, likewise",
	.prepare = prepare,
	.run = sizes_run,
	.add = add,
	.check = sizes_check,
	.with_sizes = true,
	.columns = { .single = true, .refs = refs, .notes = notes },
};
