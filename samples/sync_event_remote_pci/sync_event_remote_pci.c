// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A sync event, on the side that has imported it, with tasks.
 *
 * An event is also a context: tasks change it and wait for it, and an engine tells
 * when they are done. The program could do anything else meanwhile, and a task that
 * waits does not hold up others. Start sync_event_local_pci first, which also says
 * what the two tell each other.
 *
 * Usage: sync_event_remote_pci [-p PCI-ADDRESS] [-d DESCRIPTOR-FILE]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <doca_ctx.h>
#include <doca_pe.h>
#include <doca_sync_event.h>

#include "../common/descriptor.h"
#include "../common/sample.h"

static void end(struct doca_task *task, union doca_data data)
{
	bool *ended = data.ptr;

	check(doca_task_get_status(task), "the task");
	doca_task_free(task);
	*ended = true;
}

static void on_added(struct doca_sync_event_task_notify_add *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	(void)ctx_data;
	end(doca_sync_event_task_notify_add_as_doca_task(task), task_data);
}

static void on_equal(struct doca_sync_event_task_wait_eq *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	(void)ctx_data;
	end(doca_sync_event_task_wait_eq_as_doca_task(task), task_data);
}

static void run(struct doca_pe *pe, struct doca_task *task, const bool *ended)
{
	check(doca_task_submit(task), "submission");
	while (!*ended)
		doca_pe_progress(pe);
}

/* Add 1, and return the value before. */
static uint64_t add(struct doca_pe *pe, struct doca_sync_event *event)
{
	struct doca_sync_event_task_notify_add *task;
	bool ended = false;
	union doca_data data = { .ptr = &ended };
	uint64_t before;

	check(doca_sync_event_task_notify_add_alloc_init(event, 1, &before,
							 data, &task),
	      "the task");
	run(pe, doca_sync_event_task_notify_add_as_doca_task(task), &ended);
	return before;
}

static void wait_for(struct doca_pe *pe, struct doca_sync_event *event,
		     uint64_t value)
{
	struct doca_sync_event_task_wait_eq *task;
	bool ended = false;
	union doca_data data = { .ptr = &ended };

	check(doca_sync_event_task_wait_eq_alloc_init(event, value, UINT64_MAX,
						      data, &task),
	      "the task");
	run(pe, doca_sync_event_task_wait_eq_as_doca_task(task), &ended);
}

int main(int argc, char **argv)
{
	struct sample_flag flags[] = { descriptor_flag, {} };
	uint8_t desc[DESCRIPTOR_MAX];
	struct doca_sync_event *event;
	uint64_t first, last;
	struct doca_dev *dev;
	struct doca_ctx *ctx;
	struct doca_pe *pe;
	size_t len;

	sample_start("sync_event_remote_pci", argc, argv, flags);
	dev = sample_open_device(
		doca_sync_event_cap_is_create_from_export_supported);
	len = descriptor_read(desc, sizeof(desc));
	check(doca_sync_event_create_from_export(dev, desc, len, &event),
	      "import");

	check(doca_sync_event_task_notify_add_set_conf(event, on_added,
						       on_added, 1),
	      "a kind of task");
	check(doca_sync_event_task_wait_eq_set_conf(event, on_equal, on_equal,
						    1),
	      "a kind of task");
	check(doca_pe_create(&pe), "the engine");
	ctx = doca_sync_event_as_ctx(event);
	check(doca_pe_connect_ctx(pe, ctx), "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the context");

	first = add(pe, event);
	wait_for(pe, event, 2);
	last = add(pe, event);

	check(doca_ctx_stop(ctx), "stop of the context");
	check(doca_sync_event_destroy(event), "the event");
	check(doca_pe_destroy(pe), "the engine");
	check(doca_dev_close(dev), "the device");

	printf("The value was %lu, then %lu\n", (unsigned long)first,
	       (unsigned long)last);
	return first == 0 && last == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
