// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The forms that the kernel writes at each kind of place. */
#include <string.h>

#include "../code/nop.h"
#include "kernel_code.h"

static enum form known_if(bool known)
{
	return known ? FORM_KNOWN : FORM_UNKNOWN;
}

static bool is_same_branch(const struct branch *a, const struct branch *b)
{
	return a->code && a->code == b->code && a->target == b->target;
}

static bool is_return(const struct site *s, struct piece now)
{
	return now.bytes[0] == 0xc3 &&
	       are_breakpoints(now.bytes + 1, s->len - 1);
}

static enum form of_return(struct comparison *x, const struct site *s,
			   struct piece now, const struct branch *old,
			   const struct branch *new)
{
	return known_if(
		is_return(s, now) || is_same_branch(old, new) ||
		(code_is_return_thunk(x, new) && new->code == old->code));
}

static enum form of_traced(struct comparison *x, const struct site *s,
			   struct piece now, const struct branch *new)
{
	struct called by;
	u64 va = new->target + x->delta;

	if (are_nops(now.bytes, s->len))
		return FORM_KNOWN;
	if (new->code != 0xe8 || new->len != s->len)
		return FORM_UNKNOWN;
	if (code_is_kernels(x, new->target))
		return known_if(code_named(x->code, new->target, "ftrace_"));
	if (!is_unowned(x->h.c, &x->h.owners, va))
		return code_foreign(x, new);
	x->target = va;
	return hooks_is_trampoline(&x->h, va, &by) ? FORM_KNOWN :
						     FORM_UNFOLLOWED;
}

/* Return true for a function of ftrace's own that it calls, or jumps to, in place of a tracer's. */
static bool is_ftraces(const struct comparison *x, u64 at)
{
	static const char *const names[] = {
		"ftrace_stub",
		"ftrace_stub_graph",
		"ftrace_graph_caller",
		"ftrace_ops_list_func",
		"ftrace_ops_no_ops",
		"arch_ftrace_ops_list_func",
		"ftrace_ops_assist_func",
		"ftrace_ops_recurs_func",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (code_symbol(x->code, names[i]) == at)
			return true;
	return false;
}

static bool is_tracers(struct comparison *x, u64 va)
{
	for (u32 i = 0; i < x->h.tracers.nr; i++)
		if (view_field(&x->h.c->view, x->h.tracers.list[i],
			       F_FTRACE_FUNC) == va)
			return true;
	return false;
}

/* ftrace's own code calls a tracer directly if that is the only one. */
static enum form of_tracer(struct comparison *x, const struct site *s,
			   struct piece now, const struct branch *new)
{
	bool kernels = code_is_kernels(x, new->target);

	if (are_nops(now.bytes, s->len))
		return FORM_KNOWN;
	if (!code_is_whole(s, new) ||
	    (kernels && !code_is_function(x, new->target)))
		return FORM_UNKNOWN;
	if (is_ftraces(x, new->target) || is_tracers(x, new->target + x->delta))
		return FORM_KNOWN;
	/* it leaves the list first */
	if (x->h.changing)
		return FORM_CHANGING;
	return kernels ? FORM_DOUBTED : code_foreign(x, new);
}

/* Behind what does nothing is an instruction that counts a call in per-CPU data. */
static enum form of_padding(const struct site *s, struct piece now,
			    struct piece was)
{
	for (u32 len = 9; len <= 10 && len <= s->len; len++) {
		const u8 *p = now.bytes + s->len - len;

		if (p[0] == 0x65 && p[1] == 0x48 && p[2] == 0xc1 &&
		    (len == 9 ? p[3] == 0x3d : p[3] == 0x3c && p[4] == 0x25) &&
		    p[len - 1] == 5 &&
		    !memcmp(now.bytes, was.bytes, s->len - len))
			return FORM_KNOWN;
	}
	return known_if(are_nops(now.bytes, s->len) &&
			are_nops(was.bytes, s->len));
}

/* A place for a jump to code of BPF is at its begin, perhaps behind an endbr64. */
static u32 place_of_jump(const struct site *s, struct piece now,
			 struct piece was)
{
	u32 i = 0;

	while (i + 5 < s->len && now.bytes[i] == was.bytes[i])
		i++;
	return i;
}

static enum form of_dispatcher(struct comparison *x, const struct site *s,
			       struct piece now, struct piece was)
{
	u32 i = place_of_jump(s, now, was);
	struct branch b = code_branch(
		(struct piece){ now.bytes + i, now.at + i }, s->len - i);

	if (!are_nops(was.bytes + i, 5))
		return FORM_UNKNOWN;
	if (now.bytes[i] == 0xcc)
		return FORM_CHANGING;
	if ((b.code != 0xe9 && b.code != 0xe8) || b.len != 5 ||
	    memcmp(now.bytes + i + 5, was.bytes + i + 5, s->len - i - 5) != 0)
		return FORM_UNKNOWN;
	return is_unowned(x->h.c, &x->h.owners, b.target + x->delta) ?
		       FORM_UNFOLLOWED :
		       code_foreign(x, &b);
}

static enum form form_of(struct comparison *x, const struct site *s,
			 struct piece now, struct piece was)
{
	struct branch old = code_branch(was, s->len);
	struct branch new = code_branch(now, s->len);

	switch ((enum site_kind)s->kind) {
	case SITE_ALTERNATIVE:
		return code_form_alternative(x, s, now, was);
	case SITE_PARAVIRT:
		return code_form_paravirt(x, s, now, was);
	case SITE_JUMP:
		return code_form_jump(x, s, now);
	case SITE_STATIC_CALL:
		return code_form_static_call(x, s, now, was);
	case SITE_TRACED:
		return of_traced(x, s, now, &new);
	case SITE_TRACER:
		return of_tracer(x, s, now, &new);
	case SITE_LOCK:
		return known_if(now.bytes[0] == 0xf0 || now.bytes[0] == 0x3e);
	case SITE_RETPOLINE:
		return code_form_retpoline(x, s, now, &old, &new);
	case SITE_RETURN:
		return of_return(x, s, now, &old, &new);
	case SITE_CALL:
		return known_if(code_is_counted(x, &old, &new) &&
				code_ends_in_nops(s, now, &new));
	case SITE_ENDBR:
		return code_form_landing(now);
	case SITE_PADDING:
		return of_padding(s, now, was);
	case SITE_DISPATCHER:
		return of_dispatcher(x, s, now, was);
	case SITE_CFI:
		return code_form_cfi(x, s, now, was);
	case SITE_HYPERCALL:
		return code_form_hypercall(s, now, was);
	case SITE_CONSTANT:
		break;
	}
	return FORM_SKIPPED;
}

/* The kernel puts a breakpoint in front while it changes these. */
static bool may_be_changing(const struct site *s)
{
	return s->kind == SITE_JUMP || s->kind == SITE_STATIC_CALL ||
	       s->kind == SITE_TRACED || s->kind == SITE_TRACER;
}

enum form code_form(struct comparison *x, const struct site *s,
		    struct piece now, struct piece was)
{
	enum form form = FORM_SKIPPED;

	if (view_on_time(&x->h.c->view))
		form = form_of(x, s, now, was);
	return form == FORM_UNKNOWN && now.bytes[0] == 0xcc &&
			       may_be_changing(s) ?
		       FORM_CHANGING :
		       form;
}
