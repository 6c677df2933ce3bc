// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Make a queue, charge for it, hand it to its executor, and close it. */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "attach.h"
#include "conn.h"
#include "dma/attach.h"
#include "endpoint.h"
#include "flight.h"
#include "listen.h"
#include "op_object.h"
#include "poller.h"
#include "queue.h"
#include "remote.h"
#include "user.h"
#include "worker.h"

/* Have the executor poll the waits. */
static void doca_queue_wake_executor(struct doca_watcher *watcher)
{
	struct doca_queue *queue =
		container_of(watcher, struct doca_queue, waits.watcher);

	if (queue->worker)
		doca_worker_wake(queue->worker);
	else if (queue->poller)
		doca_poller_wake(queue->poller);
	else if (doca_remote_ops)
		doca_remote_ops->wake(queue);
}

/* It listens no longer, and its connections are closed. Does not wait. */
static void doca_queue_end_endpoint(struct doca_endpoint *endpoint, bool hears)
{
	doca_endpoint_kill(endpoint);
	doca_listen_end(endpoint);
	doca_conn_close_all(endpoint, hears);
	doca_attach_end(endpoint, hears);
}

/* The executor completes submissions as canceled. */
static void doca_queue_device_removed(struct doca_device_user *user)
{
	struct doca_queue *queue =
		container_of(user, struct doca_queue, device_user);

	doca_queue_set_removed(queue);
	if (queue->endpoint)
		doca_queue_end_endpoint(queue->endpoint, true);
	doca_queue_put(queue);
}

static u64 doca_waits_bytes(u32 nr)
{
	return doca_user_bytes((size_t)nr * sizeof(struct doca_wait_slot));
}

static void doca_queue_free_waits(struct doca_file *file,
				  struct doca_waits *waits)
{
	doca_user_uncharge(file->user, DOCA_QUOTA_WAITS, waits->nr_slots,
			   doca_waits_bytes(waits->nr_slots));
	doca_waits_free(waits);
}

/* Includes the open file, and the kernel's mappings of the two areas of the rings. */
#define DOCA_QUEUE_BYTES                                                       \
	(DOCA_OBJECT_BYTES(struct doca_queue, 2) +                             \
	 doca_user_bytes(sizeof(struct doca_run)) +                            \
	 doca_user_bytes(sizeof(struct file)) +                                \
	 doca_user_bytes(sizeof(struct dentry)) +                              \
	 2 * doca_user_bytes(sizeof(struct vm_struct)) +                       \
	 2 * doca_user_bytes(sizeof(struct vmap_area)))

/* Return the bytes of the page tables of both areas. */
static u64 doca_ring_notes(u64 bytes)
{
	return 2 * (bytes >> PAGE_SHIFT) * sizeof(struct page *);
}

static void doca_queue_uncharge_ring(struct doca_file *file, u64 bytes)
{
	doca_user_uncharge(file->user, DOCA_QUOTA_RING_BYTES, bytes,
			   doca_ring_notes(bytes));
	doca_user_uncharge(file->user, DOCA_QUOTA_QUEUES, 1, DOCA_QUEUE_BYTES);
}

static void doca_queue_free_ring(struct doca_file *file, struct doca_ring *ring)
{
	doca_queue_uncharge_ring(file, doca_ring_bytes(ring));
	doca_ring_free(ring);
}

static void doca_queue_forget_id(struct doca_file *file, u32 id)
{
	spin_lock(&file->lock);
	xa_erase(&file->queue_ids, id);
	doca_files_changed();
	spin_unlock(&file->lock);
}

/* The pool lives on until all flights have come back. */
static void doca_queue_free_pool(struct doca_queue *queue)
{
	if (!queue->pool)
		return;
	doca_pool_close(queue->pool, queue->file);
	doca_pool_put(queue->pool);
}

static void doca_queue_free(struct kref *ref)
{
	struct doca_queue *queue = container_of(ref, struct doca_queue, ref);

	doca_queue_forget_id(queue->file, queue->id);
	doca_queue_free_pool(queue);
	if (queue->endpoint) {
		doca_attach_free(queue->endpoint);
		doca_endpoint_free(queue->endpoint);
	}
	doca_queue_free_waits(queue->file, &queue->waits);
	doca_queue_free_ring(queue->file, &queue->ring);
	if (queue->worker)
		doca_object_put(&queue->worker->obj);
	else
		doca_run_remove(queue->file, queue->run);
	if (queue->poller)
		doca_poller_put(queue->poller);
	doca_device_put(queue->device);
	doca_file_put(queue->file);
	kfree(queue);
}

/*
 * Call it in the run section, when there will be no further step. Its object stays held: a thread
 * that visits the section cannot sleep.
 */
static void doca_queue_drop_op(struct doca_queue *queue)
{
	struct doca_op *op = &queue->op;

	if (op->type && op->type->cancel)
		op->type->cancel(queue, op);
	WRITE_ONCE(op->type, NULL);
}

/* In the run section, out of which nothing executes it any more. */
static void doca_queue_end(struct doca_run_work *work)
{
	struct doca_queue *queue = container_of(work, struct doca_queue, end);

	if (queue->worker)
		doca_worker_detach(queue->worker, queue);
	doca_queue_drop_op(queue);
	if (queue->pool)
		doca_pool_close(queue->pool, queue->file);
	WRITE_ONCE(queue->nr_flights, 0);
	if (queue->endpoint)
		doca_attach_close(queue->endpoint);
}

/* There may be many waits: nobody polls them any more. */
static void doca_queue_ended(struct doca_run_work *work)
{
	struct doca_queue *queue = container_of(work, struct doca_queue, end);

	doca_op_object_put(&queue->op);
	doca_waits_drop(&queue->waits);
	doca_queue_put(queue);
}

static bool doca_queue_is_first_to_end(struct doca_queue *queue)
{
	bool first;

	spin_lock(&queue->lock);
	first = !queue->ending;
	queue->ending = true;
	spin_unlock(&queue->lock);
	return first;
}

void doca_queue_close(struct doca_queue *queue)
{
	if (!doca_queue_is_first_to_end(queue))
		return;
	doca_queue_orphan(queue);
	if (queue->poller)
		doca_poller_detach(queue->poller, queue);
	if (queue->endpoint)
		doca_queue_end_endpoint(queue->endpoint, false);
	kref_get(&queue->ref);
	doca_run_do(queue->run, &queue->end);
}

struct doca_queue *doca_queue_next(struct doca_file *file, unsigned long *id)
{
	struct doca_queue *queue;

	spin_lock(&file->lock);
	for (; (queue = xa_find(&file->queue_ids, id, ULONG_MAX, XA_PRESENT)); ++*id)
		/* It may just be freed. */
		if (kref_get_unless_zero(&queue->ref))
			break;
	spin_unlock(&file->lock);
	return queue;
}

void doca_file_kill_queues(struct doca_file *file)
{
	struct doca_queue *queue;
	unsigned long id = 0;

	for (; (queue = doca_queue_next(file, &id)); id++) {
		doca_queue_close(queue);
		doca_queue_put(queue);
	}
}

/* Charge the user for a queue and its rings, and make the rings. */
static int doca_queue_alloc_ring(struct doca_file *file, struct doca_ring *ring,
				 struct doca_queue_create *arg)
{
	u64 bytes;
	int rc;

	rc = doca_inbox_check(arg) ?: doca_ring_size(arg);
	if (rc)
		return rc;
	bytes = (u64)arg->out_user_size + arg->out_kernel_size;
	rc = doca_user_charge(file->user, DOCA_QUOTA_QUEUES, 1, DOCA_QUEUE_BYTES);
	if (rc)
		return rc;
	rc = doca_user_charge(file->user, DOCA_QUOTA_RING_BYTES, bytes,
			      doca_ring_notes(bytes));
	if (rc) {
		doca_user_uncharge(file->user, DOCA_QUOTA_QUEUES, 1,
				   DOCA_QUEUE_BYTES);
		return rc;
	}
	rc = doca_ring_alloc(ring, arg);
	if (rc)
		doca_queue_uncharge_ring(file, bytes);
	return rc;
}

static int doca_queue_alloc_waits(struct doca_file *file,
				  struct doca_waits *waits, u32 nr)
{
	int rc;

	if (nr > DOCA_MAX_WAITS)
		return -EINVAL;
	rc = doca_user_charge(file->user, DOCA_QUOTA_WAITS, nr,
			      doca_waits_bytes(nr));
	if (rc)
		return rc;
	rc = doca_waits_init(waits, nr, doca_queue_wake_executor);
	if (rc)
		doca_user_uncharge(file->user, DOCA_QUOTA_WAITS, nr,
				   doca_waits_bytes(nr));
	return rc;
}

/* Senders execute a consumer; a producer sends in order. */
static bool doca_queue_may_receive(const struct doca_queue_create *arg)
{
	const u64 consumes = BIT_ULL(DOCA_OP_POST_RECV);

	if (arg->opcodes & DOCA_OP_ENDPOINTS && !arg->inbox_entries)
		return false;
	if (arg->opcodes & consumes &&
	    (arg->opcodes != consumes || arg->worker_id))
		return false;
	return !(arg->opcodes & BIT_ULL(DOCA_OP_SEND_TO)) || arg->nr_ops <= 1;
}

/* Make memory for the operations that it executes. */
static int doca_queue_alloc_pool(struct doca_queue *queue, struct doca_file *file,
				 struct doca_device *device,
				 const struct doca_queue_create *arg)
{
	struct doca_op_args args = {
		.nr_sessions = arg->nr_sessions,
		.nr_remote = doca_remote_places(arg->cq_entries),
	};
	u64 executed;

	if (arg->nr_ops > DOCA_MAX_OPS || arg->nr_sessions > DOCA_MAX_SESSIONS)
		return -EINVAL;
	if (!doca_queue_may_receive(arg))
		return -EINVAL;
	args.engine = doca_device_engine(device);
	queue->types = doca_op_types_of(args.engine);
	queue->nr_sessions = args.nr_sessions;
	queue->opcodes = arg->opcodes ?: DOCA_OP_DEFAULT;
	executed = doca_op_executed(queue->types, queue->opcodes);
	queue->plain = queue->opcodes & BIT_ULL(DOCA_OP_MEMCPY) &&
				       queue->types == doca_op_types ?
			       DOCA_OP_MEMCPY :
			       U32_MAX;
	queue->pool = queue->opcodes & ~executed ?
			      ERR_PTR(-EOPNOTSUPP) :
			      doca_pool_create(file, queue->types,
					       queue->opcodes, arg->nr_ops,
					       &args, &queue->waits.watcher);
	/* If it copies for the queue, the operation's space has a reference of its own. */
	if (args.engine)
		doca_engine_put(args.engine);
	return PTR_ERR_OR_ZERO(queue->pool);
}

/* Fill in the rest, which cannot fail. */
static void doca_queue_init(struct doca_queue *queue, struct doca_file *file,
			    struct doca_device *device,
			    struct doca_worker *worker)
{
	kref_init(&queue->ref);
	queue->release = doca_queue_free;
	spin_lock_init(&queue->lock);
	init_waitqueue_head(&queue->wait);
	INIT_LIST_HEAD(&queue->worker_node);
	INIT_LIST_HEAD(&queue->device_user.node);
	INIT_LIST_HEAD(&queue->poller_node);
	queue->device_user.removed = doca_queue_device_removed;
	queue->end.func = doca_queue_end;
	queue->end.done = doca_queue_ended;
	queue->file = doca_file_get(file);
	doca_device_get(device);
	queue->device = device;
	if (worker) {
		kref_get(&worker->obj.ref);
		queue->worker = worker;
	}
	/* Until a worker clears it, ENTER executes the queue. */
	queue->ring.k->need_wakeup = 1;
}

struct doca_queue *doca_queue_create(struct doca_file *file,
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
	queue->file = file; /* the reference is taken at the end */
	queue->endpoint = doca_endpoint_create(queue, file, arg);
	if (IS_ERR(queue->endpoint)) {
		rc = PTR_ERR(queue->endpoint);
		goto err_ring;
	}
	rc = doca_queue_alloc_pool(queue, file, device, arg);
	if (rc)
		goto err_endpoint;
	rc = xa_alloc(&file->queue_ids, &queue->id, NULL, xa_limit_31b,
		      GFP_KERNEL_ACCOUNT);
	if (rc)
		goto err_pool;
	queue->run = worker ? worker->run : doca_run_create(file);
	if (IS_ERR(queue->run)) {
		rc = PTR_ERR(queue->run);
		goto err_id;
	}

	if (!worker && (arg->nr_waits ||
			(queue->pool && queue->pool->nr_slots))) {
		queue->poller = doca_poller_get(file);
		if (IS_ERR(queue->poller)) {
			rc = PTR_ERR(queue->poller);
			goto err_run;
		}
	}

	doca_queue_init(queue, file, device, worker);
	return queue;

err_run:
	doca_run_remove(file, queue->run);
err_id:
	doca_queue_forget_id(file, queue->id);
err_pool:
	doca_queue_free_pool(queue);
err_endpoint:
	if (queue->endpoint)
		doca_endpoint_free(queue->endpoint);
err_ring:
	doca_queue_free_ring(file, &queue->ring);
err_waits:
	doca_queue_free_waits(file, &queue->waits);
err_free:
	kfree(queue);
	return ERR_PTR(rc);
}

int doca_queue_connect(struct doca_queue *queue)
{
	struct doca_file *file = queue->file;
	int rc;

	spin_lock(&file->lock);
	/* The slot is reserved: this needs no memory and cannot fail. */
	xa_store(&file->queue_ids, queue->id, queue, GFP_NOWAIT);
	doca_files_changed();
	spin_unlock(&file->lock);
	kref_get(&queue->ref);
	rc = doca_device_add_user(queue->device, &queue->device_user);
	if (rc) {
		doca_queue_put(queue);
		return rc;
	}
	if (queue->worker)
		return doca_worker_attach(queue->worker, queue);
	return queue->poller ? doca_poller_attach(queue->poller, queue) : 0;
}
