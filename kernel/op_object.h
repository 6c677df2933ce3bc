/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Objects of operations: what an operation needs beside its entry, and that stays as it was
 * made, such as a matrix. @aux of the entry names it. They have ids and a table of their own
 * in each file, so that the executor finds one without waiting for a call.
 */
#ifndef DOCA_OP_OBJECT_H
#define DOCA_OP_OBJECT_H

#include <linux/kref.h>
#include <linux/types.h>

#include <linux/doca.h>

struct doca_file;
struct doca_op;
struct doca_queue;
struct doca_ucmd;
struct doca_user;

/**
 * struct doca_op_object_type - a kind of such objects; rows of operations name it
 * @number: &enum doca_object_type
 * @beside: bytes that @create allocates besides the space, at most
 * @size: check the numbers of the call, all but @data. Returns the bytes of the object's
 *	@space, or a negative errno
 * @create: fill the space, which is zeroed, from a copy of the @length bytes of data. Returns 0
 *	or a negative errno. May sleep
 * @destroy: undo @create; may sleep. NULL if there is nothing to do
 */
struct doca_op_object_type {
	u32 number;
	u32 beside;
	int (*size)(const struct doca_object_create *arg);
	int (*create)(void *space, const struct doca_object_create *arg,
		      const void *data);
	void (*destroy)(void *space);
};

/**
 * struct doca_op_object - an object of operations
 * @ref: held by the table, and by each operation from its beginning until it has ended
 * @type: constant
 * @user: account that is charged; reference
 * @bytes: bytes that are charged, as those of rings
 * @device_id: for queues of this device; its number is not used again
 * @space: memory for the type; constant from @create on
 */
struct doca_op_object {
	struct kref ref;
	const struct doca_op_object_type *type;
	struct doca_user *user;
	u64 bytes;
	u32 device_id;
	u64 space[];
};

/* The calls, when the type and the device are known. */
int doca_op_object_create(struct doca_ucmd *ucmd,
			  const struct doca_op_object_type *type);
int doca_op_object_destroy(struct doca_file *file,
			   const struct doca_op_object_type *type, u32 id);
/* Operations that are still in a step keep what they hold. */
void doca_file_kill_op_objects(struct doca_file *file);

/*
 * For operations, in the run section: find the object that the entry names, and hold it in
 * @object of the operation. DOCA_STATUS_BAD_OBJECT if the queue's device has none of the
 * row's type.
 */
u32 doca_op_object_get(struct doca_queue *queue, struct doca_op *op);
/* Let it go, if it is held; may sleep, for it may be the last one that does. */
void doca_op_object_put(struct doca_op *op);
/* Cancel the operation in progress, and let go of its object. Likewise. */
u32 doca_op_cancel(struct doca_queue *queue, struct doca_op *op);

#endif
