// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* dma-bufs that an engine copies: any part of them, for how long, and revocation. */
#include "dmabuf_memory.h"
#include "engine.h"
#include "kselftest_harness.h"

#define SIZE (64 * PAGE)
#define SEEN 0x5a
#define POISON 0xa5
#define ACCESS_BOTH (ACCESS_LOCAL | ACCESS_PCI)

FIXTURE(engine_dmabuf) {
	struct engine_bed bed;
	uint8_t *seen; /* mapping of the whole dma-buf */
	int fd;
};

FIXTURE_VARIANT(engine_dmabuf) {
	dmabuf_create_t *create;
};

FIXTURE_VARIANT_ADD(engine_dmabuf, vgem) { .create = dmabuf_vgem };
FIXTURE_VARIANT_ADD(engine_dmabuf, udmabuf) { .create = dmabuf_udmabuf };
FIXTURE_VARIANT_ADD(engine_dmabuf, heap) { .create = dmabuf_heap };

FIXTURE_SETUP(engine_dmabuf)
{
	struct buf b;
	int err;

	ENGINE_OPEN(&self->bed);
	self->fd = variant->create(SIZE, true);
	if (self->fd == -ENODEV)
		SKIP_SETUP("no such exporter, or the driver takes no dma-bufs");
	ASSERT_LE(0, self->fd);
	err = dmabuf_make(&self->bed.d, &b, self->fd, 0, 0, SIZE, ACCESS_BOTH);
	if (err == -EOPNOTSUPP)
		SKIP_SETUP("the exporter does not map it for the kernel");
	ASSERT_EQ(0, err);
	ASSERT_EQ(0, mem_dereg(self->bed.d.fd, b.mem));
	self->seen = dmabuf_mmap(self->fd, SIZE, true);
	ASSERT_NE(NULL, self->seen);
	ASSERT_EQ(2, engine_maps(&self->bed.nl, self->bed.d.device, 2));
}

FIXTURE_TEARDOWN(engine_dmabuf)
{
	munmap(self->seen, SIZE);
	close(self->fd);
	ENGINE_CLOSE(&self->bed);
}

static uint64_t value_of(struct engine_bed *bed, int attr)
{
	return engine_value(&bed->nl, bed->d.device, attr);
}

static int copy(struct queue *q, struct doca_seg dst, struct doca_seg src)
{
	struct doca_cqe cqe;
	int err;

	queue_push(q, sqe_copy(dst, src));
	err = queue_publish(q) ?: engine_wait(q, &cqe, 10000);
	return err ? err : (int)cqe.status;
}

/* Copy all of a dma-buf's memory out and in, and compare with the mapping */
static bool works(struct engine_bed *bed, struct buf *b, uint8_t *seen)
{
	uint8_t *out = bed->dst.addr, *in = bed->src.addr;

	fill_random(seen, b->length, 3);
	return !copy(&bed->q, seg_of(&bed->dst, 0, b->length),
		     seg_of(b, 0, b->length)) &&
	       !memcmp(out, seen, b->length) &&
	       !copy(&bed->q, seg_of(b, 0, b->length),
		     seg_of(&bed->src, 0, b->length)) &&
	       !memcmp(in, seen, b->length);
}

/* Each byte goes by the engine, and no other: across the borders of the largest chunks, too */
TEST_F(engine_dmabuf, any_part_by_any_address)
{
	const struct {
		uint64_t addr, offset, length;
	} parts[] = {
		{ 0, 0, SIZE },
		{ 3 * PAGE, PAGE, SIZE - 2 * PAGE },
		{ (1UL << 30) - PAGE + 33, 5 * PAGE + 33, SIZE - 6 * PAGE - 77 },
		{ -(uint64_t)SIZE - PAGE + 1, PAGE + 1, SIZE - PAGE - 1 },
		{ 33, SIZE - 2 * PAGE + 33, PAGE },
	};
	struct engine_bed *bed = &self->bed;
	struct buf b;
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		uint64_t before = value_of(bed, DOCA_GENL_A_BYTES);
		uint64_t at = parts[i].offset, end = at + parts[i].length;

		ASSERT_EQ(0, dmabuf_make(&bed->d, &b, self->fd, parts[i].addr, at,
				  parts[i].length, ACCESS_BOTH));
		EXPECT_EQ(3, value_of(bed, DOCA_GENL_A_ENGINE_MAPS));
		memset(self->seen, SEEN, SIZE);
		EXPECT_TRUE(works(bed, &b, self->seen + at));
		EXPECT_EQ(2 * parts[i].length,
			  value_of(bed, DOCA_GENL_A_BYTES) - before);
		if (at)
			EXPECT_EQ(SEEN, self->seen[at - 1]);
		if (end < SIZE)
			EXPECT_EQ(SEEN, self->seen[end]);
		ASSERT_EQ(0, mem_dereg(bed->d.fd, b.mem));
		EXPECT_EQ(2, engine_maps(&bed->nl, bed->d.device, 2));
	}
}

/* All mappings share one map, imported ones too, and it goes with the last */
TEST_F(engine_dmabuf, shared_and_revoked_in_flight)
{
	struct engine_bed *bed = &self->bed;
	struct doca other = { .device = bed->d.device };
	struct doca_mem_import import;
	struct doca_blob blob;
	struct buf b, mine;
	struct queue q;
	uint64_t start;
	uint32_t id;
	size_t i;

	ASSERT_EQ(0, dmabuf_make(&bed->d, &b, self->fd, 0, 0, SIZE, ACCESS_BOTH));
	ASSERT_EQ(0, mem_export(bed->d.fd, b.key, 0, &blob, &id));
	other.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, other.fd);
	ASSERT_EQ(0, mem_import(other.fd, other.device, &blob, &import));
	EXPECT_EQ(3, value_of(bed, DOCA_GENL_A_ENGINE_MAPS));
	ASSERT_EQ(0, buf_make(&other, &mine, SIZE, ACCESS_LOCAL));
	ASSERT_EQ(0, engine_queue(&q, &other, 4, 0));

	/* It is written long before the engine reports it */
	ASSERT_EQ(0, knob("delay_us", 300000));
	queue_push(&q, sqe_copy(seg_at(import.out_key, NULL, SIZE),
				seg_of(&mine, 0, SIZE)));
	ASSERT_EQ(0, queue_publish(&q));
	pause_us(100000);
	start = now_ns();
	ASSERT_EQ(0, export_revoke(bed->d.fd, id));
	EXPECT_LT(100000000ULL, now_ns() - start);
	memset(self->seen, POISON, SIZE);
	pause_us(400000);
	for (i = 0; i < SIZE && self->seen[i] == POISON; i++)
		;
	EXPECT_EQ(SIZE, i);
	ASSERT_EQ(0, knob("delay_us", 0));

	/* The exporter's own mapping goes on */
	EXPECT_TRUE(works(bed, &b, self->seen));
	ASSERT_EQ(0, mem_dereg(bed->d.fd, b.mem));
	EXPECT_EQ(3, engine_maps(&bed->nl, bed->d.device, 3));
	queue_close(&q);
	close(other.fd);
	EXPECT_EQ(2, engine_maps(&bed->nl, bed->d.device, 2));
	munmap(mine.addr, SIZE);
}

/* The engine loses the memory, but the memory stays */
TEST_F(engine_dmabuf, outlives_the_engine)
{
	struct engine_bed *bed = &self->bed;
	struct buf b;
	int i;

	ASSERT_EQ(0, dmabuf_make(&bed->d, &b, self->fd, 0, 0, SIZE, ACCESS_BOTH));
	ASSERT_EQ(0, knob("delay_us", 20000));
	for (i = 0; i < 4; i++)
		queue_push(&bed->q, sqe_copy(seg_of(&b, 0, SIZE),
					     seg_of(&bed->src, 0, SIZE)));
	ASSERT_EQ(0, queue_publish(&bed->q));
	ASSERT_EQ(0, engine_change(&bed->nl, DOCA_GENL_CMD_ENGINE_DEL));
	ASSERT_EQ(0, engine_change(&bed->nl, DOCA_GENL_CMD_ENGINE_ADD));
	bed->d.device = engine_device(&bed->nl);
	EXPECT_EQ(0, value_of(bed, DOCA_GENL_A_ENGINE_MAPS));
	ASSERT_EQ(0, mem_map(bed->d.fd, b.mem, bed->d.device, ACCESS_LOCAL,
			     &b.key));
	ASSERT_EQ(0, mem_map(bed->d.fd, bed->src.mem, bed->d.device,
			     ACCESS_LOCAL, &bed->src.key));
	ASSERT_EQ(0, mem_map(bed->d.fd, bed->dst.mem, bed->d.device,
			     ACCESS_LOCAL, &bed->dst.key));
	queue_close(&bed->q);
	ASSERT_EQ(0, queue_open(&bed->q, &bed->d, 0, 64, 0));
	EXPECT_TRUE(works(bed, &b, self->seen));
	EXPECT_EQ(3, value_of(bed, DOCA_GENL_A_ENGINE_MAPS));
	ASSERT_EQ(0, mem_dereg(bed->d.fd, b.mem));
}

/* A map is charged as a whole */
TEST_F(engine_dmabuf, charged_as_a_whole)
{
	struct engine_bed *bed = &self->bed;
	struct buf b;

	ASSERT_EQ(0, parameter("max_dmamap_bytes",
			       2 * ENGINE_LENGTH + 32 * PAGE));
	EXPECT_EQ(0, dmabuf_make(&bed->d, &b, self->fd, 0, 0, PAGE, ACCESS_BOTH));
	EXPECT_EQ(2, value_of(bed, DOCA_GENL_A_ENGINE_MAPS));
	EXPECT_TRUE(works(bed, &b, self->seen));
	EXPECT_EQ(0, mem_dereg(bed->d.fd, b.mem));
	ASSERT_EQ(0, parameter("max_dmamap_bytes",
			       2 * ENGINE_LENGTH + 256 * PAGE));
	EXPECT_EQ(0, dmabuf_make(&bed->d, &b, self->fd, 0, 0, PAGE, ACCESS_BOTH));
	EXPECT_EQ(3, value_of(bed, DOCA_GENL_A_ENGINE_MAPS));
	EXPECT_EQ(0, mem_dereg(bed->d.fd, b.mem));
	ASSERT_EQ(0, parameter("max_dmamap_bytes", 0));
}

TEST_HARNESS_MAIN
