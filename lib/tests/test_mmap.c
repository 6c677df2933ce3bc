// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory maps: their properties, and what the driver is asked for. */
#include "mmap_bed.h"

TEST(null_is_invalid)
{
	union doca_data data = { .u64 = 1 };
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	uint32_t u32;
	size_t len;
	void *addr;
	uint8_t u8;

	mmap = make(&dev, 1);
	EXPECT_EQ(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_start(NULL), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_add_dev(NULL, dev), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_add_dev(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_rm_dev(NULL, dev), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_rm_dev(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_memrange(NULL, memory, 1),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_permissions(NULL, 0), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_user_data(NULL, data),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_max_num_devices(NULL, 1),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_max_num_devices(mmap, 0),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_free_cb(mmap, NULL, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_enable_thread_safety(NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_memrange(NULL, &addr, &len),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_memrange(mmap, NULL, &len),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_memrange(mmap, &addr, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_num_bufs(NULL, &u32), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_num_bufs(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_user_data(NULL, &data),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_user_data(mmap, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_max_num_devices(NULL, &u32),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_max_num_devices(mmap, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_exported(NULL, &u8), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_exported(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_from_export(NULL, &u8),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_get_from_export(mmap, NULL),
		  DOCA_ERROR_INVALID_VALUE);
	destroy(mmap);
	close_all(&dev, 1);
}

TEST(new_mmap_has_defaults)
{
	union doca_data data = { .u64 = 1 };
	struct doca_mmap *mmap;
	uint32_t u32;
	size_t len;
	void *addr;
	uint8_t u8;

	fake_reset();
	ASSERT(doca_mmap_create(&mmap) == DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_get_memrange(mmap, &addr, &len),
		  DOCA_ERROR_BAD_STATE);
	EXPECT_EQ(doca_mmap_get_num_bufs(mmap, &u32), DOCA_SUCCESS);
	EXPECT_EQ(u32, 0);
	EXPECT_EQ(doca_mmap_get_user_data(mmap, &data), DOCA_SUCCESS);
	EXPECT_EQ(data.u64, 0);
	EXPECT_EQ(doca_mmap_get_max_num_devices(mmap, &u32), DOCA_SUCCESS);
	EXPECT(u32 >= 2);
	EXPECT_EQ(doca_mmap_get_exported(mmap, &u8), DOCA_SUCCESS);
	EXPECT_EQ(u8, 0);
	EXPECT_EQ(doca_mmap_get_from_export(mmap, &u8), DOCA_SUCCESS);
	EXPECT_EQ(u8, 0);
	destroy(mmap);
}

TEST(memrange_is_set_once)
{
	struct doca_mmap *mmap;
	size_t len;
	void *addr;

	ASSERT(doca_mmap_create(&mmap) == DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_set_memrange(mmap, NULL, 1),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_memrange(mmap, memory, 0),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_memrange(mmap, memory, SIZE_MAX),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_memrange(mmap, memory + 1, 100), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_set_memrange(mmap, memory, 1),
		  DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_SUCCESS);
	EXPECT(addr == memory + 1);
	EXPECT_EQ(len, 100);
	destroy(mmap);
}

TEST(permissions_that_are_undefined_or_exclude_each_other)
{
	static const uint32_t good[] = {
		DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY,
		DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		DOCA_ACCESS_FLAG_PCI_READ_WRITE |
			DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
			DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |
			DOCA_ACCESS_FLAG_RDMA_WRITE |
			DOCA_ACCESS_FLAG_RDMA_ATOMIC |
			DOCA_ACCESS_FLAG_PCI_READ_ONLY,
	};
	static const uint32_t bad[] = {
		1 << 7,
		1U << 31,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY |
			DOCA_ACCESS_FLAG_PCI_READ_WRITE,
	};
	struct doca_mmap *mmap;
	size_t i;

	ASSERT(doca_mmap_create(&mmap) == DOCA_SUCCESS);
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		EXPECT_EQ(doca_mmap_set_permissions(mmap, good[i]),
			  DOCA_SUCCESS);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		EXPECT_EQ(doca_mmap_set_permissions(mmap, bad[i]),
			  DOCA_ERROR_INVALID_VALUE);
	destroy(mmap);
}

TEST(permissions_become_kernel_access)
{
	static const struct {
		uint32_t flags, reg, map;
	} cases[] = {
		{ 0, LR, LR },
		{ DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, LRW, LRW },
		{ DOCA_ACCESS_FLAG_PCI_READ_ONLY, LRW | DOCA_ACCESS_PCI_READ,
		  LRW },
		{ DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		  LRW | DOCA_ACCESS_PCI_READ | DOCA_ACCESS_PCI_WRITE, LRW },
		{ DOCA_ACCESS_FLAG_RDMA_READ, LRW | DOCA_ACCESS_RDMA_READ,
		  LRW },
		{ DOCA_ACCESS_FLAG_RDMA_WRITE, LRW | DOCA_ACCESS_RDMA_WRITE,
		  LRW },
		{ DOCA_ACCESS_FLAG_RDMA_ATOMIC, LRW | DOCA_ACCESS_RDMA_ATOMIC,
		  LRW },
		{ DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
			  DOCA_ACCESS_FLAG_PCI_READ_ONLY |
			  DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
		  LRW | DOCA_ACCESS_PCI_READ, LRW },
	};
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		mmap = make(&dev, 1);
		EXPECT_EQ(doca_mmap_set_permissions(mmap, cases[i].flags),
			  DOCA_SUCCESS);
		EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
		EXPECT_EQ(fake.reg_access, cases[i].reg);
		EXPECT_EQ(fake.map_access, cases[i].map);
		EXPECT_EQ(doca_priv_mmap_writable(mmap), cases[i].map == LRW);
		destroy(mmap);
		close_all(&dev, 1);
	}
}

TEST(default_permission_is_local_read_and_write)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;

	mmap = make(&dev, 1);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(fake.reg_access, LRW);
	EXPECT(fake.addr == memory);
	EXPECT_EQ(fake.len, LEN);
	destroy(mmap);
	close_all(&dev, 1);
}

TEST(read_only_memory_can_be_shared_for_reading)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;

	mmap = make(&dev, 1);
	fake.write_err = -EFAULT;
	EXPECT_EQ(doca_mmap_set_permissions(mmap,
					    DOCA_ACCESS_FLAG_PCI_READ_ONLY),
		  DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(fake.reg_access, LR | DOCA_ACCESS_PCI_READ);
	EXPECT_EQ(fake.map_access, LR);
	logged();
	EXPECT(!doca_priv_mmap_writable(mmap));
	EXPECT_SILENT();
	destroy(mmap);
	close_all(&dev, 1);

	mmap = make(&dev, 1);
	fake.write_err = -EFAULT;
	EXPECT_EQ(doca_mmap_set_permissions(mmap,
					    DOCA_ACCESS_FLAG_PCI_READ_WRITE),
		  DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(fake.reg_calls, 1);
	EXPECT_LOGGED("cannot pin 8 KiB");
	destroy(mmap);
	close_all(&dev, 1);
}

TEST(keys_belong_to_devices)
{
	struct doca_dev *devs[3], *other;
	struct doca_mmap *mmap;

	mmap = make(devs, 3);
	other = fake_dev(9);
	EXPECT_EQ(doca_priv_mmap_key(mmap, devs[0]), 0);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(fake.mems, 1);
	EXPECT_EQ(fake.keys, 3);
	EXPECT_EQ(doca_priv_mmap_key(mmap, devs[0]), 1);
	EXPECT_EQ(doca_priv_mmap_key(mmap, devs[1]), 2);
	EXPECT_EQ(doca_priv_mmap_key(mmap, devs[2]), 3);
	EXPECT_EQ(doca_priv_mmap_key(mmap, other), 0);
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_priv_mmap_key(mmap, devs[0]), 0);
	EXPECT_EQ(doca_priv_mmap_key(mmap, devs[2]), 0);
	EXPECT_EQ(fake.mems, 0);
	destroy(mmap);
	doca_dev_close(other);
	close_all(devs, 3);
}

TEST(devices_come_and_go_only_before_start)
{
	struct doca_dev *devs[3];
	struct doca_mmap *mmap;

	mmap = make(devs, 2);
	devs[2] = fake_dev(3);
	EXPECT_EQ(doca_mmap_add_dev(mmap, devs[1]), DOCA_ERROR_ALREADY_EXIST);
	EXPECT_EQ(doca_mmap_rm_dev(mmap, devs[2]), DOCA_ERROR_NOT_FOUND);
	EXPECT_EQ(doca_mmap_rm_dev(mmap, devs[0]), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_rm_dev(mmap, devs[0]), DOCA_ERROR_NOT_FOUND);
	EXPECT_EQ(doca_mmap_add_dev(mmap, devs[2]), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_priv_mmap_key(mmap, devs[0]), 0);
	EXPECT_EQ(doca_priv_mmap_key(mmap, devs[1]), 1);
	EXPECT_EQ(doca_priv_mmap_key(mmap, devs[2]), 2);
	EXPECT_EQ(doca_mmap_add_dev(mmap, devs[0]), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_mmap_rm_dev(mmap, devs[1]), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_rm_dev(mmap, devs[1]), DOCA_SUCCESS);
	destroy(mmap);
	close_all(devs, 3);
}

TEST(number_of_devices_is_limited)
{
	struct doca_dev *devs[3];
	struct doca_mmap *mmap;
	uint32_t max;

	mmap = make(devs, 2);
	devs[2] = fake_dev(3);
	EXPECT_EQ(doca_mmap_set_max_num_devices(mmap, 1),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_max_num_devices(mmap, 2), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_get_max_num_devices(mmap, &max), DOCA_SUCCESS);
	EXPECT_EQ(max, 2);
	EXPECT_EQ(doca_mmap_add_dev(mmap, devs[2]), DOCA_ERROR_NO_MEMORY);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_set_max_num_devices(mmap, 3),
		  DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_set_max_num_devices(mmap, 3),
		  DOCA_ERROR_NOT_PERMITTED);
	destroy(mmap);
	close_all(devs, 3);
}

TEST(properties_are_set_before_start)
{
	union doca_data data = { .u64 = 42 };
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	int freed = 0;

	mmap = make(&dev, 1);
	EXPECT_EQ(doca_mmap_set_user_data(mmap, data), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_mmap_set_user_data(mmap, data), DOCA_ERROR_BAD_STATE);
	EXPECT_EQ(doca_mmap_set_permissions(mmap, 0), DOCA_ERROR_BAD_STATE);
	EXPECT_EQ(doca_mmap_set_memrange(mmap, memory, 1),
		  DOCA_ERROR_BAD_STATE);
	EXPECT_EQ(doca_mmap_set_free_cb(mmap, count_free, &freed),
		  DOCA_ERROR_BAD_STATE);
	EXPECT_EQ(doca_mmap_enable_thread_safety(mmap), DOCA_ERROR_BAD_STATE);
	data.u64 = 0;
	EXPECT_EQ(doca_mmap_get_user_data(mmap, &data), DOCA_SUCCESS);
	EXPECT_EQ(data.u64, 42);
	destroy(mmap);
	close_all(&dev, 1);
}

TEST(other_memories_are_not_supported)
{
	struct doca_dpa *dpa = (struct doca_dpa *)memory;
	doca_dpa_dev_mmap_t handle;
	struct doca_mmap *mmap;
	struct doca_dev *dev;

	fake_reset();
	dev = fake_dev(1);
	ASSERT(doca_mmap_create(&mmap) == DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_set_dpa_memrange(mmap, NULL, 1, 1),
		  DOCA_ERROR_INVALID_VALUE);
	logged();
	EXPECT_EQ(doca_mmap_set_dpa_memrange(mmap, dpa, 1, 1),
		  DOCA_ERROR_NOT_SUPPORTED);
	EXPECT_LOGGED("DPA");
	EXPECT_EQ(doca_mmap_dev_get_dpa_handle(mmap, NULL, &handle),
		  DOCA_ERROR_INVALID_VALUE);
	logged();
	EXPECT_EQ(doca_mmap_dev_get_dpa_handle(mmap, dev, &handle),
		  DOCA_ERROR_NOT_SUPPORTED);
	EXPECT_LOGGED("DPA");
	EXPECT_EQ(doca_mmap_set_memrange(mmap, memory, 1), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_set_dpa_memrange(mmap, dpa, 1, 1),
		  DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_set_dpa_memrange(mmap, dpa, 1, 1),
		  DOCA_ERROR_BAD_STATE);
	destroy(mmap);
	close_all(&dev, 1);
}
