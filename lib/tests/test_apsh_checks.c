// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: where system calls and interrupts lead to. */
#include "apsh_findings.h"

#include "../../tools/apsh/check.c"

#define CALLS doca_priv_apsh_system_calls_check
#define INTERRUPTS doca_priv_apsh_interrupts_check
#define HOOKS doca_priv_apsh_hooks_check

TEST(sound_code_is_clean)
{
	for (int levels = 4; levels <= 5; levels++) {
		set_up_sound(levels);
		is_clean(CALLS);
		is_clean(INTERRUPTS);
		tear_down_image();
	}
}

/* Set an entry of a table, and expect what is found there. */
static void table_leads(enum symbol s, u64 to, const char *where, const char *what)
{
	set_up_sound(4);
	new_evil_module();
	table_of(s)[1] = to ? to : EVIL_VA + 8;
	is_suspicious(CALLS, where, table_of(s)[1], what);
	tear_down_image();
}

TEST(an_entry_of_a_table_that_leads_elsewhere)
{
	u64 text = TEXT_VA;

	table_leads(S_sys_call_table, 0, "sys_call_table[1]", "leads to module evil");
	table_leads(S_ia32_sys_call_table, 0, "ia32_sys_call_table[1]", "leads to module evil");
	table_leads(S_sys_call_table, EVIL_VA + 0x10000, "sys_call_table[1]",
		    "leads to memory of no module");
	table_leads(S_sys_call_table, text + 0x80000, "sys_call_table[1]",
		    "leads to the kernel's data");
	table_leads(S_sys_call_table, text + 0x140000, "sys_call_table[1]",
		    "leads into the kernel's code, but to no system call");
	table_leads(S_sys_call_table, text + MAP_ENTRY(1) + 1, "sys_call_table[1]",
		    "leads into the kernel's code, but to no system call");
	/* a part of a function */
	table_leads(S_sys_call_table, text + 0x130000, "sys_call_table[1]",
		    "leads into the kernel's code, but to no system call");
	table_leads(S_sys_call_table, 0x401000, "sys_call_table[1]",
		    "leads to no memory of the kernel");
}

/* At the end of a table only what is empty is none of its entries. */
TEST(the_last_entry_of_a_table_leads_elsewhere)
{
	set_up_sound(4);
	table_of(S_sys_call_table)[MAP_CALLS - 1] = 0x401000;
	is_suspicious(CALLS, "sys_call_table[7]", 0x401000, "leads to no memory of the kernel");
	/* as with 5 levels of page tables */
	table_of(S_sys_call_table)[MAP_CALLS - 1] = 0xffa0000000001000;
	is_suspicious(CALLS, "sys_call_table[7]", 0xffa0000000001000,
		      "leads to memory of no module");
	tear_down_image();
}

/* The function, which is what counts, tells that a table has another's place. */
TEST(an_entry_of_a_table_that_leads_to_another_call)
{
	set_up_sound(4);
	table_of(S_sys_call_table)[1] = entry_va(3);
	is_suspicious(CALLS, "x64_sys_call[1]", entry_va(1),
		      "leads to another system call than the table does");
	tear_down_image();
}

TEST(entries_that_cannot_be_judged)
{
	struct doca_apsh_system *s;

	set_up_sound(4);
	s = started_system();
	s->kernel.map.sizes[S_sys_call_table] = 0;
	cannot_tell_of(s, CALLS, "sys_call_table", "does not say how long");
	s->kernel.map.sizes[S_sys_call_table] = 1 << 20;
	cannot_tell_of(s, CALLS, "sys_call_table", "does not say how long");
	s->kernel.map.sizes[S_sys_call_table] = MAP_CALLS * 8;
	s->kernel.map.symbols[S_sys_call_table] = 0;
	s->kernel.map.symbols[S_x64_sys_call] = 0;
	cannot_tell_of(s, CALLS, "", "neither sys_call_table nor x64_sys_call");
	s->kernel.map.nr_entries = 0;
	cannot_tell_of(s, CALLS, "", "no functions of system calls");
	s->kernel.map.symbols[S_idt_descr] = 0;
	cannot_tell_of(s, INTERRUPTS, "idt_descr", "the map has no idt_descr");
	s->kernel.map.symbols[S_idt_table] = 0;
	cannot_tell_of(s, INTERRUPTS, "", "no idt_table");
	s->kernel.map.symbols[S__etext] = 0;
	cannot_tell_of(s, CALLS, "", "does not say where the kernel's code is");
	cannot_tell_of(s, INTERRUPTS, "", "does not say where the kernel's code is");
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* Older kernels have a table alone, newer ones need none. */
TEST(a_table_or_a_function_is_enough)
{
	struct doca_apsh_system *s;

	set_up_sound(4);
	s = started_system();
	s->kernel.map.symbols[S_x64_sys_call] = 0;
	is_clean_of(s, CALLS);
	s->kernel.map.symbols[S_x64_sys_call] = MAP_TEXT + image_at[S_x64_sys_call];
	s->kernel.map.symbols[S_sys_call_table] = 0;
	is_clean_of(s, CALLS);
	doca_apsh_system_destroy(s);
	tear_down_image();
}

TEST(a_map_without_functions)
{
	map_without_entries = true;
	set_up_sound(4);
	map_without_entries = false;
	cannot_tell(CALLS, "", "no functions of system calls");
	tear_down_image();
}

/* One that was left out would be taken for another's. */
TEST(a_map_of_more_functions_than_fit)
{
	static const struct {
		int more;
		u32 nr;
	} cases[] = { { 100, MAP_ENTRIES + 100 },
		      { MAX_ENTRIES - MAP_ENTRIES - 1, MAX_ENTRIES - 1 },
		      { MAX_ENTRIES - MAP_ENTRIES, 0 },
		      { MAX_ENTRIES, 0 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		map_more_entries = cases[i].more;
		set_up_sound(4);
		EXPECT_EQ(image.map.nr_entries, cases[i].nr);
		tear_down_image();
	}
	map_more_entries = 0;
}

/* Find the jump or call to the function of a number. */
static u64 jump_to(enum symbol s, u32 number)
{
	for (u64 at = symbol(s);; at++) {
		u8 *p = at_va(at);
		int32_t by;

		memcpy(&by, p + 1, sizeof(by));
		if ((*p == 0xe8 || *p == 0xe9) &&
		    at + 5 + (u64)(int64_t)by == entry_va(call_of(number)))
			return at;
	}
}

/* Make the jump of a number lead elsewhere. */
static void redirect(enum symbol s, u32 number, u64 to)
{
	emit_va = jump_to(s, number) + 1;
	emit_distance(to);
}

TEST(a_function_that_leads_elsewhere)
{
	set_up_sound(4);
	new_evil_module();
	redirect(S_x64_sys_call, 3, EVIL_VA + 8);
	is_suspicious(CALLS, "x64_sys_call[3]", EVIL_VA + 8, "leads to module evil");
	set_up_function(S_x64_sys_call);
	redirect(S_ia32_sys_call, 4, code_va());
	is_suspicious(CALLS, "ia32_sys_call[4]", code_va(),
		      "leads into the kernel's code, but to no system call");
	set_up_function(S_ia32_sys_call);
	/* numbers that are not used are said once */
	redirect(S_x32_sys_call, MAP_CALLS, EVIL_VA + 8);
	is_suspicious(CALLS, "x32_sys_call[7]", EVIL_VA + 8, "leads to module evil");
	tear_down_image();
}

/* In front of a function a call may be counted; a jump is not. */
TEST(a_function_that_leads_in_front_of_a_call)
{
	set_up_sound(4);
	redirect(S_x64_sys_call, 2, entry_va(2) - 9);
	is_clean(CALLS);
	set_up_function(S_x64_sys_call);
	redirect(S_x64_sys_call, 2, entry_va(2) - 17);
	is_suspicious(CALLS, "x64_sys_call[2]", entry_va(2) - 17,
		      "leads into the kernel's code, but to no system call");
	set_up_function(S_x64_sys_call);
	redirect(S_x64_sys_call, 3, entry_va(3) - 9);
	is_suspicious(CALLS, "x64_sys_call[3]", entry_va(3) - 9,
		      "leads into the kernel's code, but to no system call");
	tear_down_image();
}

/* Follow the function for numbers from @first on. */
static void numbers_lead_to(u32 first, const u32 *entries, u32 nr)
{
	struct doca_apsh_system *s = started_system();
	static struct dispatch d;
	struct view v;
	u64 target;
	bool call;

	view_begin(&v, &s->source, &s->regions, &s->kernel, &s->budget);
	EXPECT(dispatch_read(&v, symbol(S_x64_sys_call), symbol(S__etext), &d));
	for (u32 i = 0; i < nr; i++) {
		EXPECT(dispatch_follow(&d, first + i, &target, &call));
		EXPECT_EQ(target, entry_va((int)entries[i]));
		EXPECT(!call);
	}
	view_end(&v);
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* Each way to leave a function, and each condition, for numbers on both sides. */
TEST(conditions_of_jumps)
{
	static const struct {
		u8 condition;
		bool taken[3]; /* for 3, 4, 5 */
	} all[] = {
		{ 2, { true, false, false } }, { 3, { false, true, true } },
		{ 4, { false, true, false } }, { 5, { true, false, true } },
		{ 6, { true, true, false } },  { 7, { false, false, true } },
	};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		u32 leads_to[3];

		set_up_sound(4);
		emit_va = symbol(S_x64_sys_call);
		EMIT(0x81, 0xfe, 4, 0, 0, 0, 0x0f, 0x80 | all[i].condition);
		emit_distance(entry_va(1));
		emit_jump(0xe9, entry_va(2));
		for (u32 n = 0; n < 3; n++)
			leads_to[n] = all[i].taken[n] ? 1 : 2;
		numbers_lead_to(3, leads_to, 3);
	}
}

/* The rest is compared next. */
TEST(a_number_that_is_made_less)
{
	static const struct {
		u8 bytes[6];
		u32 len;
	} all[] = { { { 0x83, 0xee, 3 }, 3 }, { { 0x81, 0xee, 3, 0, 0, 0 }, 6 } };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		set_up_sound(4);
		emit_va = symbol(S_x64_sys_call);
		emit_bytes(all[i].bytes, all[i].len);
		EMIT(0x0f, 0x84); /* je */
		emit_distance(entry_va(1));
		EMIT(0x83, 0xfe, 1, 0x0f, 0x84); /* cmp $1, %esi; je */
		emit_distance(entry_va(2));
		emit_jump(0xe9, entry_va(3));
		numbers_lead_to(2, (u32[]){ 3, 1, 2, 3 }, 4);
	}
}

/* Put an instruction where the function begins, behind the place of ftrace. */
static void not_understood(const u8 *bytes, size_t len)
{
	set_up_sound(4);
	emit_va = symbol(S_x64_sys_call) + 9;
	emit_bytes(bytes, len);
	cannot_tell(CALLS, "x64_sys_call[0]", "is not understood");
	tear_down_image();
}

#define NOT_UNDERSTOOD(...) \
	not_understood((const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

TEST(code_that_is_not_understood)
{
	NOT_UNDERSTOOD(0x48, 0x89, 0xe5); /* a move */
	NOT_UNDERSTOOD(0x70, 0x00); /* a jump on overflow */
	NOT_UNDERSTOOD(0x7f, 0x00); /* one of signed numbers */
	NOT_UNDERSTOOD(0xeb, 0xfe); /* one to itself */
	NOT_UNDERSTOOD(0xcc);
}

/* A jump of signed numbers would lead to the same places. */
TEST(a_jump_that_is_not_understood)
{
	u8 *jump;

	set_up_sound(4);
	jump = at_va(symbol(S_x64_sys_call) + 15);
	EXPECT_EQ(*jump, 0x77);
	*jump = 0x7f;
	cannot_tell(CALLS, "x64_sys_call[0]", "is not understood");
	tear_down_image();
}

/* A function that goes on in a page that is missing has not left itself. */
TEST(a_function_of_which_a_page_is_missing)
{
	struct doca_apsh_system *s;
	char regions[256], what[64];
	u64 next, pa;

	set_up_sound(4);
	emit_va = symbol(S_x64_sys_call) + 9;
	next = (emit_va + PAGE) & ~(u64)(PAGE - 1);
	pa = pa_of(next);
	emit_jump(0xe9, next + 16);
	snprintf(regions, sizeof(regions),
		 "{\"allowed_regions\":{\"0\":{\"start\":0,\"length\":%llu},"
		 "\"1\":{\"start\":%llu,\"length\":%llu}}}",
		 (unsigned long long)pa, (unsigned long long)pa + PAGE,
		 (unsigned long long)(IMAGE_SIZE - pa - PAGE));
	write_text(image.regions, regions);
	s = started_system();
	snprintf(what, sizeof(what), "what is at %#llx is not in the image",
		 (unsigned long long)next + 16);
	cannot_tell_of(s, CALLS, "x64_sys_call[0]", what);
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* It may return or not. */
TEST(a_call_within_a_function)
{
	set_up_sound(4);
	emit_va = symbol(S_x64_sys_call) + 9;
	EMIT(0xe8);
	emit_distance(symbol(S_x64_sys_call) + 15);
	cannot_tell(CALLS, "x64_sys_call[0]", "is not understood");
	tear_down_image();
}

/* A tracer of the function itself is found by another check. */
TEST(a_function_that_is_traced)
{
	set_up_sound(4);
	emit_va = symbol(S_x64_sys_call) + 4;
	emit_jump(0xe8, code_va());
	is_clean(CALLS);
	tear_down_image();
}

static u64 gate_va(u32 i)
{
	return symbol(S_idt_table) + 16 * i;
}

TEST(gates_that_lead_elsewhere)
{
	set_up_sound(4);
	new_evil_module();
	set_gate(3, EVIL_VA + 64);
	is_suspicious(INTERRUPTS, "idt_table[3]", EVIL_VA + 64, "leads to module evil");
	set_gate(3, symbol(S__etext));
	is_suspicious(INTERRUPTS, "idt_table[3]", symbol(S__etext), "leads to the kernel's data");
	set_gate(3, symbol(S__etext) - 1);
	set_gate(4, symbol(S__stext));
	is_clean(INTERRUPTS);
	set_gate(255, symbol(S__stext) - 1);
	is_suspicious(INTERRUPTS, "idt_table[255]", symbol(S__stext) - 1,
		      "leads to the kernel's data");
	/* one that is not in use leads nowhere */
	((u8 *)at_va(gate_va(255)))[5] &= 0x7f;
	is_clean(INTERRUPTS);
	memset(at_va(symbol(S_idt_table)), 0, 16 * GATES);
	cannot_tell(INTERRUPTS, "idt_table", "no gate of the table is in use");
	tear_down_image();
}

/* Nothing uses them, but the place must be that of the exception. */
TEST(gates_that_are_left_over)
{
	u64 first;

	set_up_sound(4);
	first = symbol(S_early_idt_handler_array);
	set_gate(22, first + 22 * 9);
	set_gate(31, first + 31 * 13);
	is_clean(INTERRUPTS);
	set_gate(31, first + 31 * 13 + 1);
	is_suspicious(INTERRUPTS, "idt_table[31]", first + 31 * 13 + 1,
		      "leads to the kernel's data");
	set_gate(31, code_va());
	set_gate(32, first + 32 * 9);
	is_suspicious(INTERRUPTS, "idt_table[32]", first + 32 * 9, "leads to the kernel's data");
	tear_down_image();
}

TEST(another_table_of_interrupts)
{
	u64 other;

	set_up_sound(4);
	other = object(4096, 4096);
	set_idt_descr(other);
	is_suspicious(INTERRUPTS, "idt_descr", other, "leads to another table than idt_table");
	set_idt_descr(0xffffc90000000000);
	cannot_tell(INTERRUPTS, "idt_descr", "is not mapped");
	tear_down_image();
}

/* Put a probe of the kernel at an address, into one of the lists. */
static void new_probe(u64 probe, u64 addr, u32 list)
{
	u64 head = symbol(S_kprobe_table) + 8 * list, *first = at_va(head);
	u64 node = field_va(probe, F_KPROBE_NODE);

	set(probe, F_KPROBE_ADDR, addr);
	set(probe, F_KPROBE_PRE, code_va());
	list_init(field_va(probe, F_KPROBE_LIST));
	((u64 *)at_va(node))[0] = *first;
	((u64 *)at_va(node))[1] = head;
	if (*first)
		((u64 *)at_va(*first))[1] = node;
	*first = node;
}

/* Without the handler of the kernel nothing tells it from one that has handlers of its own. */
TEST(probes_of_a_map_that_cannot_tell_those_of_returns)
{
	struct doca_apsh_system *s;

	set_up_sound(4);
	new_probe(object(512, 64), code_va(), 1);
	s = started_system();
	s->kernel.map.symbols[S_pre_handler_kretprobe] = 0;
	is_clean_of(s, HOOKS);
	new_probe(object(512, 64), entry_va(1), 1);
	new_probe(object(512, 64), entry_va(2), 2);
	write_image();
	cannot_tell_of(s, HOOKS, "kprobes", "the map has no pre_handler_kretprobe");
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* Behind so many, one that calls others would not be seen. */
TEST(more_probes_than_are_read)
{
	static const u32 numbers[] = { 1 << 16, (1 << 16) + 1 };
	struct doca_apsh_system *s;
	struct view_stats stats;

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		set_up_sound(4);
		for (u32 k = 0; k < numbers[i]; k++)
			new_probe(object(64, 64), code_va(), k % 64);
		s = started_system();
		is_clean_of(s, HOOKS);
		doca_priv_apsh_stats(s, &stats);
		EXPECT_EQ(stats.cut, i == 1);
		doca_apsh_system_destroy(s);
		tear_down_image();
	}
}

/* A size that does not fit must not become a small one. */
TEST(a_table_that_is_too_long_for_a_map)
{
	map_table_calls = (1 << 24) / 8;
	set_up_image(4);
	EXPECT_EQ(image.map.sizes[S_sys_call_table], 1 << 24);
	tear_down_image();
	map_table_calls++;
	set_up_image(4);
	EXPECT_EQ(image.map.sizes[S_sys_call_table], 0);
	tear_down_image();
	map_table_calls = MAP_CALLS;
}

bool command_differs, command_incomplete;

/* The rows of one kind of check. */
static struct {
	const char *kind;
	int nr;
	char verdict[16], finding[128];
} rows;

void out_head(const struct column *head, int nr)
{
	(void)head, (void)nr;
}

void out_row(const struct column *head, const struct value *values, int nr)
{
	(void)head, (void)nr;
	if (strcmp(values[0].string, rows.kind))
		return;
	rows.nr++;
	snprintf(rows.verdict, sizeof(rows.verdict), "%s", values[1].string);
	snprintf(rows.finding, sizeof(rows.finding), "%s", values[4].string);
}

static void one_row(struct doca_apsh_system *s, const char *kind, doca_error_t ret,
		    const char *verdict, const char *finding)
{
	rows.kind = kind;
	rows.nr = 0;
	command_incomplete = false;
	EXPECT_EQ(check_system(s, NULL), ret);
	EXPECT_EQ(rows.nr, 1);
	EXPECT_STR(rows.verdict, verdict);
	if (!strstr(rows.finding, finding))
		KTAP_SAY_("\"%s\" is no \"%s\"", rows.finding, finding);
	if (!strcmp(verdict, "cannot tell"))
		EXPECT(command_incomplete);
}

TEST(a_check_that_fails_has_a_row)
{
	struct doca_apsh_system *s;

	set_up_sound(4);
	memset(at_va(symbol(S_modules)), 0, 16);
	s = started_system();
	one_row(s, "module", DOCA_ERROR_INITIALIZATION, "cannot tell",
		doca_error_get_descr(DOCA_ERROR_INITIALIZATION));
	doca_apsh_system_destroy(s);
	tear_down_image();
}

static const struct source_ops *ops;
static u64 moving_pa;

/* Eight bytes are others whenever they are read again, at the end. */
static int read_what_moves(struct source *source, struct source_range *r, unsigned int n)
{
	int err = ops->read(source, r, n);

	for (unsigned int i = 0; i < n; i++)
		if (r[i].pa == moving_pa && r[i].len == 8)
			*(u8 *)r[i].to ^= 1;
	return err;
}

/* One that changes is left out, which must not hide that it is hidden. */
TEST(a_hidden_process_that_changes_for_ever)
{
	struct doca_apsh_system *s;
	struct source_ops mine;
	u64 shown, hidden;

	set_up_sound(4);
	shown = new_task(2, 2, "shown");
	hidden = object(1024, 64);
	new_task_at(hidden, 3, 3, "hidden");
	in_list(hidden);
	s = started_system();
	ops = s->source.ops;
	mine = *ops;
	mine.read = read_what_moves;
	s->source.ops = &mine;
	one_row(s, "process", DOCA_SUCCESS, "suspicious", "not in both the tree");
	moving_pa = pa_of(field_va(hidden, F_TASK_START));
	one_row(s, "process", DOCA_SUCCESS, "cannot tell", "changed whenever");
	/* those that are shown may come and go */
	in_tree(hidden, 3);
	write_image();
	moving_pa = pa_of(field_va(shown, F_TASK_START));
	one_row(s, "process", DOCA_SUCCESS, "clean", "");
	s->source.ops = ops;
	doca_apsh_system_destroy(s);
	tear_down_image();
}

TEST(checks_without_memory)
{
	struct doca_apsh_system *s;

	set_up_sound(4);
	new_evil_module();
	table_of(S_sys_call_table)[1] = EVIL_VA;
	set_gate(3, EVIL_VA);
	s = started_system();
	EXPECT_FAULTS(FAULT_ALLOC, CALLS(s, &findings, &nr_findings), NO_MEMORY,
		      doca_priv_apsh_findings_free(findings));
	EXPECT_FAULTS(FAULT_ALLOC, INTERRUPTS(s, &findings, &nr_findings), NO_MEMORY,
		      doca_priv_apsh_findings_free(findings));
	doca_apsh_system_destroy(s);
	tear_down_image();
}
