// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Several contexts: one engine serves contexts of several devices and kinds.
 *
 * Each device has a DMA context. A sync event is a context as well; its own tasks count
 * the copies. The loop knows nothing of that: an engine calls back for all contexts that
 * are connected to it, and the context's user data tells whose task it was.
 *
 * Usage: pe_multi_context [-p PCI-ADDRESS]     (then with that device alone)
 */
#include <stdio.h>
#include <stdlib.h>

#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_pe.h>
#include <doca_sync_event.h>

#include "../common/area.h"
#include "../common/sample.h"

#define MAX_DEVS 4
#define PIECES 4 /* for each device */
#define SIZE 65536

struct counter {
	struct doca_sync_event *event;
	unsigned int added;
	uint64_t before; /* value before the last addition */
};

struct copier {
	struct doca_dma *dma;
	struct counter *counter;
	unsigned int done;
};

static void on_added(struct doca_sync_event_task_notify_add *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	struct counter *counter = ctx_data.ptr;
	struct doca_task *base =
		doca_sync_event_task_notify_add_as_doca_task(task);

	(void)task_data;
	check(doca_task_get_status(base), "an addition");
	doca_task_free(base);
	counter->added++;
}

static void on_copied(struct doca_dma_task_memcpy *task,
		      union doca_data task_data, union doca_data ctx_data)
{
	struct doca_sync_event_task_notify_add *add;
	struct copier *copier = ctx_data.ptr;

	check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)),
	      "a copy");
	area_free_task(task);
	copier->done++;
	check(doca_sync_event_task_notify_add_alloc_init(
		      copier->counter->event, 1, &copier->counter->before,
		      task_data, &add),
	      "a task of the event");
	check(doca_task_submit(
		      doca_sync_event_task_notify_add_as_doca_task(add)),
	      "submission");
}

/* Every library's object is a context for the engine. */
static void start(struct doca_pe *pe, struct doca_ctx *ctx, void *user_data)
{
	union doca_data data = { .ptr = user_data };

	check(doca_ctx_set_user_data(ctx, data), "a context's user data");
	check(doca_pe_connect_ctx(pe, ctx), "a connection to the engine");
	check(doca_ctx_start(ctx), "start of a context");
}

static void start_counter(struct counter *counter, struct doca_pe *pe,
			  struct doca_dev *dev, unsigned int tasks)
{
	struct doca_sync_event *event;

	check(doca_sync_event_create(&event), "the event");
	counter->event = event;
	check(doca_sync_event_add_publisher_location_cpu(event, dev), "event");
	check(doca_sync_event_add_subscriber_location_cpu(event, dev), "event");
	check(doca_sync_event_task_notify_add_set_conf(event, on_added,
						       on_added, tasks),
	      "the event's kind of task");
	start(pe, doca_sync_event_as_ctx(event), counter);
}

static void start_copier(struct copier *copier, struct doca_pe *pe,
			 struct doca_dev *dev, struct area *area,
			 unsigned int first)
{
	struct doca_dma_task_memcpy *task;
	union doca_data data = {};
	unsigned int i;

	check(doca_dma_create(dev, &copier->dma), "a context");
	check(doca_dma_task_memcpy_set_conf(copier->dma, on_copied, on_copied,
					    PIECES),
	      "the kind of task");
	start(pe, doca_dma_as_ctx(copier->dma), copier);
	for (i = first; i < first + PIECES; i++) {
		task = area_new_task(area, copier->dma, i, data);
		check(doca_task_submit(doca_dma_task_memcpy_as_task(task)),
		      "submission");
	}
}

int main(int argc, char **argv)
{
	unsigned int nr, i, copied;
	struct copier copier[MAX_DEVS] = {};
	struct doca_dev *dev[MAX_DEVS];
	struct counter counter = {};
	struct doca_pe *pe;
	struct area area;

	sample_start("pe_multi_context", argc, argv, NULL);
	nr = sample_open_devices(doca_dma_cap_task_memcpy_is_supported, dev,
				 MAX_DEVS);
	area_create(&area, nr * PIECES, SIZE, dev, nr);
	check(doca_pe_create(&pe), "the engine");
	start_counter(&counter, pe, dev[0], nr * PIECES);
	for (i = 0; i < nr; i++) {
		copier[i].counter = &counter;
		start_copier(&copier[i], pe, dev[i], &area, i * PIECES);
	}

	while (counter.added < nr * PIECES)
		doca_pe_progress(pe);

	for (i = 0; i < nr; i++) {
		check(doca_ctx_stop(doca_dma_as_ctx(copier[i].dma)), "stop");
		check(doca_dma_destroy(copier[i].dma), "a context");
		printf("device %u has copied %u pieces\n", i, copier[i].done);
	}
	check(doca_ctx_stop(doca_sync_event_as_ctx(counter.event)), "stop");
	check(doca_sync_event_destroy(counter.event), "the event");
	check(doca_pe_destroy(pe), "the engine");
	copied = area_count(&area);
	area_destroy(&area);
	for (i = 0; i < nr; i++)
		check(doca_dev_close(dev[i]), "a device");

	printf("%u pieces are copied, the event has counted %lu\n", copied,
	       (unsigned long)counter.before + 1);
	if (copied != nr * PIECES || counter.before + 1 != copied)
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
