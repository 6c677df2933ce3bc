/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_COMCH_CONSUMER_CTX_H
#define DOCA_COMCH_CONSUMER_CTX_H

#include "attach.h"
#include "core/exec/lane.h"

struct doca_comch_consumer {
	struct doca_ctx ctx;
	struct task_pool pools[1];
	struct attachment at;
	const struct doca_mmap *mmap; /* compared only: it may be gone */
	uint32_t key; /* key of the mmap for the device */
	uint32_t imm_length;
	bool announced;
	struct doca_task *bad, *last_bad; /* tasks with an unsuitable buffer */
};

struct doca_comch_consumer_task_post_recv {
	struct doca_task task;
	uint32_t producer;
	uint32_t imm_length;
	uint8_t imm[COMCH_MAX_IMM];
};

extern const struct task_type comch_post_recv;
extern const struct lane_ops comch_consumer_lane;

static inline struct doca_comch_consumer *
consumer_of(const struct doca_ctx *ctx)
{
	return list_entry(ctx, struct doca_comch_consumer, ctx);
}

/* Copy producer and immediate data from an event into a task in flight. */
void post_recv_take(struct doca_task *task, const struct doca_event *event);

#endif /* DOCA_COMCH_CONSUMER_CTX_H */
