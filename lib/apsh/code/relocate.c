// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Addresses in the image. Where a kernel may be moved, lists of them are behind its ELF file, each
 * with a 0 in front, and are read from their end: places of 32 bits, then those from which the
 * distance is subtracted, in kernels whose per-CPU data is linked to 0, then places of 64 bits.
 */
#include <string.h>

#include "code.h"

enum list_kind { ADDS_32, SUBTRACTS_32, ADDS_64 };

static u32 word_at(const u8 *p)
{
	u32 word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/* A place outside of what the image has is of no interest, such as one in per-CPU data. */
static void move(struct code *code, u32 place, enum list_kind kind, u64 by)
{
	size_t len = kind == ADDS_64 ? 8 : 4;
	u8 *p = code_bytes(code, (u64)(int64_t)(int32_t)place, len);
	u64 value = 0;

	if (!p)
		return;
	memcpy(&value, p, len);
	value += kind == SUBTRACTS_32 ? -by : by;
	memcpy(p, &value, len);
}

/* Count the lists; 0 if there is something else. */
static u32 count_lists(const u8 *words, u32 nr)
{
	u32 lists = 0;

	if (!nr || nr > CODE_MOST_WORDS || word_at(words))
		return 0;
	for (u32 i = 0; i < nr; i++)
		lists += !word_at(words + 4 * (size_t)i);
	return lists == 2 || lists == 3 ? lists : 0;
}

bool code_relocate(struct code *code, u64 delta)
{
	size_t size = code->image_size - code->elf_size;
	const u8 *words = code->image + code->elf_size + size % 4;
	u32 nr = (u32)(size / 4), lists = count_lists(words, nr);
	u64 by = delta - code->delta;
	enum list_kind kind = ADDS_32;

	if (!by)
		return true;
	if (!lists)
		return false;
	for (u32 i = nr; i--;) {
		u32 place = word_at(words + 4 * (size_t)i);

		if (place)
			move(code, place, kind, by);
		else if (lists == 2)
			kind = ADDS_64;
		else
			kind++;
	}
	code->delta = delta;
	return true;
}
