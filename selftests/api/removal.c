// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The device goes away under a program. */
#include "bed.h"

#define MEM (4 << 20)

FIXTURE(removal)
{
	struct bed bed;
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	char *mem;
	long pins;
};

FIXTURE_SETUP(removal)
{
	self->pins = pins_held();
	self->dev = bed_open_dev("rxe0");
	if (!self->dev)
		SKIP_SETUP("needs the RDMA device rxe0");
	self->mem = mmap(NULL, MEM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_OK(bed_mmap(self->mem, MEM, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev, NULL,
			   &self->mmap));
	ASSERT_OK(bed_create(&self->bed, self->dev, NULL));
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
}

FIXTURE_TEARDOWN(removal)
{
	EXPECT_OK(bed_destroy(&self->bed));
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
	/* Restore the device for the next test; it belongs to the first interface. */
	EXPECT_EQ(0, bed_shell("rdma link show rxe0/1 >/dev/null 2>&1 || "
			   "rdma link add rxe0 type rxe netdev "
			   "$(ls -d /sys/bus/pci/devices/0000:03:00.0/virtio*/net/* "
			   "| xargs -n1 basename)"));
}

/* Submit many long tasks, so that some are in flight when the device goes. */
TEST_F(removal, tasks_in_flight)
{
	int i;

	for (i = 0; i < BED_TASKS; i++)
		ASSERT_OK(bed_copy(&self->bed, self->mmap, self->mem, self->mmap,
				   self->mem + MEM / 2, MEM / 2));
	ASSERT_EQ(0, bed_shell("rdma link delete rxe0"));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.to_idle));
	EXPECT_EQ(BED_TASKS, self->bed.succeeded + self->bed.failed);
	EXPECT_EQ(1, self->bed.to_stopping);
	EXPECT_EQ(1, self->bed.to_idle);
	EXPECT_ERR(INITIALIZATION, doca_ctx_start(self->bed.ctx));
}

TEST_F(removal, export_dies_with_its_device)
{
	struct doca_mmap *exported, *imported;
	struct doca_dev *other = bed_open_dev("rxe1");
	const void *desc;
	char copy[512];
	size_t len;

	if (!other)
		other = bed_open_dev("software");
	if (!other)
		SKIP(goto out, "needs a second device");
	ASSERT_OK(bed_mmap(self->mem, MEM, DOCA_ACCESS_FLAG_PCI_READ_WRITE, self->dev, NULL,
			   &exported));
	ASSERT_OK(doca_mmap_export_pci(exported, self->dev, &desc, &len));
	memcpy(copy, desc, len);
	ASSERT_OK(doca_mmap_create_from_export(NULL, copy, len, other, &imported));
	EXPECT_OK(doca_mmap_destroy(imported));
	ASSERT_EQ(0, bed_shell("rdma link delete rxe0"));
	EXPECT_ERR(INVALID_VALUE, doca_mmap_create_from_export(NULL, copy, len, other, &imported));
	EXPECT_OK(doca_mmap_destroy(exported));
	EXPECT_OK(doca_dev_close(other));
out:
	EXPECT_TRUE(bed_state_of(&self->bed) == DOCA_CTX_STATE_IDLE ||
		    BED_UNTIL(&self->bed, self->bed.to_idle) || !doca_ctx_stop(self->bed.ctx));
}

TEST_HARNESS_MAIN
