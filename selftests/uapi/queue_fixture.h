/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A small queue. */
#ifndef SELFTESTS_UAPI_QUEUE_FIXTURE_H
#define SELFTESTS_UAPI_QUEUE_FIXTURE_H

#include "doca_ring.h"
#include "kselftest_harness.h"

FIXTURE(queue) {
	struct doca d;
	struct doca_query limits;
	struct queue q;
};

FIXTURE_SETUP(queue)
{
	DOCA_OPEN(&self->d);
	ASSERT_EQ(0, query(self->d.fd, &self->limits));
	ASSERT_EQ(0, queue_open(&self->q, &self->d, 0, 8, 4));
}

FIXTURE_TEARDOWN(queue)
{
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
}

#endif /* SELFTESTS_UAPI_QUEUE_FIXTURE_H */
