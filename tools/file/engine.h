/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A pipeline of tasks of one kind: while some are under way, input is read for the next
 * one, and the output of the oldest is written, always in the order of the input.
 */
#ifndef FILE_ENGINE_H
#define FILE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_pe.h>

#include "data/region.h"

/* Slots that keep a device busy while others are read and written. */
#define ENGINE_DEPTH 4

/* A task with its memory, which is reused. */
struct slot {
	uint8_t *in;
	uint8_t *out;
	struct doca_buf *src;
	struct doca_buf *dst;
	struct doca_task *task;
	void *typed; /* it, as its kind's functions want it */
	size_t out_len; /* bytes that the task has added to the destination */
	uint64_t offset; /* place in the input; the caller's, as the next two */
	size_t length;
	bool is_last;
	bool is_done;
};

struct engine {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_ctx *ctx;
	struct doca_buf_inventory *inventory;
	struct region memory;
	size_t in_size; /* bytes of each slot */
	size_t out_size;
	unsigned int depth;
	struct slot slots[ENGINE_DEPTH];
	uint64_t submitted; /* both only grow, one by one */
	uint64_t drained;
};

/* The caller's part of a run. All return -1 if they have said why the run must end. */
struct engine_work {
	/* Set the slot's source and destination. Returns 0 if there is nothing left. */
	int (*fill)(void *arg, struct slot *slot);
	/* Take the output of a task that was successful. */
	int (*drain)(void *arg, struct slot *slot);
	/* Say why it was not: for its data, or with the text of its error. */
	int (*failed)(void *arg, struct slot *slot, doca_error_t err);
	void *arg;
};

/* Make slots, up to ENGINE_DEPTH, with so many bytes of memory each. */
int engine_open(struct engine *engine, struct doca_dev *dev, unsigned int depth,
		size_t in_size, size_t out_size);

/* Start a context whose tasks are configured to call engine_ended(). */
int engine_start(struct engine *engine, struct doca_ctx *ctx);

/* For callbacks of tasks, whose user data is the slot: success and failure alike. */
void engine_ended(struct slot *slot);

/* Set a slot's source to bytes of its memory, or its destination to the room there. */
int slot_source(struct slot *slot, size_t offset, size_t length);
int slot_room(struct slot *slot, size_t offset);

/* Run until fill() has nothing left, and all is drained. */
int engine_run(struct engine *engine, const struct engine_work *work);

/* Let time pass for the progress engine until @done, which callbacks set. */
int engine_wait(struct engine *engine, const bool *done);

/* End all tasks, and the context: it is idle then. */
void engine_stop(struct engine *engine);

void engine_close(struct engine *engine);

#endif /* FILE_ENGINE_H */
