// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: the format of a file, which a running machine must not choose. */
#include <elf.h>

#include "apsh_image.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)

/* Bytes of memory by that header, less than there are. */
#define CLAIMED (IMAGE_SIZE - PAGE)

/* The machine can write to address 0. */
static void set_up_pretender(void)
{
	const Elf64_Ehdr e = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB },
		.e_type = ET_CORE,
		.e_machine = EM_X86_64,
		.e_phoff = sizeof(e),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
	};
	const Elf64_Phdr p = { .p_type = PT_LOAD, .p_filesz = CLAIMED };

	set_up_image(4);
	new_task(1, 1, "init");
	memcpy(at_pa(0), &e, sizeof(e));
	memcpy(at_pa(sizeof(e)), &p, sizeof(p));
	write_image();
}

/* The format, the size of the memory, and the log's line about it. */
TEST(a_format_is_what_was_said_or_what_a_file_has_chosen)
{
	static struct target_region all = { .length = IMAGE_SIZE };
	static const char raw[] = "begins as elf does, and is read as raw";
	static const struct {
		struct target target;
		u64 size;
		const char *words; /* NULL: no line */
	} rows[] = {
		{ { .format = TARGET_RAW }, IMAGE_SIZE, raw },
		/* regions belong to raw files */
		{ { .nr_regions = 1, .regions = &all }, IMAGE_SIZE, raw },
		/* memory of a running machine: no choice of formats */
		{ { .memory = TARGET_MEMFD }, IMAGE_SIZE, raw },
		{ {}, CLAIMED, "begins as elf does, and is read as elf" },
		{ { .format = TARGET_ELF }, CLAIMED, NULL },
		/* a raw file that begins like another format */
		{ {}, IMAGE_SIZE, NULL },
	};

	set_up_pretender();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct doca_apsh_system *s = new_system();
		const char *text, *words = rows[i].words;

		the_target.format = rows[i].target.format;
		the_target.nr_regions = rows[i].target.nr_regions;
		the_target.regions = rows[i].target.regions;
		if (rows[i].target.memory == TARGET_MEMFD) {
			the_target.memory = TARGET_MEMFD;
			the_target.pid = getpid();
			the_target.fd = open(image.ram, O_RDONLY);
		}
		if (i == ARRAY_SIZE(rows) - 1) {
			*at_pa(0) = 0;
			write_image();
		}
		logged();
		OK(doca_apsh_system_start(s));
		text = logged();
		if (words ? !strstr(text, words) : !!strstr(text, "begins as"))
			KTAP_SAY_("row %zu: logged \"%s\"", i, text);
		EXPECT_EQ(s->source.nr_segs, 1);
		EXPECT_EQ(s->source.segs[0].len, rows[i].size);
		EXPECT_EQ(process_of(s, 1)->pid, 1);
		doca_apsh_processes_free(processes);
		doca_apsh_system_destroy(s);
		if (the_target.memory == TARGET_MEMFD)
			close(the_target.fd);
	}
	tear_down_image();
}
