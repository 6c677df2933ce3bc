// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../zc.h"

/* Used while no memory can be allocated; doca_zc does not see it. */
static struct stats unseen;
static _Atomic(struct stats *) shared;
static unsigned int nr_shown;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void stats_lock(void)
{
	pthread_mutex_lock(&lock);
}

void stats_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

/* A child does not inherit it: its counts would be taken for its parent's. */
static struct stats *make(void)
{
	int fd = memfd_create(STATS_NAME, MFD_CLOEXEC);
	struct stats *stats = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, sizeof(*stats)))
		stats = mmap(NULL, sizeof(*stats), PROT_READ | PROT_WRITE,
			     MAP_SHARED, fd, 0);
	if (stats == MAP_FAILED ||
	    madvise(stats, sizeof(*stats), MADV_DONTFORK)) {
		log_info("doca_zc does not see this process: %m");
		if (stats != MAP_FAILED)
			munmap(stats, sizeof(*stats));
		if (fd >= 0)
			real()->close(fd);
		stats = &unseen;
	}
	stats->pid = getpid();
	stats->magic = STATS_MAGIC;
	return stats;
}

struct stats *stats_get(void)
{
	struct stats *stats = atomic_load(&shared);

	if (stats)
		return stats;
	pthread_mutex_lock(&lock);
	stats = atomic_load(&shared);
	if (!stats) {
		stats = make();
		atomic_store(&shared, stats);
	}
	pthread_mutex_unlock(&lock);
	return stats;
}

/* The memfd stays open in the child; the process id in it tells the owner. */
void stats_leave_to_parent(void)
{
	memset(&unseen, 0, sizeof(unseen));
	atomic_store(&shared, NULL);
	nr_shown = 0;
}

/* Beyond the limit, sockets share a place that is not shown. */
struct stats_socket *stats_show(int fd, uint64_t cookie)
{
	static struct stats_socket nowhere;
	struct stats_socket *s = &nowhere;

	if (nr_shown < STATS_SOCKETS)
		s = &stats_get()->sockets[nr_shown++];
	s->fd = fd;
	strcpy(s->path, "kernel");
	__atomic_store_n(&s->cookie, cookie, __ATOMIC_RELEASE);
	return s;
}

/* The counters of the old socket end. */
void stats_restart(struct stats_socket *s, uint64_t cookie)
{
	if (!s)
		return;
	stats_set_path(s, "kernel", "");
	__atomic_store_n(&s->past, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&s->bad, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&s->partial, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&s->lost, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&s->datagrams, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&s->bytes, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&s->no_buffer, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&s->not_inline, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&s->cookie, cookie, __ATOMIC_RELAXED);
}

void stats_set_path(struct stats_socket *s, const char *path,
		    const char *reason)
{
	if (!s)
		return;
	snprintf(s->path, sizeof(s->path), "%s", path);
	snprintf(s->reason, sizeof(s->reason), "%s", reason);
}

/* Relaxed: readers do not rely on any order. */
static void add(uint64_t *counter, uint64_t n)
{
	__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

void stats_count(struct stats_socket *s, enum stats_event event, size_t bytes)
{
	if (!s)
		return;
	switch (event) {
	case PAST:
		add(&s->past, 1);
		/* fallthrough */
	case DATAGRAM:
		add(&s->datagrams, 1);
		add(&s->bytes, bytes);
		break;
	case BAD:
		add(&s->bad, 1);
		break;
	case PARTIAL:
		add(&s->partial, 1);
		break;
	case NO_BUFFER:
		add(&s->no_buffer, 1);
		break;
	case NOT_INLINE:
		add(&s->not_inline, 1);
		break;
	}
}
