// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: probes in the kernel's code, and what may be taken for one. */
#include "apsh_probe.h"
#include "apsh_sites.h"

/* Functions of the kernel beside that of the tests. */
enum { OTHER = PLACE + 0x800 };

/* Its first byte may be replaced by a breakpoint, and five by a jump. */
TEST(probes)
{
	u64 probe;

	set_up_vmlinux();
	both_have(PLACE, BYTES(0x55, 0x48, 0x89, 0xe5, 0x50));
	probe = new_probe(image.text_va + PLACE);
	set(probe, F_KPROBE_OPCODE, 0x55);
	code_is_clean();
	is_known(BYTES(0xcc));
	is_tampered(BYTES(0xcc, 0x31));
	is_tampered(BYTES(0x90, 0x48));
	is_known(BYTES(0xcc, 0x48));
	/* the probe tells which byte was there, but it has to be the image's */
	set(probe, F_KPROBE_OPCODE, 0x56);
	is_tampered(BYTES(0xcc));
	set(probe, F_KPROBE_OPCODE, 0x55);
	branch_is_tampered(0xe9, EVIL_VA + 8);
	tear_down_image();
}

/* One where ftrace calls it replaces nothing, and a breakpoint there is that of ftrace. */
TEST(probes_by_ftrace)
{
	set_up_traced(OTHER);
	set(new_probe(image.text_va + PLACE), F_KPROBE_OPCODE, 0);
	memory_has(PLACE, BYTES(0xcc));
	code_is_unknown("some_function+0x0", "1 places are being changed");
	branch_is_known(0xe8, OTHER + 16);
	tear_down_image();
}

/* The code of a probe, and other memory of no module, which nothing leads to before a test uses it. */
#define CODE_OF_PROBE (EVIL_VA + 0x10000)
#define OTHER_CODE (EVIL_VA + 0x20000)

static u64 set_up_optimized_probe(u64 code)
{
	u64 around;

	set_up_vmlinux();
	name_at("kprobe_table", OTHER + 128);
	both_have(PLACE, BYTES(0x55, 0x48, 0x89, 0xe5, 0x50));
	around = new_optimized_probe(image.text_va + PLACE, code);
	set(field_va(around, F_OPTPROBE_KPROBE), F_KPROBE_OPCODE, 0x55);
	set(around, F_OPTPROBE_COPIED, 0x50e58948);
	memory_branches(PLACE, 0xe9, code);
	return field_va(around, F_OPTPROBE_KPROBE);
}

TEST(probes_that_are_optimized)
{
	u64 probe = set_up_optimized_probe(CODE_OF_PROBE);

	code_is_clean();
	/* the jump is written, or taken away, behind a breakpoint */
	memory_has(PLACE, BYTES(0xcc));
	code_is_clean();
	is_known(BYTES(0xcc, 0x48, 0x89, 0xe5, 0x50));
	/* a jump elsewhere is none of the probe's */
	branch_is_tampered(0xe9, OTHER_CODE);
	branch_is_tampered(0xcc, OTHER_CODE);
	memory_branches(PLACE, 0xe9, CODE_OF_PROBE);
	set(probe, F_KPROBE_PRE, code_va());
	code_is_suspicious("some_function+0x0", image.text_va + PLACE, "is in place of");
	tear_down_image();
}

static void may_be_probe(const char *what)
{
	struct doca_apsh_system *s = system_with_image();

	cannot_tell_of(s, CODE, "some_function+0x0", what);
	doca_apsh_system_destroy(s);
}

/* A breakpoint, or a jump to memory of nobody, may then be theirs; a jump to a module is not. */
TEST(probes_that_are_missing)
{
	static const char what[] = "1 places may be those of probes";

	set_up_optimized_probe(CODE_OF_PROBE);
	lose_probes();
	may_be_probe(what);
	memory_has(PLACE, BYTES(0xcc));
	may_be_probe(what);
	is_tampered(BYTES(0x90));
	memory_branches(PLACE, 0xe9, EVIL_VA + 8);
	code_is_suspicious("some_function+0x0", EVIL_VA + 8, "leads to module evil");
	tear_down_image();
}

/* One that was set or removed while the image was written. */
TEST(probes_in_an_image_that_took_time)
{
	struct doca_apsh_system *s;

	set_up_vmlinux();
	name_at("kprobe_table", OTHER + 128);
	both_have(PLACE, BYTES(0x55, 0x48, 0x89, 0xe5, 0x50));
	is_tampered(BYTES(0xcc));
	memory_has(PLACE, BYTES(0xcc));
	s = system_with_image();
	s->source.drawn_out = true;
	cannot_tell_of(s, CODE, "some_function+0x0", "1 places may be those of probes");
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* An instruction that ends as a call begins is none: mov %ebp, %eax. Others may begin behind it. */
TEST(probes_behind_what_looks_like_a_branch)
{
	set_up_optimized_probe(CODE_OF_PROBE);
	lose_probes();
	both_have(PLACE, BYTES(0x89, 0xe8, 0x48, 0x89, 0xe5, 0x50, 0x90));
	memory_has(PLACE + 2, BYTES(0xcc));
	code_is_unknown("some_function+0x2", "1 places may be those of probes");
	tear_down_image();
}

/* Nodes are read one after the other: one that was linked meanwhile is not as the last one says. */
TEST(probes_of_which_the_list_changes)
{
	u64 *node;

	set_up_optimized_probe(CODE_OF_PROBE);
	node = at_va(*(u64 *)at_va(symbol(S_kprobe_table) + 8 * 5));
	node[1] = 0;
	may_be_probe("1 places may be those of probes");
	tear_down_image();
}

/* An older map does not tell which code is that of a probe. */
TEST(probes_of_a_map_without_optimized_ones)
{
	struct doca_apsh_system *s;

	set_up_optimized_probe(CODE_OF_PROBE);
	s = system_with_image();
	s->kernel.map.symbols[S_aggr_pre_handler] = 0;
	cannot_tell_of(s, CODE, "some_function+0x0", "1 places may be those of probes");
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* The kernel makes no code for a probe in a module. */
TEST(probes_that_lead_to_a_module)
{
	set_up_optimized_probe(EVIL_VA + 8);
	code_is_suspicious("some_function+0x0", EVIL_VA + 8, "leads to module evil");
	tear_down_image();
}

static u64 around_of(u64 probe)
{
	return probe - image.map.fields[F_OPTPROBE_KPROBE].offset;
}

/* A jump is suspicious, whatever the list says, if its code does not name the probe. */
static void is_accused(void)
{
	code_is_suspicious("some_function+0x0", image.text_va + PLACE, "is in place of");
}

TEST(probes_that_their_code_does_not_name)
{
	u64 probe = set_up_optimized_probe(CODE_OF_PROBE);

	code_names(CODE_OF_PROBE, around_of(probe) + 8);
	is_accused();
	/* another instruction, or another register */
	code_names(CODE_OF_PROBE, around_of(probe));
	page_at(CODE_OF_PROBE)[51] = 0xbe;
	is_accused();
	code_names(CODE_OF_PROBE, around_of(probe));
	page_at(CODE_OF_PROBE)[50] = 0x49;
	is_accused();
	code_names(CODE_OF_PROBE, around_of(probe));
	code_is_clean();
	tear_down_image();
}

/* Let code have bytes at an offset that look like the instruction, with that value. */
static void looks_named(u64 code, u32 at, u64 value)
{
	u8 *p = page_at(code) + at;

	p[0] = 0x48;
	p[1] = 0xbf;
	memcpy(p + 2, &value, 8);
}

/* Bytes that look like one, with addresses of nothing, end no search, nor does one within another. */
TEST(probes_behind_what_looks_like_their_name)
{
	u64 around = around_of(set_up_optimized_probe(CODE_OF_PROBE));

	looks_named(CODE_OF_PROBE, 0, 0);
	looks_named(CODE_OF_PROBE, 10, (u64)-8);
	looks_named(CODE_OF_PROBE, 20, 1ULL << 62);
	looks_named(CODE_OF_PROBE, 30, around + 8);
	code_is_clean();
	looks_named(CODE_OF_PROBE, 42, image.direct);
	looks_named(CODE_OF_PROBE, 50, around);
	code_is_clean();
	looks_named(CODE_OF_PROBE, 50, (u64)-8);
	is_accused();
	tear_down_image();
}

/* All of the instruction is within so many bytes, and neither in front of the code nor on another page. */
TEST(probes_where_their_code_names_them)
{
	enum { SLOT = 256, MOVE = 10 };
	u64 around = around_of(set_up_optimized_probe(CODE_OF_PROBE)), end;

	code_names(CODE_OF_PROBE, 0);
	looks_named(CODE_OF_PROBE, SLOT - MOVE, around);
	code_is_clean();
	looks_named(CODE_OF_PROBE, SLOT - MOVE, 0);
	looks_named(CODE_OF_PROBE, SLOT - MOVE + 1, around);
	is_accused();
	end = CODE_OF_PROBE + PAGE - 100;
	looks_named(end - MOVE, 0, around);
	set(around, F_OPTPROBE_CODE, end);
	memory_branches(PLACE, 0xe9, end);
	is_accused();
	looks_named(end, 100 - MOVE, around);
	code_is_clean();
	tear_down_image();
}

/* The list has one there that is not optimized, and the code names another one. */
TEST(probes_that_are_forged_beside_one_in_the_list)
{
	set_up_vmlinux();
	name_at("kprobe_table", OTHER + 128);
	set(new_probe(image.text_va + PLACE), F_KPROBE_OPCODE, 0x90);
	new_forged_probe(image.text_va + PLACE, CODE_OF_PROBE);
	memory_branches(PLACE, 0xe9, CODE_OF_PROBE);
	is_accused();
	tear_down_image();
}

/* A jump has 32 bits of where it leads: code that is 4 GiB away, and names the probe, is not there. */
TEST(probes_whose_code_no_jump_reaches)
{
	set_up_optimized_probe(CODE_OF_PROBE - (1ULL << 32));
	is_accused();
	tear_down_image();
}

/* Nothing is found if another probe may have come meanwhile, in place of that. */
TEST(probes_whose_code_changes)
{
	u64 around = around_of(set_up_optimized_probe(CODE_OF_PROBE)), other;

	other = new_forged_probe(image.text_va + OTHER, CODE_OF_PROBE);
	is_accused();
	is_clean_if_changing(image.direct + (u64)(page_at(CODE_OF_PROBE) + 32 - image.mem));
	is_clean_if_changing(field_va(field_va(other, F_OPTPROBE_KPROBE), F_KPROBE_ADDR));
	is_clean_if_changing(field_va(field_va(other, F_OPTPROBE_KPROBE), F_KPROBE_PRE));
	is_clean_if_changing(field_va(other, F_OPTPROBE_CODE));
	code_names(CODE_OF_PROBE, around);
	code_is_clean();
	tear_down_image();
}

/* The list is not read to its end: all that a forged probe has must fit. */
TEST(probes_that_are_in_no_list)
{
	u64 around, probe;

	set_up_vmlinux();
	name_at("kprobe_table", OTHER + 128);
	around = new_forged_probe(image.text_va + PLACE, CODE_OF_PROBE);
	probe = field_va(around, F_OPTPROBE_KPROBE);
	memory_branches(PLACE, 0xe9, CODE_OF_PROBE);
	is_accused();
	lose_probes();
	may_be_probe("1 places may be those of probes");
	set(probe, F_KPROBE_ADDR, image.text_va + PLACE + 1);
	is_accused();
	set(probe, F_KPROBE_ADDR, image.text_va + PLACE);
	set(probe, F_KPROBE_PRE, code_va());
	is_accused();
	set(probe, F_KPROBE_PRE, symbol(S_aggr_pre_handler));
	set(around, F_OPTPROBE_CODE, CODE_OF_PROBE + 1);
	is_accused();
	set(around, F_OPTPROBE_CODE, CODE_OF_PROBE);
	code_names(CODE_OF_PROBE, around + 8);
	is_accused();
	branch_is_tampered(0xe9, OTHER_CODE);
	tear_down_image();
}

/* Memory that is missing is no evidence, but memory that no table leads to is. */
TEST(probes_of_which_memory_is_missing)
{
	u64 probe = set_up_optimized_probe(CODE_OF_PROBE);
	struct doca_apsh_system *s;

	/* an instruction that is no move, in front of it */
	memcpy(page_at(CODE_OF_PROBE), (u8[]){ 0x48, 0xbf, 1, 2, 3 }, 5);
	code_is_clean();
	lose_probes();
	code_names(CODE_OF_PROBE, image.direct + IMAGE_SIZE + 0x2000);
	may_be_probe("1 places may be those of probes");
	code_names(CODE_OF_PROBE, OTHER_CODE);
	is_accused();
	lose_page(CODE_OF_PROBE);
	may_be_probe("1 places may be those of probes");
	tear_down_image();
	/* the list says that it is one, and its code cannot */
	probe = set_up_optimized_probe(CODE_OF_PROBE);
	lose_page(CODE_OF_PROBE);
	may_be_probe("1 places may be those of probes");
	set(probe, F_KPROBE_OPCODE, 0x56);
	s = system_with_image();
	if (find_all(s, CODE, 2))
		doca_priv_apsh_findings_free(findings);
	doca_apsh_system_destroy(s);
	tear_down_image();
}

static void may_be_drawn_out(int wanted)
{
	struct doca_apsh_system *s = system_with_image();

	s->source.drawn_out = true;
	if (find_all(s, CODE, wanted)) {
		for (int i = 0; i < wanted; i++)
			EXPECT_EQ(findings[i]->verdict, APSH_CANNOT_TELL);
		doca_priv_apsh_findings_free(findings);
	}
	doca_apsh_system_destroy(s);
}

/* A probe was read before the jump was written, and what it replaces before that. */
TEST(jumps_in_an_image_that_took_time)
{
	u64 probe = set_up_optimized_probe(CODE_OF_PROBE);

	may_be_drawn_out(0);
	set(around_of(probe), F_OPTPROBE_COPIED, 0);
	may_be_drawn_out(1);
	code_names(CODE_OF_PROBE, 0);
	may_be_drawn_out(1);
	is_accused();
	tear_down_image();
}

/* So was a breakpoint, and which byte it has replaced is that of the image, or not known. */
TEST(breakpoints_in_an_image_that_took_time)
{
	u64 probe;

	set_up_vmlinux();
	name_at("kprobe_table", OTHER + 128);
	both_have(PLACE, BYTES(0x55, 0x48, 0x89, 0xe5, 0x50));
	probe = new_probe(image.text_va + PLACE);
	memory_has(PLACE, BYTES(0xcc));
	set(probe, F_KPROBE_OPCODE, 0x55);
	may_be_drawn_out(0);
	set(probe, F_KPROBE_OPCODE, 0x56);
	may_be_drawn_out(1);
	tear_down_image();
}

/* Bytes of another place that begins under the jump are those that the kernel has written there. */
TEST(probes_in_front_of_a_return)
{
	set_up_vmlinux();
	name_at("kprobe_table", OTHER + 128);
	name_at("__x86_return_thunk", OTHER);
	both_have(PLACE, BYTES(0x41, 0x5c, 0x5d, 0x5b));
	branch_at(image_has, PLACE + 4, 0xe9, OTHER);
	memory_has(PLACE + 4, BYTES(0xc3, 0xcc, 0xcc, 0xcc, 0xcc));
	one_place("__return_sites", "__return_sites_end", PLACE + 4);
	code_is_clean();
	new_forged_probe(image.text_va + PLACE, CODE_OF_PROBE);
	memory_branches(PLACE, 0xe9, CODE_OF_PROBE);
	lose_probes();
	may_be_probe("1 places may be those of probes");
	tear_down_image();
}

/* Only some granules are read for jumps that nobody knows. */
TEST(more_jumps_than_are_looked_at)
{
	enum { JUMPS = 1500 };
	struct doca_apsh_system *s;
	struct view_stats stats;
	u64 before;

	set_up_vmlinux();
	name_at("kprobe_table", OTHER + 128);
	lose_probes();
	for (u64 i = 0; i < JUMPS; i++)
		*page_at(OTHER_CODE + GRANULE * i) = 0x90;
	for (int i = 0; i < 2; i++) {
		s = system_with_image();
		OK(CODE(s, &findings, &nr_findings));
		doca_priv_apsh_findings_free(findings);
		before = i ? before : 0;
		doca_priv_apsh_stats(s, &stats);
		if (i)
			EXPECT(stats.granules - before < 1100);
		before = stats.granules;
		doca_apsh_system_destroy(s);
		for (u32 k = 0; k < JUMPS; k++)
			memory_branches(PLACE + 8 * k, 0xe9, OTHER_CODE + GRANULE * k);
	}
	tear_down_image();
}

/* The machine has all memory but that page. */
static void lose_physical(u64 gap)
{
	char regions[256];

	snprintf(regions, sizeof(regions),
		 "{\"allowed_regions\":{\"0\":{\"start\":0,\"length\":%llu},"
		 "\"1\":{\"start\":%llu,\"length\":%llu}}}",
		 (unsigned long long)gap, (unsigned long long)(gap + PAGE),
		 (unsigned long long)(IMAGE_SIZE - gap - PAGE));
	write_text(image.regions, regions);
}

/* A probe whose jump is on two pages, of which one is missing. */
static u64 set_up_cut(u32 at, u32 missing)
{
	u64 around;

	set_up_vmlinux();
	name_at("kprobe_table", OTHER + 128);
	around = new_optimized_probe(image.text_va + at, CODE_OF_PROBE);
	set(field_va(around, F_OPTPROBE_KPROBE), F_KPROBE_OPCODE, 0x90);
	memcpy(at_va(field_va(around, F_OPTPROBE_COPIED)), (u8 *)at_va(image.text_va + at) + 1, 4);
	memory_branches(at, 0xe9, CODE_OF_PROBE);
	lose_physical(TEXT_PA + missing);
	return around;
}

static void is_found(enum apsh_verdict verdict)
{
	struct doca_apsh_system *s = system_with_image();

	if (find_all(s, CODE, 1)) {
		EXPECT_EQ(findings[0]->verdict, verdict);
		doca_priv_apsh_findings_free(findings);
	}
	doca_apsh_system_destroy(s);
}

static void nothing_is_found(void)
{
	struct doca_apsh_system *s = system_with_image();

	EXPECT(find_all(s, CODE, 0));
	doca_apsh_system_destroy(s);
}

TEST(probes_that_are_cut)
{
	enum { NEXT = PLACE + 0x1000, AT = NEXT - 2 };

	for (int i = 0; i < 2; i++) {
		set_up_cut(AT, i ? NEXT : PLACE);
		nothing_is_found();
		/* no jump of this probe */
		memory_has(i ? AT : NEXT, BYTES(0x48));
		is_found(APSH_SUSPICIOUS);
		tear_down_image();
	}
	for (int i = 0; i < 2; i++) {
		set_up_cut(AT, i ? NEXT : PLACE);
		lose_probes();
		is_found(APSH_CANNOT_TELL);
		if (i)
			memory_has(AT, BYTES(0x48));
		else
			memory_has(NEXT + 3, BYTES(0x48));
		is_found(i ? APSH_SUSPICIOUS : APSH_CANNOT_TELL);
		tear_down_image();
	}
	/* the kernel would refuse it */
	set_up_cut(AT, NEXT);
	name_at("next_function", NEXT);
	lose_probes();
	is_found(APSH_SUSPICIOUS);
	tear_down_image();
}

/* The page is missing that has what a probe has replaced, but not where it is. */
TEST(probes_that_are_on_two_pages)
{
	u64 probe;

	set_up_vmlinux();
	name_at("kprobe_table", OTHER + 128);
	both_have(PLACE, BYTES(0x55, 0x48, 0x89, 0xe5, 0x50));
	probe = object(3 * PAGE, PAGE) + PAGE - image.map.fields[F_KPROBE_OPCODE].offset;
	add_probe(probe, image.text_va + PLACE, code_va());
	set(probe, F_KPROBE_OPCODE, 0x55);
	memory_has(PLACE, BYTES(0xcc));
	code_is_clean();
	lose_physical(pa_of(field_va(probe, F_KPROBE_OPCODE)));
	may_be_probe("1 places may be those of probes");
	tear_down_image();
}

/* The page is missing that has what the jump of a probe has replaced. */
TEST(probes_of_which_what_they_replaced_is_missing)
{
	u64 around, page;

	set_up_vmlinux();
	name_at("kprobe_table", OTHER + 128);
	both_have(PLACE, BYTES(0x55, 0x48, 0x89, 0xe5, 0x50));
	page = object(3 * PAGE, PAGE) + PAGE;
	around = page - image.map.fields[F_OPTPROBE_COPIED].offset;
	forge_probe(around, image.text_va + PLACE, CODE_OF_PROBE);
	add_probe(field_va(around, F_OPTPROBE_KPROBE), image.text_va + PLACE,
		  symbol(S_aggr_pre_handler));
	set(field_va(around, F_OPTPROBE_KPROBE), F_KPROBE_OPCODE, 0x55);
	set(around, F_OPTPROBE_COPIED, 0x50e58948);
	memory_branches(PLACE, 0xe9, CODE_OF_PROBE);
	code_is_clean();
	lose_physical(pa_of(page));
	may_be_probe("1 places may be those of probes");
	tear_down_image();
}

/* The kernel optimizes one over another that is disabled, whose place looks like a breakpoint. */
TEST(probes_within_the_jump_of_another)
{
	u64 behind, code, probe;

	for (int i = 0; i < 2; i++) {
		set_up_vmlinux();
		name_at("kprobe_table", OTHER + 128);
		behind = image.text_va + PLACE + 5;
		code = behind + (((EVIL_VA + 0x40000 - behind) & ~0xff00ULL) | 0xcc00);
		both_have(PLACE, BYTES(0x55, 0x48, 0x89, 0xe5, 0x50));
		if (i)
			set(new_probe(image.text_va + PLACE + 2), F_KPROBE_OPCODE, 0x89);
		probe = new_optimized_probe(image.text_va + PLACE, code);
		set(field_va(probe, F_OPTPROBE_KPROBE), F_KPROBE_OPCODE, 0x55);
		set(probe, F_OPTPROBE_COPIED, 0x50e58948);
		if (!i)
			set(new_probe(image.text_va + PLACE + 2), F_KPROBE_OPCODE, 0x89);
		memory_branches(PLACE, 0xe9, code);
		code_is_clean();
		tear_down_image();
	}
}
