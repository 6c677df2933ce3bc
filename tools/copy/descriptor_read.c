// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The importer's side of a descriptor, which is not trusted. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/msg.h"
#include "descriptor.h"
#include "descriptor_files.h"

/* Lines that buffer.txt must have. */
enum {
	HAS_VERSION = 1 << 0,
	HAS_FILE = 1 << 1,
	HAS_ADDRESS = 1 << 2,
	HAS_LENGTH = 1 << 3,
	HAS_SHA256 = 1 << 4,
	HAS_ALL = (1 << 5) - 1,
};

/* Returns the length or -1; errno is EFBIG if there are more than size bytes. */
static ssize_t read_file(int dirfd, const char *name, void *buf, size_t size)
{
	struct stat st;
	ssize_t n = -1;
	int fd;

	/* Do not hang if it is a pipe. */
	fd = openat(dirfd, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st))
		goto out;
	if (!S_ISREG(st.st_mode))
		errno = EINVAL;
	else if (st.st_size > (off_t)size)
		errno = EFBIG;
	else
		n = read(fd, buf, size);
out:
	close(fd);
	return n;
}

static bool parse_u64(const char *text, int base, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*value = strtoull(text, &end, base);
	return !errno && !*end;
}

static bool parse_sha256(const char *text, struct digest_text *sha256)
{
	if (strlen(text) != DIGEST_TEXT_LEN ||
	    strspn(text, "0123456789abcdef") != DIGEST_TEXT_LEN)
		return false;
	memcpy(sha256->hex, text, DIGEST_TEXT_LEN + 1);
	return true;
}

static bool parse_file(const char *text, char *file)
{
	size_t i, len = strlen(text);

	if (!len || len > FILE_NAME_LEN)
		return false;
	for (i = 0; i < len; i++)
		if (iscntrl((unsigned char)text[i]))
			return false;
	memcpy(file, text, len + 1);
	printable(file);
	return true;
}

/* Returns the HAS_ bit of the line, 0 if it is wrong. */
static int parse_line(const char *name, const char *value,
		      struct descriptor *desc)
{
	uint64_t version;

	if (!strcmp(name, "version"))
		return parse_u64(value, 10, &version) &&
				       version == BUFFER_TEXT_VERSION ?
			       HAS_VERSION :
			       0;
	if (!strcmp(name, "file"))
		return parse_file(value, desc->file) ? HAS_FILE : 0;
	if (!strcmp(name, "address"))
		return parse_u64(value, 16, &desc->address) ? HAS_ADDRESS : 0;
	if (!strcmp(name, "length"))
		return parse_u64(value, 10, &desc->length) &&
				       desc->length <= INT64_MAX ?
			       HAS_LENGTH :
			       0;
	if (!strcmp(name, "sha256"))
		return parse_sha256(value, &desc->sha256) ? HAS_SHA256 : 0;
	return 0;
}

static int parse_buffer_text(char *text, struct descriptor *desc)
{
	char *line, *value, *rest = text;
	int has = 0, number = 0, now;

	while ((line = strsep(&rest, "\n"))) {
		number++;
		if (!*line)
			continue;
		now = 0;
		value = strstr(line, ": ");
		if (value) {
			*value = '\0';
			now = parse_line(line, value + 2, desc);
		}
		/* Do not print the line: it may contain control sequences. */
		if (!now || has & now)
			return fail(FILE_BUFFER ": line %d is wrong", number);
		has |= now;
	}
	if (has != HAS_ALL)
		return fail(FILE_BUFFER ": a line is missing");
	return 0;
}

static int read_files(int dirfd, const char *dir, struct descriptor *desc)
{
	char text[BUFFER_TEXT_MAX + 1];
	ssize_t len;

	len = read_file(dirfd, FILE_BUFFER, text, BUFFER_TEXT_MAX);
	if (len < 0) {
		fail_errno("cannot read %s/" FILE_BUFFER, dir);
		if (errno == ENOENT)
			hint("Nothing is exported there; start 'doca_copy export FILE --desc %s' first.",
			     dir);
		return -1;
	}
	text[len] = '\0';
	if (parse_buffer_text(text, desc))
		return -1;
	len = read_file(dirfd, FILE_BLOB, desc->blob, sizeof(desc->blob));
	if (len < 0)
		return fail_errno("cannot read %s/" FILE_BLOB, dir);
	desc->blob_len = len;
	return 0;
}

int descriptor_read(const char *dir, struct descriptor *desc)
{
	int dirfd, ret;

	dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0) {
		fail_errno("cannot open directory %s", dir);
		if (errno == ENOENT)
			hint("Start 'doca_copy export FILE --desc %s' first.",
			     dir);
		return -1;
	}
	/* Open it first: after the copy there may be another export. */
	desc->done = openat(dirfd, FILE_DONE,
			    O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ret = read_files(dirfd, dir, desc);
	close(dirfd);
	if (ret)
		descriptor_close(desc);
	return ret;
}

void descriptor_set_done(const struct descriptor *desc)
{
	static const char line[] = "done\n";
	struct stat st;

	if (desc->done < 0)
		return;
	/* Write only to an exporter's file, not to a file of ours under this name. */
	if (!fstat(desc->done, &st) && S_ISREG(st.st_mode) &&
	    st.st_nlink == 1 && !st.st_size &&
	    write(desc->done, line, sizeof(line) - 1) < 0)
		fail_errno("cannot tell the exporter that all is copied");
}

void descriptor_close(struct descriptor *desc)
{
	if (desc->done >= 0)
		close(desc->done);
	desc->done = -1;
}
