// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * When the driver in the process asks for algorithms of other libraries, and what may happen
 * meanwhile. It has one table in a process, so each test has its own.
 */
#include <errno.h>

#include <linux/doca.h>

#include "in_child.h"
#include "process/compute/compute.h"
#include "process/driver/inproc.h"

static const struct compute_hash hash = { .size = 8 };
static const struct compute table = { .version = COMPUTE_VERSION, .sha1 = &hash };

static struct {
	int fd;
	unsigned int loads;
	bool inner; /* the loader is at work in the outer call */
} bed;

static bool has_hashes(void)
{
	struct doca_device_query query = { .size = sizeof(query), .opcode = DOCA_OP_HASH };

	int err = inproc_call(bed.fd, DOCA_DEVICE_QUERY, &query);

	if (err == -ENOENT) /* the operation is not executed */
		return false;
	EXPECT_EQ(err, 0);
	return query.out_variants;
}

static void set_up(const struct compute *(*load)(void))
{
	inproc_set_compute(load);
	bed.fd = inproc_open();
	ASSERT(bed.fd >= 0);
}

static const struct compute *load_later(void)
{
	return ++bed.loads < 3 ? NULL : &table;
}

static void later(void)
{
	set_up(load_later);
	EXPECT(!has_hashes());
	EXPECT(!has_hashes());
	EXPECT(has_hashes());
	EXPECT(has_hashes());
	EXPECT_EQ(bed.loads, 3);
	inproc_close(bed.fd);
}

TEST(a_failure_to_load_is_not_kept)
{
	IN_CHILD(later());
}

/* The thread that loads runs constructors of what is loaded, and these may ask us. */
static const struct compute *load_and_ask(void)
{
	if (!bed.inner) {
		bed.inner = true;
		EXPECT(has_hashes());
	}
	return &table;
}

static void asked(void)
{
	set_up(load_and_ask);
	EXPECT(has_hashes());
	inproc_close(bed.fd);
}

TEST(constructors_of_what_is_loaded_may_ask)
{
	IN_CHILD(asked());
}
