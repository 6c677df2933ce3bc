// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A part of a plug-in for test_plugin.c, which is loaded for as long as that test wants. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The parent wants to know whether its child fares well. */
static void split(void)
{
	pid_t pid = fork();
	int status;

	if (pid && (waitpid(pid, &status, 0) != pid || status))
		abort();
}

/* Say that it begins, and wait for an answer: whether to fork. */
static void __attribute__((constructor)) begin(void)
{
	int fd = atoi(getenv("PLUGIN_TEST_FD"));
	char answer = 0;

	if (write(fd, &answer, 1) != 1 || read(fd, &answer, 1) != 1)
		abort();
	if (answer)
		split();
}
