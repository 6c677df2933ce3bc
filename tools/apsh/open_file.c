// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Files without a name that QEMU has mapped, found among those that it has open, in /proc. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "open_file.h"

struct mapping {
	uint64_t start, end, offset;
	unsigned long inode;
	char name[4096]; /* as the link of a descriptor has it */
};

static FILE *open_maps(pid_t pid)
{
	char path[64];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		target_fail("cannot read %s: %s; become root, or the user of "
			    "QEMU",
			    path, strerror(errno));
	return maps;
}

/* Newlines are escaped there, and not in the links of descriptors. */
static void unescape(char *name)
{
	char *at;

	while ((at = strstr(name, "\\012"))) {
		*at = '\n';
		memmove(at + 1, at + 4, strlen(at + 4) + 1);
	}
}

/* Return false if nothing, or no file, is mapped at @va. */
static bool find_mapping(pid_t pid, uint64_t va, struct mapping *m)
{
	FILE *maps = open_maps(pid);
	bool found = false;
	char *line = NULL;
	size_t room = 0;

	while (!found && getline(&line, &room, maps) > 0)
		found = sscanf(line,
			       "%" SCNx64 "-%" SCNx64 " %*4s %" SCNx64
			       " %*x:%*x %lu %4095[^\n]",
			       &m->start, &m->end, &m->offset, &m->inode,
			       m->name) == 5 &&
			m->start <= va && va < m->end;
	free(line);
	fclose(maps);
	if (found)
		unescape(m->name);
	return found && m->inode;
}

/* The name tells files of several file systems apart that have the same inode. */
static bool is_of(int dir, const char *fd, const struct mapping *m)
{
	char link[sizeof(m->name)];
	ssize_t n = readlinkat(dir, fd, link, sizeof(link) - 1);
	struct stat st;

	if (n < 0)
		return false;
	link[n] = '\0';
	return !strcmp(link, m->name) && !fstatat(dir, fd, &st, 0) &&
	       st.st_ino == m->inode;
}

/* Return -1 if the process has not kept it open. */
static int find_descriptor(pid_t pid, const struct mapping *m)
{
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
	while (dir && found < 0 && (entry = readdir(dir)))
		if (is_of(dirfd(dir), entry->d_name, m))
			found = atoi(entry->d_name);
	if (dir)
		closedir(dir);
	return found;
}

int open_file_mapped(pid_t pid, uint64_t va, uint64_t offset)
{
	struct mapping m;
	int fd;

	if (!find_mapping(pid, va, &m))
		target_fail("process %d has no file mapped at %#" PRIx64
			    ", where its monitor says that memory is",
			    pid, va);
	if (va - m.start + m.offset != offset)
		target_fail("process %d has byte %#" PRIx64
			    " of %s at %#" PRIx64 ", and not byte %#" PRIx64
			    ", as its monitor says",
			    pid, va - m.start + m.offset, m.name, va, offset);
	fd = find_descriptor(pid, &m);
	if (fd < 0)
		target_fail("process %d has memory in %s, but does not have it "
			    "open any more: start QEMU with -object "
			    "memory-backend-file instead, with a file as "
			    "mem-path",
			    pid, m.name);
	return fd;
}
