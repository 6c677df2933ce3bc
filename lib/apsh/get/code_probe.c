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

u32 code_may_be_probe(struct text *t, u32 i)
{
	struct hooks *h = &t->x.h;
	struct piece now = { t->now + i, t->at + i };
	u32 left = t->size - i;
	struct branch b;

	if (h->probes_whole || left < JUMP)
		return 0;
	if (t->now[i] == 0xcc)
		return JUMP;
	b = code_branch(now, JUMP);
	return b.code == 0xe9 && b.len == JUMP &&
			       is_unowned(h->c, &h->owners,
					  b.target + t->x.delta) ?
		       JUMP :
		       0;
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
