// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A sync event of a host and its DPU: a number that both change, and both wait for.
 *
 * The host creates the event, and sends the descriptor of its export through the channel.
 * Then both talk by the value alone:
 *
 *  DPU: add 1, I am here     host: set 10, so am I     DPU: add 5, good bye
 *
 * Each side does this by calls, which return when it is done, or by tasks of a context,
 * beside which it could do anything else. Before the host stops the event, the DPU says
 * that it has let go of it.
 *
 * Usage: sync_event_pair dpu|host [-m calls|tasks] [-p PCI-ADDRESS] [-r PCI-ADDRESS]
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_ctx.h>
#include <doca_pe.h>
#include <doca_sync_event.h>

#include "../common/channel.h"
#include "../common/sample.h"

#define NAME "sync_event_pair"
#define ALL_BITS UINT64_MAX /* the mask of the value */

/* The host's message. */
struct offer {
	uint32_t length;
	uint8_t desc[1024];
};

/* One side of the event. */
struct counter {
	struct channel channel;
	struct doca_sync_event *event;
	bool by_tasks;
	bool ended; /* the last task has */
};

static const char *mode; /* NULL: the default of the side */

static doca_error_t set_mode(void *value, void *config)
{
	(void)config;
	mode = !strcmp(value, "calls") ? "calls" : "tasks";
	return strcmp(value, mode) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

static const struct sample_flag mode_flag = {
	"m", "mode", "<calls|tasks>",
	"How this side works (default: the host by calls, the DPU by tasks)",
	set_mode
};

static void end(struct doca_task *task, union doca_data ctx_data)
{
	struct counter *counter = ctx_data.ptr;

	check(doca_task_get_status(task), "a task");
	doca_task_free(task);
	counter->ended = true;
}

static void on_set(struct doca_sync_event_task_notify_set *task,
		   union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	end(doca_sync_event_task_notify_set_as_doca_task(task), ctx_data);
}

static void on_added(struct doca_sync_event_task_notify_add *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	end(doca_sync_event_task_notify_add_as_doca_task(task), ctx_data);
}

static void on_greater(struct doca_sync_event_task_wait_gt *task,
		       union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	end(doca_sync_event_task_wait_gt_as_doca_task(task), ctx_data);
}

/* Meanwhile the program sleeps, and would hear if the other side went away. */
static void run(struct counter *counter, struct doca_task *task)
{
	counter->ended = false;
	check(doca_task_submit(task), "submission");
	while (!counter->ended)
		channel_progress(&counter->channel);
}

static void set(struct counter *counter, uint64_t value)
{
	struct doca_sync_event_task_notify_set *task;
	union doca_data none = {};

	if (!counter->by_tasks) {
		check(doca_sync_event_update_set(counter->event, value), "set");
		return;
	}
	check(doca_sync_event_task_notify_set_alloc_init(counter->event, value,
							 none, &task),
	      "a task");
	run(counter, doca_sync_event_task_notify_set_as_doca_task(task));
}

/* Return the value before. */
static uint64_t add(struct counter *counter, uint64_t value)
{
	struct doca_sync_event_task_notify_add *task;
	union doca_data none = {};
	uint64_t before;

	if (!counter->by_tasks) {
		check(doca_sync_event_update_add(counter->event, value,
						 &before),
		      "add");
		return before;
	}
	check(doca_sync_event_task_notify_add_alloc_init(counter->event, value,
							 &before, none, &task),
	      "a task");
	run(counter, doca_sync_event_task_notify_add_as_doca_task(task));
	return before;
}

static void wait_greater(struct counter *counter, uint64_t value)
{
	struct doca_sync_event_task_wait_gt *task;
	union doca_data none = {};

	if (!counter->by_tasks) {
		check(doca_sync_event_wait_gt_yield(counter->event, value,
						    ALL_BITS),
		      "wait");
		return;
	}
	check(doca_sync_event_task_wait_gt_alloc_init(counter->event, value,
						      ALL_BITS, none, &task),
	      "a task");
	run(counter, doca_sync_event_task_wait_gt_as_doca_task(task));
}

static void start_context(struct counter *counter)
{
	union doca_data data = { .ptr = counter };
	struct doca_ctx *ctx;

	check(doca_sync_event_task_notify_set_set_conf(counter->event, on_set,
						       on_set, 1),
	      "a kind of task");
	check(doca_sync_event_task_notify_add_set_conf(counter->event, on_added,
						       on_added, 1),
	      "a kind of task");
	check(doca_sync_event_task_wait_gt_set_conf(counter->event, on_greater,
						    on_greater, 1),
	      "a kind of task");
	ctx = doca_sync_event_as_ctx(counter->event);
	check(doca_ctx_set_user_data(ctx, data), "the user data");
	check(doca_pe_connect_ctx(counter->channel.pe, ctx),
	      "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the event");
}

static void start(struct counter *counter)
{
	if (counter->by_tasks)
		start_context(counter);
	else
		check(doca_sync_event_start(counter->event),
		      "start of the event");
}

static void stop(struct counter *counter)
{
	if (counter->by_tasks)
		check(doca_ctx_stop(doca_sync_event_as_ctx(counter->event)),
		      "stop of the event");
	else
		check(doca_sync_event_stop(counter->event),
		      "stop of the event");
	check(doca_sync_event_destroy(counter->event), "the event");
}

static void create(struct counter *counter)
{
	struct doca_sync_event *event;

	check(doca_sync_event_create(&event), "the event");
	check(doca_sync_event_add_publisher_location_cpu(event,
							 counter->channel.dev),
	      "a publisher");
	check(doca_sync_event_add_publisher_location_remote_pci(event),
	      "a publisher");
	check(doca_sync_event_add_subscriber_location_cpu(event,
							  counter->channel.dev),
	      "a subscriber");
	check(doca_sync_event_add_subscriber_location_remote_pci(event),
	      "a subscriber");
	counter->event = event;
}

static bool be_host(struct counter *counter)
{
	struct offer offer = {};
	const uint8_t *desc;
	uint64_t first, last;
	size_t length;
	bool let_go;

	create(counter);
	start(counter);
	check(doca_sync_event_export_to_remote_pci(
		      counter->event, counter->channel.dev, &desc, &length),
	      "export");
	if (length > sizeof(offer.desc))
		give_up(DOCA_ERROR_TOO_BIG, "the descriptor");
	memcpy(offer.desc, desc, length);
	offer.length = length;
	channel_send(&counter->channel, &offer, sizeof(offer));

	wait_greater(counter, 0);
	first = add(counter, 0);
	set(counter, 10);
	wait_greater(counter, 10);
	last = add(counter, 0);

	channel_receive(&counter->channel, &let_go, sizeof(let_go));
	stop(counter);
	printf("The DPU has made it %" PRIu64 ", then %" PRIu64 "\n", first,
	       last);
	return first == 1 && last == 15;
}

static bool be_dpu(struct counter *counter)
{
	const bool let_go = true;
	uint64_t first, last;
	struct offer offer;

	channel_receive(&counter->channel, &offer, sizeof(offer));
	if (offer.length > sizeof(offer.desc))
		give_up(DOCA_ERROR_INVALID_VALUE, "the offer");
	check(doca_sync_event_create_from_export(counter->channel.dev,
						 offer.desc, offer.length,
						 &counter->event),
	      "import");
	start(counter);

	first = add(counter, 1);
	wait_greater(counter, 1);
	last = add(counter, 5);

	stop(counter);
	channel_send(&counter->channel, &let_go, sizeof(let_go));
	printf("It was %" PRIu64 ", and the host has made it %" PRIu64 "\n",
	       first, last);
	return first == 0 && last == 10;
}

int main(int argc, char **argv)
{
	struct sample_flag flags[] = { mode_flag, {} };
	struct counter counter = {};
	enum side side;
	bool right;

	side = side_start(NAME, argc, argv, flags);
	counter.by_tasks = mode ? !strcmp(mode, "tasks") : side == SIDE_DPU;
	channel_open(&counter.channel, NAME, side);
	right = side == SIDE_DPU ? be_dpu(&counter) : be_host(&counter);
	channel_close(&counter.channel);
	return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
