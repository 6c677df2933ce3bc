// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The registry of devices, and devices in software, one of which always exists. */
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/numa.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/xarray.h>

#include "device.h"
#include "nowait.h"

/*
 * The devices by id, of which some have only that so far; its lock is the registry's. Ids only
 * grow, so an xarray lists devices in the order in which they were made.
 */
static DEFINE_XARRAY(doca_registry);

/* Serializes providers. */
static DEFINE_MUTEX(doca_last_id_lock);
static u32 doca_last_id;

static struct doca_device *doca_software;

/**
 * doca_device_alloc() - make a device that is not yet registered
 * @type: its kind of provider
 * @name: its name
 *
 * The provider fills in the other properties. It drops the reference that it
 * gets with doca_device_put().
 *
 * Return: the device, or ERR_PTR(-ENOMEM).
 */
struct doca_device *doca_device_alloc(enum doca_dev_type type, const char *name)
{
	struct doca_device *dev;

	dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	if (!dev)
		return ERR_PTR(-ENOMEM);

	kref_init(&dev->ref);
	dev->type = type;
	dev->numa_node = NUMA_NO_NODE;
	strscpy(dev->name, name, sizeof(dev->name));
	spin_lock_init(&dev->lock);
	INIT_LIST_HEAD(&dev->users);
	init_completion(&dev->told);
	return dev;
}

static void doca_device_free(struct kref *ref)
{
	struct doca_device *dev = container_of(ref, struct doca_device, ref);

	WARN_ON_ONCE(!list_empty(&dev->users));
	if (dev->release)
		dev->release(dev);
	kfree(dev);
}

void doca_device_put(struct doca_device *dev)
{
	kref_put(&dev->ref, doca_device_free);
}

/**
 * doca_device_reserve() - give a device its id
 * @dev: device; doca_device_publish() or doca_device_unregister() must follow
 *
 * Return: 0, -ENOMEM, or -ENOSPC if all ids have been used.
 */
int doca_device_reserve(struct doca_device *dev)
{
	int ret;

	mutex_lock(&doca_last_id_lock);
	if (doca_last_id == U32_MAX) {
		ret = -ENOSPC;
		goto out_unlock;
	}

	dev->id = doca_last_id + 1;
	ret = xa_insert(&doca_registry, dev->id, NULL, GFP_KERNEL);
	if (!ret)
		doca_last_id = dev->id;
out_unlock:
	mutex_unlock(&doca_last_id_lock);
	return ret;
}

/**
 * doca_device_publish() - let a device be found
 * @dev: device, with its id
 *
 * Cannot fail. To be called with spinlocks or without.
 */
void doca_device_publish(struct doca_device *dev)
{
	/* The slot is reserved: this needs no memory. */
	xa_store(&doca_registry, dev->id, dev, GFP_NOWAIT);
}

/**
 * doca_device_register() - give a device its id and let it be found
 * @dev: device
 *
 * Return: like doca_device_reserve().
 */
int doca_device_register(struct doca_device *dev)
{
	int ret = doca_device_reserve(dev);

	if (!ret)
		doca_device_publish(dev);
	return ret;
}

/**
 * doca_device_unregister() - remove a device
 * @dev: device; the provider keeps its reference
 *
 * When the call returns the device cannot be found, every user has been told and
 * there will be no new ones.
 */
void doca_device_unregister(struct doca_device *dev)
{
	struct doca_device_user *user;

	doca_nowait_begin();
	xa_erase(&doca_registry, dev->id);

	spin_lock(&dev->lock);
	WRITE_ONCE(dev->dead, true);
	while ((user = list_first_entry_or_null(&dev->users,
						struct doca_device_user,
						node))) {
		list_del_init(&user->node);
		spin_unlock(&dev->lock);
		user->removed(user);
		cond_resched();
		spin_lock(&dev->lock);
	}
	spin_unlock(&dev->lock);
	complete_all(&dev->told);
	doca_nowait_end();
}

void doca_device_rename(struct doca_device *dev, const char *name)
{
	xa_lock(&doca_registry);
	strscpy(dev->name, name, sizeof(dev->name));
	xa_unlock(&doca_registry);
}

void doca_device_name(const struct doca_device *dev,
		      char name[DOCA_DEVICE_NAME_MAX])
{
	xa_lock(&doca_registry);
	strscpy(name, dev->name, DOCA_DEVICE_NAME_MAX);
	xa_unlock(&doca_registry);
}

/* Call it as the provider, or with the registry's lock held. */
bool doca_device_visible(const struct doca_device *dev, const struct net *net)
{
	return !dev->visible || dev->visible(dev, net);
}

/**
 * doca_device_find() - look up a device
 * @id: its id
 * @net: network namespace of the caller
 *
 * Return: the device, with a reference; ERR_PTR(-ENODEV) if there is none with
 * this id, it was removed, or it is not visible in the namespace.
 */
struct doca_device *doca_device_find(u32 id, const struct net *net)
{
	struct doca_device *dev;

	xa_lock(&doca_registry);
	dev = xa_load(&doca_registry, id);
	if (dev && doca_device_visible(dev, net))
		doca_device_get(dev);
	else
		dev = ERR_PTR(-ENODEV);
	xa_unlock(&doca_registry);
	return dev;
}

bool doca_device_is_seen(u32 id, const struct net *net)
{
	struct doca_device *dev = doca_device_find(id, net);

	if (IS_ERR(dev))
		return false;
	doca_device_put(dev);
	return true;
}

/* Return true if a device is there, in any namespace. */
bool doca_device_is_at(const char *pci)
{
	struct doca_device *dev;
	bool found = false;
	unsigned long id;

	xa_lock(&doca_registry);
	xa_for_each_start(&doca_registry, id, dev, 0)
		found |= !strcmp(dev->pci, pci);
	xa_unlock(&doca_registry);
	return found;
}

/**
 * doca_device_next() - go through the devices
 * @id: id of the device before, 0 to begin
 * @type: devices of this type only
 * @net: network namespace of the caller
 *
 * The position is an id, so devices may come and go between two calls.
 *
 * Return: the next device, with a reference; NULL at the end.
 */
struct doca_device *doca_device_next(u32 id, enum doca_dev_type type,
				     const struct net *net)
{
	struct doca_device *dev, *next = NULL;
	unsigned long index = id;

	xa_lock(&doca_registry);
	xa_for_each_start(&doca_registry, index, dev, index + 1) {
		if (dev->type == type && doca_device_visible(dev, net)) {
			doca_device_get(dev);
			next = dev;
			break;
		}
	}
	xa_unlock(&doca_registry);
	return next;
}

/**
 * doca_device_add_user() - be told when a device is removed
 * @dev: device
 * @user: its @removed is set
 *
 * To be called with no lock of ours held, and before others can find the object that
 * @user is part of; or the object must check by itself whether it is complete when
 * @removed is called.
 *
 * Return: 0, or -ENODEV if the device has been removed; then there is nothing
 * to undo.
 */
int doca_device_add_user(struct doca_device *dev, struct doca_device_user *user)
{
	int ret = 0;

	spin_lock(&dev->lock);
	if (dev->dead)
		ret = -ENODEV;
	else
		list_add_tail(&user->node, &dev->users);
	spin_unlock(&dev->lock);
	return ret;
}

/**
 * doca_device_forget_user() - no longer be told, without waiting
 * @dev: device
 * @user: was added to it; or not, if its node is initialized
 *
 * Return: true if @removed is not running, and will not be called any more. Otherwise
 * the removal that runs it is the last to need @user.
 */
bool doca_device_forget_user(struct doca_device *dev,
			     struct doca_device_user *user)
{
	bool listed;

	spin_lock(&dev->lock);
	listed = !list_empty(&user->node);
	list_del_init(&user->node);
	spin_unlock(&dev->lock);
	return listed;
}

/**
 * doca_device_del_user() - no longer be told
 * @dev: device
 * @user: was added to it; or not, if its node is initialized
 *
 * When the call returns @removed is neither running nor going to be called, so the object
 * that @user is part of may be freed. It waits for the callbacks of a removal in
 * progress: to be called with no lock of ours held.
 */
void doca_device_del_user(struct doca_device *dev,
			  struct doca_device_user *user)
{
	if (!doca_device_forget_user(dev, user) && doca_device_is_dead(dev))
		wait_for_completion(&dev->told);
}

/**
 * doca_device_add_software() - make a device in software
 * @name: its name
 * @pci: the address that it claims, "" for none
 *
 * Return: the device, registered but not announced, with the provider's reference; or
 * -ENOMEM or -ENOSPC.
 */
struct doca_device *doca_device_add_software(const char *name, const char *pci)
{
	struct doca_device *dev = doca_device_alloc(DOCA_DEV_SOFTWARE, name);
	int ret;

	if (IS_ERR(dev))
		return dev;
	strscpy(dev->pci, pci, sizeof(dev->pci));
	ret = doca_device_register(dev);
	if (ret) {
		doca_device_put(dev);
		return ERR_PTR(ret);
	}
	return dev;
}

/**
 * doca_devices_init() - set up the registry of devices
 * @software: make the software device
 *
 * It is not announced: it exists as long as the netlink family does.
 *
 * Return: 0 or -ENOMEM.
 */
int doca_devices_init(bool software)
{
	struct doca_device *dev;

	if (!software)
		return 0;
	dev = doca_device_add_software("software", "");
	if (IS_ERR(dev))
		return PTR_ERR(dev);
	doca_software = dev;
	return 0;
}

/* All other providers must have unregistered their devices. */
void doca_devices_exit(void)
{
	if (doca_software) {
		doca_device_unregister(doca_software);
		doca_device_put(doca_software);
	}
	WARN_ON(!xa_empty(&doca_registry));
}
