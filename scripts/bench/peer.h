/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The alternatives to this project. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "bench/cpu.h"
#include "bench/way.h"

struct peer_conf {
	const struct area *area; /* the memory to copy within */
	size_t half; /* half of an area that the peer opens itself */
	const struct cpus *cpus;
};

/* The peer's name and version, or the reason why it is not measured. */
struct peer_text {
	char s[160];
};

/* Return the only instance, or NULL if the peer does not work on this machine. */
typedef struct way *peer_find(const struct peer_conf *conf,
			      struct peer_text *text);

/* Weak: a peer is left out if its library was missing at build time. */
extern peer_find uring_peer __attribute__((weak));
extern peer_find dpdk_peer __attribute__((weak));

#endif /* BENCH_PEER_H */
