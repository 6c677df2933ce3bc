// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "data/stop.h"

static const int stop_signals[] = { SIGINT, SIGTERM, SIGHUP };
#define NR_STOP_SIGNALS (sizeof(stop_signals) / sizeof(stop_signals[0]))

static volatile sig_atomic_t requested;
static volatile time_t requested_at;

/* timeout(1) and shells send one request twice: to a process, and to its group. */
#define SAME_REQUEST_SECONDS 1

static void on_signal(int sig)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!requested) {
		requested_at = now.tv_sec;
		requested = 1;
	} else if (now.tv_sec - requested_at > SAME_REQUEST_SECONDS) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
}

void stop_init(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct sigaction old;
	size_t i;

	/* Let writes fail, so that the program says why. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(&sa.sa_mask);
	for (i = 0; i < NR_STOP_SIGNALS; i++) {
		/* nohup and shells ignore signals on purpose */
		sigaction(stop_signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(stop_signals[i], &sa, NULL);
	}
}

bool stop_requested(void)
{
	return requested;
}

void stop_or_readable(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	sigset_t block, old;
	size_t i;

	/* Block signals, so that none arrives between the check and the sleep. */
	sigemptyset(&block);
	for (i = 0; i < NR_STOP_SIGNALS; i++)
		sigaddset(&block, stop_signals[i]);
	sigprocmask(SIG_BLOCK, &block, &old);
	if (!requested)
		ppoll(&pfd, 1, NULL, &old);
	sigprocmask(SIG_SETMASK, &old, NULL);
}
