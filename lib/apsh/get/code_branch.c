// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Calls and jumps in the kernel's code, and where they lead. */
#include "../code/nop.h"
#include "kernel_code.h"

/* Bytes of the instruction that counts a call, which ends where the function begins. */
enum { COUNTING = 9, COUNTING_FAR = 10 };

struct branch code_branch(struct piece p, u32 len)
{
	struct branch b = { 0 };
	const u8 *bytes = p.bytes;

	while (b.len < len && bytes[b.len] == 0x2e)
		b.len++;
	bytes += b.len;
	if (len - b.len >= 5 && (bytes[0] & 0xfe) == 0xe8) {
		b.code = bytes[0];
		b.len += 5;
	} else if (len - b.len >= 6 && bytes[0] == 0x0f && bytes[1] >> 4 == 8) {
		b.code = bytes[1];
		b.len += 6;
	} else if (len - b.len >= 2 &&
		   (bytes[0] == 0xeb || bytes[0] >> 4 == 7)) {
		b.code = bytes[0];
		b.len += 2;
		b.target = p.at + b.len + (u64)(int64_t)(int8_t)bytes[1];
		return b;
	} else {
		return (struct branch){ 0 };
	}
	b.target = code_follow(p.bytes + b.len - 4, p.at + b.len);
	return b;
}

bool code_ends_in_nops(const struct site *s, struct piece now,
		       const struct branch *b)
{
	return are_nops(now.bytes + b->len, s->len - b->len);
}

bool code_is_kernels(const struct comparison *x, u64 at)
{
	return is_kernel_code(&x->h.owners, at + x->delta);
}

/* Where the kernel writes what it computes, or others do, no code begins. */
static bool is_data(const struct code *code, u32 at)
{
	for (u32 n = code_first_site(code, at);
	     n < code->nr_sites && code->sites[n].at <= at; n++) {
		const struct site *s = &code->sites[n];

		if (at - s->at < s->len &&
		    (s->kind == SITE_CONSTANT || s->kind == SITE_CFI))
			return true;
	}
	return false;
}

bool code_is_function(const struct comparison *x, u64 at)
{
	const struct code_symbol *s = code_symbol_at(x->code, at);

	return code_is_kernels(x, at) && s && s->address == at &&
	       !is_data(x->code, (u32)(at - x->code->text));
}

bool code_is_whole(const struct site *s, const struct branch *b)
{
	return b->len == s->len &&
	       (b->code == 0xe8 || b->code == 0xe9 || b->code >> 4 == 8);
}

/* The image has nothing in front of a function whose calls are counted: what stands there is a place. */
bool code_is_counted(const struct comparison *x, const struct branch *was,
		     const struct branch *now)
{
	u64 len = was->target - now->target;
	const u8 *before;

	if (was->code != 0xe8 || now->code != 0xe8)
		return false;
	if (!len)
		return true;
	if ((len != COUNTING && len != COUNTING_FAR) ||
	    !code_symbol(x->code, "__call_sites"))
		return false;
	before = code_bytes(x->code, now->target, len);
	return before && are_nops(before, (u32)len);
}

bool code_branches_out(struct comparison *x, struct piece p, u32 len)
{
	struct call *c = x->h.c;
	u8 byte;

	for (u32 i = 0; i < len; i++) {
		struct branch b = code_branch(behind(p, i), len - i);
		u64 va = b.target + x->delta;

		if (b.code && (owner_module(&x->h.owners, va) ||
			       (is_unowned(c, &x->h.owners, va) &&
				view_read(&c->view, NULL, va, &byte, 1))))
			return true;
	}
	return false;
}

bool code_is_return_thunk(const struct comparison *x, const struct branch *b)
{
	return b->code && (code_named(x->code, b->target, "return_thunk") ||
			   code_named(x->code, b->target, "return_skl"));
}

enum form code_foreign(struct comparison *x, const struct branch *b)
{
	x->target = b->target + x->delta;
	return FORM_FOREIGN;
}
