// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include "../code/nop.h"
#include "dispatch.h"

enum {
	MAX_STEPS = 256, /* a tree of comparisons has a dozen levels */
	LONGEST = 8, /* no instruction here is longer */
};

bool dispatch_read(struct view *v, u64 va, u64 end, struct dispatch *d)
{
	u64 len = end - va < sizeof(d->code) ? end - va : sizeof(d->code);

	d->kernel = v->kernel;
	d->va = va;
	d->size = (u32)len;
	d->len = 0;
	view_want(v, NULL, va, len);
	view_flush(v);
	/* it may end before a page that is missing, and that is not part of it */
	while (d->len < len) {
		u64 n = PAGE - ((va + d->len) & (PAGE - 1));

		if (n > len - d->len)
			n = len - d->len;
		if (!view_read(v, NULL, va + d->len, d->code + d->len, n))
			break;
		d->len += (u32)n;
	}
	return d->len;
}

struct state {
	const struct dispatch *d;
	u32 number; /* in %esi */
	u32 left, right; /* they were compared */
	u32 at;
	u64 target; /* it has left the function */
	bool by_call;
};

static int32_t signed_at(const u8 *p)
{
	int32_t value;

	memcpy(&value, p, sizeof(value));
	return value;
}

static bool is_entry(const struct dispatch *d, u64 va)
{
	u64 address = va - d->kernel->delta;
	const struct map_entry *e = map_entry_at(&d->kernel->map, address);

	return e && e->address == address;
}

/* A jump within the function has not left it, even if that part is not there. */
static void go(struct state *s, u32 next, int32_t by)
{
	u64 to = s->d->va + next + (u64)(int64_t)by;

	if (is_entry(s->d, to) || to - s->d->va >= s->d->size)
		s->target = to;
	else
		s->at = (u32)(to - s->d->va);
}

/* Conditions of jumps, as the processor numbers them, after a comparison of unsigned numbers. */
static bool holds(const struct state *s, u8 condition, bool *known)
{
	*known = condition >= 2 && condition <= 7;
	switch (condition & 7) {
	case 2:
		return s->left < s->right;
	case 3:
		return s->left >= s->right;
	case 4:
		return s->left == s->right;
	case 5:
		return s->left != s->right;
	case 6:
		return s->left <= s->right;
	default:
		return s->left > s->right;
	}
}

static bool jump_if(struct state *s, u8 condition, u32 len, int32_t by)
{
	bool known, taken = holds(s, condition, &known);

	if (!known)
		return false;
	if (taken)
		go(s, s->at + len, by);
	else
		s->at += len;
	return true;
}

static bool compare(struct state *s, u32 len, u32 with)
{
	s->left = s->number;
	s->right = with;
	s->at += len;
	return true;
}

static bool subtract(struct state *s, u32 len, u32 by)
{
	compare(s, len, by);
	s->number -= by;
	return true;
}

/* Return the length of what does nothing; 0 if it does something. */
static u32 length_of_nop(const u8 *p)
{
	static const struct {
		u8 len, bytes[LONGEST];
	} nops[] = {
		{ 1, { 0x90 } },
		{ 2, { 0x66, 0x90 } },
		{ 3, { 0x0f, 0x1f, 0x00 } },
		{ 4, { 0x0f, 0x1f, 0x40, 0x00 } },
		{ 5, { 0x0f, 0x1f, 0x44, 0x00, 0x00 } },
		{ 5, { 0x66, 0x66, 0x66, 0x66, 0x90 } },
		{ 5, { 0x66, 0x66, 0x66, 0x90, 0x90 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(nops); i++)
		if (!memcmp(p, nops[i].bytes, nops[i].len))
			return nops[i].len;
	return is_landing(p) ? LANDING : 0;
}

/* Return true where ftrace may have written something; another check judges it. */
static bool is_place_of_ftrace(const struct state *s)
{
	return s->at == 0 || (s->at == 4 && length_of_nop(s->d->code) == 4);
}

static bool has_instruction(const struct dispatch *d, u64 at)
{
	return d->len >= LONGEST && at <= d->len - LONGEST;
}

bool dispatch_has(const struct dispatch *d, u64 va)
{
	return d->len == d->size || has_instruction(d, va - d->va);
}

static bool step(struct state *s)
{
	const u8 *p = s->d->code + s->at;
	u32 nop;

	if (!has_instruction(s->d, s->at))
		return false;
	nop = length_of_nop(p);
	s->at += nop;
	if (nop)
		return true;
	if (p[0] == 0xe8 && is_place_of_ftrace(s)) {
		s->at += 5;
		return true;
	}
	if (p[0] == 0x81 && p[1] == 0xfe)
		return compare(s, 6, (u32)signed_at(p + 2));
	if (p[0] == 0x83 && p[1] == 0xfe)
		return compare(s, 3, (u32)(int8_t)p[2]);
	if (p[0] == 0x81 && p[1] == 0xee)
		return subtract(s, 6, (u32)signed_at(p + 2));
	if (p[0] == 0x83 && p[1] == 0xee)
		return subtract(s, 3, (u32)(int8_t)p[2]);
	if (p[0] == 0x85 && p[1] == 0xf6)
		return compare(s, 2, 0);
	if (p[0] == 0x0f && p[1] >> 4 == 8)
		return jump_if(s, p[1] & 15, 6, signed_at(p + 2));
	if (p[0] >> 4 == 7)
		return jump_if(s, p[0] & 15, 2, (int8_t)p[1]);
	if (p[0] != 0xe8 && p[0] != 0xe9 && p[0] != 0xeb)
		return false;
	s->by_call = p[0] == 0xe8;
	if (p[0] == 0xeb)
		go(s, s->at + 2, (int8_t)p[1]);
	else
		go(s, s->at + 5, signed_at(p + 1));
	/* a call within may do anything */
	return !s->by_call || s->target;
}

bool dispatch_follow(const struct dispatch *d, u32 number, u64 *target,
		     bool *by_call)
{
	struct state s = { .d = d, .number = number };

	for (int i = 0; i < MAX_STEPS && !s.target; i++)
		if (!step(&s))
			break;
	*by_call = s.by_call;
	*target = s.target ? s.target : d->va + s.at;
	return s.target;
}
