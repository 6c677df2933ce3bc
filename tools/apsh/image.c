// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The image of the target's kernel. doca_apsh_map unpacks it, in a process of its own that has limits:
 * it knows all forms of an image, and this program needs none of what it is built with.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apsh/private.h"

#include "image.h"

extern char **environ;

#define READER "doca_apsh_map"

/* The one beside this program is of the same release. */
static void find_reader(char path[PATH_MAX])
{
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *name;

	path[len > 0 ? len : 0] = '\0';
	name = strrchr(path, '/');
	if (name && name - path + sizeof("/" READER) < PATH_MAX)
		strcpy(name + 1, READER);
	if (!name || access(path, X_OK))
		strcpy(path, READER);
}

static bool is_package(const char *image)
{
	const char *end = strrchr(image, '.');

	return end && (!strcmp(end, ".deb") || !strcmp(end, ".rpm"));
}

/* Return its output, or -1; its errors are the user's to read. It reads the file that is open. */
static int start(const char *image, int fd, pid_t *pid)
{
	char reader[PATH_MAX];
	char *const argv[] = { reader, "code",
			       is_package(image) ? "--package" : "--vmlinuz",
			       "/dev/stdin", NULL };
	posix_spawn_file_actions_t actions;
	int ends[2];

	find_reader(reader);
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	if (posix_spawn_file_actions_init(&actions)) {
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	if (posix_spawn_file_actions_adddup2(&actions, fd, STDIN_FILENO) ||
	    posix_spawn_file_actions_adddup2(&actions, ends[1],
					     STDOUT_FILENO) ||
	    posix_spawnp(pid, reader, &actions, NULL, argv, environ)) {
		close(ends[0]);
		ends[0] = -1;
	}
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	return ends[0];
}

static bool ended_well(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Other checks need no image, so that it is missing is no failure. */
static void set_lack(struct doca_apsh_system *system, const char *format,
		     const char *image)
{
	char lack[256];

	snprintf(lack, sizeof(lack), format, image);
	doca_priv_apsh_code_set(system, -1, lack);
}

/* To open a FIFO does not wait for its writer. */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat is;

	if (fd < 0 || (!fstat(fd, &is) && S_ISREG(is.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

static void unpack(struct doca_apsh_system *system, const char *image, int fd)
{
	doca_error_t ret;
	pid_t pid;
	int from;

	from = start(image, fd, &pid);
	if (from < 0) {
		set_lack(system, "%s is not there, which reads the image",
			 READER);
		return;
	}
	ret = doca_priv_apsh_code_set(system, from, NULL);
	close(from);
	if (!ended_well(pid))
		set_lack(system, READER " cannot read %.150s", image);
	else if (ret != DOCA_SUCCESS)
		set_lack(system, "the image: %.150s",
			 doca_error_get_descr(ret));
}

void image_use(struct doca_apsh_system *system, const char *image)
{
	int fd = open_file(image);

	if (fd < 0) {
		set_lack(system,
			 errno == EINVAL ?
				 "the image %.150s is no regular file" :
				 "the image %.150s is not there, or not "
				 "readable",
			 image);
		return;
	}
	unpack(system, image, fd);
	close(fd);
}
