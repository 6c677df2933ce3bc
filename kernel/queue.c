// SPDX-License-Identifier: GPL-2.0
/* A queue's file descriptor: creation, mmap, poll, ENTER, STOP, and its end. */
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "compat.h"
#include "ioctl.h"
#include "memory.h"
#include "queue.h"
#include "ucmd.h"
#include "user.h"
#include "worker.h"

/* Have the executor look at the waits. */
static void doca_queue_wake(struct doca_waits *waits)
{
	struct doca_queue *queue = container_of(waits, struct doca_queue, waits);

	if (queue->worker)
		doca_worker_wake(queue->worker);
	else if (waits->nr_slots)
		mod_delayed_work(doca_wq, &queue->looker, 0);
}

/* The word that user space sees, and whoever waits for it. */
void doca_queue_raise_state(struct doca_queue *queue, u32 state)
{
	spin_lock(&queue->lock);
	if (queue->state < state) {
		WRITE_ONCE(queue->state, state);
		smp_store_release(&queue->ring.k->state, state); /* G */
	}
	if (state == DOCA_QUEUE_BROKEN)
		WRITE_ONCE(queue->halted, true);
	/* W: a look that does not see the state is not the last one. */
	smp_mb();
	WRITE_ONCE(queue->waits.due, true);
	if (!queue->closed)
		doca_queue_wake(&queue->waits);
	spin_unlock(&queue->lock);
	wake_up_interruptible_poll(&queue->wait, EPOLLIN | EPOLLERR);
}

static void doca_queue_set_dead(struct doca_queue *queue, bool *why)
{
	spin_lock(&queue->lock);
	WRITE_ONCE(*why, true);
	if (queue->closed)
		WRITE_ONCE(queue->halted, true);
	WRITE_ONCE(queue->ring.k->dead, 1);
	spin_unlock(&queue->lock);
}

/* What is submitted is answered, by whoever executes the queue. */
static void doca_queue_device_removed(struct doca_device_user *user)
{
	struct doca_queue *queue =
		container_of(user, struct doca_queue, device_user);

	doca_queue_set_dead(queue, &queue->removed);
	doca_queue_raise_state(queue, DOCA_QUEUE_FLUSH);
	wake_up_interruptible_poll(&queue->wait, EPOLLHUP);
}

/* In the run section: where there is no worker, what waits is looked at later. */
static void doca_queue_look_in(struct doca_queue *queue, u64 ns)
{
	queue->nap_ns = ns;
	if (queue->worker || !doca_queue_waits(queue))
		return;
	mod_delayed_work(doca_wq, &queue->looker, nsecs_to_jiffies(ns) + 1);
	/* That may have put off a look that somebody made due just now. */
	if (READ_ONCE(queue->waits.due))
		mod_delayed_work(doca_wq, &queue->looker, 0);
}

static void doca_queue_looker(struct work_struct *work)
{
	struct doca_queue *queue = container_of(to_delayed_work(work),
						struct doca_queue, looker);
	unsigned int ended;

	mutex_lock(&queue->run->lock);
	ended = doca_queue_end_waits(queue);
	doca_queue_look_in(queue, ended ? DOCA_NAP_FIRST :
					  doca_nap_longer(queue->nap_ns));
	mutex_unlock(&queue->run->lock);
}

static void doca_queue_free_waits(struct doca_file *file,
				  struct doca_waits *waits)
{
	doca_user_uncharge(file->user, DOCA_QUOTA_WAITS, waits->nr_slots);
	doca_waits_free(waits);
}

static void doca_queue_free_ring(struct doca_file *file, struct doca_ring *ring)
{
	doca_user_uncharge(file->user, DOCA_QUOTA_RING_BYTES,
			   doca_ring_bytes(ring));
	doca_user_uncharge(file->user, DOCA_QUOTA_QUEUES, 1);
	doca_ring_free(ring);
}

static void doca_queue_forget_id(struct doca_file *file, u32 id)
{
	mutex_lock(&file->lock);
	xa_erase(&file->queue_ids, id);
	doca_files_changed();
	mutex_unlock(&file->lock);
}

static void doca_queue_free(struct kref *ref)
{
	struct doca_queue *queue = container_of(ref, struct doca_queue, ref);

	doca_queue_forget_id(queue->file, queue->id);
	doca_queue_free_waits(queue->file, &queue->waits);
	doca_queue_free_ring(queue->file, &queue->ring);
	if (queue->worker)
		doca_object_put(&queue->worker->obj);
	else
		doca_run_remove(queue->file, queue->run);
	doca_device_put(queue->device);
	doca_file_put(queue->file);
	kfree(queue);
}

static void doca_queue_put(struct doca_queue *queue)
{
	kref_put(&queue->ref, doca_queue_free);
}

/* Nobody executes it when this returns; waits for the step that is running. */
static void doca_queue_close(struct doca_queue *queue)
{
	doca_queue_set_dead(queue, &queue->closed);
	if (queue->worker)
		doca_worker_detach(queue->worker, queue);
	doca_run_lock(queue->run);
	doca_waits_drop(&queue->waits);
	doca_run_unlock(queue->run);
	cancel_delayed_work_sync(&queue->looker);
	wake_up_interruptible_poll(&queue->wait, EPOLLHUP);
}

void doca_file_kill_queues(struct doca_file *file)
{
	struct doca_queue *queue;

	mutex_lock(&file->lock);
	while ((queue = list_first_entry_or_null(&file->queues,
						 struct doca_queue,
						 file_node))) {
		list_del_init(&queue->file_node);
		/* The descriptor may be on its way out. */
		if (!kref_get_unless_zero(&queue->ref))
			continue;
		mutex_unlock(&file->lock);
		doca_queue_close(queue);
		doca_queue_put(queue);
		mutex_lock(&file->lock);
	}
	mutex_unlock(&file->lock);
}

static int doca_queue_release(struct inode *inode, struct file *filp)
{
	struct doca_queue *queue = filp->private_data;
	struct doca_file *file = queue->file;

	mutex_lock(&file->lock);
	list_del_init(&queue->file_node);
	mutex_unlock(&file->lock);
	doca_queue_close(queue);
	doca_device_del_user(queue->device, &queue->device_user);
	doca_queue_put(queue);
	return 0;
}

static __poll_t doca_queue_poll(struct file *filp, poll_table *wait)
{
	struct doca_queue *queue = filp->private_data;
	struct doca_ring *ring = &queue->ring;
	__poll_t mask = 0;

	poll_wait(filp, &queue->wait, wait);
	if (READ_ONCE(ring->cq_published) != READ_ONCE(ring->u->cq_head))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(queue->state) == DOCA_QUEUE_BROKEN)
		mask |= EPOLLERR;
	if (READ_ONCE(queue->closed) || READ_ONCE(queue->removed))
		mask |= EPOLLHUP;
	return mask;
}

static int doca_area_mremap(struct vm_area_struct *vma)
{
	return -EPERM;
}

static const struct vm_operations_struct doca_area_vm_ops = {
	.mremap = doca_area_mremap,
};

static int doca_queue_mmap(struct file *filp, struct vm_area_struct *vma)
{
	const unsigned long set = VM_DONTEXPAND | VM_DONTCOPY | VM_DONTDUMP;
	struct doca_queue *queue = filp->private_data;
	unsigned long clear = VM_MAYEXEC;
	const struct doca_area *area;
	int rc;

	if (current->mm != queue->file->mm)
		return -EPERM;
	if (!(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	if (vma->vm_flags & VM_EXEC)
		return -EPERM;
	if (vma->vm_pgoff == DOCA_MMAP_USER >> PAGE_SHIFT) {
		area = &queue->ring.user;
	} else if (vma->vm_pgoff == DOCA_MMAP_KERNEL >> PAGE_SHIFT) {
		if (vma->vm_flags & VM_WRITE)
			return -EPERM;
		clear |= VM_MAYWRITE;
		area = &queue->ring.kernel;
	} else {
		return -EINVAL;
	}

	rc = doca_area_mmap(area, vma);
	if (rc)
		return rc;
	doca_vm_flags_mod(vma, set, clear);
	vma->vm_ops = &doca_area_vm_ops;
	return 0;
}

/*
 * There may be work for hours, so signals, the freezer and debuggers are heeded
 * after each turn; then the call goes on by itself.
 */
static int doca_queue_execute(struct doca_queue *queue, u32 max, u32 *done)
{
	struct doca_budget budget;
	enum doca_turn turn;
	u32 entries;

	do {
		if (mutex_lock_killable(&queue->run->lock))
			return -EINTR;
		entries = min_t(u32, max - *done, DOCA_TURN_ENTRIES);
		budget = (struct doca_budget){
			.entries = entries,
			.length = DOCA_TURN_LENGTH,
		};
		turn = doca_queue_turn(queue, &budget);
		doca_queue_end_waits(queue);
		if (budget.entries < entries)
			doca_queue_look_in(queue, DOCA_NAP_FIRST);
		mutex_unlock(&queue->run->lock);
		*done += entries - budget.entries;
		if (turn != DOCA_TURN_AGAIN || *done == max)
			return 0;
		cond_resched();
	} while (!signal_pending(current));
	return -ERESTARTNOINTR;
}

static int doca_ioctl_queue_enter(struct doca_ucmd *ucmd)
{
	struct doca_queue *queue = ucmd->owner;
	struct doca_queue_enter *arg = ucmd->arg;
	int rc = 0;

	if (arg->flags)
		return -EOPNOTSUPP;
	if (!arg->max_entries)
		return -EINVAL;
	arg->out_entries = 0;
	if (queue->worker)
		doca_worker_wake(queue->worker);
	else
		rc = doca_queue_execute(queue, arg->max_entries,
					&arg->out_entries);
	return rc ?: doca_ucmd_respond(ucmd);
}

static int doca_ioctl_queue_stop(struct doca_ucmd *ucmd)
{
	struct doca_queue_stop *arg = ucmd->arg;

	if (arg->flags)
		return -EOPNOTSUPP;
	doca_queue_raise_state(ucmd->owner, DOCA_QUEUE_FLUSH);
	return 0;
}

static const struct doca_ioctl doca_queue_ioctls[] = {
	DOCA_IOCTL(QUEUE_ENTER, queue_enter, out_entries),
	DOCA_IOCTL(QUEUE_STOP, queue_stop, flags),
};

static long doca_queue_ioctl(struct file *filp, unsigned int cmd,
			     unsigned long arg)
{
	struct doca_queue *queue = filp->private_data;

	return doca_ioctl_dispatch(doca_queue_ioctls,
				   ARRAY_SIZE(doca_queue_ioctls),
				   DOCA_CMD_QUEUE_BASE, queue->file, queue, cmd,
				   arg);
}

static void doca_queue_show_fdinfo(struct seq_file *m, struct file *filp)
{
	struct doca_queue *queue = filp->private_data;
	struct doca_ring *ring = &queue->ring;

	seq_printf(m, "doca-file:\t%u\n", queue->file->id);
	seq_printf(m, "doca-queue:\t%u\n", queue->id);
	seq_printf(m, "doca-device:\t%u\n", queue->device->id);
	seq_printf(m, "doca-state:\t%u%s%s\n", READ_ONCE(queue->state),
		   READ_ONCE(queue->removed) ? " removed" : "",
		   READ_ONCE(queue->closed) ? " closed" : "");
	seq_printf(m, "doca-ring-bytes:\t%zu\n", doca_ring_bytes(ring));
	seq_printf(m, "doca-sq:\tentries %u head %u\n", ring->sq_entries,
		   READ_ONCE(ring->sq_head));
	seq_printf(m, "doca-cq:\tentries %u tail %u published %u head %u (user) %u (seen)\n",
		   ring->cq_entries, READ_ONCE(ring->cq_tail),
		   READ_ONCE(ring->cq_published), READ_ONCE(ring->u->cq_head),
		   READ_ONCE(ring->cq_head));
	seq_printf(m, "doca-notify-at:\t%u (user)\n",
		   READ_ONCE(ring->u->notify_at));
	seq_printf(m, "doca-need-wakeup:\t%u (user)\n",
		   READ_ONCE(ring->k->need_wakeup));
	seq_printf(m, "doca-waits:\t%u of %u\n", READ_ONCE(queue->waits.nr),
		   queue->waits.nr_slots);
	seq_printf(m, "doca-ops:\t%llu\n", READ_ONCE(queue->stats.ops));
	seq_printf(m, "doca-errors:\t%llu\n", READ_ONCE(queue->stats.errors));
	seq_printf(m, "doca-bytes:\t%llu\n", READ_ONCE(queue->stats.bytes));
	seq_printf(m, "doca-wakeups:\t%llu\n", READ_ONCE(queue->stats.wakeups));
	if (queue->worker) {
		struct doca_worker *worker = queue->worker;

		seq_printf(m, "doca-worker:\t%u\n", worker->obj.id);
		seq_printf(m, "doca-worker-pid:\t%d\n",
			   task_pid_vnr(worker->task));
		seq_printf(m, "doca-worker-polling-ns:\t%llu\n",
			   READ_ONCE(worker->polling_ns));
		seq_printf(m, "doca-worker-working-ns:\t%llu\n",
			   READ_ONCE(worker->working_ns));
	}
}

static const struct file_operations doca_queue_fops = {
	.owner = THIS_MODULE,
	.release = doca_queue_release,
	.poll = doca_queue_poll,
	.mmap = doca_queue_mmap,
	.unlocked_ioctl = doca_queue_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.show_fdinfo = doca_queue_show_fdinfo,
};

/* Charge the user for a queue and its rings, and make the rings. */
static int doca_queue_alloc_ring(struct doca_file *file, struct doca_ring *ring,
				 struct doca_queue_create *arg)
{
	u64 bytes;
	int rc;

	rc = doca_ring_size(arg);
	if (rc)
		return rc;
	bytes = (u64)arg->out_user_size + arg->out_kernel_size;
	rc = doca_user_charge(file->user, DOCA_QUOTA_QUEUES, 1);
	if (rc)
		return rc;
	rc = doca_user_charge(file->user, DOCA_QUOTA_RING_BYTES, bytes);
	if (rc)
		goto err_queues;
	rc = doca_ring_alloc(ring, arg);
	if (rc)
		goto err_bytes;
	return 0;

err_bytes:
	doca_user_uncharge(file->user, DOCA_QUOTA_RING_BYTES, bytes);
err_queues:
	doca_user_uncharge(file->user, DOCA_QUOTA_QUEUES, 1);
	return rc;
}

static int doca_queue_alloc_waits(struct doca_file *file,
				  struct doca_waits *waits, u32 nr)
{
	int rc;

	if (nr > DOCA_MAX_WAITS)
		return -EINVAL;
	rc = doca_user_charge(file->user, DOCA_QUOTA_WAITS, nr);
	if (rc)
		return rc;
	rc = doca_waits_init(waits, nr, doca_queue_wake);
	if (rc)
		doca_user_uncharge(file->user, DOCA_QUOTA_WAITS, nr);
	return rc;
}

/* A queue that nobody executes yet and nobody but the caller knows. */
static struct doca_queue *doca_queue_create(struct doca_file *file,
					    struct doca_device *device,
					    struct doca_worker *worker,
					    struct doca_queue_create *arg)
{
	struct doca_queue *queue;
	int rc;

	queue = kzalloc(sizeof(*queue), GFP_KERNEL_ACCOUNT);
	if (!queue)
		return ERR_PTR(-ENOMEM);
	rc = doca_queue_alloc_waits(file, &queue->waits, arg->nr_waits);
	if (rc)
		goto err_free;
	rc = doca_queue_alloc_ring(file, &queue->ring, arg);
	if (rc)
		goto err_waits;
	rc = xa_alloc(&file->queue_ids, &queue->id, NULL, xa_limit_31b,
		      GFP_KERNEL_ACCOUNT);
	if (rc)
		goto err_ring;
	queue->run = worker ? worker->run : doca_run_create(file);
	if (IS_ERR(queue->run)) {
		rc = PTR_ERR(queue->run);
		goto err_id;
	}

	kref_init(&queue->ref);
	spin_lock_init(&queue->lock);
	init_waitqueue_head(&queue->wait);
	INIT_LIST_HEAD(&queue->file_node);
	INIT_LIST_HEAD(&queue->worker_node);
	INIT_LIST_HEAD(&queue->device_user.node);
	INIT_DELAYED_WORK(&queue->looker, doca_queue_looker);
	queue->device_user.removed = doca_queue_device_removed;
	queue->file = doca_file_get(file);
	doca_device_get(device);
	queue->device = device;
	if (worker) {
		kref_get(&worker->obj.ref);
		queue->worker = worker;
	}
	/* Until a worker clears it: ENTER is what executes the queue. */
	queue->ring.k->need_wakeup = 1;
	return queue;

err_id:
	doca_queue_forget_id(file, queue->id);
err_ring:
	doca_queue_free_ring(file, &queue->ring);
err_waits:
	doca_queue_free_waits(file, &queue->waits);
err_free:
	kfree(queue);
	return ERR_PTR(rc);
}

/* Hand the queue to its file, its device and its worker; undone by release. */
static int doca_queue_connect(struct doca_queue *queue)
{
	struct doca_file *file = queue->file;
	int rc;

	mutex_lock(&file->lock);
	list_add_tail(&queue->file_node, &file->queues);
	xa_store(&file->queue_ids, queue->id, queue, GFP_KERNEL);
	doca_files_changed();
	mutex_unlock(&file->lock);
	rc = doca_device_add_user(queue->device, &queue->device_user);
	if (rc)
		return rc;
	return queue->worker ? doca_worker_attach(queue->worker, queue) : 0;
}

static int doca_queue_install(struct doca_queue *queue, struct doca_ucmd *ucmd)
{
	struct doca_queue_create *arg = ucmd->arg;
	struct file *filp;
	int rc;

	arg->out_fd = get_unused_fd_flags(O_CLOEXEC);
	if (arg->out_fd < 0)
		return arg->out_fd;
	rc = doca_ucmd_respond(ucmd);
	if (rc)
		goto err_fd;
	filp = anon_inode_getfile("[doca-queue]", &doca_queue_fops, queue,
				  O_RDWR);
	if (IS_ERR(filp)) {
		rc = PTR_ERR(filp);
		goto err_fd;
	}
	kref_get(&queue->ref); /* the file's */
	rc = doca_queue_connect(queue);
	if (rc)
		goto err_file;
	fd_install(arg->out_fd, filp);
	return 0;

err_file:
	fput(filp);
err_fd:
	put_unused_fd(arg->out_fd);
	return rc;
}

int doca_ioctl_queue_create(struct doca_ucmd *ucmd)
{
	struct doca_queue_create *arg = ucmd->arg;
	struct doca_worker *worker = NULL;
	struct doca_object *obj = NULL;
	struct doca_device *device;
	struct doca_queue *queue;
	int rc;

	if (arg->flags)
		return -EOPNOTSUPP;
	device = doca_device_find(arg->device_id, current->nsproxy->net_ns);
	if (IS_ERR(device))
		return PTR_ERR(device);
	if (arg->worker_id) {
		obj = doca_object_find(ucmd->file, arg->worker_id,
				       DOCA_OBJECT_WORKER);
		rc = PTR_ERR_OR_ZERO(obj);
		if (rc)
			goto out_device;
		worker = container_of(obj, struct doca_worker, obj);
	}

	queue = doca_queue_create(ucmd->file, device, worker, arg);
	rc = PTR_ERR_OR_ZERO(queue);
	if (rc)
		goto out_worker;
	rc = doca_queue_install(queue, ucmd);
	doca_queue_put(queue);
out_worker:
	if (obj)
		doca_object_put(obj);
out_device:
	doca_device_put(device);
	return rc;
}
