// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Instructions that do nothing, of any length, and what the kernel jumps over in their place. */
#include <string.h>

#include "nop.h"

/* An instruction has no more bytes, and a short jump leads no further. */
enum { MOST_BYTES = 15, MOST_SHORT = 127 };

/* All there are, but for prefixes: kernels of all releases, and their assemblers, write these. */
static const struct {
	u32 len;
	u8 bytes[8];
} nops[] = {
	{ 1, { 0x90 } },
	{ 3, { 0x0f, 0x1f, 0x00 } },
	{ 4, { 0x0f, 0x1f, 0x40 } },
	{ 5, { 0x0f, 0x1f, 0x44 } },
	{ 7, { 0x0f, 0x1f, 0x80 } },
	{ 8, { 0x0f, 0x1f, 0x84 } },
};

/* Return the length of one that does nothing; 0 if it does something, or does not end there. */
static u32 nop_at(const u8 *p, u32 len)
{
	u32 n = 0;

	if (len > MOST_BYTES)
		len = MOST_BYTES;
	while (n < len && (p[n] == 0x66 || p[n] == 0x2e))
		n++;
	for (u32 i = 0; i < ARRAY_SIZE(nops); i++)
		if (nops[i].len <= len - n &&
		    !memcmp(p + n, nops[i].bytes, nops[i].len))
			return n + nops[i].len;
	return 0;
}

bool is_landing(const u8 *p)
{
	static const u8 landings[][LANDING] = {
		{ 0xf3, 0x0f, 0x1e, 0xfa },
		{ 0x66, 0x0f, 0x1f, 0x00 },
		{ 0x0f, 0x1f, 0x40, 0xd6 },
		{ 0xf5, 0x0f, 0x1f, 0x00 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(landings); i++)
		if (!memcmp(p, landings[i], LANDING))
			return true;
	return false;
}

bool are_breakpoints(const u8 *p, u32 len)
{
	for (u32 i = 0; i < len; i++)
		if (p[i] != 0xcc)
			return false;
	return true;
}

/* A jump behind the last byte, over breakpoints. */
static bool is_jump_over(const u8 *p, u32 len)
{
	u32 size = len && p[0] == 0xeb ? 2 : 5, by = 0;

	if (len < size || (p[0] != 0xeb && p[0] != 0xe9) ||
	    (size == 2 && len - size > MOST_SHORT))
		return false;
	memcpy(&by, p + 1, size - 1);
	if (by != len - size)
		return false;
	while (size < len && (p[size] == 0xcc || p[size] == 0x90))
		size++;
	return size == len;
}

bool are_nops(const u8 *p, u32 len)
{
	u32 n;

	for (; len && !is_jump_over(p, len); p += n, len -= n) {
		n = nop_at(p, len);
		if (!n)
			return false;
	}
	return true;
}
