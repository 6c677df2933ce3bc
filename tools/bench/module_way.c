// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "loop.h"
#include "module_way.h"
#include "msg.h"

struct module_task {
	struct module_task *next;
	uint8_t *dst;
	const uint8_t *src;
	size_t size;
	void (*done)(void *arg, struct module_task *task);
	void *arg;
};

/* An interface separates these two functions from their callers, so neither is inlined. */
static __attribute__((noinline)) void submit(struct module_way *mw,
					     struct module_task *task)
{
	memcpy(task->dst, task->src, task->size);
	task->next = NULL;
	*mw->last = task;
	mw->last = &task->next;
	mw->inflight++;
}

static __attribute__((noinline)) unsigned int poll_done(struct module_way *mw)
{
	struct module_task *task = mw->first;
	unsigned int n = 0;

	mw->first = NULL;
	mw->last = &mw->first;
	while (task) {
		struct module_task *next = task->next;

		mw->inflight--;
		task->done(task->arg, task);
		task = next;
		n++;
	}
	return n;
}

static void on_done(void *arg, struct module_task *task)
{
	struct module_way *mw = arg;

	mw->done++;
	if (mw->again)
		submit(mw, task);
}

static int module_open(struct way *way, const struct load *load)
{
	struct module_way *mw = container_of(way, struct module_way, way);
	unsigned int slots = area_slots(way->area, load);
	unsigned int i;

	mw->load = *load;
	mw->last = &mw->first;
	mw->tasks = calloc(load->depth, sizeof(*mw->tasks));
	if (!mw->tasks)
		return fail("out of memory");
	for (i = 0; i < load->depth; i++) {
		size_t offset = i % slots * load->size;

		mw->tasks[i] = (struct module_task){
			.dst = way->area->dst + offset,
			.src = way->area->src + offset,
			.size = load->size,
			.done = on_done,
			.arg = mw,
		};
	}
	return 0;
}

static void module_close(struct way *way)
{
	struct module_way *mw = container_of(way, struct module_way, way);

	free(mw->tasks);
}

static int module_run(struct way *way, struct meter *meter)
{
	struct module_way *mw = container_of(way, struct module_way, way);
	unsigned int interval = clock_interval(mw->load.size);
	double start, now;
	uint64_t next;
	unsigned int i;

	mw->again = true;
	mw->done = 0;
	start = clock_now();
	for (i = 0; i < mw->load.depth; i++)
		submit(mw, &mw->tasks[i]);
	do {
		for (next = mw->done + interval; mw->done < next;)
			poll_done(mw);
		now = clock_now();
	} while (now - start < meter->seconds);
	meter->rate = mw->done / (now - start);
	mw->again = false;
	while (mw->inflight)
		poll_done(mw);
	return 0;
}

void module_way_init(struct module_way *mw, const struct area *area)
{
	*mw = (struct module_way){
		.way = {
			.name = "module",
			.open = module_open,
			.run = module_run,
			.close = module_close,
			.area = area,
		},
	};
}
