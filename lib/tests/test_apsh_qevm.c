// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: saved states of QEMU and of libvirt that are sound, or cut off. */
#include "apsh/source/qevm.h"
#include "apsh_qevm.h"

static void put_image(const char *block)
{
	static const u8 zeros[PAGE];

	for (u64 at = 0; at < IMAGE_SIZE; at += PAGE) {
		const u8 *page = image.mem + at;

		if (!memcmp(page, zeros, PAGE)) {
			put_fill(at ? NULL : block, at, 0);
			continue;
		}
		put_page(at ? NULL : block, at, 0);
		memcpy(file.at + file.len - PAGE, page, PAGE);
	}
}

static void put_state(void)
{
	put_header("pc-q35-7.2");
	put_blocks((struct block[]){ { "pc.ram", IMAGE_SIZE }, { "pc.bios", PAGE }, {} });
	begin_part(2);
	put_image("pc.ram");
	end_part();
	begin_part(3);
	put_page("pc.bios", 0, 'b');
	end_part();
	put("\4\0\0\0\0device", 11);
}

static void is_read(enum target_format format)
{
	struct doca_apsh_system *s = new_system();

	the_target.format = format;
	write_file();
	logged();
	OK(doca_apsh_system_start(s));
	if (format == TARGET_QEVM)
		EXPECT(!*logged());
	else
		EXPECT_LOGGED("begins as qevm does, and is read as qevm");
	EXPECT_EQ(process_of(s, 1)->uid, 10);
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
}

TEST(a_saved_machine_is_read)
{
	set_up_file();
	new_task(1, 1, "init");
	put_state();
	is_read(TARGET_QEVM);
	is_read(TARGET_AUTO);
	file.len = 0;
	put_libvirt(2, 0);
	put_state();
	is_read(TARGET_QEVM);
	is_read(TARGET_AUTO);
	tear_down_file();
}

TEST(each_byte_is_that_of_the_memory)
{
	static u8 bytes[3 * 65536];
	struct source s;
	u64 pa, len;

	set_up_file();
	for (u64 i = MIB; i < 2 * MIB; i++)
		image.mem[i] |= (u8)(i / 3 & i >> 9);
	memset(image.mem + 3 * MIB, 0, MIB);
	memset(image.mem + 4 * MIB - 1, 1, 2 * PAGE);
	put_state();
	OK(open_state(&s));
	for (u64 at = 0; at + sizeof(bytes) < IMAGE_SIZE; at += sizeof(bytes) - 1000) {
		struct source_range r = { .pa = at, .len = sizeof(bytes), .to = bytes };

		EXPECT(!source_read(&s, &r, 1) && !r.absent);
		EXPECT(!memcmp(bytes, image.mem + at, sizeof(bytes)));
	}
	EXPECT_EQ(byte_at(&s, IMAGE_SIZE - 1), image.mem[IMAGE_SIZE - 1]);
	EXPECT_EQ(byte_at(&s, IMAGE_SIZE), -1);
	/* pages of zeros are holes */
	pa = 3 * MIB + 5;
	EXPECT(s.ops->next_data(&s, &pa, &len));
	EXPECT(pa == 4 * MIB - PAGE && len >= 3 * PAGE);
	pa = IMAGE_SIZE;
	EXPECT(!s.ops->next_data(&s, &pa, &len));
	source_close(&s);
	tear_down_file();
}

/* A machine that runs while it is saved writes to pages that were saved. */
TEST(the_last_of_a_page_is_what_it_is)
{
	struct source s;

	set_up_file();
	put_header("pc-q35-7.2");
	put_blocks((struct block[]){ { "pc.ram", 8 * PAGE }, {} });
	begin_part(2);
	put_page("pc.ram", 0, 'a');
	for (u64 i = 1; i < 6; i++)
		put_page(NULL, i * PAGE, 'a');
	put_fill(NULL, 6 * PAGE, 0);
	end_part();
	begin_part(2);
	put_page("pc.ram", 2 * PAGE, 'b');
	put_page(NULL, 6 * PAGE, 'b');
	put_fill(NULL, 4 * PAGE, 0xf1);
	end_part();
	begin_part(3);
	put_page(NULL, 3 * PAGE, 'c');
	put_page(NULL, 2 * PAGE, 'c');
	end_part();
	OK(open_state(&s));
	for (u64 i = 0; i < 8; i++)
		EXPECT_EQ(byte_at(&s, i * PAGE + 9),
			  ((const int[]){ 'a', 'a', 'c', 'c', 0xf1, 'a', 'b', -1 })[i]);
	EXPECT_LOGGED("it has no page for 4096 bytes of memory");
	EXPECT(s.lacks && s.cut == PAGE);
	source_close(&s);
	tear_down_file();
}

TEST(memory_is_where_the_machine_has_it)
{
	static const struct {
		const char *machine;
		struct block blocks[5];
		u32 of; /* block of the page */
		u64 at, pa;
	} rows[] = {
		{ "pc-q35-7.2", { { "pc.ram", 2815 * MIB } }, 0, 2815 * MIB - PAGE, 0xafeff000 },
		{ "pc-q35-7.2", { { "pc.ram", 2816 * MIB } }, 0, 2 * GIB - PAGE, 2 * GIB - PAGE },
		{ "pc-q35-7.2", { { "pc.ram", 2816 * MIB } }, 0, 2 * GIB, 4 * GIB },
		{ "pc-i440fx-rhel7.6.0", { { "pc.ram", 3583 * MIB } }, 0, 3 * GIB, 3 * GIB },
		{ "pc-i440fx-7.2", { { "ram", 3584 * MIB } }, 0, 3 * GIB, 4 * GIB },
		{ "pc-i440fx-7.2", { { "ram", 3584 * MIB } }, 0, 3 * GIB - PAGE, 3 * GIB - PAGE },
		{ NULL, { { "pc.ram", 2815 * MIB } }, 0, 2 * GIB, 2 * GIB },
		{ "virt-7.2", { { "mach-virt.ram", 64 * GIB } }, 0, 63 * GIB, 64 * GIB },
		{ "virt-7.2",
		  { { "ram", GIB }, { "virt.flash0", 64 * MIB }, { "tpm-ppi", PAGE } },
		  0,
		  PAGE,
		  GIB + PAGE },
		{ "pc-q35-7.2",
		  { { "ram-node1", 3 * GIB }, { "pc.bios", PAGE }, { "ram-node0", GIB } },
		  0,
		  GIB,
		  4 * GIB },
		{ "pc-q35-4.0",
		  { { "/objects/ram-node1", GIB }, { "/objects/ram-node0", GIB } },
		  0,
		  PAGE,
		  GIB + PAGE },
		{ "pc-q35-7.2",
		  { { "guest.ram", GIB }, { "/rom@etc/acpi/tables", PAGE }, { "0:02.0/x", GIB } },
		  0,
		  PAGE,
		  PAGE },
	};

	set_up_file();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct source s;

		file.len = 0;
		put_header(rows[i].machine);
		if (rows[i].machine && rows[i].machine[0] == 'v')
			put_page_bits(12);
		put_blocks(rows[i].blocks);
		begin_part(3);
		put_page(rows[i].blocks[rows[i].of].name, rows[i].at, 'p');
		end_part();
		OK(open_state(&s));
		if (byte_at(&s, rows[i].pa) != 'p')
			KTAP_SAY_("row %zu: the page is not at %#lx", i, rows[i].pa);
		EXPECT_EQ(byte_at(&s, rows[i].pa - 1), -1);
		EXPECT_EQ(byte_at(&s, rows[i].pa + PAGE), -1);
		source_close(&s);
	}
	tear_down_file();
}

/* Among other lines, as that pages are missing. */
static void says(const char *words)
{
	const char *text = logged();

	if (!strstr(text, words))
		KTAP_SAY_("logged \"%s\", not \"%s\"", text, words);
}

static struct target_region regions[] = { { 0, 0, PAGE, 0 }, { 9 * GIB, PAGE, PAGE, 0 } };

static void set_regions(u64 first, u64 second)
{
	state.nr_regions = 2;
	state.regions = regions;
	regions[0].offset = first;
	regions[1].offset = second;
}

TEST(regions_say_where_memory_is)
{
	struct source s;

	set_up_file();
	put_header("microvm");
	put_blocks((struct block[]){ { "microvm.ram", 4 * GIB }, {} });
	begin_part(3);
	put_page("microvm.ram", 0, 'a');
	put_page(NULL, PAGE, 'b');
	put_page(NULL, 2 * PAGE, 'c');
	end_part();
	is_refused(DOCA_ERROR_NOT_SUPPORTED, "where machine microvm has its memory");
	set_regions(0, PAGE);
	OK(open_state(&s));
	EXPECT(!s.deduced);
	EXPECT_EQ(byte_at(&s, PAGE - 1), 'a');
	EXPECT_EQ(byte_at(&s, PAGE), -1);
	EXPECT_EQ(byte_at(&s, 9 * GIB), 'b');
	EXPECT_EQ(byte_at(&s, 9 * GIB + PAGE), -1);
	source_close(&s);
	set_regions(0, 4 * GIB);
	is_refused(DOCA_ERROR_INITIALIZATION, "would end at byte");
	state.nr_regions = 0;
	tear_down_file();
}

/* Offsets count through what is known first, and then through the others as they come. */
TEST(regions_say_where_any_block_is)
{
	struct source s;

	set_up_file();
	put_header("pc-q35-7.2");
	put_blocks((struct block[]){ { "mem1", GIB }, { "pc.bios", PAGE }, { "b.ram", GIB }, {} });
	begin_part(3);
	put_page("mem1", PAGE, 'm');
	put_page("b.ram", 0, 'b');
	end_part();
	is_refused(DOCA_ERROR_NOT_SUPPORTED, "(mem1 b.ram)");
	set_regions(PAGE, GIB);
	OK(open_state(&s));
	EXPECT(!strstr(logged(), "left out"));
	EXPECT_EQ(byte_at(&s, 0), 'm');
	EXPECT_EQ(byte_at(&s, 9 * GIB), 'b');
	source_close(&s);
	set_regions(0, PAGE);
	OK(open_state(&s));
	says("no region of the target has block b.ram");
	EXPECT(s.lacks);
	EXPECT_EQ(byte_at(&s, 9 * GIB), 'm');
	source_close(&s);
	state.nr_regions = 0;
	tear_down_file();
}

static void is_left_out(const char *memory, const char *other)
{
	char words[64];
	struct source s;

	file.len = 0;
	put_header("pc-q35-7.2");
	put_blocks((struct block[]){ { other, GIB }, { memory, GIB }, {} });
	begin_part(3);
	put_page(other, 0, 'd');
	put_page(memory, 0, 'p');
	end_part();
	OK(open_state(&s));
	snprintf(words, sizeof(words), "the place of block %s, of 1073741824 bytes, is", other);
	says(words);
	EXPECT_EQ(byte_at(&s, 0), 'p');
	EXPECT(s.lacks && s.left_out == GIB);
	source_close(&s);
}

/* Memory that was plugged in is somewhere: it is missing, whatever its name is. */
TEST(other_backends_are_left_out)
{
	set_up_file();
	is_left_out("pc.ram", "dimm1");
	is_left_out("pc.ram", "hot.mem1");
	is_left_out("pc.ram", "pc.bios");
	is_left_out("pc.ram", "mach-virt.ram");
	is_left_out("pc.ram", "/objects/pc.ram");
	is_left_out("ram-node0", "memdimm0");
	tear_down_file();
}

static doca_error_t start_with(u64 start, u64 length)
{
	struct doca_apsh_system *s;
	char text[128];
	doca_error_t ret;

	snprintf(text, sizeof(text),
		 "[{\"start\":0,\"length\":%llu},{\"start\":%lu,\"length\":%lu}]", GIB, start,
		 length);
	write_text(image.regions, text);
	the_target.format = TARGET_QEVM;
	s = new_system();
	write_file();
	logged();
	ret = doca_apsh_system_start(s);
	doca_apsh_system_destroy(s);
	return ret;
}

static void put_pc(u64 size, const char *other)
{
	struct block blocks[3] = { { "pc.ram", size }, { other, GIB } };

	file.len = 0;
	put_header("pc-q35-7.2");
	put_blocks(blocks);
	begin_part(3);
	put_page("pc.ram", 0, 'p');
	end_part();
}

/* A machine may have been started with another layout, which its name does not tell. */
TEST(memory_regions_confirm_where_memory_is)
{
	static const char elsewhere[] = "is not where the name of the machine has memory";

	set_up_file();
	put_pc(4 * GIB, NULL);
	EXPECT(start_with(4 * GIB, 2 * GIB) != DOCA_SUCCESS);
	EXPECT(!strstr(logged(), elsewhere));
	EXPECT_EQ(start_with(4 * GIB, 2 * GIB + PAGE), DOCA_ERROR_INITIALIZATION);
	says(elsewhere);
	EXPECT_EQ(start_with(1024 * GIB, 2 * GIB), DOCA_ERROR_INITIALIZATION);
	says("the memory region at 0x10000000000, up to 0x10080000000");
	/* a block that was left out may be anywhere, but has no more bytes than it says */
	put_pc(4 * GIB, "dimm1");
	EXPECT(start_with(6 * GIB, GIB) != DOCA_SUCCESS);
	says("1073741824 bytes of memory regions, from 0x180000000 on, are not in the");
	/* not in front of memory that has its place, however; a region may have both */
	EXPECT_EQ(start_with(3 * GIB, GIB), DOCA_ERROR_INITIALIZATION);
	says(elsewhere);
	EXPECT(start_with(4 * GIB, 3 * GIB) != DOCA_SUCCESS);
	says("1073741824 bytes of memory regions, from 0x");
	EXPECT_EQ(start_with(1024 * GIB, 2 * GIB), DOCA_ERROR_INITIALIZATION);
	says(elsewhere);
	tear_down_file();
}

TEST(a_state_that_becomes_shorter_lacks_memory)
{
	struct source s;

	set_up_file();
	put_small();
	OK(open_state(&s));
	EXPECT(!s.lacks && !*logged());
	EXPECT(!truncate(image.ram, (off_t)(file.len - PAGE)));
	EXPECT_EQ(byte_at(&s, GIB + 2 * PAGE), 'c');
	EXPECT_EQ(byte_at(&s, GIB + 3 * PAGE - 1), -1);
	EXPECT_LOGGED("pages of the saved state are behind its end");
	EXPECT(s.lacks);
	EXPECT_EQ(byte_at(&s, GIB + 3 * PAGE - 1), -1);
	EXPECT(!*logged());
	source_close(&s);
	tear_down_file();
}

static bool page_at(struct source *s, u64 pa, u8 to[PAGE])
{
	struct source_range r = { .pa = pa, .len = PAGE, .to = to };

	EXPECT(!source_read(s, &r, 1));
	return !r.absent;
}

enum { MOST = 4 };

/* The whole state has all that is shown, and all else is counted as missing. */
static void is_part_of(u8 (*whole)[PAGE], u64 nr, struct source *s)
{
	u64 missing = 0, pa = 0, len;
	u8 page[PAGE];

	for (u64 i = 0; i < nr; i++) {
		if (page_at(s, GIB + i * PAGE, page))
			EXPECT(!memcmp(page, whole[i], PAGE));
		else
			missing += PAGE;
	}
	EXPECT_EQ(byte_at(s, GIB + nr * PAGE), -1);
	EXPECT(s->lacks);
	EXPECT_EQ(s->cut, missing);
	EXPECT_EQ(s->ops->next_data(s, &pa, &len), missing < nr * PAGE);
	EXPECT_LOGGED("it was cut off");
}

static void may_end_anywhere(u64 nr)
{
	size_t all = file.len - 5, opened = 0; /* with its footer, or not */
	static u8 whole[MOST][PAGE];
	struct source s;

	OK(open_state(&s));
	EXPECT(!s.lacks);
	for (u64 i = 0; i < nr; i++)
		EXPECT(page_at(&s, GIB + i * PAGE, whole[i]));
	source_close(&s);
	for (file.len = 1; file.len < all; file.len += within_a_page(file.len) ? 63 : 1) {
		if (open_state(&s) == DOCA_SUCCESS) {
			is_part_of(whole, nr, &s);
			opened++;
		} else {
			EXPECT(strstr(logged(), "is it truncated?") || file.len < 16);
		}
		source_close(&s);
	}
	EXPECT(opened > 100 && opened < all);
}

/* All that is there is read, what is missing is counted, and it says that it was cut. */
TEST(a_state_may_end_anywhere)
{
	set_up_file();
	put_small();
	may_end_anywhere(3);
	put_small_maps();
	may_end_anywhere(4);
	tear_down_file();
}

enum { MAP = PAGE };

static void put_memory(u32 nr, const u64 *bits)
{
	begin_maps(nr);
	put_map("mach-virt.ram", 'a', nr, bits);
	end_maps();
}

static void put_mapped(u64 bits)
{
	put_memory(4, &bits);
}

static void mapped_is(int a, int b, int c, int d)
{
	const int wanted[] = { a, b, c, d };
	struct source s;

	OK(open_state(&s));
	for (u64 i = 0; i < 4; i++)
		EXPECT_EQ(byte_at(&s, GIB + i * PAGE), wanted[i]);
	source_close(&s);
}

TEST(pages_with_fixed_places_are_read)
{
	const doca_error_t no = DOCA_ERROR_INITIALIZATION;
	struct source s;
	size_t head;

	set_up_file();
	put_mapped(0xb);
	mapped_is('a', 'b', 0, 'd');
	/* the bitmap is written at the end: what it does not have is not known before */
	file.len = MAP + 4 * PAGE + 8;
	mapped_is('a', 'b', -1, 'd');
	file.len = MAP + PAGE + 1;
	mapped_is('a', -1, -1, -1);
	put_mapped(0);
	mapped_is(0, 0, 0, 0);
	put_memory(70, (const u64[]){ 7ULL << 61, 0x21 });
	OK(open_state(&s));
	for (u64 i = 0; i < 70; i++)
		EXPECT_EQ(byte_at(&s, GIB + i * PAGE),
			  i >= 61 && (i <= 64 || i == 69) ? (int)('a' + i) : 0);
	EXPECT_EQ(byte_at(&s, GIB + 70 * PAGE), -1);
	source_close(&s);
	put_mapped(0);
	head = (size_t)((u8 *)memmem(file.at, file.len, "mach-virt.ram", 13) - file.at) + 13 + 8;
	file.at[head + 3] = 2;
	is_refused(DOCA_ERROR_NOT_SUPPORTED, "(mapped-ram) of version 2");
	put_mapped(0);
	memset(file.at + head + 12, 0, 8);
	is_refused(no, "and a bitmap at 0, which cannot be");
	put_mapped(0);
	memset(file.at + head + 20, 0xff, 8);
	is_refused(no, "has pages at byte 18446744073709551615");
	put_mapped(0);
	memcpy(file.at + head + 20, file.at + head + 12, 8);
	file.at[head + 27] += 7; /* within the bitmap */
	is_refused(no, "which cannot be");
	tear_down_file();
}

static void put_pages_at(u64 at)
{
	put_small_maps();
	file.len = (size_t)((u8 *)memmem(file.at, file.len, "mach-virt.ram", 13) - file.at);
	file.len += 13 + 8 + 20;
	put_number(at, 8);
}

/* QEMU has up to 1 MiB in front of them. */
TEST(pages_may_be_far_behind_the_end)
{
	set_up_file();
	put_pages_at(1 << 20);
	mapped_is(-1, -1, -1, -1);
	file.len += 8;
	mapped_is(-1, -1, -1, -1);
	put_pages_at(TARGET_MAX_ADDRESS);
	file.len += 8 + PAGE;
	mapped_is(-1, -1, -1, -1);
	put_pages_at(TARGET_MAX_ADDRESS + 1);
	is_refused(DOCA_ERROR_INITIALIZATION, "has pages at byte 4503599627370497");
	tear_down_file();
}

/* Runs are settled as wholes, and the outcome is that of each page alone. */
TEST(the_last_run_wins_page_by_page)
{
	enum { PAGES = 400 };
	struct qevm q = { .shift = 12 };
	int last[PAGES], found = 0;
	u64 pages, wanted = 0;
	u32 random = 1;

	for (u32 i = 0; i < PAGES; i++)
		last[i] = -1;
	for (int fill = 0; fill < 40; fill++) {
		struct qevm_run run = { .fill = (u64)fill };

		random = random * 1103515245 + 12345;
		run.page = (random >> 8) % (PAGES - 150);
		run.nr = fill % 3 ? 1 + (random >> 20) % 20 : 60 + (random >> 20) % 90;
		for (u32 i = run.page; i < run.page + run.nr; i++)
			last[i] = fill;
		OK(qevm_add(&q, "it", run));
	}
	OK(qevm_settle(&q, "it", &pages));
	for (u32 i = 0; i < PAGES; i++) {
		const struct qevm_run *run = qevm_find(&q, i);

		wanted += last[i] >= 0;
		if (run && run->page > i)
			run = NULL;
		found += !run;
		EXPECT_EQ(run ? (int)run->fill : -1, last[i]);
	}
	EXPECT_EQ(pages, wanted);
	EXPECT(found && wanted > 100);
	free(q.runs);
}

TEST(a_state_without_memory_leaves_nothing)
{
	struct source s;

	set_up_file();
	put_small();
	write_file();
	state.file.path = image.ram;
	EXPECT_FAULTS(FAULT_ALLOC, source_open(&s, &state), NO_MEMORY, );
	source_close(&s);
	tear_down_file();
}
