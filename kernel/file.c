// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The tables of a file: objects by id, and the run sections of its queues. */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/sched/clock.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "file.h"
#include "keys.h"
#include "nowait.h"
#include "user.h"

/* All files by their ids. The array holds no references; files are accessed under its lock. */
static DEFINE_XARRAY_FLAGS(doca_files, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
static u32 doca_next_file;

/*
 * Includes the open file itself, its tie to the address space, and what it keeps of a
 * process that has ended: its struct pid, its mm_struct and the top of its page tables.
 */
#define DOCA_FILE_BYTES                                                        \
	(DOCA_OBJECT_BYTES(struct doca_file, 3) +                              \
	 doca_user_bytes(sizeof(struct doca_tie)) +                            \
	 doca_user_bytes(sizeof(struct doca_keys)) +                           \
	 doca_user_bytes(sizeof(struct file)) +                                \
	 doca_user_bytes(sizeof(struct mm_struct)) + 3 * PAGE_SIZE)

static atomic_t doca_generation = ATOMIC_INIT(0);

void doca_files_changed(void)
{
	atomic_inc(&doca_generation);
}

u32 doca_files_generation(void)
{
	return (u32)atomic_read(&doca_generation) << 1 | 1;
}

static int doca_file_publish(struct doca_file *file)
{
	int rc;

	rc = xa_alloc_cyclic(&doca_files, &file->id, file, xa_limit_31b,
			     &doca_next_file, GFP_KERNEL_ACCOUNT);
	if (rc < 0)
		return rc;
	doca_files_changed();
	return 0;
}

struct doca_file *doca_file_next(u32 *id)
{
	unsigned long index = *id;
	struct doca_file *file;

	xa_lock(&doca_files);
	xa_for_each_start(&doca_files, index, file, index)
		if (kref_get_unless_zero(&file->ref))
			break;
	xa_unlock(&doca_files);
	if (file)
		*id = file->id;
	return file;
}

struct doca_file *doca_file_alloc(void)
{
	struct doca_file *file;
	int rc;

	file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);
	if (!file)
		return ERR_PTR(-ENOMEM);
	file->user = doca_user_get_current();
	if (IS_ERR(file->user)) {
		rc = PTR_ERR(file->user);
		goto err_free;
	}
	rc = doca_user_charge(file->user, DOCA_QUOTA_FILES, 1, DOCA_FILE_BYTES);
	if (rc)
		goto err_user;
	rc = -ENOMEM;
	file->keys = doca_keys_alloc();
	if (!file->keys)
		goto err_uncharge;

	kref_init(&file->ref);
	spin_lock_init(&file->lock);
	spin_lock_init(&file->keys_lock);
	xa_init_flags(&file->objects, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
	xa_init_flags(&file->op_objects, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
	xa_init_flags(&file->runs, XA_FLAGS_ALLOC | XA_FLAGS_ACCOUNT);
	xa_init_flags(&file->pools, XA_FLAGS_ALLOC | XA_FLAGS_ACCOUNT);
	xa_init_flags(&file->queue_ids, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
	file->mm = current->mm;
	mmgrab(file->mm);
	file->pid = get_pid(task_tgid(current));
	get_task_comm(file->comm, current->group_leader);
	rc = doca_file_publish(file);
	if (rc)
		goto err_publish;
	return file;

err_publish:
	put_pid(file->pid);
	mmdrop(file->mm);
	doca_keys_free(file->keys);
err_uncharge:
	doca_user_uncharge(file->user, DOCA_QUOTA_FILES, 1, DOCA_FILE_BYTES);
err_user:
	doca_user_put(file->user);
err_free:
	kfree(file);
	return ERR_PTR(rc);
}

static void doca_file_release(struct kref *ref)
{
	struct doca_file *file = container_of(ref, struct doca_file, ref);

	xa_erase(&doca_files, file->id);
	doca_files_changed();
	WARN_ON_ONCE(!xa_empty(&file->objects));
	xa_destroy(&file->objects);
	WARN_ON_ONCE(!xa_empty(&file->op_objects));
	xa_destroy(&file->op_objects);
	xa_destroy(&file->runs);
	xa_destroy(&file->pools);
	xa_destroy(&file->queue_ids);
	doca_user_uncharge(file->user, DOCA_QUOTA_OBJECT_BYTES,
			   doca_keys_bytes(file->keys), 0);
	doca_keys_free(file->keys);
	mmdrop(file->mm);
	put_pid(file->pid);
	doca_user_uncharge(file->user, DOCA_QUOTA_FILES, 1, DOCA_FILE_BYTES);
	doca_user_put(file->user);
	kfree(file);
}

void doca_file_put(struct doca_file *file)
{
	kref_put(&file->ref, doca_file_release);
}

void doca_object_init(struct doca_object *obj, enum doca_object_type type,
		      void (*release)(struct doca_object *obj))
{
	kref_init(&obj->ref);
	obj->type = type;
	obj->release = release;
}

static void doca_object_release(struct kref *ref)
{
	struct doca_object *obj = container_of(ref, struct doca_object, ref);

	obj->release(obj);
}

void doca_object_put(struct doca_object *obj)
{
	kref_put(&obj->ref, doca_object_release);
}

int doca_object_reserve(struct doca_file *file, struct doca_object *obj)
{
	return xa_alloc(&file->objects, &obj->id, NULL, xa_limit_31b,
			GFP_KERNEL_ACCOUNT);
}

void doca_object_abort(struct doca_file *file, struct doca_object *obj)
{
	xa_erase(&file->objects, obj->id);
}

void doca_object_publish(struct doca_file *file, struct doca_object *obj)
{
	kref_get(&obj->ref);
	/* The slot is reserved: this needs no memory and cannot fail. */
	xa_store(&file->objects, obj->id, obj, GFP_NOWAIT);
	doca_files_changed();
}

struct doca_object *doca_object_find(struct doca_file *file, u32 id,
				     enum doca_object_type type)
{
	struct doca_object *obj;

	spin_lock(&file->lock);
	obj = xa_load(&file->objects, id);
	if (obj && obj->type == type)
		kref_get(&obj->ref);
	else
		obj = ERR_PTR(-ENOENT);
	spin_unlock(&file->lock);
	return obj;
}

bool doca_object_remove(struct doca_file *file, struct doca_object *obj)
{
	bool found;

	spin_lock(&file->lock);
	/* If another thread was faster, another object may have the id by now. */
	found = xa_load(&file->objects, obj->id) == obj;
	if (found) {
		xa_erase(&file->objects, obj->id);
		doca_files_changed();
	}
	spin_unlock(&file->lock);
	return found;
}

struct doca_object *doca_object_from(struct doca_file *file, unsigned long *id)
{
	struct doca_object *obj;

	spin_lock(&file->lock);
	obj = xa_find(&file->objects, id, ULONG_MAX, XA_PRESENT);
	if (obj)
		kref_get(&obj->ref);
	spin_unlock(&file->lock);
	return obj;
}

struct doca_object *doca_object_next(struct doca_file *file, unsigned long *id,
				     enum doca_object_type type)
{
	struct doca_object *obj;

	/* There may be many of other types: do not hold the lock for long. */
	while ((obj = doca_object_from(file, id)) && obj->type != type) {
		doca_object_put(obj);
		++*id;
	}
	return obj;
}

struct workqueue_struct *doca_retire_wq;

void doca_file_go_on(struct doca_file *file)
{
	doca_file_get(file); /* for the work item */
	if (!queue_work(doca_retire_wq, &file->retire))
		doca_file_put(file);
}

/* If the work item waits for this section, it may go on now. */
static void doca_run_tell(struct doca_run *run)
{
	smp_mb(); /* L */
	if (READ_ONCE(run->file->awaited) == run)
		doca_file_go_on(run->file);
}

/* Request a grace period. It is over when the executors answer with this number or more. */
static u64 doca_file_ask(struct doca_file *file)
{
	return atomic64_inc_return_release(&file->graces); /* Q */
}

/* Answer: the executor no longer uses anything that it has looked up before. */
static void doca_run_answer(struct doca_run *run)
{
	u64 grace = atomic64_read_acquire(&run->file->graces); /* Q */

	smp_store_release(&run->grace, grace); /* Q */
}

struct doca_run *doca_run_create(struct doca_file *file)
{
	struct doca_run *run;
	int rc;

	run = kzalloc(sizeof(*run), GFP_KERNEL_ACCOUNT);
	if (!run)
		return ERR_PTR(-ENOMEM);
	kref_init(&run->ref);
	mutex_init(&run->lock);
	doca_nowait_never_takes(&run->lock);
	init_waitqueue_head(&run->idle);
	init_llist_head(&run->works);
	run->file = file;
	doca_run_answer(run);

	rc = xa_alloc(&file->runs, &run->id, run, xa_limit_31b,
		      GFP_KERNEL_ACCOUNT);
	if (rc) {
		kfree(run);
		return ERR_PTR(rc);
	}
	return run;
}

static void doca_run_release(struct kref *ref)
{
	kfree(container_of(ref, struct doca_run, ref));
}

static void doca_run_put(struct doca_run *run)
{
	kref_put(&run->ref, doca_run_release);
}

static void doca_run_want_no_more(struct doca_run *run)
{
	if (atomic_dec_and_test(&run->waiters))
		wake_up(&run->idle);
}

/*
 * Begin to do one of the works, in the section, in which there must be some. The caller goes on
 * with doca_run_end_work(), in the section or not.
 */
static struct doca_run_work *doca_run_begin_work(struct doca_run *run)
{
	/* Only the thread in the section takes works off the list. */
	struct doca_run_work *work = llist_entry(llist_del_first(&run->works),
						 struct doca_run_work, node);

	work->func(work);
	return work;
}

static void doca_run_end_work(struct doca_run *run, struct doca_run_work *work)
{
	work->done(work);
	if (atomic_dec_and_test(&run->undone))
		wake_up(&run->idle);
}

/* For an executor, in its section. */
static void doca_run_do_works(struct doca_run *run)
{
	while (!llist_empty(&run->works))
		doca_run_end_work(run, doca_run_begin_work(run));
}

/*
 * Enter the section, which may be another process's, if no thread is in it. Its threads must not
 * wait until this one gets a CPU again. With PREEMPT_RT they lend it their priority, and spinlocks
 * need preemption.
 */
static bool doca_run_visit(struct doca_run *run)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_disable();
	if (mutex_trylock(&run->lock))
		return true;
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_enable();
	return false;
}

static void doca_run_end_visit(struct doca_run *run)
{
	mutex_unlock(&run->lock);
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_enable();
}

/* Call it when the lock has been released: others may need to know, or have left works. */
static void doca_run_left(struct doca_run *run)
{
	struct doca_run_work *work;

	doca_run_tell(run); /* L: its barrier is before the load of the works, too */
	/* One at a time: there may be a thousand. */
	while (!llist_empty(&run->works) && doca_run_visit(run)) {
		work = llist_empty(&run->works) ? NULL :
						  doca_run_begin_work(run);
		doca_run_end_visit(run);
		/* A worker may be about to sleep. */
		__set_current_state(TASK_RUNNING);
		if (work)
			doca_run_end_work(run, work);
		doca_run_tell(run); /* L */
	}
}

void doca_run_leave(struct doca_run *run)
{
	mutex_unlock(&run->lock);
	doca_run_left(run);
}

void doca_run_do(struct doca_run *run, struct doca_run_work *work)
{
	atomic_inc(&run->undone);
	llist_add(&work->node, &run->works);
	/*
	 * An executor that answers does it. Do not count among those it waits for: this thread may
	 * be a stranger's, and get no CPU.
	 */
	doca_file_ask(run->file);
	doca_run_left(run); /* L */
}

void doca_run_lock(struct doca_run *run)
{
	atomic_inc(&run->waiters);
	mutex_lock(&run->lock);
	run->counted = true;
	doca_run_do_works(run);
}

/* For ENTER. A call that need not wait is not counted, which saves two atomic operations. */
int doca_run_lock_killable(struct doca_run *run)
{
	int rc;

	if (!mutex_trylock(&run->lock)) {
		atomic_inc(&run->waiters);
		rc = mutex_lock_killable(&run->lock);
		if (rc) {
			doca_run_want_no_more(run);
			return rc;
		}
		run->counted = true;
	}
	doca_run_do_works(run);
	return 0;
}

void doca_run_unlock(struct doca_run *run)
{
	bool counted = run->counted;

	run->counted = false;
	doca_run_leave(run);
	if (counted)
		doca_run_want_no_more(run);
}

void doca_run_yield(struct doca_run *run)
{
	doca_run_answer(run);
	doca_run_tell(run);
	doca_run_do_works(run);
	if (!atomic_read(&run->waiters))
		return;
	doca_run_leave(run);
	wait_event_idle(run->idle, !atomic_read(&run->waiters));
	mutex_lock(&run->lock);
}

void doca_run_remove(struct doca_file *file, struct doca_run *run)
{
	xa_erase(&file->runs, run->id);
	doca_run_put(run);
}

/* Return the first section with a number from *id on, with a reference. */
static struct doca_run *doca_run_next(struct doca_file *file, unsigned long *id)
{
	struct doca_run *run;

	xa_lock(&file->runs);
	run = xa_find(&file->runs, id, ULONG_MAX, XA_PRESENT);
	if (run)
		kref_get(&run->ref);
	xa_unlock(&file->runs);
	++*id;
	return run;
}

/* Like that of a caller who waits for locked memory. */
#define DOCA_SETTLE_PATIENCE HZ

int doca_file_settle(struct doca_file *file)
{
	long left = DOCA_SETTLE_PATIENCE;
	struct doca_run *run;
	unsigned long id = 0;

	while (left > 0 && (run = doca_run_next(file, &id))) {
		left = wait_event_killable_timeout(run->idle,
						   !atomic_read(&run->undone),
						   left);
		doca_run_put(run);
	}
	return left < 0 ? -EINTR : 0;
}

/*
 * Return true if a grace period is over for a section: the thread in it has answered, or
 * there is none. A thread that enters it later sees what was cleared.
 */
static bool doca_run_passed(struct doca_run *run, u64 grace)
{
	if (smp_load_acquire(&run->grace) >= grace) /* Q */
		return true;
	if (!doca_run_visit(run))
		return false;
	doca_run_end_visit(run);
	doca_run_left(run);
	return true;
}

void doca_file_await(struct doca_file *file)
{
	file->grace = doca_file_ask(file);
	file->passed = 0;
}

/* Return true if the section has passed; otherwise it will have the work item go on. */
static bool doca_run_passes(struct doca_run *run, u64 grace)
{
	if (doca_run_passed(run, grace))
		return true;
	WRITE_ONCE(run->file->awaited, run);
	smp_mb(); /* L */
	return doca_run_passed(run, grace);
}

bool doca_file_has_passed(struct doca_file *file)
{
	unsigned long id = file->passed;
	struct doca_run *run;
	bool passed = true;

	while (passed && (run = doca_run_next(file, &id))) {
		passed = doca_run_passes(run, file->grace);
		if (passed)
			file->passed = id;
		doca_run_put(run);
	}
	if (passed)
		WRITE_ONCE(file->awaited, NULL);
	return passed;
}

/* An executor on a CPU answers within this time: that of a batch. */
#define DOCA_GRACE_PATIENCE (50 * NSEC_PER_USEC)

static bool doca_run_await(struct doca_run *run, u64 grace, u64 until)
{
	while (!doca_run_passed(run, grace)) {
		if (num_online_cpus() == 1 || need_resched() ||
		    local_clock() > until)
			return false;
		cpu_relax();
	}
	return true;
}

bool doca_file_try_synchronize(struct doca_file *file)
{
	u64 grace = doca_file_ask(file);
	u64 until = local_clock() + DOCA_GRACE_PATIENCE;
	struct doca_run *run;
	unsigned long id = 0;
	bool passed = true;

	while (passed && (run = doca_run_next(file, &id))) {
		passed = doca_run_await(run, grace, until);
		doca_run_put(run);
	}
	return passed;
}
