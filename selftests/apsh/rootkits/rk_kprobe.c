// SPDX-License-Identifier: GPL-2.0
/* Takes a system call over by a probe. */
#include "rootkit.h"

static int called(struct kprobe *probe, struct pt_regs *regs)
{
	return 0;
}

static struct kprobe probe = { .symbol_name = VICTIM, .pre_handler = called };

static int __init rk_init(void)
{
	return register_kprobe(&probe);
}

static void __exit rk_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(rk_init);
module_exit(rk_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A test: a system call that a probe hooks");
