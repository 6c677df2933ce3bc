/* SPDX-License-Identifier: GPL-2.0 */
/* Workers: kernel threads that execute the queues given to them. */
#ifndef DOCA_WORKER_H
#define DOCA_WORKER_H

#include "file.h"

struct doca_queue;
struct doca_ucmd;
struct task_struct;

/**
 * struct doca_worker - a worker
 * @obj: references are held by the table of the file and by each queue
 * @task: the thread; reference, because a wake-up may come after its end
 * @idle_ns: how long it polls without finding work; U64_MAX: for ever
 * @nap_ns: how long it slept between its last two looks at what its queues wait
 *	for; 0 if it has found work since
 * @kcov_handle: by which who made it learns what code the thread runs; 0: he
 *	does not
 * @file: reference, to the structure only
 * @run: the section of all its queues, which also protects what follows. The
 *	thread holds it but while it sleeps and when somebody is waiting for it.
 * @queues: its queues; the list holds no references, and neither does the
 *	thread
 * @nr_queues: length of @queues
 * @stopped: the thread has been told to end: no queue is attached any more
 * @polling_ns: time spent awake without work
 * @working_ns: time spent awake with work
 *
 * The last close of the file, or WORKER_DESTROY, which is refused while there
 * are queues, stops the thread. So it drops no last reference to anything.
 */
struct doca_worker {
	struct doca_object obj;
	struct task_struct *task;
	u64 idle_ns;
	u64 nap_ns;
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
int doca_ioctl_worker_destroy(struct doca_ucmd *ucmd);
void doca_file_stop_workers(struct doca_file *file);

void doca_worker_wake(struct doca_worker *worker);
/* -ENOENT if the worker was destroyed meanwhile. */
int doca_worker_attach(struct doca_worker *worker, struct doca_queue *queue);
/* Waits for the turn that the thread is at, and for no more. */
void doca_worker_detach(struct doca_worker *worker, struct doca_queue *queue);

#endif
