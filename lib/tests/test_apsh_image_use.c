// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* doca_apsh: the image of the kernel. */
#include <sys/stat.h>

#include "apsh_stage.h"

#include "../../tools/apsh/image.c"

static char path[PATH_MAX], programs[PATH_MAX];

/* Put a program into the place of doca_apsh_map. */
static void set_reader(const char *script)
{
	char reader[PATH_MAX];

	snprintf(reader, sizeof(reader), "%s/" READER, image.dir);
	write_text(reader, script);
	EXPECT(!chmod(reader, 0755));
	EXPECT(!setenv("PATH", image.dir, 1));
}

static struct doca_apsh_system *set_up_use(void)
{
	struct doca_apsh_system *s = set_up(4);

	snprintf(path, sizeof(path), "%s/vmlinuz", image.dir);
	write_text(path, "none");
	snprintf(programs, sizeof(programs), "%s", getenv("PATH"));
	set_reader("#!/bin/sh\nexit 1\n");
	return s;
}

static void tear_down_use(struct doca_apsh_system *s)
{
	char reader[PATH_MAX];

	snprintf(reader, sizeof(reader), "%s/" READER, image.dir);
	unlink(reader);
	unlink(path);
	EXPECT(!setenv("PATH", programs, 1));
	tear_down(s);
}

/* The check must tell that. */
static void use(struct doca_apsh_system *s, const char *name, const char *words)
{
	image_use(s, name);
	EXPECT(!s->code);
	if (!strstr(s->code_lack, words))
		KTAP_SAY_("\"%s\" is said, not \"%s\"", s->code_lack, words);
}

TEST(an_image_that_cannot_be_read_is_told)
{
	struct doca_apsh_system *s = set_up_use();

	use(s, "/nowhere/vmlinuz", "is not there, or not readable");
	use(s, path, READER " cannot read ");
	tear_down_use(s);
}

/* A FIFO would wait for its writer. */
TEST(what_is_no_file_is_no_image)
{
	struct doca_apsh_system *s = set_up_use();

	use(s, "/dev/null", "/dev/null is no regular file");
	use(s, image.dir, "is no regular file");
	unlink(path);
	EXPECT(!mkfifo(path, 0600));
	use(s, path, "is no regular file");
	tear_down_use(s);
}

TEST(the_reader_gets_the_open_file)
{
	struct doca_apsh_system *s = set_up_use();

	/* it writes what is no image, which the library says */
	set_reader("#!/bin/sh\n[ \"$1 $2 $3\" = 'code --vmlinuz /dev/stdin' ] && read x; "
		   "[ \"$x\" = none ] && echo \"$x\"\n");
	write_text(path, "none\n");
	use(s, path, "was not read by doca_apsh_map of this release");
	EXPECT(!setenv("PATH", "/nowhere", 1));
	/* valgrind's children do not say that there is no such program */
	if (!strstr(getenv("LD_PRELOAD") ?: "", "vgpreload"))
		use(s, path, "is not there, which reads the image");
	tear_down_use(s);
}
