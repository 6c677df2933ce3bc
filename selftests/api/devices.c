// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Several devices at once. */
#include "bed.h"

#define LEN 65536

TEST(two_devices_one_mmap_one_engine)
{
	struct doca_dev *dev[2] = { bed_open_dev("rxe0"), bed_open_dev("rxe1") };
	char *mem = mmap(NULL, 3 * LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct doca_mmap *shared;
	struct bed bed[2] = {};
	struct doca_pe *pe;
	long pins = pins_held();
	size_t inflight;
	int i, n;

	if (!dev[0] || !dev[1])
		SKIP(return, "needs the RDMA devices rxe0 and rxe1");
	ASSERT_NE(dev[0], dev[1]);
	bed_fill(mem, LEN, 7);
	ASSERT_OK(doca_pe_create(&pe));
	ASSERT_OK(
		bed_mmap(mem, 3 * LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev[0], dev[1], &shared));
	for (i = 0; i < 2; i++) {
		ASSERT_OK(bed_create(&bed[i], dev[i], pe));
		ASSERT_OK(doca_ctx_start(bed[i].ctx));
	}

	for (n = 0; n < 16; n++)
		for (i = 0; i < 2; i++)
			ASSERT_OK(bed_copy(&bed[i], shared, mem + n * 4096, shared,
					   mem + (i + 1) * LEN + n * 4096, 4096));
	ASSERT_OK(doca_pe_get_num_inflight_tasks(pe, &inflight));
	EXPECT_EQ(32, inflight);
	EXPECT_TRUE(BED_UNTIL(&bed[0], bed[0].succeeded == 16 && bed[1].succeeded == 16));
	EXPECT_EQ(0, bed[0].failed + bed[1].failed);
	EXPECT_EQ(0, memcmp(mem, mem + LEN, LEN));
	EXPECT_EQ(0, memcmp(mem, mem + 2 * LEN, LEN));

	for (i = 0; i < 2; i++) {
		EXPECT_OK(doca_ctx_stop(bed[i].ctx));
		EXPECT_OK(bed_destroy(&bed[i]));
	}
	EXPECT_OK(doca_mmap_destroy(shared));
	EXPECT_OK(doca_pe_destroy(pe));
	EXPECT_OK(doca_dev_close(dev[0]));
	EXPECT_OK(doca_dev_close(dev[1]));
	EXPECT_EQ(pins, pins_settle(pins));
}

TEST(the_most_capable_device_comes_first)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "";
	struct doca_devinfo **list;
	uint32_t n;

	if (bed_in_process())
		SKIP(return, "in process all devices are alike");
	ASSERT_OK(doca_devinfo_create_list(&list, &n));
	if (n < 2)
		SKIP(goto out, "only one device");
	EXPECT_OK(doca_devinfo_get_ibdev_name(list[n - 1], name, sizeof(name)));
	EXPECT_STREQ("software", name);
out:
	EXPECT_OK(doca_devinfo_destroy_list(list));
}

TEST_HARNESS_MAIN
