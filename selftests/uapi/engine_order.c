// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The order of copies by an engine whose speed varies: strict if one is in flight at a
 * time, and where an entry drains.
 */
#include "engine.h"
#include "kselftest_harness.h"

#define WAIT_MS 20000
#define LINKS 12
#define LENGTH 8192U
#define WIDTH 4
#define LAYERS 6
#define TIMEOUT 600

FIXTURE(engine_order) {
	struct engine_bed bed;
	struct queue q;
	uint32_t state;
	int rounds;
};

FIXTURE_VARIANT(engine_order) {
	uint32_t ops;
	const char *parameter;
};

FIXTURE_VARIANT_ADD(engine_order, in_order) { 32 };
FIXTURE_VARIANT_ADD(engine_order, no_order) { 32, "no_order" };
FIXTURE_VARIANT_ADD(engine_order, one_op) { 1 };
FIXTURE_VARIANT_ADD(engine_order, one_op_no_order) { 1, "no_order" };

FIXTURE_SETUP(engine_order)
{
	if (variant->parameter && !access(ENGINE_KNOBS ENGINE_NAME, F_OK)) {
		ASSERT_TRUE(engine_rebind(variant->parameter, "Y"));
	}
	ENGINE_OPEN_OF(&self->bed, ENGINE_NAME, 2000);
	ASSERT_EQ(0, engine_queue(&self->q, &self->bed.d, variant->ops, 0));
	self->state = 9;
	self->rounds = engine_takes_long() ? 3000 : 12;
}

FIXTURE_TEARDOWN(engine_order)
{
	queue_close(&self->q);
	ENGINE_CLOSE(&self->bed);
	if (variant->parameter) {
		EXPECT_TRUE(engine_rebind(variant->parameter, "N"));
	}
}

static int reap_right(struct queue *q, int n)
{
	struct doca_cqe cqe;

	for (; n; n--)
		if (engine_wait(q, &cqe, WAIT_MS) || cqe.status)
			return -EIO;
	return 0;
}

static void push(struct queue *q, struct doca_seg to, struct doca_seg from,
		 bool drain)
{
	queue_push(q, sqe_copy_list(to, from, drain ? DOCA_SQE_DRAIN : 0));
}

static void delay(struct __test_metadata *_metadata, uint32_t *state)
{
	uint32_t random = prng(state);

	ASSERT_EQ(0, knob("delay_us", random % 4 ? 0 : random % 6000));
}

/* Each copies data that the one before has written */
TEST_F_TIMEOUT(engine_order, chains, TIMEOUT)
{
	struct engine_bed *bed = &self->bed;
	bool drain = variant->ops > 1;
	int round, i;

	for (round = 0; round < self->rounds; round++) {
		size_t from = round % 64 * LENGTH;

		delay(_metadata, &self->state);
		memset(bed->dst.addr, 0, (LINKS + 1) * LENGTH);
		push(&self->q, seg_of(&bed->dst, 0, LENGTH),
		     seg_of(&bed->src, from, LENGTH), false);
		for (i = 1; i < LINKS; i++)
			push(&self->q, seg_of(&bed->dst, i * LENGTH, LENGTH),
			     seg_of(&bed->dst, (i - 1) * LENGTH, LENGTH), drain);
		ASSERT_EQ(0, queue_publish(&self->q));
		ASSERT_EQ(0, reap_right(&self->q, LINKS));
		ASSERT_EQ(0, memcmp(bed->dst.addr + (LINKS - 1) * LENGTH,
				    bed->src.addr + from, LENGTH));
	}
}

/* Some run at a time; each copies data that one of the layer before has written */
TEST_F_TIMEOUT(engine_order, layers, TIMEOUT)
{
	struct engine_bed *bed = &self->bed;
	int round, layer, i;

	for (round = 0; round < self->rounds; round++) {
		uint32_t from[WIDTH] = {};

		delay(_metadata, &self->state);
		memset(bed->dst.addr, 0, WIDTH * LAYERS * LENGTH);
		for (layer = 0; layer < LAYERS; layer++) {
			uint32_t before[WIDTH];

			memcpy(before, from, sizeof(from));
			/* A DRAIN runs alone: so it is an entry between */
			if (layer) {
				struct doca_sqe nop = sqe_nop(0);

				nop.flags = DOCA_SQE_DRAIN;
				queue_push(&self->q, nop);
			}
			for (i = 0; i < WIDTH; i++) {
				uint32_t of = prng(&self->state) % WIDTH;
				struct doca_seg src;

				from[i] = layer ? before[of] :
						  (round * WIDTH + i) % 128;
				src = layer ? seg_of(&bed->dst,
						     ((layer - 1) * WIDTH + of) *
							     LENGTH, LENGTH) :
					      seg_of(&bed->src, from[i] * LENGTH,
						     LENGTH);
				push(&self->q,
				     seg_of(&bed->dst, (layer * WIDTH + i) * LENGTH,
					    LENGTH), src, false);
			}
		}
		ASSERT_EQ(0, queue_publish(&self->q));
		ASSERT_EQ(0, reap_right(&self->q, LAYERS * (WIDTH + 1) - 1));
		for (i = 0; i < WIDTH; i++) {
			ASSERT_EQ(0, memcmp(bed->dst.addr +
						    ((LAYERS - 1) * WIDTH + i) *
							    LENGTH,
					    bed->src.addr + from[i] * LENGTH,
					    LENGTH));
		}
	}
}

TEST_HARNESS_MAIN
