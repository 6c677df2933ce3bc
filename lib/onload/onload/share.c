// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "zc.h"

/* Used as long as no memory can be allocated; doca_zc does not see it. */
static struct stats unseen;
static _Atomic(struct stats *) shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void share_lock(void)
{
	pthread_mutex_lock(&lock);
}

void share_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

/* It is not in a child: what that counts would be taken for its parent's. */
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
			close(fd);
		stats = &unseen;
	}
	stats->pid = getpid();
	stats->magic = STATS_MAGIC;
	return stats;
}

struct stats *share_get(void)
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

/* Its memfd stays open in the child, where the number of the process says whose it is. */
void share_leave_to_parent(void)
{
	memset(&unseen, 0, sizeof(unseen));
	atomic_store(&shared, NULL);
}

void share_count(uint64_t *counter, uint64_t n)
{
	__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}
