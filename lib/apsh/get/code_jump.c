// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Jump labels. The first word of a key counts who has switched it on, and is negative while the kernel
 * changes the code for that; where the key is switched off, the code is changed behind it.
 */
#include <string.h>

#include "../code/nop.h"
#include "kernel_code.h"

static bool is_jump(const struct comparison *x, const struct site *s,
		    struct piece now)
{
	struct branch b = code_branch(now, s->len);

	return (b.code == 0xe9 || b.code == 0xeb) && b.len == s->len &&
	       b.target == x->code->text + s->arg;
}

enum form code_form_jump(const struct comparison *x, const struct site *s,
			 struct piece now)
{
	return is_jump(x, s, now) || are_nops(now.bytes, s->len) ? FORM_KNOWN :
								   FORM_UNKNOWN;
}

static u64 key_of(const struct comparison *x, const struct site *s)
{
	return s->key ? x->code->text + s->key : 0;
}

/* Key and code may differ while it is held. */
static u64 lock_of(const struct comparison *x)
{
	u64 lock = code_symbol(x->code, "jump_label_mutex");

	return lock ? lock + x->delta : 0;
}

void code_want_key(struct comparison *x, const struct site *s)
{
	u64 key = key_of(x, s);

	if (key)
		view_want(&x->h.c->view, NULL, key + x->delta, sizeof(int32_t));
}

/* The kernel never changes one that its compiler has not written as the key says. */
static bool is_as_compiled(const struct comparison *x, const struct site *s,
			   struct piece now, struct piece was, bool on)
{
	const u8 *key = code_bytes(x->code, key_of(x, s), sizeof(int32_t));
	int32_t enabled = 0;

	/* one that begins as 0 has no bytes in the image */
	if (key)
		memcpy(&enabled, key, sizeof(enabled));
	return (enabled > 0) == on && !memcmp(now.bytes, was.bytes, s->len);
}

/* A jump to what is behind it does nothing either. */
enum form code_form_switched(struct comparison *x, const struct site *s,
			     struct piece now, struct piece was, bool *jumps)
{
	struct view *v = &x->h.c->view;
	u64 key = key_of(x, s);
	int32_t enabled = 0;
	bool on;

	*jumps = is_jump(x, s, now);
	if ((!*jumps && memcmp(now.bytes, was.bytes, s->len) != 0 &&
	     !are_nops(now.bytes, s->len)) ||
	    s->arg == s->at + s->len)
		return FORM_KNOWN;
	if (!key ||
	    !view_read(v, NULL, key + x->delta, &enabled, sizeof(enabled)))
		return FORM_DOUBTED;
	on = enabled > 0;
	if (enabled < 0)
		return FORM_CHANGING;
	if (*jumps == (on ^ s->branch) || is_as_compiled(x, s, now, was, on))
		return FORM_KNOWN;
	return mutex_may_be_held(v, lock_of(x)) ? FORM_CHANGING : FORM_UNKNOWN;
}

void code_prove_jump(struct comparison *x, const struct site *s,
		     struct apsh_finding *o)
{
	u64 lock = lock_of(x);
	struct view *v = &x->h.c->view;

	view_identity(v, key_of(x, s) + x->delta, sizeof(int32_t), &o->object);
	view_identity(v, lock + offset_of_field(v, F_MUTEX_OWNER), 8,
		      &o->object);
}
