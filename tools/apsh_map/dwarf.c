// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Types of an image that has them only as DWARF, such as one of a debug package: pahole makes BTF
 * of them, as it does when a kernel is built.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dwarf.h"
#include "limits.h"

/* pahole reads and writes files by name. */
static char *name_of(int fd)
{
	return need_text("/proc/self/fd/%d", fd);
}

static int make_file(const char *name)
{
	int fd = memfd_create(name, 0);

	if (fd < 0)
		fail("cannot make a file in memory: %s", strerror(errno));
	return fd;
}

static void write_all(int fd, const struct bytes *bytes)
{
	size_t done = 0;

	while (done < bytes->size) {
		ssize_t n = write(fd, bytes->data + done, bytes->size - done);

		if (n < 0)
			fail("cannot write a file in memory: %s",
			     strerror(errno));
		done += (size_t)n;
	}
}

/* Return its status, as of waitpid(). */
static int run(char *const argv[], const struct limits_child *limits)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		limits_child_begin(limits);
		execvp(argv[0], argv);
		_exit(errno == ENOENT ? 127 : 126);
	}
	if (pid < 0)
		fail("cannot run %s: %s", argv[0], strerror(errno));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			fail("%s: %s", argv[0], strerror(errno));
	return status;
}

/* The file may ask for any time and memory. pahole itself says more of other failures. */
static void check(int status, const char *path,
		  const struct limits_child *limits)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		fail("%s has no BTF, but DWARF, of which pahole makes that: "
		     "install pahole, which some distributions have in "
		     "dwarves",
		     path);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		fail("pahole has not made BTF of the DWARF of %s within %llu s "
		     "of CPU time; its contents may be hostile",
		     path, limits->seconds);
	if (status)
		fail("pahole cannot make BTF of the DWARF of %s, for which it "
		     "has %llu s of CPU time and %llu MiB of memory",
		     path, limits->seconds, limits->bytes >> 20);
}

struct bytes dwarf_to_btf(const char *path, const struct bytes *image)
{
	int in = make_file("vmlinux"), out = make_file("btf"), status;
	char *from = name_of(in), *to = name_of(out);
	char *option = need_text("--btf_encode_detached=%s", to);
	struct limits_child limits = limits_child();
	struct bytes btf;

	write_all(in, image);
	status = run((char *[]){ "pahole", option, "--btf_gen_floats",
				 "--skip_encoding_btf_vars", from, NULL },
		     &limits);
	check(status, path, &limits);
	btf = file_read(to);
	if (!btf.size)
		fail("pahole finds no types in the DWARF of %s", path);
	close(in);
	close(out);
	free(option);
	free(from);
	free(to);
	return btf;
}
