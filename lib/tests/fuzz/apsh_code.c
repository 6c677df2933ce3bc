// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * App Shield's check of code, by libFuzzer: change bytes of the kernel's image, its symbols and tables,
 * and of the code in memory. Whatever they say, the check must end, and access only its own memory.
 */
#pragma GCC diagnostic ignored "-Wunused-function"
#define main no_main /* libFuzzer has its own main() */
#include <sys/mman.h>

#include "../apsh_probe.h"
#include "../apsh_vmlinux.h"
#include "apsh_time.h"

enum { PLACES = 0x1000, STEP = 64, KEY = 0x300000 };

static struct doca_apsh_system *system_of_image;
static u8 sound[sizeof(vmlinux.file)], sound_places[PLACES];
static int fd_of_image, fd_of_memory;

/* Bytes that may be changed, of the file or of memory. */
static struct {
	u8 *from;
	size_t size;
} areas[6];

struct change {
	u8 area;
	u8 at[2];
	u8 value[4];
};

static u32 next_place(void)
{
	static u32 place = PLACE;

	place += STEP;
	return place;
}

/* Four entries: places, each with what an entry has beside. */
static void add_table(const char *begin, const char *end, void (*put_more)(u32 at))
{
	begin_table(begin);
	for (int i = 0; i < 4; i++) {
		u32 at = next_place();

		put_place(at);
		if (put_more)
			put_more(at);
	}
	end_table(end);
}

static void put_key(u32 at)
{
	(void)at;
	put_place(TABLES_AT);
}

static void put_target(u32 at)
{
	put_place(at + STEP);
	put_long(KEY - (TABLES_AT + vmlinux.tables_size) + 1);
}

static void put_replacement(u32 at)
{
	put_place(REPLACEMENT_AT + (at & 0xff));
	put((const u8[]){ 0, 0, 0, 0, 9, 5 }, 6);
}

static void add_longs(const char *begin, const char *end, u64 more, bool has_more)
{
	begin_table(begin);
	for (int i = 0; i < 4; i++) {
		put_long(MAP_TEXT + next_place());
		if (has_more)
			put_long(more);
	}
	end_table(end);
}

static void add_tables(void)
{
	add_table("__smp_locks", "__smp_locks_end", NULL);
	add_table("__retpoline_sites", "__retpoline_sites_end", NULL);
	add_table("__return_sites", "__return_sites_end", NULL);
	add_table("__call_sites", "__call_sites_end", NULL);
	add_table("__ibt_endbr_seal", "__ibt_endbr_seal_end", NULL);
	add_table("__cfi_sites", "__cfi_sites_end", NULL);
	add_table("__start_static_call_sites", "__stop_static_call_sites", put_key);
	add_table("__start___jump_table", "__stop___jump_table", put_target);
	add_table("__start_runtime_ptr_it", "__stop_runtime_ptr_it", NULL);
	add_table("__start_runtime_shift_it", "__stop_runtime_shift_it", NULL);
	add_table("__alt_instructions", "__alt_instructions_end", put_replacement);
	add_longs("__start_mcount_loc", "__stop_mcount_loc", 0, false);
	add_longs("__parainstructions", "__parainstructions_end", 5 << 8, true);
	name_at("jump_label_mutex", KEY + 64);
	name_at("ftrace_call", next_place());
	name_at("__SCT__some", next_place());
	name_at("bpf_dispatcher_some_func", next_place());
	add_probe(object(512, 64), image.text_va + next_place(), code_va());
}

/* The sections' headers are at the end, before the lists of addresses. */
static void find_areas(void)
{
	u8 *end = vmlinux.file + vmlinux.size, *elf = memmem(vmlinux.file, vmlinux.size, ELFMAG, 4);
	size_t tail = 7 * sizeof(Elf64_Shdr) + 4UL * vmlinux.nr_words;
	Elf64_Shdr s[7];

	memcpy(s, end - tail, sizeof(s));
	areas[0].from = vmlinux.file;
	areas[0].size = (size_t)(elf - vmlinux.file) + sizeof(Elf64_Ehdr);
	areas[1].from = end - tail;
	areas[1].size = tail;
	areas[2].from = elf + s[4].sh_offset;
	areas[2].size = vmlinux.tables_size;
	areas[3].from = elf + s[5].sh_offset;
	areas[3].size = REPLACEMENT_SIZE;
	areas[4].from = elf + s[1].sh_offset + PLACE - CODE_AT;
	areas[4].size = PLACES;
	areas[5].from = at_va(image.text_va + PLACE);
	areas[5].size = PLACES;
}

static void set_up_all(void)
{
	set_up_vmlinux();
	add_tables();
	memcpy(vmlinux.words, (const u32[]){ 0, (u32)MAP_TEXT + PLACE, 0 }, 12);
	vmlinux.nr_words = 3;
	system_of_image = system_with_image();
	system_of_image->budget.ms = 2000;
	if (!system_of_image->code)
		abort();
	find_areas();
	memcpy(sound, vmlinux.file, sizeof(sound));
	memcpy(sound_places, areas[5].from, PLACES);
	fd_of_image = memfd_create("image", 0);
	fd_of_memory = open(image.ram, O_WRONLY);
}

static void change(const struct change *c)
{
	size_t i = c->area % ARRAY_SIZE(areas), len = 1 + c->area / ARRAY_SIZE(areas) % 4;
	size_t at = (c->at[0] | (size_t)c->at[1] << 8) % areas[i].size;

	if (len > areas[i].size - at)
		len = areas[i].size - at;
	memcpy(areas[i].from + at, c->value, len);
}

static void use_image(size_t size)
{
	if (ftruncate(fd_of_image, 0) ||
	    pwrite(fd_of_image, vmlinux.file, size, 0) != (ssize_t)size ||
	    lseek(fd_of_image, 0, SEEK_SET))
		abort();
	doca_priv_apsh_code_set(system_of_image, fd_of_image, NULL);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	size_t cut;

	if (!system_of_image)
		set_up_all();
	if (size < 2)
		return 0;
	cut = data[0] == 0xff ? data[1] * 0x1000UL : vmlinux.size;
	for (size_t i = 2; i + sizeof(struct change) <= size; i += sizeof(struct change))
		change((const struct change *)(data + i));
	write_part(fd_of_memory, pa_of(image.text_va + PLACE), PLACES);
	use_image(cut < vmlinux.size ? cut : vmlinux.size);
	if (!CODE(system_of_image, &findings, &nr_findings))
		doca_priv_apsh_findings_free(findings);
	memcpy(vmlinux.file, sound, sizeof(sound));
	memcpy(areas[5].from, sound_places, PLACES);
	logged();
	return 0;
}
