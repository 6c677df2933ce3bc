// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Probes: a hash table of them, where one may stand for several at its place. */
#include "hook.h"

/* The kernel's table has so many lists. */
enum { NR_LISTS = 64, MOST = 1 << 16 };

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

	view_field(v, probe, F_KPROBE_ADDR);
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
 * may link others. A rootkit can make it so, too, which the log tells.
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

bool hooks_is_optimized(struct hooks *h, u64 probe, u64 code)
{
	struct view *v = &h->c->view;

	return hooks_tells_optimized(h) && is_unowned(h->c, &h->owners, code) &&
	       view_field(v, probe, F_KPROBE_PRE) ==
		       kernel_symbol(v->kernel, S_aggr_pre_handler) &&
	       view_field(v, probe - offset_of_field(v, F_OPTPROBE_KPROBE),
			  F_OPTPROBE_CODE) == code;
}

bool hooks_has_probe(struct hooks *h, u64 va, u64 code)
{
	for (u32 i = 0; i < h->probes.nr; i++) {
		u64 probe = h->probes.list[i];

		if (view_field(&h->c->view, probe, F_KPROBE_ADDR) == va &&
		    (!code || hooks_is_optimized(h, probe, code)))
			return true;
	}
	return false;
}

void hooks_read_replaced(struct hooks *h, u64 probe, u8 to[4])
{
	struct view *v = &h->c->view;

	view_read_field(v, probe - offset_of_field(v, F_OPTPROBE_KPROBE),
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
