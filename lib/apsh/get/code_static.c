// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Static calls. The first word of a key is the function, which the kernel writes there first, and
 * then to the code.
 */
#include <stdio.h>
#include <string.h>

#include "../code/nop.h"
#include "kernel_code.h"

struct static_call {
	struct branch now;
	u64 key; /* 0: it is not known */
	bool has_function; /* it could be read from the key */
	u64 function; /* 0: there is none */
	bool branches; /* as the image does, but perhaps to another function */
	bool nothing; /* as without a function */
	const char *instead; /* in place of a call of that function */
};

/* A trampoline has a key of its name. Return its address before KASLR. */
static u64 key_of(const struct comparison *x, const struct site *s)
{
	static const char trampoline[] = "__SCT__";
	const size_t len = sizeof(trampoline) - 1;
	const char *found;
	char name[256];

	if (s->arg)
		return x->code->text + s->arg;
	found = code_named(x->code, x->code->text + s->at, trampoline);
	if (!found || strncmp(found, trampoline, len) != 0)
		return 0;
	snprintf(name, sizeof(name), "__SCK__%s", found + len);
	return code_symbol(x->code, name);
}

/* Return the function of which a call is replaced by one instruction; NULL if it is none. */
static const char *replaced_by(const struct site *s, struct piece now)
{
	static const struct {
		u8 bytes[5];
		const char *function;
	} list[] = {
		{ { 0x2e, 0x2e, 0x2e, 0x31, 0xc0 }, "__static_call_return0" },
		{ { 0x66, 0x66, 0x48, 0x31, 0xc0 }, "__static_call_return0" },
		{ { 0x67, 0x48, 0x0f, 0xb9, 0x3a }, "__WARN_trap" },
		{ { 0x3e, 0x3e, 0xc6, 0x07, 0x00 },
		  "__raw_callee_save___native_queued_spin_unlock" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(list); i++)
		if (s->len == sizeof(list[i].bytes) &&
		    !memcmp(now.bytes, list[i].bytes, s->len))
			return list[i].function;
	return NULL;
}

/* Before 5.16 the distance of a jump was left behind a return. */
static bool is_return(const struct comparison *x, const struct site *s,
		      struct piece now)
{
	u8 jump[5] = { 0xe9 };

	if (now.bytes[0] != 0xc3 || s->len != sizeof(jump))
		return false;
	memcpy(jump + 1, now.bytes + 1, sizeof(jump) - 1);
	return are_breakpoints(jump + 1, sizeof(jump) - 1) ||
	       code_is_kernels(x, code_branch((struct piece){ jump, now.at },
					      sizeof(jump))
					  .target);
}

/* A branch leads to a return where it cannot be left out. */
static bool leads_to_return(const struct comparison *x, const struct branch *b)
{
	return code_is_return_thunk(x, b) ||
	       (b->code >> 4 == 8 &&
		b->target == code_symbol(x->code, "__static_call_return"));
}

/* The instruction has to be of the kind that the image has: a call, a jump, or one with a condition. */
static struct static_call look(struct comparison *x, const struct site *s,
			       struct piece now, struct piece was)
{
	struct branch old = code_branch(was, s->len);
	struct static_call c = { .now = code_branch(now, s->len),
				 .key = key_of(x, s) };

	if (was.bytes[0] == 0xc3) /* a jump without a function */
		old.code = 0xe9;
	c.branches = code_is_whole(s, &c.now) && c.now.code == old.code;
	c.nothing = c.branches && leads_to_return(x, &c.now);
	if (old.code == 0xe8) {
		c.nothing = are_nops(now.bytes, s->len);
		c.instead = replaced_by(s, now);
	} else if (old.code == 0xe9) {
		c.nothing |= is_return(x, s, now);
	}
	c.has_function = c.key &&
			 view_read(&x->h.c->view, NULL, c.key + x->delta,
				   &c.function, sizeof(c.function));
	return c;
}

/* Return true if that is what the kernel makes of the function of the key. */
static bool agrees(const struct comparison *x, const struct static_call *c)
{
	struct branch call = { 0xe8, c->function - x->delta, 5 };
	u64 instead = c->instead ? code_symbol(x->code, c->instead) : 0;

	return (c->nothing && !c->function) ||
	       (instead && instead == call.target) ||
	       (c->branches && (c->now.target == call.target ||
				code_is_counted(x, &call, &c->now)));
}

/* Key and code may differ while it is held. */
static u64 lock_of(const struct comparison *x)
{
	u64 lock = code_symbol(x->code, "static_call_mutex");

	return lock ? lock + x->delta : 0;
}

void code_prove_static_call(struct comparison *x, const struct site *s,
			    struct apsh_finding *o)
{
	u64 key = key_of(x, s), lock = lock_of(x);
	struct view *v = &x->h.c->view;

	if (key)
		view_identity(v, key + x->delta, 8, &o->object);
	if (lock)
		view_identity(v, lock + offset_of_field(v, F_MUTEX_OWNER), 8,
			      &o->object);
}

/* A branch leads to where code begins, or to what counts calls of it, even if the key agrees. */
static bool begins_code(const struct comparison *x, const struct static_call *c,
			u64 target)
{
	return !c->branches || c->nothing || code_is_function(x, target);
}

enum form code_form_static_call(struct comparison *x, const struct site *s,
				struct piece now, struct piece was)
{
	struct static_call c = look(x, s, now, was);
	bool leaves = c.branches && !code_is_kernels(x, c.now.target);

	if (!c.branches && !c.nothing && !c.instead)
		return FORM_UNKNOWN;
	if (c.has_function && agrees(x, &c)) {
		if (leaves)
			return FORM_KEYED;
		return begins_code(x, &c, c.function - x->delta) ? FORM_KNOWN :
								   FORM_UNKNOWN;
	}
	if (c.has_function && mutex_may_be_held(&x->h.c->view, lock_of(x)))
		return FORM_CHANGING;
	if (leaves)
		return code_foreign(x, &c.now);
	if (c.has_function)
		return FORM_UNKNOWN;
	return begins_code(x, &c, c.now.target) ? FORM_KNOWN : FORM_DOUBTED;
}
