// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Memory kind physical: addresses are those of the machine, and nothing is pinned, for
 * nothing need be there. Each page is asked for when it is read.
 *
 * What may be read is what /proc/kcore gives of RAM: a page that is online, not poisoned,
 * not taken away by a balloon, and system RAM. It is copied so that a page which the
 * kernel itself does not map (secretmem, a guard page) is no fault but absent.
 *
 * A page that is asked for must not go before it is copied. There are two ways to go:
 *
 *  - Memory hotplug, whose lock is not exported. It first takes the section offline, then
 *    tells of that (MEM_OFFLINE), and afterwards lets the page's descriptor and the direct
 *    map go. A page is asked for and copied in one RCU section, and what hears of
 *    MEM_OFFLINE waits for all that have begun: so who has seen the section online has
 *    finished before anything goes. Later ones do not see it online.
 *  - Drivers (balloons, virtio-mem) that mark a page offline and give it to the
 *    hypervisor. They do so between page_offline_begin() and page_offline_end(). The lock
 *    of those who only look is not exported, so this takes theirs, for a page at a time.
 *
 * Poison comes at any time: an error that nobody has found yet is a machine check here as
 * for every other reader of the memory.
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

/* Processes that the log has named: nobody is named twice in a row of so many. */
#define DOCA_PHYSICAL_TOLD 16

static DEFINE_MUTEX(doca_physical_lock);
static struct pid *doca_physical_told[DOCA_PHYSICAL_TOLD];
static unsigned int doca_physical_next;

bool doca_physical_is_locked_down(void)
{
	return security_locked_down(LOCKDOWN_KCORE);
}

/* True the first time, with a reference. */
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
	/* There pages may be the host's, or nobody's yet, and to touch one ends the guest. */
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

/* Of one page. */
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
