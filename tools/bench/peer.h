/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * What people would use instead. Each is there if its library was when this was
 * built, and if it works on this machine.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "cpu.h"
#include "way.h"

struct peer_conf {
	const struct area *area; /* to copy within */
	size_t half; /* of an area that the peer opens by itself */
	const struct cpus *cpus;
};

/* What it is, with its version, or why it is not measured. */
struct peer_text {
	char s[160];
};

/* There is one of each; NULL if it cannot be measured. */
#ifdef HAVE_LIBURING
struct way *uring_peer(const struct peer_conf *conf, struct peer_text *text);
#endif
#ifdef HAVE_DPDK
struct way *dpdk_peer(const struct peer_conf *conf, struct peer_text *text);
#endif

struct peers {
	struct way *uring;
	struct way *dpdk;
	struct peer_text uring_text;
	struct peer_text dpdk_text;
};

void peers_find(struct peers *peers, const struct peer_conf *conf);

#endif /* BENCH_PEER_H */
