// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Events: sleep until the engine has something to do.
 *
 * An engine is a file descriptor for epoll, which becomes readable once for each
 * doca_pe_request_notification(). After that, call doca_pe_clear_notification()
 * before the next doca_pe_progress(). No completion is missed: if one is there
 * already when the request is made, the descriptor is readable at once.
 *
 * Usage: pe_event [-p PCI-ADDRESS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_pe.h>

#include "../common/area.h"
#include "../common/sample.h"

#define TASKS 16
#define SIZE (256 << 10)

static void on_done(struct doca_dma_task_memcpy *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	unsigned int *done = ctx_data.ptr;

	(void)task_data;
	area_free_task(task);
	++*done;
}

static void on_error(struct doca_dma_task_memcpy *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)),
	      "a copy");
}

static void submit_all(struct area *area, struct doca_dma *dma)
{
	struct doca_dma_task_memcpy *task;
	union doca_data data = {};
	unsigned int i;

	for (i = 0; i < TASKS; i++) {
		task = area_new_task(area, dma, i, data);
		check(doca_task_submit(doca_dma_task_memcpy_as_task(task)),
		      "submission");
	}
}

static int watch(struct doca_pe *pe)
{
	struct epoll_event event = { .events = EPOLLIN };
	doca_notification_handle_t handle;
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	check(doca_pe_get_notification_handle(pe, &handle), "the handle");
	if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, handle, &event))
		give_up(DOCA_ERROR_OPERATING_SYSTEM, "epoll");
	return epoll;
}

static unsigned int wait_for_all(struct doca_pe *pe, const unsigned int *done)
{
	struct epoll_event event;
	unsigned int waits = 0;
	int epoll = watch(pe);

	while (*done < TASKS) {
		check(doca_pe_request_notification(pe), "request");
		if (epoll_wait(epoll, &event, 1, -1) < 0)
			give_up(DOCA_ERROR_OPERATING_SYSTEM, "epoll_wait");
		check(doca_pe_clear_notification(pe, 0), "clearing");
		while (doca_pe_progress(pe))
			;
		waits++;
	}
	close(epoll);
	return waits;
}

int main(int argc, char **argv)
{
	unsigned int done = 0, copied, waits;
	union doca_data data = { .ptr = &done };
	struct doca_dma *dma;
	struct doca_dev *dev;
	struct doca_ctx *ctx;
	struct area area;
	struct doca_pe *pe;

	sample_start("pe_event", argc, argv, NULL);
	dev = sample_open_device(doca_dma_cap_task_memcpy_is_supported);
	area_create(&area, TASKS, SIZE, &dev, 1);

	check(doca_pe_create(&pe), "the engine");
	check(doca_dma_create(dev, &dma), "the context");
	ctx = doca_dma_as_ctx(dma);
	check(doca_dma_task_memcpy_set_conf(dma, on_done, on_error, TASKS),
	      "the kind of task");
	check(doca_ctx_set_user_data(ctx, data), "the context's user data");
	check(doca_pe_connect_ctx(pe, ctx), "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the context");

	submit_all(&area, dma);
	waits = wait_for_all(pe, &done);

	check(doca_ctx_stop(ctx), "stop of the context");
	check(doca_dma_destroy(dma), "the context");
	check(doca_pe_destroy(pe), "the engine");
	copied = area_count(&area);
	area_destroy(&area);
	check(doca_dev_close(dev), "the device");

	printf("%u of %u pieces are copied, after %u waits\n", copied, TASKS,
	       waits);
	return copied == TASKS ? EXIT_SUCCESS : EXIT_FAILURE;
}
