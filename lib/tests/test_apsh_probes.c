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

static u64 set_up_optimized_probe(u64 code)
{
	u64 around;

	set_up_vmlinux();
	both_have(PLACE, BYTES(0x55, 0x48, 0x89, 0xe5, 0x50));
	around = new_optimized_probe(image.text_va + PLACE, code);
	set(field_va(around, F_OPTPROBE_KPROBE), F_KPROBE_OPCODE, 0x55);
	set(around, F_OPTPROBE_COPIED, 0x50e58948);
	memory_branches(PLACE, 0xe9, code);
	return field_va(around, F_OPTPROBE_KPROBE);
}

TEST(probes_that_are_optimized)
{
	u64 probe = set_up_optimized_probe(EVIL_VA + 0x10000);

	code_is_clean();
	/* the jump is written, or taken away, behind a breakpoint */
	memory_has(PLACE, BYTES(0xcc));
	code_is_clean();
	is_known(BYTES(0xcc, 0x48, 0x89, 0xe5, 0x50));
	/* a jump elsewhere is none of the probe's */
	branch_is_tampered(0xe9, EVIL_VA + 0x20000);
	memory_branches(PLACE, 0xe9, EVIL_VA + 0x10000);
	set(probe, F_KPROBE_PRE, code_va());
	code_is_suspicious("some_function+0x0", image.text_va + PLACE, "is in place of");
	tear_down_image();
}

/* Lead the list of probes to memory that is not there. */
static void lose_probes(void)
{
	*(u64 *)at_va(symbol(S_kprobe_table) + 8 * 5) = image.direct + IMAGE_SIZE + 0x1000;
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

	set_up_optimized_probe(EVIL_VA + 0x10000);
	name_at("kprobe_table", OTHER + 128);
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

/* A call's distance and places of ftrace are never a probe's, nor may its jump reach one. */
TEST(what_is_no_probe_whatever_is_missing)
{
	set_up_optimized_probe(EVIL_VA + 0x10000);
	name_at("kprobe_table", OTHER + 128);
	lose_probes();
	both_have(PLACE, BYTES(0xe8, 0x11, 0, 0, 0));
	memory_has(PLACE, BYTES(0xe8, 0xcc));
	code_is_suspicious("some_function+0x1", image.text_va + PLACE + 1, "cc is in place of 11");
	tear_down_image();
	set_up_traced(OTHER);
	name_at("kprobe_table", OTHER + 128);
	lose_probes();
	branch_is_tampered(0xe9, EVIL_VA + 0x20000);
	name_at("function_before", PLACE - 16);
	memory_branches(PLACE, 0xe8, image.text_va + OTHER);
	memory_branches(PLACE - 1, 0xe9, EVIL_VA + 0x20000);
	code_is_suspicious("function_before+0xf", image.text_va + PLACE - 1, "is in place of");
	tear_down_image();
}

/* An instruction that ends as a short jump begins is none: mov %ebp, %eax. */
TEST(probes_behind_what_looks_like_a_branch)
{
	set_up_optimized_probe(EVIL_VA + 0x10000);
	name_at("kprobe_table", OTHER + 128);
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

	set_up_optimized_probe(EVIL_VA + 0x10000);
	name_at("kprobe_table", OTHER + 128);
	node = at_va(*(u64 *)at_va(symbol(S_kprobe_table) + 8 * 5));
	node[1] = 0;
	may_be_probe("1 places may be those of probes");
	tear_down_image();
}

/* An older map does not tell which code is that of a probe. */
TEST(probes_of_a_map_without_optimized_ones)
{
	struct doca_apsh_system *s;

	set_up_optimized_probe(EVIL_VA + 0x10000);
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
