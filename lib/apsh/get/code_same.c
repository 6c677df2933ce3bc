// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Code that the kernel has copied from another place of its image. What it says relative to itself
 * differs by the distance of both; a jump becomes a shorter one; what does nothing is written anew.
 */
#include <string.h>

#include "../code/nop.h"
#include "kernel_code.h"

/* Those that have places within are in no other, but for a call by a pointer in an alternative. */
static bool may_be_within(const struct site *s, const struct site *within)
{
	return s->kind != SITE_ALTERNATIVE &&
	       (s->kind != SITE_PARAVIRT || within->kind == SITE_ALTERNATIVE);
}

/* Anything may stand where nothing is compared, but for a branch out of the kernel. */
static bool passes(struct comparison *x, const struct site *s, struct piece now,
		   struct piece was)
{
	enum form form = x->form(x, s, now, was);

	return form == FORM_KNOWN ||
	       (form == FORM_SKIPPED && !code_branches_out(x, now, s->len));
}

/* Return how many bytes from there on are another form of a place within. */
static u32 pass_place(struct comparison *x, const struct site *within,
		      struct piece now, struct piece was, u32 i, u32 len)
{
	u32 at = (u32)(was.at + i - x->code->text), end = at - i + len;

	for (u32 n = code_first_site(x->code, at); n < x->code->nr_sites; n++) {
		const struct site *s = &x->code->sites[n];
		u32 from = s->at - (at - i);

		if (s->at > at)
			break;
		if (at - s->at >= s->len || at - s->at > i ||
		    s->at + s->len > end || !may_be_within(s, within))
			continue;
		if (passes(x, s, behind(now, from), behind(was, from)))
			return from + s->len - i;
	}
	return 0;
}

/* A place that is relative begins at this byte or up to 3 before it. */
static u32 pass_distance(struct piece now, struct piece was, u32 i, u32 len)
{
	for (u32 back = 0; back < 4 && back <= i; back++) {
		u32 at = i - back;

		if (at + 4 <= len &&
		    code_follow(now.bytes + at, now.at) ==
			    code_follow(was.bytes + at, was.at))
			return 4 - back;
	}
	return 0;
}

static u32 pass_short_jump(struct piece now, struct piece was, u32 i, u32 len)
{
	struct branch old = code_branch(behind(was, i), len - i);
	struct branch new = code_branch(behind(now, i), len - i);

	if (old.code != 0xe9 || new.code != 0xeb || old.target != new.target ||
	    (!are_breakpoints(now.bytes + i + 2, old.len - 2) &&
	     !are_nops(now.bytes + i + 2, old.len - 2)))
		return 0;
	return old.len;
}

/* All that does nothing is taken together, up to where something is done, or to the end. */
static u32 pass_nops(struct piece now, struct piece was, u32 i, u32 len)
{
	u32 begin = i, end = i;

	while (begin && was.bytes[begin - 1] == 0x90)
		begin--;
	while (end < len && was.bytes[end] == 0x90)
		end++;
	if (begin < end && are_nops(now.bytes + begin, end - begin))
		return end - i;
	return are_nops(was.bytes + i, len - i) &&
			       are_nops(now.bytes + i, len - i) ?
		       len - i :
		       0;
}

bool code_is_same(struct comparison *x, const struct site *within,
		  struct piece now, struct piece was, u32 len)
{
	u32 by;

	for (u32 i = 0; i < len; i += by) {
		by = 1;
		if (now.bytes[i] == was.bytes[i])
			continue;
		by = pass_place(x, within, now, was, i, len);
		if (!by && now.at != was.at)
			by = pass_distance(now, was, i, len);
		if (!by)
			by = pass_short_jump(now, was, i, len);
		if (!by)
			by = pass_nops(now, was, i, len);
		if (!by)
			return false;
	}
	return true;
}

/* Return how many bytes of both are calls of a function, perhaps by what counts them. */
static u32 pass_call(const struct comparison *x, struct piece now,
		     struct piece was, u32 len)
{
	struct branch old = code_branch(was, len), new = code_branch(now, len);

	return code_is_counted(x, &old, &new) && old.len == new.len ? old.len :
								      0;
}

static bool is_alternative(struct comparison *x, const struct site *s,
			   struct piece now, const struct alternative *a)
{
	struct piece by = { .at = x->code->text + a->by };
	u32 i;

	by.bytes = code_bytes(x->code, by.at, a->by_len);
	if (!by.bytes || a->by_len > s->len)
		return false;
	i = pass_call(x, now, by, a->by_len);
	return code_is_same(x, s, behind(now, i), behind(by, i),
			    a->by_len - i) &&
	       are_nops(now.bytes + a->by_len, s->len - a->by_len);
}

enum form code_form_alternative(struct comparison *x, const struct site *s,
				struct piece now, struct piece was)
{
	const struct alternative *a = &x->code->alternatives[s->arg];

	if (code_is_same(x, s, now, was, s->len) ||
	    code_is_direct(x, s->len, now, was))
		return FORM_KNOWN;
	for (;; a++) {
		if (is_alternative(x, s, now, a))
			return FORM_KNOWN;
		if (a->last)
			return FORM_UNKNOWN;
	}
}
