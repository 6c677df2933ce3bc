// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Memory kind physical: addresses are those of the machine, and nothing is pinned,
 * because there may be nothing. Each page is checked when it is read.
 *
 * What may be read is what /proc/kcore shows of RAM: a page that is online, not poisoned,
 * not taken away by a balloon, and system RAM. The copy treats a page that the kernel
 * itself does not map (secretmem, a guard page) as absent instead of faulting.
 *
 * A page must not vanish between the check and the copy. There are two ways to vanish:
 *
 *  - Memory hotplug, whose lock is not exported. It first takes the section offline, then
 *    notifies (MEM_OFFLINE), and afterwards frees the page's descriptor and the direct
 *    map. A page is checked and copied in one RCU section, and the notifier waits for all
 *    RCU sections that have begun: so readers that have seen the section online have
 *    finished before anything is freed. Later ones do not see it online.
 *  - Drivers (balloons, virtio-mem) that mark a page offline and give it to the
 *    hypervisor. They do so between page_offline_begin() and page_offline_end(). The
 *    lock for readers is not exported, so this takes the drivers', for a page at a time.
 *
 * Poison comes at any time: an undetected error is a machine check here as for every
 * other reader of the memory.
 */
#include <linux/capability.h>
#include <linux/cc_platform.h>
#include <linux/cred.h>
#include <linux/ioport.h>
#include <linux/memory.h>
#include <linux/memory_hotplug.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/page-flags.h>
#include <linux/pfn.h>
#include <linux/pid.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>

#include <linux/doca.h>

#include "memory.h"
#include "physical.h"

bool doca_physical_memory;
module_param_named(physical_memory, doca_physical_memory, bool, 0444);
MODULE_PARM_DESC(physical_memory, "let those read all memory who may read /proc/kcore");

/* The last processes that the log has named: none of them is named again. */
#define DOCA_PHYSICAL_TOLD 16

static DEFINE_MUTEX(doca_physical_lock);
static struct pid *doca_physical_told[DOCA_PHYSICAL_TOLD];
static unsigned int doca_physical_next;

bool doca_physical_is_locked_down(void)
{
	return security_locked_down(LOCKDOWN_KCORE);
}

/* True the first time; takes a reference. */
static bool doca_physical_is_new(struct pid *pid)
{
	struct pid **told = doca_physical_told;
	unsigned int i;

	lockdep_assert_held(&doca_physical_lock);
	for (i = 0; i < DOCA_PHYSICAL_TOLD; i++)
		if (told[i] == pid)
			return false;
	i = doca_physical_next++ % DOCA_PHYSICAL_TOLD;
	put_pid(told[i]);
	told[i] = get_pid(pid);
	return true;
}

static void doca_physical_tell(void)
{
	char comm[TASK_COMM_LEN];

	mutex_lock(&doca_physical_lock);
	if (doca_physical_is_new(task_tgid(current)))
		pr_notice_ratelimited("doca: \"%*pE\", process %d of user %u, reads physical memory\n",
				      (int)strlen(get_task_comm(comm, current)),
				      comm, task_tgid_nr(current),
				      from_kuid(&init_user_ns, current_uid()));
	mutex_unlock(&doca_physical_lock);
}

static int doca_physical_pin(struct doca_memory *memory,
			     const struct doca_mem_reg *arg, bool writable,
			     struct doca_pin_limit *limit)
{
	if (!capable(CAP_SYS_RAWIO) || !capable(CAP_SYS_ADMIN) ||
	    doca_physical_is_locked_down())
		return -EPERM;
	if (arg->access != DOCA_ACCESS_LOCAL_READ)
		return -EACCES;
	/* Pages may be the host's, or not accepted yet: to touch one would end the guest. */
	if (cc_platform_has(CC_ATTR_GUEST_MEM_ENCRYPT))
		return -EOPNOTSUPP;
	doca_physical_tell();
	return 0;
}

static void doca_physical_unpin(struct doca_memory *memory)
{
}

/* Whether it may be read, and will be there until the RCU section is left. */
static bool doca_physical_is_there(unsigned long pfn)
{
	struct page *page = pfn_to_online_page(pfn);

	return page && !PageOffline(page) && !is_page_hwpoison(page);
}

/* Read from one page. */
static bool doca_physical_read(u64 addr, void *to, u32 length)
{
	unsigned long pfn = PHYS_PFN(addr);
	bool there;

	if (!page_is_ram(pfn))
		return false;
	page_offline_begin();
	rcu_read_lock();
	there = doca_physical_is_there(pfn) &&
		!copy_from_kernel_nofault(to, __va(addr), length);
	rcu_read_unlock();
	page_offline_end();
	return there;
}

static u32 doca_physical_access(struct doca_memory *memory, u64 offset,
				void *bytes, u32 length, bool write)
{
	u64 addr = memory->addr + offset;

	if (write)
		return length;
	while (length) {
		u32 len = min_t(u32, length, PAGE_SIZE - offset_in_page(addr));

		if (!doca_physical_read(addr, bytes, len))
			break;
		length -= len;
		addr += len;
		bytes += len;
	}
	return length;
}

const struct doca_memory_ops doca_physical_ops = {
	.pin = doca_physical_pin,
	.unpin = doca_physical_unpin,
	.access = doca_physical_access,
	.gathered = true,
};

static int doca_physical_hotplug(struct notifier_block *notifier,
				 unsigned long action, void *what)
{
	if (action == MEM_OFFLINE)
		synchronize_rcu();
	return NOTIFY_OK;
}

static struct notifier_block doca_physical_notifier = {
	.notifier_call = doca_physical_hotplug,
};

int doca_physical_init(void)
{
	return doca_physical_memory ?
		       register_memory_notifier(&doca_physical_notifier) :
		       0;
}

/* Nothing is registered any more. */
void doca_physical_exit(void)
{
	unsigned int i;

	if (doca_physical_memory)
		unregister_memory_notifier(&doca_physical_notifier);
	for (i = 0; i < DOCA_PHYSICAL_TOLD; i++)
		put_pid(doca_physical_told[i]);
}
