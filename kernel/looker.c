// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The looker: looks at all that waits, sleeps for longer the more often that was
 * in vain, and until it is woken if nothing waits, or all that does is in flight.
 * Entries that had to wait for that it executes as well, for nobody else may come.
 */
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "looker.h"
#include "queue.h"

/* What a look at all has found. */
struct doca_looker_found {
	unsigned int ended;
	bool waits;
	bool due; /* it is not at its end, or another one is to follow at once */
};

static void doca_looker_look_at(struct doca_queue *queue, bool more,
				struct doca_looker_found *found)
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
	mutex_unlock(&queue->run->lock);
}

/* Behind the last one there is none. */
static void doca_looker_go_on(struct doca_looker *looker,
			      struct doca_queue *queue)
{
	bool last = list_is_last(&queue->looker_node, &looker->queues);

	looker->next = last ? NULL : list_next_entry(queue, looker_node);
}

/*
 * A part of the look, and the next one of it if the last has not come to its end.
 * There may be a thousand queues: who takes one away waits for one.
 */
static void doca_looker_look(struct doca_looker *looker,
			     struct doca_looker_found *found)
{
	struct doca_queue *queue;
	bool more = found->due;

	found->due = false;
	mutex_lock(&looker->lock);
	looker->next = list_first_entry_or_null(&looker->queues,
						struct doca_queue, looker_node);
	while ((queue = looker->next) &&
	       !doca_thread_is_called(&looker->thread)) {
		doca_looker_go_on(looker, queue);
		doca_looker_look_at(queue, more, found);
		mutex_unlock(&looker->lock);
		cond_resched();
		mutex_lock(&looker->lock);
	}
	mutex_unlock(&looker->lock);
}

/* Until woken, or until the next look. */
static void doca_looker_sleep(struct doca_looker *looker, bool waits, u64 ns)
{
	ktime_t nap = ns_to_ktime(ns);

	/* B: a full barrier between that and the look whether it is to look. */
	set_current_state(TASK_INTERRUPTIBLE);
	if (!READ_ONCE(looker->due) &&
	    !doca_thread_is_called(&looker->thread)) {
		if (waits)
			schedule_hrtimeout_range(&nap, ns / 8,
						 HRTIMER_MODE_REL);
		else
			schedule();
	}
	__set_current_state(TASK_RUNNING);
}

static void doca_looker_run(struct doca_thread *thread)
{
	struct doca_looker *looker =
		container_of(thread, struct doca_looker, thread);
	u64 nap_ns = DOCA_NAP_FIRST;

	while (!doca_thread_is_called(thread)) {
		struct doca_looker_found found = {};
		bool due = READ_ONCE(looker->due);

		WRITE_ONCE(looker->due, false);
		/* W: what this look does not see makes another one due. */
		smp_mb();
		do {
			doca_looker_look(looker, &found);
		} while (found.due && !doca_thread_is_called(thread));
		if (found.ended || due)
			nap_ns = DOCA_NAP_FIRST;
		else
			nap_ns = doca_nap_longer(nap_ns);
		doca_looker_sleep(looker, found.waits, nap_ns);
	}
}

/* Nobody would end a poll() for what waits. */
static void doca_looker_killed(struct doca_thread *thread)
{
	struct doca_looker *looker =
		container_of(thread, struct doca_looker, thread);
	struct doca_queue *queue;

	mutex_lock(&looker->lock);
	looker->stopped = true;
	list_for_each_entry(queue, &looker->queues, looker_node)
		doca_queue_orphan(queue);
	mutex_unlock(&looker->lock);
}

static void doca_looker_release(struct kref *ref)
{
	struct doca_looker *looker = container_of(ref, struct doca_looker, ref);

	doca_thread_forget(&looker->thread);
	kfree(looker);
}

void doca_looker_put(struct doca_looker *looker)
{
	kref_put(&looker->ref, doca_looker_release);
}

static void doca_looker_ended(struct doca_thread *thread)
{
	doca_looker_put(container_of(thread, struct doca_looker, thread));
}

static const struct doca_thread_ops doca_looker_ops = {
	.run = doca_looker_run,
	.killed = doca_looker_killed,
	.release = doca_looker_ended,
};

static struct doca_looker *doca_looker_create(struct doca_file *file)
{
	struct doca_looker *looker;
	int rc;

	looker = kzalloc(sizeof(*looker), GFP_KERNEL_ACCOUNT);
	if (!looker)
		return ERR_PTR(-ENOMEM);
	kref_init(&looker->ref);
	mutex_init(&looker->lock);
	INIT_LIST_HEAD(&looker->queues);
	kref_get(&looker->ref); /* the thread's */
	rc = doca_thread_start(&looker->thread, file, &doca_looker_ops);
	if (rc) {
		kfree(looker);
		return ERR_PTR(rc);
	}
	return looker;
}

/* That of the file, with a reference; if there is none, it becomes this one. */
static struct doca_looker *doca_looker_install(struct doca_file *file,
					       struct doca_looker *new)
{
	struct doca_looker *looker;

	mutex_lock(&file->lock);
	if (!file->looker)
		file->looker = new;
	looker = file->looker;
	if (looker)
		kref_get(&looker->ref);
	mutex_unlock(&file->lock);
	return looker;
}

struct doca_looker *doca_looker_get(struct doca_file *file)
{
	struct doca_looker *looker = doca_looker_install(file, NULL);
	struct doca_looker *new;

	if (looker)
		return looker;
	/* Without the lock: this waits for the new thread, and that for a CPU. */
	new = doca_looker_create(file);
	looker = doca_looker_install(file, IS_ERR(new) ? NULL : new);
	if (!IS_ERR(new) && looker != new) {
		doca_thread_stop(&new->thread);
		doca_looker_put(new);
	}
	return looker ?: new;
}

void doca_file_stop_looker(struct doca_file *file, bool wait)
{
	struct doca_looker *looker;

	mutex_lock(&file->lock);
	looker = file->looker;
	file->looker = NULL;
	mutex_unlock(&file->lock);
	if (!looker)
		return;
	doca_thread_stop(&looker->thread);
	if (wait)
		doca_thread_wait(&looker->thread);
	doca_looker_put(looker);
}

void doca_looker_wake(struct doca_looker *looker)
{
	WRITE_ONCE(looker->due, true);
	doca_thread_wake(&looker->thread);
}

int doca_looker_attach(struct doca_looker *looker, struct doca_queue *queue)
{
	int rc = -ENOENT;

	mutex_lock(&looker->lock);
	if (!looker->stopped) {
		list_add_tail(&queue->looker_node, &looker->queues);
		rc = 0;
	}
	mutex_unlock(&looker->lock);
	return rc;
}

void doca_looker_detach(struct doca_looker *looker, struct doca_queue *queue)
{
	mutex_lock(&looker->lock);
	if (looker->next == queue)
		doca_looker_go_on(looker, queue);
	list_del_init(&queue->looker_node);
	mutex_unlock(&looker->lock);
}
