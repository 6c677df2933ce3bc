// SPDX-License-Identifier: GPL-2.0
/* Takes a system call over by ftrace. */
#include <linux/ftrace.h>

#include "rootkit.h"

static void notrace called(unsigned long ip, unsigned long parent,
			   struct ftrace_ops *ops, struct ftrace_regs *regs)
{
}

static struct ftrace_ops ops = { .func = called };

static int __init rk_init(void)
{
	int err = ftrace_set_filter(&ops, VICTIM, sizeof(VICTIM) - 1, 0);

	return err ? err : register_ftrace_function(&ops);
}

static void __exit rk_exit(void)
{
	unregister_ftrace_function(&ops);
	ftrace_free_filter(&ops);
}

module_init(rk_init);
module_exit(rk_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A test: a system call that ftrace hooks");
