// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "file.h"

/* More than any image of a kernel has. */
#define MAX_FILE ((size_t)2 << 30)

/* Do not trust sizes: those in /proc are wrong. */
static struct bytes read_all(const char *path, int fd)
{
	struct bytes bytes = { NULL, 0 };
	size_t room = 0;
	ssize_t n = 1;

	while (n > 0) {
		if (room - bytes.size < 2) {
			room = room ? 2 * room : 1 << 16;
			bytes.data = need_more(bytes.data, room, 1);
		}
		n = read(fd, bytes.data + bytes.size, room - bytes.size - 1);
		if (n < 0)
			fail("cannot read %s: %s", path, strerror(errno));
		bytes.size += n;
		if (bytes.size > MAX_FILE)
			fail("%s has more than %zu bytes", path, MAX_FILE);
	}
	bytes.data[bytes.size] = '\0';
	return bytes;
}

struct bytes file_read_open(const char *path, int fd)
{
	struct bytes bytes;

	if (fd < 0)
		fail("cannot open %s: %s", path, strerror(errno));
	bytes = read_all(path, fd);
	close(fd);
	return bytes;
}

struct bytes file_read(const char *path)
{
	return file_read_open(path, open(path, O_RDONLY | O_CLOEXEC));
}

static bool write_all(int fd, const char *text, size_t len)
{
	ssize_t n;

	for (; len; text += n, len -= n) {
		n = write(fd, text, len);
		if (n < 0 && errno == EINTR)
			n = 0;
		if (n < 0)
			return false;
	}
	return true;
}

void file_write(const char *path, const char *text, size_t len)
{
	char *temp = need_text("%s.XXXXXX", path);
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	if (!strcmp(path, "-")) {
		if (!write_all(STDOUT_FILENO, text, len))
			fail("cannot write the output: %s", strerror(errno));
		free(temp);
		return;
	}
	fd = mkostemp(temp, O_CLOEXEC);
	if (fd < 0)
		fail("cannot write %s: %s", path, strerror(errno));
	if (!write_all(fd, text, len) || fchmod(fd, 0666 & ~mask) ||
	    close(fd) || rename(temp, path)) {
		int err = errno;

		unlink(temp);
		fail("cannot write %s: %s", path, strerror(err));
	}
	free(temp);
}

void sha256(const void *data, size_t size, char digits[SHA256_DIGITS + 1])
{
	unsigned char md[EVP_MAX_MD_SIZE];

	if (!EVP_Digest(data, size, md, NULL, EVP_sha256(), NULL))
		fail("libcrypto has no SHA-256");
	for (int i = 0; i < SHA256_DIGITS / 2; i++)
		sprintf(&digits[2 * i], "%02x", md[i]);
}
