// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * A queue's file descriptor: QUEUE_CREATE, mmap, poll, ENTER, STOP, and close; and
 * DEVICE_QUERY, which tells what may be created.
 */
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/nsproxy.h>
#include <linux/pid_namespace.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>

#include "attach.h"
#include "compat.h"
#include "conn.h"
#include "consumer.h"
#include "dma/attach.h"
#include "dma/copy.h"
#include "flight.h"
#include "ioctl.h"
#include "listen.h"
#include "message.h"
#include "nowait.h"
#include "queue.h"
#include "ucmd.h"
#include "worker.h"

static bool doca_file_is_queue(const struct file *filp);

static int doca_queue_release(struct inode *inode, struct file *filp)
{
	struct doca_queue *queue = filp->private_data;

	doca_nowait_begin();
	doca_queue_close(queue);
	/* If the device is telling it of the removal just now, that puts the reference. */
	if (doca_device_forget_user(queue->device, &queue->device_user))
		doca_queue_put(queue);
	doca_queue_put(queue);
	doca_nowait_end();
	return 0;
}

static __poll_t doca_queue_poll(struct file *filp, poll_table *wait)
{
	struct doca_queue *queue = filp->private_data;
	struct doca_ring *ring = &queue->ring;
	__poll_t mask = 0;

	poll_wait(filp, &queue->wait, wait);
	if (doca_ring_reached(ring) ||
	    (queue->endpoint && doca_inbox_reached(&queue->endpoint->inbox)))
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

/* VM_IO keeps debuggers away: let them read. */
static int doca_area_access(struct vm_area_struct *vma, unsigned long addr,
			    void *buf, int len, int write)
{
	const struct doca_area *area = vma->vm_private_data;
	unsigned long offset = addr - vma->vm_start +
			       (vma->vm_pgoff << PAGE_SHIFT);
	unsigned long size = (unsigned long)area->nr_pages << PAGE_SHIFT;
	const void *at;

	if (write || offset >= size)
		return -EACCES;
	/* A part is an answer, too. */
	len = min_t(unsigned long, len, PAGE_SIZE - offset_in_page(offset));
	at = doca_area_at(area, offset);
	if (!at)
		memset(buf, 0, len);
	else
		/* Both sides may write to it meanwhile: any copy is as good as another. */
		data_race(memcpy(buf, at, len));
	return len;
}

static const struct vm_operations_struct doca_area_vm_ops = {
	.fault = doca_area_fault,
	.mremap = doca_area_mremap,
	.access = doca_area_access,
};

static int doca_queue_mmap(struct file *filp, struct vm_area_struct *vma)
{
	/* VM_IO keeps the process from making its children inherit the areas after all. */
	const unsigned long set = VM_IO | VM_DONTEXPAND | VM_DONTCOPY |
				  VM_DONTDUMP;
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
	/* The mapping has a reference to the file, and so to the queue. */
	vma->vm_private_data = (void *)area;
	vma->vm_ops = &doca_area_vm_ops;
	return 0;
}

/* Execute a batch of at most @max entries. Tell whether there may be more. */
static int doca_queue_execute_batch(struct doca_queue *queue, bool stand_in,
				    u32 max, u32 *done, bool *more)
{
	struct doca_budget budget;
	enum doca_batch batch;
	u32 entries, waits;

	if (doca_run_lock_killable(queue->run))
		return -EINTR;
	waits = doca_queue_nr_waiting(queue);
	entries = min_t(u32, max, DOCA_BATCH_ENTRIES);
	budget = (struct doca_budget){
		.entries = entries,
		.length = DOCA_BATCH_LENGTH,
	};
	WRITE_ONCE(queue->resumed, false);
	batch = doca_queue_batch(queue, &budget);
	if (queue->worker && !stand_in)
		doca_worker_stand_aside(queue->worker, queue);
	/* The worker or the poller polls the waits that have begun. */
	if (doca_queue_nr_waiting(queue) > waits)
		doca_queue_wake(queue);
	doca_queue_end_waits(queue);
	*more = batch == DOCA_BATCH_AGAIN || queue->resumed;
	doca_run_unlock(queue->run);
	*done += entries - budget.entries;
	return 0;
}

/*
 * There may be work for hours, so check for signals, the freezer and debuggers
 * after each batch; then the kernel restarts the call. To stand in for a worker is to leave
 * the rest to it when it has begun.
 */
static int doca_queue_execute(struct doca_queue *queue, bool stand_in, u32 max,
			      u32 *done)
{
	int polls = READ_ONCE(queue->waits.nr);
	bool more;
	int rc;

	do {
		rc = doca_queue_execute_batch(queue, stand_in, max - *done,
					      done, &more);
		if (rc)
			return rc;
		polls -= DOCA_WAIT_POLLS;
		if ((!more && polls <= 0) || *done == max)
			return 0;
		if (stand_in && doca_worker_has_begun(queue->worker))
			return 0;
		cond_resched();
	} while (!signal_pending(current));
	return -ERESTARTNOINTR;
}

static int doca_queue_call_worker(struct doca_queue *queue, u32 max, u32 *done)
{
	doca_worker_call(queue->worker);
	if (doca_worker_has_begun(queue->worker))
		return 0;
	return doca_queue_execute(queue, true, max, done);
}

static int doca_ioctl_queue_enter(struct doca_ucmd *ucmd)
{
	struct doca_queue *queue = ucmd->owner;
	struct doca_queue_enter *arg = ucmd->arg;
	struct doca_consumer *consumer;
	int rc = 0;

	if (arg->flags & ~(u32)DOCA_ENTER_EXECUTE)
		return -EOPNOTSUPP;
	if (!arg->max_entries)
		return -EINVAL;
	arg->out_entries = 0;
	if (queue->endpoint)
		doca_endpoint_deliver(queue->endpoint);
	if (queue->opcodes & BIT_ULL(DOCA_OP_POST_RECV)) {
		consumer = doca_endpoint_consumer(queue->endpoint);
		if (consumer)
			arg->out_entries = doca_consumer_enter(consumer);
	} else if (queue->worker && !arg->flags) {
		rc = doca_queue_call_worker(queue, arg->max_entries,
					    &arg->out_entries);
	} else {
		rc = doca_queue_execute(queue, false, arg->max_entries,
					&arg->out_entries);
		/* The poller executes what this call has not. */
		if (READ_ONCE(queue->resumed))
			doca_queue_wake(queue);
		/* The worker may have stood aside meanwhile. */
		if (queue->worker && doca_queue_has_work(queue))
			doca_worker_wake(queue->worker);
	}
	return rc ?: doca_ucmd_respond(ucmd);
}

static int doca_ioctl_queue_stop(struct doca_ucmd *ucmd)
{
	struct doca_queue_stop *arg = ucmd->arg;
	struct doca_queue *queue = ucmd->owner;
	struct doca_consumer *consumer =
		doca_endpoint_consumer(queue->endpoint);

	if (arg->flags)
		return -EOPNOTSUPP;
	doca_queue_raise_state(queue, DOCA_QUEUE_FLUSH);
	if (consumer)
		doca_consumer_stop(consumer, false);
	return 0;
}

static int doca_ioctl_queue_disconnect(struct doca_ucmd *ucmd)
{
	const struct doca_queue_disconnect *arg = ucmd->arg;
	struct doca_queue *queue = ucmd->owner;
	struct doca_conn_end *end;
	bool closed;

	if (arg->flags)
		return -EOPNOTSUPP;
	if (arg->__reserved)
		return -EINVAL;
	if (!queue->endpoint)
		return -ENXIO;
	end = doca_conn_find(queue->endpoint, arg->connection);
	if (!end)
		return -ENOTCONN;
	closed = doca_conn_close(end->conn, end);
	doca_conn_put(end->conn);
	return closed ? 0 : -ENOTCONN;
}

static int doca_ioctl_queue_attach(struct doca_ucmd *ucmd)
{
	const struct doca_queue_attach *arg = ucmd->arg;
	struct file *parent = fget(arg->parent_fd);
	int rc = -EINVAL;

	if (!parent)
		return rc;
	if (doca_file_is_queue(parent))
		rc = doca_attach(ucmd->owner, parent->private_data, ucmd);
	fput(parent);
	return rc;
}

static const struct doca_ioctl doca_queue_ioctls[] = {
	DOCA_IOCTL(QUEUE_ENTER, queue_enter, out_entries),
	DOCA_IOCTL(QUEUE_STOP, queue_stop, flags),
	DOCA_IOCTL(QUEUE_LISTEN, queue_listen, name),
	DOCA_IOCTL(QUEUE_CONNECT, queue_connect, name),
	DOCA_IOCTL(QUEUE_DISCONNECT, queue_disconnect, __reserved),
	DOCA_IOCTL(QUEUE_ATTACH, queue_attach, out_id),
	DOCA_IOCTL(QUEUE_ANNOUNCE, queue_announce, flags),
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
	if (queue->endpoint)
		doca_inbox_show_fdinfo(m, &queue->endpoint->inbox);
	if (queue->pool)
		seq_printf(m, "doca-in-flight:\t%u of %u\n",
			   READ_ONCE(queue->pool->nr), queue->pool->nr_slots);
	seq_printf(m, "doca-ops:\t%llu\n", READ_ONCE(queue->stats.ops));
	seq_printf(m, "doca-errors:\t%llu\n", READ_ONCE(queue->stats.errors));
	seq_printf(m, "doca-bytes:\t%llu\n", READ_ONCE(queue->stats.bytes));
	if (doca_copy_has_engine(queue))
		seq_printf(m, "doca-engine-bytes:\t%llu\n",
			   doca_copy_engine_bytes(queue));
	seq_printf(m, "doca-wakeups:\t%llu\n", READ_ONCE(queue->stats.wakeups));
	if (queue->worker) {
		struct doca_worker *worker = queue->worker;

		seq_printf(m, "doca-worker:\t%u\n", worker->obj.id);
		seq_printf(m, "doca-worker-pid:\t%d\n",
			   doca_thread_pid(&worker->thread,
					   task_active_pid_ns(current)));
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

static bool doca_file_is_queue(const struct file *filp)
{
	return filp->f_op == &doca_queue_fops;
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
	kref_get(&queue->ref); /* the file's reference */
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
	/* A queue that was closed just now may still be charged. */
	if (queue == ERR_PTR(-EDQUOT) && !doca_file_settle(ucmd->file))
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

/* Read the row of the operation, as QUEUE_CREATE does. */
static void doca_op_describe(const struct doca_op_type *type,
			     struct doca_device_query *arg)
{
	const u16 lists = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST;

	arg->out_flags = DOCA_OP_EXECUTED | (type->start ? DOCA_OP_ASYNC : 0) |
			 (type->step ? DOCA_OP_SLICED : 0);
	arg->out_max_src = type->max_src;
	arg->out_max_dst = type->max_dst;
	arg->out_max_segments = type->flags & lists ? DOCA_OP_MAX_SEGMENTS : 1;
	arg->out_step = DOCA_OP_STEP_LENGTH;
	arg->out_workspace = type->workspace + type->linear + type->space;
	arg->out_max_ops = max(type->max_ops, 1U);
	arg->out_variants = type->variants ? type->variants() : 0;
	arg->out_unit = type->unit;
	arg->out_max_block = type->max_block;
	arg->out_max_rows = type->max_rows;
	arg->out_max_columns = type->max_columns;
	arg->__reserved = 0;
}

int doca_ioctl_device_query(struct doca_ucmd *ucmd)
{
	struct doca_device_query *arg = ucmd->arg;
	const struct doca_op_type *type;
	struct doca_engine *engine = NULL;
	struct doca_device *device;
	const char *name = "cpu";
	int rc = -ENOENT;

	if (arg->device_id) {
		device = doca_device_find(arg->device_id,
					  current->nsproxy->net_ns);
		if (IS_ERR(device))
			return PTR_ERR(device);
		engine = doca_device_engine(device);
		doca_device_put(device);
	}
	type = arg->opcode >= DOCA_OP_NR ?
		       NULL :
		       doca_op_type(doca_op_types_of(engine), arg->opcode);
	if (doca_op_is_executed(type)) {
		doca_op_describe(type, arg);
		if (type != doca_op_type(doca_op_types, arg->opcode)) {
			arg->out_flags |= DOCA_OP_ACCELERATED;
			name = doca_engine_name(engine);
		}
		memset(arg->out_name, 0, sizeof(arg->out_name));
		snprintf(arg->out_name, sizeof(arg->out_name), "%s", name);
		rc = doca_ucmd_respond(ucmd);
	}
	if (engine)
		doca_engine_put(engine);
	return rc;
}
