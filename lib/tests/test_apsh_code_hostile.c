// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: images of kernels that are cut off, or say what cannot be. */
#include "apsh/get/code_compare.h"
#include "apsh_probe.h"
#include "apsh_vmlinux.h"

static void expect_flaw(const char *what)
{
	code_is_unknown("", what);
	tear_down_image();
}

/* At each length it is understood or not, and nothing outside is read. */
TEST(an_image_that_was_cut_off)
{
	struct doca_apsh_system *s;
	size_t head;

	set_up_vmlinux();
	one_place("__smp_locks", "__smp_locks_end", PLACE);
	s = system_with_image();
	head = strlen(vmlinux.symbols) + 64;
	for (size_t size = 0; size < vmlinux.size; size += size < head ? 1 : 4099) {
		use_vmlinux(s, size);
		cannot_tell_of(s, CODE, "", "");
	}
	doca_apsh_system_destroy(s);
	tear_down_image();
}

TEST(tables_that_lead_out_of_the_image)
{
	static const struct {
		const char *begin, *end;
		u32 size;
	} tables[] = {
		{ "__smp_locks", "__smp_locks_end", 4 },
		{ "__retpoline_sites", "__retpoline_sites_end", 4 },
		{ "__return_sites", "__return_sites_end", 4 },
		{ "__call_sites", "__call_sites_end", 4 },
		{ "__ibt_endbr_seal", "__ibt_endbr_seal_end", 4 },
		{ "__cfi_sites", "__cfi_sites_end", 4 },
		{ "__start_static_call_sites", "__stop_static_call_sites", 8 },
		{ "__start_mcount_loc", "__stop_mcount_loc", 8 },
		{ "__parainstructions", "__parainstructions_end", 16 },
		{ "__start___jump_table", "__stop___jump_table", 16 },
		{ "__alt_instructions", "__alt_instructions_end", 14 },
		{ "__start_runtime_ptr_it", "__stop_runtime_ptr_it", 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		u8 entry[16];

		set_up_vmlinux();
		begin_table(tables[i].begin);
		memset(entry, 0x80, sizeof(entry));
		put(entry, tables[i].size);
		end_table(tables[i].end);
		expect_flaw(tables[i].begin);
		/* the table itself is not in the image */
		set_up_vmlinux();
		name_at(tables[i].begin, TABLES_AT + TABLES_SIZE - 1);
		name_at(tables[i].end, TABLES_AT + TABLES_SIZE + 64);
		expect_flaw(tables[i].begin);
	}
}

TEST(tables_that_end_before_they_begin)
{
	set_up_vmlinux();
	name_at("__smp_locks", TABLES_AT + 16);
	name_at("__smp_locks_end", TABLES_AT + 8);
	name_at("__alt_instructions", TABLES_AT + 16);
	code_is_clean();
	tear_down_image();
}

/* A place at the very end of the code is longer than what is left of it. */
TEST(places_that_reach_out_of_the_code)
{
	static const u32 at = CODE_AT + CODE_SIZE - 1;

	set_up_vmlinux();
	one_place("__return_sites", "__return_sites_end", at);
	one_place("__smp_locks", "__smp_locks_end", at);
	memory_has(at, BYTES(0x3e));
	name_at("last_function", at);
	code_is_clean();
	memory_has(at, BYTES(0x11));
	code_is_suspicious("last_function+0x0", image.text_va + at, "11 is in place of 00");
	tear_down_image();
}

TEST(sections_that_are_nonsense)
{
	struct doca_apsh_system *s;
	Elf64_Shdr bad;
	size_t at;

	set_up_vmlinux();
	s = system_with_image();
	at = vmlinux.size - 4 * vmlinux.nr_words - 6 * sizeof(bad);
	for (size_t i = 0; i < sizeof(bad); i++) {
		make_vmlinux();
		vmlinux.file[at + i] ^= 0x80;
		use_vmlinux(s, vmlinux.size);
		if (!CODE(s, &findings, &nr_findings))
			doca_priv_apsh_findings_free(findings);
	}
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* Two of them have the same memory. */
TEST(sections_that_overlap)
{
	struct doca_apsh_system *s;
	Elf64_Shdr notes;
	size_t at;

	set_up_vmlinux();
	s = system_with_image();
	at = vmlinux.size - 4 * vmlinux.nr_words - 5 * sizeof(notes);
	for (u32 apart = 0; apart <= 1; apart++) {
		make_vmlinux();
		memcpy(&notes, vmlinux.file + at, sizeof(notes));
		notes.sh_addr = MAP_TEXT + CODE_AT + CODE_SIZE - 1 + apart;
		memcpy(vmlinux.file + at, &notes, sizeof(notes));
		use_vmlinux(s, vmlinux.size);
		cannot_tell_of(s, CODE, "", apart ? "build id" : "no kernel for x86-64");
	}
	doca_apsh_system_destroy(s);
	tear_down_image();
}

TEST(symbols_that_are_nonsense)
{
	static const char *const lines[] = { "x",
					     "ffffffff8100000g _text",
					     "ffffffff81000000_text",
					     "fffffffff81000000 _text",
					     "0xffffffff810000 _text",
					     " fffffff81000000 _text",
					     "-fffffff81000000 _text" };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		set_up_vmlinux();
		snprintf(vmlinux.symbols, sizeof(vmlinux.symbols), "%s\n", lines[i]);
		expect_flaw("the image has no symbols");
	}
	set_up_vmlinux();
	*vmlinux.symbols = '\0';
	name_at("_text", 0);
	expect_flaw("no _text, _stext, _etext and _end");
}

/* Nothing but bytes of the image is moved. */
TEST(addresses_out_of_the_image)
{
	set_up_vmlinux();
	vmlinux.nr_words = 8;
	memcpy(vmlinux.words,
	       (const u32[]){ 0, 0xffffffff, 0x7fffffff, (u32)MAP_TEXT + CODE_AT + CODE_SIZE - 7, 0,
			      (u32)MAP_TEXT + CODE_AT + CODE_SIZE - 3, 1, 0x80000000 },
	       8 * sizeof(u32));
	code_is_clean();
	tear_down_image();
}

/* All of them are moved at once, so there is an end to their number. */
TEST(more_addresses_than_a_kernel_has)
{
	struct code code = { .image_size = 4UL * (CODE_MOST_WORDS + 1) };

	code.image = calloc(1, code.image_size);
	memset(code.image + 4, 1, code.image_size - 8);
	EXPECT(!code_relocate(&code, 0x1000));
	code.image_size -= 4;
	((u32 *)code.image)[CODE_MOST_WORDS - 1] = 0;
	EXPECT(code_relocate(&code, 0x1000));
	free(code.image);
}

TEST(an_image_without_memory)
{
	struct doca_apsh_system *s;
	char path[96];
	int fd;

	set_up_vmlinux();
	s = system_with_image();
	snprintf(path, sizeof(path), "%s/code", image.dir);
	fd = open(path, O_RDONLY);
	fault_at(FAULT_ALLOC, 1);
	do {
		bool failed;

		lseek(fd, 0, SEEK_SET);
		failed = doca_priv_apsh_code_set(s, fd, NULL);
		/* one that is read in part is not used */
		EXPECT(failed || !fault_happened(FAULT_ALLOC) || !s->code);
	} while (fault_next(FAULT_ALLOC));
	EXPECT(s->code);
	close(fd);
	doca_apsh_system_destroy(s);
	tear_down_image();
}

/* Places of one kind that lie in one another, or are one. */
TEST(places_that_are_in_one_another)
{
	set_up_vmlinux();
	begin_table("__parainstructions");
	for (u32 i = 0; i < 64; i++) {
		put_long(MAP_TEXT + PLACE + i / 2);
		put_long((u64)(128 - i / 2) << 8);
	}
	end_table("__parainstructions_end");
	memory_has(PLACE + 64, BYTES(0x11));
	code_is_unknown("some_function+0x0", "none of the forms that are known");
	tear_down_image();
}

/* More of them than any kernel has would take long. */
TEST(places_that_begin_at_one_address)
{
	for (u32 nr = 64; nr <= 65; nr++) {
		set_up_vmlinux();
		begin_table("__parainstructions");
		for (u32 i = 0; i < nr; i++) {
			put_long(MAP_TEXT + PLACE);
			put_long((u64)(i + 1) << 8);
		}
		end_table("__parainstructions_end");
		if (nr == 64)
			code_is_clean();
		else
			code_is_unknown("", "a table of the image is not understood");
		tear_down_image();
	}
}

/* There is less of it than a jump has. */
TEST(code_of_a_few_bytes)
{
	char *etext;

	set_up_vmlinux();
	etext = strstr(vmlinux.symbols, "_etext") - 17;
	*etext = '\0';
	name_at("_etext", CODE_AT + 3);
	name_at("_end", 0x400000);
	name_at("linux_banner", image_at[S_linux_banner]);
	memory_has(PLACE, BYTES(0xcc));
	set(new_probe(image.text_va + PLACE), F_KPROBE_OPCODE, 0x90);
	code_is_clean();
	tear_down_image();
}

/* A breakpoint is as near to the end as a jump fits. */
TEST(a_probe_at_the_end_of_the_code)
{
	u32 at = CODE_AT + CODE_SIZE - 5;

	set_up_vmlinux();
	memory_has(at, BYTES(0xcc));
	new_probe(image.text_va + at);
	code_is_clean();
	tear_down_image();
}

/* Nothing is looked at when there is no time left, and no second page. */
TEST(code_that_takes_too_long)
{
	static u8 now[2 * PAGE], was[2 * PAGE], missing[3];
	struct code code = { 0 };
	struct source source = { 0 };
	struct call c = { .view.source = &source };
	struct text t = { .x.h.c = &c, .x.code = &code, .size = sizeof(now) };

	t.now = now;
	t.was = was;
	t.missing = missing;
	code_compare(&t);
	EXPECT_EQ(c.view.error, VIEW_BUDGET);
	c.view.error = VIEW_OK;
	now[8] = 1;
	t.size = 16;
	code_compare(&t);
	EXPECT_EQ(c.view.error, VIEW_BUDGET);
	EXPECT_EQ(t.found, 0);
}

/* A place that has others within takes time by itself. */
TEST(a_place_that_takes_too_long)
{
	const u8 bytes[16] = { 0 };
	struct site site = { .kind = SITE_RETURN, .len = 5 };
	struct piece piece = { bytes, 0 };
	struct call c = { 0 };
	struct comparison x = { .h.c = &c };

	EXPECT_EQ(code_form(&x, &site, piece, piece), FORM_SKIPPED);
	EXPECT_EQ(c.view.error, VIEW_BUDGET);
}

/* A kernel has a few tables of constants. */
TEST(many_tables_of_constants)
{
	char name[32];

	set_up_vmlinux();
	for (int i = 0; i < 65; i++) {
		snprintf(name, sizeof(name), "__start_runtime_%02d", i);
		name_at(name, TABLES_AT);
		if (i == 63)
			code_is_clean();
	}
	expect_flaw("__start_runtime_ of the image is not understood");
}
