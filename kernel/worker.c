// SPDX-License-Identifier: GPL-2.0
/*
 * The worker's thread: turns over its queues as long as there is work, polls for a
 * while when there is none, then sleeps. It runs in the cgroups, on the CPUs and
 * with the nice value of who made it, so that its time is charged to him.
 */
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "queue.h"
#include "ucmd.h"
#include "user.h"
#include "worker.h"

static bool doca_workers = true;
module_param_named(workers, doca_workers, bool, 0644);
MODULE_PARM_DESC(workers,
		 "allow worker threads; without them callers execute their own queues");

/* Rounds between two looks at the clock, which costs as much as a small task. */
#define DOCA_WORKER_WINDOW 64
/* Rounds without work before the CPU is asked to relax between two. */
#define DOCA_WORKER_EAGER_ROUNDS 256

bool doca_workers_allowed(void)
{
	return READ_ONCE(doca_workers);
}

/* What a round has found to do. */
enum doca_round {
	DOCA_ROUND_IDLE,
	DOCA_ROUND_SMALL,
	DOCA_ROUND_LARGE, /* or many small */
};

/* One turn for each queue. */
static enum doca_round doca_worker_round(struct doca_worker *worker)
{
	enum doca_round round = DOCA_ROUND_IDLE;
	struct doca_queue *queue;

	list_for_each_entry(queue, &worker->queues, worker_node) {
		unsigned int done = 0;

		if (!doca_queue_has_work(queue))
			continue;
		mutex_lock(&queue->run->lock);
		if (doca_queue_turn(queue, DOCA_TURN_BUDGET, &done) ==
		    DOCA_TURN_AGAIN)
			round = DOCA_ROUND_LARGE;
		mutex_unlock(&queue->run->lock);
		if (done && round == DOCA_ROUND_IDLE)
			round = DOCA_ROUND_SMALL;
		if (!atomic_read(&worker->waiters) && !need_resched())
			continue;
		/* Go on with the next one, the next time. */
		if (!list_is_last(&queue->worker_node, &worker->queues))
			list_rotate_to_front(queue->worker_node.next,
					     &worker->queues);
		break;
	}
	return round;
}

static bool doca_worker_has_work(struct doca_worker *worker)
{
	struct doca_queue *queue;

	list_for_each_entry(queue, &worker->queues, worker_node)
		if (doca_queue_has_work(queue))
			return true;
	return false;
}

static void doca_worker_set_need_wakeup(struct doca_worker *worker, u32 value)
{
	struct doca_queue *queue;

	list_for_each_entry(queue, &worker->queues, worker_node)
		WRITE_ONCE(queue->ring.k->need_wakeup, value);
}

static void doca_worker_sleep(struct doca_worker *worker)
{
	doca_worker_set_need_wakeup(worker, 1);
	/* B: a full barrier between the flags and the look at the tails. */
	set_current_state(TASK_IDLE);
	if (!doca_worker_has_work(worker) && !atomic_read(&worker->waiters) &&
	    !kthread_should_stop()) {
		mutex_unlock(&worker->lock);
		schedule();
		__set_current_state(TASK_RUNNING);
		mutex_lock(&worker->lock);
	} else {
		__set_current_state(TASK_RUNNING);
	}
	doca_worker_set_need_wakeup(worker, 0);
}

/* Let others at the queues. */
static void doca_worker_park(struct doca_worker *worker)
{
	mutex_unlock(&worker->lock);
	wait_event_idle(worker->unparked, !atomic_read(&worker->waiters));
	mutex_lock(&worker->lock);
}

/* Rounds since the last look at the clock. */
struct doca_window {
	u64 since;
	unsigned int rounds;
	unsigned int worked;
	bool large;
};

/*
 * Close the window and begin another; returns how long it was. Its time counts as
 * work in the part of its rounds that had some, and wholly if it ended with a large
 * one: exact times would cost small tasks more than they tell.
 */
static u64 doca_worker_account(struct doca_worker *worker,
			       struct doca_window *window)
{
	u64 now = local_clock();
	u64 spent = now > window->since ? now - window->since : 0;
	u64 worked = spent;

	if (!window->large)
		worked = window->rounds ?
			 spent * window->worked / window->rounds : 0;
	WRITE_ONCE(worker->working_ns, worker->working_ns + worked);
	WRITE_ONCE(worker->polling_ns, worker->polling_ns + spent - worked);
	*window = (struct doca_window){ .since = now };
	return spent;
}

/* Until it was idle for long enough, or is to do something else. */
static void doca_worker_poll(struct doca_worker *worker)
{
	struct doca_window window = { .since = local_clock() };
	unsigned int quiet = 0;
	u64 idle = 0;

	/* Without queues there is nothing to poll, also for who never sleeps. */
	while (worker->nr_queues && !atomic_read(&worker->waiters)) {
		enum doca_round round = doca_worker_round(worker);

		window.rounds++;
		window.large = round == DOCA_ROUND_LARGE;
		if (round != DOCA_ROUND_IDLE) {
			window.worked++;
			quiet = 0;
			idle = 0;
		} else if (!worker->idle_ns) {
			break;
		} else if (++quiet > DOCA_WORKER_EAGER_ROUNDS) {
			cpu_relax();
		}
		if (window.rounds < DOCA_WORKER_WINDOW && !window.large &&
		    !need_resched())
			continue;

		idle += doca_worker_account(worker, &window);
		if (quiet < DOCA_WORKER_WINDOW)
			idle = 0;
		if (idle > worker->idle_ns || kthread_should_stop())
			return;
		if (need_resched()) {
			mutex_unlock(&worker->lock);
			cond_resched();
			mutex_lock(&worker->lock);
		}
		/* Tasks RCU waits for a thread that is merely preempted. */
		cond_resched_tasks_rcu_qs();
	}
	doca_worker_account(worker, &window);
}

struct doca_worker_start {
	struct doca_worker *worker;
	struct task_struct *owner;
	struct completion done;
	int rc;
};

static int doca_worker_thread(void *data)
{
	struct doca_worker_start *start = data;
	struct doca_worker *worker = start->worker;

	start->rc = cgroup_attach_task_all(start->owner, current);
	complete(&start->done); /* start is gone */

	mutex_lock(&worker->lock);
	while (!kthread_should_stop()) {
		doca_worker_poll(worker);
		if (atomic_read(&worker->waiters))
			doca_worker_park(worker);
		else if (!kthread_should_stop())
			doca_worker_sleep(worker);
	}
	mutex_unlock(&worker->lock);
	return 0;
}

static int doca_worker_start(struct doca_worker *worker)
{
	struct doca_worker_start start = {
		.worker = worker,
		.owner = current,
	};
	struct task_struct *task;
	cpumask_var_t cpus;
	int rc = -ENOMEM;

	if (!alloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	init_completion(&start.done);
	task = kthread_create(doca_worker_thread, &start, "doca-%d",
			      task_tgid_nr(current));
	if (IS_ERR(task)) {
		rc = PTR_ERR(task);
		goto out;
	}
	get_task_struct(task);
	worker->task = task;
	set_user_nice(task, task_nice(current));
	wake_up_process(task);
	wait_for_completion(&start.done);
	rc = start.rc;
	if (!rc) {
		/* Behind the cgroups, whose cpuset sets a mask as well. */
		cpumask_copy(cpus, current->cpus_ptr);
		rc = set_cpus_allowed_ptr(task, cpus);
	}
	if (rc) {
		kthread_stop(task);
		put_task_struct(task);
	}
out:
	free_cpumask_var(cpus);
	return rc;
}

static void doca_worker_release(struct doca_object *obj)
{
	struct doca_worker *worker = container_of(obj, struct doca_worker, obj);

	put_task_struct(worker->task);
	kfree(worker);
}

static u64 doca_worker_idle_ns(u32 idle_us)
{
	if (idle_us == DOCA_IDLE_NEVER)
		return U64_MAX;
	/* Polling would keep the only CPU from who is to submit. */
	if (num_online_cpus() == 1)
		return 0;
	return (u64)idle_us * NSEC_PER_USEC;
}

static struct doca_worker *doca_worker_create(u32 idle_us)
{
	struct doca_worker *worker;
	int rc;

	worker = kzalloc(sizeof(*worker), GFP_KERNEL_ACCOUNT);
	if (!worker)
		return ERR_PTR(-ENOMEM);
	doca_object_init(&worker->obj, DOCA_OBJECT_WORKER, doca_worker_release);
	worker->idle_ns = doca_worker_idle_ns(idle_us);
	mutex_init(&worker->lock);
	INIT_LIST_HEAD(&worker->queues);
	init_waitqueue_head(&worker->unparked);

	rc = doca_worker_start(worker);
	if (rc) {
		kfree(worker);
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
	rc = doca_user_charge(file->user, DOCA_QUOTA_WORKERS, 1);
	if (rc)
		return rc;
	worker = doca_worker_create(arg->idle_us);
	if (IS_ERR(worker)) {
		rc = PTR_ERR(worker);
		goto err_uncharge;
	}
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
	kthread_stop(worker->task);
	doca_object_put(&worker->obj);
err_uncharge:
	doca_user_uncharge(file->user, DOCA_QUOTA_WORKERS, 1);
	return rc;
}

/* Take the lock from the thread, after its turn. */
static void doca_worker_lock(struct doca_worker *worker)
{
	atomic_inc(&worker->waiters);
	mutex_lock(&worker->lock);
}

static void doca_worker_unlock(struct doca_worker *worker)
{
	mutex_unlock(&worker->lock);
	if (atomic_dec_and_test(&worker->waiters))
		wake_up(&worker->unparked);
	doca_worker_wake(worker);
}

void doca_worker_wake(struct doca_worker *worker)
{
	wake_up_process(worker->task);
}

int doca_worker_attach(struct doca_worker *worker, struct doca_queue *queue)
{
	int rc = -ENOENT;

	doca_worker_lock(worker);
	if (!worker->stopped) {
		list_add_tail(&queue->worker_node, &worker->queues);
		worker->nr_queues++;
		/* Polled from now on; a worker that never sleeps never says so. */
		WRITE_ONCE(queue->ring.k->need_wakeup, 0);
		rc = 0;
	}
	doca_worker_unlock(worker);
	return rc;
}

void doca_worker_detach(struct doca_worker *worker, struct doca_queue *queue)
{
	doca_worker_lock(worker);
	if (!list_empty(&queue->worker_node)) {
		list_del_init(&queue->worker_node);
		worker->nr_queues--;
	}
	doca_worker_unlock(worker);
}

/* Stop the thread for good, unless it has queues and that matters. */
static int doca_worker_stop(struct doca_worker *worker, bool force)
{
	int rc = 0;

	doca_worker_lock(worker);
	if (worker->stopped)
		rc = -ENOENT; /* by somebody else: kthread_stop() is for one */
	else if (worker->nr_queues && !force)
		rc = -EBUSY;
	else
		worker->stopped = true;
	doca_worker_unlock(worker);
	if (!rc)
		kthread_stop(worker->task);
	return rc;
}

/* Of the table's reference, which whoever removes the object has taken. */
static void doca_worker_forget(struct doca_file *file, struct doca_object *obj)
{
	doca_user_uncharge(file->user, DOCA_QUOTA_WORKERS, 1);
	doca_object_put(obj);
}

int doca_ioctl_worker_destroy(struct doca_ucmd *ucmd)
{
	struct doca_worker_destroy *arg = ucmd->arg;
	struct doca_object *obj;
	int rc;

	obj = doca_object_find(ucmd->file, arg->worker_id, DOCA_OBJECT_WORKER);
	if (IS_ERR(obj))
		return PTR_ERR(obj);
	rc = doca_worker_stop(container_of(obj, struct doca_worker, obj),
			      false);
	if (!rc && doca_object_remove(ucmd->file, obj->id, DOCA_OBJECT_WORKER))
		doca_worker_forget(ucmd->file, obj);
	doca_object_put(obj);
	return rc;
}

void doca_file_stop_workers(struct doca_file *file)
{
	struct doca_object *obj;
	unsigned long id = 0;

	while ((obj = doca_object_next(file, &id, DOCA_OBJECT_WORKER))) {
		if (doca_object_remove(file, obj->id, DOCA_OBJECT_WORKER)) {
			doca_worker_stop(container_of(obj, struct doca_worker,
						      obj), true);
			doca_worker_forget(file, obj);
		}
		doca_object_put(obj);
		id++;
	}
}
