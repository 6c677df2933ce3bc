/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Devices: memory is mapped for them, and queues belong to them.
 *
 * A device outlives its hardware while there are references to it, so it has copies of
 * everything that it reports. Providers (the RDMA core's client, device.c for
 * the software device, functions that make their devices) register and unregister devices;
 * all others find them by their id.
 */
#ifndef DOCA_DEVICE_H
#define DOCA_DEVICE_H

#include <linux/compiler.h>
#include <linux/completion.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include <linux/doca_netlink.h>

struct doca_attachment;
struct doca_engine;
struct ib_device;
struct net;

#define DOCA_DEVICE_NAME_MAX 64
#define DOCA_DEVICE_PCI_MAX 20 /* domains may have more than four digits */

/**
 * struct doca_device - a device
 * @ref: one reference is the provider's, from doca_device_alloc() until after
 *	doca_device_unregister(); others belong to finders, and to queues, mappings and
 *	exports while these live. The last one only frees memory.
 * @id: never reused; constant, as are @type to @visible, from
 *	doca_device_reserve() on
 * @type: its kind of provider
 * @guid: node GUID in the CPU's byte order, 0 if none
 * @pci: PCI function, or the address that a device in software claims; "" if none
 * @numa_node: NUMA_NO_NODE if none
 * @ports: number of RDMA ports
 * @visible: whether the device is visible in a network namespace; NULL if it is
 *	visible in all. Called with the registry's lock held while the device is
 *	published, or by the provider.
 * @name: under the registry's lock, because devices can be renamed; read it
 *	with doca_device_name()
 * @ibdev: the RDMA device, without a reference: valid only while the device is
 *	published and the registry's lock is held, and in the provider's calls
 * @engine: the DMA engine to which it belongs, or NULL; constant
 * @attachment: another DMA engine that copies for it; NULL if the CPU does; for
 *	dma/attach.c
 * @release: called before it is freed; drops the provider's data in it
 * @lock: protects @users and the change of @dead; a leaf, and a spinlock, because
 *	the list has the objects of all processes
 * @dead: set once, by doca_device_unregister(); see doca_device_is_dead()
 * @users: struct doca_device_user, those not yet told of the removal; without references
 * @told: completed when all of them have been told
 * @dm_pages: pages of its device memory that are in use
 * @nr_dms: number of its allocations
 *
 * Removal is: unpublish the id, so that the device is not found any more; mark it dead,
 * so that those that have found it before cannot begin to use it; tell the users; drop
 * the provider's reference. It waits only for the users' callbacks.
 *
 * The registry's lock is a leaf, and spins: only @visible is called under it.
 */
struct doca_device {
	struct kref ref;
	u32 id;
	enum doca_dev_type type;
	u64 guid;
	char pci[DOCA_DEVICE_PCI_MAX];
	int numa_node;
	u32 ports;
	bool (*visible)(const struct doca_device *dev, const struct net *net);
	char name[DOCA_DEVICE_NAME_MAX];
	struct ib_device *ibdev;
	struct doca_engine *engine;
	struct doca_attachment *attachment;
	void (*release)(struct doca_device *dev);

	spinlock_t lock; /* @dead and @users */
	bool dead;
	struct list_head users;
	struct completion told;

	atomic_long_t dm_pages;
	atomic_t nr_dms;
};

/**
 * struct doca_device_user - an object that is told when a device is removed
 * @node: in doca_device.users, until it is told
 * @removed: called at most once, when the device is removed, without a lock. It marks and
 *	kicks: it must not wait for user space nor for a thread that may get no CPU, and
 *	must not add or delete a user.
 *
 * To be embedded in an object that holds a reference to the device while it is a user.
 */
struct doca_device_user {
	struct list_head node;
	void (*removed)(struct doca_device_user *user);
};

int doca_devices_init(bool software);
void doca_devices_exit(void);

/* For providers: */
struct doca_device *doca_device_alloc(enum doca_dev_type type,
				      const char *name);
int doca_device_reserve(struct doca_device *dev);
void doca_device_publish(struct doca_device *dev);
int doca_device_register(struct doca_device *dev);
void doca_device_unregister(struct doca_device *dev);
void doca_device_rename(struct doca_device *dev, const char *name);
struct doca_device *doca_device_add_software(const char *name, const char *pci);

/* For all others: */
struct doca_device *doca_device_find(u32 id, const struct net *net);
struct doca_device *doca_device_next(u32 id, enum doca_dev_type type,
				     const struct net *net);
bool doca_device_visible(const struct doca_device *dev, const struct net *net);
bool doca_device_is_seen(u32 id, const struct net *net);
bool doca_device_is_at(const char *pci);
void doca_device_name(const struct doca_device *dev,
		      char name[DOCA_DEVICE_NAME_MAX]);
void doca_device_put(struct doca_device *dev);

static inline void doca_device_get(struct doca_device *dev)
{
	kref_get(&dev->ref);
}

/* A hint for code that is not a user; users are told. */
static inline bool doca_device_is_dead(const struct doca_device *dev)
{
	return READ_ONCE(dev->dead);
}

int doca_device_add_user(struct doca_device *dev,
			 struct doca_device_user *user);
bool doca_device_forget_user(struct doca_device *dev,
			     struct doca_device_user *user);
void doca_device_del_user(struct doca_device *dev,
			  struct doca_device_user *user);

#endif /* DOCA_DEVICE_H */
