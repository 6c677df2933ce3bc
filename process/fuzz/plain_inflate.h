/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * DEFLATE as RFC 1951 tells it, bit by bit. It is slow, but the fuzzer sees where an input leads,
 * which it does not in libraries.
 */
#ifndef NATIVE_FUZZ_PLAIN_INFLATE_H
#define NATIVE_FUZZ_PLAIN_INFLATE_H

#include <stdbool.h>
#include <string.h>

#include <linux/types.h>

#define PLAIN_BITS 15 /* the longest code */

struct plain {
	bool is_lenient; /* codes need not be complete, nor end a block */
	const u8 *in;
	size_t size;
	size_t bit; /* the next one to read */
	u8 *out;
	size_t room;
	size_t written;
};

/* A code: how many symbols have so many bits, and all symbols in the order of their codes. */
struct plain_code {
	u16 count[PLAIN_BITS + 1];
	u16 symbols[288];
};

/* Return a number of bits; -1 if the input ends before. */
static int plain_take(struct plain *p, u32 nr)
{
	int value = 0;
	u32 i;

	if (nr > p->size * 8 - p->bit)
		return -1;
	for (i = 0; i < nr; i++, p->bit++)
		value |= (p->in[p->bit / 8] >> p->bit % 8 & 1) << i;
	return value;
}

/* Make a code of the lengths; false if they are not those of one. */
static bool plain_make(struct plain_code *code, const u8 *lengths, u32 nr,
		       bool may_have_room)
{
	u32 i, length, at = 0;
	int left = 1;

	memset(code, 0, sizeof(*code));
	for (length = 1; length <= PLAIN_BITS; length++) {
		for (i = 0; i < nr; i++)
			if (lengths[i] == length) {
				code->symbols[at++] = i;
				code->count[length]++;
			}
		left = 2 * left - code->count[length];
		if (left < 0)
			return false;
	}
	return !left || !at || may_have_room;
}

/* Likewise for one symbol that may be alone, with a bit. */
static bool plain_make_alone(struct plain *p, struct plain_code *code,
			     const u8 *lengths, u32 nr)
{
	bool alone = plain_make(code, lengths, nr, true) && code->count[1] == 1;
	u32 length;

	for (length = 2; length <= PLAIN_BITS; length++)
		alone = alone && !code->count[length];
	return alone || plain_make(code, lengths, nr, p->is_lenient);
}

static int plain_symbol(struct plain *p, const struct plain_code *code)
{
	int first = 0, value = 0, before = 0, bit;
	u32 length;

	for (length = 1; length <= PLAIN_BITS; length++) {
		bit = plain_take(p, 1);
		if (bit < 0)
			return -1;
		value = 2 * value + bit;
		first *= 2;
		if (value < first + code->count[length])
			return code->symbols[before + value - first];
		first += code->count[length];
		before += code->count[length];
	}
	return -1;
}

static bool plain_put(struct plain *p, u8 byte)
{
	if (p->written == p->room)
		return false;
	p->out[p->written++] = byte;
	return true;
}

static bool plain_stored(struct plain *p)
{
	int length, inverse;

	p->bit = (p->bit + 7) / 8 * 8;
	length = plain_take(p, 16);
	inverse = plain_take(p, 16);
	if (length < 0 || inverse < 0 || (length ^ inverse) != 0xffff)
		return false;
	while (length--) {
		int byte = plain_take(p, 8);

		if (byte < 0 || !plain_put(p, byte))
			return false;
	}
	return true;
}

/* Values that go in steps of a power of two, of which each has @each before it doubles. */
static int plain_value(struct plain *p, u32 step, u32 each, u32 first)
{
	u32 bits = step < 2 * each ? 0 : step / each - 1;
	u32 base = bits ? (each + step % each) << bits : step;
	int more = plain_take(p, bits);

	return more < 0 ? -1 : (int)(first + base + more);
}

static bool plain_match(struct plain *p, u32 symbol,
			const struct plain_code *distances)
{
	int length, distance, step;

	if (symbol > 285)
		return false;
	length = symbol == 285 ? 258 : plain_value(p, symbol - 257, 4, 3);
	step = length < 0 ? -1 : plain_symbol(p, distances);
	if (step < 0 || step > 29)
		return false;
	distance = plain_value(p, step, 2, 1);
	if (distance < 0 || (size_t)distance > p->written)
		return false;
	while (length--)
		if (!plain_put(p, p->out[p->written - distance]))
			return false;
	return true;
}

static bool plain_coded(struct plain *p, const struct plain_code *literals,
			const struct plain_code *distances)
{
	int symbol;

	for (;;) {
		symbol = plain_symbol(p, literals);
		if (symbol == 256)
			return true;
		if (symbol < 0 ||
		    !(symbol < 256 ? plain_put(p, symbol) :
				     plain_match(p, symbol, distances)))
			return false;
	}
}

static bool plain_fixed(struct plain *p)
{
	struct plain_code literals, distances;
	u8 lengths[288];

	memset(lengths, 8, 144);
	memset(lengths + 144, 9, 112);
	memset(lengths + 256, 7, 24);
	memset(lengths + 280, 8, 8);
	plain_make(&literals, lengths, 288, false);
	memset(lengths, 5, 32);
	plain_make(&distances, lengths, 32, false);
	return plain_coded(p, &literals, &distances);
}

static bool plain_lengths(struct plain *p, const struct plain_code *code,
			  u8 *lengths, u32 nr)
{
	u32 done = 0;

	while (done < nr) {
		int symbol = plain_symbol(p, code), times = 1;
		u8 length = symbol;

		if (symbol < 0 || (symbol == 16 && !done))
			return false;
		if (symbol >= 16) {
			length = symbol == 16 ? lengths[done - 1] : 0;
			times = plain_take(p, symbol == 16 ? 2 :
					      symbol == 17 ? 3 :
							     7);
			if (times < 0)
				return false;
			times += symbol == 18 ? 11 : 3;
		}
		if (times > (int)(nr - done))
			return false;
		memset(lengths + done, length, times);
		done += times;
	}
	return true;
}

static bool plain_dynamic(struct plain *p)
{
	static const u8 order[] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
				    11, 4,  12, 3, 13, 2, 14, 1, 15 };
	int nr_literals = plain_take(p, 5), nr_distances = plain_take(p, 5);
	int nr = plain_take(p, 4), length, i;
	struct plain_code code, distances;
	u8 lengths[288 + 32] = { 0 };

	/* Symbols 286 and 287, and 30 and 31, are none. */
	if (nr < 0 || nr_literals > 29 || nr_distances > 29)
		return false;
	nr_literals += 257;
	nr_distances += 1;
	for (i = 0; i < nr + 4; i++) {
		length = plain_take(p, 3);
		if (length < 0)
			return false;
		lengths[order[i]] = length;
	}
	if (!plain_make(&code, lengths, 19, p->is_lenient) ||
	    !plain_lengths(p, &code, lengths, nr_literals + nr_distances) ||
	    (!lengths[256] && !p->is_lenient) ||
	    !plain_make_alone(p, &distances, lengths + nr_literals,
			      nr_distances) ||
	    !plain_make_alone(p, &code, lengths, nr_literals))
		return false;
	return plain_coded(p, &code, &distances);
}

/* Decode a stream; return true if it is whole and right, and its output has room. */
static bool plain_inflate(struct plain *p)
{
	int last;
	bool good;

	do {
		last = plain_take(p, 1);
		switch (plain_take(p, 2)) {
		case 0:
			good = plain_stored(p);
			break;
		case 1:
			good = plain_fixed(p);
			break;
		case 2:
			good = plain_dynamic(p);
			break;
		default:
			good = false;
		}
	} while (good && !last);
	return good;
}

#endif
