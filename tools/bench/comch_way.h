/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Messages that go there and back, over a channel and by others. */
#ifndef BENCH_COMCH_WAY_H
#define BENCH_COMCH_WAY_H

#include "channel.h"
#include "way.h"

struct comch_way {
	struct way way;
	bool sleeps;
	struct channel channel;
	size_t size; /* while it is open */
};

/* Both threads poll, or both sleep. */
void comch_way_init(struct comch_way *cw, const struct cpus *cpus,
		    uint32_t idle_us, bool sleeps);

/* Packets over a pair of sockets, likewise. */
struct packet_way {
	struct way way;
	const struct cpus *cpus;
	bool sleeps;

	/* while it is open */
	size_t size;
	int near;
	int far;
};

void packet_way_init(struct packet_way *pw, const struct cpus *cpus,
		     bool sleeps);

#endif /* BENCH_COMCH_WAY_H */
