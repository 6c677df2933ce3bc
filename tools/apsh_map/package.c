// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The kernel in a package. Debian's is an archive in an archive, data.tar; in others, and
 * in plain archives, the files are found directly.
 */
#include <archive.h>
#include <archive_entry.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

#define BLOCK ((size_t)64 << 10)
#define MAX_IMAGE ((int64_t)1 << 30)

struct package {
	const char *path;
	struct archive *outer;
	unsigned char block[BLOCK];
};

static struct archive *reader(void)
{
	struct archive *a = archive_read_new();

	if (!a)
		fail("out of memory");
	archive_read_support_filter_all(a);
	archive_read_support_format_ar(a);
	archive_read_support_format_tar(a);
	archive_read_support_format_cpio(a); /* in an RPM */
	return a;
}

/* Return the next file, NULL behind the last. */
static const char *next_file(const char *path, struct archive *a,
			     struct archive_entry **entry)
{
	int ret = archive_read_next_header(a, entry);
	const char *name;

	if (ret == ARCHIVE_EOF)
		return NULL;
	if (ret < ARCHIVE_WARN)
		fail("%s is no package, or is damaged: %s", path,
		     archive_error_string(a));
	name = archive_entry_pathname(*entry);
	return name ? name : "";
}

static bool is_kernel(const char *name, struct archive_entry *entry)
{
	static const char *const names[] = { "*/vmlinuz-*", "*/vmlinuz",
					     "*/vmlinux-*", "*/vmlinux" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!fnmatch(names[i], name, 0))
			return archive_entry_filetype(entry) == AE_IFREG;
	return false;
}

static struct bytes read_file(const char *path, struct archive *a,
			      struct archive_entry *entry)
{
	int64_t size = archive_entry_size(entry);
	struct bytes file;

	if (size <= 0 || size > MAX_IMAGE)
		fail("%s says that its kernel has %lld bytes", path,
		     (long long)size);
	file.size = (size_t)size;
	file.data = need(file.size + 1);
	if (archive_read_data(a, file.data, file.size) != size)
		fail("%s is damaged: %s", path,
		     archive_error_string(a) ? archive_error_string(a) :
					       "it ends early");
	return file;
}

static bool find_kernel(const char *path, struct archive *a, struct bytes *file)
{
	struct archive_entry *entry;
	const char *name;

	while ((name = next_file(path, a, &entry))) {
		if (!is_kernel(name, entry))
			continue;
		*file = read_file(path, a, entry);
		return true;
	}
	return false;
}

static ssize_t read_inner(struct archive *inner, void *data, const void **block)
{
	struct package *p = data;
	ssize_t n = archive_read_data(p->outer, p->block, sizeof(p->block));

	*block = p->block;
	if (n < 0)
		archive_set_error(inner, archive_errno(p->outer), "%s",
				  archive_error_string(p->outer));
	return n;
}

static bool find_inside(struct package *p, struct bytes *file)
{
	struct archive *inner = reader();
	bool found;

	if (archive_read_open(inner, p, NULL, read_inner, NULL))
		fail("%s is no package: %s", p->path,
		     archive_error_string(inner));
	found = find_kernel(p->path, inner, file);
	archive_read_free(inner);
	return found;
}

void kernel_of_package(struct kernel *kernel, const char *path)
{
	struct package p = { .path = path, .outer = reader() };
	struct archive_entry *entry;
	struct bytes file = { NULL, 0 };
	bool found = false;
	const char *name;

	if (archive_read_open_filename(p.outer, path, BLOCK))
		fail("cannot read %s as a package: %s", path,
		     archive_error_string(p.outer));
	while (!found && (name = next_file(path, p.outer, &entry))) {
		if (!strncmp(name, "data.tar", strlen("data.tar"))) {
			found = find_inside(&p, &file);
		} else if (is_kernel(name, entry)) {
			file = read_file(path, p.outer, entry);
			found = true;
		}
	}
	if (!found)
		fail("%s has no file vmlinuz or vmlinux: is it the package of a kernel's "
		     "image?",
		     path);
	archive_read_free(p.outer);
	kernel_of_bytes(kernel, path, file);
}
