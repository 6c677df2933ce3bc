// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Device memory in files: DM_ALLOC, DM_IMPORT, the end of both, and mmap(). */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/nsproxy.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <linux/xarray.h>

#include <linux/doca.h>

#include "compat.h"
#include "device.h"
#include "dm.h"
#include "ucmd.h"
#include "user.h"

/*
 * All device memory that can be imported, by handle. The array holds no references; its
 * entries are accessed under its lock. Handles are not reused soon.
 */
static DEFINE_XARRAY_FLAGS(doca_dms, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
static u32 doca_next_dm;

#define DOCA_DM_HOLDER_BYTES DOCA_OBJECT_BYTES(struct doca_dm_holder, 1)

static void doca_dm_release(struct kref *ref)
{
	doca_dm_free(container_of(ref, struct doca_dm, ref));
}

static void doca_dm_put(struct doca_dm *dm)
{
	kref_put(&dm->ref, doca_dm_release);
}

static enum doca_quota doca_dm_quota(bool imported)
{
	return imported ? DOCA_QUOTA_IMPORTS : DOCA_QUOTA_OBJECT_BYTES;
}

static void doca_dm_holder_release(struct doca_object *obj)
{
	struct doca_dm_holder *holder =
		container_of(obj, struct doca_dm_holder, obj);
	bool imported = holder->imported;

	doca_dm_put(holder->dm);
	doca_user_uncharge(holder->user, doca_dm_quota(imported), imported,
			   DOCA_DM_HOLDER_BYTES);
	doca_user_put(holder->user);
	kfree(holder);
}

/* Takes over the caller's reference to @dm, even on failure. */
static struct doca_dm_holder *doca_dm_hold(struct doca_file *file,
					   struct doca_dm *dm, bool imported)
{
	struct doca_dm_holder *holder;
	int rc;

	rc = doca_user_charge(file->user, doca_dm_quota(imported), imported,
			      DOCA_DM_HOLDER_BYTES);
	if (rc)
		goto err_put;
	rc = -ENOMEM;
	holder = kzalloc(sizeof(*holder), GFP_KERNEL_ACCOUNT);
	if (!holder)
		goto err_uncharge;
	doca_object_init(&holder->obj, DOCA_OBJECT_DM, doca_dm_holder_release);
	holder->user = doca_user_get(file->user);
	holder->dm = dm;
	holder->imported = imported;
	return holder;

err_uncharge:
	doca_user_uncharge(file->user, doca_dm_quota(imported), imported,
			   DOCA_DM_HOLDER_BYTES);
err_put:
	doca_dm_put(dm);
	return ERR_PTR(rc);
}

/* Allow imports. The handle is there already. */
static void doca_dm_publish(struct doca_dm *dm)
{
	/* The slot is reserved: this needs no memory and cannot fail. */
	xa_store(&doca_dms, dm->handle, dm, GFP_NOWAIT);
}

/* Refuse imports from now on. */
static int doca_dm_unpublish(struct doca_dm *dm, bool unless_imported)
{
	int rc = 0;

	xa_lock(&doca_dms);
	if (dm->freed) {
		rc = -ENOENT;
	} else if (unless_imported && dm->nr_imports) {
		rc = -EBUSY;
	} else {
		dm->freed = true;
		__xa_erase(&doca_dms, dm->handle);
	}
	xa_unlock(&doca_dms);
	return rc;
}

/* Let an import keep the owner from freeing the memory, unless that was faster. */
static int doca_dm_begin_import(struct doca_dm *dm)
{
	int rc = 0;

	xa_lock(&doca_dms);
	if (dm->freed)
		rc = -ENOENT;
	else
		dm->nr_imports++;
	xa_unlock(&doca_dms);
	return rc;
}

static void doca_dm_end_import(struct doca_dm *dm)
{
	xa_lock(&doca_dms);
	dm->nr_imports--;
	xa_unlock(&doca_dms);
}

/*
 * Give the holder an id, copy the answer out, and publish the holder. An import counts
 * when nothing but a DM_FREE can make it fail any more: not while the copy is blocked.
 */
static int doca_dm_install(struct doca_ucmd *ucmd,
			   struct doca_dm_holder *holder, u32 *id, u64 *offset)
{
	struct doca_file *file = ucmd->file;
	int rc;

	rc = doca_object_reserve(file, &holder->obj);
	if (rc)
		return rc;
	*id = holder->obj.id;
	*offset = (u64)holder->obj.id << PAGE_SHIFT;
	rc = doca_ucmd_respond(ucmd);
	if (!rc && holder->imported)
		rc = doca_dm_begin_import(holder->dm);
	if (rc) {
		doca_object_abort(file, &holder->obj);
		return rc;
	}
	if (!holder->imported)
		doca_dm_publish(holder->dm);
	doca_object_publish(file, &holder->obj);
	return 0;
}

int doca_ioctl_dm_query(struct doca_ucmd *ucmd)
{
	struct doca_dm_query *arg = ucmd->arg;
	struct doca_device *device;

	if (arg->__reserved)
		return -EINVAL;
	device = doca_device_find(arg->device_id, current->nsproxy->net_ns);
	if (IS_ERR(device))
		return PTR_ERR(device);
	arg->out_length = doca_dm_pool_size();
	arg->out_free = doca_dm_pool_free(device);
	arg->out_nr = atomic_read(&device->nr_dms);
	doca_device_put(device);
	return doca_ucmd_respond(ucmd);
}

/* Return device memory with a handle that cannot be imported yet. */
static struct doca_dm *doca_dm_create(struct doca_file *file, u32 device_id,
				      u64 length)
{
	struct doca_device *device;
	struct doca_dm *dm;
	int rc;

	device = doca_device_find(device_id, current->nsproxy->net_ns);
	if (IS_ERR(device))
		return ERR_CAST(device);
	dm = doca_dm_alloc(device, file->user, length);
	doca_device_put(device);
	if (IS_ERR(dm))
		return dm;
	rc = xa_alloc_cyclic(&doca_dms, &dm->handle, NULL, xa_limit_31b,
			     &doca_next_dm, GFP_KERNEL_ACCOUNT);
	if (rc < 0) {
		doca_dm_put(dm);
		return ERR_PTR(rc);
	}
	return dm;
}

int doca_ioctl_dm_alloc(struct doca_ucmd *ucmd)
{
	struct doca_dm_alloc *arg = ucmd->arg;
	struct doca_dm_holder *holder;
	struct doca_dm *dm;
	int rc;

	if (arg->flags)
		return -EOPNOTSUPP;
	if (!arg->length || arg->__reserved)
		return -EINVAL;
	dm = doca_dm_create(ucmd->file, arg->device_id, arg->length);
	if (IS_ERR(dm))
		return PTR_ERR(dm);
	arg->out_handle = dm->handle;
	holder = doca_dm_hold(ucmd->file, dm, false);
	rc = PTR_ERR_OR_ZERO(holder);
	if (rc)
		goto err_handle;
	rc = doca_dm_install(ucmd, holder, &arg->out_dm_id, &arg->out_offset);
	doca_object_put(&holder->obj);
	if (rc)
		goto err_handle;
	return 0;

err_handle:
	xa_erase(&doca_dms, arg->out_handle);
	return rc;
}

/* The rule is that of exports. */
static bool doca_dm_permits(const struct doca_dm *dm)
{
	if (dm->user_ns == current_user_ns() && uid_eq(dm->uid, current_euid()))
		return true;
	return ns_capable(dm->user_ns, CAP_SYS_PTRACE);
}

static struct doca_dm *doca_dm_find(u32 handle, u32 device_id)
{
	struct doca_dm *dm;

	xa_lock(&doca_dms);
	dm = xa_load(&doca_dms, handle);
	if (!dm || dm->device->id != device_id ||
	    !kref_get_unless_zero(&dm->ref))
		dm = ERR_PTR(-ENOENT);
	xa_unlock(&doca_dms);
	if (!IS_ERR(dm) && !doca_dm_permits(dm)) {
		doca_dm_put(dm);
		dm = ERR_PTR(-EACCES);
	}
	return dm;
}

int doca_ioctl_dm_import(struct doca_ucmd *ucmd)
{
	struct doca_dm_import *arg = ucmd->arg;
	struct doca_dm_holder *holder;
	struct doca_device *device;
	struct doca_dm *dm;
	int rc;

	if (arg->flags)
		return -EOPNOTSUPP;
	if (arg->__reserved)
		return -EINVAL;
	device = doca_device_find(arg->device_id, current->nsproxy->net_ns);
	if (IS_ERR(device))
		return PTR_ERR(device);
	doca_device_put(device);
	dm = doca_dm_find(arg->handle, arg->device_id);
	if (IS_ERR(dm))
		return PTR_ERR(dm);
	arg->out_length = dm->length;
	holder = doca_dm_hold(ucmd->file, dm, true);
	if (IS_ERR(holder))
		return PTR_ERR(holder);
	rc = doca_dm_install(ucmd, holder, &arg->out_dm_id, &arg->out_offset);
	doca_object_put(&holder->obj);
	return rc;
}

/* Return true if this call has taken it out of the table. */
static bool doca_dm_drop(struct doca_file *file, struct doca_dm_holder *holder)
{
	if (!doca_object_remove(file, &holder->obj))
		return false;
	if (holder->imported)
		doca_dm_end_import(holder->dm);
	doca_object_put(&holder->obj); /* the table's reference */
	return true;
}

int doca_dm_destroy(struct doca_file *file, struct doca_object *obj)
{
	struct doca_dm_holder *holder =
		container_of(obj, struct doca_dm_holder, obj);
	int rc = 0;

	if (!holder->imported)
		rc = doca_dm_unpublish(holder->dm, true);
	if (!rc && !doca_dm_drop(file, holder))
		rc = -ENOENT;
	return rc;
}

void doca_file_kill_dms(struct doca_file *file)
{
	struct doca_dm_holder *holder;
	struct doca_object *obj;
	unsigned long id = 0;

	while ((obj = doca_object_next(file, &id, DOCA_OBJECT_DM))) {
		id++;
		holder = container_of(obj, struct doca_dm_holder, obj);
		if (!holder->imported)
			doca_dm_unpublish(holder->dm, false);
		doca_dm_drop(file, holder);
		doca_object_put(obj);
		cond_resched();
	}
}

static void doca_dm_vm_open(struct vm_area_struct *vma)
{
	struct doca_dm *dm = vma->vm_private_data;

	kref_get(&dm->ref);
}

static void doca_dm_vm_close(struct vm_area_struct *vma)
{
	doca_dm_put(vma->vm_private_data);
}

/*
 * Pages come by faults only, so that a child has none. A fault of a child, which has the
 * mapping after MADV_DOFORK, is refused.
 */
static vm_fault_t doca_dm_vm_fault(struct vm_fault *vmf)
{
	const struct vm_area_struct *vma = vmf->vma;
	const struct doca_file *file = vma->vm_file->private_data;
	const struct doca_dm *dm = vma->vm_private_data;

	if (vma->vm_mm != file->mm || vmf->pgoff >= dm->npages)
		return VM_FAULT_SIGBUS;
	vmf->page = dm->pages[vmf->pgoff];
	get_page(vmf->page);
	return 0;
}

static const struct vm_operations_struct doca_dm_vm_ops = {
	.open = doca_dm_vm_open,
	.close = doca_dm_vm_close,
	.fault = doca_dm_vm_fault,
};

static int doca_dm_map(struct doca_dm *dm, struct vm_area_struct *vma)
{
	if (vma_pages(vma) != dm->npages)
		return -EINVAL;
	/* The offset has selected the memory; it is not an offset into the pages. */
	vma->vm_pgoff = 0;
	doca_vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTCOPY, VM_MAYEXEC);
	kref_get(&dm->ref);
	vma->vm_private_data = dm;
	vma->vm_ops = &doca_dm_vm_ops;
	return 0;
}

int doca_dm_mmap(struct doca_file *file, struct vm_area_struct *vma)
{
	struct doca_object *obj;
	int rc;

	if (current->mm != file->mm)
		return -EPERM;
	if (!(vma->vm_flags & VM_SHARED) || vma->vm_pgoff > INT_MAX)
		return -EINVAL;
	if (vma->vm_flags & VM_EXEC)
		return -EPERM;
	obj = doca_object_find(file, vma->vm_pgoff, DOCA_OBJECT_DM);
	if (IS_ERR(obj))
		return -EINVAL;
	rc = doca_dm_map(container_of(obj, struct doca_dm_holder, obj)->dm, vma);
	doca_object_put(obj);
	return rc;
}
