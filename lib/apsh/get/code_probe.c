// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Probes replace an instruction by a breakpoint, or by a jump, and keep what was there. */
#include <string.h>

#include "code_compare.h"

enum { JUMP = 5 };

/* Its first byte is a breakpoint while the kernel writes the others, or takes them away. */
static bool is_optimized(struct text *t, u64 probe, u32 i)
{
	u8 bytes[JUMP] = { 0xe9 };
	struct piece now = { bytes, t->at + i };

	if (t->missing[(i + JUMP - 1) / PAGE])
		return false;
	memcpy(bytes + 1, t->now + i + 1, JUMP - 1);
	return hooks_is_optimized(&t->x.h, probe,
				  code_branch(now, JUMP).target + t->x.delta);
}

static void take_out(struct text *t, u64 probe)
{
	struct view *v = &t->x.h.c->view;
	u64 i = view_field(v, probe, F_KPROBE_ADDR) - t->x.delta - t->at;
	u8 first = (u8)view_field(v, probe, F_KPROBE_OPCODE);
	bool optimized;

	if (t->size < JUMP || i > t->size - JUMP || t->missing[i / PAGE])
		return;
	/* one there is called by ftrace, and replaces nothing */
	if (code_has_site(t->x.code, (u32)(t->at + i - t->x.code->text),
			  SITE_TRACED))
		return;
	optimized = (t->now[i] == 0xcc || t->now[i] == 0xe9) &&
		    is_optimized(t, probe, (u32)i);
	if (optimized)
		hooks_read_replaced(&t->x.h, probe, t->now + i + 1);
	if (optimized || t->now[i] == 0xcc)
		t->now[i] = first;
}

/*
 * The kernel sets none where it writes other code itself: ftrace calls those, or they are refused. A jump
 * may not reach such a place either, nor a lock's prefix.
 */
static bool is_kept_free(const struct text *t, u32 i, u32 len)
{
	const struct code *code = t->x.code;
	u32 at = (u32)(t->at + i - code->text);

	for (u32 n = code_first_site(code, at);
	     n < code->nr_sites && code->sites[n].at < at + len; n++) {
		const struct site *s = &code->sites[n];

		if (s->at + s->len > at &&
		    (s->kind == SITE_TRACED || s->kind == SITE_TRACER ||
		     s->kind == SITE_STATIC_CALL || s->kind == SITE_JUMP ||
		     (s->kind == SITE_LOCK && len == JUMP)))
			return true;
	}
	return false;
}

/*
 * Return true if the byte is of the distance of a branch of the image, which leads elsewhere now. Where
 * instructions begin is not known, but bytes of others rarely lead into the kernel's code.
 */
static bool is_in_branch(const struct text *t, u32 i)
{
	for (u32 back = 1; back <= JUMP && back <= i; back++) {
		struct branch b = code_branch(
			(struct piece){ t->was + i - back, t->at + i - back },
			t->size - i + back);

		if (b.code && b.len >= JUMP && b.len > back &&
		    b.target - t->at < t->size &&
		    t->now[i - back] == t->was[i - back])
			return true;
	}
	return false;
}

/* Return how many bytes a jump to memory of nobody has there, also one whose first byte is a breakpoint. */
static u32 jump_to_nobody(struct text *t, u32 i)
{
	u8 bytes[JUMP] = { 0xe9 };
	struct branch b;

	if (t->now[i] != 0xe9 && t->now[i] != 0xcc)
		return 0;
	memcpy(bytes + 1, t->now + i + 1, JUMP - 1);
	b = code_branch((struct piece){ bytes, t->at + i }, JUMP);
	return is_unowned(t->x.h.c, &t->x.h.owners, b.target + t->x.delta) ?
		       JUMP :
		       0;
}

/* The page behind may be missing, in which the jump goes on. */
static bool is_cut(const struct text *t, u32 i)
{
	return t->missing[(i + JUMP - 1) / PAGE];
}

u32 code_may_be_probe(struct text *t, u32 i)
{
	struct hooks *h = &t->x.h;
	u32 len = 0, end = (i / PAGE + 1) * PAGE;
	bool is_known;

	if (t->size - i < JUMP || is_in_branch(t, i))
		return 0;
	is_known = hooks_has_probe(h, t->at + i + t->x.delta, 0);
	if (is_cut(t, i) && is_known)
		return end - i;
	len = jump_to_nobody(t, i);
	if (t->now[i] == 0xcc &&
	    (!len || !memcmp(t->now + i + 1, t->was + i + 1, JUMP - 1)))
		return !h->probes_whole && !is_kept_free(t, i, 1);
	if (is_kept_free(t, i, JUMP) ||
	    (h->probes_whole && (!is_known || hooks_tells_optimized(h))))
		return 0;
	return len;
}

void code_take_probes_out(struct text *t)
{
	struct view *v = &t->x.h.c->view;

	if (!has(v, F_KPROBE_OPCODE)) {
		if (!t->x.h.probes.nr)
			return;
		t->x.h.probes_whole = false;
		finding_unknown(t->x.h.c, "kprobes",
				"the map does not tell what they replace");
		return;
	}
	for (u32 i = 0; i < t->x.h.probes.nr && !v->error; i++)
		take_out(t, t->x.h.probes.list[i]);
}
