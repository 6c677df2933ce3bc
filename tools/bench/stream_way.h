/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Data from a producer into the buffers of a consumer. */
#ifndef BENCH_STREAM_WAY_H
#define BENCH_STREAM_WAY_H

#include <doca_buf_inventory.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>
#include <doca_mmap.h>

#include "channel.h"
#include "way.h"

/* The memory of one side, and a buffer for each of its tasks. */
struct stream_side {
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
	struct doca_buf **bufs;
	struct doca_task **tasks;
	unsigned int nr;
	struct doca_ctx *ctx;
	unsigned int inflight;
};

/*
 * The producer has as many tasks as the load is deep, and the consumer some more for each of
 * them. Both submit theirs in turn: so the nth transfer is from the slot of the area into
 * which it goes.
 */
struct stream_way {
	struct way way;
	struct channel channel;

	/* while it is open */
	struct load load;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct stream_side in;
	struct stream_side out;
	uint64_t done; /* transfers of all runs */
	bool again; /* submit tasks of the producer again */
	bool closing; /* do not post buffers again */
};

void stream_way_init(struct stream_way *sw, const struct area *area,
		     const struct cpus *cpus, uint32_t idle_us);

#endif /* BENCH_STREAM_WAY_H */
