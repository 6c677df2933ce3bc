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
 * @obj: references are held by the table of the file, by each queue and by the
 *	thread
 * @thread: its thread
 * @idle_ns: how long it polls without finding work; U64_MAX: for ever
 * @aside: ENTER executes its queues, so it does not poll; a hint, set in the section
 *	and cleared anywhere
 * @backoff_ns: how long it slept between its last two polls of what its queues wait
 *	for; 0 if it has found work since
 * @kcov_handle: under which kcov reports the thread's coverage to its creator; 0: not
 *	at all
 * @file: reference, to the structure only
 * @run: the section of all its queues, which also protects what follows. The
 *	thread holds it, except while it sleeps and when another thread waits for it.
 * @queues: its queues; the list holds no references
 * @nr_queues: length of @queues
 * @stopped: the thread has been told to end: no queue is attached any more
 * @polling_ns: time spent awake without work
 * @working_ns: time spent awake with work
 *
 * The end of the address space, the last close of the file, or OBJECT_DESTROY,
 * which is refused while there are queues, stops the thread; so does the end of
 * its process.
 */
struct doca_worker {
	struct doca_object obj;
	struct doca_thread thread;
	u64 idle_ns;
	bool aside;
	unsigned int caller_cpu; /* where a call for it was made last */
	u64 backoff_ns;
	u64 kcov_handle;

	struct doca_file *file;
	struct doca_run *run;
	struct list_head queues;
	unsigned int nr_queues;
	bool stopped;
	u64 polling_ns;
	u64 working_ns;
};

/* Whether the administrator allows them. */
bool doca_workers_allowed(void);
int doca_ioctl_worker_create(struct doca_ucmd *ucmd);
int doca_worker_destroy(struct doca_file *file, struct doca_object *obj);
/* Do not wait at the end of the mm, or where the threads may be stopped. */
void doca_file_stop_workers(struct doca_file *file, bool wait);

void doca_worker_wake(struct doca_worker *worker);
/* Have it execute again, and poll. */
void doca_worker_call(struct doca_worker *worker);
/* In the section: the caller executes in its place, and may continue to. */
void doca_worker_stand_aside(struct doca_worker *worker,
			     struct doca_queue *queue);
/* -ENOENT if the worker was destroyed meanwhile. */
int doca_worker_attach(struct doca_worker *worker, struct doca_queue *queue);
/* Waits only for the batch that the thread executes. */
void doca_worker_detach(struct doca_worker *worker, struct doca_queue *queue);

#endif
