// SPDX-License-Identifier: GPL-2.0
/* The tables of a file: objects by id, and the sections of its queues. */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "file.h"
#include "keys.h"
#include "user.h"

/*
 * All files by their ids. It holds no references; files are looked at under the
 * array's lock.
 */
static DEFINE_XARRAY_ALLOC1(doca_files);
static u32 doca_next_file;
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
	file->keys = doca_keys_alloc();
	if (!file->keys) {
		rc = -ENOMEM;
		goto err_free;
	}
	file->user = doca_user_get_current();
	if (IS_ERR(file->user)) {
		rc = PTR_ERR(file->user);
		goto err_keys;
	}
	rc = doca_user_charge(file->user, DOCA_QUOTA_FILES, 1);
	if (rc)
		goto err_user;

	kref_init(&file->ref);
	mutex_init(&file->lock);
	spin_lock_init(&file->keys_lock);
	xa_init_flags(&file->objects, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
	xa_init_flags(&file->runs, XA_FLAGS_ALLOC | XA_FLAGS_ACCOUNT);
	xa_init_flags(&file->queue_ids, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
	INIT_LIST_HEAD(&file->queues);
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
	doca_user_uncharge(file->user, DOCA_QUOTA_FILES, 1);
err_user:
	doca_user_put(file->user);
err_keys:
	doca_keys_free(file->keys);
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
	doca_user_uncharge(file->user, DOCA_QUOTA_FILES, 1);
	doca_user_put(file->user);
	xa_destroy(&file->objects);
	xa_destroy(&file->runs);
	xa_destroy(&file->queue_ids);
	doca_keys_free(file->keys);
	mmdrop(file->mm);
	put_pid(file->pid);
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
	lockdep_assert_held(&file->lock);
	kref_get(&obj->ref);
	/* Into a reserved slot: needs no memory and cannot fail. */
	xa_store(&file->objects, obj->id, obj, GFP_KERNEL_ACCOUNT);
	doca_files_changed();
}

struct doca_object *doca_object_find(struct doca_file *file, u32 id,
				     enum doca_object_type type)
{
	struct doca_object *obj;

	mutex_lock(&file->lock);
	obj = xa_load(&file->objects, id);
	if (obj && obj->type == type)
		kref_get(&obj->ref);
	else
		obj = ERR_PTR(-ENOENT);
	mutex_unlock(&file->lock);
	return obj;
}

bool doca_object_remove(struct doca_file *file, struct doca_object *obj)
{
	bool found;

	mutex_lock(&file->lock);
	/* If somebody else was faster, the id may be another one's by now. */
	found = xa_load(&file->objects, obj->id) == obj;
	if (found) {
		xa_erase(&file->objects, obj->id);
		doca_files_changed();
	}
	mutex_unlock(&file->lock);
	return found;
}

struct doca_object *doca_object_next(struct doca_file *file, unsigned long *id,
				     enum doca_object_type type)
{
	struct doca_object *obj;

	mutex_lock(&file->lock);
	xa_for_each_start(&file->objects, *id, obj, *id) {
		if (obj->type == type) {
			kref_get(&obj->ref);
			break;
		}
	}
	mutex_unlock(&file->lock);
	return obj;
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
	init_waitqueue_head(&run->idle);

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

void doca_run_lock(struct doca_run *run)
{
	atomic_inc(&run->waiters);
	mutex_lock(&run->lock);
}

void doca_run_unlock(struct doca_run *run)
{
	mutex_unlock(&run->lock);
	if (atomic_dec_and_test(&run->waiters))
		wake_up(&run->idle);
}

void doca_run_yield(struct doca_run *run)
{
	mutex_unlock(&run->lock);
	wait_event_idle(run->idle, !doca_run_wanted(run));
	mutex_lock(&run->lock);
}

void doca_run_remove(struct doca_file *file, struct doca_run *run)
{
	xa_erase(&file->runs, run->id);
	doca_run_put(run);
}

void doca_file_synchronize(struct doca_file *file)
{
	struct doca_run *run;
	unsigned long id = 0;

	for (;;) {
		xa_lock(&file->runs);
		run = xa_find(&file->runs, &id, ULONG_MAX, XA_PRESENT);
		if (run)
			kref_get(&run->ref);
		xa_unlock(&file->runs);
		if (!run)
			return;

		/* A section that is entered later sees what was cleared. */
		doca_run_lock(run);
		doca_run_unlock(run);
		doca_run_put(run);
		id++;
	}
}
