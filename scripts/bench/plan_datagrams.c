// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Datagrams from one network namespace to another: the cost of receiving and of
 * sending, for this thread.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/msg.h"
#include "plans.h"
#include "common/usage.h"
#include "datagram_way.h"

enum { REF_RECVMSG, REF_RECVMMSG, REF_XSK, REF_SENDMMSG, REF_PACKET };

static const char *const refs[] = { "recvmsg",	"recvmmsg", "xsk",
				    "sendmmsg", "packet",   NULL };

static const size_t default_sizes[] = { 64, BURST_MAX_SIZE };

static void check(const struct options *opts)
{
	unsigned int i;

	for (i = 0; opts->own_sizes && i < opts->nr_sizes; i++)
		if (opts->sizes[i].bytes < BURST_MIN_SIZE ||
		    opts->sizes[i].bytes > BURST_MAX_SIZE)
			usage("--sizes: datagrams are of %zu to %d bytes",
			      BURST_MIN_SIZE, BURST_MAX_SIZE);
	for (i = 0; i < opts->nr_depths; i++)
		if (opts->depths[i] > BURST_MAX)
			usage("--depths: bursts are of up to %d datagrams",
			      BURST_MAX);
}

static struct group group;

static void begin(struct bench *bench, const char *operation,
		  const struct load *load)
{
	progress("%s: %zu bytes, bursts of %u", operation, load->size,
		 load->depth);
	plan_group(bench, &group, operation, load);
	group.cpu = true;
}

static int measure_receive(struct bench *bench, const struct wires *wires,
			   const struct load *load)
{
	static const struct datagram_ops *const ops[] = {
		&recvmsg_ops,	&recvmmsg_ops, &zc_ops,
		&zc_kernel_ops, &xsk_ops,      &eth_rxq_ops,
	};
	static struct datagram_way ways[6];
	const char *path = getenv("DOCA_ZC");
	unsigned int i;

	begin(bench, "recv", load);
	for (i = 0; i < 6; i++) {
		/* Without a bypass this way is the same as the one before. */
		if (ops[i] == &zc_kernel_ops && (!path || strcmp(path, "xdp")))
			continue;
		if (!ways[i].ops)
			datagram_way_init(&ways[i], ops[i], wires,
					  &bench->cpus);
		group_add(&group, &ways[i].way);
	}
	group.refs[REF_RECVMSG] = &ways[0].way;
	group.refs[REF_RECVMMSG] = &ways[1].way;
	group.refs[REF_XSK] = &ways[4].way;
	return plan_measure(bench, &group);
}

static int measure_send(struct bench *bench, const struct wires *wires,
			const struct load *load)
{
	static const struct datagram_ops *const ops[] = {
		&sendmmsg_ops,
		&packet_ops,
		&eth_txq_ops,
	};
	static struct datagram_way ways[3];
	unsigned int i;

	begin(bench, "send", load);
	for (i = 0; i < 3; i++) {
		if (!ways[i].ops)
			datagram_way_init(&ways[i], ops[i], wires,
					  &bench->cpus);
		group_add(&group, &ways[i].way);
	}
	group.refs[REF_SENDMMSG] = &ways[0].way;
	group.refs[REF_PACKET] = &ways[1].way;
	return plan_measure(bench, &group);
}

static int measure(struct bench *bench, const struct wires *wires, size_t size)
{
	const struct options *opts = bench->opts;
	unsigned int i;

	for (i = 0; i < opts->nr_depths; i++) {
		struct load load = { .size = size, .depth = opts->depths[i] };

		if (measure_receive(bench, wires, &load) ||
		    measure_send(bench, wires, &load))
			return -1;
	}
	return 0;
}

static int run(struct bench *bench)
{
	const struct options *opts = bench->opts;
	unsigned int i, nr = opts->own_sizes ? opts->nr_sizes : 2;
	struct wires wires;
	int ret = 0;

	if (wires_open(&wires))
		return -1;
	for (i = 0; !ret && i < nr; i++)
		ret = measure(bench, &wires,
			      opts->own_sizes ? opts->sizes[i].bytes :
						default_sizes[i]);
	wires_close(&wires);
	return ret;
}

const struct plan plan_datagrams = {
	.name = "datagrams",
	.help = "UDP between two network namespaces, of --sizes (64,1472) in bursts of\n"
		"--depths: sockets, zero-copy receive under onload(1), Ethernet queues",
	.run = run,
	.check = check,
	.without_rings = true,
	.columns = {
		.cpu = true,
		.refs = refs,
		.notes =
			"cpu           CPU time of the measured thread for a datagram, in the usual burst,\n"
			"              which is the median of a run's; spread is that of this time\n"
			"recv          the other CPU sends a burst, and then this thread receives it\n"
			"send          this thread sends a burst, and then the other CPU receives it\n"
			"other columns the datagrams in a second of CPU time as a part of those of\n"
			"  recvmsg     a call for each datagram\n"
			"  recvmmsg    a call for up to 64\n"
			"  xsk         AF_XDP sockets, with the checksums verified\n"
			"  sendmmsg    a call for each burst\n"
			"  packet      the ring of a packet socket\n"
			"zc            zero-copy receive, under onload(1), and the path that it had\n",
	},
};
