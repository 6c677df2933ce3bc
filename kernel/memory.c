// SPDX-License-Identifier: GPL-2.0
/* Registered memory: MEM_REG, MEM_DEREG and the three ways in which it dies. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "memory.h"
#include "trace.h"
#include "ucmd.h"

/* Ends grace periods and unpins; unbound, because both can block. */
struct workqueue_struct *doca_wq;

/*
 * Memories that were revoked and not yet unpinned and uncharged. Who finds
 * himself over his limit waits for them, for a moment: he may have freed it
 * just now.
 */
static atomic_t doca_nr_unpinning = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(doca_unpinned);

#define DOCA_UNPIN_PATIENCE HZ

#define DOCA_ACCESS_WRITE_MASK                                                 \
	(DOCA_ACCESS_LOCAL_WRITE | DOCA_ACCESS_PCI_WRITE |                     \
	 DOCA_ACCESS_RDMA_WRITE | DOCA_ACCESS_RDMA_ATOMIC)

static void doca_memory_unpin_work(struct work_struct *work)
{
	struct doca_memory *memory =
		container_of(work, struct doca_memory, unpin);

	if (memory->dmabuf.buf)
		doca_dmabuf_unpin(&memory->dmabuf, &memory->pin);
	else
		doca_unpin(&memory->pin);
	if (atomic_dec_and_test(&doca_nr_unpinning))
		wake_up_all(&doca_unpinned);
	doca_object_put(&memory->obj);
}

/*
 * Dead and without mappings, so for good out of reach: its pages go, whoever
 * still has a reference. Under the memory's lock.
 */
void doca_memory_unpin(struct doca_memory *memory)
{
	lockdep_assert_held(&memory->lock);
	kref_get(&memory->obj.ref);
	queue_work(doca_wq, &memory->unpin);
}

static void doca_memory_release(struct doca_object *obj)
{
	kfree(container_of(obj, struct doca_memory, obj));
}

static void doca_memory_kill(struct doca_memory *memory)
{
	struct doca_export *export;

	spin_lock(&memory->lock);
	if (!memory->dead) {
		trace_doca_mem_revoke(memory);
		atomic_inc(&doca_nr_unpinning);
		WRITE_ONCE(memory->dead, true);
		if (!memory->nr_mappings)
			doca_memory_unpin(memory);
	}
	while ((export = list_first_entry_or_null(&memory->exports,
						  struct doca_export, node))) {
		/* Whoever has a reference keeps it until it is off the list. */
		kref_get(&export->obj.ref);
		spin_unlock(&memory->lock);
		doca_export_revoke(export);
		doca_object_put(&export->obj);
		cond_resched();
		spin_lock(&memory->lock);
	}
	spin_unlock(&memory->lock);
	doca_mapping_set_retire(memory, &memory->mappings);
}

/* Exports of a dead memory are of no use to anybody: give their ids back. */
static void doca_memory_drop_exports(struct doca_file *file,
				     struct doca_memory *memory)
{
	struct doca_export *export;

	spin_lock(&memory->lock);
	while ((export = list_first_entry_or_null(&memory->published,
						  struct doca_export,
						  table_node))) {
		/* On the list it has a reference: the table's, or of who changes that. */
		kref_get(&export->obj.ref);
		list_del_init(&export->table_node);
		spin_unlock(&memory->lock);
		doca_export_drop(file, export);
		doca_object_put(&export->obj);
		cond_resched();
		spin_lock(&memory->lock);
	}
	spin_unlock(&memory->lock);
}

/* The first memory with an id from *id on, with a reference. */
static struct doca_memory *doca_memory_next(struct doca_file *file,
					    unsigned long *id)
{
	struct doca_object *obj =
		doca_object_next(file, id, DOCA_OBJECT_MEMORY);

	++*id;
	return obj ? container_of(obj, struct doca_memory, obj) : NULL;
}

/* All of it is out of reach; whoever still has the file has none. */
void doca_file_kill_memory(struct doca_file *file)
{
	struct doca_memory *memory;
	unsigned long id = 0;

	while ((memory = doca_memory_next(file, &id))) {
		doca_memory_kill(memory);
		doca_object_put(&memory->obj);
	}

	/* That did not wait for anybody, as this may. */
	id = 0;
	while ((memory = doca_memory_next(file, &id))) {
		doca_memory_drop_exports(file, memory);
		if (doca_object_remove(file, &memory->obj))
			doca_object_put(&memory->obj); /* the table's */
		doca_object_put(&memory->obj);
	}
}

static int doca_memory_pin(struct doca_memory *memory,
			   const struct doca_mem_reg *arg,
			   struct doca_pin_limit *limit)
{
	bool writable = arg->access & DOCA_ACCESS_WRITE_MASK;

	if (arg->flags & DOCA_MEM_REG_DMABUF)
		return doca_dmabuf_pin(&memory->dmabuf, &memory->pin, arg,
				       writable, limit);
	return doca_pin(&memory->pin, arg->addr, arg->length, writable, limit);
}

static struct doca_memory *doca_memory_create(const struct doca_mem_reg *arg,
					      struct doca_pin_limit *limit)
{
	bool unpinning = atomic_read(&doca_nr_unpinning);
	struct doca_memory *memory;
	int rc;

	memory = kzalloc(sizeof(*memory), GFP_KERNEL_ACCOUNT);
	if (!memory)
		return ERR_PTR(-ENOMEM);
	rc = doca_memory_pin(memory, arg, limit);
	/* It may have ended since, and so just too late. */
	if (rc == -ENOMEM && unpinning) {
		wait_event_killable_timeout(doca_unpinned,
					    !atomic_read(&doca_nr_unpinning),
					    DOCA_UNPIN_PATIENCE);
		rc = doca_memory_pin(memory, arg, limit);
	}
	if (rc) {
		kfree(memory);
		return ERR_PTR(rc);
	}

	doca_object_init(&memory->obj, DOCA_OBJECT_MEMORY, doca_memory_release);
	memory->addr = arg->addr;
	memory->length = arg->length;
	memory->access = arg->access;
	INIT_WORK(&memory->unpin, doca_memory_unpin_work);
	spin_lock_init(&memory->lock);
	doca_mapping_set_init(&memory->mappings);
	INIT_LIST_HEAD(&memory->exports);
	INIT_LIST_HEAD(&memory->published);
	init_waitqueue_head(&memory->idle);
	return memory;
}

static int doca_mem_reg_check(const struct doca_mem_reg *arg)
{
	u64 last;

	if (arg->flags & ~DOCA_MEM_REG_DMABUF ||
	    arg->access & ~DOCA_ACCESS_MASK)
		return -EOPNOTSUPP;
	if (arg->flags & DOCA_MEM_REG_DMABUF && !doca_dmabuf_is_safe())
		return -EOPNOTSUPP;
	if (!arg->length || !arg->access || arg->__reserved)
		return -EINVAL;
	if (!(arg->flags & DOCA_MEM_REG_DMABUF)) {
		if (arg->dmabuf_fd || arg->dmabuf_offset)
			return -EINVAL;
	} else if (offset_in_page(arg->addr) !=
		   offset_in_page(arg->dmabuf_offset)) {
		return -EINVAL; /* what is aligned must stay so */
	}
	if (check_add_overflow(arg->addr, arg->length - 1, &last))
		return -EOVERFLOW;
	/* The end of the last page must have an address, too. */
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
	memory = doca_memory_create(arg, &limit);
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
	rc = doca_ucmd_respond(ucmd);
	if (rc)
		goto err_abort;
	mutex_lock(&file->lock);
	doca_object_publish(file, &memory->obj);
	mutex_unlock(&file->lock);
	doca_object_put(&memory->obj);
	return 0;

err_abort:
	doca_object_abort(file, &memory->obj);
err_kill:
	doca_memory_kill(memory);
	doca_object_put(&memory->obj);
	return rc;
}

static bool doca_memory_idle(struct doca_memory *memory)
{
	return !READ_ONCE(memory->nr_mappings);
}

int doca_ioctl_mem_dereg(struct doca_ucmd *ucmd)
{
	struct doca_mem_dereg *arg = ucmd->arg;
	struct doca_memory *memory;
	struct doca_object *obj;
	int rc;

	obj = doca_object_find(ucmd->file, arg->mem_id, DOCA_OBJECT_MEMORY);
	if (IS_ERR(obj))
		return PTR_ERR(obj);
	if (!doca_object_remove(ucmd->file, obj)) {
		doca_object_put(obj);
		return -ENOENT;
	}
	doca_object_put(obj); /* the table's */
	memory = container_of(obj, struct doca_memory, obj);

	doca_memory_kill(memory);
	doca_memory_drop_exports(ucmd->file, memory);
	rc = wait_event_killable(memory->idle, doca_memory_idle(memory));
	doca_object_put(obj);
	return rc ? -EINTR : 0;
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
	doca_wq = alloc_workqueue("doca", WQ_UNBOUND, 0);
	if (doca_wq)
		return 0;
	doca_dmabuf_exit();
	return -ENOMEM;
}

void doca_memory_exit(void)
{
	/* A grace period that ends may queue an unpin. */
	destroy_workqueue(doca_wq);
	doca_dmabuf_exit();
}
