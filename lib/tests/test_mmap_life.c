// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory maps: how they start and stop, and what keeps them. */
#include "mmap_bed.h"

TEST(start_again_after_stop)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;

	mmap = make(&dev, 1);
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_set_permissions(mmap, 0), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(fake.reg_access, LR);
	EXPECT_EQ(doca_priv_mmap_key(mmap, dev), 2);
	destroy(mmap);
	close_all(&dev, 1);
}

TEST(start_needs_memory_but_no_device)
{
	struct doca_mmap *mmap;

	fake_reset();
	ASSERT(doca_mmap_create(&mmap) == DOCA_SUCCESS);
	logged();
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("doca_mmap_set_memrange()");
	EXPECT_EQ(doca_mmap_set_memrange(mmap, memory, 1), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(fake.reg_calls, 0);
	destroy(mmap);
	EXPECT_CLEAN();
}

TEST(start_beyond_the_limit_gives_figures)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;

	mmap = make(&dev, 1);
	fake.reg_err = -ENOMEM;
	fake.limit.limit = 8 << 20;
	fake.limit.used = (8 << 20) - 4096;
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_ERROR_NO_MEMORY);
	EXPECT_LOGGED("RLIMIT_MEMLOCK is 8 MiB, 8.0 MiB in use; raise it with "
		      "ulimit -l or LimitMEMLOCK=");
	fake.limit.used = 9 << 20;
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_ERROR_NO_MEMORY);
	EXPECT_LOGGED("RLIMIT_MEMLOCK is 8 MiB, 9 MiB in use");
	fake.limit.limit = UINT64_MAX;
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_ERROR_NO_MEMORY);
	EXPECT_LOGGED("out of memory");
	destroy(mmap);
	close_all(&dev, 1);
}

TEST(start_tells_why_it_failed)
{
	static const struct {
		int err;
		doca_error_t res;
		const char *why;
	} cases[] = {
		{ -EFAULT, DOCA_ERROR_INVALID_VALUE, "not mapped" },
		{ -EOVERFLOW, DOCA_ERROR_INVALID_VALUE, "end of the address" },
		{ -EPERM, DOCA_ERROR_NOT_PERMITTED, "another process" },
		{ -EDQUOT, DOCA_ERROR_NO_MEMORY, "parameters of the doca" },
		{ -EIO, DOCA_ERROR_DRIVER, "error 5" },
	};
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	size_t i;

	mmap = make(&dev, 1);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fake.reg_err = cases[i].err;
		EXPECT_EQ(doca_mmap_start(mmap), cases[i].res);
		EXPECT_LOGGED(cases[i].why);
	}
	fake.reg_err = 0;
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	destroy(mmap);
	close_all(&dev, 1);
}

TEST(start_undoes_what_it_did)
{
	static const struct {
		int err;
		doca_error_t res;
		const char *why;
	} cases[] = {
		{ -ENODEV, DOCA_ERROR_INVALID_VALUE, "fake2: the device was" },
		{ -ENOMEM, DOCA_ERROR_NO_MEMORY, "fake2: out of memory" },
		{ -ENOSPC, DOCA_ERROR_NO_MEMORY, "too many mappings" },
		{ -EDQUOT, DOCA_ERROR_NO_MEMORY, "parameters of the doca" },
		{ -EIO, DOCA_ERROR_DRIVER, "error 5" },
	};
	struct doca_dev *devs[2];
	struct doca_mmap *mmap;
	size_t i;

	mmap = make(devs, 2);
	fake.map_err_device = 2;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fake.map_err = cases[i].err;
		EXPECT_EQ(doca_mmap_start(mmap), cases[i].res);
		EXPECT_LOGGED(cases[i].why);
		EXPECT_EQ(fake.mems, 0);
		EXPECT_EQ(doca_priv_mmap_key(mmap, devs[0]), 0);
	}
	destroy(mmap);
	close_all(devs, 2);
}

TEST(stop_fails_if_the_driver_does)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;

	mmap = make(&dev, 1);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	fake.dereg_err = -EIO;
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_LOGGED("error 5");
	EXPECT_EQ(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
	fake.dereg_err = 0;
	destroy(mmap);
	logged();
	close_all(&dev, 1);
}

TEST(stop_and_destroy_wait_for_buffers)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	uint32_t n;

	mmap = make(&dev, 1);
	EXPECT_EQ(mmap_buf_get(mmap, memory, 1), DOCA_ERROR_BAD_STATE);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(mmap_buf_get(mmap, memory, 1), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_get_num_bufs(mmap, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, 1);
	logged();
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_LOGGED("1 buffers are in use");
	EXPECT_EQ(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_LOGGED("cannot stop or destroy mmap");
	EXPECT_EQ(doca_priv_mmap_key(mmap, dev), 1);
	mmap_buf_put(mmap);
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	destroy(mmap);
	logged();
	close_all(&dev, 1);
}

TEST(buffers_lie_within_the_memory)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	uint32_t n;

	mmap = make(&dev, 1);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(mmap_buf_get(mmap, memory, LEN), DOCA_SUCCESS);
	EXPECT_EQ(mmap_buf_get(mmap, memory + LEN - 1, 1), DOCA_SUCCESS);
	EXPECT_EQ(mmap_buf_get(mmap, memory - 1, 1), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(mmap_buf_get(mmap, memory + 1, LEN),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(mmap_buf_get(mmap, memory + 1, SIZE_MAX),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(mmap_buf_get(mmap, memory + LEN + 1, 0),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_num_bufs(mmap, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, 2);
	mmap_buf_put(mmap);
	mmap_buf_put(mmap);
	destroy(mmap);
	close_all(&dev, 1);
}

TEST(free_callback_runs_at_destroy_if_started_with_it)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	int freed = 0;

	/* never started */
	mmap = make(&dev, 1);
	EXPECT_EQ(doca_mmap_set_free_cb(NULL, count_free, &freed),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_free_cb(mmap, count_free, &freed),
		  DOCA_SUCCESS);
	destroy(mmap);
	EXPECT_EQ(freed, 0);
	close_all(&dev, 1);

	/* stopped before */
	mmap = make(&dev, 1);
	EXPECT_EQ(doca_mmap_set_free_cb(mmap, count_free, &freed),
		  DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(freed, 0);
	destroy(mmap);
	EXPECT_EQ(freed, 1);
	close_all(&dev, 1);

	/* changed since */
	mmap = make(&dev, 1);
	EXPECT_EQ(doca_mmap_set_free_cb(mmap, count_free, &freed),
		  DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_set_free_cb(mmap, count_free, &freed),
		  DOCA_SUCCESS);
	destroy(mmap);
	EXPECT_EQ(freed, 1);
	close_all(&dev, 1);
}

TEST(device_closed_before_the_mmap)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;

	mmap = make(&dev, 1);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_dev_close(dev), DOCA_SUCCESS);
	EXPECT_EQ(fake.refs, 1);
	destroy(mmap);
	EXPECT_CLEAN();
}

TEST(child_of_a_fork_releases_nothing_of_the_parent)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;

	mmap = make(&dev, 1);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	driver_forks++;
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(fake.mems, 1);
	logged();
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_LOGGED("before this process was forked");
	destroy(mmap);
	EXPECT_EQ(doca_dev_close(dev), DOCA_SUCCESS);
	EXPECT_EQ(fake.refs, 1);
}

TEST(thread_safe_mmap_works_the_same)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	uint32_t n;

	mmap = make(&dev, 1);
	EXPECT_EQ(doca_mmap_enable_thread_safety(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_mmap_set_permissions(mmap, 0), DOCA_ERROR_BAD_STATE);
	EXPECT_EQ(mmap_buf_get(mmap, memory, 1), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_get_num_bufs(mmap, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, 1);
	mmap_buf_put(mmap);
	destroy(mmap);
	close_all(&dev, 1);
}
