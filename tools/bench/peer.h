/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The alternatives to this project. A peer is measured if its library was there
 * at build time and works on this machine.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "cpu.h"
#include "way.h"

struct peer_conf {
	const struct area *area; /* the memory to copy within */
	size_t half; /* half of an area that the peer opens itself */
	const struct cpus *cpus;
};

/* Its name and version, or why it is not measured. */
struct peer_text {
	char s[160];
};

/* Each returns the only instance, or NULL if the peer cannot be measured. */
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
