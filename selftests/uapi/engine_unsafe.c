// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A DMA engine that no IOMMU keeps from memory, and that hangs: what is mapped for it stays
 * pinned for ever, and the module loaded.
 */
#include "engine.h"
#include "kselftest_harness.h"

#define LENGTH 65536

FIXTURE(engine_unsafe) {
	struct engine_bed bed;
};

FIXTURE_SETUP(engine_unsafe)
{
	if (!access(ENGINE_KNOBS ENGINE_NAME, F_OK)) {
		ASSERT_TRUE(engine_rebind("no_terminate", "Y"));
	}
	ENGINE_OPEN(&self->bed);
	if (engine_value(&self->bed.nl, self->bed.d.device,
			 DOCA_GENL_A_ENGINE_IOMMU) ==
	    DOCA_ENGINE_IOMMU_TRANSLATED) {
		ENGINE_CLOSE(&self->bed);
		engine_rebind("no_terminate", "N");
		SKIP_SETUP("an IOMMU confines it");
	}
	ASSERT_EQ(0, parameter("engine_timeout_ms", 100));
}

/* Both buffers stay, and nothing else does. */
FIXTURE_TEARDOWN(engine_unsafe)
{
	self->bed.d.pins.pages += 2 * ENGINE_LENGTH / PAGE;
	self->bed.d.pins.vmpin_kb += 2 * ENGINE_LENGTH / 1024;
	ENGINE_CLOSE(&self->bed);
	parameter("engine_timeout_ms", 2000);
	EXPECT_TRUE(engine_rebind("no_terminate", "N"));
}

static int hang(struct engine_bed *bed)
{
	int err = knob("seen", 0) ?: knob("hang_at", 1);

	if (err)
		return err;
	queue_push(&bed->q, sqe_copy(seg_of(&bed->dst, 0, LENGTH),
				     seg_of(&bed->src, 0, LENGTH)));
	return queue_publish(&bed->q) ?: queue_enter(bed->q.fd, UINT32_MAX, NULL);
}

TEST_F(engine_unsafe, removed_while_it_hangs)
{
	struct engine_bed *bed = &self->bed;
	struct doca_cqe cqe;

	ASSERT_EQ(0, hang(bed));
	EXPECT_EQ(0, engine_change(&bed->nl, DOCA_GENL_CMD_ENGINE_DEL));
	EXPECT_EQ(-ENODEV, engine_change(&bed->nl, DOCA_GENL_CMD_ENGINE_DEL));
	ASSERT_EQ(0, engine_wait(&bed->q, &cqe, 5000));
	EXPECT_EQ(0, mem_dereg(bed->d.fd, bed->src.mem));
}

TEST_F(engine_unsafe, removed_when_it_is_dead)
{
	struct engine_bed *bed = &self->bed;
	struct doca_cqe cqe;

	ASSERT_EQ(0, hang(bed));
	ASSERT_EQ(0, engine_wait(&bed->q, &cqe, 5000));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
	EXPECT_EQ(0, memcmp(bed->dst.addr, bed->src.addr, LENGTH));
	EXPECT_EQ(DOCA_ENGINE_DEAD, engine_value(&bed->nl, bed->d.device,
						 DOCA_GENL_A_ENGINE_STATE));
	ASSERT_EQ(0, mem_dereg(bed->d.fd, bed->src.mem));
	EXPECT_EQ(2, engine_value(&bed->nl, bed->d.device,
				  DOCA_GENL_A_ENGINE_MAPS));
	EXPECT_EQ(0, engine_change(&bed->nl, DOCA_GENL_CMD_ENGINE_DEL));
}

/*
 * Its self-test is terminated while a callback runs that cannot be waited for: memory that
 * the callback uses is not freed before. A kernel with KASAN sees it.
 */
TEST(a_callback_outlives_the_self_test)
{
	struct family nl;

	if (access(ENGINE_KNOBS, F_OK))
		SKIP(return, "no testdma; run 'make check-engines'");
	ASSERT_TRUE(engine_rebind("no_synchronize", "Y"));
	ASSERT_EQ(0, family_open(&nl));
	ASSERT_EQ(0, engine_change(&nl, DOCA_GENL_CMD_ENGINE_DEL));
	ASSERT_EQ(0, parameter("engine_timeout_ms", 300));
	ASSERT_EQ(0, knob("late_ms", 400));
	EXPECT_EQ(-ETIMEDOUT, engine_change(&nl, DOCA_GENL_CMD_ENGINE_ADD));
	knobs_reset();
	family_close(&nl);
	EXPECT_EQ(0, parameter("engine_timeout_ms", 2000));
	EXPECT_TRUE(engine_rebind("no_synchronize", "N"));
}

TEST_HARNESS_MAIN
