// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Exports: revocable capabilities on memory. The blob is the capability; only the id of
 * the export is read from it.
 */
#include <crypto/algapi.h>
#include <linux/build_bug.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "memory.h"
#include "nowait.h"
#include "trace.h"
#include "ucmd.h"
#include "user.h"

/*
 * All exports that are not revoked, by the id in their blobs. The array holds no
 * references; its entries are accessed under its lock. Ids are not reused soon, so that
 * an administrator revokes the export that was listed.
 */
static DEFINE_XARRAY_FLAGS(doca_exports, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
static u32 doca_next_export;

/* Distinguishes blobs of this load of the module from all others. */
static u8 doca_kernel_id[sizeof_field(struct doca_blob, kernel_id)];

void doca_export_init(void)
{
	static_assert(sizeof(struct doca_blob) == DOCA_BLOB_SIZE);
	get_random_bytes(doca_kernel_id, sizeof(doca_kernel_id));
}

u8 *doca_export_identity(void)
{
	return doca_kernel_id;
}

/* Ids in blobs are so sparse that an export may need two nodes of the array for itself. */
#define DOCA_EXPORT_BYTES DOCA_OBJECT_BYTES(struct doca_export, 3)

static void doca_export_release(struct doca_object *obj)
{
	struct doca_export *export = container_of(obj, struct doca_export, obj);

	put_user_ns(export->user_ns);
	doca_device_put(export->device);
	doca_object_put(&export->memory->obj);
	doca_user_uncharge(export->user, DOCA_QUOTA_OBJECT_BYTES,
			   DOCA_EXPORT_BYTES, 0);
	doca_user_put(export->user);
	kfree_sensitive(export);
}

/* Make the blob worthless, and retire the mappings made from it. */
void doca_export_revoke(struct doca_export *export, unsigned int *tries)
{
	struct doca_memory *memory = export->memory;
	bool first;

	spin_lock(&memory->lock);
	first = !export->revoked;
	WRITE_ONCE(export->revoked, true);
	list_del_init(&export->node);
	spin_unlock(&memory->lock);
	if (!first)
		return;

	trace_doca_export_revoke(export);
	doca_files_changed();
	/* Compare: if it was never published, another export may have the id by now. */
	xa_cmpxchg(&doca_exports, export->global_id, export, NULL, GFP_KERNEL);
	doca_mapping_set_retire(memory, &export->imports, tries);
}

static void doca_export_device_removed(struct doca_device_user *user)
{
	struct doca_export *export =
		container_of(user, struct doca_export, device_user);

	doca_export_revoke(export, NULL);
	doca_object_put(&export->obj);
}

/* If the device is telling it of the removal just now, that puts the reference. */
static void doca_export_forget_device(struct doca_export *export)
{
	if (doca_device_forget_user(export->device, &export->device_user))
		doca_object_put(&export->obj);
}

/* Revoke it and take it out of the file's table. The caller's reference stays. */
void doca_export_drop(struct doca_file *file, struct doca_export *export)
{
	unsigned int tries = DOCA_RETIRE_TRIES;

	/* Revoke first: a caller that finds the id gone may rely on the revocation. */
	doca_export_revoke(export, &tries);
	if (!doca_object_remove(file, &export->obj))
		return;
	spin_lock(&export->memory->lock);
	list_del_init(&export->table_node);
	spin_unlock(&export->memory->lock);
	doca_export_forget_device(export);
	doca_user_uncharge(file->user, DOCA_QUOTA_EXPORTS, 1, 0);
	doca_object_put(&export->obj);
}

static void doca_export_fill_blob(struct doca_export *export)
{
	struct doca_memory *memory = export->memory;
	struct doca_blob *blob = &export->blob;
	/* Write access includes read access. */
	u32 access = DOCA_ACCESS_PCI_READ |
		     (memory->access & DOCA_ACCESS_PCI_WRITE);

	blob->magic = cpu_to_le32(DOCA_BLOB_MAGIC);
	blob->version = cpu_to_le16(DOCA_BLOB_VERSION);
	blob->kind = cpu_to_le16(DOCA_BLOB_PCI);
	memcpy(blob->kernel_id, doca_kernel_id, sizeof(blob->kernel_id));
	blob->device_guid = cpu_to_le64(export->device->guid);
	blob->device_id = cpu_to_le32(export->device->id);
	blob->access = cpu_to_le32(access);
	blob->addr = cpu_to_le64(memory->addr);
	blob->length = cpu_to_le64(memory->length);
	blob->export_id = cpu_to_le64(export->global_id);
	get_random_bytes(blob->secret, sizeof(blob->secret));
}

/* Make an export that has its global id, but cannot be found yet. */
static struct doca_export *doca_export_create(struct doca_mapping *mapping,
					      u32 flags)
{
	struct doca_user *user = mapping->file->user;
	struct doca_export *export;
	int rc;

	rc = doca_user_charge(user, DOCA_QUOTA_OBJECT_BYTES, DOCA_EXPORT_BYTES,
			      0);
	if (rc)
		return ERR_PTR(rc);
	rc = -ENOMEM;
	export = kzalloc(sizeof(*export), GFP_KERNEL_ACCOUNT);
	if (!export)
		goto err_uncharge;
	rc = xa_alloc_cyclic(&doca_exports, &export->global_id, NULL,
			     xa_limit_31b, &doca_next_export,
			     GFP_KERNEL_ACCOUNT);
	if (rc < 0)
		goto err_free;

	export->user = doca_user_get(user);
	doca_object_init(&export->obj, DOCA_OBJECT_EXPORT, doca_export_release);
	kref_get(&mapping->memory->obj.ref);
	export->memory = mapping->memory;
	doca_device_get(mapping->device);
	export->device = mapping->device;
	export->device_user.removed = doca_export_device_removed;
	export->uid = current_euid();
	export->user_ns = get_user_ns(current_user_ns());
	export->flags = flags;
	INIT_LIST_HEAD(&export->node);
	INIT_LIST_HEAD(&export->table_node);
	doca_mapping_set_init(&export->imports);
	doca_export_fill_blob(export);
	return export;

err_free:
	kfree(export);
err_uncharge:
	doca_user_uncharge(user, DOCA_QUOTA_OBJECT_BYTES, DOCA_EXPORT_BYTES, 0);
	return ERR_PTR(rc);
}

/* The last step: holders of the blob can import from here on. */
static int doca_export_publish(struct doca_file *file,
			       struct doca_export *export)
{
	struct doca_memory *memory = export->memory;
	int rc;

	kref_get(&export->obj.ref);
	rc = doca_device_add_user(export->device, &export->device_user);
	if (rc) {
		doca_object_put(&export->obj);
		return rc;
	}

	spin_lock(&memory->lock);
	if (memory->dead || export->revoked) {
		rc = export->revoked ? -ENODEV : -ENOENT;
	} else {
		list_add_tail(&export->node, &memory->exports);
		list_add_tail(&export->table_node, &memory->published);
		/* The slot is reserved: this needs no memory and cannot fail. */
		xa_store(&doca_exports, export->global_id, export, GFP_NOWAIT);
		doca_object_publish(file, &export->obj);
	}
	spin_unlock(&memory->lock);

	if (rc)
		doca_export_forget_device(export);
	return rc;
}

static int doca_export_install(struct doca_ucmd *ucmd,
			       struct doca_export *export)
{
	struct doca_mem_export *arg = ucmd->arg;
	struct doca_file *file = ucmd->file;
	int rc;

	rc = doca_user_charge(file->user, DOCA_QUOTA_EXPORTS, 1, 0);
	if (rc)
		return rc;
	rc = doca_object_reserve(file, &export->obj);
	if (rc)
		goto err_uncharge;
	arg->out_export_id = export->obj.id;
	rc = doca_ucmd_respond(ucmd);
	if (!rc && copy_to_user(u64_to_user_ptr(arg->blob), &export->blob,
				sizeof(export->blob)))
		rc = -EFAULT;
	if (!rc)
		rc = doca_export_publish(file, export);
	if (rc)
		goto err_abort;
	return 0;

err_abort:
	doca_object_abort(file, &export->obj);
err_uncharge:
	doca_user_uncharge(file->user, DOCA_QUOTA_EXPORTS, 1, 0);
	return rc;
}

int doca_ioctl_mem_export(struct doca_ucmd *ucmd)
{
	const u32 pci = DOCA_ACCESS_PCI_READ | DOCA_ACCESS_PCI_WRITE;
	struct doca_mem_export *arg = ucmd->arg;
	struct doca_mapping *mapping;
	struct doca_export *export;
	int rc;

	if (arg->flags & ~DOCA_EXPORT_ANY_USER)
		return -EOPNOTSUPP;
	if (arg->__reserved)
		return -EINVAL;
	if (arg->blob_size < DOCA_BLOB_SIZE)
		return -EMSGSIZE;

	mapping = doca_mapping_find(ucmd->file, arg->key);
	if (IS_ERR(mapping))
		return PTR_ERR(mapping);
	rc = -EPERM;
	if (mapping->export)
		goto out;
	rc = -EACCES;
	if (!(mapping->memory->access & pci))
		goto out;

	export = doca_export_create(mapping, arg->flags);
	rc = PTR_ERR_OR_ZERO(export);
	if (rc)
		goto out;
	rc = doca_export_install(ucmd, export);
	if (rc)
		xa_erase(&doca_exports, export->global_id);
	else
		trace_doca_mem_export(export);
	doca_object_put(&export->obj);
out:
	doca_mapping_put(mapping);
	return rc;
}

static bool doca_export_idle(struct doca_export *export)
{
	return !READ_ONCE(export->imports.nr);
}

int doca_export_destroy(struct doca_file *file, struct doca_object *obj)
{
	struct doca_export *export = container_of(obj, struct doca_export, obj);

	doca_export_drop(file, export);
	return wait_event_killable(export->imports.idle,
				   doca_export_idle(export)) ?
		       -EINTR :
		       0;
}

/* Return a reference, or NULL if no export has this id, or it is revoked. */
static struct doca_export *doca_export_get(u32 global_id)
{
	struct doca_export *export;

	xa_lock(&doca_exports);
	export = xa_load(&doca_exports, global_id);
	if (export && !kref_get_unless_zero(&export->obj.ref))
		export = NULL;
	xa_unlock(&doca_exports);
	return export;
}

/* Like the removal of its device: the dead export stays in its owner's table. */
int doca_export_revoke_id(u32 global_id)
{
	struct doca_export *export = doca_export_get(global_id);

	if (!export)
		return -ENOENT;
	doca_nowait_begin();
	doca_export_revoke(export, NULL);
	doca_object_put(&export->obj);
	doca_nowait_end();
	return 0;
}

/* Return a reference, or -ENOKEY if it does not exist or the blob does not match. */
static struct doca_export *doca_export_find(const struct doca_blob *blob)
{
	u64 id = le64_to_cpu(blob->export_id);
	struct doca_export *export;

	if (id > U32_MAX)
		return ERR_PTR(-ENOKEY);
	export = doca_export_get(id);
	if (!export)
		return ERR_PTR(-ENOKEY);

	if (crypto_memneq(blob, &export->blob, sizeof(*blob))) {
		doca_object_put(&export->obj);
		return ERR_PTR(-ENOKEY);
	}
	return export;
}

static bool doca_export_permits(const struct doca_export *export)
{
	if (export->flags & DOCA_EXPORT_ANY_USER)
		return true;
	if (export->user_ns == current_user_ns() &&
	    uid_eq(export->uid, current_euid()))
		return true;
	return ns_capable(export->user_ns, CAP_SYS_PTRACE);
}

static int doca_blob_check(const struct doca_blob *blob)
{
	if (le32_to_cpu(blob->magic) != DOCA_BLOB_MAGIC)
		return -EINVAL;
	if (le16_to_cpu(blob->version) != DOCA_BLOB_VERSION)
		return -EPROTONOSUPPORT;
	if (le16_to_cpu(blob->kind) != DOCA_BLOB_PCI)
		return -EINVAL;
	if (memcmp(blob->kernel_id, doca_kernel_id, sizeof(doca_kernel_id)))
		return -EXDEV;
	return 0;
}

int doca_ioctl_mem_import(struct doca_ucmd *ucmd)
{
	struct doca_mem_import *arg = ucmd->arg;
	struct doca_mapping *mapping;
	struct doca_export *export;
	struct doca_blob blob;
	u32 access;
	int rc;

	if (arg->flags)
		return -EOPNOTSUPP;
	if (arg->blob_size != sizeof(blob) || arg->__reserved)
		return -EINVAL;
	if (copy_from_user(&blob, u64_to_user_ptr(arg->blob), sizeof(blob)))
		return -EFAULT;
	rc = doca_blob_check(&blob);
	if (rc == -EXDEV && doca_remote_ops)
		return doca_remote_import(ucmd, &blob);
	if (rc)
		return rc;
	export = doca_export_find(&blob);
	if (IS_ERR(export))
		return PTR_ERR(export);
	rc = -EACCES;
	if (!doca_export_permits(export))
		goto out;

	/* Write access includes read access, as in the export's permission. */
	access = DOCA_ACCESS_LOCAL_READ;
	if (export->memory->access & DOCA_ACCESS_PCI_WRITE)
		access |= DOCA_ACCESS_LOCAL_WRITE;
	mapping = doca_mapping_create(ucmd->file, export->memory, export,
				      arg->device_id, access);
	rc = PTR_ERR_OR_ZERO(mapping);
	if (rc)
		goto out;
	arg->out_access = access;
	arg->out_addr = export->memory->addr;
	arg->out_length = export->memory->length;
	arg->out_flags = doca_mapping_flags(mapping);
	rc = doca_mapping_publish(mapping, ucmd, &arg->out_key);
	if (!rc)
		trace_doca_mem_import(export, arg->out_key);
out:
	doca_object_put(&export->obj);
	return rc;
}
