// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The kernel counts time and memory, so the limits hold wherever hostile contents cause a
 * long loop, in libraries as well.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/usage.h"
#include "fail.h"
#include "limits.h"

#define MAX_MEMORY ((rlim_t)2 << 30)

static char *message;
static struct rlimit time_before;

static void out_of_time(int nr)
{
	ssize_t n = write(STDERR_FILENO, message, strlen(message));

	(void)n;
	(void)nr;
	_exit(EXIT_FAILURE);
}

/* Return the new limit, which is lower if the caller's is. */
static rlim_t lower(int resource, rlim_t to, struct rlimit *before)
{
	struct rlimit limit;

	if (getrlimit(resource, before))
		fail("cannot limit what is used: %s", strerror(errno));
	limit = *before;
	if (limit.rlim_cur > to)
		limit.rlim_cur = to;
	if (setrlimit(resource, &limit))
		fail("cannot limit what is used: %s", strerror(errno));
	return limit.rlim_cur;
}

/* AddressSanitizer needs terabytes of addresses. */
static void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
	struct rlimit before;

	lower(RLIMIT_AS, MAX_MEMORY, &before);
#endif
}

void limits_begin(const char *path, unsigned int seconds)
{
	struct sigaction action = { .sa_handler = out_of_time };
	rlim_t limit = lower(RLIMIT_CPU, seconds, &time_before);

	message = need_text("%s: no map of %s was made within %llu s of CPU "
			    "time; its contents may be hostile\n",
			    tool_name, path, (unsigned long long)limit);
	sigaction(SIGXCPU, &action, NULL);
	limit_memory();
}

void limits_end(void)
{
	if (!message)
		return;
	setrlimit(RLIMIT_CPU, &time_before);
	signal(SIGXCPU, SIG_DFL);
	free(message);
	message = NULL;
}
