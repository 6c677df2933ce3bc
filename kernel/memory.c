// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Registered memory: MEM_REG, and its end. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "locked.h"
#include "memory.h"
#include "trace.h"
#include "ucmd.h"
#include "user.h"

struct workqueue_struct *doca_unpin_wq;

const struct doca_remote_ops *doca_remote_ops;

/* Includes the smallest table, of one page. Larger ones are proportional to the pinned memory. */
#define DOCA_MEMORY_BYTES                                                      \
	(DOCA_OBJECT_BYTES(struct doca_memory, 1) +                            \
	 doca_user_bytes(sizeof(unsigned long)))

static void doca_memory_unpin_work(struct work_struct *work)
{
	struct doca_memory *memory =
		container_of(work, struct doca_memory, unpin);
	struct doca_user *user = doca_user_get(memory->user);

	/* To a DMA engine that may still write, the pages are lost. */
	if (!memory->unmap || memory->unmap(memory)) {
		memory->ops->unpin(memory);
		doca_object_put(&memory->obj);
	}
	doca_locked_release_end(doca_user_locked(user));
	doca_user_put(user);
}

/*
 * Unpin a memory that is dead and without mappings, so out of reach for good. References
 * do not keep its pages. Call it under the memory's lock.
 */
void doca_memory_unpin(struct doca_memory *memory)
{
	lockdep_assert_held(&memory->lock);
	kref_get(&memory->obj.ref);
	queue_work(doca_unpin_wq, &memory->unpin);
}

bool doca_memory_hold(struct doca_memory *memory)
{
	bool alive;

	spin_lock(&memory->lock);
	alive = !memory->dead;
	if (alive)
		WRITE_ONCE(memory->nr_mappings, memory->nr_mappings + 1);
	spin_unlock(&memory->lock);
	return alive;
}

void doca_memory_leave(struct doca_memory *memory)
{
	WRITE_ONCE(memory->nr_mappings, memory->nr_mappings - 1);
	if (memory->nr_mappings)
		return;
	wake_up_all(&memory->idle);
	if (memory->dead)
		doca_memory_unpin(memory);
}

void doca_memory_unhold(struct doca_memory *memory)
{
	spin_lock(&memory->lock);
	doca_memory_leave(memory);
	spin_unlock(&memory->lock);
}

void doca_memory_die(struct doca_memory *memory)
{
	spin_lock(&memory->lock);
	if (!memory->dead) {
		trace_doca_mem_revoke(memory);
		doca_locked_release_begin(memory->pin.locked);
		WRITE_ONCE(memory->dead, true);
		if (!memory->nr_mappings)
			doca_memory_unpin(memory);
	}
	spin_unlock(&memory->lock);
}

static void doca_memory_free(struct doca_memory *memory)
{
	doca_user_uncharge(memory->user, DOCA_QUOTA_MEMORIES, 1,
			   DOCA_MEMORY_BYTES);
	doca_user_put(memory->user);
	kfree(memory);
}

static void doca_memory_release(struct doca_object *obj)
{
	doca_memory_free(container_of(obj, struct doca_memory, obj));
}

struct doca_memory *doca_memory_next(struct doca_file *file, unsigned long *id)
{
	struct doca_object *obj =
		doca_object_next(file, id, DOCA_OBJECT_MEMORY);

	++*id;
	return obj ? container_of(obj, struct doca_memory, obj) : NULL;
}

/* Return the kind that a registration's flags select, NULL if it is not supported. */
static const struct doca_memory_ops *doca_memory_kind(u32 flags)
{
	switch (flags) {
	case 0:
		return &doca_pages_ops;
	case DOCA_MEM_REG_DMABUF:
		return doca_dmabuf_is_safe() ? &doca_dmabuf_ops : NULL;
	default:
		return NULL;
	}
}

static struct doca_memory *doca_memory_alloc(struct doca_user *user)
{
	struct doca_memory *memory;
	int rc;

	rc = doca_user_charge(user, DOCA_QUOTA_MEMORIES, 1, DOCA_MEMORY_BYTES);
	if (rc)
		return ERR_PTR(rc);
	memory = kzalloc(sizeof(*memory), GFP_KERNEL_ACCOUNT);
	if (!memory) {
		doca_user_uncharge(user, DOCA_QUOTA_MEMORIES, 1,
				   DOCA_MEMORY_BYTES);
		return ERR_PTR(-ENOMEM);
	}
	memory->user = doca_user_get(user);
	memory->pin.locked = doca_user_locked(user);
	return memory;
}

static void doca_memory_init_object(struct doca_memory *memory, u64 addr,
				    u64 length, u32 access)
{
	doca_object_init(&memory->obj, DOCA_OBJECT_MEMORY, doca_memory_release);
	memory->addr = addr;
	memory->length = length;
	memory->access = access;
	INIT_WORK(&memory->unpin, doca_memory_unpin_work);
	doca_watched_init(&memory->watched);
	spin_lock_init(&memory->lock);
	doca_mapping_set_init(&memory->mappings);
	INIT_LIST_HEAD(&memory->exports);
	INIT_LIST_HEAD(&memory->published);
	INIT_LIST_HEAD(&memory->dmamaps);
	init_waitqueue_head(&memory->idle);
}

static struct doca_memory *doca_memory_create(struct doca_user *user,
					      const struct doca_mem_reg *arg,
					      struct doca_pin_limit *limit)
{
	struct doca_memory *memory;
	u32 access = arg->access;
	int rc;

	memory = doca_memory_alloc(user);
	if (IS_ERR(memory))
		return memory;
	memory->ops = doca_memory_kind(arg->flags);
	rc = memory->ops->pin(memory, arg, access & DOCA_ACCESS_WRITE_MASK,
			      limit);
	if (rc) {
		doca_memory_free(memory);
		return ERR_PTR(rc);
	}
	if (!memory->pin.writable)
		access &= ~DOCA_ACCESS_WRITE_MASK;
	doca_memory_init_object(memory, arg->addr, arg->length, access);
	return memory;
}

static void doca_memory_release_remote(struct doca_memory *memory)
{
	doca_remote_ops->release(memory->remote);
}

/*
 * Remote memory is never pinned, and operations here do not reach it: the provider
 * executes them.
 */
static const struct doca_memory_ops doca_memory_remote_ops = {
	.unpin = doca_memory_release_remote,
};

struct doca_memory *doca_memory_create_remote(struct doca_remote *remote)
{
	struct doca_user *user = doca_user_get_current();
	struct doca_memory *memory;

	if (IS_ERR(user))
		return ERR_CAST(user);
	memory = doca_memory_alloc(user);
	doca_user_put(user);
	if (IS_ERR(memory))
		return memory;
	memory->ops = &doca_memory_remote_ops;
	memory->remote = remote;
	doca_memory_init_object(memory, remote->addr, remote->length,
				remote->access);
	return memory;
}

/* A user over a limit may just have freed memory that is still charged. */
static struct doca_memory *
doca_memory_create_patiently(const struct doca_mem_reg *arg,
			     struct doca_pin_limit *limit)
{
	struct doca_user *user = doca_user_get_current();
	struct doca_memory *memory;
	struct doca_locked *locked;
	bool releasing;

	if (IS_ERR(user))
		return ERR_CAST(user);
	locked = doca_user_locked(user);
	/* Read it first: a release may end right after the first attempt has failed. */
	releasing = doca_locked_is_releasing(locked);
	memory = doca_memory_create(user, arg, limit);
	if (releasing && (memory == ERR_PTR(-ENOMEM) ||
			  memory == ERR_PTR(-EDQUOT))) {
		doca_locked_wait(locked);
		memory = doca_memory_create(user, arg, limit);
	}
	doca_user_put(user);
	return memory;
}

static int doca_mem_reg_check(const struct doca_mem_reg *arg)
{
	u64 last;

	if (!doca_memory_kind(arg->flags) || arg->access & ~DOCA_ACCESS_MASK)
		return -EOPNOTSUPP;
	if (!arg->length || !arg->access)
		return -EINVAL;
	if (!(arg->flags & DOCA_MEM_REG_DMABUF)) {
		if (arg->dmabuf_fd || arg->dmabuf_offset)
			return -EINVAL;
	} else if (offset_in_page(arg->addr) !=
		   offset_in_page(arg->dmabuf_offset)) {
		return -EINVAL; /* the alignments in a page must agree */
	}
	if (check_add_overflow(arg->addr, arg->length - 1, &last))
		return -EOVERFLOW;
	/* The end of the last page must have an address as well. */
	if (last > ULONG_MAX - PAGE_SIZE)
		return -EOVERFLOW;
	return 0;
}

int doca_ioctl_mem_reg(struct doca_ucmd *ucmd)
{
	struct doca_pin_limit limit = {};
	struct doca_mem_reg *arg = ucmd->arg;
	struct doca_file *file = ucmd->file;
	struct doca_memory *memory;
	int rc;

	rc = doca_mem_reg_check(arg);
	if (rc)
		return rc;
	memory = doca_memory_create_patiently(arg, &limit);
	arg->out_limit = limit.limit;
	arg->out_used = limit.used;
	if (IS_ERR(memory)) {
		rc = PTR_ERR(memory);
		if (rc == -ENOMEM && doca_ucmd_respond(ucmd))
			rc = -EFAULT;
		return rc;
	}

	rc = doca_object_reserve(file, &memory->obj);
	if (rc)
		goto err_kill;
	trace_doca_mem_reg(memory);
	arg->out_mem_id = memory->obj.id;
	arg->out_access = memory->access;
	rc = doca_ucmd_respond(ucmd);
	if (rc)
		goto err_abort;
	doca_object_publish(file, &memory->obj);
	doca_object_put(&memory->obj);
	return 0;

err_abort:
	doca_object_abort(file, &memory->obj);
err_kill:
	doca_memory_die(memory);
	doca_object_put(&memory->obj);
	return rc;
}

void doca_memory_show_fdinfo(struct seq_file *m, struct doca_file *file)
{
	struct doca_memory *memory;
	unsigned long id = 0;
	u64 nr = 0, pinned = 0, dead = 0;

	while ((memory = doca_memory_next(file, &id))) {
		nr++;
		pinned += (u64)memory->pin.npages << PAGE_SHIFT;
		dead += READ_ONCE(memory->dead);
		doca_object_put(&memory->obj);
	}
	seq_printf(m, "doca-memories:\t%llu\n", nr);
	seq_printf(m, "doca-memories-dead:\t%llu\n", dead);
	seq_printf(m, "doca-pinned-bytes:\t%llu\n", pinned);
}

int doca_memory_init(void)
{
	int rc;

	rc = doca_dmabuf_init();
	if (rc)
		return rc;
	rc = -ENOMEM;
	doca_unpin_wq = alloc_workqueue("doca-unpin", WQ_UNBOUND, 0);
	if (!doca_unpin_wq)
		goto err_dmabuf;
	doca_retire_wq = alloc_workqueue("doca-retire", WQ_UNBOUND, 0);
	if (!doca_retire_wq)
		goto err_unpin;
	return 0;

err_unpin:
	destroy_workqueue(doca_unpin_wq);
err_dmabuf:
	doca_dmabuf_exit();
	return rc;
}

void doca_memory_exit(void)
{
	/* The end of a grace period may queue an unpin. */
	destroy_workqueue(doca_retire_wq);
	destroy_workqueue(doca_unpin_wq);
	doca_dmabuf_exit();
}
