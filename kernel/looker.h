/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Who looks at what waits or is in flight in queues without a worker, between calls of
 * ENTER: a thread of the process, one for each file that has such a queue.
 */
#ifndef DOCA_LOOKER_H
#define DOCA_LOOKER_H

#include "file.h"
#include "thread.h"

struct doca_queue;

/**
 * struct doca_looker - a looker
 * @ref: of the file, of each queue, and of the thread
 * @thread: its thread
 * @due: it is to look; set by anybody
 * @lock: protects what follows; held while it looks at a queue. Before that of a
 *	run.
 * @queues: struct doca_queue.looker_node; holds no references
 * @next: of @queues: at which it looks next; NULL at the end
 * @stopped: no queue is added any more
 *
 * It ends with the address space, the file, or the process whose thread it is.
 */
struct doca_looker {
	struct kref ref;
	struct doca_thread thread;
	bool due;
	struct mutex lock; /* see above */
	struct list_head queues;
	struct doca_queue *next;
	bool stopped;
};

/* The looker of a file, made if there is none yet, with a reference. */
struct doca_looker *doca_looker_get(struct doca_file *file);
void doca_looker_put(struct doca_looker *looker);
void doca_file_stop_looker(struct doca_file *file, bool wait);

/* Have it look at all that waits, now and then ever less often. In any context. */
void doca_looker_wake(struct doca_looker *looker);
/* -ENOENT if it is gone already. */
int doca_looker_attach(struct doca_looker *looker, struct doca_queue *queue);
/* Waits for the look that is being taken at a queue. */
void doca_looker_detach(struct doca_looker *looker, struct doca_queue *queue);

#endif
