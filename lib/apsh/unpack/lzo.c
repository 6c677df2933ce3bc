// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * LZO1X. An instruction copies earlier output, and then up to three literals, whose number
 * is in its low two bits; or it is a longer run of literals. The meaning of instructions below
 * 16 depends on how many literals were copied right before.
 */
#include "block.h"
#include "unpack.h"

enum { MANY = 4 }; /* literals of a run */

struct match {
	size_t distance, len;
	u32 literals;
};

/* Lengths that do not fit into the instruction: 255 for each zero, and the next byte. */
static size_t long_length(struct block *b, size_t len, size_t most)
{
	u32 byte;

	if (len)
		return len;
	for (len = most; !(byte = block_byte(b)) && !b->bad;)
		len += 255;
	return len + byte;
}

static struct match far_match(struct block *b, size_t len, size_t before)
{
	u32 word = block_number(b, 2);

	return (struct match){ before + (word >> 2), len, word & 3 };
}

/* Instructions from 16 on, and those below after literals. */
static struct match read_match(struct block *b, u32 code, u32 literals)
{
	if (code >= 64)
		return (struct match){
			.distance = (code >> 2 & 7) + 1 + (block_byte(b) << 3),
			.len = (code >> 5) + 1,
			.literals = code & 3,
		};
	if (code >= 32)
		return far_match(b, long_length(b, code & 31, 31) + 2, 1);
	if (code >= 16)
		return far_match(b, long_length(b, code & 7, 7) + 2,
				 16384 + ((code & 8) << 11));
	return (struct match){
		.distance = (code >> 2) + (literals == MANY ? 2049 : 1) +
			    (block_byte(b) << 2),
		.len = literals == MANY ? 3 : 2,
		.literals = code & 3,
	};
}

/* Return the number of literals before the next instruction. */
static u32 first_literals(struct block *b)
{
	u32 literals = *b->from - 17;

	block_byte(b);
	block_literals(b, literals);
	return literals < MANY ? literals : MANY;
}

ssize_t unpack_lzo(const void *from, size_t len, void *to, size_t room)
{
	struct block b = { .from = from, .left = len, .to = to, .room = room };
	u32 literals = 0;

	if (len && *b.from > 17)
		literals = first_literals(&b);
	while (!b.bad) {
		u32 code = block_byte(&b);
		struct match m;

		if (code < 16 && !literals) {
			block_literals(&b, long_length(&b, code, 15) + 3);
			literals = MANY;
			continue;
		}
		m = read_match(&b, code, literals);
		/* such a distance is the end */
		if (code >= 16 && code < 32 && m.distance == 16384)
			return b.bad || b.left || m.len != 3 ? -1 :
							       (ssize_t)b.done;
		block_copy(&b, m.distance, m.len);
		block_literals(&b, m.literals);
		literals = m.literals;
	}
	return -1;
}
