// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* One process with files of the levels 1.3, 1.5 and 3.0: each copies, also by turns. */
#include "bed.h"
#include "level_mixed.h"

#define LEN 10000

static bool copy_at_3_0(struct doca_dev *dev, char *from, char *to)
{
	struct doca_mmap *sources, *targets;
	struct bed bed;

	if (bed_mmap(from, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL, &sources) ||
	    bed_mmap(to, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, dev, NULL, &targets) ||
	    bed_create(&bed, dev, NULL) || doca_ctx_start(bed.ctx) ||
	    bed_copy(&bed, sources, from, targets, to, LEN) ||
	    !BED_UNTIL(&bed, bed.succeeded == 1) || doca_ctx_stop(bed.ctx) || bed_destroy(&bed) ||
	    doca_mmap_destroy(sources) || doca_mmap_destroy(targets))
		return false;
	return !memcmp(from, to, LEN);
}

TEST(three_levels_in_one_process)
{
	static char from[LEN], to[LEN];
	struct doca_dev *dev;
	int i;

	dev = bed_open_dev(NULL);
	if (!dev)
		SKIP(return, "no device");
	for (i = 0; i < 3; i++) {
		bed_fill(from, LEN, 3 * i);
		EXPECT_TRUE(copy_at_3_0(dev, from, to));
		bed_fill(from, LEN, 3 * i + 1);
		EXPECT_EQ(LEN, copy_at_1_3(from, to, LEN));
		bed_fill(from, LEN, 3 * i + 2);
		EXPECT_EQ(LEN, copy_at_1_5(from, to, LEN));
	}
	EXPECT_EQ(DOCA_SUCCESS, doca_dev_close(dev));
}

TEST_HARNESS_MAIN
