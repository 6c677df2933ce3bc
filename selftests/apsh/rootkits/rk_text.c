// SPDX-License-Identifier: GPL-2.0
/* Changes where a function goes on, behind its beginning. */
#include "rootkit.h"

enum { MOST = 64 };

static struct jump jump;

static long called(const struct pt_regs *regs)
{
	return -EPERM;
}

/* A byte of that value is no jump if it does not lead to the kernel's code. */
static int __init rk_init(void)
{
	int err = find_jump(&jump, (u8 *)symbol_of(VICTIM), MOST, symbol_of("_stext"),
			    symbol_of("_etext"));

	if (!err)
		lead_jump(&jump, called);
	return err;
}

static void __exit rk_exit(void)
{
	lead_jump_back(&jump);
}

module_init(rk_init);
module_exit(rk_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A test: a system call that goes on elsewhere");
