// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The worker: turns over its queues as long as there is work, polls for a while
 * when there is none, then sleeps. It sleeps at once where it may run on one CPU
 * only, and where a call has executed in its place, until it is called again. Its
 * thread works for who made it.
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

#include "queue.h"
#include "ucmd.h"
#include "worker.h"

static bool doca_workers = true;
module_param_named(workers, doca_workers, bool, 0644);
MODULE_PARM_DESC(workers,
		 "allow worker threads; without them callers execute their own queues");

/* Looks for work between two at the clock, which costs as much as a small task. */
#define DOCA_WORKER_WINDOW 64
/* Looks in vain before the CPU is asked to relax between two. */
#define DOCA_WORKER_EAGER 4096
/* Looks at the only queue, on end, and entries of it. */
#define DOCA_WORKER_LOOKS 1024
#define DOCA_WORKER_ENTRIES 128

bool doca_workers_allowed(void)
{
	return READ_ONCE(doca_workers);
}

/* Since the last look at the clock. */
struct doca_window {
	u64 since;
	unsigned int looks; /* at queues, and entries found */
	unsigned int entries;
	bool large; /* the last round had a large one, or many small ones */
};

static bool doca_worker_turn(struct doca_queue *queue,
			     const struct doca_budget *turn,
			     struct doca_window *window)
{
	struct doca_budget left = *turn;
	bool found = doca_queue_pending(queue) ||
		     doca_queue_look(queue, &left.looks);
	unsigned int ended;

	if (found && doca_queue_turn(queue, &left) == DOCA_TURN_AGAIN)
		window->large = true;
	ended = doca_queue_end_waits(queue);
	window->entries += turn->entries - left.entries + ended;
	window->looks += 1 + turn->looks - left.looks + turn->entries -
			 left.entries + ended;
	/* To look in vain takes time, too. */
	return found || ended || doca_queue_nr_waiting(queue);
}

/* One turn for each queue. */
static void doca_worker_round(struct doca_worker *worker,
			      const struct doca_budget *turn,
			      struct doca_window *window)
{
	struct doca_queue *queue;
	bool found;

	window->large = false;
	list_for_each_entry(queue, &worker->queues, worker_node) {
		found = doca_worker_turn(queue, turn, window);
		if (!doca_run_wanted(worker->run) &&
		    !(found && need_resched()))
			continue;
		/* Go on with the next one, the next time. */
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

/* The time of a look at what the queues wait for has come. */
static void doca_worker_owe_looks(struct doca_worker *worker)
{
	struct doca_queue *queue;

	list_for_each_entry(queue, &worker->queues, worker_node)
		doca_waits_owe(&queue->waits);
}

/* Until woken, or until the next look at what the queues wait for. */
static void doca_worker_schedule(struct doca_worker *worker, bool waits)
{
	ktime_t nap;

	mutex_unlock(&worker->run->lock);
	if (waits) {
		worker->nap_ns = doca_nap_longer(worker->nap_ns);
		nap = ns_to_ktime(worker->nap_ns);
		schedule_hrtimeout_range(&nap, worker->nap_ns / 8,
					 HRTIMER_MODE_REL);
	} else {
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	mutex_lock(&worker->run->lock);
	if (waits)
		doca_worker_owe_looks(worker);
}

static void doca_worker_sleep(struct doca_worker *worker)
{
	bool waits = doca_worker_waits(worker);

	doca_worker_set_need_wakeup(worker, 1);
	/* B: a full barrier between the flags and the look at the entries. */
	set_current_state(TASK_INTERRUPTIBLE);
	if (!doca_worker_has_work(worker) && !doca_run_wanted(worker->run) &&
	    !doca_thread_is_called(&worker->thread))
		doca_worker_schedule(worker, waits);
	else
		__set_current_state(TASK_RUNNING);
	doca_worker_set_need_wakeup(worker, 0);
}

/*
 * Close the window and begin another; returns how long it was. Its time counts
 * as work in the part of its looks that found some, and wholly if it ended with
 * a large one: exact times would cost small tasks more than they tell.
 */
static u64 doca_worker_account(struct doca_worker *worker,
			       struct doca_window *window)
{
	u64 now = local_clock();
	u64 spent = now > window->since ? now - window->since : 0;
	u64 worked = spent;

	if (!window->large)
		worked = window->looks ?
			 spent * window->entries / window->looks : 0;
	WRITE_ONCE(worker->working_ns, worker->working_ns + worked);
	WRITE_ONCE(worker->polling_ns, worker->polling_ns + spent - worked);
	*window = (struct doca_window){ .since = now };
	return spent;
}

/* Others may have the CPU; and Tasks RCU waits for who is merely preempted. */
static void doca_worker_breathe(struct doca_worker *worker,
				unsigned long *breath)
{
	if (!need_resched() && !time_after(jiffies, *breath))
		return;
	mutex_unlock(&worker->run->lock);
	cond_resched_tasks_rcu_qs();
	mutex_lock(&worker->run->lock);
	*breath = jiffies;
}

/* No other queue waits for the end of the only one's turn, which costs time. */
static void doca_worker_plan(const struct doca_worker *worker, bool eager,
			     struct doca_budget *turn)
{
	bool only = worker->nr_queues == 1;

	turn->entries = only ? DOCA_WORKER_ENTRIES : DOCA_TURN_ENTRIES;
	turn->length = DOCA_TURN_LENGTH;
	turn->looks = only && eager ? DOCA_WORKER_LOOKS : 0;
}

/* Whether there is but one CPU that it may run on. */
static bool doca_worker_is_confined(void)
{
	const struct cpumask *cpus = current->cpus_ptr;
	unsigned int first = cpumask_first_and(cpus, cpu_online_mask);

	return cpumask_next_and(first, cpus, cpu_online_mask) >= nr_cpu_ids;
}

/*
 * How long to poll. Not at all where that would keep the only CPU from who is to
 * submit, or where somebody executes in its place: asked anew each time.
 */
static u64 doca_worker_idle_ns(const struct doca_worker *worker)
{
	if (worker->idle_ns == U64_MAX)
		return U64_MAX;
	if (READ_ONCE(worker->aside) || doca_worker_is_confined())
		return 0;
	return worker->idle_ns;
}

/* Until it was idle for long enough, or is to do something else. */
static void doca_worker_poll(struct doca_worker *worker, unsigned long *breath)
{
	struct doca_window window = { .since = local_clock() };
	u64 idle_ns = doca_worker_idle_ns(worker);
	unsigned int quiet = 0;
	u64 idle = 0;

	/* Without queues there is nothing to poll, also for who never sleeps. */
	while (worker->nr_queues && !doca_run_wanted(worker->run)) {
		struct doca_window before = window;
		bool eager = idle_ns && !worker->nap_ns &&
			     quiet < DOCA_WORKER_EAGER;
		struct doca_budget turn;

		doca_worker_plan(worker, eager, &turn);
		doca_worker_round(worker, &turn, &window);
		if (window.large || window.entries != before.entries) {
			quiet = 0;
			idle = 0;
			worker->nap_ns = 0;
		} else {
			quiet += window.looks - before.looks;
			if (!eager)
				cpu_relax();
		}
		/* A look between two naps is one round. */
		if (quiet && (!idle_ns || worker->nap_ns))
			break;
		if (window.looks < DOCA_WORKER_WINDOW && !window.large &&
		    !need_resched())
			continue;

		idle += doca_worker_account(worker, &window);
		if (quiet < DOCA_WORKER_WINDOW)
			idle = 0;
		if (idle > idle_ns ||
		    doca_thread_is_called(&worker->thread))
			return;
		doca_worker_breathe(worker, breath);
	}
	doca_worker_account(worker, &window);
}

static struct doca_worker *doca_worker_of(struct doca_thread *thread)
{
	return container_of(thread, struct doca_worker, thread);
}

static void doca_worker_run(struct doca_thread *thread)
{
	struct doca_worker *worker = doca_worker_of(thread);
	unsigned long breath = jiffies;

	mutex_lock(&worker->run->lock);
	while (!doca_thread_is_called(thread)) {
		kcov_remote_start_common(worker->kcov_handle);
		doca_worker_poll(worker, &breath);
		kcov_remote_stop();
		if (doca_run_wanted(worker->run))
			doca_run_yield(worker->run);
		else
			doca_worker_sleep(worker);
		/* It does not sleep where there is always something new. */
		doca_worker_breathe(worker, &breath);
	}
	mutex_unlock(&worker->run->lock);
}

/* Whoever else has the queues will not wait for what nobody executes. */
static void doca_worker_killed(struct doca_thread *thread)
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
	.killed = doca_worker_killed,
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
	worker->kcov_handle = kcov_common_handle();
	INIT_LIST_HEAD(&worker->queues);
	worker->run = doca_run_create(file);
	if (IS_ERR(worker->run)) {
		rc = PTR_ERR(worker->run);
		kfree(worker);
		return ERR_PTR(rc);
	}
	worker->file = doca_file_get(file);

	kref_get(&worker->obj.ref); /* the thread's */
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

	mutex_lock(&file->lock);
	doca_object_publish(file, &worker->obj);
	mutex_unlock(&file->lock);
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
	doca_worker_wake(worker);
}

/*
 * It may take long to get a CPU on which to go to sleep. That it is to be called is
 * said for it, so that nothing is submitted meanwhile without a call.
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

	doca_run_lock(worker->run);
	if (!worker->stopped) {
		list_add_tail(&queue->worker_node, &worker->queues);
		WRITE_ONCE(worker->nr_queues, worker->nr_queues + 1);
		/* Polled from now on; a worker that never sleeps never says so. */
		WRITE_ONCE(queue->ring.k->need_wakeup, 0);
		rc = 0;
	}
	doca_run_unlock(worker->run);
	doca_worker_wake(worker);
	return rc;
}

void doca_worker_detach(struct doca_worker *worker, struct doca_queue *queue)
{
	doca_run_lock(worker->run);
	if (!list_empty(&queue->worker_node)) {
		list_del_init(&queue->worker_node);
		WRITE_ONCE(worker->nr_queues, worker->nr_queues - 1);
	}
	doca_run_unlock(worker->run);
}

/* Stop the thread for good, unless it has queues and that matters. */
static int doca_worker_stop(struct doca_worker *worker, bool force)
{
	int rc = 0;

	doca_run_lock(worker->run);
	if (worker->nr_queues && !force)
		rc = -EBUSY;
	else
		worker->stopped = true;
	doca_run_unlock(worker->run);
	if (!rc)
		doca_thread_stop(&worker->thread);
	return rc;
}

int doca_ioctl_worker_destroy(struct doca_ucmd *ucmd)
{
	struct doca_worker_destroy *arg = ucmd->arg;
	struct doca_worker *worker;
	struct doca_object *obj;
	int rc;

	obj = doca_object_find(ucmd->file, arg->worker_id, DOCA_OBJECT_WORKER);
	if (IS_ERR(obj))
		return PTR_ERR(obj);
	worker = container_of(obj, struct doca_worker, obj);
	rc = doca_worker_stop(worker, false);
	if (!rc) {
		if (doca_object_remove(ucmd->file, obj))
			doca_object_put(obj);
		else
			rc = -ENOENT; /* somebody else was faster */
		doca_thread_wait(&worker->thread);
	}
	doca_object_put(obj);
	return rc;
}

void doca_file_stop_workers(struct doca_file *file, bool wait)
{
	struct doca_worker *worker;
	struct doca_object *obj;
	unsigned long id = 0;

	while ((obj = doca_object_next(file, &id, DOCA_OBJECT_WORKER))) {
		worker = container_of(obj, struct doca_worker, obj);
		doca_worker_stop(worker, true);
		if (doca_object_remove(file, obj))
			doca_object_put(obj);
		if (wait)
			doca_thread_wait(&worker->thread);
		doca_object_put(obj);
		id++;
	}
}
