// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Calls and jumps by a register, which the image has as branches to thunks. */
#include <string.h>

#include "../code/nop.h"
#include "kernel_code.h"

enum { THUNK = 32, ITS_THUNK = 64, NR_REGISTERS = 16, R11 = 11 };

static enum form known_if(bool known)
{
	return known ? FORM_KNOWN : FORM_UNKNOWN;
}

/* Return the register whose thunk that is; -1 if it is none. */
static int thunk_of(u64 target, u64 thunks, u32 step)
{
	u64 into = target - thunks;

	return thunks && into < (u64)step * NR_REGISTERS && into % step == 0 ?
		       (int)(into / step) :
		       -1;
}

int code_thunk(const struct comparison *x, u64 target)
{
	return thunk_of(target, x->thunks, THUNK);
}

static int any_thunk_of(const struct comparison *x, u64 target)
{
	int reg = code_thunk(x, target);

	if (reg < 0)
		reg = thunk_of(target, x->call_thunks, THUNK);
	if (reg < 0)
		reg = thunk_of(target, x->jump_thunks, THUNK);
	return reg < 0 ? thunk_of(target, x->its_thunks, ITS_THUNK) : reg;
}

/* Return the length of a jump to what the register has, or with d0 of a call; 0 if it is none. */
static u32 by_register(const u8 *p, u32 len, int reg, u8 how)
{
	u32 n = 0;

	while (n < len && (p[n] == 0x2e || p[n] == 0x3e))
		n++;
	if (reg >= 8 && (n == len || p[n++] != 0x41))
		return 0;
	return len - n >= 2 && p[n] == 0xff && p[n + 1] == (how | (reg & 7)) ?
		       n + 2 :
		       0;
}

/* The kernel makes thunks in memory of its own, too, on processors that need them. */
static bool is_made_thunk(struct comparison *x, u64 target, int reg)
{
	u64 va = target + x->delta;
	u8 bytes[5];

	return x->its_thunks && is_unowned(x->h.c, &x->h.owners, va) &&
	       view_read(&x->h.c->view, NULL, va, bytes, sizeof(bytes)) &&
	       by_register(bytes, sizeof(bytes), reg, 0xe0);
}

/* Those of processors that need them have the end of a check in front: a jump to the byte before. */
bool code_is_checking_thunk(struct comparison *x, u64 target)
{
	static const u8 check[] = { 0x75, 0xfd, 0x41, 0xff, 0xe3 };
	u64 at = target - 1, va = at + x->delta;
	u8 bytes[1 + sizeof(check)];
	const u8 *p = bytes;

	if (thunk_of(target + 2, x->its_thunks, ITS_THUNK) == R11)
		p = code_bytes(x->code, at, sizeof(bytes));
	else if (!x->its_thunks || !is_unowned(x->h.c, &x->h.owners, va) ||
		 !view_read(&x->h.c->view, NULL, va, bytes, sizeof(bytes)))
		return false;
	/* no instruction begins so */
	return p && (*p == 0xea || *p == 0xd6) &&
	       !memcmp(p + 1, check, sizeof(check));
}

enum form code_form_retpoline(struct comparison *x, const struct site *s,
			      struct piece now, const struct branch *old,
			      const struct branch *new)
{
	int reg = code_thunk(x, old->target);
	const u8 *p = now.bytes;
	u32 left = s->len, n;

	if (reg < 0)
		return FORM_UNKNOWN;
	if (new->code == old->code)
		return known_if(code_ends_in_nops(s, now, new) &&
				(any_thunk_of(x, new->target) == reg ||
				 is_made_thunk(x, new->target, reg)));
	if (old->code >> 4 == 8) { /* the other way round, over a jump */
		if (p[0] != (0x70 | ((old->code & 15) ^ 1)) || p[1] != left - 2)
			return FORM_UNKNOWN;
		p += 2;
		left -= 2;
	}
	if (left >= 3 && !memcmp(p, "\x0f\xae\xe8", 3)) { /* lfence */
		p += 3;
		left -= 3;
	}
	n = by_register(p, left, reg, old->code == 0xe8 ? 0xd0 : 0xe0);
	return known_if(n &&
			(are_breakpoints(p + n, left - n) ||
			 are_nops(p + n, left - n) ||
			 (p[n] == 0xcc && are_nops(p + n + 1, left - n - 1))));
}
