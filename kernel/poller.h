/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Polls what waits or is in flight in queues without a worker, between calls of
 * ENTER: a thread of the process, one for each file that has such a queue.
 */
#ifndef DOCA_POLLER_H
#define DOCA_POLLER_H

#include "file.h"
#include "thread.h"

struct doca_queue;

/**
 * struct doca_poller - a poller
 * @ref: of the file, of each queue, and of the thread
 * @thread: its thread
 * @due: a poll is due; set anywhere
 * @lock: protects what follows; held while it polls a queue. Before that of a
 *	run.
 * @queues: struct doca_queue.poller_node; holds no references
 * @next: of @queues: that is polled next; NULL at the end
 * @stopped: no queue is added any more
 *
 * It ends with the address space, the file, or the process that it is a thread of.
 */
struct doca_poller {
	struct kref ref;
	struct doca_thread thread;
	bool due;
	struct mutex lock; /* see above */
	struct list_head queues;
	struct doca_queue *next;
	bool stopped;
};

/* The poller of a file, made if there is none yet, with a reference. */
struct doca_poller *doca_poller_get(struct doca_file *file);
void doca_poller_put(struct doca_poller *poller);
void doca_file_stop_poller(struct doca_file *file, bool wait);

/* Have it poll all waits, now and then with growing backoff. In any context. */
void doca_poller_wake(struct doca_poller *poller);
/* -ENOENT if it is gone already. */
int doca_poller_attach(struct doca_poller *poller, struct doca_queue *queue);
/* Waits for a poll that is in progress. */
void doca_poller_detach(struct doca_poller *poller, struct doca_queue *queue);

#endif
