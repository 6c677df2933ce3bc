/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A context that is looked into: its callbacks count, and then do what a test says.
 * With memory to copy, a half that may only be read and a half to write.
 */
#ifndef SELFTESTS_API_PROBE_H
#define SELFTESTS_API_PROBE_H

#include "bed.h"

#define PROBE_LEN 4096
#define PROBE_MEM (BED_TASKS * PROBE_LEN)

struct probe {
	struct bed bed;
	struct doca_dev *dev;
	struct doca_mmap *src, *dst;
	char *mem;
	long pins;

	unsigned int callbacks; /* of all kinds */
	unsigned int states;
	doca_error_t status; /* of the last task */
	doca_error_t result; /* of what the test did in a callback */
	struct doca_dma_task_memcpy *task; /* the last */
	void *other; /* the test's */

	/* Frees the task with its buffers, unless the test has it do more. */
	void (*on_task)(struct probe *probe, struct doca_dma_task_memcpy *task);
	void (*on_state)(struct probe *probe, enum doca_ctx_states state);
};

static inline void probe_task(struct doca_dma_task_memcpy *task,
			      union doca_data task_data,
			      union doca_data ctx_data)
{
	struct probe *probe = ctx_data.ptr;

	(void)task_data;
	probe->callbacks++;
	probe->task = task;
	probe->status =
		doca_task_get_status(doca_dma_task_memcpy_as_task(task));
	if (probe->status)
		probe->bed.failed++;
	else
		probe->bed.succeeded++;
	if (probe->on_task)
		probe->on_task(probe, task);
	else
		bed_free_task(task);
}

static inline void probe_state(const union doca_data user_data,
			       struct doca_ctx *ctx, enum doca_ctx_states prev,
			       enum doca_ctx_states next)
{
	struct probe *probe = user_data.ptr;

	(void)ctx;
	(void)prev;
	probe->callbacks++;
	probe->states++;
	probe->bed.to_stopping += next == DOCA_CTX_STATE_STOPPING;
	probe->bed.to_idle += next == DOCA_CTX_STATE_IDLE;
	if (probe->on_state)
		probe->on_state(probe, next);
}

/* All but started; NOT_FOUND if there is no device. */
static inline doca_error_t probe_create(struct probe *probe, uint32_t tasks)
{
	union doca_data data = { .ptr = probe };
	doca_error_t rc;

	memset(probe, 0, sizeof(*probe));
	probe->pins = pins_held();
	probe->dev = bed_open_dev(NULL);
	if (!probe->dev)
		return DOCA_ERROR_NOT_FOUND;
	probe->mem = mmap(NULL, 2 * PROBE_MEM, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bed_fill(probe->mem, PROBE_MEM, 7);
	if ((rc = bed_mmap(probe->mem, PROBE_MEM,
			   DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, probe->dev, NULL,
			   &probe->src)) ||
	    (rc = bed_mmap(probe->mem + PROBE_MEM, PROBE_MEM,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, probe->dev, NULL,
			   &probe->dst)) ||
	    (rc = bed_create(&probe->bed, probe->dev, NULL)) ||
	    (rc = doca_ctx_set_user_data(probe->bed.ctx, data)) ||
	    (rc = doca_ctx_set_state_changed_cb(probe->bed.ctx, probe_state)))
		return rc;
	return doca_dma_task_memcpy_set_conf(probe->bed.dma, probe_task,
					     probe_task, tasks);
}

static inline doca_error_t probe_start(struct probe *probe)
{
	doca_error_t rc = doca_ctx_start(probe->bed.ctx);

	probe->callbacks = 0;
	probe->states = 0;
	return rc;
}

/* Stopped, whatever a test has left; false if something was not given back. */
static inline bool probe_destroy(struct probe *probe)
{
	struct bed *bed = &probe->bed;
	doca_error_t rc;

	probe->on_task = NULL;
	probe->on_state = NULL;
	if (bed->dma) {
		rc = doca_ctx_stop(bed->ctx);
		if (rc == DOCA_ERROR_IN_PROGRESS)
			BED_UNTIL(bed, bed_state_of(bed) ==
					       DOCA_CTX_STATE_IDLE);
		if (doca_dma_destroy(bed->dma))
			return false;
	}
	if (doca_buf_inventory_destroy(bed->inv) || doca_pe_destroy(bed->pe) ||
	    doca_mmap_destroy(probe->src) || doca_mmap_destroy(probe->dst) ||
	    doca_dev_close(probe->dev))
		return false;
	munmap(probe->mem, 2 * PROBE_MEM);
	return pins_settle(probe->pins) == probe->pins;
}

static inline struct doca_buf *probe_data(struct probe *probe,
					  struct doca_mmap *mmap, void *addr,
					  size_t len)
{
	struct doca_buf *buf = NULL;

	return doca_buf_inventory_buf_get_by_data(probe->bed.inv, mmap, addr,
						  len, &buf) ?
		       NULL :
		       buf;
}

static inline struct doca_buf *probe_room(struct probe *probe,
					  struct doca_mmap *mmap, void *addr,
					  size_t len)
{
	struct doca_buf *buf = NULL;

	return doca_buf_inventory_buf_get_by_addr(probe->bed.inv, mmap, addr,
						  len, &buf) ?
		       NULL :
		       buf;
}

static inline struct doca_task *probe_alloc(struct probe *probe,
					    struct doca_buf *src,
					    struct doca_buf *dst)
{
	struct doca_dma_task_memcpy *task = NULL;
	union doca_data data = {};

	if (doca_dma_task_memcpy_alloc_init(probe->bed.dma, src, dst, data,
					    &task))
		return NULL;
	return doca_dma_task_memcpy_as_task(task);
}

/* A task that copies page @i; a bad one would write where is only read. */
static inline struct doca_task *probe_new(struct probe *probe, int i, bool bad)
{
	char *src = probe->mem + i * PROBE_LEN;

	return probe_alloc(probe, probe_data(probe, probe->src, src, PROBE_LEN),
			   bad ? probe_room(probe, probe->src, src,
					    PROBE_LEN) :
				 probe_room(probe, probe->dst, src + PROBE_MEM,
					    PROBE_LEN));
}

static inline doca_error_t probe_submit(struct probe *probe, int i, bool bad)
{
	return doca_task_submit(probe_new(probe, i, bad));
}

#define PROBE_UNTIL(probe, condition) BED_UNTIL(&(probe)->bed, condition)

#endif
