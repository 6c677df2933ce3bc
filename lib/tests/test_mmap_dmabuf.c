// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory maps of dma-bufs: what is asked of the driver, and what it refuses. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ktap.h"
#include "fake_mem.h"
#include "logged.h"
#include "core/memory/mmap.h"

#define LRW (DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE)
#define OFFSET 33
#define ADDR ((void *)(0x1234000 + OFFSET))
#define SIZE 12288

/* Stands for a dma-buf: all that the library asks it for is its size. */
static int file(void)
{
	int fd = memfd_create("dmabuf", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, SIZE))
		abort();
	return fd;
}

static struct doca_mmap *make(struct doca_dev **dev)
{
	struct doca_mmap *mmap;

	fake_reset();
	*dev = fake_dev(1);
	if (doca_mmap_create(&mmap) || doca_mmap_add_dev(mmap, *dev))
		abort();
	return mmap;
}

static void unmake(struct doca_mmap *mmap, struct doca_dev *dev)
{
	EXPECT_EQ(doca_mmap_destroy(mmap), DOCA_SUCCESS);
	doca_dev_close(dev);
	EXPECT_CLEAN();
}

/* The lowest descriptor that is free: the same again if none was lost. */
static int lowest_fd(void)
{
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	return fd;
}

TEST(is_asked_for_with_offset_and_name)
{
	int lowest = lowest_fd();
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	int fd = file();
	size_t len;
	void *addr;

	mmap = make(&dev);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET, 4000),
		  DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_SUCCESS);
	EXPECT(addr == ADDR);
	EXPECT_EQ(len, 4000);
	close(fd);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT(fake.dmabuf_fd > 0);
	EXPECT_EQ(fake.dmabuf_offset, OFFSET);
	EXPECT(fake.addr == ADDR);
	EXPECT_EQ(fake.len, 4000);
	EXPECT_EQ(fake.reg_access, LRW);
	/* Stopped and started again, although the program's own is closed. */
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(fcntl(fake.dmabuf_fd, F_GETFD), FD_CLOEXEC);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	unmake(mmap, dev);
	EXPECT_EQ(lowest_fd(), lowest);
}

TEST(invalid_values)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	int fd = file();

	mmap = make(&dev);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(NULL, fd, ADDR, OFFSET, 1),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, -1, ADDR, 0, 1),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, NULL, 0, 1),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET, 0),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET,
						SIZE_MAX),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, SIZE_MAX, 2),
		  DOCA_ERROR_INVALID_VALUE);
	logged();
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET + 1, 1),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("same place in a page");
	close(fd);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET, 1),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("as a dma-buf");
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
	logged();
	unmake(mmap, dev);
}

TEST(no_descriptors_are_left)
{
	struct rlimit was, none;
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	int fd = file();

	mmap = make(&dev);
	if (getrlimit(RLIMIT_NOFILE, &was))
		abort();
	none = (struct rlimit){ 0, was.rlim_max };
	if (setrlimit(RLIMIT_NOFILE, &none))
		abort();
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET, 1),
		  DOCA_ERROR_NO_MEMORY);
	setrlimit(RLIMIT_NOFILE, &was);
	logged();
	/* Nothing was set, so it can be now. */
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET, 1),
		  DOCA_SUCCESS);
	close(fd);
	unmake(mmap, dev);
}

TEST(once_and_before_start)
{
	static char memory[16];
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	int fd = file();

	mmap = make(&dev);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET, 1),
		  DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET, 1),
		  DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_mmap_set_memrange(mmap, memory, 1),
		  DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET, 1),
		  DOCA_ERROR_BAD_STATE);
	unmake(mmap, dev);

	mmap = make(&dev);
	EXPECT_EQ(doca_mmap_set_memrange(mmap, memory, 1), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET, 1),
		  DOCA_ERROR_NOT_PERMITTED);
	unmake(mmap, dev);
	close(fd);
}

static const struct {
	int err;
	doca_error_t res;
	const char *why;
} refusals[] = {
	{ -EINVAL, DOCA_ERROR_INVALID_VALUE, "not one of a dma-buf" },
	{ -ERANGE, DOCA_ERROR_INVALID_VALUE, "it has 12288" },
	{ -EOPNOTSUPP, DOCA_ERROR_NOT_SUPPORTED, "cannot reach it" },
	{ -EACCES, DOCA_ERROR_INVALID_VALUE, "read-only" },
	{ -EPERM, DOCA_ERROR_NOT_PERMITTED, "another process" },
	{ -EIO, DOCA_ERROR_DRIVER, "error 5" },
};

TEST(refused_by_the_driver)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	int fd = file();
	size_t i;

	mmap = make(&dev);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET, 8000),
		  DOCA_SUCCESS);
	for (i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		fake.reg_err = refusals[i].err;
		logged();
		EXPECT_EQ(doca_mmap_start(mmap), refusals[i].res);
		EXPECT_LOGGED(refusals[i].why);
	}
	/* The limit is met by the whole of it, not by the part. */
	fake.reg_err = -ENOMEM;
	fake.limit = (struct driver_mem_limit){ 65536, 61440 };
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_ERROR_NO_MEMORY);
	EXPECT_LOGGED("cannot pin 12 KiB: RLIMIT_MEMLOCK is 64 KiB");
	fake.reg_err = 0;
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	close(fd);
	unmake(mmap, dev);
}

TEST(read_only_unless_writing_is_named)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	int fd = file();

	mmap = make(&dev);
	EXPECT_EQ(doca_mmap_set_dmabuf_memrange(mmap, fd, ADDR, OFFSET, 1),
		  DOCA_SUCCESS);
	fake.write_err = -EACCES;
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
	EXPECT_LOGGED("read-only");
	EXPECT_EQ(doca_mmap_set_permissions(mmap,
					    DOCA_ACCESS_FLAG_PCI_READ_ONLY),
		  DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	EXPECT_EQ(fake.reg_access,
		  DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_PCI_READ);
	EXPECT(!doca_priv_mmap_writable(mmap));
	close(fd);
	unmake(mmap, dev);
}
