// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Calls and jumps by pointers of which the kernel makes direct ones, as it starts. */
#include <string.h>

#include "../code/nop.h"
#include "kernel_code.h"

struct pointer {
	u8 code; /* e8 or e9, of the branch in its place; 0: there is none */
	bool is_read;
	u64 function; /* before KASLR; 0: there is none */
};

/* The image has addresses as they are in memory. */
static struct pointer pointer_of(struct comparison *x, u32 len,
				 struct piece was)
{
	const u8 *p = was.bytes;
	struct pointer to = { 0 };
	u64 at;

	if (len >= 6 && p[0] == 0xff && (p[1] == 0x15 || p[1] == 0x25)) {
		to.code = p[1] == 0x15 ? 0xe8 : 0xe9;
		at = code_follow(p + 2, was.at + 6) + x->delta;
	} else if (len >= 7 && p[0] == 0xff && (p[1] == 0x14 || p[1] == 0x24) &&
		   p[2] == 0x25) {
		to.code = p[1] == 0x14 ? 0xe8 : 0xe9;
		at = code_follow(p + 3, 0);
	} else {
		return to;
	}
	to.is_read = view_read(&x->h.c->view, NULL, at, &to.function,
			       sizeof(to.function));
	if (to.function)
		to.function -= x->delta;
	return to;
}

u64 code_pointed(struct comparison *x, u32 len, struct piece was)
{
	struct pointer to = pointer_of(x, len, was);

	return to.code && to.is_read ? to.function : 0;
}

/* Without a function the kernel stops there: by a trap, or a function that has one. */
static bool is_bug(const struct comparison *x, u32 len, struct piece now,
		   const struct branch *b)
{
	if (now.bytes[0] == 0x0f && now.bytes[1] == 0x0b)
		return are_nops(now.bytes + 2, len - 2);
	return b->code == 0xe8 && are_nops(now.bytes + b->len, len - b->len) &&
	       (b->target == code_symbol(x->code, "BUG_func") ||
		b->target == code_symbol(x->code, "paravirt_BUG"));
}

static bool does_nothing(const struct comparison *x, u64 function)
{
	return function == code_symbol(x->code, "nop_func") ||
	       function == code_symbol(x->code, "_paravirt_nop");
}

bool code_is_direct(struct comparison *x, u32 len, struct piece now,
		    struct piece was)
{
	struct pointer to = pointer_of(x, len, was);
	struct branch b = code_branch(now, len);
	struct branch call = { to.code, to.function, 5 };

	if (!to.code || !to.is_read)
		return false;
	if (!to.function)
		return is_bug(x, len, now, &b);
	if (to.code == 0xe8 && does_nothing(x, to.function))
		return are_nops(now.bytes, len);
	return b.code == to.code && code_is_function(x, to.function) &&
	       (b.target == to.function || code_is_counted(x, &call, &b)) &&
	       are_nops(now.bytes + b.len, len - b.len);
}

enum form code_form_by_pointer(struct comparison *x, const struct site *s,
			       struct piece now, struct piece was)
{
	struct pointer to = pointer_of(x, s->len, was);
	struct branch b = { to.code, to.function, 0 };

	if (!to.code || memcmp(now.bytes, was.bytes, 6) != 0)
		return FORM_KNOWN;
	if (!to.is_read)
		return FORM_DOUBTED;
	if (code_is_function(x, to.function))
		return FORM_KNOWN;
	return owner_module(&x->h.owners, to.function + x->delta) ?
		       code_foreign(x, &b) :
		       FORM_UNKNOWN;
}
