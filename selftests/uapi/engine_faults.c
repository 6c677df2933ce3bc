// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* A fault in a DMA engine costs time, but never data. */
#include "engine.h"
#include "kselftest_harness.h"

#define COPIES 40
#define DEPTH 32
#define COPY 16384U
/* Much more than engine_timeout_ms, also for a slow machine */
#define WAIT_MS 4000

FIXTURE(engine_faults) {
	struct engine_bed bed;
	struct queue q;
};

FIXTURE_VARIANT(engine_faults) {
	const char *knob;
	const char *parameter; /* testdma's */
	const char *value;
	int step; /* between positions, when there is little time */
	bool times_out;
};

#define FAULT(name, ...) FIXTURE_VARIANT_ADD(engine_faults, name) { __VA_ARGS__ }

FAULT(fail, "fail_at");
FAULT(hang, "hang_at", .step = 3, .times_out = true);
FAULT(drop, "drop_at", .step = 3, .times_out = true);
FAULT(lose, "lose_at", .step = 3, .times_out = true);
FAULT(null, "null_after");
FAULT(no_order, "null_after", "no_order", "Y", 13);
FAULT(no_order_fail, "fail_at", "no_order", "Y", 13);
FAULT(no_order_hang, "hang_at", "no_order", "Y", 13, true);
FAULT(no_order_drop, "drop_at", "no_order", "Y", 13, true);
FAULT(no_order_lose, "lose_at", "no_order", "Y", 13, true);
FAULT(no_terminate_fail, "fail_at", "no_terminate", "Y", 13);
FAULT(no_terminate_drop, "drop_at", "no_terminate", "Y", 13, true);
FAULT(no_terminate_lose, "lose_at", "no_terminate", "Y", 13, true);
FAULT(align_fail, "fail_at", "align", "3", 13);
FAULT(align_hang, "hang_at", "align", "3", 13, true);

FIXTURE_SETUP(engine_faults)
{
	if (variant->parameter && !access(ENGINE_KNOBS ENGINE_NAME, F_OK)) {
		ASSERT_TRUE(engine_rebind(variant->parameter, variant->value));
	}
	ENGINE_OPEN(&self->bed);
	/* Do not take a busy machine for an engine that hangs */
	if (variant->times_out) {
		ASSERT_EQ(0, parameter("engine_timeout_ms", 100));
	}
	ASSERT_EQ(0, engine_queue(&self->q, &self->bed.d, DEPTH, 0));
}

FIXTURE_TEARDOWN(engine_faults)
{
	queue_close(&self->q);
	ENGINE_CLOSE(&self->bed);
	parameter("engine_timeout_ms", 2000);
	if (variant->parameter) {
		EXPECT_TRUE(engine_rebind(variant->parameter, "0"));
	}
}

static struct doca_sqe nth_copy(struct engine_bed *bed, int i)
{
	struct doca_sqe sqe = sqe_copy(seg_of(&bed->dst, i * COPY, COPY),
				       seg_of(&bed->src, i * COPY, COPY));

	sqe.user_data = i;
	return sqe;
}

/* Each of some copies completes once, and is right */
static void copy_all(struct __test_metadata *_metadata, struct engine_bed *bed,
		     struct queue *q, int copies)
{
	struct doca_cqe cqe;
	uint64_t seen = 0;
	int i;

	memset(bed->dst.addr, 0, copies * COPY);
	for (i = 0; i < copies; i++)
		queue_push(q, nth_copy(bed, i));
	ASSERT_EQ(0, queue_publish(q));
	for (i = 0; i < copies; i++) {
		ASSERT_EQ(0, engine_wait(q, &cqe, WAIT_MS)) {
			TH_LOG("no completion %d", i);
		}
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		EXPECT_EQ(COPY, cqe.length);
		EXPECT_FALSE(seen & 1ULL << cqe.user_data);
		seen |= 1ULL << cqe.user_data;
	}
	EXPECT_EQ(0, memcmp(bed->dst.addr, bed->src.addr, copies * COPY));
	pause_us(20000);
	EXPECT_FALSE(queue_reap(q, &cqe));
}

TEST_F_TIMEOUT(engine_faults, at_each_position, 120)
{
	struct engine_bed *bed = &self->bed;
	uint64_t timeouts, bytes;
	int at, step = variant->step;

	if (!step || engine_takes_long())
		step = 1;
	timeouts = engine_value(&bed->nl, bed->d.device,
				DOCA_GENL_A_ENGINE_TIMEOUTS);
	bytes = engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES);
	for (at = 1; at <= COPIES; at += step) {
		ASSERT_EQ(0, knob("seen", 0));
		ASSERT_EQ(0, knob(variant->knob, at));
		copy_all(_metadata, bed, &self->q, COPIES);
		ASSERT_TRUE(_metadata->passed) {
			TH_LOG("%s %d", variant->knob, at);
		}
		knobs_reset();
	}
	EXPECT_EQ(variant->times_out,
		  engine_value(&bed->nl, bed->d.device,
			       DOCA_GENL_A_ENGINE_TIMEOUTS) > timeouts);
	EXPECT_EQ(DOCA_ENGINE_LIVE,
		  engine_value(&bed->nl, bed->d.device,
			       DOCA_GENL_A_ENGINE_STATE));
	/* The engine made most of the copies, whatever was wrong with one of them */
	EXPECT_LT(bytes, engine_value(&bed->nl, bed->d.device,
				      DOCA_GENL_A_BYTES));
}

FIXTURE(engine_lies) {
	struct engine_bed bed;
	struct queue q;
};

FIXTURE_SETUP(engine_lies)
{
	ENGINE_OPEN(&self->bed);
	ASSERT_EQ(0, engine_queue(&self->q, &self->bed.d, DEPTH, 0));
}

FIXTURE_TEARDOWN(engine_lies)
{
	queue_close(&self->q);
	ENGINE_CLOSE(&self->bed);
}

/* Only a comparison shows it: so tests compare the data of copies */
TEST_F(engine_lies, what_it_skips_is_seen_by_its_data)
{
	struct engine_bed *bed = &self->bed;
	struct doca_cqe cqe;
	int at, i, wrong;

	for (at = 1; at <= COPIES; at += 13) {
		memset(bed->dst.addr, 0, COPIES * COPY);
		ASSERT_EQ(0, knob("seen", 0));
		ASSERT_EQ(0, knob("skip_at", at));
		for (i = 0; i < COPIES; i++)
			queue_push(&self->q, nth_copy(bed, i));
		ASSERT_EQ(0, queue_publish(&self->q));
		for (i = 0; i < COPIES; i++) {
			ASSERT_EQ(0, engine_wait(&self->q, &cqe, WAIT_MS));
			EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		}
		for (i = 0, wrong = 0; i < COPIES; i++)
			wrong += !!memcmp(bed->dst.addr + i * COPY,
					  bed->src.addr + i * COPY, COPY);
		EXPECT_EQ(1, wrong);
		EXPECT_EQ(0, bed->dst.addr[(at - 1) * COPY]);
		knobs_reset();
	}
}

TEST_F(engine_lies, prep_may_sleep)
{
	struct engine_bed *bed = &self->bed;
	uint64_t bytes = engine_value(&bed->nl, bed->d.device,
				      DOCA_GENL_A_BYTES);

	ASSERT_EQ(0, knob("prep_ms", 30));
	copy_all(_metadata, bed, &self->q, 16);
	EXPECT_EQ(16 * COPY, engine_value(&bed->nl, bed->d.device,
					  DOCA_GENL_A_BYTES) - bytes);
}

FIXTURE(engine_death) {
	struct engine_bed bed;
	struct queue q;
};

FIXTURE_VARIANT(engine_death) {
	const char *knob;
	const char *parameter;
};

FIXTURE_VARIANT_ADD(engine_death, fails) { "fail_at" };
FIXTURE_VARIANT_ADD(engine_death, hangs) { "hang_at" };
FIXTURE_VARIANT_ADD(engine_death, hangs_for_ever) { "hang_at", "no_terminate" };

FIXTURE_SETUP(engine_death)
{
	if (variant->parameter && !access(ENGINE_KNOBS ENGINE_NAME, F_OK)) {
		ASSERT_TRUE(engine_rebind(variant->parameter, "Y"));
	}
	ENGINE_OPEN(&self->bed);
	ASSERT_EQ(0, parameter("engine_timeout_ms", 100));
	ASSERT_EQ(0, engine_queue(&self->q, &self->bed.d, DEPTH, 0));
}

FIXTURE_TEARDOWN(engine_death)
{
	queue_close(&self->q);
	ENGINE_CLOSE(&self->bed);
	parameter("engine_timeout_ms", 2000);
	EXPECT_TRUE(engine_rebind("no_terminate", "N"));
}

/* It is listed as dead, holds nothing any more, and the CPU goes on */
TEST_F(engine_death, the_cpu_goes_on)
{
	struct engine_bed *bed = &self->bed;
	uint64_t bytes, descs;
	struct queue fresh;
	int i;

	ASSERT_EQ(0, knob("from", 1));
	ASSERT_EQ(0, knob(variant->knob, 1));
	for (i = 0; i < 12; i++)
		copy_all(_metadata, bed, &self->q, COPIES);
	ASSERT_EQ(DOCA_ENGINE_DEAD,
		  engine_value(&bed->nl, bed->d.device,
			       DOCA_GENL_A_ENGINE_STATE));
	EXPECT_EQ(0, engine_maps(&bed->nl, bed->d.device, 0));
	knobs_reset();
	bytes = engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_BYTES);
	descs = engine_value(&bed->nl, bed->d.device, DOCA_GENL_A_ENGINE_DESCS);
	copy_all(_metadata, bed, &self->q, COPIES);
	ASSERT_EQ(0, engine_queue(&fresh, &bed->d, DEPTH, 0));
	copy_all(_metadata, bed, &fresh, COPIES);
	queue_close(&fresh);
	EXPECT_EQ(bytes, engine_value(&bed->nl, bed->d.device,
				      DOCA_GENL_A_BYTES));
	EXPECT_EQ(descs, engine_value(&bed->nl, bed->d.device,
				      DOCA_GENL_A_ENGINE_DESCS));
}

FIXTURE(engine_align) {
	struct engine_bed bed;
};

FIXTURE_SETUP(engine_align)
{
	if (!access(ENGINE_KNOBS ENGINE_NAME, F_OK)) {
		ASSERT_TRUE(engine_rebind("align", "3"));
	}
	ENGINE_OPEN(&self->bed);
}

FIXTURE_TEARDOWN(engine_align)
{
	ENGINE_CLOSE(&self->bed);
	EXPECT_TRUE(engine_rebind("align", "0"));
}

/* testdma refuses unaligned copies: so the CPU copies the edges, or everything */
TEST_F(engine_align, edges_are_the_cpus)
{
	struct engine_bed *bed = &self->bed;
	uint8_t *dst = bed->dst.addr;
	uint64_t bytes, redone, is;
	uint32_t length;
	int to, from;

	redone = engine_value(&bed->nl, bed->d.device,
			      DOCA_GENL_A_ENGINE_REDONE);
	for (to = 8; to < 17; to++) {
		for (from = 0; from < 9; from++) {
			struct doca_cqe cqe;

			length = 65536 + 3 * to + from;
			memset(dst, 0x5a, length + 64);
			bytes = engine_value(&bed->nl, bed->d.device,
					     DOCA_GENL_A_BYTES);
			queue_push(&bed->q,
				   sqe_copy(seg_of(&bed->dst, to, length),
					    seg_of(&bed->src, from, length)));
			ASSERT_EQ(0, queue_publish(&bed->q));
			ASSERT_EQ(0, engine_wait(&bed->q, &cqe, WAIT_MS));
			EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
			EXPECT_EQ(0, memcmp(dst + to, bed->src.addr + from,
					    length));
			EXPECT_EQ(0x5a, dst[to - 1]);
			EXPECT_EQ(0x5a, dst[to + length]);
			is = engine_value(&bed->nl, bed->d.device,
					  DOCA_GENL_A_BYTES);
			EXPECT_EQ((to - from) % 8 ? 0 : length, is - bytes);
		}
	}
	EXPECT_EQ(redone, engine_value(&bed->nl, bed->d.device,
				       DOCA_GENL_A_ENGINE_REDONE));
}

TEST_HARNESS_MAIN
