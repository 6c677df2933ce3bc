// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/reopen.h"
#include "process.h"

#define LINK "/memfd:" STATS_NAME " (deleted)"

/* A memfd is a file of tmpfs without a name. */
static bool is_memfd(int fd)
{
	struct statfs fs;
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_nlink &&
	       !fstatfs(fd, &fs) && fs.f_type == TMPFS_MAGIC;
}

/*
 * A process with its own mount namespace may have anything under that name, such as a device that
 * only root may open and that acts when it is opened. So check it before it is really opened.
 */
static int open_memfd(const char *path)
{
	int at = open(path, O_PATH | O_CLOEXEC), fd;

	if (at < 0)
		return -1;
	fd = is_memfd(at) ? reopen(at) : -1;
	close(at);
	return fd;
}

static bool read_whole(const char *path, struct stats *stats)
{
	int fd = open_memfd(path);
	bool good;

	if (fd < 0)
		return false;
	good = pread(fd, stats, sizeof(*stats), 0) == (ssize_t)sizeof(*stats);
	close(fd);
	return good;
}

/* A child inherits its parent's memfd, so compare the pid. */
static bool is_of(struct stats *stats, pid_t pid)
{
	for (int i = 0; i < STATS_SOCKETS; i++) {
		struct stats_socket *s = &stats->sockets[i];

		s->path[sizeof(s->path) - 1] = '\0';
		s->reason[sizeof(s->reason) - 1] = '\0';
	}
	return stats->magic == STATS_MAGIC && stats->pid == pid;
}

static bool is_ours(const char *path)
{
	char target[sizeof(LINK) + 1];
	ssize_t len = readlink(path, target, sizeof(target));

	return len == sizeof(LINK) - 1 && !memcmp(target, LINK, len);
}

static bool find(DIR *dir, pid_t pid, struct stats *stats)
{
	const struct dirent *entry;
	char path[300];

	while ((entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%s", pid,
			 entry->d_name);
		if (is_ours(path) && read_whole(path, stats) &&
		    is_of(stats, pid))
			return true;
	}
	return false;
}

int process_read(pid_t pid, struct stats *stats)
{
	char path[32];
	bool found;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? ESRCH : errno;
	found = find(dir, pid, stats);
	closedir(dir);
	return found ? 0 : ENOENT;
}

/* The kernel's cookie is not visible from outside, but the type is. */
bool process_has_socket(pid_t pid, const struct stats_socket *socket)
{
	char path[64], target[9];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, socket->fd);
	return readlink(path, target, sizeof(target)) == sizeof(target) &&
	       !memcmp(target, "socket:[", 8);
}

bool process_each(bool (*call)(pid_t pid, void *arg), void *arg)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	bool go_on = true;

	if (!dir)
		return false;
	while (go_on && (entry = readdir(dir))) {
		pid_t pid = atoi(entry->d_name);

		if (pid > 0)
			go_on = call(pid, arg);
	}
	closedir(dir);
	return go_on;
}
