// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: a file that cannot be read is another thing than a file that ends. */
#include <errno.h>
#include <sys/syscall.h>

#include "apsh_image.h"

static off_t bad_from, bad_to; /* bytes of files on which reads fail */

/* In place of the C library's, for this program. */
ssize_t pread(int fd, void *to, size_t len, off_t at)
{
	if (at < bad_to && at + (off_t)len > bad_from) {
		errno = EIO;
		return -1;
	}
	return syscall(SYS_pread64, fd, to, len, at);
}

enum { HEADER = 32 };

/* Write the image as LiME, and one more header, of a range behind it. */
static void write_lime(void)
{
	u64 headers[2][4] = { { 1ULL << 32 | 0x4c694d45, 0, IMAGE_SIZE - 1 },
			      { 1ULL << 32 | 0x4c694d45, IMAGE_SIZE, IMAGE_SIZE + 4095 } };
	int fd = open(image.ram, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || pwrite(fd, headers[0], HEADER, 0) != HEADER ||
	    pwrite(fd, image.mem, IMAGE_SIZE, HEADER) != (ssize_t)IMAGE_SIZE ||
	    pwrite(fd, headers[1], HEADER, HEADER + IMAGE_SIZE) != HEADER ||
	    ftruncate(fd, 2 * HEADER + IMAGE_SIZE + 4096))
		abort();
	close(fd);
}

static void start_is(enum target_format format, doca_error_t wanted, const char *words)
{
	struct doca_apsh_system *s = new_system();
	const char *text;

	the_target.format = format;
	logged();
	EXPECT_EQ(doca_apsh_system_start(s), wanted);
	text = logged();
	if (!strstr(text, words) || (!*words && *text))
		KTAP_SAY_("logged \"%s\", not \"%s\"", text, words);
	doca_apsh_system_destroy(s);
}

TEST(a_header_that_cannot_be_read_is_not_the_end)
{
	set_up_image(4);
	new_task(1, 1, "init");
	write_lime();
	start_is(TARGET_LIME, DOCA_SUCCESS, "");
	bad_from = HEADER + IMAGE_SIZE;
	bad_to = bad_from + HEADER;
	start_is(TARGET_LIME, DOCA_ERROR_INITIALIZATION, "cannot be read: ");
	/* a file that ends there is read as far as it goes */
	bad_from = bad_to = 0;
	if (truncate(image.ram, HEADER + IMAGE_SIZE + 7))
		abort();
	start_is(TARGET_LIME, DOCA_SUCCESS, "cut off");
	tear_down_image();
}

TEST(a_beginning_that_cannot_be_read_is_of_no_format)
{
	set_up_image(4);
	write_image();
	bad_to = 1;
	start_is(TARGET_AUTO, DOCA_ERROR_INITIALIZATION, "cannot be read: ");
	bad_to = 0;
	start_is(TARGET_AUTO, DOCA_SUCCESS, "");
	tear_down_image();
}
