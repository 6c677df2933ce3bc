// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The pools of device memory, one for each device. A pool is a limit: its pages are
 * system memory, from the device's node, for as long as they are used.
 *
 * The room of an allocation is free again when its pages are. No event tells that an RDMA
 * device has released a page. So allocations that are still in use are polled, when a
 * caller needs to know how much is free, and periodically. Only work items do that: a
 * task might lose the CPU in the middle, and all others would wait.
 */
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/page_ref.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/user_namespace.h>
#include <linux/workqueue.h>

#include "device.h"
#include "dm.h"
#include "memory.h"
#include "user.h"

static unsigned long doca_dm_size = 16;
module_param_named(dm_size, doca_dm_size, ulong, 0644);
MODULE_PARM_DESC(dm_size, "MiB of device memory of each device, 0 for none");

/* The maximum of a pool: a terabyte. */
#define DOCA_DM_MAX_MIB 1048576UL

/* Interval of polls while pages are in use. */
#define DOCA_DM_REAP_DELAY (HZ / 10)

/* Allocations without references, with pages in use. */
static LIST_HEAD(doca_dm_ended);
static DEFINE_SPINLOCK(doca_dm_ended_lock);
/* Serializes the work items: each handles what earlier ones have left. */
static DEFINE_MUTEX(doca_dm_reap_lock);

static void doca_dm_reap_work(struct work_struct *work);
static void doca_dm_reap_asked(struct work_struct *work);
static DECLARE_DELAYED_WORK(doca_dm_reaper, doca_dm_reap_work);
/* A work item of its own: if the delayed one were brought forward, its waiters would get lost. */
static DECLARE_WORK(doca_dm_asked, doca_dm_reap_asked);

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

static void doca_dm_free(struct doca_dm *dm)
{
	doca_dm_free_pages(dm, dm->npages);
	doca_dm_uncharge(dm->device, dm->user, dm->npages);
	put_user_ns(dm->user_ns);
	doca_user_put(dm->user);
	doca_device_put(dm->device);
	kfree(dm);
}

/* Pages cannot be reached anew any more; every user of a page has a reference. */
static bool doca_dm_is_idle(struct doca_dm *dm)
{
	unsigned long i;

	if (page_ref_count(dm->pages[dm->busy]) > 1)
		return false;
	for (i = 0; i < dm->npages; i++) {
		if (page_ref_count(dm->pages[i]) > 1) {
			dm->busy = i;
			return false;
		}
	}
	return true;
}

/* Return true if some are left. @all: free all of them; pages in use stay with their users. */
static bool doca_dm_reap(bool all)
{
	struct doca_dm *dm, *next;
	LIST_HEAD(list);
	bool left;

	mutex_lock(&doca_dm_reap_lock);
	spin_lock(&doca_dm_ended_lock);
	list_splice_init(&doca_dm_ended, &list);
	spin_unlock(&doca_dm_ended_lock);
	list_for_each_entry_safe(dm, next, &list, node) {
		if (all || doca_dm_is_idle(dm)) {
			list_del(&dm->node);
			doca_dm_free(dm);
		}
		cond_resched();
	}
	left = !list_empty(&list);
	spin_lock(&doca_dm_ended_lock);
	list_splice_init(&list, &doca_dm_ended);
	spin_unlock(&doca_dm_ended_lock);
	mutex_unlock(&doca_dm_reap_lock);
	return left;
}

static void doca_dm_reap_asked(struct work_struct *work)
{
	doca_dm_reap(false);
}

/* Free what is unused by now, without waiting for pages to be unpinned. */
static void doca_dm_reap_now(void)
{
	queue_work(doca_retire_wq, &doca_dm_asked);
	flush_work(&doca_dm_asked);
}

static void doca_dm_reap_work(struct work_struct *work)
{
	if (doca_dm_reap(false))
		queue_delayed_work(doca_unpin_wq, &doca_dm_reaper,
				   DOCA_DM_REAP_DELAY);
}

void doca_dm_end(struct doca_dm *dm)
{
	if (doca_dm_is_idle(dm)) {
		doca_dm_free(dm);
		return;
	}
	spin_lock(&doca_dm_ended_lock);
	list_add_tail(&dm->node, &doca_dm_ended);
	spin_unlock(&doca_dm_ended_lock);
	queue_delayed_work(doca_unpin_wq, &doca_dm_reaper, DOCA_DM_REAP_DELAY);
}

u64 doca_dm_pool_size(void)
{
	return (u64)min(READ_ONCE(doca_dm_size), DOCA_DM_MAX_MIB) << 20;
}

u64 doca_dm_pool_free(struct doca_device *device)
{
	u64 size = doca_dm_pool_size(), used;

	doca_dm_reap_now();
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
	if (rc) {
		/* Some room may have become free. */
		doca_dm_reap_now();
		rc = doca_dm_take_room(device, npages);
	}
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

/* No file is open and nothing is mapped. Pins keep pinned pages. */
void doca_dm_exit(void)
{
	cancel_delayed_work_sync(&doca_dm_reaper);
	doca_dm_reap(true);
}
