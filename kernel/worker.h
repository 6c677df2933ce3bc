/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Workers: threads that execute the queues given to them. */
#ifndef DOCA_WORKER_H
#define DOCA_WORKER_H

#include "file.h"
#include "thread.h"

struct doca_queue;
struct doca_ucmd;

/**
 * struct doca_worker - a worker
 * @obj: references are held by the table of the file, each queue and the thread
 * @thread: its thread
 * @idle_ns: how long it polls without finding work; U64_MAX: for ever
 * @aside: ENTER executes its queues, so it does not poll; a hint, set in the section and
 *	cleared anywhere
 * @backoff_ns: how long it slept between its last two polls of waits; 0 if it has found
 *	work since
 * @kcov_handle: handle by which kcov reports the thread's coverage to its creator; 0:
 *	none
 * @file: reference to the structure only
 * @run: the section of all its queues, which also protects all below. The thread holds
 *	it, except while it sleeps and when another thread waits for it.
 * @queues: its queues; the list holds no references
 * @nr_queues: length of @queues
 * @begun: its thread executes; until then ENTER does
 * @stopped: the thread ends, or soon will: no queue can be attached any more
 * @polling_ns: time spent awake without work
 * @working_ns: time spent awake with work
 *
 * The end of the address space, the last close of the file, the end of its process, or
 * OBJECT_DESTROY, which is refused while there are queues, stops the thread.
 */
struct doca_worker {
	struct doca_object obj;
	struct doca_thread thread;
	u64 idle_ns;
	bool aside;
	unsigned int caller_cpu; /* CPU of the last call to it */
	u64 backoff_ns;
	u64 kcov_handle;

	struct doca_file *file;
	struct doca_run *run;
	struct list_head queues;
	unsigned int nr_queues;
	bool begun;
	bool stopped;
	u64 polling_ns;
	u64 working_ns;
};

/* Return true if the administrator allows workers. */
bool doca_workers_allowed(void);
int doca_ioctl_worker_create(struct doca_ucmd *ucmd);
int doca_worker_destroy(struct doca_file *file, struct doca_object *obj);
void doca_file_stop_workers(struct doca_file *file, bool wait);

/* Return false if its thread is only on the way, which takes ten times as long as a small task. */
bool doca_worker_has_begun(const struct doca_worker *worker);
void doca_worker_wake(struct doca_worker *worker);
/* Make it execute again, and poll. */
void doca_worker_call(struct doca_worker *worker);
/* In the section: the caller executes in its place, and may continue to do so. */
void doca_worker_stand_aside(struct doca_worker *worker,
			     struct doca_queue *queue);
/* -ENOENT if either has ended meanwhile, -EINTR if the caller was killed. */
int doca_worker_attach(struct doca_worker *worker, struct doca_queue *queue);
/* In the section: it does not execute the queue any more. */
void doca_worker_detach(struct doca_worker *worker, struct doca_queue *queue);

#endif
