// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Copies by a DMA engine are right, and the engine has made them. */
#include "engine.h"
#include "kselftest_harness.h"

#define WAIT_MS 10000
#define ENGINE_MOST "/sys/kernel/debug/testdma/" ENGINE_NAME "/most"

FIXTURE(engine_copy) {
	struct engine_bed bed;
};

FIXTURE_SETUP(engine_copy)
{
	ENGINE_OPEN(&self->bed);
}

FIXTURE_TEARDOWN(engine_copy)
{
	ENGINE_CLOSE(&self->bed);
}

static bool is_right(struct engine_bed *bed, size_t to, size_t from,
		     uint32_t length)
{
	uint8_t *dst = bed->dst.addr;
	struct doca_cqe cqe;

	memset(dst, 0x5a, ENGINE_LENGTH);
	queue_push(&bed->q, sqe_copy(seg_of(&bed->dst, to, length),
				     seg_of(&bed->src, from, length)));
	return !queue_publish(&bed->q) && !engine_wait(&bed->q, &cqe, WAIT_MS) &&
	       cqe.status == DOCA_STATUS_SUCCESS && cqe.length == length &&
	       !memcmp(dst + to, bed->src.addr + from, length) &&
	       (!to || dst[to - 1] == 0x5a) && dst[to + length] == 0x5a;
}

/* All copies from the threshold on go by the engine, and no others do */
TEST_F(engine_copy, lengths_and_alignments)
{
	const uint32_t lengths[] = { 1, 63, 4095, 4096, 4097, 65536, 262143,
				     262145, 1048577, (3 << 20) + 5 };
	const size_t offsets[] = { 0, 1, 4095, 4096, 8191 };
	struct engine_bed *bed = &self->bed;
	uint64_t before, min, wanted = 0;
	size_t i, k;

	before = engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES);
	min = engine_value(&bed->nl, bed->d.device,
			   DOCA_GENL_A_ENGINE_MIN_LENGTH);
	ASSERT_EQ(4096, min);
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		for (k = 0; k < ARRAY_SIZE(offsets); k++) {
			EXPECT_TRUE(is_right(bed, offsets[k],
					     offsets[(k + i) % 5], lengths[i])) {
				TH_LOG("%u bytes to %zu", lengths[i], offsets[k]);
			}
			if (lengths[i] >= min)
				wanted += lengths[i];
		}
	}
	EXPECT_EQ(wanted, engine_value(&bed->nl, bed->d.device,
				       DOCA_GENL_A_BYTES) - before);
}

/* Each copies data that the one before has written, however long the engine takes */
TEST_F(engine_copy, in_order)
{
	const uint32_t length = 16384;
	struct engine_bed *bed = &self->bed;
	struct doca_cqe cqe;
	int round, i;

	ASSERT_EQ(0, knob("delay_us", 1000));
	for (round = 0; round < 8; round++) {
		memset(bed->dst.addr, round, ENGINE_LENGTH);
		queue_push(&bed->q,
			   sqe_copy(seg_of(&bed->dst, 0, length),
				    seg_of(&bed->src, round * length, length)));
		for (i = 1; i < 16; i++)
			queue_push(&bed->q,
				   sqe_copy(seg_of(&bed->dst, i * length, length),
					    seg_of(&bed->dst, (i - 1) * length,
						   length)));
		ASSERT_EQ(0, queue_publish(&bed->q));
		for (i = 0; i < 16; i++) {
			ASSERT_EQ(0, engine_wait(&bed->q, &cqe, WAIT_MS));
			ASSERT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		}
		ASSERT_EQ(0, memcmp(bed->dst.addr + 15 * length,
				    bed->src.addr + round * length, length));
	}
}

/* One at a time: a copy by the CPU waits for one by the engine */
TEST_F(engine_copy, short_behind_long)
{
	const uint32_t lengths[] = { 65536, 64 };
	struct engine_bed *bed = &self->bed;
	uint8_t *dst = bed->dst.addr;
	struct doca_cqe cqe;
	int i;

	ASSERT_EQ(0, knob("delay_us", 100000));
	memset(dst, 0x5a, ENGINE_LENGTH);
	for (i = 0; i < 2; i++) {
		struct doca_sqe sqe = sqe_copy(
			seg_of(&bed->dst, i * lengths[0], lengths[i]),
			seg_of(i ? &bed->dst : &bed->src, 0, lengths[i]));

		sqe.user_data = i;
		queue_push(&bed->q, sqe);
	}
	ASSERT_EQ(0, queue_publish(&bed->q));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, engine_wait(&bed->q, &cqe, WAIT_MS));
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		EXPECT_EQ(i, cqe.user_data);
	}
	EXPECT_EQ(0, memcmp(dst + lengths[0], bed->src.addr, lengths[1]));
}

/* Return the most descriptors that the engine had at a time, since it was set to 0 */
static unsigned int most_at_a_time(void)
{
	FILE *f = fopen(ENGINE_MOST, "r");
	unsigned int n = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%u", &n) != 1)
		n = 0;
	fclose(f);
	return n;
}

/* A longer copy goes through it in pieces */
TEST_F(engine_copy, no_more_than_the_window)
{
	ASSERT_EQ(0, parameter("engine_window", 65536));
	ASSERT_EQ(0, knob("most", 0));
	EXPECT_TRUE(is_right(&self->bed, 0, 0, 1 << 20));
	EXPECT_EQ(1, most_at_a_time());
	ASSERT_EQ(0, parameter("engine_window", 4 << 20));
}

static uint64_t maps_of(struct engine_bed *bed)
{
	return engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_ENGINE_MAPS);
}

/* All keys of a memory share a map, which goes, with its charge, with the last of them */
TEST_F(engine_copy, maps_go_with_the_last_key)
{
	struct engine_bed *bed = &self->bed;
	uint64_t bytes;
	uint32_t key;
	int i;

	/* Maps of processes that have just ended may still be there */
	for (i = 0; i < 500 && maps_of(bed) != 2; i++)
		pause_us(10000);
	ASSERT_EQ(2, maps_of(bed));
	bytes = fdinfo_value(bed->d.fd, "doca-user-dmamap-bytes");
	EXPECT_LE(2 * ENGINE_LENGTH, bytes);
	ASSERT_EQ(0, mem_map(bed->d.fd, bed->dst.mem, bed->d.device,
			     ACCESS_LOCAL, &key));
	EXPECT_EQ(2, maps_of(bed));
	ASSERT_EQ(0, mem_unmap(bed->d.fd, key));
	EXPECT_EQ(2, maps_of(bed));
	EXPECT_EQ(bytes, fdinfo_value(bed->d.fd, "doca-user-dmamap-bytes"));
	ASSERT_EQ(0, mem_unmap(bed->d.fd, bed->dst.key));
	EXPECT_EQ(1, maps_of(bed));
	EXPECT_GE(bytes - ENGINE_LENGTH,
		  fdinfo_value(bed->d.fd, "doca-user-dmamap-bytes"));
}

/* Taking memory back waits for copies in the engine */
TEST_F(engine_copy, unmap_waits)
{
	struct engine_bed *bed = &self->bed;
	uint64_t start;
	size_t i;

	ASSERT_EQ(0, knob("delay_us", 300000));
	queue_push(&bed->q, sqe_copy(seg_of(&bed->dst, 0, 65536),
				     seg_of(&bed->src, 0, 65536)));
	ASSERT_EQ(0, queue_publish(&bed->q));
	start = now_ns();
	ASSERT_EQ(0, mem_unmap(bed->d.fd, bed->dst.key));
	EXPECT_LT(200000000ULL, now_ns() - start);
	EXPECT_GT(3000000000ULL, now_ns() - start);
	memset(bed->dst.addr, 0xa5, 65536);
	pause_us(1000000);
	for (i = 0; i < 65536 && bed->dst.addr[i] == 0xa5; i++)
		;
	EXPECT_EQ(65536, i);
}

/* An engine has the limit that was set when it was claimed. */
TEST_F(engine_copy, the_shortest_copy_is_the_administrators)
{
	struct family *nl = &self->bed.nl;
	uint32_t device;

	ASSERT_EQ(0, parameter("engine_timeout_ms", 2000));
	ASSERT_EQ(0, parameter("engine_min", 1 << 20));
	EXPECT_EQ(4096, engine_value(nl, self->bed.d.device, DOCA_GENL_A_ENGINE_MIN_LENGTH));
	EXPECT_EQ(0, engine_change(nl, DOCA_GENL_CMD_ENGINE_DEL));
	device = engine_claim(nl, ENGINE_NAME);
	EXPECT_EQ(1 << 20, engine_value(nl, device, DOCA_GENL_A_ENGINE_MIN_LENGTH));
	ASSERT_EQ(0, parameter("engine_min", 4096));
	EXPECT_EQ(0, engine_change(nl, DOCA_GENL_CMD_ENGINE_DEL));
	EXPECT_NE(0, engine_claim(nl, ENGINE_NAME));
}

/* List devices until the engine's own is there, and remove the engine at once. */
static int remove_when_listed(void)
{
	uint64_t end = now_ns() + 20000000000ULL;
	struct family nl;
	uint32_t id = 0;

	if (family_open(&nl))
		return 1;
	while (!id && now_ns() < end)
		id = engine_device(&nl);
	if (!id)
		return 2;
	if (engine_value(&nl, id, DOCA_GENL_A_ENGINE_STATE) == UINT64_MAX)
		return 3;
	return engine_change(&nl, DOCA_GENL_CMD_ENGINE_DEL) ? 4 : 0;
}

TEST_F(engine_copy, listed_with_its_device)
{
	struct family *nl = &self->bed.nl;
	int round, status;
	pid_t pid;

	ASSERT_EQ(0, parameter("engine_timeout_ms", 2000));
	for (round = 0; round < 20; round++) {
		ASSERT_EQ(0, engine_change(nl, DOCA_GENL_CMD_ENGINE_DEL));
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid)
			_exit(remove_when_listed());
		EXPECT_EQ(0, engine_change(nl, DOCA_GENL_CMD_ENGINE_ADD));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_EQ(0, status);
		ASSERT_NE(0, engine_claim(nl, ENGINE_NAME));
	}
}

TEST_HARNESS_MAIN
