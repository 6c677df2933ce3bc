// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: the format of a file, which a machine that runs must not choose. */
#include <elf.h>

#include "apsh_image.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)

/* Of what that header says is memory: not all that there is. */
#define CLAIMED (IMAGE_SIZE - PAGE)

/* What is at address 0 is the machine's to write. */
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

/* How it is read, how much memory it has then, and what the log says of its format. */
TEST(a_format_is_what_was_said_or_what_a_file_has_chosen)
{
	static struct target_region all = { .length = IMAGE_SIZE };
	static const char raw[] = "begins as elf does, and is read as raw";
	static const struct {
		struct target target;
		u64 size;
		const char *words; /* NULL: nothing of it */
	} rows[] = {
		{ { .format = TARGET_RAW }, IMAGE_SIZE, raw },
		/* regions are of a raw file */
		{ { .nr_regions = 1, .regions = &all }, IMAGE_SIZE, raw },
		/* memory of a machine that runs, so there is nothing to choose */
		{ { .memory = TARGET_MEMFD }, IMAGE_SIZE, raw },
		{ {}, CLAIMED, "begins as elf does, and is read as elf" },
		{ { .format = TARGET_ELF }, CLAIMED, NULL },
		/* a raw file that begins as one */
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
