// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A DMA engine has several copies of one context at a time: all of them together take about as
 * long as one, where an engine takes its time to say that it is done.
 */
#include "../lib/write_to.h"
#include "bed.h"

#define KNOB "/sys/kernel/debug/testdma/0000:00:10.0/delay_us"
#define DELAY_MS 50
#define DELAY_US "50000"
#define LEN 65536
#define COPIES 32

FIXTURE(in_flight)
{
	struct bed bed;
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	char *mem;
};

FIXTURE_SETUP(in_flight)
{
	if (access(KNOB, W_OK))
		return;
	self->dev = bed_open_dev(NULL);
	ASSERT_NE(NULL, self->dev);
	self->mem = mmap(NULL, 2 * COPIES * LEN, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->mem);
	bed_fill(self->mem, COPIES * LEN, 1);
	ASSERT_OK(bed_mmap(self->mem, 2 * COPIES * LEN,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev, NULL,
			   &self->mmap));
	ASSERT_OK(bed_create(&self->bed, self->dev, NULL));
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
	ASSERT_TRUE(write_to(KNOB, DELAY_US));
}

FIXTURE_TEARDOWN(in_flight)
{
	if (!self->dev)
		return;
	EXPECT_TRUE(write_to(KNOB, "0"));
	EXPECT_OK(doca_ctx_stop(self->bed.ctx));
	EXPECT_OK(bed_destroy(&self->bed));
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->dev));
}

TEST_F(in_flight, copies_overlap)
{
	char *dst = self->mem + COPIES * LEN;
	double began = bed_now();
	int i, took_ms;

	if (!self->dev)
		SKIP(return, "needs an engine of testdma, as in 'make check-engines'");
	for (i = 0; i < COPIES; i++)
		ASSERT_OK(bed_copy(&self->bed, self->mmap, self->mem + i * LEN,
				   self->mmap, dst + i * LEN, LEN));
	ASSERT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == COPIES ||
						  self->bed.failed));
	took_ms = (bed_now() - began) * 1000;
	ASSERT_EQ(0, self->bed.failed);
	EXPECT_EQ(0, memcmp(self->mem, dst, COPIES * LEN));
	/* One after the other they would take twice that at least. */
	EXPECT_GT(COPIES * DELAY_MS / 2, took_ms);
	TH_LOG("%d copies took %d ms; the engine takes %d for one", COPIES,
	       took_ms, DELAY_MS);
}

TEST_HARNESS_MAIN
