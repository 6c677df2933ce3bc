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

/* AddressSanitizer needs terabytes of addresses. */
#ifdef __SANITIZE_ADDRESS__
#define MAX_MEMORY RLIM_INFINITY
#else
#define MAX_MEMORY ((rlim_t)2 << 30)
#endif

static char *message;
static struct rlimit time_before, memory_before;

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

void limits_begin(const char *path, unsigned int seconds)
{
	struct sigaction action = { .sa_handler = out_of_time };
	rlim_t limit = lower(RLIMIT_CPU, seconds, &time_before);

	message = need_text("%s: no map of %s was made within %llu s of CPU "
			    "time; its contents may be hostile\n",
			    tool_name, path, (unsigned long long)limit);
	sigaction(SIGXCPU, &action, NULL);
	lower(RLIMIT_AS, MAX_MEMORY, &memory_before);
}

static rlim_t lesser(rlim_t a, rlim_t b)
{
	return a < b ? a : b;
}

struct limits_child limits_child(void)
{
	return (struct limits_child){
		.seconds = lesser(LIMITS_CHILD_SECONDS, time_before.rlim_cur),
		.bytes = lesser(LIMITS_CHILD_BYTES, memory_before.rlim_cur),
	};
}

/* The signal at the limit of time would leave a core file. */
void limits_child_begin(const struct limits_child *limits)
{
	struct rlimit time = { limits->seconds, time_before.rlim_max };
	struct rlimit memory = { limits->bytes, limits->bytes };
	struct rlimit core = { 0, 0 };

	if (setrlimit(RLIMIT_CPU, &time) || setrlimit(RLIMIT_AS, &memory) ||
	    setrlimit(RLIMIT_CORE, &core))
		_exit(EXIT_FAILURE);
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
