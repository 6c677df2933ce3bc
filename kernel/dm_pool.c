// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The pools of device memory, one for each device. A pool is a limit: its pages are
 * system memory, from the device's node, for as long as they are used.
 *
 * Pages that an RDMA device, or another, still pins when an allocation ends are no room of
 * the pool any more: the pinning process is charged for them.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/page_ref.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "device.h"
#include "dm.h"
#include "user.h"

static unsigned long doca_dm_size = 16;
module_param_named(dm_size, doca_dm_size, ulong, 0644);
MODULE_PARM_DESC(dm_size, "MiB of device memory of each device, 0 for none");

/* The maximum of a pool: a terabyte. */
#define DOCA_DM_MAX_MIB 1048576UL

/* Handles are so sparse that an allocation may need two nodes of the array for itself. */
static u64 doca_dm_bytes(unsigned long npages)
{
	return DOCA_OBJECT_BYTES(struct doca_dm, 2) +
	       doca_user_bytes(npages * sizeof(struct page *));
}

static void doca_dm_free_pages(struct doca_dm *dm, unsigned long nr)
{
	while (nr)
		put_page(dm->pages[--nr]);
	kvfree(dm->pages);
}

static void doca_dm_uncharge(struct doca_device *device, struct doca_user *user,
			     unsigned long npages)
{
	doca_user_uncharge(user, DOCA_QUOTA_DM_BYTES, (u64)npages << PAGE_SHIFT,
			   doca_dm_bytes(npages));
	atomic_long_sub(npages, &device->dm_pages);
	atomic_dec(&device->nr_dms);
}

void doca_dm_free(struct doca_dm *dm)
{
	doca_dm_free_pages(dm, dm->npages);
	doca_dm_uncharge(dm->device, dm->user, dm->npages);
	put_user_ns(dm->user_ns);
	doca_user_put(dm->user);
	doca_device_put(dm->device);
	kfree(dm);
}

u64 doca_dm_pool_size(void)
{
	return (u64)min(READ_ONCE(doca_dm_size), DOCA_DM_MAX_MIB) << 20;
}

u64 doca_dm_pool_free(struct doca_device *device)
{
	u64 size = doca_dm_pool_size(), used;

	used = (u64)atomic_long_read(&device->dm_pages) << PAGE_SHIFT;
	return size - min(size, used);
}

static int doca_dm_take_room(struct doca_device *device, unsigned long npages)
{
	long limit = doca_dm_pool_size() >> PAGE_SHIFT;

	if (atomic_long_add_return(npages, &device->dm_pages) <= limit)
		return 0;
	atomic_long_sub(npages, &device->dm_pages);
	return -ENOSPC;
}

static int doca_dm_charge(struct doca_device *device, struct doca_user *user,
			  unsigned long npages)
{
	int rc;

	rc = doca_dm_take_room(device, npages);
	if (rc)
		return rc;
	rc = doca_user_charge(user, DOCA_QUOTA_DM_BYTES,
			      (u64)npages << PAGE_SHIFT, doca_dm_bytes(npages));
	if (rc)
		atomic_long_sub(npages, &device->dm_pages);
	else
		atomic_inc(&device->nr_dms);
	return rc;
}

static int doca_dm_alloc_pages(struct doca_dm *dm, int node)
{
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN;
	unsigned long i;

	dm->pages = kvcalloc(dm->npages, sizeof(*dm->pages),
			     GFP_KERNEL_ACCOUNT);
	if (!dm->pages)
		return -ENOMEM;
	for (i = 0; i < dm->npages; i++) {
		if (!fatal_signal_pending(current))
			dm->pages[i] = alloc_pages_node(node, gfp, 0);
		if (!dm->pages[i]) {
			doca_dm_free_pages(dm, i);
			return -ENOMEM;
		}
		cond_resched();
	}
	return 0;
}

struct doca_dm *doca_dm_alloc(struct doca_device *device,
			      struct doca_user *user, u64 length)
{
	struct doca_dm *dm;
	unsigned long npages;
	int rc;

	if (length > doca_dm_pool_size())
		return ERR_PTR(-ENOSPC);
	npages = PAGE_ALIGN(length) >> PAGE_SHIFT;
	rc = doca_dm_charge(device, user, npages);
	if (rc)
		return ERR_PTR(rc);
	rc = -ENOMEM;
	dm = kzalloc(sizeof(*dm), GFP_KERNEL_ACCOUNT);
	if (!dm)
		goto err_uncharge;
	dm->npages = npages;
	rc = doca_dm_alloc_pages(dm, device->numa_node);
	if (rc)
		goto err_free;
	kref_init(&dm->ref);
	doca_device_get(device);
	dm->device = device;
	dm->user = doca_user_get(user);
	dm->uid = current_euid();
	dm->user_ns = get_user_ns(current_user_ns());
	dm->length = length;
	return dm;

err_free:
	kfree(dm);
err_uncharge:
	doca_dm_uncharge(device, user, npages);
	return ERR_PTR(rc);
}

/* A registration pins adjacent pages, so it begins where the pin count grows. */
u32 doca_dm_pins(const struct doca_dm *dm)
{
	unsigned int pins, before = 0;
	unsigned long i;
	u32 nr = 0;

	for (i = 0; i < dm->npages; i++) {
		pins = page_ref_count(dm->pages[i]) / GUP_PIN_COUNTING_BIAS;
		if (pins > before)
			nr += pins - before;
		before = pins;
	}
	return nr;
}
