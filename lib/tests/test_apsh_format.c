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
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB },
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

/* How much memory the target has then, and what the log says of its format. */
static void expect_read(struct doca_apsh_system *s, u64 size, const char *words)
{
	const char *text;

	logged();
	OK(doca_apsh_system_start(s));
	text = logged();
	if (words ? !strstr(text, words) : !!strstr(text, "begins as"))
		KTAP_SAY_("logged \"%s\", not \"%s\"", text,
			  words ? words : "");
	EXPECT_EQ(s->source.nr_segs, 1);
	EXPECT_EQ(s->source.segs[0].len, size);
	EXPECT_EQ(process_of(s, 1)->pid, 1);
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
}

TEST(a_raw_file_is_raw_whatever_it_begins_with)
{
	struct doca_apsh_system *s;

	set_up_pretender();
	s = new_system();
	the_target.format = TARGET_RAW;
	expect_read(s, IMAGE_SIZE, "begins as elf does, and is read as raw");
	tear_down_image();
}

TEST(regions_of_a_target_are_of_a_raw_file)
{
	struct target_region all = { .length = IMAGE_SIZE };
	struct doca_apsh_system *s;

	set_up_pretender();
	s = new_system();
	the_target.nr_regions = 1;
	the_target.regions = &all;
	expect_read(s, IMAGE_SIZE, "begins as elf does, and is read as raw");
	tear_down_image();
}

/* It is memory of a machine that runs, so there is nothing to choose. */
TEST(a_memfd_is_raw)
{
	struct doca_apsh_system *s;

	set_up_pretender();
	s = new_system();
	the_target.memory = TARGET_MEMFD;
	the_target.pid = getpid();
	the_target.fd = open(image.ram, O_RDONLY);
	expect_read(s, IMAGE_SIZE, "begins as elf does, and is read as raw");
	close(the_target.fd);
	tear_down_image();
}

TEST(a_format_that_a_file_has_chosen_is_logged)
{
	set_up_pretender();
	expect_read(new_system(), CLAIMED,
		    "begins as elf does, and is read as elf");
	tear_down_image();
}

TEST(what_is_as_it_was_said_is_not_logged)
{
	struct doca_apsh_system *s;

	set_up_pretender();
	s = new_system();
	the_target.format = TARGET_ELF;
	expect_read(s, CLAIMED, NULL);
	*at_pa(0) = 0;
	write_image();
	expect_read(new_system(), IMAGE_SIZE, NULL);
	tear_down_image();
}
