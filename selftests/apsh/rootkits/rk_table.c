// SPDX-License-Identifier: GPL-2.0
/* Takes a system call over in the table. */
#include <asm/unistd.h>

#include "rootkit.h"

static void **table;
static void *old;

static long called(const struct pt_regs *regs)
{
	return -EPERM;
}

static int __init rk_init(void)
{
	void *new = called;

	table = (void **)symbol_of("sys_call_table");
	if (!table)
		return -ENOENT;
	old = table[__NR_swapoff];
	overwrite(&table[__NR_swapoff], &new, sizeof(new));
	return 0;
}

static void __exit rk_exit(void)
{
	overwrite(&table[__NR_swapoff], &old, sizeof(old));
}

module_init(rk_init);
module_exit(rk_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A test: a system call that is another's in the table");
