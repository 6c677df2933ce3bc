// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Objects of operations in a file: made, found, held and destroyed. */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/xarray.h>

#include "op_object.h"
#include "queue.h"
#include "ucmd.h"
#include "user.h"

static int doca_op_object_charge(struct doca_user *user, u64 bytes)
{
	int rc;

	rc = doca_user_charge(user, DOCA_QUOTA_OBJECTS, 1,
			      sizeof(struct xa_node));
	if (rc)
		return rc;
	rc = doca_user_charge(user, DOCA_QUOTA_RING_BYTES, bytes, 0);
	if (rc)
		doca_user_uncharge(user, DOCA_QUOTA_OBJECTS, 1,
				   sizeof(struct xa_node));
	return rc;
}

/* Free it without @destroy of the type. */
static void doca_op_object_free(struct doca_op_object *object)
{
	doca_user_uncharge(object->user, DOCA_QUOTA_RING_BYTES, object->bytes,
			   0);
	doca_user_uncharge(object->user, DOCA_QUOTA_OBJECTS, 1,
			   sizeof(struct xa_node));
	doca_user_put(object->user);
	kvfree(object);
}

static void doca_op_object_release(struct kref *ref)
{
	struct doca_op_object *object =
		container_of(ref, struct doca_op_object, ref);

	if (object->type->destroy)
		object->type->destroy(object->space);
	doca_op_object_free(object);
}

static void __doca_op_object_put(struct doca_op_object *object)
{
	kref_put(&object->ref, doca_op_object_release);
}

static struct doca_op_object *
doca_op_object_alloc(struct doca_user *user,
		     const struct doca_op_object_type *type,
		     const struct doca_object_create *arg)
{
	struct doca_op_object *object;
	size_t size;
	u64 bytes;
	int rc;

	rc = type->size(arg);
	if (rc < 0)
		return ERR_PTR(rc);
	size = sizeof(*object) + rc;
	bytes = doca_user_bytes(size) + type->beside;
	rc = doca_op_object_charge(user, bytes);
	if (rc)
		return ERR_PTR(rc);
	object = kvzalloc(size, GFP_KERNEL_ACCOUNT);
	if (!object) {
		doca_user_uncharge(user, DOCA_QUOTA_RING_BYTES, bytes, 0);
		doca_user_uncharge(user, DOCA_QUOTA_OBJECTS, 1,
				   sizeof(struct xa_node));
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&object->ref);
	object->type = type;
	object->user = doca_user_get(user);
	object->bytes = bytes;
	object->device_id = arg->device_id;
	return object;
}

/* The data is copied once, and may be secret. */
static int doca_op_object_fill(struct doca_op_object *object,
			       const struct doca_object_create *arg)
{
	void *data = kmalloc(arg->length, GFP_KERNEL_ACCOUNT);
	int rc = -EFAULT;

	if (!data)
		return -ENOMEM;
	if (!copy_from_user(data, u64_to_user_ptr(arg->data), arg->length))
		rc = object->type->create(object->space, arg, data);
	memzero_explicit(data, arg->length);
	kfree(data);
	return rc;
}

static struct doca_op_object *
doca_op_object_make(struct doca_user *user,
		    const struct doca_op_object_type *type,
		    const struct doca_object_create *arg)
{
	struct doca_op_object *object = doca_op_object_alloc(user, type, arg);
	int rc;

	if (IS_ERR(object))
		return object;
	rc = doca_op_object_fill(object, arg);
	if (!rc)
		return object;
	doca_op_object_free(object);
	return ERR_PTR(rc);
}

int doca_op_object_create(struct doca_ucmd *ucmd,
			  const struct doca_op_object_type *type)
{
	struct xarray *objects = &ucmd->file->op_objects;
	struct doca_object_create *arg = ucmd->arg;
	struct doca_op_object *object;
	int rc;

	object = doca_op_object_make(ucmd->file->user, type, arg);
	if (IS_ERR(object))
		return PTR_ERR(object);
	rc = xa_alloc_cyclic(objects, &arg->out_object_id, NULL,
			     XA_LIMIT(1, U16_MAX), &ucmd->file->next_op_object,
			     GFP_KERNEL_ACCOUNT);
	if (rc < 0) {
		rc = rc == -EBUSY ? -ENOSPC : rc;
		goto err_put;
	}
	rc = doca_ucmd_respond(ucmd);
	if (rc) {
		xa_erase(objects, arg->out_object_id);
		goto err_put;
	}
	/* The slot is reserved: this needs no memory and cannot fail. */
	xa_store(objects, arg->out_object_id, object, GFP_KERNEL_ACCOUNT);
	return 0;

err_put:
	__doca_op_object_put(object);
	return rc;
}

int doca_op_object_destroy(struct doca_file *file,
			   const struct doca_op_object_type *type, u32 id)
{
	struct doca_op_object *object;

	xa_lock(&file->op_objects);
	object = xa_load(&file->op_objects, id);
	if (object && object->type == type)
		__xa_erase(&file->op_objects, id);
	else
		object = NULL;
	xa_unlock(&file->op_objects);
	if (!object)
		return -ENOENT;
	__doca_op_object_put(object);
	return 0;
}

void doca_file_kill_op_objects(struct doca_file *file)
{
	struct doca_op_object *object;
	unsigned long id;

	xa_for_each_start(&file->op_objects, id, object, 0) {
		/* Another thread may have been faster. */
		object = xa_erase(&file->op_objects, id);
		if (object)
			__doca_op_object_put(object);
		cond_resched();
	}
}

static bool doca_op_object_is_for(const struct doca_op_object *object,
				  const struct doca_queue *queue,
				  const struct doca_op *op)
{
	const struct doca_op_type *type =
		doca_op_type(queue->types, op->sqe.opcode);

	return object->type == type->object &&
	       object->device_id == queue->device->id;
}

u32 doca_op_object_get(struct doca_queue *queue, struct doca_op *op)
{
	struct xarray *objects = &queue->file->op_objects;
	struct doca_op_object *object;

	xa_lock(objects);
	object = xa_load(objects, op->sqe.aux);
	if (object && doca_op_object_is_for(object, queue, op))
		kref_get(&object->ref);
	else
		object = NULL;
	xa_unlock(objects);
	op->object = object;
	return object ? DOCA_STATUS_SUCCESS : DOCA_STATUS_BAD_OBJECT;
}

void doca_op_object_put(struct doca_op *op)
{
	if (!op->object)
		return;
	might_sleep();
	__doca_op_object_put(op->object);
	op->object = NULL;
}

u32 doca_op_cancel(struct doca_queue *queue, struct doca_op *op)
{
	doca_op_object_put(op);
	return op->type->cancel ? op->type->cancel(queue, op) :
				  DOCA_STATUS_CANCELED;
}
