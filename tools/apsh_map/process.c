// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Files that a process has mapped. A mapping itself leads to its file, but only for root.
 * For others the file is looked up by its path, below the root of the process. Anything may
 * be in its place, and only O_PATH never waits.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/reopen.h"
#include "process.h"

struct mapping {
	unsigned long start, end;
	char *path;
};

/* Return false if the mapping is not executable, or has no file. */
static bool parse(const char *line, size_t len, struct mapping *m)
{
	char *text = need_text("%.*s", (int)len, line), access[5];
	int at = 0;

	if (sscanf(text, "%lx-%lx %4s %*x %*x:%*x %*u %n", &m->start, &m->end,
		   access, &at) == 3 &&
	    access[2] == 'x' && text[at] == '/')
		m->path = need_text("%s", text + at);
	free(text);
	return m->path;
}

static int open_mapping(const struct process *p, const struct mapping *m)
{
	char *name = need_text("map_files/%lx-%lx", m->start, m->end);
	int fd = openat(p->dir, name, O_PATH | O_CLOEXEC);

	free(name);
	return fd;
}

static int open_below_root(const struct process *p, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int root = openat(p->dir, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd, err;

	if (root < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
	err = errno;
	close(root);
	errno = err;
	return fd;
}

/* A deleted file will not be executed when the process is started again. */
static void check(const struct process *p, const char *path, int fd)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		fail("cannot open %s, which process %d executes: %s", path,
		     p->pid, strerror(errno));
	if (!S_ISREG(st.st_mode))
		fail("%s, which process %d executes, is no regular file", path,
		     p->pid);
	if (!st.st_nlink)
		fail("%s, which process %d executes, was removed", path,
		     p->pid);
}

static struct bytes read_mapping(const struct process *p,
				 const struct mapping *m)
{
	int fd = open_mapping(p, m);
	struct bytes bytes;

	if (fd < 0 && errno == EPERM)
		fd = open_below_root(p, m->path);
	check(p, m->path, fd);
	bytes = file_read_open(m->path, reopen(fd));
	close(fd);
	return bytes;
}

static bool is_known(const struct process *p, const char *path)
{
	for (int i = 0; i < p->nr; i++)
		if (!strcmp(p->paths[i], path))
			return true;
	return false;
}

void process_open(struct process *p, pid_t pid)
{
	char *dir = need_text("/proc/%d", pid);
	char *maps = need_text("%s/maps", dir);

	*p = (struct process){ .pid = pid };
	p->dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (p->dir < 0)
		fail("cannot open %s: %s", dir, strerror(errno));
	p->maps = file_read_open(maps,
				 openat(p->dir, "maps", O_RDONLY | O_CLOEXEC));
	p->line = (const char *)p->maps.data;
	free(maps);
	free(dir);
}

const char *process_next_file(struct process *p, struct bytes *file)
{
	while (*p->line) {
		struct mapping m = { .path = NULL };
		size_t len = strcspn(p->line, "\n");
		bool found = parse(p->line, len, &m);

		p->line += len + (p->line[len] == '\n');
		if (!found)
			continue;
		if (is_known(p, m.path)) {
			free(m.path);
			continue;
		}
		*file = read_mapping(p, &m);
		p->paths = need_more(p->paths, p->nr + 1, sizeof(*p->paths));
		p->paths[p->nr++] = m.path;
		return m.path;
	}
	return NULL;
}

void process_close(struct process *p)
{
	while (p->nr)
		free(p->paths[--p->nr]);
	free(p->paths);
	free(p->maps.data);
	close(p->dir);
}
