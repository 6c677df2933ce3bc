// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory maps: properties, calls of the driver, start and stop, and reasons that keep them. */
#include "bed.h"
#include "core/memory/mmap.h"

#define LEN ((size_t)8192)
#define LR DOCA_ACCESS_LOCAL_READ
#define LRW (DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE)

static char *const memory = bed.mem + 8;
static struct doca_mmap *map;
static struct doca_dev *devs[3];

/* Begin with devices 1, 2, ... and all of the memory, or with nothing. */
static void begin(uint32_t nr)
{
	fake_reset(false);
	memset(devs, 0, sizeof(devs));
	OK(doca_mmap_create(&map));
	if (nr)
		OK(doca_mmap_set_memrange(map, memory, LEN));
	for (uint32_t i = 0; i < nr; i++) {
		devs[i] = fake_new_dev(i + 1);
		OK(doca_mmap_add_dev(map, devs[i]));
	}
}

static void destroy(void)
{
	OK(doca_mmap_destroy(map));
	map = NULL;
}

static void end(void)
{
	if (map)
		destroy();
	for (int i = 0; i < 3; i++)
		OK(doca_dev_close(devs[i]));
	EXPECT_CLEAN();
	logged();
}

/* Count calls for all the memory. */
static void count_free(void *addr, size_t len, void *cookie)
{
	if (addr == memory && len == LEN)
		++*(int *)cookie;
}

TEST(new_mmap_has_defaults)
{
	union doca_data data = { .u64 = 1 };
	uint32_t u32;
	size_t len;
	void *addr;
	uint8_t u8;

	begin(0);
	ERR(doca_mmap_get_memrange(map, &addr, &len), BAD_STATE);
	EXPECT_EQ(bufs_of(map), 0);
	OK(doca_mmap_get_user_data(map, &data));
	EXPECT_EQ(data.u64, 0);
	OK(doca_mmap_get_max_num_devices(map, &u32));
	EXPECT(u32 >= 2);
	OK(doca_mmap_get_exported(map, &u8));
	EXPECT_EQ(u8, 0);
	OK(doca_mmap_get_from_export(map, &u8));
	EXPECT_EQ(u8, 0);
	end();
}

TEST(memrange_is_set_once)
{
	size_t len;
	void *addr;

	begin(0);
	ERR(doca_mmap_set_memrange(map, memory, 0), INVALID_VALUE);
	ERR(doca_mmap_set_memrange(map, memory, SIZE_MAX), INVALID_VALUE);
	OK(doca_mmap_set_memrange(map, memory + 1, 100));
	ERR(doca_mmap_set_memrange(map, memory, 1), NOT_PERMITTED);
	OK(doca_mmap_get_memrange(map, &addr, &len));
	EXPECT(addr == memory + 1);
	EXPECT_EQ(len, 100);
	end();
}

TEST(permissions_that_are_undefined_or_exclude_each_other)
{
	static const uint32_t good[] = {
		DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY,
		DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |
			DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC |
			DOCA_ACCESS_FLAG_PCI_READ_ONLY,
	};
	static const uint32_t bad[] = {
		1 << 7,
		1U << 31,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
	};

	begin(0);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		OK(doca_mmap_set_permissions(map, good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ERR(doca_mmap_set_permissions(map, bad[i]), INVALID_VALUE);
	end();
}

TEST(permissions_become_kernel_access)
{
	static const struct {
		uint32_t flags, reg, map;
	} cases[] = {
		{ 0, LR, LR },
		{ DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, LRW, LRW },
		{ DOCA_ACCESS_FLAG_PCI_READ_ONLY, LRW | DOCA_ACCESS_PCI_READ, LRW },
		{ DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		  LRW | DOCA_ACCESS_PCI_READ | DOCA_ACCESS_PCI_WRITE, LRW },
		{ DOCA_ACCESS_FLAG_RDMA_READ, LRW | DOCA_ACCESS_RDMA_READ, LRW },
		{ DOCA_ACCESS_FLAG_RDMA_WRITE, LRW | DOCA_ACCESS_RDMA_WRITE, LRW },
		{ DOCA_ACCESS_FLAG_RDMA_ATOMIC, LRW | DOCA_ACCESS_RDMA_ATOMIC, LRW },
		{ DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_ONLY |
			  DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
		  LRW | DOCA_ACCESS_PCI_READ, LRW },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin(1);
		OK(doca_mmap_set_permissions(map, cases[i].flags));
		OK(doca_mmap_start(map));
		EXPECT_EQ(fake.reg_access, cases[i].reg);
		EXPECT_EQ(fake.map_access, cases[i].map);
		EXPECT_EQ(doca_priv_mmap_writable(map), cases[i].map == LRW);
		end();
	}
}

TEST(default_permission_is_local_read_and_write)
{
	begin(1);
	OK(doca_mmap_start(map));
	EXPECT_EQ(fake.reg_access, LRW);
	EXPECT(fake.addr == memory);
	EXPECT_EQ(fake.len, LEN);
	end();
}

TEST(read_only_memory_can_be_shared_for_reading)
{
	begin(1);
	fake.write_error = -EFAULT;
	OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
	OK(doca_mmap_start(map));
	EXPECT_EQ(fake.reg_access, LR | DOCA_ACCESS_PCI_READ);
	EXPECT_EQ(fake.map_access, LR);
	logged();
	EXPECT(!doca_priv_mmap_writable(map));
	EXPECT_SILENT();
	end();

	begin(1);
	fake.write_error = -EFAULT;
	OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	ERR(doca_mmap_start(map), INVALID_VALUE);
	EXPECT_EQ(fake.regs, 1);
	EXPECT_LOGGED("cannot pin 8 KiB");
	end();
}

/* The driver decides, because it sees the mappings; importers get no more either. */
TEST(a_tracked_file_is_only_read)
{
	begin(1);
	fake.reg_refuse = DOCA_ACCESS_LOCAL_WRITE | DOCA_ACCESS_PCI_WRITE;
	OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	OK(doca_mmap_start(map));
	EXPECT_EQ(fake.map_access, LR);
	EXPECT(!doca_priv_mmap_writable(map));
	EXPECT_SILENT();
	OK(doca_mmap_stop(map));
	OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	OK(doca_mmap_start(map));
	EXPECT_LOGGED("it is only read, by importers, too");
	EXPECT_EQ(fake.map_access, LR);
	end();
}

TEST(keys_belong_to_devices)
{
	struct doca_dev *other;

	begin(3);
	other = fake_new_dev(9);
	EXPECT_EQ(doca_priv_mmap_key(map, devs[0]), 0);
	OK(doca_mmap_start(map));
	EXPECT_EQ(fake.mems, 1);
	EXPECT_EQ(fake.keys, 3);
	EXPECT_EQ(doca_priv_mmap_key(map, devs[0]), 1);
	EXPECT_EQ(doca_priv_mmap_key(map, devs[1]), 2);
	EXPECT_EQ(doca_priv_mmap_key(map, devs[2]), 3);
	EXPECT_EQ(doca_priv_mmap_key(map, other), 0);
	OK(doca_mmap_stop(map));
	EXPECT_EQ(doca_priv_mmap_key(map, devs[0]), 0);
	EXPECT_EQ(doca_priv_mmap_key(map, devs[2]), 0);
	EXPECT_EQ(fake.mems, 0);
	OK(doca_dev_close(other));
	end();
}

TEST(devices_come_and_go_only_before_start)
{
	begin(2);
	devs[2] = fake_new_dev(3);
	ERR(doca_mmap_add_dev(map, devs[1]), ALREADY_EXIST);
	ERR(doca_mmap_rm_dev(map, devs[2]), NOT_FOUND);
	OK(doca_mmap_rm_dev(map, devs[0]));
	ERR(doca_mmap_rm_dev(map, devs[0]), NOT_FOUND);
	OK(doca_mmap_add_dev(map, devs[2]));
	OK(doca_mmap_start(map));
	EXPECT_EQ(doca_priv_mmap_key(map, devs[0]), 0);
	EXPECT_EQ(doca_priv_mmap_key(map, devs[1]), 1);
	EXPECT_EQ(doca_priv_mmap_key(map, devs[2]), 2);
	ERR(doca_mmap_add_dev(map, devs[0]), NOT_PERMITTED);
	ERR(doca_mmap_rm_dev(map, devs[1]), NOT_PERMITTED);
	OK(doca_mmap_stop(map));
	OK(doca_mmap_rm_dev(map, devs[1]));
	end();
}

TEST(number_of_devices_is_limited)
{
	uint32_t max;

	begin(2);
	devs[2] = fake_new_dev(3);
	ERR(doca_mmap_set_max_num_devices(map, 0), INVALID_VALUE);
	ERR(doca_mmap_set_max_num_devices(map, 1), INVALID_VALUE);
	OK(doca_mmap_set_max_num_devices(map, 2));
	OK(doca_mmap_get_max_num_devices(map, &max));
	EXPECT_EQ(max, 2);
	ERR(doca_mmap_add_dev(map, devs[2]), NO_MEMORY);
	OK(doca_mmap_start(map));
	ERR(doca_mmap_set_max_num_devices(map, 3), NOT_PERMITTED);
	OK(doca_mmap_stop(map));
	ERR(doca_mmap_set_max_num_devices(map, 3), NOT_PERMITTED);
	end();
}

TEST(properties_are_set_before_start)
{
	union doca_data data = { .u64 = 42 };
	int freed = 0;

	begin(1);
	OK(doca_mmap_set_user_data(map, data));
	OK(doca_mmap_start(map));
	ERR(doca_mmap_start(map), NOT_PERMITTED);
	ERR(doca_mmap_set_user_data(map, data), BAD_STATE);
	ERR(doca_mmap_set_permissions(map, 0), BAD_STATE);
	ERR(doca_mmap_set_memrange(map, memory, 1), BAD_STATE);
	ERR(doca_mmap_set_free_cb(map, count_free, &freed), BAD_STATE);
	ERR(doca_mmap_enable_thread_safety(map), BAD_STATE);
	data.u64 = 0;
	OK(doca_mmap_get_user_data(map, &data));
	EXPECT_EQ(data.u64, 42);
	end();
}

TEST(other_memories_are_not_supported)
{
	struct doca_dpa *dpa = (struct doca_dpa *)memory;
	doca_dpa_dev_mmap_t handle;

	begin(0);
	devs[0] = fake_new_dev(1);
	FAILS(doca_mmap_set_dpa_memrange(map, dpa, 1, 1), NOT_SUPPORTED, "DPA");
	FAILS(doca_mmap_dev_get_dpa_handle(map, devs[0], &handle), NOT_SUPPORTED, "DPA");
	OK(doca_mmap_set_memrange(map, memory, 1));
	ERR(doca_mmap_set_dpa_memrange(map, dpa, 1, 1), NOT_PERMITTED);
	OK(doca_mmap_start(map));
	ERR(doca_mmap_set_dpa_memrange(map, dpa, 1, 1), BAD_STATE);
	end();
}

TEST(start_again_after_stop)
{
	begin(1);
	OK(doca_mmap_stop(map));
	OK(doca_mmap_start(map));
	OK(doca_mmap_stop(map));
	OK(doca_mmap_stop(map));
	OK(doca_mmap_set_permissions(map, 0));
	OK(doca_mmap_start(map));
	EXPECT_EQ(fake.reg_access, LR);
	EXPECT_EQ(doca_priv_mmap_key(map, devs[0]), 2);
	end();
}

TEST(start_needs_memory_but_no_device)
{
	begin(0);
	FAILS(doca_mmap_start(map), INVALID_VALUE, "doca_mmap_set_memrange()");
	OK(doca_mmap_set_memrange(map, memory, 1));
	OK(doca_mmap_start(map));
	EXPECT_EQ(fake.regs, 0);
	end();
}

TEST(start_beyond_the_limit_gives_figures)
{
	begin(1);
	fake.mem_error = -ENOMEM;
	fake.limit.limit = 8 << 20;
	fake.limit.used = (8 << 20) - 4096;
	FAILS(doca_mmap_start(map), NO_MEMORY,
	      "RLIMIT_MEMLOCK is 8 MiB, 8.0 MiB in use; raise it with "
	      "ulimit -l or LimitMEMLOCK=");
	fake.limit.used = 9 << 20;
	FAILS(doca_mmap_start(map), NO_MEMORY, "RLIMIT_MEMLOCK is 8 MiB, 9 MiB in use");
	fake.limit.limit = UINT64_MAX;
	FAILS(doca_mmap_start(map), NO_MEMORY, "out of memory");
	end();
}

TEST(start_tells_why_it_failed)
{
	static const struct refusal cases[] = {
		{ -EFAULT, DOCA_ERROR_INVALID_VALUE, "not mapped" },
		{ -EOVERFLOW, DOCA_ERROR_INVALID_VALUE, "end of the address" },
		{ -EPERM, DOCA_ERROR_NOT_PERMITTED, "another process" },
		{ -EDQUOT, DOCA_ERROR_NO_MEMORY, "max_object_bytes of the doca module" },
		{ -EMFILE, DOCA_ERROR_DRIVER, "(EMFILE); close some" },
	};

	begin(1);
	EXPECT_REFUSALS(cases, fake.mem_error, doca_mmap_start(map));
	OK(doca_mmap_start(map));
	end();
}

TEST(start_undoes_what_it_did)
{
	static const struct refusal cases[] = {
		{ -ENODEV, DOCA_ERROR_INVALID_VALUE, "fake2: the device was" },
		{ -ENOMEM, DOCA_ERROR_NO_MEMORY, "fake2: out of memory" },
		{ -ENOSPC, DOCA_ERROR_NO_MEMORY, "too many mappings" },
		{ -EDQUOT, DOCA_ERROR_NO_MEMORY, "max_object_bytes of the doca module" },
		{ -EMFILE, DOCA_ERROR_DRIVER, "(EMFILE); close some" },
	};

	begin(2);
	fake.map_error_device = 2;
	EXPECT_REFUSALS(cases, fake.map_error, doca_mmap_start(map));
	EXPECT_EQ(fake.mems, 0);
	EXPECT_EQ(doca_priv_mmap_key(map, devs[0]), 0);
	end();
}

TEST(stop_fails_if_the_driver_does)
{
	begin(1);
	OK(doca_mmap_start(map));
	fake.dereg_error = -EIO;
	FAILS(doca_mmap_stop(map), NOT_PERMITTED, "Input/output error");
	ERR(doca_mmap_destroy(map), NOT_PERMITTED);
	fake.dereg_error = 0;
	end();
}

TEST(stop_and_destroy_wait_for_buffers)
{
	begin(1);
	ERR(mmap_buf_get(map, memory, 1), BAD_STATE);
	OK(doca_mmap_start(map));
	OK(mmap_buf_get(map, memory, 1));
	EXPECT_EQ(bufs_of(map), 1);
	FAILS(doca_mmap_stop(map), NOT_PERMITTED, "1 buffers are in use");
	FAILS(doca_mmap_destroy(map), NOT_PERMITTED, "cannot stop or destroy mmap");
	EXPECT_EQ(doca_priv_mmap_key(map, devs[0]), 1);
	mmap_buf_put(map);
	OK(doca_mmap_stop(map));
	end();
}

TEST(buffers_lie_within_the_memory)
{
	begin(1);
	OK(doca_mmap_start(map));
	OK(mmap_buf_get(map, memory, LEN));
	OK(mmap_buf_get(map, memory + LEN - 1, 1));
	ERR(mmap_buf_get(map, memory - 1, 1), INVALID_VALUE);
	ERR(mmap_buf_get(map, memory + 1, LEN), INVALID_VALUE);
	ERR(mmap_buf_get(map, memory + 1, SIZE_MAX), INVALID_VALUE);
	ERR(mmap_buf_get(map, memory + LEN + 1, 0), INVALID_VALUE);
	EXPECT_EQ(bufs_of(map), 2);
	mmap_buf_put(map);
	mmap_buf_put(map);
	end();
}

TEST(free_callback_runs_at_destroy_if_started_with_it)
{
	int freed = 0;

	/* never started */
	begin(1);
	OK(doca_mmap_set_free_cb(map, count_free, &freed));
	destroy();
	EXPECT_EQ(freed, 0);
	end();

	/* stopped before */
	begin(1);
	OK(doca_mmap_set_free_cb(map, count_free, &freed));
	OK(doca_mmap_start(map));
	OK(doca_mmap_stop(map));
	EXPECT_EQ(freed, 0);
	destroy();
	EXPECT_EQ(freed, 1);
	end();

	/* changed since */
	begin(1);
	OK(doca_mmap_set_free_cb(map, count_free, &freed));
	OK(doca_mmap_start(map));
	OK(doca_mmap_stop(map));
	OK(doca_mmap_set_free_cb(map, count_free, &freed));
	destroy();
	EXPECT_EQ(freed, 1);
	end();
}

TEST(device_closed_before_the_mmap)
{
	begin(1);
	OK(doca_mmap_start(map));
	OK(doca_dev_close(devs[0]));
	devs[0] = NULL;
	EXPECT_EQ(fake.refs, 1);
	end();
}

TEST(child_of_a_fork_releases_nothing_of_the_parent)
{
	begin(1);
	OK(doca_mmap_start(map));
	driver_forks++;
	OK(doca_mmap_stop(map));
	EXPECT_EQ(fake.mems, 1);
	FAILS(doca_mmap_start(map), NOT_PERMITTED, "before this process was forked");
	destroy();
	OK(doca_dev_close(devs[0]));
	EXPECT_EQ(fake.refs, 1);
	fake.mems = fake.keys = 0; /* they are the parent's */
}
