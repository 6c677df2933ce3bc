/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_COMCH_PRODUCER_CTX_H
#define DOCA_COMCH_PRODUCER_CTX_H

#include "attach.h"
#include "core/exec/lane.h"

struct doca_comch_producer {
	struct doca_ctx ctx;
	struct task_pool pools[1];
	struct attachment at;
};

struct doca_comch_producer_task_send {
	struct doca_task task;
	uint8_t *imm; /* the program owns it */
	uint32_t imm_length;
	uint32_t consumer_id;
};

extern const struct task_type comch_send_to;
extern const struct lane_ops comch_producer_lane;

static inline struct doca_comch_producer *
producer_of(const struct doca_ctx *ctx)
{
	return list_entry(ctx, struct doca_comch_producer, ctx);
}

#endif /* DOCA_COMCH_PRODUCER_CTX_H */
