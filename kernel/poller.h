/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Polls waits and operations in flight of queues without a worker, between calls of
 * ENTER: a thread of the process, one for each file that has such a queue.
 */
#ifndef DOCA_POLLER_H
#define DOCA_POLLER_H

#include "file.h"
#include "thread.h"

struct doca_queue;

/**
 * struct doca_poller - a poller
 * @ref: held by the file, each queue, and the thread
 * @thread: its thread
 * @due: a poll is due; set anywhere
 * @lock: protects all below
 * @queues: struct doca_queue.poller_node; holds no references
 * @next: next of @queues to poll; NULL at the end
 * @stopped: no queue can be added any more
 *
 * It ends with the address space, the file, or the process that it is a thread of.
 */
struct doca_poller {
	struct kref ref;
	struct doca_thread thread;
	bool due;
	spinlock_t lock; /* see above */
	struct list_head queues;
	struct doca_queue *next;
	bool stopped;
};

/* Return the file's poller, with a reference. Make it if there is none yet. */
struct doca_poller *doca_poller_get(struct doca_file *file);
void doca_poller_put(struct doca_poller *poller);
void doca_file_stop_poller(struct doca_file *file, bool wait);

/* Make it poll all waits, now and then with growing backoff. Any context. */
void doca_poller_wake(struct doca_poller *poller);
/* -ENOENT if either has ended already. */
int doca_poller_attach(struct doca_poller *poller, struct doca_queue *queue);
/* Does not wait for a poll in progress. */
void doca_poller_detach(struct doca_poller *poller, struct doca_queue *queue);

#endif
