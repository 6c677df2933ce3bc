// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Probes replace an instruction by a breakpoint, or by a jump, and keep what was there. */
#include <string.h>

#include "../code/nop.h"
#include "code_compare.h"

enum {
	JUMP = 5,
	MOST_BYTES = 16, /* those of a place that is tried */
	MOST_AT_PLACE = 2, /* so many breakpoints may be there */
	SHORT = 6, /* in a place of more bytes nothing is behind a breakpoint of the kernel */
};

/* The kernel refuses all probes between these symbols. */
static const char *const refusing[][2] = {
	{ "__entry_text_start", "__entry_text_end" },
	{ "__kprobes_text_start", "__kprobes_text_end" },
	{ "__noinstr_text_start", "__noinstr_text_end" },
};

static bool is_refused(const struct text *t, u32 i)
{
	const struct code *code = t->x.code;

	for (u32 n = 0; n < ARRAY_SIZE(refusing); n++) {
		u64 begin = code_symbol(code, refusing[n][0]);
		u64 end = code_symbol(code, refusing[n][1]);

		if (begin && t->at + i >= begin && t->at + i < end)
			return true;
	}
	return false;
}

/* A return with a breakpoint behind it, which is an instruction that is not moved. */
static bool is_guarded_return(const u8 *p)
{
	return p[0] == 0xc3 && p[1] == 0xcc;
}

/*
 * The kernel refuses those at places of ftrace, which it calls, jump labels, and static calls in its
 * table. An instruction that calls, or jumps relative to itself, is never moved elsewhere to make room for
 * a jump, as those of tracers and trampolines of static calls. One of the latter returns in the image if it
 * has no function yet. Behind that is nothing in Linux 5.10, and a breakpoint since 5.17.
 */
static bool keeps_free(const struct text *t, const struct site *s, bool jumps)
{
	const u8 *was = code_bytes(t->x.code, t->x.code->text + s->at, s->len);

	return s->kind == SITE_TRACED || s->kind == SITE_JUMP ||
	       (s->kind == SITE_STATIC_CALL &&
		(s->arg || (jumps && !(was && *was == 0xc3 &&
				       !is_guarded_return(was))))) ||
	       (s->kind == SITE_TRACER && jumps);
}

/*
 * Return true for an instruction, of the image, that is one for a probe: no breakpoint, nor for a jump a
 * branch, which is not moved.
 */
static bool may_be_replaced(const struct text *t, u32 i, bool jumps)
{
	struct piece was = { t->was + i, t->at + i };

	return *was.bytes != 0xcc &&
	       !(jumps && (is_guarded_return(was.bytes) ||
			   code_branch(was, t->size - i).code));
}

/* The kernel writes no jump over the end of a function: that is where the next of its symbols is. */
static bool is_in_function(const struct text *t, u32 i)
{
	const struct code_symbol *s =
		code_symbol_at(t->x.code, t->at + i + JUMP - 1);

	return !s || s->address <= t->at + i;
}

/*
 * Return true if the kernel may write a breakpoint, or a jump, of a probe there. It has put returns with
 * breakpoints behind them, or jumps to a thunk, which are not moved, where the image's table of them says,
 * but for one in an alternative, which others may have replaced.
 */
static bool may_stand(const struct text *t, u32 i, u32 len)
{
	const struct code *code = t->x.code;
	u32 at = (u32)(t->at + i - code->text);
	bool is_of_image = true, has_return = false;
	u32 replaced = 0; /* by an alternative, up to there */

	if (i >= t->size || t->size - i < len || is_refused(t, i) ||
	    (len == JUMP && !is_in_function(t, i)))
		return false;
	for (u32 n = code_first_site(code, at);
	     n < code->nr_sites && code->sites[n].at < at + len; n++) {
		const struct site *s = &code->sites[n];

		if (s->at + s->len <= at)
			continue;
		if (keeps_free(t, s, len == JUMP))
			return false;
		if (s->kind == SITE_ALTERNATIVE && s->at + s->len > replaced)
			replaced = s->at + s->len;
		has_return |= s->kind == SITE_RETURN && s->at >= replaced &&
			      s->at + 1 < at + len;
		/* the kernel may have written another one there */
		is_of_image &= s->at > at + 1;
	}
	if (len == JUMP && has_return)
		return false;
	return !is_of_image || may_be_replaced(t, i, len == JUMP);
}

static bool is_missing(const struct text *t, u32 i)
{
	return t->missing[i / PAGE];
}

/*
 * Return true if all bytes that are there are those of a jump to the code. The first is a breakpoint
 * while the kernel writes the others, or takes them away.
 */
static bool jumps_to(const struct text *t, u32 i, u64 code)
{
	u64 from = t->at + i + t->x.delta + JUMP;
	int32_t by = (int32_t)(code - from);
	u8 jump[JUMP] = { 0xe9 };

	memcpy(jump + 1, &by, sizeof(by));
	if (from + (u64)(int64_t)by != code)
		return false;
	for (u32 k = 0; k < JUMP; k++)
		if (!is_missing(t, i + k) && t->now[i + k] != jump[k] &&
		    (k || t->now[i] != 0xcc))
			return false;
	return true;
}

/*
 * A probe keeps what it has replaced before its jump is written, but an image that took time may have
 * that from before. Return false if nobody can tell of these bytes, which are not compared then.
 */
static bool put_back(struct text *t, u64 probe, u32 i)
{
	struct view *v = &t->x.h.c->view;
	u8 bytes[JUMP] = { 0 };
	bool known = view_read_field(v, probe, F_KPROBE_OPCODE, bytes, 1) &&
		     hooks_read_replaced(&t->x.h, probe, bytes + 1);

	for (u32 k = 0; k < JUMP && v->source->drawn_out; k++)
		known &= is_missing(t, i + k) || bytes[k] == t->was[i + k];
	for (u32 k = 0; k < JUMP; k++)
		if (!is_missing(t, i + k))
			t->now[i + k] = known ? bytes[k] : t->was[i + k];
	return known;
}

static void take_jump_out(struct text *t, u64 probe)
{
	u64 va = view_field(&t->x.h.c->view, probe, F_KPROBE_ADDR), code;
	u64 i = va - t->x.delta - t->at;
	enum probe_jump jump;

	if (i >= t->size || !may_stand(t, (u32)i, JUMP))
		return;
	code = hooks_code_of_probe(&t->x.h, probe);
	if (!jumps_to(t, (u32)i, code))
		return;
	jump = hooks_judge_jump(&t->x.h, va, code);
	if (jump != PROBE_NONE &&
	    (!put_back(t, probe, (u32)i) || jump == PROBE_UNSURE))
		doubt(&t->probed, t->at + i);
}

/* A breakpoint stays, and is doubted, if nobody can tell what it has replaced. */
static void take_breakpoint_out(struct text *t, u64 probe)
{
	struct view *v = &t->x.h.c->view;
	u64 i = view_field(v, probe, F_KPROBE_ADDR) - t->x.delta - t->at;
	u8 byte;

	if (i >= t->size || !may_stand(t, (u32)i, 1) || is_missing(t, (u32)i) ||
	    t->now[i] != 0xcc ||
	    !view_read_field(v, probe, F_KPROBE_OPCODE, &byte, 1) ||
	    (v->source->drawn_out && byte != t->was[i]))
		return;
	t->now[i] = byte;
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
	/* a probe that is disabled may be within the jump of another one */
	for (u32 i = 0; i < t->x.h.probes.nr && !v->error; i++)
		take_jump_out(t, t->x.h.probes.list[i]);
	for (u32 i = 0; i < t->x.h.probes.nr && !v->error; i++)
		take_breakpoint_out(t, t->x.h.probes.list[i]);
}

/* Return where a jump leads, also one whose first byte is a breakpoint; 0: there is none but the image's. */
static u64 jump_at(const struct text *t, u32 i)
{
	const u8 *now = t->now + i, *was = t->was + i;

	if (t->size - i < JUMP || is_missing(t, i) ||
	    is_missing(t, i + JUMP - 1) || (now[0] != 0xe9 && now[0] != 0xcc))
		return 0;
	/* a breakpoint alone */
	if (!memcmp(now + 1, was + 1, JUMP - 1) &&
	    (now[0] == 0xcc || now[0] == was[0]))
		return 0;
	return code_follow(now + 1, t->at + i + JUMP) + t->x.delta;
}

/* One that is cut by a missing page shows neither where it leads nor whose it is. */
static bool may_be_cut(const struct text *t, u32 i)
{
	const struct hooks *h = &t->x.h;
	bool begins = !is_missing(t, i);

	return begins != !is_missing(t, i + JUMP - 1) &&
	       (!begins || t->now[i] == 0xe9 || t->now[i] == 0xcc) &&
	       (!h->probes_whole ||
		(hooks_has_probe(h, t->at + i + t->x.delta) &&
		 !hooks_tells_optimized(h)));
}

static bool may_be_jump(struct text *t, u32 i)
{
	struct hooks *h = &t->x.h;
	u64 code;

	if (t->size - i < JUMP)
		return false;
	if (is_missing(t, i) || is_missing(t, i + JUMP - 1))
		return may_be_cut(t, i) && may_stand(t, i, JUMP);
	code = jump_at(t, i);
	if (!code || !may_stand(t, i, JUMP))
		return false;
	switch (hooks_judge_jump(h, t->at + i + t->x.delta, code)) {
	case PROBE_NONE:
		return false;
	case PROBE_UNSURE:
		return true;
	case PROBE_JUMP: /* it was put back, but for what the image does not have */
		break;
	}
	return !h->probes_whole;
}

u32 code_may_be_jump(struct text *t, u32 from, u32 end)
{
	for (u32 i = from < JUMP ? 0 : from - JUMP + 1; i < end; i++) {
		if (!may_be_jump(t, i))
			continue;
		if (t->last_jump != i + 1)
			doubt(&t->probed, t->at + i);
		t->last_jump = i + 1;
		return i + JUMP;
	}
	return 0;
}

/* Return the length of an instruction that the kernel writes at its places; 0: it is none of these. */
static u32 instruction(struct piece p, u32 len)
{
	struct branch b = code_branch(p, len);
	u32 n = 0;

	if (b.code)
		return b.len;
	if (*p.bytes == 0xc3 || *p.bytes == 0xcc)
		return 1;
	if (len >= LANDING && is_landing(p.bytes))
		return LANDING;
	if (len >= 3 && !memcmp(p.bytes, "\x0f\xae\xe8", 3)) /* lfence */
		return 3;
	for (u32 nop = 1; nop <= len; nop++)
		if (are_nops(p.bytes, nop))
			return nop;
	while (n < len &&
	       (p.bytes[n] == 0x2e || p.bytes[n] == 0x3e || p.bytes[n] == 0x41))
		n++;
	return len - n >= 2 && p.bytes[n] == 0xff && p.bytes[n + 1] >= 0xd0 ?
		       n + 2 :
		       0;
}

static bool is_sound(struct text *t, const struct site *s, struct piece now,
		     struct piece was)
{
	enum form form;

	if (!memcmp(now.bytes, was.bytes, s->len))
		return true;
	form = code_form(&t->x, s, now, was);
	return form != FORM_UNKNOWN && form != FORM_FOREIGN;
}

static bool has_form(struct text *t, const struct site *s, u8 *bytes,
		     struct piece was, u32 from, u32 left);

/* Do so for each byte with which an instruction may begin there, in place of the breakpoint. */
static bool has_form_without(struct text *t, const struct site *s, u8 *bytes,
			     struct piece was, u32 k, u32 left)
{
	struct branch old = code_branch(was, s->len);
	u8 begins[] = { 0x0f, 0x2e, 0x3e, 0x41, 0x65, 0x66, 0x90, 0xc3, 0xe8,
			0xe9, 0xeb, 0xf0, 0xf3, 0xf5, 0xff, was.bytes[k],
			/* a jump over another, on the other condition */
			0x70 | ((old.code & 15) ^ 1) };
	bool has = false;

	for (u32 n = 0; n < sizeof(begins) && !has; n++) {
		u32 len;

		bytes[k] = begins[n];
		if (bytes[k] == 0xcc)
			continue;
		len = instruction((struct piece){ bytes + k, was.at + k },
				  s->len - k);
		has = is_sound(t, s, (struct piece){ bytes, was.at }, was) ||
		      (len && has_form(t, s, bytes, was, k + len, left - 1));
	}
	bytes[k] = 0xcc;
	return has;
}

/*
 * Return true if the place has a form without some breakpoints, from there on. Probes replace the first
 * byte of an instruction alone: a branch has none in its distance.
 */
static bool has_form(struct text *t, const struct site *s, u8 *bytes,
		     struct piece was, u32 from, u32 left)
{
	u32 len;

	for (u32 k = from; k < s->len && left; k += len) {
		if (bytes[k] == 0xcc &&
		    has_form_without(t, s, bytes, was, k, left))
			return true;
		if (bytes[k] == 0xcc && s->len > SHORT)
			break;
		len = instruction((struct piece){ bytes + k, was.at + k },
				  s->len - k);
		if (!len)
			break;
	}
	return false;
}

bool code_may_be_breakpoint(struct text *t, u32 i, const struct site *s)
{
	u8 bytes[MOST_BYTES];
	u32 from;

	if (t->x.h.probes_whole)
		return false;
	if (!s)
		return t->now[i] == 0xcc && may_stand(t, i, 1);
	from = (u32)(s->at + t->x.code->text - t->at);
	if (s->len > MOST_BYTES || !may_stand(t, from, 1) ||
	    !memchr(t->now + from, 0xcc, s->len))
		return false;
	memcpy(bytes, t->now + from, s->len);
	return has_form(t, s, bytes,
			(struct piece){ t->was + from, t->at + from }, 0,
			MOST_AT_PLACE);
}

void code_prove_no_probe(struct text *t, u32 from, u32 end, struct object *o)
{
	for (u32 i = from < JUMP ? 0 : from - JUMP + 1; i < end; i++) {
		u64 code = jump_at(t, i);

		if (code && may_stand(t, i, JUMP))
			hooks_prove_jump(&t->x.h, t->at + i + t->x.delta, code,
					 o);
	}
}
