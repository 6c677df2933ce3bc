/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A pool of device memory, which each test leaves as it was. */
#ifndef SELFTESTS_UAPI_DM_FIXTURE_H
#define SELFTESTS_UAPI_DM_FIXTURE_H

#include "dm.h"
#include "kselftest_harness.h"
#include "memory.h"

#define LEN (5 * PAGE + 7)

FIXTURE(dm) {
	struct doca d;
	struct doca_dm_query was;
};

FIXTURE_SETUP(dm)
{
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, dm_query(self->d.fd, self->d.device, &self->was));
	ASSERT_LT(16 * LEN, self->was.out_free);
}

/* Wait until memory left behind by ended processes is back. */
static inline struct doca_dm_query query_settled(int fd, const struct doca_dm_query *was)
{
	uint64_t end = now_ns() + WAIT_NS;
	struct doca_dm_query is;

	while (!dm_query(fd, was->device_id, &is) && memcmp(&is, was, sizeof(is)) &&
	       now_ns() < end)
		pause_us(1000);
	return is;
}

#define EXPECT_WHOLE(self)                                                     \
	do {                                                                   \
		struct doca_dm_query is_ =                                     \
			query_settled((self)->d.fd, &(self)->was);             \
                                                                               \
		EXPECT_EQ((self)->was.out_free, is_.out_free);                 \
		EXPECT_EQ((self)->was.out_nr, is_.out_nr);                     \
	} while (0)

FIXTURE_TEARDOWN(dm)
{
	int fd = self->d.fd;

	/* Closing the file frees what the test has left in it. */
	self->d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	close(fd);
	EXPECT_WHOLE(self);
	DOCA_CLOSE(&self->d);
}

static inline uint64_t used(FIXTURE_DATA(dm) *self)
{
	struct doca_dm_query is = {};

	dm_query(self->d.fd, self->d.device, &is);
	return self->was.out_free - is.out_free;
}

static inline bool is_filled(const uint8_t *p, size_t length, uint8_t with)
{
	while (length && *p == with)
		p++, length--;
	return !length;
}

#endif
