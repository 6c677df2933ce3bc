/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Common code for tests of device memory on devices without it. */
#ifndef DOCA_TESTS_DM_BED_H
#define DOCA_TESTS_DM_BED_H

#include <errno.h>
#include <stdlib.h>

#include <open_doca_dm.h>

#include "ktap.h"
#include "logged.h"
#include "verbs.h"

#define POOL ((size_t)16 << 20)
#define PAGE 4096
#define ZERO_BASED (IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ)

/* Take the memory from the process, without a warning. */
__attribute__((constructor)) static void ask_for_the_process(void)
{
	setenv("DOCA_DRIVER", "process", 1);
}

static inline struct ibv_dm *alloc_aligned(struct ibv_context *verbs, size_t length,
					   uint32_t log_align)
{
	struct ibv_alloc_dm_attr attr = { .length = length, .log_align_req = log_align };

	errno = 0;
	return ibv_alloc_dm(verbs, &attr);
}

static inline struct ibv_dm *alloc(struct ibv_context *verbs, size_t length)
{
	return alloc_aligned(verbs, length, 0);
}

static inline char *addr_of(struct ibv_dm *dm)
{
	void *addr = NULL;
	size_t len;

	EXPECT_EQ(open_doca_dm_get_addr(dm, &addr, &len), 0);
	return addr;
}

/* Two contexts of one device, and one of another, which tests leave unchanged. */
static struct ibv_context *ctx, *again, *other;

static inline void open_contexts(void)
{
	ctx = ibv_open_device(&fake_plain);
	again = ibv_open_device(&fake_plain);
	other = ibv_open_device(&fake_other);
	if (!ctx || !again || !other)
		abort();
}

/* The call returns NULL with this errno. */
#define EXPECT_NONE(call, err)         \
	do {                           \
		errno = 0;             \
		EXPECT(!(call));       \
		EXPECT_EQ(errno, err); \
	} while (0)

/* The whole pool can be allocated, and no more, so everything is free. */
static inline void expect_whole(struct ibv_context *verbs)
{
	struct ibv_dm *dm = alloc(verbs, POOL);

	EXPECT(dm);
	if (dm)
		EXPECT_EQ(ibv_free_dm(dm), 0);
}

#endif /* DOCA_TESTS_DM_BED_H */
