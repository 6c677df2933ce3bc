// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory regions of device memory, with memory of the process. */
#include "bed.h"

__attribute__((constructor)) static void begin(void)
{
	open_contexts();
}

TEST(regions_begin_at_zero_and_are_put_back)
{
	struct ibv_pd pd = { .context = ctx };
	struct ibv_dm *dm = alloc(ctx, 3 * PAGE);
	struct ibv_mr *mr, *two;
	char *p;

	ASSERT(dm);
	p = addr_of(dm);
	mr = ibv_reg_dm_mr(&pd, dm, PAGE, 5000, ZERO_BASED);
	ASSERT(mr);
	EXPECT(fake_last.addr == p + PAGE);
	EXPECT_EQ(fake_last.length, 5000);
	EXPECT_EQ(fake_last.iova, 0);
	EXPECT_EQ(fake_last.access, ZERO_BASED & ~IBV_ACCESS_ZERO_BASED);
	EXPECT(!mr->addr);
	EXPECT_EQ(mr->length, 5000);
	two = ibv_reg_dm_mr(&pd, dm, 0, 3 * PAGE, ZERO_BASED);
	ASSERT(two);
	EXPECT_EQ(ibv_free_dm(dm), EBUSY);
	EXPECT_LOGGED("2 memory regions are on it");
	fake_errno = EBUSY;
	EXPECT_EQ(ibv_dereg_mr(mr), EBUSY);
	fake_errno = 0;
	EXPECT(!mr->addr);
	EXPECT_EQ(ibv_dereg_mr(mr), 0);
	EXPECT(fake_last.addr == p + PAGE);
	EXPECT_EQ(fake_last.length, 5000);
	EXPECT_EQ(ibv_free_dm(dm), EBUSY);
	EXPECT_LOGGED("1 memory regions are on it");
	EXPECT_EQ(ibv_dereg_mr(two), 0);
	EXPECT_EQ(ibv_free_dm(dm), 0);
	EXPECT_EQ(fake_mrs, 0);
}

TEST(regions_are_registered_again_for_what_they_are_of)
{
	struct ibv_pd pd = { .context = ctx }, two = { .context = ctx };
	struct ibv_pd foreign = { .context = again };
	const int anew = IBV_REREG_MR_CHANGE_PD | IBV_REREG_MR_CHANGE_ACCESS;
	struct ibv_dm *dm = alloc(ctx, PAGE);
	static char other[PAGE];
	struct ibv_mr *mr, *empty;

	ASSERT(dm);
	mr = ibv_reg_dm_mr(&pd, dm, 0, PAGE, ZERO_BASED);
	empty = ibv_reg_dm_mr(&pd, dm, 0, 0, ZERO_BASED);
	ASSERT(mr && empty);
	EXPECT_EQ(ibv_rereg_mr(mr, anew, &two, NULL, 0, ZERO_BASED), 0);
	EXPECT_EQ(fake_last.flags, anew);
	EXPECT_EQ(fake_last.access, ZERO_BASED & ~IBV_ACCESS_ZERO_BASED);
	EXPECT(mr->pd == &two && !mr->addr);
	EXPECT_EQ(ibv_rereg_mr(empty, anew, &two, NULL, 0, ZERO_BASED), 0);
	EXPECT_EQ(fake_last.flags, anew);
	EXPECT_EQ(fake_last.access, 0);
	fake_last.flags = 0;
	EXPECT_EQ(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, other, PAGE, 0),
		  IBV_REREG_MR_ERR_INPUT);
	EXPECT_EQ(errno, EOPNOTSUPP);
	EXPECT_LOGGED("cannot become one of other memory");
	EXPECT_EQ(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_PD, &foreign, NULL, 0, 0),
		  IBV_REREG_MR_ERR_INPUT);
	EXPECT_EQ(errno, EINVAL);
	EXPECT_LOGGED("of another context");
	EXPECT_EQ(fake_last.flags, 0);
	fake_errno = EOPNOTSUPP;
	EXPECT_EQ(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, ZERO_BASED),
		  IBV_REREG_MR_ERR_CMD);
	EXPECT_LOGGED("Operation not supported");
	fake_errno = 0;
	EXPECT(mr->pd == &two && !mr->addr && mr->length == PAGE);
	EXPECT_EQ(ibv_free_dm(dm), EBUSY);
	logged();
	EXPECT_EQ(ibv_dereg_mr(mr), 0);
	EXPECT_EQ(ibv_dereg_mr(empty), 0);
	EXPECT_EQ(ibv_free_dm(dm), 0);
}

TEST(an_empty_region_is_of_a_page_that_nobody_may_use)
{
	struct ibv_pd pd = { .context = ctx };
	struct ibv_dm *dm = alloc(ctx, PAGE);
	struct ibv_mr *mr;

	ASSERT(dm);
	mr = ibv_reg_dm_mr(&pd, dm, 0, 0, ZERO_BASED);
	ASSERT(mr);
	EXPECT(fake_last.addr != addr_of(dm));
	EXPECT_EQ(fake_last.length, 4);
	EXPECT_EQ(fake_last.iova, -(uint64_t)PAGE);
	EXPECT_EQ(fake_last.access, 0);
	EXPECT(!mr->addr && !mr->length);
	EXPECT_EQ(ibv_dereg_mr(mr), 0);
	EXPECT_EQ(fake_last.length, 4);
	EXPECT_EQ(ibv_free_dm(dm), 0);
}

TEST(bad_regions_are_refused)
{
	struct ibv_pd pd = { .context = ctx }, foreign = { .context = again };
	struct ibv_dm *dm = alloc(ctx, 3 * PAGE - 8);
	const struct {
		struct ibv_pd *pd;
		uint64_t offset;
		size_t length;
		unsigned int access;
		int err;
		const char *why;
	} bad[] = {
		{ &pd, 0, 1, IBV_ACCESS_LOCAL_WRITE, EINVAL, "IBV_ACCESS_ZERO_BASED is missing" },
		{ &foreign, 0, 1, ZERO_BASED, EINVAL, "of another context" },
		{ &pd, 0, 3 * PAGE - 7, ZERO_BASED, EINVAL, "not within" },
		{ &pd, PAGE, 2 * PAGE - 7, ZERO_BASED, EINVAL, "not within" },
		{ &pd, 3 * PAGE - 7, 0, ZERO_BASED, EINVAL, "not within" },
		{ &pd, -(uint64_t)PAGE, 2 * PAGE, ZERO_BASED, EINVAL, "not within" },
		{ &pd, PAGE, SIZE_MAX, ZERO_BASED, EINVAL, "not within" },
		{ &pd, 4, 4, ZERO_BASED, EOPNOTSUPP, "offset 4: must be a multiple of 4096" },
	};
	size_t i;

	ASSERT(dm);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		errno = 0;
		EXPECT(!ibv_reg_dm_mr(bad[i].pd, dm, bad[i].offset, bad[i].length, bad[i].access));
		EXPECT_EQ(errno, bad[i].err);
		EXPECT_LOGGED(bad[i].why);
	}
	fake_errno = ENOMEM;
	EXPECT_NONE(ibv_reg_dm_mr(&pd, dm, 0, PAGE, ZERO_BASED), ENOMEM);
	EXPECT_LOGGED("RLIMIT_MEMLOCK");
	EXPECT_NONE(ibv_reg_dm_mr(&pd, dm, 0, 0, ZERO_BASED), ENOMEM);
	logged();
	fake_errno = EPERM;
	EXPECT_NONE(ibv_reg_dm_mr(&pd, dm, 0, PAGE, ZERO_BASED), EPERM);
	EXPECT_LOGGED("Operation not permitted");
	fake_errno = 0;
	EXPECT_EQ(fake_mrs, 0);
	EXPECT_EQ(ibv_free_dm(dm), 0);
}

/* Regions of other memory pass through, even if they begin at 0. */
TEST(other_regions_go_through)
{
	struct ibv_pd pd = { .context = ctx };
	char buf[16];
	struct ibv_mr *mr = ibv_reg_mr_iova2(&pd, buf, sizeof(buf), 0, 0);

	ASSERT(mr);
	EXPECT_EQ(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, buf + 1, 7, 0), 0);
	EXPECT(fake_last.addr == buf + 1 && fake_last.length == 7);
	EXPECT_EQ(ibv_dereg_mr(mr), 0);
	EXPECT(fake_last.addr == buf + 1);
	mr = ibv_reg_mr_iova2(&pd, NULL, SIZE_MAX, 0, IBV_ACCESS_ON_DEMAND);
	ASSERT(mr);
	EXPECT_EQ(ibv_dereg_mr(mr), 0);
	EXPECT_EQ(fake_mrs, 0);
}
