// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: where in its code the kernel sets probes, and where it refuses them. */
#include "apsh_probe.h"
#include "apsh_sites.h"

enum {
	AT = PLACE + 16,
	OTHER = PLACE + 0x800,
	THUNKS = PLACE + 0xa00,
	KEY = 0x300000,
	LOCK = 0x300800,
	TABLE = OTHER + 128
};

#define CODE_OF_PROBE (EVIL_VA + 0x10000)

/* A jump label without a key. */
static void label(void)
{
	both_have(AT, BYTES(NOPS_5));
	begin_table("__start___jump_table");
	put_place(AT);
	put_place(OTHER);
	put_long(-8);
	end_table("__stop___jump_table");
}

static void static_call(void)
{
	branch_at(both_have, AT, 0xe8, OTHER);
	name_at("first_function", OTHER);
	name_at("static_call_mutex", LOCK);
	begin_table("__start_static_call_sites");
	put_place(AT);
	put_place(KEY | 1);
	end_table("__stop_static_call_sites");
	*(u64 *)at_va(image.text_va + KEY) = image.text_va + OTHER;
}

static void traced(void)
{
	both_have(AT, BYTES(NOPS_5));
	begin_table("__start_mcount_loc");
	put_long(MAP_TEXT + AT);
	end_table("__stop_mcount_loc");
}

static void tracer(void)
{
	both_have(AT, BYTES(NOPS_5));
	name_at("ftrace_call", AT);
}

static void trampoline(void)
{
	branch_at(both_have, AT, 0xe9, OTHER);
	name_at("first_function", OTHER);
	name_at("__SCT__first", AT);
}

static void lock(void)
{
	both_have(AT, BYTES(0xf0, 0x48, 0x0f, 0xc1, 0x07));
	one_place("__smp_locks", "__smp_locks_end", AT);
}

static void alternative(void)
{
	both_have(AT, BYTES(0x48, 0x89, 0xc3, 0x90, 0x90));
	image_has(REPLACEMENT_AT, BYTES(0xb8, 1, 0, 0, 0));
	begin_table("__alt_instructions");
	put_place(AT);
	put_place(REPLACEMENT_AT);
	put((u32[]){ 0x10070 }, 4);
	put((u8[]){ 5, 5 }, 2);
	end_table("__alt_instructions_end");
}

static const struct {
	void (*set_up)(void);
	bool breaks, jumps; /* a breakpoint may be in it, or a jump reach it */
	u32 jump; /* one that has some of it, and goes over the beginning of no function */
} kinds[] = { { label, false, false, AT - 2 },	  { static_call, false, false, AT - 2 },
	      { traced, false, false, AT - 2 },	  { tracer, true, false, AT },
	      { trampoline, true, false, AT },	  { lock, true, true, AT - 2 },
	      { alternative, true, true, AT - 2 } };

static void set_up_kind(unsigned int i)
{
	set_up_vmlinux();
	name_at("kprobe_table", TABLE);
	kinds[i].set_up();
}

/* Make a probe that has replaced those bytes, and that all agree on. */
static void optimize_to(u32 at, u64 code, bool is_known)
{
	u64 va = image.text_va + at, around, probe;
	u32 copied;

	around = is_known ? new_optimized_probe(va, code) : new_forged_probe(va, code);
	probe = field_va(around, F_OPTPROBE_KPROBE);
	memcpy(&copied, (u8 *)at_va(va) + 1, 4);
	set(probe, F_KPROBE_OPCODE, *(u8 *)at_va(va));
	set(around, F_OPTPROBE_COPIED, copied);
	memory_branches(at, 0xe9, code);
}

static void optimize(u32 at, bool is_known)
{
	optimize_to(at, CODE_OF_PROBE, is_known);
}

/* Some of what is found has that verdict; none is suspicious if that is not. */
static void is_judged_of(struct doca_apsh_system *s, enum apsh_verdict verdict)
{
	bool found = false;

	OK(CODE(s, &findings, &nr_findings));
	for (int i = 0; i < nr_findings; i++) {
		found |= findings[i]->verdict == verdict;
		EXPECT(verdict == APSH_SUSPICIOUS || findings[i]->verdict != APSH_SUSPICIOUS);
	}
	EXPECT(found);
	doca_priv_apsh_findings_free(findings);
}

static void is_judged(enum apsh_verdict verdict)
{
	struct doca_apsh_system *s = system_with_image();

	is_judged_of(s, verdict);
	doca_apsh_system_destroy(s);
}

/* A rootkit can add a probe to the list that the kernel would refuse. */
TEST(jumps_of_probes_that_are_known)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		set_up_kind(i);
		optimize(kinds[i].jump, true);
		if (kinds[i].jumps)
			code_is_clean();
		else
			is_judged(APSH_SUSPICIOUS);
		tear_down_image();
	}
}

TEST(jumps_of_probes_that_are_not_known)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		set_up_kind(i);
		optimize(kinds[i].jump, false);
		lose_probes();
		is_judged(kinds[i].jumps ? APSH_CANNOT_TELL : APSH_SUSPICIOUS);
		tear_down_image();
	}
}

/* One at the beginning of a place may be the kernel's, which changes it. */
TEST(breakpoints_of_probes_that_are_known)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		u32 at = AT + !kinds[i].breaks;

		set_up_kind(i);
		set(new_probe(image.text_va + at), F_KPROBE_OPCODE,
		    *(u8 *)at_va(image.text_va + at));
		memory_has(at, BYTES(0xcc));
		if (kinds[i].breaks)
			code_is_clean();
		else
			is_judged(APSH_SUSPICIOUS);
		tear_down_image();
	}
}

TEST(breakpoints_of_probes_that_are_not_known)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		set_up_kind(i);
		memory_has(AT + !kinds[i].breaks, BYTES(0xcc));
		lose_probes();
		is_judged(kinds[i].breaks ? APSH_CANNOT_TELL : APSH_SUSPICIOUS);
		tear_down_image();
	}
}

/* Nobody can tell of a call's distance from other bytes, but a call of the kernel's code it stays. */
TEST(breakpoints_that_may_be_in_a_distance)
{
	set_up_vmlinux();
	name_at("kprobe_table", TABLE);
	both_have(PLACE, BYTES(0xe8, 0x11, 0, 0, 0));
	memory_has(PLACE, BYTES(0xe8, 0xcc));
	is_judged(APSH_SUSPICIOUS);
	lose_probes();
	is_judged(APSH_CANNOT_TELL);
	memory_has(PLACE, BYTES(0xe8, 0xcd));
	is_judged(APSH_SUSPICIOUS);
	/* its last byte alone leads to a module */
	branch_at(both_have, PLACE, 0xe8, 0);
	memory_branches(PLACE, 0xe8, EVIL_VA + 8);
	is_judged(APSH_SUSPICIOUS);
	tear_down_image();
}

TEST(code_in_which_no_probes_are_set)
{
	static const char *const ranges[][2] = {
		{ "__entry_text_start", "__entry_text_end" },
		{ "__kprobes_text_start", "__kprobes_text_end" },
		{ "__noinstr_text_start", "__noinstr_text_end" },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(ranges); i++) {
		set_up_vmlinux();
		name_at("kprobe_table", TABLE);
		both_have(PLACE, BYTES(0x55, 0x48, 0x89, 0xe5, 0x50));
		name_at(ranges[i][0], PLACE);
		name_at(ranges[i][1], PLACE + 8);
		set(new_probe(image.text_va + PLACE), F_KPROBE_OPCODE, 0x55);
		memory_has(PLACE, BYTES(0xcc));
		is_judged(APSH_SUSPICIOUS);
		set(new_probe(image.text_va + PLACE + 8), F_KPROBE_OPCODE, 0x90);
		memory_has(PLACE, BYTES(0x55, 0x48, 0x89, 0xe5, 0x50, 0x90, 0x90, 0x90, 0xcc));
		code_is_clean();
		memory_has(PLACE + 8, BYTES(0x90));
		optimize(PLACE, false);
		lose_probes();
		is_judged(APSH_SUSPICIOUS);
		memory_has(PLACE, BYTES(0xcc, 0x48, 0x89, 0xe5, 0x50));
		is_judged(APSH_SUSPICIOUS);
		tear_down_image();
	}
}

/* A probe may be on each instruction that the kernel has put there. */
TEST(breakpoints_in_calls_by_a_register)
{
	static const u8 forms[][5] = {
		{ 0xcc, 0xd0, 0x0f, 0x1f, 0x00 },
		{ 0xff, 0xd0, 0xcc, 0x1f, 0x00 },
		{ 0xcc, 0xd0, 0xcc, 0x1f, 0x00 },
		{ 0x0f, 0xae, 0xe8, 0xcc, 0xd0 },
	};

	set_up_vmlinux();
	name_at("kprobe_table", TABLE);
	name_at("__x86_indirect_thunk_array", THUNKS);
	branch_at(both_have, PLACE, 0xe8, THUNKS);
	one_place("__retpoline_sites", "__retpoline_sites_end", PLACE);
	lose_probes();
	for (unsigned int i = 0; i < ARRAY_SIZE(forms); i++) {
		memory_has(PLACE, forms[i], 5);
		code_is_unknown("some_function+0x0", "1 places may be those of probes");
	}
	/* by another register */
	is_tampered(BYTES(0xcc, 0xd1, 0x0f, 0x1f, 0x00));
	is_tampered(BYTES(0xff, 0xd1, 0xcc, 0x1f, 0x00));
	tear_down_image();
}

/* Where both have a jump to what returns. */
static void set_up_returns(u32 nr)
{
	set_up_vmlinux();
	name_at("kprobe_table", TABLE);
	name_at("__x86_return_thunk", OTHER);
	begin_table("__return_sites");
	for (u32 i = 0; i < nr; i++) {
		branch_at(both_have, PLACE + 16 * i, 0xe9, OTHER);
		put_place(PLACE + 16 * i);
	}
	end_table("__return_sites_end");
	code_is_clean();
}

/* An instruction begins where a place does, so none begins within the distance of a branch there. */
TEST(breakpoints_in_the_distance_of_a_place)
{
	enum { NR = 8, LAST = PLACE + 16 * (NR - 1) };
	u64 behind;
	int32_t by;

	set_up_returns(NR);
	lose_probes();
	behind = image.text_va + LAST + 5;
	by = (int32_t)(((EVIL_VA + 0x40000 - behind) & ~0xff00ULL) | 0xcc00);
	*page_at(behind + (u64)(int64_t)by) = 0x90;
	memory_branches(LAST, 0xe9, behind + (u64)(int64_t)by);
	is_judged(APSH_SUSPICIOUS);
	/* others, which may be those of probes, do not wear out who looks at them */
	for (u32 at = PLACE; at < LAST; at += 16)
		memory_has(at, BYTES(0xcc, 0xcc, 0xcc, 0xcc, 0xcc));
	is_judged(APSH_SUSPICIOUS);
	/* a breakpoint is on the branch, or on the return that the kernel has written */
	memory_has(LAST, BYTES(0xcc, 0xcc, 0xcc, 0xcc, 0xcc));
	is_judged(APSH_CANNOT_TELL);
	branch_at(memory_has, LAST, 0xcc, OTHER);
	is_judged(APSH_CANNOT_TELL);
	branch_at(memory_has, LAST, 0xcc, OTHER + 1);
	is_judged(APSH_SUSPICIOUS);
	tear_down_image();
}

/* A tracer is called by a branch, which has no breakpoint in its distance either. */
TEST(breakpoints_where_a_tracer_is_called)
{
	u64 ops;

	set_up_vmlinux();
	name_at("kprobe_table", TABLE);
	name_at("ftrace_call", PLACE);
	name_at("ftrace_stub", OTHER);
	name_at("a_tracer", PLACE + 5 + 0x3cc11);
	branch_at(both_have, PLACE, 0xe8, OTHER);
	lose_probes();
	ops = object(512, 64);
	set(ops, F_FTRACE_FUNC, image.text_va + PLACE + 5 + 0x3cc11);
	set(ops, F_FTRACE_TRAMPOLINE, 0);
	set(ops, F_FTRACE_NEXT, symbol(S_ftrace_list_end));
	*(u64 *)at_va(symbol(S_ftrace_ops_list)) = ops;
	memory_has(PLACE, BYTES(0xcc, 0x11, 0xcc, 0x03, 0x00));
	is_judged(APSH_CANNOT_TELL);
	memory_has(PLACE, BYTES(0xe8, 0xcc));
	is_judged(APSH_SUSPICIOUS);
	tear_down_image();
}

/* A hook that leads to a module, behind one byte of padding: both together look like a jump to that memory. */
static u64 set_up_hook_behind(u8 padding)
{
	u64 from, to;
	int32_t by;
	u8 *last;

	set_up_vmlinux();
	from = image.text_va + PLACE + 6;
	name_at("kprobe_table", TABLE);
	both_have(PLACE, &padding, 1);
	memory_branches(PLACE + 1, 0xe9, EVIL_VA + 8);
	last = at_va(from - 1);
	image_has(PLACE + 5, last, 1);
	memcpy(&by, last - 4, sizeof(by));
	to = from - 1 + (u64)(int64_t)by;
	*page_at(to) = 0x90;
	return to;
}

/* No probe is on a breakpoint of the image, nor a jump where the image has a branch. */
TEST(jumps_of_probes_on_what_is_not_moved)
{
	static const u8 branches[][5] = {
		{ 0xe8 }, { 0xe9 }, { 0xeb, 0x10 }, { 0x7f, 0x10 }, { 0x0f, 0x84 }, { 0x2e, 0xe9 },
	};
	u64 to, around;
	u32 copied;

	for (unsigned int i = 0; i < ARRAY_SIZE(branches); i++) {
		set_up_vmlinux();
		name_at("kprobe_table", TABLE);
		both_have(PLACE, branches[i], 5);
		optimize(PLACE, true);
		is_judged(APSH_SUSPICIOUS);
		tear_down_image();
	}
	/* where nobody can tell of that memory */
	to = set_up_hook_behind(0xcc);
	lose_page(to);
	lose_probes();
	is_judged(APSH_SUSPICIOUS);
	tear_down_image();
	/* a rootkit has added the probe to the list */
	to = set_up_hook_behind(0xcc);
	around = new_optimized_probe(image.text_va + PLACE, to);
	memcpy(&copied, vmlinux.code + PLACE + 1 - CODE_AT, 4);
	set(field_va(around, F_OPTPROBE_KPROBE), F_KPROBE_OPCODE, 0xcc);
	set(around, F_OPTPROBE_COPIED, copied);
	is_judged(APSH_SUSPICIOUS);
	tear_down_image();
}

/* A hook that leads to a module is no probe's, whatever changes. */
TEST(hooks_behind_what_changes)
{
	struct doca_apsh_system *s;
	struct source_ops ops;
	u64 to = set_up_hook_behind(0x55);

	memory_has(PLACE, BYTES(0xcc));
	lose_probes();
	s = system_with_image();
	ops = *s->source.ops;
	ops_of_source = s->source.ops;
	ops.read = read_what_changes;
	s->source.ops = &ops;
	changing = image.direct + (u64)(page_at(to) - image.mem);
	is_judged_of(s, APSH_SUSPICIOUS);
	s->source.ops = ops_of_source;
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* Without a function Linux 5.10 has a return there, and nothing behind it. */
TEST(jumps_of_probes_at_a_trampoline_without_a_function)
{
	set_up_vmlinux();
	name_at("kprobe_table", TABLE);
	both_have(PLACE, BYTES(0xc3, 0x90, 0x90, 0x90, 0x90));
	name_at("__SCT__first", PLACE);
	optimize(PLACE, true);
	code_is_clean();
	tear_down_image();
}

/* No probe is on a jump that nobody has made: it is accused if the list is read, and if it is not. */
static void is_refused(u32 at)
{
	optimize(at, true);
	is_judged(APSH_SUSPICIOUS);
	lose_probes();
	is_judged(APSH_SUSPICIOUS);
	tear_down_image();
}

static void is_taken(u32 at)
{
	optimize(at, true);
	code_is_clean();
	lose_probes();
	is_judged(APSH_CANNOT_TELL);
	tear_down_image();
}

static void set_up_code_at(u32 at, const u8 *bytes, size_t len)
{
	set_up_vmlinux();
	name_at("kprobe_table", TABLE);
	both_have(at, bytes, len);
}

/* A place that ends where a probe begins, or begins where its jump ends, is not in its way. */
TEST(probes_beside_a_place)
{
	enum { BEFORE = AT - 5, BEHIND = AT + 5 };

	set_up_kind(2); /* one for ftrace */
	optimize(BEHIND, true);
	code_is_clean();
	set(new_probe(image.text_va + BEFORE - 1), F_KPROBE_OPCODE, 0x90);
	memory_has(BEFORE - 1, BYTES(0xcc));
	code_is_clean();
	tear_down_image();
	set_up_kind(2);
	optimize(BEFORE, true);
	code_is_clean();
	set(new_probe(image.text_va + BEHIND), F_KPROBE_OPCODE, 0x90);
	memory_has(BEHIND, BYTES(0xcc));
	code_is_clean();
	tear_down_image();
}

/* Bytes of the image are no evidence if the kernel may have changed its first two bytes. */
TEST(jumps_of_probes_on_what_the_kernel_changes)
{
	for (u32 lock = AT; lock < AT + 5; lock++) {
		set_up_code_at(AT, BYTES(0xe9, 0xf0, 0xf0, 0xf0, 0xf0));
		one_place("__smp_locks", "__smp_locks_end", lock);
		if (lock > AT + 1)
			is_refused(AT);
		else
			is_taken(AT);
	}
}

/* However many are known, the next one is looked at. */
TEST(more_jumps_of_probes_than_strange_ones_are_looked_at)
{
	enum { NR = 1100, STEP = 8, SLOT = 256 };

	set_up_vmlinux();
	name_at("kprobe_table", TABLE);
	for (u32 i = 0; i < NR; i++)
		optimize_to(PLACE + STEP * i, CODE_OF_PROBE + SLOT * i, true);
	code_is_clean();
	tear_down_image();
}

/* A function ends where the next symbol is. */
TEST(jumps_of_probes_over_the_end_of_a_function)
{
	for (u32 at = AT - 5; at <= AT; at++) {
		set_up_code_at(PLACE, BYTES(0x55));
		name_at("next_function", AT);
		if (at > AT - 5 && at < AT)
			is_refused(at);
		else
			is_taken(at);
	}
}

/* A breakpoint that the image has is an instruction that is not moved. */
TEST(jumps_of_probes_on_a_return_with_a_breakpoint)
{
	static const u8 returns[][5] = { { 0xc3, 0xcc, 0x90, 0x90, 0x90 },
					 { 0xc3, 0x90, 0x90, 0x90, 0x90 },
					 { 0x50, 0xcc, 0x90, 0x90, 0x90 } };

	for (unsigned int i = 0; i < ARRAY_SIZE(returns); i++) {
		set_up_code_at(PLACE, returns[i], 5);
		if (i)
			is_taken(PLACE);
		else
			is_refused(PLACE);
	}
	set_up_code_at(PLACE, returns[0], 5);
	name_at("__SCT__first", PLACE);
	is_refused(PLACE);
}

/* The kernel has put a breakpoint behind each return of the image's table, or a jump to its thunk. */
TEST(jumps_of_probes_on_returns_of_the_table)
{
	for (u32 before = 0; before < 5; before++) {
		set_up_code_at(AT - before, BYTES(0x50, 0x50, 0x50, 0x50));
		name_at("__x86_return_thunk", OTHER);
		branch_at(image_has, AT, 0xe9, OTHER);
		memory_has(AT, BYTES(0xc3, 0xcc, 0xcc, 0xcc, 0xcc));
		one_place("__return_sites", "__return_sites_end", AT);
		if (before < 4)
			is_refused(AT - before);
		else
			is_taken(AT - before);
	}
}

/* One that an alternative may have replaced is not known to be there. */
TEST(jumps_of_probes_on_returns_in_an_alternative)
{
	set_up_code_at(AT, BYTES(0x50, 0x50));
	name_at("__x86_return_thunk", OTHER);
	branch_at(both_have, AT + 2, 0xe9, OTHER);
	one_place("__return_sites", "__return_sites_end", AT + 2);
	image_has(REPLACEMENT_AT, BYTES(0x51, 0x51, 0x51, 0x51, 0x51, 0x51, 0x51));
	begin_table("__alt_instructions");
	put_place(AT);
	put_place(REPLACEMENT_AT);
	put((u32[]){ 0x10070 }, 4);
	put((u8[]){ 7, 7 }, 2);
	end_table("__alt_instructions_end");
	memory_has(AT, BYTES(0x51, 0x51, 0x51, 0x51, 0x51, 0x51, 0x51));
	is_taken(AT);
}

/* It is known to be there if an alternative in front of it, or behind it, is all that may have been replaced. */
TEST(jumps_of_probes_on_returns_beside_an_alternative)
{
	set_up_code_at(AT, BYTES(0x0f, 0x01, 0xca));
	name_at("__x86_return_thunk", OTHER);
	branch_at(image_has, AT + 3, 0xe9, OTHER);
	memory_has(AT + 3, BYTES(0xc3, 0xcc, 0xcc, 0xcc, 0xcc));
	one_place("__return_sites", "__return_sites_end", AT + 3);
	image_has(REPLACEMENT_AT, BYTES(0x90, 0x90, 0x90));
	begin_table("__alt_instructions");
	put_place(AT);
	put_place(REPLACEMENT_AT);
	put((u32[]){ 0x10070 }, 4);
	put((u8[]){ 3, 3 }, 2);
	end_table("__alt_instructions_end");
	is_refused(AT);
}
