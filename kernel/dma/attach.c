// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* DMA engines that copy for devices other than their own. */
#include <linux/device.h>
#include <linux/slab.h>

#include "attach.h"
#include "engine.h"

/* Protects doca_device.attachment and its contents; a leaf lock. */
static DEFINE_SPINLOCK(doca_attach_lock);

static const char doca_attach_gone[] = "the engine is dead, or is being removed";

/**
 * struct doca_attachment - an engine that copies for a device
 * @user: ends the attachment with the device
 * @device: reference
 * @engine: reference
 * @node: in doca_engine.attachments, while it can be found
 * @removed: the device was removed before the attachment could be found
 *
 * It ends with the device, with the engine, or by an administrator. The first of them
 * takes it off its list, and frees it: the others do not find it any more. Mapped memory
 * and queues keep the engine that they began with.
 */
struct doca_attachment {
	struct doca_device_user user;
	struct doca_device *device;
	struct doca_engine *engine;
	struct list_head node;
	bool removed;
};

struct doca_engine *doca_device_engine(const struct doca_device *device)
{
	struct doca_engine *engine = device->engine;

	if (engine) {
		doca_engine_get(engine);
		return engine;
	}
	spin_lock(&doca_attach_lock);
	if (device->attachment) {
		engine = device->attachment->engine;
		doca_engine_get(engine);
	}
	spin_unlock(&doca_attach_lock);
	return engine;
}

static struct doca_attachment *doca_attachment_alloc(struct doca_engine *engine,
						     struct doca_device *device)
{
	struct doca_attachment *attachment;

	attachment = kzalloc(sizeof(*attachment), GFP_KERNEL);
	if (!attachment)
		return NULL;
	INIT_LIST_HEAD(&attachment->user.node);
	INIT_LIST_HEAD(&attachment->node);
	doca_engine_get(engine);
	attachment->engine = engine;
	doca_device_get(device);
	attachment->device = device;
	return attachment;
}

static void doca_attachment_free(struct doca_attachment *attachment)
{
	doca_engine_put(attachment->engine);
	doca_device_put(attachment->device);
	kfree(attachment);
}

/* Hide the attachment. Call it under the lock. */
static void doca_attachment_unlink(struct doca_attachment *attachment)
{
	attachment->device->attachment = NULL;
	list_del_init(&attachment->node);
}

static void doca_attachment_removed(struct doca_device_user *user)
{
	struct doca_attachment *attachment =
		container_of(user, struct doca_attachment, user);
	bool mine;

	spin_lock(&doca_attach_lock);
	attachment->removed = true;
	mine = !list_empty(&attachment->node);
	if (mine)
		doca_attachment_unlink(attachment);
	spin_unlock(&doca_attach_lock);
	/* Otherwise its maker or a detach frees it, and waits for this. */
	if (mine)
		doca_attachment_free(attachment);
}

/* Called by the thread that has unlinked it. */
static void doca_attachment_end(struct doca_attachment *attachment)
{
	doca_device_del_user(attachment->device, &attachment->user);
	doca_attachment_free(attachment);
}

static int doca_attachment_link(struct doca_attachment *attachment,
				const char **why)
{
	struct doca_device *device = attachment->device;
	int rc = 0;

	spin_lock(&doca_attach_lock);
	if (attachment->removed) {
		*why = "the device was removed";
		rc = -ENODEV;
	} else if (device->attachment) {
		*why = "an engine copies for this device already";
		rc = -EBUSY;
	} else {
		device->attachment = attachment;
		list_add_tail(&attachment->node,
			      &attachment->engine->attachments);
	}
	spin_unlock(&doca_attach_lock);
	return rc;
}

/* Call it with the provider's lock: it keeps the engine from being removed. */
static int doca_attach_locked(struct doca_engine *engine,
			      struct doca_device *device, const char **why)
{
	struct doca_attachment *attachment;
	int rc;

	if (!engine->chan || READ_ONCE(engine->state) >= DOCA_ENGINE_DYING) {
		*why = doca_attach_gone;
		return -EBUSY;
	}
	*why = "out of memory";
	attachment = doca_attachment_alloc(engine, device);
	if (!attachment)
		return -ENOMEM;
	attachment->user.removed = doca_attachment_removed;
	*why = "the device was removed";
	rc = doca_device_add_user(device, &attachment->user);
	if (rc) {
		doca_attachment_free(attachment);
		return rc;
	}
	rc = doca_attachment_link(attachment, why);
	if (rc)
		doca_attachment_end(attachment);
	return rc;
}

int doca_engine_attach(struct doca_engine *engine, struct doca_device *device,
		       const char **why)
{
	int rc;

	if (device->engine) {
		*why = "the device is an engine itself";
		return -EINVAL;
	}
	/* Do not wait for a removal, which waits for hardware. */
	if (READ_ONCE(engine->state) >= DOCA_ENGINE_DYING) {
		*why = doca_attach_gone;
		return -EBUSY;
	}
	device_lock(engine->provider);
	rc = doca_attach_locked(engine, device, why);
	device_unlock(engine->provider);
	return rc;
}

int doca_engine_detach(struct doca_device *device, const char **why)
{
	struct doca_attachment *attachment;

	spin_lock(&doca_attach_lock);
	attachment = device->attachment;
	if (attachment)
		doca_attachment_unlink(attachment);
	spin_unlock(&doca_attach_lock);
	if (!attachment) {
		*why = "no engine is attached to this device";
		return -ENOENT;
	}
	doca_attachment_end(attachment);
	return 0;
}

struct doca_device *doca_engine_detach_next(struct doca_engine *engine)
{
	struct doca_attachment *attachment;
	struct doca_device *device;

	device_lock_assert(engine->provider);
	spin_lock(&doca_attach_lock);
	attachment = list_first_entry_or_null(&engine->attachments,
					      struct doca_attachment, node);
	if (attachment)
		doca_attachment_unlink(attachment);
	spin_unlock(&doca_attach_lock);
	if (!attachment)
		return NULL;
	device = attachment->device;
	doca_device_get(device);
	doca_attachment_end(attachment);
	return device;
}
