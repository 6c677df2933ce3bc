/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A map of memory that can be started. */
#ifndef DOCA_TESTS_MMAP_BED_H
#define DOCA_TESTS_MMAP_BED_H

#include "ktap.h"
#include "fake_mem.h"
#include "logged.h"
#include "core/memory/mmap.h"

#define LEN ((size_t)8192)
#define LR DOCA_ACCESS_LOCAL_READ
#define LRW (DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE)

static char room[LEN + 16];
static char *const memory = room + 8;

/* An mmap that can be started, on nr devices with the ids 1, 2, ... */
static inline struct doca_mmap *make(struct doca_dev **devs, uint32_t nr)
{
	struct doca_mmap *mmap;
	uint32_t i;

	fake_reset();
	if (doca_mmap_create(&mmap))
		abort();
	for (i = 0; i < nr; i++) {
		devs[i] = fake_dev(i + 1);
		if (doca_mmap_add_dev(mmap, devs[i]))
			abort();
	}
	if (doca_mmap_set_memrange(mmap, memory, LEN))
		abort();
	return mmap;
}

static inline void close_all(struct doca_dev **devs, uint32_t nr)
{
	while (nr--)
		doca_dev_close(devs[nr]);
	EXPECT_CLEAN();
}

static inline void destroy(struct doca_mmap *mmap)
{
	EXPECT_EQ(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

/* Of all the memory. */
static inline void count_free(void *addr, size_t len, void *cookie)
{
	if (addr == memory && len == LEN)
		++*(int *)cookie;
}

#endif /* DOCA_TESTS_MMAP_BED_H */
