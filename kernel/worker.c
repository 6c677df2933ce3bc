// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The worker executes its queues round-robin as long as there is work, polls for a while
 * when there is none, then sleeps. It sleeps at once if its only CPU is the caller's, or
 * if ENTER has executed in its place, until it is called again. Its thread belongs to the
 * process that made it.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/kcov.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "queue.h"
#include "ucmd.h"
#include "worker.h"

static bool doca_workers = true;
module_param_named(workers, doca_workers, bool, 0644);
MODULE_PARM_DESC(workers,
		 "allow worker threads; without them callers execute their own queues");

/* Polls between two readings of the clock, which costs as much as a small task. */
#define DOCA_WORKER_INTERVAL 64
/* Vain polls before the CPU relaxes between two. */
#define DOCA_WORKER_EAGER 4096
/* Polls in a row, and entries of a batch, if there is only one queue. */
#define DOCA_WORKER_POLLS 1024
#define DOCA_WORKER_ENTRIES 128

bool doca_workers_allowed(void)
{
	return READ_ONCE(doca_workers);
}

/* The time since the clock was last read. */
struct doca_interval {
	u64 since;
	unsigned int polls; /* polls of queues, and entries found */
	unsigned int entries;
	bool large; /* the last round had a large operation, or many small ones */
};

static bool doca_worker_batch(struct doca_queue *queue,
			      const struct doca_budget *budget,
			      struct doca_interval *interval)
{
	struct doca_budget left = *budget;
	bool found = doca_queue_pending(queue) ||
		     doca_queue_poll_ring(queue, &left.polls);
	unsigned int ended;

	if (found && doca_queue_batch(queue, &left) == DOCA_BATCH_AGAIN)
		interval->large = true;
	ended = doca_queue_end_waits(queue);
	interval->entries += budget->entries - left.entries + ended;
	interval->polls += 1 + budget->polls - left.polls + budget->entries -
			   left.entries + ended;
	/* A vain poll of waits takes time as well. */
	return found || ended || doca_queue_nr_waiting(queue);
}

/* Execute one batch of each queue. */
static void doca_worker_round(struct doca_worker *worker,
			      const struct doca_budget *budget,
			      struct doca_interval *interval)
{
	struct doca_queue *queue;
	bool found;

	interval->large = false;
	list_for_each_entry(queue, &worker->queues, worker_node) {
		found = doca_worker_batch(queue, budget, interval);
		if (!doca_run_wanted(worker->run) &&
		    !(found && need_resched()))
			continue;
		/* The next round begins with the next queue. */
		if (!list_is_last(&queue->worker_node, &worker->queues))
			list_rotate_to_front(queue->worker_node.next,
					     &worker->queues);
		break;
	}
}

static bool doca_worker_has_work(struct doca_worker *worker)
{
	struct doca_queue *queue;

	list_for_each_entry(queue, &worker->queues, worker_node)
		if (doca_queue_has_work(queue))
			return true;
	return false;
}

static bool doca_worker_waits(struct doca_worker *worker)
{
	struct doca_queue *queue;

	list_for_each_entry(queue, &worker->queues, worker_node)
		if (doca_queue_waits(queue))
			return true;
	return false;
}

static void doca_worker_set_need_wakeup(struct doca_worker *worker, u32 value)
{
	struct doca_queue *queue;

	list_for_each_entry(queue, &worker->queues, worker_node)
		WRITE_ONCE(queue->ring.k->need_wakeup, value);
}

/*
 * Until now ENTER has executed in its place. A call that does so at this moment must know before
 * it leaves the lock: then it does not take it again.
 */
static void doca_worker_begin(struct doca_worker *worker)
{
	WRITE_ONCE(worker->begun, true);
	mutex_lock(&worker->run->lock);
	if (!READ_ONCE(worker->aside))
		doca_worker_set_need_wakeup(worker, 0);
}

bool doca_worker_has_begun(const struct doca_worker *worker)
{
	return READ_ONCE(worker->begun);
}

/* Make polls of the queues' waits due. */
static void doca_worker_owe_polls(struct doca_worker *worker)
{
	struct doca_queue *queue;

	list_for_each_entry(queue, &worker->queues, worker_node)
		doca_waits_owe(&queue->waits);
}

/* Sleep until woken, or until the next poll of the waits. */
static void doca_worker_schedule(struct doca_worker *worker, bool waits)
{
	ktime_t backoff;

	doca_run_leave(worker->run);
	if (waits) {
		worker->backoff_ns = doca_backoff_longer(worker->backoff_ns);
		backoff = ns_to_ktime(worker->backoff_ns);
		schedule_hrtimeout_range(&backoff, worker->backoff_ns / 8,
					 HRTIMER_MODE_REL);
	} else {
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	mutex_lock(&worker->run->lock);
	if (waits)
		doca_worker_owe_polls(worker);
}

static void doca_worker_sleep(struct doca_worker *worker)
{
	bool waits = doca_worker_waits(worker);

	doca_worker_set_need_wakeup(worker, 1);
	/* B: full barrier between the flags and the load of the entries. */
	set_current_state(TASK_INTERRUPTIBLE);
	if (!doca_worker_has_work(worker) && !doca_run_wanted(worker->run) &&
	    !doca_thread_is_called(&worker->thread))
		doca_worker_schedule(worker, waits);
	else
		__set_current_state(TASK_RUNNING);
	doca_worker_set_need_wakeup(worker, 0);
}

/*
 * Close the interval and begin another; return its length. The part of its polls that
 * found work counts as work; all of it, if it ended with a large operation. Exact times
 * would slow small tasks down too much.
 */
static u64 doca_worker_account(struct doca_worker *worker,
			       struct doca_interval *interval)
{
	u64 now = local_clock();
	u64 spent = now > interval->since ? now - interval->since : 0;
	u64 worked = spent;

	if (!interval->large)
		worked = interval->polls ?
				 spent * interval->entries / interval->polls :
				 0;
	WRITE_ONCE(worker->working_ns, worker->working_ns + worked);
	WRITE_ONCE(worker->polling_ns, worker->polling_ns + spent - worked);
	*interval = (struct doca_interval){ .since = now };
	return spent;
}

/* Yield the CPU. Tasks RCU needs that as well: it waits even for preempted tasks. */
static void doca_worker_yield(struct doca_worker *worker,
			      unsigned long *yielded)
{
	if (!need_resched() && !time_after(jiffies, *yielded))
		return;
	doca_run_leave(worker->run);
	cond_resched_tasks_rcu_qs();
	mutex_lock(&worker->run->lock);
	*yielded = jiffies;
}

/* The end of a batch costs time, so a single queue that nobody waits for has longer batches. */
static void doca_worker_plan(const struct doca_worker *worker, bool eager,
			     struct doca_budget *budget)
{
	bool only = worker->nr_queues == 1;

	budget->entries = only ? DOCA_WORKER_ENTRIES : DOCA_BATCH_ENTRIES;
	budget->length = DOCA_BATCH_LENGTH;
	budget->polls = only && eager ? DOCA_WORKER_POLLS : 0;
}

/* Return true if its only CPU is the submitter's, as of the last call. */
static bool doca_worker_is_confined(const struct doca_worker *worker)
{
	const struct cpumask *cpus = current->cpus_ptr;
	unsigned int first = cpumask_first_and(cpus, cpu_online_mask);

	return cpumask_next_and(first, cpus, cpu_online_mask) >= nr_cpu_ids &&
	       first == READ_ONCE(worker->caller_cpu);
}

/*
 * Return how long to poll. Not at all if that would keep the submitter from its only CPU,
 * or if ENTER executes in the worker's place: checked anew each time.
 */
static u64 doca_worker_idle_ns(const struct doca_worker *worker)
{
	if (worker->idle_ns == U64_MAX)
		return U64_MAX;
	if (READ_ONCE(worker->aside) || doca_worker_is_confined(worker))
		return 0;
	return worker->idle_ns;
}

/* Poll until it was idle long enough, or has something else to do. */
static void doca_worker_poll(struct doca_worker *worker, unsigned long *yielded)
{
	struct doca_interval interval = { .since = local_clock() };
	u64 idle_ns = doca_worker_idle_ns(worker);
	unsigned int quiet = 0;
	u64 idle = 0;

	/* Without queues there is nothing to poll, even for a worker that never sleeps. */
	while (worker->nr_queues && !doca_run_wanted(worker->run)) {
		struct doca_interval before = interval;
		bool eager = idle_ns && !worker->backoff_ns &&
			     quiet < DOCA_WORKER_EAGER;
		struct doca_budget budget;

		doca_worker_plan(worker, eager, &budget);
		doca_worker_round(worker, &budget, &interval);
		if (interval.large || interval.entries != before.entries) {
			quiet = 0;
			idle = 0;
			worker->backoff_ns = 0;
		} else {
			quiet += interval.polls - before.polls;
			if (!eager)
				cpu_relax();
		}
		/* Between two sleeps the queues are polled once. */
		if (quiet && (!idle_ns || worker->backoff_ns))
			break;
		if (interval.polls < DOCA_WORKER_INTERVAL && !interval.large &&
		    !need_resched())
			continue;

		idle += doca_worker_account(worker, &interval);
		if (quiet < DOCA_WORKER_INTERVAL)
			idle = 0;
		if (idle > idle_ns ||
		    doca_thread_is_called(&worker->thread))
			return;
		doca_worker_yield(worker, yielded);
	}
	doca_worker_account(worker, &interval);
}

static struct doca_worker *doca_worker_of(struct doca_thread *thread)
{
	return container_of(thread, struct doca_worker, thread);
}

static void doca_worker_run(struct doca_thread *thread)
{
	struct doca_worker *worker = doca_worker_of(thread);
	unsigned long yielded = jiffies;

	doca_worker_begin(worker);
	while (!doca_thread_is_called(thread)) {
		kcov_remote_start_common(worker->kcov_handle);
		doca_worker_poll(worker, &yielded);
		kcov_remote_stop();
		if (doca_run_wanted(worker->run))
			doca_run_yield(worker->run);
		else
			doca_worker_sleep(worker);
		/* With constant work it never sleeps. */
		doca_worker_yield(worker, &yielded);
	}
	doca_run_leave(worker->run);
}

/* Other processes that have the queues must not wait: nothing executes them any more. */
static void doca_worker_leaves(struct doca_thread *thread)
{
	struct doca_worker *worker = doca_worker_of(thread);
	struct doca_queue *queue;

	doca_run_lock(worker->run);
	worker->stopped = true;
	list_for_each_entry(queue, &worker->queues, worker_node)
		doca_queue_orphan(queue);
	doca_run_unlock(worker->run);
}

static void doca_worker_ended(struct doca_thread *thread)
{
	doca_object_put(&doca_worker_of(thread)->obj);
}

static const struct doca_thread_ops doca_worker_ops = {
	.run = doca_worker_run,
	.leaves = doca_worker_leaves,
	.release = doca_worker_ended,
};

static void doca_worker_release(struct doca_object *obj)
{
	struct doca_worker *worker = container_of(obj, struct doca_worker, obj);

	doca_thread_forget(&worker->thread);
	doca_run_remove(worker->file, worker->run);
	doca_file_put(worker->file);
	kfree(worker);
}

static struct doca_worker *doca_worker_create(struct doca_file *file,
					      u32 idle_us)
{
	struct doca_worker *worker;
	int rc;

	worker = kzalloc(sizeof(*worker), GFP_KERNEL_ACCOUNT);
	if (!worker)
		return ERR_PTR(-ENOMEM);
	doca_object_init(&worker->obj, DOCA_OBJECT_WORKER, doca_worker_release);
	worker->idle_ns = idle_us == DOCA_IDLE_NEVER ?
				  U64_MAX :
				  (u64)idle_us * NSEC_PER_USEC;
	worker->caller_cpu = raw_smp_processor_id();
	worker->kcov_handle = kcov_common_handle();
	INIT_LIST_HEAD(&worker->queues);
	worker->run = doca_run_create(file);
	if (IS_ERR(worker->run)) {
		rc = PTR_ERR(worker->run);
		kfree(worker);
		return ERR_PTR(rc);
	}
	worker->file = doca_file_get(file);

	kref_get(&worker->obj.ref); /* for the thread */
	rc = doca_thread_start(&worker->thread, file, &doca_worker_ops);
	if (rc) {
		doca_object_put(&worker->obj);
		doca_object_put(&worker->obj);
		return ERR_PTR(rc);
	}
	return worker;
}

int doca_ioctl_worker_create(struct doca_ucmd *ucmd)
{
	struct doca_worker_create *arg = ucmd->arg;
	struct doca_file *file = ucmd->file;
	struct doca_worker *worker;
	int rc;

	if (arg->flags || !doca_workers_allowed())
		return -EOPNOTSUPP;
	worker = doca_worker_create(file, arg->idle_us);
	if (IS_ERR(worker))
		return PTR_ERR(worker);
	rc = doca_object_reserve(file, &worker->obj);
	if (rc)
		goto err_stop;
	arg->out_worker_id = worker->obj.id;
	rc = doca_ucmd_respond(ucmd);
	if (rc)
		goto err_abort;

	doca_object_publish(file, &worker->obj);
	doca_object_put(&worker->obj);
	return 0;

err_abort:
	doca_object_abort(file, &worker->obj);
err_stop:
	doca_thread_stop(&worker->thread);
	doca_object_put(&worker->obj);
	return rc;
}

void doca_worker_wake(struct doca_worker *worker)
{
	doca_thread_wake(&worker->thread);
}

void doca_worker_call(struct doca_worker *worker)
{
	WRITE_ONCE(worker->aside, false);
	WRITE_ONCE(worker->caller_cpu, raw_smp_processor_id());
	doca_worker_wake(worker);
}

/*
 * The worker may not get a CPU for long, not even to go to sleep. So set need_wakeup
 * here; otherwise user space would submit without a call meanwhile.
 */
void doca_worker_stand_aside(struct doca_worker *worker,
			     struct doca_queue *queue)
{
	lockdep_assert_held(&worker->run->lock);
	WRITE_ONCE(worker->aside, true);
	if (worker->idle_ns != U64_MAX)
		WRITE_ONCE(queue->ring.k->need_wakeup, 1);
}

int doca_worker_attach(struct doca_worker *worker, struct doca_queue *queue)
{
	int rc = -ENOENT;

	if (doca_run_lock_killable(worker->run))
		return -EINTR;
	if (!worker->stopped && !READ_ONCE(queue->closed)) {
		list_add_tail(&queue->worker_node, &worker->queues);
		WRITE_ONCE(worker->nr_queues, worker->nr_queues + 1);
		/* A program whose worker never sleeps makes no call, not even while it begins. */
		WRITE_ONCE(queue->ring.k->need_wakeup,
			   !doca_worker_has_begun(worker) &&
				   worker->idle_ns != U64_MAX);
		rc = 0;
	}
	doca_run_unlock(worker->run);
	doca_worker_wake(worker);
	return rc;
}

void doca_worker_detach(struct doca_worker *worker, struct doca_queue *queue)
{
	lockdep_assert_held(&worker->run->lock);
	if (list_empty(&queue->worker_node))
		return;
	list_del_init(&queue->worker_node);
	WRITE_ONCE(worker->nr_queues, worker->nr_queues - 1);
}

/* Let no queue be attached any more. Fails if it has some. */
static int doca_worker_close(struct doca_worker *worker)
{
	int rc = 0;

	if (doca_run_lock_killable(worker->run))
		return -EINTR;
	if (worker->nr_queues)
		rc = -EBUSY;
	else
		worker->stopped = true;
	doca_run_unlock(worker->run);
	return rc;
}

int doca_worker_destroy(struct doca_file *file, struct doca_object *obj)
{
	struct doca_worker *worker = container_of(obj, struct doca_worker, obj);
	int rc = doca_worker_close(worker);

	if (rc)
		return rc;
	doca_thread_stop(&worker->thread);
	if (doca_object_remove(file, obj))
		doca_object_put(obj);
	else
		rc = -ENOENT; /* another thread was faster */
	doca_thread_wait(&worker->thread);
	return rc;
}

void doca_file_stop_workers(struct doca_file *file, bool wait)
{
	struct doca_worker *worker;
	struct doca_object *obj;
	unsigned long id = 0;

	while ((obj = doca_object_next(file, &id, DOCA_OBJECT_WORKER))) {
		worker = container_of(obj, struct doca_worker, obj);
		doca_thread_stop(&worker->thread);
		if (doca_object_remove(file, obj))
			doca_object_put(obj);
		if (wait)
			doca_thread_wait(&worker->thread);
		doca_object_put(obj);
		id++;
	}
}
