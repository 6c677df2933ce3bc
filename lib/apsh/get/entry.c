// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The first bytes of functions. The compiler has left a place for ftrace there, which is empty or
 * calls a tracer; what leads away otherwise, or begins in another way, somebody has written.
 */
#include <string.h>

#include "../code/nop.h"
#include "hook.h"

enum { BYTES = 16, CALL = 5 };

struct entry {
	const char *name;
	u64 va; /* the address of bytes */
	bool chooses; /* by the number of a system call */
	u8 bytes[BYTES];
};

static u64 u64_at(const u8 *p)
{
	u64 value;

	memcpy(&value, p, sizeof(value));
	return value;
}

static u64 relative(u64 from, const u8 *p)
{
	int32_t by;

	memcpy(&by, p, sizeof(by));
	return from + (u64)(int64_t)by;
}

static bool begins(const struct entry *e, const u8 *bytes, size_t len)
{
	return !memcmp(e->bytes, bytes, len);
}

#define BEGINS(e, ...)                         \
	begins(e, (const u8[]){ __VA_ARGS__ }, \
	       sizeof((const u8[]){ __VA_ARGS__ }))

/* Where they lead: target is 0 if they do not. */
struct lead {
	u64 target;
	bool by_call;
};

/* Return true if an address in a register is called, jumped to, or returned to. */
static bool follows_register(const u8 *p, u8 reg, bool extended, bool *by_call)
{
	if (extended && *p++ != 0x41)
		return false;
	*by_call = p[0] == 0xff && p[1] == (0xd0 | reg);
	return *by_call || (p[0] == 0xff && p[1] == (0xe0 | reg)) ||
	       (p[0] == (0x50 | reg) && p[1] == 0xc3);
}

/* A constant of 8 bytes, or of 4 that are extended by their sign, as modules are there. */
static void lead_by_register(const struct entry *e, struct lead *lead)
{
	const u8 *p = e->bytes, *behind;
	u64 target;
	u8 reg;

	if ((p[0] & 0xfe) != 0x48)
		return;
	if (p[1] >> 3 == 0xb8 >> 3) {
		target = u64_at(p + 2);
		reg = p[1] & 7;
		behind = p + 10;
	} else if (p[1] == 0xc7 && p[2] >> 3 == 0xc0 >> 3) {
		target = relative(0, p + 3);
		reg = p[2] & 7;
		behind = p + 7;
	} else {
		return;
	}
	if (follows_register(behind, reg, p[0] & 1, &lead->by_call))
		lead->target = target;
}

static struct lead lead_of(struct hooks *h, const struct entry *e)
{
	const u8 *p = e->bytes;
	struct lead lead = { 0 };

	if (p[0] == 0xe8 || p[0] == 0xe9) {
		lead.target = relative(e->va + CALL, p + 1);
		lead.by_call = p[0] == 0xe8;
	} else if (p[0] == 0xeb) {
		lead.target = e->va + 2 + (u64)(int64_t)(int8_t)p[1];
	} else if (BEGINS(e, 0xff, 0x25) || BEGINS(e, 0xff, 0x15)) {
		view_read(&h->c->view, NULL, relative(e->va + 6, p + 2),
			  &lead.target, sizeof(lead.target));
		lead.by_call = p[1] == 0x15;
	} else if (p[0] == 0x68 && p[5] == 0xc3) {
		lead.target = relative(0, p + 1);
	} else {
		lead_by_register(e, &lead);
	}
	return lead;
}

static bool is_empty_place(const struct entry *e)
{
	return BEGINS(e, 0x0f, 0x1f, 0x44, 0x00, 0x00) ||
	       BEGINS(e, 0x66, 0x66, 0x66, 0x66, 0x90) ||
	       BEGINS(e, 0x66, 0x66, 0x66, 0x90, 0x90);
}

/* The function that serves all numbers that are not used is never traced. */
static bool is_unused(const struct entry *e)
{
	size_t len = strlen(e->name), end = strlen("sys_ni_syscall");

	return len >= end && !strcmp(e->name + len - end, "sys_ni_syscall");
}

/* Some kernels trace no function that chooses. system_call.c follows its code from its beginning. */
static bool is_choice(const struct entry *e)
{
	return e->chooses && (BEGINS(e, 0x81, 0xfe) || BEGINS(e, 0x83, 0xfe) ||
			      BEGINS(e, 0x81, 0xee) || BEGINS(e, 0x83, 0xee) ||
			      BEGINS(e, 0x85, 0xf6));
}

/* Judge a call that ftrace may have written there. Return false if it has not. */
static bool is_of_ftrace(struct hooks *h, const struct entry *e, u64 target)
{
	struct called by;

	if (is_kernel_code(&h->owners, target))
		return true;
	if (!hooks_is_trampoline(h, target, &by))
		return false;
	/* functions call it also if its hash no longer has them */
	if (by.code && nodes_find(&h->said, e->va) < 0 &&
	    nodes_find(&h->said, by.ops) < 0)
		hooks_foreign(h, (struct place_of){ e->va, BYTES }, e->name,
			      "ftrace calls", by.code);
	return true;
}

/* A breakpoint, or a jump to code that the kernel makes for it: its handlers are judged as well. */
static enum probe_jump probe_of(struct hooks *h, const struct entry *e,
				u64 target)
{
	if (e->bytes[0] == 0xcc)
		return hooks_has_probe(h, e->va) ? PROBE_JUMP : PROBE_NONE;
	return e->bytes[0] == 0xe9 ? hooks_judge_jump(h, e->va, target) :
				     PROBE_NONE;
}

/* While ftrace changes, or where its tracers are not all known, memory of nobody may be its code. */
static bool may_be_trampoline(struct hooks *h, u64 target)
{
	return (h->changing || !h->tracers_whole) &&
	       is_unowned(h->c, &h->owners, target);
}

static void accuse(struct hooks *h, const struct entry *e,
		   const struct lead *lead)
{
	struct apsh_finding *o =
		hooks_foreign(h, (struct place_of){ e->va, BYTES }, e->name,
			      lead->by_call ? "it begins with a call of" :
					      "it begins with a jump to",
			      lead->target);

	if (o && e->bytes[0] == 0xe9)
		hooks_prove_jump(h, e->va, lead->target, &o->object);
}

static void judge(struct hooks *h, const struct entry *e)
{
	struct lead lead = lead_of(h, e);
	bool by_ftrace = e->bytes[0] == 0xe8, leads_out;
	enum probe_jump probe = probe_of(h, e, lead.target);

	if (is_empty_place(e) || is_choice(e) || probe == PROBE_JUMP ||
	    (by_ftrace && is_of_ftrace(h, e, lead.target)))
		return;
	leads_out = lead.target && !is_kernel_code(&h->owners, lead.target);
	if (leads_out && !(by_ftrace && may_be_trampoline(h, lead.target)) &&
	    probe == PROBE_NONE) {
		accuse(h, e, &lead);
	} else if (leads_out || !is_unused(e)) {
		if (!h->unknown++)
			h->first_unknown = e->name;
	}
}

static void check_entry(struct hooks *h, struct entry e)
{
	struct view *v = &h->c->view;
	u64 va = e.va;

	if (!view_read(v, NULL, va, e.bytes, BYTES))
		return;
	if (is_landing(e.bytes)) {
		e.va += LANDING;
		memmove(e.bytes, e.bytes + LANDING, BYTES - LANDING);
		view_read(v, NULL, va + BYTES, e.bytes + BYTES - LANDING,
			  LANDING);
	}
	judge(h, &e);
}

/* Those that choose among system calls. */
static const enum symbol choosers[] = { S_x64_sys_call, S_ia32_sys_call,
					S_x32_sys_call };

void hooks_read_entries(struct hooks *h)
{
	struct view *v = &h->c->view;
	const struct map *map = &v->kernel->map;

	for (u32 i = 0; i < map->nr_entries; i++)
		view_want(v, NULL, map->entries[i].address + v->kernel->delta,
			  BYTES + LANDING);
	for (size_t i = 0; i < ARRAY_SIZE(choosers); i++)
		if (kernel_symbol(v->kernel, choosers[i]))
			view_want(v, NULL,
				  kernel_symbol(v->kernel, choosers[i]),
				  BYTES + LANDING);
	view_flush(v);
}

void hooks_check_entries(struct hooks *h)
{
	struct call *c = h->c;
	struct view *v = &c->view;
	const struct map *map = &v->kernel->map;

	for (u32 i = 0; i < map->nr_entries && !v->error; i++)
		check_entry(h, (struct entry){ .name = map->entries[i].name,
					       .va = map->entries[i].address +
						     v->kernel->delta });
	for (size_t i = 0; i < ARRAY_SIZE(choosers); i++)
		if (kernel_symbol(v->kernel, choosers[i]))
			check_entry(
				h,
				(struct entry){
					.name = symbol_specs[choosers[i]].name,
					.va = kernel_symbol(v->kernel,
							    choosers[i]),
					.chooses = true });
	if (h->unknown)
		finding_unknown(
			c, "",
			snapshot_format(c->snap,
					"%u functions do not begin as the "
					"compiler leaves them for ftrace, the "
					"first is %s",
					h->unknown, h->first_unknown));
}
