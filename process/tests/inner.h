/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The driver's insides, for tests: files, and callers that wait. */
#ifndef PROCESS_TESTS_INNER_H
#define PROCESS_TESTS_INNER_H

#include <pthread.h>
#include <stdlib.h>

#include <linux/fs.h>

#include "file.h"
#include "ktap.h"
#include "memory.h"
#include "queue.h"
#include "until.h"

/* Return the last opened file; older ones may be about to end. */
static inline struct doca_file *last_file(void)
{
	struct doca_file *file, *last = NULL;
	u32 id = 0;

	while ((file = doca_file_next(&id))) {
		if (last)
			doca_file_put(last);
		last = file;
		id++;
	}
	return last;
}

/* Return a queue, which lives at least as long as its descriptor. */
static inline struct doca_queue *queue_of(int fd)
{
	struct file *filp = inproc_file(fd);
	struct doca_queue *queue = filp->private_data;

	fput(filp);
	return queue;
}

/* Return the segment table, as the program that has the queue sees it. */
static inline struct doca_seg *segs_of(const struct doca_queue *queue)
{
	return (void *)doca_area_at(&queue->ring.user, queue->ring.seg_off);
}

/* A call in another thread, with an id of a file. */
struct call {
	int (*make)(int fd, u32 id);
	int fd;
	u32 id;
	int rc;
	bool returned;
	pthread_t thread;
	pid_t tid;
};

static inline void *call_main(void *arg)
{
	struct call *call = arg;

	WRITE_ONCE(call->tid, gettid());
	call->rc = call->make(call->fd, call->id);
	smp_store_release(&call->returned, true);
	return NULL;
}

static inline struct call *begin_call(int (*make)(int fd, u32 id), int fd, u32 id)
{
	struct call *call = malloc(sizeof(*call));

	BUG_ON(!call);
	*call = (struct call){ .make = make, .fd = fd, .id = id };
	BUG_ON(pthread_create(&call->thread, NULL, call_main, call));
	return call;
}

static inline bool has_returned(struct call *call)
{
	return smp_load_acquire(&call->returned);
}

/* Return true if the call comes to wait. */
static inline bool waits(struct call *call)
{
	pid_t tid;

	EXPECT(until(has_returned(call) || ((tid = READ_ONCE(call->tid)) && is_asleep(tid))));
	return !has_returned(call);
}

static inline void do_nothing(struct work_struct *work)
{
}

/* Wait for all queued works. */
static inline void finish_works(struct workqueue_struct *wq)
{
	struct work_struct last;

	INIT_WORK(&last, do_nothing);
	queue_work(wq, &last);
	flush_work(&last);
}

/* The call waits, and still waits when the driver has done everything it can. */
static inline void expect_to_wait(struct call *call)
{
	EXPECT(waits(call));
	finish_works(doca_retire_wq);
	EXPECT(waits(call));
}

/* A call that never returns is left behind. */
static inline void end_call(struct call *call)
{
	ASSERT(until(has_returned(call)));
	pthread_join(call->thread, NULL);
	EXPECT_EQ(call->rc, 0);
	free(call);
}

#endif
