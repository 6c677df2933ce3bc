// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Operations in flight: their pools, their references, and how they come back. */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "flight.h"
#include "memory.h"
#include "remote.h"
#include "user.h"
#include "watch.h"

/* Unloading the module waits for the pools. */
static atomic_t doca_nr_pools = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(doca_pools_gone);

static struct doca_flight *doca_pool_slot(const struct doca_pool *pool, u32 i)
{
	return pool->slots + i * pool->stride;
}

/* Return the row that has this number in a pool. */
static const struct doca_op_type *
doca_pool_type(const struct doca_op_type *const *types, u32 row)
{
	return row == DOCA_OP_REMOTE ? doca_remote_ops->type : types[row];
}

static void doca_pool_close_spaces(struct doca_pool *pool)
{
	const struct doca_op_type *type;
	u32 i;

	for (i = 0; i < DOCA_OP_NR; i++) {
		if (!pool->spaces[i])
			continue;
		type = doca_pool_type(pool->types, i);
		if (type->close)
			type->close(pool->spaces[i]);
		kvfree(pool->spaces[i]);
	}
}

static void doca_pool_free(struct doca_pool *pool)
{
	doca_pool_close_spaces(pool);
	kvfree(pool->workspace);
	if (pool->linear)
		free_pages_exact(pool->linear, pool->linear_size);
	kvfree(pool->slots);
	doca_user_uncharge(pool->user, DOCA_QUOTA_RING_BYTES, pool->bytes, 0);
	doca_user_put(pool->user);
	kfree(pool);
	if (atomic_dec_and_test(&doca_nr_pools))
		wake_up(&doca_pools_gone);
}

static void doca_pool_put_work(struct work_struct *work)
{
	doca_pool_free(container_of(work, struct doca_pool, put));
}

static void doca_pool_release(struct kref *ref)
{
	struct doca_pool *pool = container_of(ref, struct doca_pool, ref);

	queue_work(doca_retire_wq, &pool->put);
}

void doca_pool_put(struct doca_pool *pool)
{
	kref_put(&pool->ref, doca_pool_release);
}

void doca_pools_exit(void)
{
	wait_event_idle(doca_pools_gone, !atomic_read(&doca_nr_pools));
	/* Interrupts may still be returning from doca_flight_complete(). */
	synchronize_rcu();
}

/* Return the bytes of a row's space, with its sessions. */
static size_t doca_op_space(const struct doca_op_type *type,
			    const struct doca_op_args *args)
{
	return ALIGN(type->space, sizeof(u64)) +
	       args->nr_sessions * type->session;
}

/* Memory that the rows of a queue need. */
struct doca_pool_size {
	bool starts;
	bool sessions;
	size_t private;
	size_t workspace;
	size_t linear;
	size_t spaces;
};

static struct doca_pool_size
doca_pool_size(const struct doca_op_type *const *types, u64 rows,
	       const struct doca_op_args *args)
{
	struct doca_pool_size size = {};
	u32 i;

	for (i = 0; i < DOCA_OP_NR; i++) {
		const struct doca_op_type *type;

		if (!(rows & BIT_ULL(i)))
			continue;
		type = doca_pool_type(types, i);
		if (!type)
			continue;
		size.starts |= type->start && i != DOCA_OP_REMOTE;
		size.sessions |= !!type->session;
		size.private = max(size.private, type->private);
		size.workspace = max(size.workspace, type->workspace);
		size.linear = max(size.linear, PAGE_ALIGN(type->linear));
		size.spaces += doca_op_space(type, args);
	}
	return size;
}

static int doca_pool_open_spaces(struct doca_pool *pool, u64 rows,
				 const struct doca_op_args *args)
{
	const struct doca_op_type *type;
	void *space;
	int rc = 0;
	u32 i;

	for (i = 0; i < DOCA_OP_NR && !rc; i++) {
		if (!(rows & BIT_ULL(i)))
			continue;
		type = doca_pool_type(pool->types, i);
		if (!type || !doca_op_space(type, args))
			continue;
		space = kvzalloc(doca_op_space(type, args), GFP_KERNEL_ACCOUNT);
		if (!space)
			return -ENOMEM;
		if (type->open)
			rc = type->open(space, args);
		if (rc)
			kvfree(space);
		else
			pool->spaces[i] = space;
	}
	return rc;
}

static int doca_pool_alloc_workspace(struct doca_pool *pool, size_t bytes)
{
	if (!bytes)
		return 0;
	pool->workspace = kvzalloc(bytes, GFP_KERNEL_ACCOUNT);
	return pool->workspace ? 0 : -ENOMEM;
}

/* So many pages may be hard to find, but a queue is made seldom. */
static int doca_pool_alloc_linear(struct doca_pool *pool, size_t bytes)
{
	if (!bytes)
		return 0;
	pool->linear = alloc_pages_exact(bytes, GFP_KERNEL_ACCOUNT | __GFP_ZERO |
							__GFP_RETRY_MAYFAIL |
							__GFP_NOWARN);
	pool->linear_size = bytes;
	return pool->linear ? 0 : -ENOMEM;
}

static int doca_pool_alloc_slots(struct doca_pool *pool)
{
	u32 nr = pool->nr_slots + pool->nr_remote_slots;

	if (!nr)
		return 0;
	pool->slots = kvcalloc(nr, pool->stride, GFP_KERNEL_ACCOUNT);
	return pool->slots ? 0 : -ENOMEM;
}

static struct doca_pool *doca_pool_alloc(struct doca_file *file, u64 bytes)
{
	struct doca_pool *pool;
	int rc;

	rc = doca_user_charge(file->user, DOCA_QUOTA_RING_BYTES, bytes, 0);
	if (rc)
		return ERR_PTR(rc);
	pool = kzalloc(sizeof(*pool), GFP_KERNEL_ACCOUNT);
	if (!pool) {
		doca_user_uncharge(file->user, DOCA_QUOTA_RING_BYTES, bytes, 0);
		return ERR_PTR(-ENOMEM);
	}
	pool->user = doca_user_get(file->user);
	pool->bytes = bytes;
	return pool;
}

struct doca_pool *doca_pool_create(struct doca_file *file,
				   const struct doca_op_type *const *types,
				   u64 opcodes, u32 nr,
				   const struct doca_op_args *args,
				   struct doca_watcher *watcher)
{
	u64 rows = opcodes | (args->nr_remote ? BIT_ULL(DOCA_OP_REMOTE) : 0);
	struct doca_pool_size size = doca_pool_size(types, rows, args);
	size_t stride = sizeof(struct doca_flight) +
			ALIGN(size.private, sizeof(u64));
	struct doca_pool *pool;
	int rc;

	if (args->nr_sessions && !size.sessions)
		return ERR_PTR(-EOPNOTSUPP);
	if (!size.starts && !size.workspace && !size.linear && !size.spaces &&
	    !args->nr_remote)
		return NULL;
	nr = size.starts ? max(nr, 1U) : 0;
	pool = doca_pool_alloc(file, sizeof(*pool) + nr * stride +
					     size.workspace + size.linear +
					     size.spaces);
	if (IS_ERR(pool))
		return pool;
	atomic_inc(&doca_nr_pools);
	kref_init(&pool->ref);
	pool->types = types;
	pool->nr_slots = nr;
	pool->nr_remote_slots = args->nr_remote;
	pool->stride = stride;
	spin_lock_init(&pool->lock);
	INIT_LIST_HEAD(&pool->free);
	INIT_LIST_HEAD(&pool->done);
	INIT_WORK(&pool->put, doca_pool_put_work);
	rc = doca_pool_alloc_slots(pool) ?:
	     doca_pool_alloc_workspace(pool, size.workspace) ?:
	     doca_pool_alloc_linear(pool, size.linear) ?:
	     doca_pool_open_spaces(pool, rows, args) ?:
	     xa_alloc(&file->pools, &pool->id, pool, xa_limit_31b,
		      GFP_KERNEL_ACCOUNT);
	if (rc) {
		doca_pool_free(pool);
		return ERR_PTR(rc);
	}
	pool->watcher = watcher;
	return pool;
}

/* Take any free place; there must be one. Call it under the pool's lock. */
static struct doca_flight *doca_pool_take(struct doca_pool *pool)
{
	struct doca_flight *flight;

	flight = list_first_entry_or_null(&pool->free, struct doca_flight, node);
	if (flight) {
		list_del(&flight->node);
		return flight;
	}
	flight = doca_pool_slot(pool, pool->nr_used);
	WRITE_ONCE(pool->nr_used, pool->nr_used + 1);
	flight->pool = pool;
	return flight;
}

/* Get the count of a row's operations, and its maximum. Call it under the pool's lock. */
static u32 *doca_pool_count(struct doca_pool *pool, u32 row, u32 *max)
{
	bool remote = row == DOCA_OP_REMOTE;

	*max = remote ? pool->nr_remote_slots : pool->nr_slots;
	return remote ? &pool->nr_remote : &pool->nr;
}

/* Do not copy unused segments. */
static void doca_side_copy(struct doca_op_side *to,
			   const struct doca_op_side *from)
{
	memcpy(to, from, offsetof(struct doca_op_side, segs[from->nr]));
}

static void doca_op_copy(struct doca_op *to, const struct doca_op *from)
{
	to->sqe = from->sqe;
	to->length = from->length;
	to->done = from->done;
	to->result[0] = from->result[0];
	to->result[1] = from->result[1];
	to->cursor = from->cursor;
	to->cost = from->cost;
	doca_side_copy(&to->src, &from->src);
	doca_side_copy(&to->dst, &from->dst);
}

struct doca_flight *doca_flight_begin(struct doca_pool *pool, u32 row,
				      const struct doca_op *op)
{
	struct doca_flight *flight = NULL;
	unsigned long flags;
	u32 *nr, max;

	spin_lock_irqsave(&pool->lock, flags);
	nr = doca_pool_count(pool, row, &max);
	if (*nr < max) {
		flight = doca_pool_take(pool);
		flight->state = DOCA_FLIGHT_BEGUN;
		WRITE_ONCE(*nr, *nr + 1);
	}
	spin_unlock_irqrestore(&pool->lock, flags);
	if (!flight)
		return NULL;
	flight->row = row;
	flight->type = doca_pool_type(pool->types, row);
	flight->status = DOCA_STATUS_SUCCESS;
	doca_op_copy(&flight->op, op);
	flight->nr_mappings = 0;
	return flight;
}

void doca_flight_use(struct doca_flight *flight,
		     const struct doca_mapping *mapping)
{
	struct doca_mapping *used = (struct doca_mapping *)mapping;

	if (WARN_ON_ONCE(flight->nr_mappings == ARRAY_SIZE(flight->mappings)))
		return;
	/* Its key was found in this step, so the use of the key table still exists. */
	refcount_inc(&used->uses);
	flight->mappings[flight->nr_mappings++] = used;
}

/* Call it in any context; the last use leaves the rest to a work item. */
static void doca_flight_unuse(struct doca_flight *flight)
{
	struct doca_mapping *mapping;

	while (flight->nr_mappings) {
		mapping = flight->mappings[--flight->nr_mappings];
		if (refcount_dec_and_test(&mapping->uses))
			queue_work(doca_retire_wq, &mapping->end);
	}
}

static void doca_flight_set_free(struct doca_flight *flight)
{
	struct doca_pool *pool = flight->pool;
	u32 max, *nr = doca_pool_count(pool, flight->row, &max);

	flight->state = DOCA_FLIGHT_FREE;
	list_add(&flight->node, &pool->free);
	WRITE_ONCE(*nr, *nr - 1);
}

/* Call it under the pool's lock; the queue must not be closed. */
static void doca_flight_set_done(struct doca_flight *flight)
{
	struct doca_pool *pool = flight->pool;

	flight->state = DOCA_FLIGHT_DONE;
	list_add_tail(&flight->node, &pool->done);
	WRITE_ONCE(pool->due, true);
	pool->watcher->wake(pool->watcher);
}

/* The flight came back to be started again. Call it under the pool's lock. */
static void doca_flight_set_dropped(struct doca_flight *flight)
{
	WARN_ON_ONCE(!flight->type->recall(flight));
	flight->status = DOCA_STATUS_CANCELED;
}

u32 doca_flight_drop(struct doca_flight *flight)
{
	struct doca_pool *pool = flight->pool;
	unsigned long flags;

	spin_lock_irqsave(&pool->lock, flags);
	doca_flight_set_dropped(flight);
	spin_unlock_irqrestore(&pool->lock, flags);
	return flight->status;
}

/*
 * The provider has let go of the flight. Call it under the pool's lock, with a reference
 * to the pool; the caller puts that of the flight.
 */
static void doca_flight_land(struct doca_flight *flight, u32 status)
{
	struct doca_pool *pool = flight->pool;

	lockdep_assert_held(&pool->lock);
	WARN_ON_ONCE(flight->state != DOCA_FLIGHT_BEGUN &&
		     flight->state != DOCA_FLIGHT_AWAY);
	doca_flight_unuse(flight);
	flight->status = status;
	flight->state = DOCA_FLIGHT_DONE;
	if (pool->watcher) {
		doca_flight_set_done(flight);
		return;
	}
	if (status == DOCA_STATUS_START)
		doca_flight_set_dropped(flight);
	doca_flight_set_free(flight);
}

void doca_flight_complete(struct doca_flight *flight, u32 status)
{
	struct doca_pool *pool = flight->pool;
	unsigned long flags;

	spin_lock_irqsave(&pool->lock, flags);
	doca_flight_land(flight, status);
	spin_unlock_irqrestore(&pool->lock, flags);
	doca_pool_put(pool);
}

u32 doca_flight_start(struct doca_flight *flight, struct doca_queue *queue)
{
	struct doca_pool *pool = flight->pool;
	unsigned long flags;
	u32 status;

	kref_get(&pool->ref);
	flight->recalled = false;
	status = flight->type->start(queue, flight);
	spin_lock_irqsave(&pool->lock, flags);
	if (status != DOCA_STATUS_PENDING)
		doca_flight_unuse(flight);
	else if (flight->state == DOCA_FLIGHT_BEGUN)
		flight->state = DOCA_FLIGHT_AWAY;
	spin_unlock_irqrestore(&pool->lock, flags);
	if (status != DOCA_STATUS_PENDING)
		doca_pool_put(pool);
	else if (flight->type->issue)
		pool->unissued |= BIT_ULL(flight->row);
	return status;
}

void doca_pool_issue_all(struct doca_pool *pool)
{
	u64 rows = pool->unissued;
	u32 i;

	for (pool->unissued = 0; rows; rows &= rows - 1) {
		i = __ffs64(rows);
		doca_pool_type(pool->types, i)->issue(pool->spaces[i]);
	}
}

struct doca_flight *doca_pool_next_done(struct doca_pool *pool)
{
	struct doca_flight *flight;
	unsigned long flags;

	spin_lock_irqsave(&pool->lock, flags);
	flight = list_first_entry_or_null(&pool->done, struct doca_flight, node);
	if (flight) {
		list_del(&flight->node);
		flight->state = DOCA_FLIGHT_BEGUN;
	}
	spin_unlock_irqrestore(&pool->lock, flags);
	return flight;
}

void doca_flight_free(struct doca_flight *flight)
{
	struct doca_pool *pool = flight->pool;
	unsigned long flags;

	spin_lock_irqsave(&pool->lock, flags);
	doca_flight_set_free(flight);
	spin_unlock_irqrestore(&pool->lock, flags);
}

void doca_flight_go_on(struct doca_flight *flight)
{
	struct doca_pool *pool = flight->pool;
	unsigned long flags;

	spin_lock_irqsave(&pool->lock, flags);
	doca_flight_set_done(flight);
	spin_unlock_irqrestore(&pool->lock, flags);
}

/* Call it under the pool's lock, with a reference to the pool besides that of the flight. */
static void doca_flight_recall(struct doca_flight *flight)
{
	if (flight->state != DOCA_FLIGHT_AWAY || flight->recalled)
		return;
	flight->recalled = true;
	if (!flight->type->recall || !flight->type->recall(flight))
		return;
	doca_flight_land(flight, DOCA_STATUS_CANCELED);
	doca_pool_put(flight->pool);
}

/* Return true if a key of its memory was retired. Call it under the pool's lock. */
static bool doca_flight_is_revoked(const struct doca_flight *flight)
{
	u32 i;

	if (flight->state != DOCA_FLIGHT_AWAY)
		return false;
	for (i = 0; i < flight->nr_mappings; i++)
		if (READ_ONCE(flight->mappings[i]->dead))
			return true;
	return false;
}

static bool doca_pool_is_idle(const struct doca_pool *pool)
{
	return !READ_ONCE(pool->nr) && !READ_ONCE(pool->nr_remote);
}

/* Lock once for each place, because interrupts are off meanwhile. */
static void doca_pool_recall_some(struct doca_pool *pool, bool all)
{
	unsigned long flags;
	u32 i;

	for (i = 0; i < READ_ONCE(pool->nr_used) && !doca_pool_is_idle(pool); i++) {
		struct doca_flight *flight = doca_pool_slot(pool, i);

		spin_lock_irqsave(&pool->lock, flags);
		if (all || doca_flight_is_revoked(flight))
			doca_flight_recall(flight);
		spin_unlock_irqrestore(&pool->lock, flags);
	}
}

void doca_pool_recall(struct doca_pool *pool)
{
	doca_pool_recall_some(pool, true);
}

/* Return the first pool with a number from *id on, with a reference. */
static struct doca_pool *doca_pool_next(struct doca_file *file,
					unsigned long *id)
{
	struct doca_pool *pool;

	xa_lock(&file->pools);
	pool = xa_find(&file->pools, id, ULONG_MAX, XA_PRESENT);
	if (pool)
		kref_get(&pool->ref);
	xa_unlock(&file->pools);
	++*id;
	return pool;
}

void doca_file_recall(struct doca_file *file)
{
	struct doca_pool *pool;
	unsigned long id = 0;

	while ((pool = doca_pool_next(file, &id))) {
		doca_pool_recall_some(pool, false);
		doca_pool_put(pool);
		cond_resched();
	}
}

void doca_pool_close(struct doca_pool *pool, struct doca_file *file)
{
	struct doca_flight *flight;
	unsigned long flags;

	if (!pool->watcher)
		return;
	xa_erase(&file->pools, pool->id);
	spin_lock_irqsave(&pool->lock, flags);
	pool->watcher = NULL;
	spin_unlock_irqrestore(&pool->lock, flags);
	while ((flight = doca_pool_next_done(pool))) {
		if (flight->status == DOCA_STATUS_START)
			doca_flight_drop(flight);
		doca_flight_free(flight);
	}
	doca_pool_recall(pool);
}
