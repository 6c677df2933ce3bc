// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The addresses of an engine: the slow one has 256 MiB. A user that has none left goes on
 * by CPU, and takes none from others.
 */
#include <limits.h>
#include "engine.h"
#include "memory.h"
#include "kselftest_harness.h"

/*
 * The kernel aligns the addresses of a map to its size, rounded up to a power of two, and
 * never uses the first page: so three of these would fit, if the fixture's two buffers
 * were not at the end of the last place.
 */
#define AREA (60 * MIB)
#define AREAS 4
#define PLACES 2
#define SOMEBODY 65534

FIXTURE(engine_space) {
	struct engine_bed bed;
	uint64_t maps; /* the fixture's */
};

FIXTURE_SETUP(engine_space)
{
	ENGINE_OPEN_OF(&self->bed, ENGINE_SLOW, 2000);
	self->maps = engine_maps(&self->bed.nl, self->bed.d.device, 2);
	ASSERT_EQ(2, self->maps);
}

FIXTURE_TEARDOWN(engine_space)
{
	EXPECT_EQ(0, parameter("max_dmamap_bytes", 0));
	ENGINE_CLOSE(&self->bed);
}

static uint64_t value_of(struct engine_bed *bed, int attr)
{
	return engine_value(&bed->nl, bed->d.device, attr);
}

/* Copy the first page there and back; return the engine's bytes, or -1 */
static int64_t bytes_of_copies(struct engine_bed *bed, struct buf *b)
{
	uint64_t before = value_of(bed, DOCA_GENL_A_BYTES);
	struct doca_cqe cqe;
	int i;

	fill_random(b->addr, PAGE, 6);
	queue_push(&bed->q, sqe_copy(seg_of(&bed->dst, 0, PAGE),
				     seg_of(b, 0, PAGE)));
	queue_push(&bed->q, sqe_copy(seg_of(b, PAGE, PAGE),
				     seg_of(&bed->dst, 0, PAGE)));
	if (queue_publish(&bed->q))
		return -1;
	for (i = 0; i < 2; i++)
		if (engine_wait(&bed->q, &cqe, 5000) || cqe.status)
			return -1;
	if (memcmp(bed->dst.addr, b->addr, PAGE) ||
	    memcmp(b->addr + PAGE, b->addr, PAGE))
		return -1;
	return value_of(bed, DOCA_GENL_A_BYTES) - before;
}

TEST_F_TIMEOUT(engine_space, there_is_no_more, 120)
{
	struct engine_bed *bed = &self->bed;
	struct buf areas[AREAS];
	struct buf *last = &areas[AREAS - 1];
	int i;

	/* No limit: the default is what an engine has */
	ASSERT_EQ(0, parameter("max_dmamap_bytes", ULONG_MAX));
	for (i = 0; i < AREAS; i++) {
		ASSERT_EQ(0, buf_make(&bed->d, &areas[i], AREA, ACCESS_LOCAL));
		EXPECT_EQ(self->maps + (i < PLACES ? i + 1 : PLACES),
			  value_of(bed, DOCA_GENL_A_ENGINE_MAPS));
	}
	EXPECT_EQ(2 * PAGE, bytes_of_copies(bed, &areas[0]));
	EXPECT_EQ(0, bytes_of_copies(bed, last));

	/* When a user has given some back, there is room for the next map */
	ASSERT_EQ(0, mem_dereg(bed->d.fd, areas[0].mem));
	ASSERT_EQ(0, mem_unmap(bed->d.fd, last->key));
	ASSERT_EQ(0, mem_map(bed->d.fd, last->mem, bed->d.device, ACCESS_LOCAL,
			     &last->key));
	EXPECT_EQ(2 * PAGE, bytes_of_copies(bed, last));
	for (i = 1; i < AREAS; i++) {
		ASSERT_EQ(0, mem_dereg(bed->d.fd, areas[i].mem));
	}
	EXPECT_EQ(self->maps,
		  engine_maps(&bed->nl, bed->d.device, self->maps));
	for (i = 0; i < AREAS; i++)
		munmap(areas[i].addr, AREA);
}

/* Map memory as another user: return whether the engine gets a map for it */
static int map_as_somebody(struct engine_bed *bed)
{
	uint64_t maps = value_of(bed, DOCA_GENL_A_ENGINE_MAPS);
	struct doca d = { .device = bed->d.device };
	struct buf b;

	if (become_user(SOMEBODY))
		return 1;
	d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	if (d.fd < 0 || buf_make(&d, &b, 16 * PAGE, ACCESS_LOCAL))
		return 2;
	return value_of(bed, DOCA_GENL_A_ENGINE_MAPS) == maps + 1 ? 0 : 3;
}

/* The limit holds for each user, and memory above it is given back at once */
static void take_and_be_refused(struct __test_metadata *_metadata,
				FIXTURE_DATA(engine_space) *self, size_t size)
{
	struct engine_bed *bed = &self->bed;
	struct buf bufs[2];
	pid_t pid;
	int i;

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, buf_make(&bed->d, &bufs[i], size, ACCESS_LOCAL));
		EXPECT_EQ(self->maps + 1,
			  value_of(bed, DOCA_GENL_A_ENGINE_MAPS));
	}
	EXPECT_EQ(2 * PAGE, bytes_of_copies(bed, &bufs[0]));
	EXPECT_EQ(0, bytes_of_copies(bed, &bufs[1]));
	pid = fork();
	if (!pid)
		_exit(map_as_somebody(bed));
	EXPECT_EQ(0, child_wait(pid));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, mem_dereg(bed->d.fd, bufs[i].mem));
		munmap(bufs[i].addr, size);
	}
}

/* The fixture uses 8 MiB of it */
TEST_F(engine_space, who_is_at_his_limit_harms_nobody)
{
	ASSERT_EQ(0, parameter("max_dmamap_bytes", 16 * MIB));
	take_and_be_refused(_metadata, self, 6 * MIB);
}

/* The default is a quarter of the engine's addresses */
TEST_F(engine_space, there_is_a_limit_unless_told_otherwise)
{
	take_and_be_refused(_metadata, self, 40 * MIB);
}

TEST_HARNESS_MAIN
