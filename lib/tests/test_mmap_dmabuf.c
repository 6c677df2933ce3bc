// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory maps of dma-bufs: calls of the driver, and refusals. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bed.h"
#include "core/memory/mmap.h"

#define LRW (DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE)
#define OFFSET 33
#define ADDR ((void *)(0x1234000 + OFFSET))
#define SIZE 12288

/* Stands for a dma-buf; the library asks only for its size. */
static int file(void)
{
	int fd = memfd_create("dmabuf", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, SIZE))
		abort();
	return fd;
}

static struct doca_mmap *map;
static struct doca_dev *dev;
static int fd;

static void begin(void)
{
	fake_reset(false);
	fd = file();
	dev = fake_new_dev(1);
	OK(doca_mmap_create(&map));
	OK(doca_mmap_add_dev(map, dev));
}

static void end(void)
{
	OK(doca_mmap_destroy(map));
	OK(doca_dev_close(dev));
	close(fd);
	EXPECT_CLEAN();
}

static doca_error_t set_range(size_t len)
{
	return doca_mmap_set_dmabuf_memrange(map, fd, ADDR, OFFSET, len);
}

/* Return the lowest free descriptor: the same again if none was lost. */
static int lowest_fd(void)
{
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	return fd;
}

TEST(is_asked_for_with_offset_and_name)
{
	int lowest = lowest_fd();
	size_t len;
	void *addr;

	begin();
	OK(set_range(4000));
	OK(doca_mmap_get_memrange(map, &addr, &len));
	EXPECT(addr == ADDR);
	EXPECT_EQ(len, 4000);
	close(fd);
	OK(doca_mmap_start(map));
	EXPECT(fake.dmabuf_fd > 0);
	EXPECT_EQ(fake.dmabuf_offset, OFFSET);
	EXPECT(fake.addr == ADDR);
	EXPECT_EQ(fake.len, 4000);
	EXPECT_EQ(fake.reg_access, LRW);
	/* Stopped and started again, although the program's own descriptor is closed. */
	OK(doca_mmap_stop(map));
	EXPECT_EQ(fcntl(fake.dmabuf_fd, F_GETFD), FD_CLOEXEC);
	OK(doca_mmap_start(map));
	end();
	EXPECT_EQ(lowest_fd(), lowest);
}

TEST(invalid_values)
{
	begin();
	ERR(doca_mmap_set_dmabuf_memrange(map, -1, ADDR, 0, 1), INVALID_VALUE);
	ERR(set_range(0), INVALID_VALUE);
	ERR(set_range(SIZE_MAX), INVALID_VALUE);
	ERR(doca_mmap_set_dmabuf_memrange(map, fd, ADDR, SIZE_MAX, 2), INVALID_VALUE);
	FAILS(doca_mmap_set_dmabuf_memrange(map, fd, ADDR, OFFSET + 1, 1), INVALID_VALUE,
	      "same place in a page");
	close(fd);
	FAILS(set_range(1), INVALID_VALUE, "as a dma-buf");
	ERR(doca_mmap_start(map), INVALID_VALUE);
	logged();
	end();
}

TEST(no_descriptors_are_left)
{
	struct rlimit was, none;

	begin();
	if (getrlimit(RLIMIT_NOFILE, &was))
		abort();
	none = (struct rlimit){ 0, was.rlim_max };
	if (setrlimit(RLIMIT_NOFILE, &none))
		abort();
	ERR(set_range(1), NO_MEMORY);
	setrlimit(RLIMIT_NOFILE, &was);
	logged();
	/* Nothing was set, so it can be set now. */
	OK(set_range(1));
	end();
}

TEST(once_and_before_start)
{
	static char memory[16];

	begin();
	OK(set_range(1));
	ERR(set_range(1), NOT_PERMITTED);
	ERR(doca_mmap_set_memrange(map, memory, 1), NOT_PERMITTED);
	OK(doca_mmap_start(map));
	ERR(set_range(1), BAD_STATE);
	end();

	begin();
	OK(doca_mmap_set_memrange(map, memory, 1));
	ERR(set_range(1), NOT_PERMITTED);
	end();
}

static const struct refusal refusals[] = {
	{ -EINVAL, DOCA_ERROR_INVALID_VALUE, "not one of a dma-buf" },
	{ -ERANGE, DOCA_ERROR_INVALID_VALUE, "it has 12288" },
	{ -EOPNOTSUPP, DOCA_ERROR_NOT_SUPPORTED, "cannot reach it" },
	{ -EACCES, DOCA_ERROR_INVALID_VALUE, "read-only" },
	{ -EPERM, DOCA_ERROR_NOT_PERMITTED, "another process" },
	{ -EMFILE, DOCA_ERROR_DRIVER, "(EMFILE); close some" },
};

TEST(refused_by_the_driver)
{
	begin();
	OK(set_range(8000));
	EXPECT_REFUSALS(refusals, fake.mem_error, doca_mmap_start(map));
	/* The limit applies to the whole dma-buf, not to the part. */
	fake.mem_error = -ENOMEM;
	fake.limit = (struct driver_mem_limit){ 65536, 61440 };
	FAILS(doca_mmap_start(map), NO_MEMORY, "cannot pin 12 KiB: RLIMIT_MEMLOCK is 64 KiB");
	fake.mem_error = 0;
	OK(doca_mmap_start(map));
	end();
}

TEST(read_only_unless_writing_is_named)
{
	begin();
	OK(set_range(1));
	fake.write_error = -EACCES;
	FAILS(doca_mmap_start(map), INVALID_VALUE, "read-only");
	OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
	OK(doca_mmap_start(map));
	EXPECT_EQ(fake.reg_access, DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_PCI_READ);
	EXPECT(!doca_priv_mmap_writable(map));
	end();
}
