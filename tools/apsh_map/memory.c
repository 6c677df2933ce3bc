// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The kernel in the memory of a machine. Its image is contiguous in physical memory, and
 * so in every file that contains memory as it is: a raw image, memory of a running QEMU,
 * LiME, an ELF core. So the format is not checked. The banner leads to the read-only data;
 * copies of the banner elsewhere do not have tables of symbols around them that confirm
 * their place.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel.h"
#include "limits.h"

/* The banner is near the beginning of the data, and types are at its end. */
#define BEFORE ((size_t)4 << 20)
#define BEHIND ((size_t)64 << 20)
#define CHUNK ((size_t)1 << 20)
#define MAX_BANNER 4096

/* The time that a scan of a GiB takes */
#define SECONDS_GIB 1

static const char words[] = "Linux version ";

struct memory {
	const char *path;
	int fd;
	off_t size;
};

static size_t read_at(const struct memory *m, void *to, size_t len, off_t at)
{
	ssize_t n;

	do {
		n = pread(m->fd, to, len, at);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		fail("cannot read %s: %s", m->path, strerror(errno));
	return (size_t)n;
}

/* Skip holes: most of a guest's memory may never have been touched. */
static off_t next_data(const struct memory *m, off_t at)
{
	off_t data = lseek(m->fd, at, SEEK_DATA);

	if (data >= 0)
		return data;
	return errno == ENXIO ? m->size : at;
}

/* Return the next offset of the words, from @at on; -1 if there is none. */
static off_t next_banner(const struct memory *m, off_t at)
{
	static unsigned char chunk[CHUNK];
	unsigned char *found;
	size_t len;

	for (at = next_data(m, at); at < m->size;
	     at = next_data(m, at + (off_t)(len - strlen(words)))) {
		len = read_at(m, chunk, sizeof(chunk), at);
		found = memmem(chunk, len, words, strlen(words));
		if (found)
			return at + (found - chunk);
		if (len < sizeof(chunk))
			break;
	}
	return -1;
}

/* A banner is one line and its end. There may be hundreds of copies in logs. */
static bool is_banner(const struct memory *m, off_t at)
{
	char text[MAX_BANNER];
	size_t len = read_at(m, text, sizeof(text), at);
	size_t end = strnlen(text, len);

	return end < len && memchr(text, '\n', end) == text + end - 1;
}

/* The window begins at a multiple of 8, so its multiples of 8 are those of memory. */
static bool try_banner(struct kernel *kernel, const struct memory *m, off_t at)
{
	size_t before = at < (off_t)BEFORE ? (size_t)at : BEFORE;
	struct bytes window = { need(BEFORE + BEHIND), 0 };
	bool found;

	before &= ~(size_t)7;
	window.size =
		read_at(m, window.data, before + BEHIND, at - (off_t)before);
	found = kernel_at_banner(kernel, m->path, &window, before);
	free(window.data);
	return found;
}

void kernel_of_memory(struct kernel *kernel, const char *path)
{
	struct memory m = { .path = path };
	struct stat st;
	off_t at = -1;

	m.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (m.fd < 0 || fstat(m.fd, &st))
		fail("cannot open %s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		fail("%s is no regular file", path);
	m.size = st.st_size;
	limits_begin(path, LIMITS_SECONDS +
				   (unsigned int)(m.size >> 30) * SECONDS_GIB);
	while (!kernel->banner) {
		at = next_banner(&m, at + 1);
		if (at < 0 && kernel->no_data)
			kallsyms_fail(kernel, path);
		if (at < 0)
			fail("%s has no kernel of x86-64 or arm64 with "
			     "CONFIG_KALLSYMS; is it memory as it is, neither compressed nor "
			     "encrypted?",
			     path);
		if (is_banner(&m, at) && try_banner(kernel, &m, at))
			break;
	}
	close(m.fd);
}
