// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Probes: a hash table of them, where one may stand for several at its place. */
#include <string.h>

#include "hook.h"

enum {
	NR_LISTS = 64, /* the kernel's table has so many */
	MOST = 1 << 16,
	SLOT = 256, /* code that is made for one probe names it in so many bytes */
	MOST_STRANGE =
		1024, /* so often what looks like a jump of no known probe is looked at */
};

/* Find those that share a place. A list without pointers was overwritten, for an empty one leads to itself. */
static void find_siblings(struct hooks *h)
{
	struct view *v = &h->c->view;
	u32 offset = offset_of_field(v, F_KPROBE_LIST), nr = h->probes.nr;

	for (u32 i = 0; i < nr && !v->error; i++) {
		u64 head = h->probes.list[i] + offset, misses = v->misses;

		if (!walk_list(v, head, offset, MOST, &h->probes) && !v->error)
			view_broken(v, misses, "the list of a probe", head);
	}
}

/* Read what tells where each is, and what it has replaced. */
static void read_probe(struct hooks *h, u64 probe)
{
	struct view *v = &h->c->view;
	u64 around = probe - offset_of_field(v, F_OPTPROBE_KPROBE);

	nodes_add(v, &h->probed, view_field(v, probe, F_KPROBE_ADDR), 0);
	if (has(v, F_KPROBE_OPCODE))
		view_field(v, probe, F_KPROBE_OPCODE);
	if (!hooks_tells_optimized(h) ||
	    view_field(v, probe, F_KPROBE_PRE) !=
		    kernel_symbol(v->kernel, S_aggr_pre_handler))
		return;
	view_field(v, around, F_OPTPROBE_CODE);
	view_field(v, around, F_OPTPROBE_COPIED);
}

/*
 * One that makes no sense is not whole either: nodes are read one after the other, while a sound kernel
 * may link others. A rootkit can make it so, too, which the number of broken links tells, but not that it
 * was this list.
 */
void hooks_find_probes(struct hooks *h)
{
	static const struct need need = {
		F_KPROBE_NODE, F_KRETPROBE_ENTRY, { S_kprobe_table }, 1
	};
	struct call *c = h->c;
	struct view *v = &c->view;
	struct hlists lists = {
		.heads = kernel_symbol(v->kernel, S_kprobe_table),
		.nr = NR_LISTS,
		.stride = 8,
		.offset = offset_of_field(v, F_KPROBE_NODE),
	};
	u64 misses = v->misses, broken = v->stats.broken;
	char lack[128];

	if (map_lacks_of(&v->kernel->map, &need, lack)) {
		finding_unknown(c, "kprobes",
				snapshot_format(c->snap, "the map has no %s",
						lack));
		return;
	}
	walk_hlists(v, &lists, MOST, &h->probes);
	find_siblings(h);
	for (u32 i = 0; i < h->probes.nr && !v->error; i++)
		read_probe(h, h->probes.list[i]);
	c->cut |= h->probes.cut;
	h->probes_whole = v->misses == misses && v->stats.broken == broken &&
			  !h->probes.cut && !v->error && !v->source->drawn_out;
}

/* One that stands for others has it in the structure around. */
bool hooks_tells_optimized(const struct hooks *h)
{
	const struct view *v = &h->c->view;

	return has(v, F_OPTPROBE_KPROBE) && has(v, F_OPTPROBE_CODE) &&
	       has(v, F_OPTPROBE_COPIED) &&
	       kernel_symbol(v->kernel, S_aggr_pre_handler);
}

bool hooks_has_probe(const struct hooks *h, u64 va)
{
	return nodes_find(&h->probed, va) >= 0;
}

u64 hooks_code_of_probe(struct hooks *h, u64 probe)
{
	struct view *v = &h->c->view;

	return hooks_tells_optimized(h) &&
			       view_field(v, probe, F_KPROBE_PRE) ==
				       kernel_symbol(v->kernel,
						     S_aggr_pre_handler) ?
		       view_field(v,
				  probe - offset_of_field(v, F_OPTPROBE_KPROBE),
				  F_OPTPROBE_CODE) :
		       0;
}

/* Such code is within a page. Return how many bytes are there. */
static u32 read_slot(struct view *v, u64 code, u8 bytes[SLOT])
{
	u64 left = PAGE - code % PAGE;
	u32 len = left < SLOT ? (u32)left : SLOT;

	return view_read(v, NULL, code, bytes, len) ? len : 0;
}

/*
 * Find the probe that an instruction at, or behind, *i of such code gives to the handler: in
 * %rdi, as the structure around. *i is where the next one may be. Return false if there is none.
 */
static bool next_named(const struct view *v, const u8 *bytes, u32 len, u32 *i,
		       u64 *probe)
{
	u64 around;

	for (; *i + 10 <= len; ++*i) {
		if (bytes[*i] != 0x48 || bytes[*i + 1] != 0xbf)
			continue;
		memcpy(&around, bytes + *i + 2, sizeof(around));
		++*i;
		if (around < KERNEL_SPACE)
			continue;
		*probe = around + offset_of_field(v, F_OPTPROBE_KPROBE);
		return true;
	}
	return false;
}

/* Memory that is not in the tables of pages is no probe's; other memory may be missing. */
static enum probe_jump judge_code(struct hooks *h, u64 va, u64 code)
{
	struct view *v = &h->c->view;
	u64 misses = v->misses, probe;
	u8 bytes[SLOT];
	u32 len = read_slot(v, code, bytes), i = 0;

	while (next_named(v, bytes, len, &i, &probe)) {
		bool is_known = nodes_find(&h->probes, probe) >= 0;

		if ((is_known || !h->probes_whole) &&
		    view_field(v, probe, F_KPROBE_ADDR) == va &&
		    hooks_code_of_probe(h, probe) == code)
			return is_known ? PROBE_JUMP : PROBE_UNSURE;
	}
	return v->misses != misses || v->source->drawn_out ? PROBE_UNSURE :
							     PROBE_NONE;
}

/* Without a probe in a list that is whole nothing else is evidence. */
static bool may_have_probe(const struct hooks *h, u64 va)
{
	return !h->probes_whole || hooks_has_probe(h, va);
}

enum probe_jump hooks_judge_jump(struct hooks *h, u64 va, u64 code)
{
	enum probe_jump verdict = PROBE_UNSURE;

	if (!is_unowned(h->c, &h->owners, code) || !may_have_probe(h, va))
		return PROBE_NONE;
	if (hooks_tells_optimized(h) && h->strange < MOST_STRANGE)
		verdict = judge_code(h, va, code);
	h->strange += verdict != PROBE_JUMP;
	return verdict;
}

void hooks_prove_jump(struct hooks *h, u64 va, u64 code, struct object *o)
{
	static const u32 part = sizeof(((struct identity *)0)->was);
	struct view *v = &h->c->view;
	u8 bytes[SLOT];
	u32 len, i = 0;
	u64 probe;

	if (!is_unowned(h->c, &h->owners, code) || !may_have_probe(h, va))
		return;
	len = read_slot(v, code, bytes);
	for (u32 at = 0; at < len; at += part)
		view_identity(v, code + at, len - at < part ? len - at : part,
			      o);
	while (next_named(v, bytes, len, &i, &probe)) {
		view_identity(v, probe + offset_of_field(v, F_KPROBE_ADDR), 8,
			      o);
		view_identity(v, probe + offset_of_field(v, F_KPROBE_PRE), 8,
			      o);
		view_identity(v,
			      probe - offset_of_field(v, F_OPTPROBE_KPROBE) +
				      offset_of_field(v, F_OPTPROBE_CODE),
			      8, o);
	}
}

bool hooks_read_replaced(struct hooks *h, u64 probe, u8 to[4])
{
	struct view *v = &h->c->view;

	return view_read_field(v, probe - offset_of_field(v, F_OPTPROBE_KPROBE),
			       F_OPTPROBE_COPIED, to, 4);
}

static void check_handler(struct hooks *h, u64 probe, const char *name,
			  enum field f)
{
	struct view *v = &h->c->view;
	u64 code = view_field(v, probe, f);

	if (code && !is_kernel_code(&h->owners, code))
		hooks_foreign(h,
			      (struct place_of){ probe + offset_of_field(v, f),
						 8 },
			      name, "a kprobe calls", code);
}

void hooks_check_probes(struct hooks *h)
{
	struct view *v = &h->c->view;
	u64 returns = kernel_symbol(v->kernel, S_pre_handler_kretprobe);
	u32 unread = 0;

	for (u32 i = 0; i < h->probes.nr && !v->error; i++) {
		u64 probe = h->probes.list[i];
		const char *name =
			hooks_name_at(h, view_field(v, probe, F_KPROBE_ADDR));

		if (!name)
			continue;
		check_handler(h, probe, name, F_KPROBE_PRE);
		check_handler(h, probe, name, F_KPROBE_POST);
		/* one for the return has the handlers behind it */
		unread += !returns;
		if (!returns || view_field(v, probe, F_KPROBE_PRE) != returns)
			continue;
		check_handler(h, probe, name, F_KRETPROBE_HANDLER);
		check_handler(h, probe, name, F_KRETPROBE_ENTRY);
	}
	if (unread)
		finding_unknown(h->c, "kprobes",
				"the map has no pre_handler_kretprobe, which "
				"tells those for a return");
}
