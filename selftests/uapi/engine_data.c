// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Much data by a DMA engine, of memory of all kinds, and for several processes at a time. */
#include "engine.h"
#include "hugetlb.h"
#include "memory.h"
#include "kselftest_harness.h"

#define WAIT_MS 60000
#define SEGMENTS 64
#define LARGEST (128 * MIB)
#define HUGE (2 * MIB)
#define PROCESSES 4
#define DEPTH 32
#define SHARE (2 * MIB)

FIXTURE(engine_data) {
	struct engine_bed bed;
};

FIXTURE_SETUP(engine_data)
{
	ENGINE_OPEN(&self->bed);
}

FIXTURE_TEARDOWN(engine_data)
{
	ENGINE_CLOSE(&self->bed);
}

static uint64_t bytes_of(struct engine_bed *bed)
{
	return engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES);
}

/* Return the status, negative if there is none */
static int copy_by(struct queue *q, struct doca_sqe sqe)
{
	struct doca_cqe cqe;
	int err;

	queue_push(q, sqe);
	err = queue_publish(q);
	if (!err)
		err = engine_wait(q, &cqe, WAIT_MS);
	return err ? err : (int)cqe.status;
}

/* The engine copies every byte, however many pieces there are */
TEST_F(engine_data, as_much_as_is_asked_for)
{
	const uint32_t lengths[] = { 16 * MIB - 1, 33 * MIB + 4097, LARGEST };
	struct engine_bed *bed = &self->bed;
	struct buf src, dst;
	uint64_t before;
	size_t i;

	ASSERT_EQ(0, buf_make(&bed->d, &src, LARGEST, ACCESS_LOCAL));
	ASSERT_EQ(0, buf_make(&bed->d, &dst, LARGEST + PAGE, ACCESS_LOCAL));
	fill_words(src.addr, LARGEST, 3);
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		before = bytes_of(bed);
		ASSERT_EQ(0, copy_by(&bed->q,
				     sqe_copy(seg_of(&dst, 3, lengths[i]),
					      seg_of(&src, 0, lengths[i]))));
		EXPECT_EQ(lengths[i], bytes_of(bed) - before);
		EXPECT_EQ(0, memcmp(dst.addr + 3, src.addr, lengths[i]));
		EXPECT_EQ(0, dst.addr[2]);
		EXPECT_EQ(0, dst.addr[3 + lengths[i]]);
		memset(dst.addr, 0, lengths[i] + 3);
	}
	ASSERT_EQ(0, mem_dereg(bed->d.fd, src.mem));
	ASSERT_EQ(0, mem_dereg(bed->d.fd, dst.mem));
	munmap(src.addr, LARGEST);
	munmap(dst.addr, LARGEST + PAGE);
}

/* Cut it into @n segments, none of which is empty */
static void cut(struct doca_seg *segs, uint32_t n, const struct buf *b,
		uint32_t length, uint32_t *state)
{
	uint32_t i, at = 7;

	for (i = 0; i < n; i++) {
		uint32_t left = length - (n - 1 - i), part;

		part = 1 + prng(state) % (2 * left / (n - i));
		if (part > left || i == n - 1)
			part = left;
		segs[i] = seg_of(b, at, part);
		at += part;
		length -= part;
	}
}

TEST_F(engine_data, lists)
{
	const uint16_t both = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST;
	struct engine_bed *bed = &self->bed;
	uint64_t before, wanted = 0;
	uint32_t state = 5, length;
	struct queue q;
	int round;

	ASSERT_EQ(0, engine_queue(&q, &bed->d, 1, 2 * SEGMENTS));
	before = bytes_of(bed);
	for (round = 0; round < 20; round++) {
		length = 4096 + prng(&state) % (ENGINE_LENGTH / 4);
		cut(q.segs, SEGMENTS, &bed->src, length, &state);
		cut(q.segs + SEGMENTS, SEGMENTS, &bed->dst, length, &state);
		memset(bed->dst.addr, 0x5a, length + 8);
		ASSERT_EQ(0, copy_by(&q, sqe_copy_list(
				seg_list(SEGMENTS, SEGMENTS),
				seg_list(0, SEGMENTS), both)));
		EXPECT_EQ(0, memcmp(bed->dst.addr + 7, bed->src.addr + 7,
				    length));
		EXPECT_EQ(0x5a, bed->dst.addr[6]);
		EXPECT_EQ(0x5a, bed->dst.addr[length + 7]);
		wanted += length;
	}
	EXPECT_EQ(wanted, bytes_of(bed) - before);
	queue_close(&q);
}

static void copy_there_and_back(struct __test_metadata *_metadata,
				struct engine_bed *bed, uint8_t *p,
				size_t length)
{
	uint64_t before = bytes_of(bed);
	struct buf b = { .addr = p, .length = length };

	fill_random(p, length, 8);
	ASSERT_EQ(0, mem_reg(bed->d.fd, p, length, ACCESS_LOCAL, &b.mem));
	ASSERT_EQ(0, mem_map(bed->d.fd, b.mem, bed->d.device, ACCESS_LOCAL,
			     &b.key));
	ASSERT_EQ(0, copy_by(&bed->q, sqe_copy(seg_of(&bed->dst, 0, length),
					       seg_of(&b, 0, length))));
	EXPECT_EQ(0, memcmp(bed->dst.addr, p, length));
	ASSERT_EQ(0, copy_by(&bed->q, sqe_copy(seg_of(&b, 1, length - 1),
					       seg_of(&bed->src, 0, length - 1))));
	EXPECT_EQ(0, memcmp(bed->src.addr, p + 1, length - 1));
	EXPECT_EQ(2 * length - 1, bytes_of(bed) - before);
	ASSERT_EQ(0, mem_dereg(bed->d.fd, b.mem));
}

TEST_F(engine_data, huge_pages)
{
	uint8_t *p = pages_alloc(2 * HUGE);
	uint8_t *aligned = (uint8_t *)(((uintptr_t)p + HUGE - 1) & ~(HUGE - 1));

	ASSERT_NE(NULL, p);
	madvise(aligned, HUGE, MADV_HUGEPAGE);
	copy_there_and_back(_metadata, &self->bed, aligned, HUGE);
	munmap(p, 2 * HUGE);
}

TEST_F(engine_data, pages_of_hugetlb)
{
	long had = hugetlb_pool();
	void *p;

	hugetlb_set_pool(had + 1);
	p = mmap(NULL, HUGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_HUGE_2MB, -1, 0);
	if (p == MAP_FAILED) {
		hugetlb_set_pool(had);
		SKIP(return, "no huge page of 2 MiB could be reserved");
	}
	copy_there_and_back(_metadata, &self->bed, p, HUGE);
	munmap(p, HUGE);
	hugetlb_set_pool(had);
}

/* The engine still could copy, for the pages are pinned: but it would read stale data */
TEST_F(engine_data, what_a_file_has_lost)
{
	struct engine_bed *bed = &self->bed;
	struct buf b = { .length = SHARE };
	int fd = memfd_create("doca", MFD_CLOEXEC);
	uint64_t before = bytes_of(bed);

	ASSERT_EQ(0, ftruncate(fd, SHARE));
	b.addr = mmap(NULL, SHARE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, b.addr);
	fill_random(b.addr, SHARE, 8);
	ASSERT_EQ(0, mem_reg(bed->d.fd, b.addr, SHARE, ACCESS_LOCAL, &b.mem));
	ASSERT_EQ(0, mem_map(bed->d.fd, b.mem, bed->d.device, ACCESS_LOCAL, &b.key));
	ASSERT_EQ(0, copy_by(&bed->q, sqe_copy(seg_of(&bed->dst, 0, SHARE), seg_of(&b, 0, SHARE))));
	EXPECT_EQ(SHARE, bytes_of(bed) - before);
	EXPECT_EQ(0, memcmp(bed->dst.addr, b.addr, SHARE));
	ASSERT_EQ(0, ftruncate(fd, SHARE / 2));
	EXPECT_EQ(DOCA_STATUS_BAD_MEMORY,
		  copy_by(&bed->q, sqe_copy(seg_of(&bed->dst, 0, SHARE), seg_of(&b, 0, SHARE))));
	EXPECT_GE(SHARE + SHARE / 2, bytes_of(bed) - before);
	ASSERT_EQ(0, mem_dereg(bed->d.fd, b.mem));
	munmap(b.addr, SHARE);
	close(fd);
}

/* Register memory that all processes see, and stay until the parent says so */
static int export_it(struct engine_bed *bed, uint8_t *p, int hello, int bye)
{
	struct doca d = { .device = bed->d.device };
	struct doca_blob blob;
	uint32_t mem, key;
	char c;

	d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	if (d.fd < 0 ||
	    mem_reg(d.fd, p, SHARE, ACCESS_LOCAL | ACCESS_PCI, &mem) ||
	    mem_map(d.fd, mem, d.device, ACCESS_LOCAL, &key) ||
	    mem_export(d.fd, key, 0, &blob, NULL) ||
	    write(hello, &blob, sizeof(blob)) != sizeof(blob))
		return 1;
	return read(bye, &c, 1) != 0;
}

/* Both processes share one map of the engine */
TEST_F(engine_data, imported)
{
	struct engine_bed *bed = &self->bed;
	uint64_t before = bytes_of(bed), maps;
	struct doca_mem_import in;
	int hello[2], bye[2];
	struct doca_blob blob;
	uint8_t *p;
	pid_t pid;

	p = mmap(NULL, SHARE, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, p);
	fill_random(p, SHARE, 4);
	ASSERT_EQ(0, pipe(hello));
	ASSERT_EQ(0, pipe(bye));
	pid = fork();
	if (!pid) {
		close(bye[1]);
		_exit(export_it(bed, p, hello[1], bye[0]));
	}
	ASSERT_EQ(sizeof(blob), read(hello[0], &blob, sizeof(blob)));
	maps = engine_maps(&bed->nl, bed->d.device, 3);
	EXPECT_EQ(3, maps);
	ASSERT_EQ(0, mem_import(bed->d.fd, bed->d.device, &blob, &in));
	EXPECT_EQ(maps, engine_maps(&bed->nl, bed->d.device, maps));
	ASSERT_EQ(0, copy_by(&bed->q, sqe_copy(seg_of(&bed->dst, 5, SHARE),
					       seg_at(in.out_key, p, SHARE))));
	EXPECT_EQ(0, memcmp(bed->dst.addr + 5, p, SHARE));
	ASSERT_EQ(0, copy_by(&bed->q, sqe_copy(seg_at(in.out_key, p, SHARE),
					       seg_of(&bed->src, 3, SHARE))));
	EXPECT_EQ(0, memcmp(bed->src.addr + 3, p, SHARE));
	EXPECT_EQ(2 * SHARE, bytes_of(bed) - before);
	close(bye[0]);
	close(bye[1]);
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_EQ(2, engine_maps(&bed->nl, bed->d.device, 2));
	munmap(p, SHARE);
}

#define ROUNDS 4
#define PART (64 * 1024U)

/* Fill the copies' destinations before, and compare them afterwards */
static int copy_a_lot(uint32_t device, uint32_t seed)
{
	struct doca d = { .device = device };
	uint32_t lengths[DEPTH];
	struct buf src, dst;
	struct doca_cqe cqe;
	struct queue q;
	uint32_t seen;
	int round, i;

	d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	if (d.fd < 0 || buf_make(&d, &src, DEPTH * PART + PAGE, ACCESS_LOCAL) ||
	    buf_make(&d, &dst, DEPTH * PART + PAGE, ACCESS_LOCAL) ||
	    engine_queue(&q, &d, DEPTH, 0))
		return 1;
	fill_random(src.addr, src.length, seed);
	for (round = 0; round < ROUNDS; round++) {
		memset(dst.addr, 0x5a, dst.length);
		for (i = 0; i < DEPTH; i++) {
			struct doca_sqe sqe;

			lengths[i] = 4096 + prng(&seed) % (PART - 4096);
			sqe = sqe_copy(seg_of(&dst, i * PART + round, lengths[i]),
				       seg_of(&src, i * PART, lengths[i]));
			sqe.user_data = i;
			queue_push(&q, sqe);
		}
		if (queue_publish(&q))
			return 2;
		for (i = 0, seen = 0; i < DEPTH; i++) {
			if (engine_wait(&q, &cqe, WAIT_MS) || cqe.status ||
			    cqe.length != lengths[cqe.user_data])
				return 3;
			seen |= 1U << cqe.user_data;
		}
		if (seen != UINT32_MAX)
			return 4;
		for (i = 0; i < DEPTH; i++)
			if (memcmp(dst.addr + i * PART + round,
				   src.addr + i * PART, lengths[i]) ||
			    dst.addr[i * PART + round + lengths[i]] != 0x5a)
				return 5;
	}
	return 0;
}

TEST_F(engine_data, processes_at_a_time)
{
	struct engine_bed *bed = &self->bed;
	uint64_t before = bytes_of(bed);
	pid_t pids[PROCESSES];
	int i;

	for (i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		if (!pids[i])
			_exit(copy_a_lot(bed->d.device, 100 + i));
		ASSERT_LT(0, pids[i]);
	}
	for (i = 0; i < PROCESSES; i++)
		EXPECT_EQ(0, child_wait(pids[i]));
	EXPECT_LT(PROCESSES * ROUNDS * DEPTH * 4096ULL, bytes_of(bed) - before);
	EXPECT_EQ(2, engine_maps(&bed->nl, bed->d.device, 2));
}

TEST_HARNESS_MAIN
