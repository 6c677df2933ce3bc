// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Files that another process has open, found in /proc. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "open_file.h"

#define MEMFD_LINK "/memfd:memory-backend-memfd"

/*
 * Names of a file that QEMU has open, as /proc shows it. In a folder QEMU makes a file,
 * whose name ends with six random letters, and removes the name.
 */
struct open_file {
	char *names[2]; /* beginnings */
	size_t more; /* number of letters behind; SIZE_MAX: any */
};

static bool has_name(const struct open_file *file, char *link)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(link), begin;

	if (len > strlen(deleted) &&
	    !strcmp(link + len - strlen(deleted), deleted))
		link[len -= strlen(deleted)] = '\0';
	for (int i = 0; i < 2 && file->names[i]; i++) {
		begin = strlen(file->names[i]);
		if (!strncmp(link, file->names[i], begin) &&
		    (file->more == SIZE_MAX || len - begin == file->more))
			return true;
	}
	return false;
}

static bool is_open(int dir, const char *name, const struct open_file *file,
		    struct stat *st)
{
	char link[4096];
	ssize_t n = readlinkat(dir, name, link, sizeof(link) - 1);

	if (n < 0)
		return false;
	link[n] = '\0';
	return has_name(file, link) && !fstatat(dir, name, st, 0);
}

/*
 * Find QEMU's descriptor of it. Names do not tell backends apart in all cases, so there
 * must not be two files.
 */
static int find_open(pid_t pid, const struct open_file *file, const char *what)
{
	struct stat first = { 0 }, st;
	struct dirent *entry;
	char folder[64];
	int found = -1;
	DIR *dir;

	snprintf(folder, sizeof(folder), "/proc/%d/fd", pid);
	dir = opendir(folder);
	if (!dir)
		target_fail("cannot list %s: %s; become root, or the user of "
			    "QEMU",
			    folder, strerror(errno));
	while (dir && (entry = readdir(dir))) {
		if (!is_open(dirfd(dir), entry->d_name, file, &st))
			continue;
		if (found < 0) {
			found = atoi(entry->d_name);
			first = st;
		} else if (st.st_dev != first.st_dev ||
			   st.st_ino != first.st_ino) {
			target_fail("process %d has several %s of memory "
				    "backends, and which is the machine's "
				    "cannot be told: start QEMU with -object "
				    "memory-backend-file instead, with a file "
				    "as mem-path",
				    pid, what);
		}
	}
	closedir(dir);
	if (found < 0)
		target_fail("process %d has no %s of its memory open", pid,
			    what);
	return found;
}

int open_file_memfd(pid_t pid)
{
	const struct open_file memfd = { { MEMFD_LINK }, SIZE_MAX };

	return find_open(pid, &memfd, "memfds");
}

/* QEMU takes the backend's name or, for old machines, its path, in which / becomes _. */
int open_file_in_folder(pid_t pid, const char *folder, const char *id)
{
	struct open_file file = { .more = 6 };
	char *real = realpath(folder, NULL);
	int found;

	if (!real ||
	    asprintf(&file.names[0], "%s/qemu_back_mem.%s.", real, id) < 0 ||
	    asprintf(&file.names[1], "%s/qemu_back_mem._objects_%s.", real,
		     id) < 0)
		target_fail("%s: %s", folder, strerror(errno));
	found = find_open(pid, &file, "files");
	free(file.names[0]);
	free(file.names[1]);
	free(real);
	return found;
}
