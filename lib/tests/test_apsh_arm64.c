// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: targets of arm64. */
#include <elf.h>

#include "apsh_arm64.h"
#include "apsh/get/suspect.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define CONTIGUOUS (1ULL << 52)
#define PROT_NONE_OLD (1ULL << 58)
#define PRESENT_INVALID (1ULL << 11)
#define USER_AT 0x7a5b4000000ULL /* below 2^42 */
#define PLACE (3ULL << 16) /* an image may be at each multiple of 64 KiB */

static u64 user_va(void)
{
	return USER_AT & ((1ULL << kind->bits) - 1) & ~(size_at(2) - 1);
}

static void is_found_as(struct doca_apsh_system *s, const char *how)
{
	const struct kernel *k = &s->kernel;

	EXPECT_STR(k->found, how);
	EXPECT_EQ(k->text_pa, image.text_pa);
	EXPECT_EQ(k->delta, image.text_va - MAP_TEXT);
	EXPECT_EQ(k->levels, image.levels);
	EXPECT_EQ(k->page_shift, kind->page_shift);
	EXPECT_EQ(k->va_bits, kind->bits);
	EXPECT_EQ(k->wide, kind->wide);
	EXPECT_EQ(k->page_offset, page_offset_of(kind));
	EXPECT_EQ(k->page_offset - k->direct_pa, image.direct);
	EXPECT_EQ(process_of(s, 1)->pid, 1);
	doca_apsh_processes_free(processes);
}

TEST(a_kernel_of_each_form_is_found_at_any_64_kib)
{
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct doca_apsh_system *s;

		set_up_arm64(&kinds[i], i % 2 ? PLACE : TEXT_PA);
		new_task(1, 1, "init");
		s = started_system();
		is_found_as(s, "its banner");
		doca_apsh_system_destroy(s);
		tear_down_arm64();
	}
}

/* Absence of findings would be taken for a good sign. */
TEST(checks_of_the_kernel_cannot_tell)
{
	static doca_error_t (*const checks[])(struct doca_apsh_system * s,
					      struct apsh_finding * **found, int *nr) = {
		doca_priv_apsh_system_calls_check,
		doca_priv_apsh_interrupts_check,
		doca_priv_apsh_hooks_check,
	};
	struct doca_apsh_module **modules = NULL;
	struct doca_apsh_system *s;
	int nr = 77;

	set_up_arm64(&kinds[0], TEXT_PA);
	new_task(1, 1, "init");
	s = started_system();
	for (u32 i = 0; i < ARRAY_SIZE(checks); i++) {
		struct apsh_finding **found = NULL;

		OK(checks[i](s, &found, &nr));
		ASSERT(nr == 1);
		EXPECT_EQ(found[0]->verdict, APSH_CANNOT_TELL);
		EXPECT_STR(found[0]->what, "only kernels for x86-64 are checked for this");
		doca_priv_apsh_findings_free(found);
	}
	OK(doca_priv_apsh_modules_scan(s, &modules, &nr));
	EXPECT_EQ(nr, 0);
	EXPECT(s->stats.unscanned);
	doca_apsh_module_free(modules);
	OK(doca_apsh_modules_get(s, &modules, &nr));
	EXPECT(!s->stats.unscanned);
	doca_apsh_module_free(modules);
	doca_apsh_system_destroy(s);
	tear_down_arm64();
}

static struct view view;
static struct space space;
static struct doca_apsh_system *of_view;

static void begin_view(const struct arm64 *of)
{
	set_up_arm64(of, TEXT_PA);
	space.root = new_table();
}

static void look(void)
{
	of_view = started_system();
	view_begin(&view, &of_view->source, &of_view->regions, &of_view->kernel, &of_view->budget);
}

static void end_view(void)
{
	view_end(&view);
	doca_apsh_system_destroy(of_view);
	tear_down_arm64();
}

static void leads_to(u64 va, u64 wanted)
{
	u64 pa = 0, left;

	EXPECT(view_translate(&view, &space, va, &pa, &left));
	EXPECT_EQ(pa, wanted);
}

static void leads_nowhere(u64 va, u64 least)
{
	u64 pa, left = 0;

	EXPECT(!view_translate(&view, &space, va, &pa, &left));
	EXPECT(left >= least);
}

/* Addresses of 48 bits, or of 52 where the form has as many. */
static u64 far_away(void)
{
	return kind->wide || kind->page_shift == 16 ? 0xa5a00000000ULL << 8 | 0xcULL << 48 :
						      0xa5a000000000ULL;
}

static void pages_and_blocks(void)
{
	u64 va = user_va(), far = far_away() & ~(size_at(2) - 1);

	*entry_for(space.root, va, 1) = descriptor(far, attributes() | TABLE);
	*entry_for(space.root, va + page_size(), 1) =
		descriptor(far + page_size(), attributes() | CONTIGUOUS | TABLE);
	*entry_for(space.root, va + size_at(2), 2) = descriptor(far, attributes() | VALID);
	look();
	leads_to(va + 0x123, far + 0x123);
	leads_to(va + page_size() + 5, far + page_size() + 5);
	leads_to(va + size_at(2) + page_size() + 5, far + page_size() + 5);
	leads_nowhere(va + 2 * page_size(), page_size());
	EXPECT(view_none(&view, &space, va + 2 * page_size()));
	EXPECT(!view_none(&view, &space, va));
	leads_nowhere(va | 1ULL << kind->bits, 1);
	end_view();
}

TEST(pages_and_blocks_of_each_form_are_found)
{
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		begin_view(&kinds[i]);
		pages_and_blocks();
	}
}

static void without_access(void)
{
	u64 va = user_va(), page = 9 << 20, block = size_at(2);
	u64 gone = descriptor(page, attributes() & ~PRESENT_INVALID);
	u64 swap = 0x5a5a00 | PRESENT_INVALID;

	*entry_for(space.root, va, 1) = gone | PROT_NONE_OLD | 2;
	*entry_for(space.root, va + page_size(), 1) = gone | PRESENT_INVALID | 2;
	*entry_for(space.root, va + 2 * page_size(), 1) = swap;
	*entry_for(space.root, va + 3 * page_size(), 1) = gone | VALID; /* not a page */
	*entry_for(space.root, va + block, 2) =
		descriptor(0, (attributes() & ~PRESENT_INVALID) | PROT_NONE_OLD);
	*entry_for(space.root, va + 2 * block, 2) = descriptor(0, attributes());
	*entry_for(space.root, va + 3 * block, 2) = swap | 0xc0; /* it moves */
	look();
	leads_to(va, page);
	leads_to(va + page_size(), page);
	leads_to(va + block + 7, 7);
	leads_to(va + 2 * block + 7, 7);
	leads_nowhere(va + 2 * page_size(), page_size());
	leads_nowhere(va + 3 * page_size(), page_size());
	leads_nowhere(va + 3 * block, block);
	EXPECT(!view_none(&view, &space, va + 2 * page_size()));
	EXPECT(!view_none(&view, &space, va + 3 * block));
	EXPECT(view_none(&view, &space, va + 4 * page_size()));
	end_view();
}

TEST(memory_without_access_is_there_and_swapped_memory_is_not)
{
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		begin_view(&kinds[i]);
		without_access();
	}
}

/* A table that has itself in it, and one that is beyond all memory. */
static void hostile_tables(void)
{
	u64 va = 0, pa, left;

	for (int level = (int)kind->levels; level; level--)
		va += size_at(level);
	*entry_for(space.root, 0, (int)kind->levels) =
		descriptor(far_away() & ~(page_size() - 1), TABLE);
	*entry_for(space.root, size_at((int)kind->levels), (int)kind->levels) =
		descriptor(space.root, TABLE);
	look();
	leads_to(va, space.root);
	EXPECT_EQ(view.misses, 0);
	EXPECT(!view_translate(&view, &space, 0, &pa, &left));
	EXPECT_EQ(view.misses, 1);
	EXPECT(!view_none(&view, &space, 0)); /* nobody knows */
	end_view();
}

static void hostile_block(void)
{
	*entry_for(space.root, 0, (int)kind->levels) = descriptor(0, attributes() | VALID);
	look();
	leads_nowhere(0, size_at((int)kind->levels));
	EXPECT(!view_none(&view, &space, 0));
	end_view();
}

TEST(hostile_tables_end_a_walk)
{
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		begin_view(&kinds[i]);
		hostile_tables();
		if (kinds[i].levels == 4) { /* no kind has blocks so high */
			begin_view(&kinds[i]);
			hostile_block();
		}
	}
}

static void is_flawed(const char *words)
{
	struct doca_apsh_system *s = new_system();

	write_image();
	logged();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED(words);
	doca_apsh_system_destroy(s);
	tear_down_arm64();
}

TEST(a_banner_without_its_kernel_is_told)
{
	set_up_arm64(&kinds[1], TEXT_PA);
	*(char *)at_pa(TEXT_PA + 56) = 'a'; /* it begins as no image does */
	is_flawed("is at 0x400000, but its page tables do not map it");
	set_up_arm64(&kinds[1], TEXT_PA);
	*(u64 *)at_va(symbol(S_kimage_voffset)) += 1 << 21;
	is_flawed("is at 0x400000, but its page tables do not map it");
	set_up_arm64(&kinds[1], TEXT_PA);
	*(u64 *)at_va(symbol(S_memstart_addr)) += 1 << 21;
	is_flawed("is at 0x400000, but its memstart_addr is not where");
	set_up_arm64(&kinds[1], TEXT_PA);
	set_text(field_va(symbol(S_init_task), F_TASK_COMM), "swapper/1");
	is_flawed("is at 0x400000, but its init_task is not the first");
}

/* Both forms of a file that name the place: a kpgd file, and a note of VMCOREINFO. */
TEST(a_kernel_is_found_where_it_is_said_to_be)
{
	char kpgd[96], text[32], recording[96];
	struct doca_apsh_system *s;

	set_up_arm64(&kinds[8], PLACE);
	new_task(1, 1, "init");
	snprintf(kpgd, sizeof(kpgd), "%s/kpgd", image.dir);
	snprintf(text, sizeof(text), "0x%llx\n", PLACE + image_at[S_swapper_pg_dir]);
	write_text(kpgd, text);
	write_image();
	s = new_system();
	OK(doca_apsh_sys_kpgd_file_set(s, kpgd));
	OK(doca_apsh_system_start(s));
	is_found_as(s, "the kpgd file");
	OK(doca_priv_apsh_record(s));
	process_of(s, 1);
	doca_apsh_processes_free(processes);
	snprintf(recording, sizeof(recording), "%s/recording", image.dir);
	OK(doca_priv_apsh_record_write(s, recording));
	doca_apsh_system_destroy(s);
	strcpy(image.ram, recording);
	s = new_system();
	OK(doca_apsh_system_start(s));
	is_found_as(s, "VMCOREINFO of the file");
	doca_apsh_system_destroy(s);
	tear_down_arm64();
}

TEST(a_map_for_another_machine_is_refused)
{
	char recording[96];
	struct doca_apsh_system *s;

	set_up_arm64(&kinds[1], TEXT_PA);
	s = started_system();
	OK(doca_priv_apsh_record(s));
	snprintf(recording, sizeof(recording), "%s/recording", image.dir);
	OK(doca_priv_apsh_record_write(s, recording));
	doca_apsh_system_destroy(s);
	map_is_arm64 = false;
	write_map(image.symbols, BANNER_64, -1);
	strcpy(image.ram, recording);
	s = new_system();
	the_target.format = TARGET_ELF;
	logged();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("is of a machine of arm64, but the map is of a kernel for x86-64");
	doca_apsh_system_destroy(s);
	tear_down_arm64();
}

TEST(a_map_lacks_what_its_machine_needs)
{
	struct map map;

	set_up_arm64(&kinds[1], TEXT_PA);
	write_map(image.symbols, BANNER_64, F_SECTION_MAP);
	logged();
	EXPECT_EQ(isf_read(image.symbols, &map), DOCA_ERROR_INITIALIZATION);
	EXPECT_LOGGED("struct mem_section, ");
	tear_down_arm64();
}

/* A page of the kernel's in the page cache has several of 4 KiB, which differ here. */
static void page_of_a_file(void)
{
	u64 inode = object(128, 64), mapping = object(128, 64), area = object(256, 64);
	u64 pa = new_table(), each = page_size() / PAGE, zero = image.direct + (12 << 20);
	u64 page = zero + pa / page_size() * image.map.fields[F_PAGE_STRUCT].size;
	struct area a = { .va = area };
	u8 bytes[PAGE];
	bool private;

	set(inode, F_INODE_MAPPING, mapping);
	*(u64 *)at_va(field_va(mapping, F_MAPPING_PAGES) + image.map.fields[F_XARRAY_HEAD].offset) =
		page;
	set(page, F_PAGE_MAPPING, mapping);
	set(area, F_VMA_OFFSET, 3);
	for (u64 i = 0; i < each; i++)
		memset(at_pa(pa + i * PAGE), (int)i + 1, PAGE);
	look();
	for (u64 i = 0; i < each; i++) {
		EXPECT(page_of_inode(&view, inode, i, bytes));
		EXPECT_EQ(bytes[0], i + 1);
		EXPECT(page_is_private(&view, pa + i * PAGE, &private) && !private);
	}
	EXPECT(!page_of_inode(&view, inode, each, bytes));
	EXPECT(none_of_inode(&view, inode, each));
	EXPECT(!none_of_inode(&view, inode, each - 1));
	EXPECT_EQ(first_page_of_area(&view, &a), 3 * each);
	end_view();
}

TEST(pages_of_files_are_found_whatever_the_kernel_s_own_are)
{
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		begin_view(&kinds[i]);
		page_of_a_file();
	}
}

/* The first section, which has all memory of the image. */
static u64 section(void)
{
	return *(u64 *)at_va(*(u64 *)at_va(symbol(S_mem_section)));
}

static void as_it_is(void)
{
}

static void without_sections(void)
{
	*(u64 *)at_va(*(u64 *)at_va(symbol(S_mem_section))) = 0;
}

static void without_struct_pages(void)
{
	set(section(), F_SECTION_MAP, (image.direct + (12 << 20)) | 5);
}

static void with_those_of_a_process(void)
{
	set(section(), F_SECTION_MAP, (12 << 20) | 7);
}

static void with_unmapped_ones(void)
{
	set(section(), F_SECTION_MAP, (image.text_va + (1 << 30)) | 7);
}

/* A page of a program, as the process has it. */
static enum verdict judge_page(const struct arm64 *of, void (*change)(void))
{
	struct area a = { .flags = AREA_EXEC };
	struct call c = { 0 };
	struct suspect of_page = { .c = &c, .a = &a, .origin = ON_DISK };
	enum verdict verdict;
	u64 left;

	begin_view(of);
	a.start = user_va();
	a.end = a.start + PAGE;
	*entry_for(space.root, a.start, 1) = descriptor(new_table(), attributes() | TABLE);
	change();
	look();
	c.space = space;
	c.view = view;
	verdict = suspect_judge(&of_page, a.start, &left);
	EXPECT_EQ(c.view.misses, 0);
	view = c.view;
	end_view();
	return verdict;
}

/* Only a struct page tells whose a page is, and only a section where that is. */
TEST(a_page_whose_struct_page_is_nowhere_is_no_good_sign)
{
	static void (*const flaws[])(void) = { without_sections, without_struct_pages,
					       with_those_of_a_process, with_unmapped_ones };

	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		EXPECT_EQ(judge_page(&kinds[i], as_it_is), SUSPECT_NOT);
		EXPECT_EQ(judge_page(&kinds[i], flaws[i % ARRAY_SIZE(flaws)]), SUSPECT_UNKNOWN);
	}
	for (u32 i = 0; i < ARRAY_SIZE(flaws); i++)
		EXPECT_EQ(judge_page(&kinds[1], flaws[i]), SUSPECT_UNKNOWN);
}

static void put(int fd, const void *bytes, size_t len, u64 at)
{
	if (pwrite(fd, bytes, len, (off_t)at) != (ssize_t)len)
		abort();
}

/* As /proc/vmcore is: the kernel's image once more, where the kernel has it mapped. */
static void write_core(void)
{
	enum { NOTE = 0x1000, BODY = 0x2000, JUNK = BODY + IMAGE_SIZE };
	struct {
		Elf64_Nhdr head;
		char name[12];
		char text[256];
	} note = { .head = { .n_namesz = 11, .n_descsz = 256 }, .name = "VMCOREINFO" };
	const Elf64_Phdr parts[] = {
		{ .p_type = PT_NOTE, .p_offset = NOTE, .p_filesz = sizeof(note) },
		{ .p_type = PT_LOAD,
		  .p_offset = JUNK,
		  .p_vaddr = image.text_va,
		  .p_paddr = image.text_pa,
		  .p_filesz = TEXT_SIZE },
		{ .p_type = PT_LOAD,
		  .p_offset = BODY,
		  .p_vaddr = image.direct,
		  .p_filesz = IMAGE_SIZE },
	};
	const Elf64_Ehdr e = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB },
			       .e_type = ET_CORE,
			       .e_machine = EM_AARCH64,
			       .e_phoff = sizeof(e),
			       .e_phentsize = sizeof(parts[0]),
			       .e_phnum = ARRAY_SIZE(parts) };
	int fd = open(image.ram, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	snprintf(note.text, sizeof(note.text),
		 "SYMBOL(swapper_pg_dir)=%lx\n"
		 "NUMBER(kimage_voffset)=0x%lx\n",
		 symbol(S_swapper_pg_dir), image.text_va - image.text_pa);
	put(fd, &e, sizeof(e), 0);
	put(fd, parts, sizeof(parts), sizeof(e));
	put(fd, &note, sizeof(note), NOTE);
	put(fd, image.mem, IMAGE_SIZE, BODY);
	if (ftruncate(fd, JUNK + (off_t)TEXT_SIZE))
		abort();
	close(fd);
}

TEST(an_image_that_is_in_a_core_twice_is_read_once)
{
	struct doca_apsh_system *s;

	set_up_arm64(&kinds[1], TEXT_PA);
	new_task(1, 1, "init");
	write_core();
	s = new_system();
	the_target.format = TARGET_ELF;
	OK(doca_apsh_system_start(s));
	EXPECT_EQ(s->source.nr_segs, 1);
	is_found_as(s, "VMCOREINFO of the file");
	doca_apsh_system_destroy(s);
	tear_down_arm64();
}
