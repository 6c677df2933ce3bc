// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The thread of pe_watch.h. It ends with the process that has started it. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "core/objects.h"
#include "pe_watch.h"

#define NS_PER_SEC 1000000000L

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;
static bool running;
static sem_t end;

/* Use a clock that nobody can set back. */
static struct timespec in_ns(long ns)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	at.tv_nsec += ns;
	at.tv_sec += at.tv_nsec / NS_PER_SEC;
	at.tv_nsec %= NS_PER_SEC;
	return at;
}

static void *watch(void *arg)
{
	struct timespec at;

	(void)arg;
	do {
		pe_watch_look();
		at = in_ns(NS_PER_SEC / PE_WATCH_LOOKS);
	} while (sem_clockwait(&end, CLOCK_MONOTONIC, &at));
	return NULL;
}

/* The thread does not exist in the child, which may start its own. */
static void prepare(void)
{
	pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	running = false;
	pthread_mutex_unlock(&lock);
}

/* A constructor, because a fork in progress ignores handlers that are registered later. */
__attribute__((constructor)) static void watch_forks(void)
{
	if (doca_priv_debug)
		pthread_atfork(prepare, in_parent, in_child);
}

/* Block signals: they are for the program's threads. Without a thread, nothing is told. */
void pe_watch_start(void)
{
	sigset_t all, before;

	pthread_mutex_lock(&lock);
	if (!running && !sem_init(&end, 0, 0)) {
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		running = !pthread_create(&thread, NULL, watch, NULL);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	pthread_mutex_unlock(&lock);
}

/*
 * End the thread, which would look like a leak. The program's log may block it, waiting
 * for this thread; then it ends with the process.
 */
__attribute__((destructor)) static void watch_end(void)
{
	struct timespec at;

	if (!running)
		return;
	sem_post(&end);
	at = in_ns(NS_PER_SEC);
	pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &at);
	running = false;
}
