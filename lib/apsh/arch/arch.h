/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Kinds of machines: how their tables map memory, and what says where a kernel runs and where it has
 * all memory. The rest of the library does not know them.
 */
#ifndef DOCA_APSH_ARCH_H
#define DOCA_APSH_ARCH_H

#include "../kernel/kernel.h"

struct view;

/* Kinds of entries in a table */
enum entry {
	ENTRY_NONE, /* it leads nowhere, but may say where memory was swapped to */
	ENTRY_TABLE,
	ENTRY_MEMORY,
};

struct arch {
	const char *name;
	u16 machine; /* in the header of an ELF file */
	enum symbol
		tables; /* the kernel's top-level table: no kernel of another kind has it */
	struct need needs; /* beside what is needed of each kernel */
	u64 align; /* an image begins at a multiple of it */
	const char *direct_flaw; /* why direct_map() is not believed */

	/*
	 * For the image at k->text_pa, assume one of the forms that tables can have, from 0 on, and get
	 * the addresses at which it runs. False if it is not of this form.
	 */
	u32 nr_forms;
	bool (*assume)(struct view *v, struct kernel *k, u32 form);
	/* Get where memory is mapped as a whole, as the kernel says. */
	bool (*direct_map)(struct view *v, struct kernel *k);

	/* Decode an entry of a table of that level; the last is 1. */
	enum entry (*decode)(const struct kernel *k, u64 entry, int level,
			     u64 *frame);
	u64 ignored; /* bits that may be set in an empty entry */

	/* Get the address of the struct page of physical address 0. */
	bool (*page_structs)(struct view *v, u64 *base);

	/* Get the place of the image from a VMCOREINFO; write one that tells it. */
	bool (*place)(const struct kernel *k, const char *info, u64 *text_pa);
	int (*note)(const struct kernel *k, char *text, size_t size);
};

extern const struct arch arch_x86_64, arch_arm64;

/* Return the kind of machine that the map's kernel is for; NULL if it is unknown. */
const struct arch *arch_of(const struct map *map);
/* Return the kind by its number in ELF files; NULL if it is not supported. */
const struct arch *arch_of_machine(u16 machine);

/* Return the offset of a symbol in the image, from the map. */
static inline u64 from_text(const struct kernel *k, enum symbol s)
{
	return k->map.symbols[s] - k->map.symbols[S__text];
}

#endif /* DOCA_APSH_ARCH_H */
