// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The poller polls all waits and sleeps in between, longer each time that it finds
 * nothing. Without waits, or with operations in flight only, it sleeps until it is woken.
 * It also executes entries that were stalled by those: no further ENTER may come.
 */
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "poller.h"
#include "queue.h"

/* Result of a poll of all queues. */
struct doca_poller_found {
	unsigned int ended;
	bool waits;
	bool due; /* the poll is incomplete, or another one must follow at once */
};

static void doca_poller_poll_queue(struct doca_queue *queue, bool more,
				   struct doca_poller_found *found)
{
	struct doca_waits *waits = &queue->waits;

	mutex_lock(&queue->run->lock);
	if (!more && !waits->owed)
		doca_waits_owe(waits);
	if (!more || doca_queue_is_due(queue))
		found->ended += doca_queue_end_waits(queue);
	if (!READ_ONCE(queue->halted)) {
		found->due |= doca_queue_catch_up(queue);
		found->due |= doca_queue_is_due(queue);
		found->waits |= doca_queue_waits(queue);
	}
	doca_run_leave(queue->run);
}

/* Advance to the queue behind this one, or to NULL behind the last. */
static void doca_poller_go_on(struct doca_poller *poller,
			      struct doca_queue *queue)
{
	bool last = list_is_last(&queue->poller_node, &poller->queues);

	poller->next = last ? NULL : list_next_entry(queue, poller_node);
}

/* Return the next queue to poll, with a reference, or NULL. */
static struct doca_queue *doca_poller_next(struct doca_poller *poller)
{
	struct doca_queue *queue;

	spin_lock(&poller->lock);
	queue = poller->next;
	if (queue) {
		/* A queue leaves the list before its last put. */
		kref_get(&queue->ref);
		doca_poller_go_on(poller, queue);
	}
	spin_unlock(&poller->lock);
	return queue;
}

/* Make a part of the poll, or continue it if it was incomplete. */
static void doca_poller_poll(struct doca_poller *poller,
			     struct doca_poller_found *found)
{
	struct doca_queue *queue;
	bool more = found->due;

	found->due = false;
	spin_lock(&poller->lock);
	poller->next = list_first_entry_or_null(&poller->queues,
						struct doca_queue, poller_node);
	spin_unlock(&poller->lock);
	while (!doca_thread_is_called(&poller->thread) &&
	       (queue = doca_poller_next(poller))) {
		doca_poller_poll_queue(queue, more, found);
		doca_queue_put(queue);
		cond_resched();
	}
}

/* Sleep until woken, or until the next poll. */
static void doca_poller_sleep(struct doca_poller *poller, bool waits, u64 ns)
{
	ktime_t backoff = ns_to_ktime(ns);

	/* B: full barrier between the state and the load of what is due. */
	set_current_state(TASK_INTERRUPTIBLE);
	if (!READ_ONCE(poller->due) &&
	    !doca_thread_is_called(&poller->thread)) {
		if (waits)
			schedule_hrtimeout_range(&backoff, ns / 8,
						 HRTIMER_MODE_REL);
		else
			schedule();
	}
	__set_current_state(TASK_RUNNING);
}

static void doca_poller_run(struct doca_thread *thread)
{
	struct doca_poller *poller =
		container_of(thread, struct doca_poller, thread);
	u64 backoff_ns = DOCA_BACKOFF_FIRST;

	while (!doca_thread_is_called(thread)) {
		struct doca_poller_found found = {};
		bool due = READ_ONCE(poller->due);

		WRITE_ONCE(poller->due, false);
		/* W: a change that this poll does not see makes another one due. */
		smp_mb();
		do {
			doca_poller_poll(poller, &found);
		} while (found.due && !doca_thread_is_called(thread));
		if (found.ended || due)
			backoff_ns = DOCA_BACKOFF_FIRST;
		else
			backoff_ns = doca_backoff_longer(backoff_ns);
		doca_poller_sleep(poller, found.waits, backoff_ns);
	}
}

/* Nothing ends the waits any more: notify programs that poll() the queues. */
static void doca_poller_leaves(struct doca_thread *thread)
{
	struct doca_poller *poller =
		container_of(thread, struct doca_poller, thread);
	struct doca_queue *queue;

	spin_lock(&poller->lock);
	poller->stopped = true;
	list_for_each_entry(queue, &poller->queues, poller_node)
		doca_queue_orphan(queue);
	spin_unlock(&poller->lock);
}

static void doca_poller_release(struct kref *ref)
{
	struct doca_poller *poller = container_of(ref, struct doca_poller, ref);

	doca_thread_forget(&poller->thread);
	kfree(poller);
}

void doca_poller_put(struct doca_poller *poller)
{
	kref_put(&poller->ref, doca_poller_release);
}

static void doca_poller_ended(struct doca_thread *thread)
{
	doca_poller_put(container_of(thread, struct doca_poller, thread));
}

static const struct doca_thread_ops doca_poller_ops = {
	.run = doca_poller_run,
	.leaves = doca_poller_leaves,
	.release = doca_poller_ended,
};

static struct doca_poller *doca_poller_create(struct doca_file *file)
{
	struct doca_poller *poller;
	int rc;

	poller = kzalloc(sizeof(*poller), GFP_KERNEL_ACCOUNT);
	if (!poller)
		return ERR_PTR(-ENOMEM);
	kref_init(&poller->ref);
	spin_lock_init(&poller->lock);
	INIT_LIST_HEAD(&poller->queues);
	kref_get(&poller->ref); /* for the thread */
	rc = doca_thread_start(&poller->thread, file, &doca_poller_ops);
	if (rc) {
		kfree(poller);
		return ERR_PTR(rc);
	}
	return poller;
}

/* Return the file's poller with a reference. If there is none, @new becomes it. */
static struct doca_poller *doca_poller_install(struct doca_file *file,
					       struct doca_poller *new)
{
	struct doca_poller *poller;

	spin_lock(&file->lock);
	if (!file->poller)
		file->poller = new;
	poller = file->poller;
	if (poller)
		kref_get(&poller->ref);
	spin_unlock(&file->lock);
	return poller;
}

struct doca_poller *doca_poller_get(struct doca_file *file)
{
	struct doca_poller *poller = doca_poller_install(file, NULL);
	struct doca_poller *new;

	if (poller)
		return poller;
	/* Drop the lock: this waits for the new thread, which waits for a CPU. */
	new = doca_poller_create(file);
	poller = doca_poller_install(file, IS_ERR(new) ? NULL : new);
	if (!IS_ERR(new) && poller != new) {
		doca_thread_stop(&new->thread);
		doca_poller_put(new);
	}
	return poller ?: new;
}

void doca_file_stop_poller(struct doca_file *file, bool wait)
{
	struct doca_poller *poller;

	spin_lock(&file->lock);
	poller = file->poller;
	file->poller = NULL;
	spin_unlock(&file->lock);
	if (!poller)
		return;
	doca_thread_stop(&poller->thread);
	if (wait)
		doca_thread_wait(&poller->thread);
	doca_poller_put(poller);
}

void doca_poller_wake(struct doca_poller *poller)
{
	WRITE_ONCE(poller->due, true);
	doca_thread_wake(&poller->thread);
}

int doca_poller_attach(struct doca_poller *poller, struct doca_queue *queue)
{
	int rc = -ENOENT;

	spin_lock(&poller->lock);
	if (!poller->stopped && !READ_ONCE(queue->closed)) {
		list_add_tail(&queue->poller_node, &poller->queues);
		rc = 0;
	}
	spin_unlock(&poller->lock);
	return rc;
}

void doca_poller_detach(struct doca_poller *poller, struct doca_queue *queue)
{
	spin_lock(&poller->lock);
	if (poller->next == queue)
		doca_poller_go_on(poller, queue);
	list_del_init(&queue->poller_node);
	spin_unlock(&poller->lock);
}
