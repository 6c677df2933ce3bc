// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* dma-bufs as memory: copies, references, charges, sharing and refusals */
#include <stddef.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "dmabuf_memory.h"
#include "kselftest_harness.h"

#define SIZE (8 * PAGE)
#define NOBODY 54321 /* a user that has locked nothing */
#define GIB (1UL << 30)

FIXTURE(dmabuf) {
	struct doca d;
	struct queue q;
	struct buf mine;
	uint8_t *seen; /* mapping of the whole dma-buf */
	int fd;
};

FIXTURE_VARIANT(dmabuf) {
	dmabuf_create_t *create;
};

FIXTURE_VARIANT_ADD(dmabuf, vgem) { .create = dmabuf_vgem };
FIXTURE_VARIANT_ADD(dmabuf, udmabuf) { .create = dmabuf_udmabuf };
FIXTURE_VARIANT_ADD(dmabuf, heap) { .create = dmabuf_heap };

/* udmabuf does not map for the kernel before 6.6 */
static bool udmabuf_is_out_of_reach(void)
{
	struct utsname uts;
	int major, minor;

	return !uname(&uts) &&
	       sscanf(uts.release, "%d.%d", &major, &minor) == 2 &&
	       major * 100 + minor < 606;
}

FIXTURE_SETUP(dmabuf)
{
	DOCA_OPEN(&self->d);
	self->fd = variant->create(SIZE, true);
	if (self->fd == -ENODEV)
		SKIP_SETUP("no such exporter, or the driver takes no dma-bufs");
	if (variant->create == dmabuf_udmabuf && udmabuf_is_out_of_reach())
		SKIP_SETUP("udmabuf is mapped for the kernel since 6.6");
	ASSERT_LE(0, self->fd);
	self->seen = dmabuf_mmap(self->fd, SIZE, true);
	ASSERT_NE(NULL, self->seen);
	ASSERT_EQ(0, buf_make(&self->d, &self->mine, SIZE, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&self->q, &self->d, 0, 2, 0));
}

FIXTURE_TEARDOWN(dmabuf)
{
	queue_close(&self->q);
	munmap(self->seen, SIZE);
	close(self->fd);
	DOCA_CLOSE(&self->d);
}

/* Copy all of a dma-buf's memory out and in, and compare with the mapping */
static bool works(struct queue *q, struct buf *b, uint8_t *seen, struct buf *mine)
{
	fill_random(seen, b->length, 3);
	if (queue_status(q, sqe_copy(seg_of(mine, 0, b->length),
				     seg_of(b, 0, b->length))) ||
	    memcmp(seen, mine->addr, b->length))
		return false;
	fill_random(mine->addr, b->length, 4);
	return !queue_status(q, sqe_copy(seg_of(b, 0, b->length), seg_of(mine, 0, b->length))) &&
	       !memcmp(seen, mine->addr, b->length);
}

TEST_F(dmabuf, any_part_by_any_address)
{
	/* Across the borders of the largest chunks, and at the end of the address space */
	const uint64_t addrs[] = { 33, GIB - PAGE + 33, 3 * GIB - 2 * PAGE + 33,
				   -(uint64_t)SIZE - 2 * PAGE + 33 };
	const uint64_t length = SIZE - 2 * PAGE - 77;
	struct buf b;
	int i;

	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, dmabuf_make(&self->d, &b, self->fd, addrs[i], PAGE + 33,
				  length, ACCESS_LOCAL));
		memset(self->seen, 0x5a, SIZE);
		EXPECT_TRUE(works(&self->q, &b, self->seen + PAGE + 33, &self->mine));
		EXPECT_EQ(0x5a, self->seen[PAGE + 32]);
		EXPECT_EQ(0x5a, self->seen[PAGE + 33 + length]);
		EXPECT_EQ(0, mem_dereg(self->d.fd, b.mem));
	}
}

TEST_F(dmabuf, nothing_outside_of_the_part_is_reached)
{
	struct buf b;

	ASSERT_EQ(0, dmabuf_make(&self->d, &b, self->fd, GIB, PAGE, PAGE, ACCESS_LOCAL));
	b.addr--;
	EXPECT_EQ(DOCA_STATUS_BAD_RANGE,
		  queue_status(&self->q, sqe_copy(seg_of(&self->mine, 0, 1),
						  seg_of(&b, 0, 1))));
	queue_close(&self->q);
	ASSERT_EQ(0, queue_open(&self->q, &self->d, 0, 2, 0));
	b.addr += PAGE;
	EXPECT_EQ(DOCA_STATUS_BAD_RANGE,
		  queue_status(&self->q, sqe_copy(seg_of(&self->mine, 0, 2),
						  seg_of(&b, 0, 2))));
}

/* The descriptor, the program's mapping and the maker's file may all go */
TEST_F(dmabuf, lives_on_when_closed)
{
	struct buf b;

	ASSERT_EQ(0, dmabuf_make(&self->d, &b, self->fd, GIB, 0, SIZE, ACCESS_LOCAL));
	fill_random(self->seen, SIZE, 8);
	munmap(self->seen, SIZE);
	close(self->fd);
	EXPECT_EQ(DOCA_STATUS_SUCCESS,
		  queue_status(&self->q, sqe_copy(seg_of(&self->mine, 0, SIZE),
						  seg_of(&b, 0, SIZE))));
	self->seen = pages_alloc(SIZE);
	fill_random(self->seen, SIZE, 8);
	EXPECT_EQ(0, memcmp(self->seen, self->mine.addr, SIZE));
	self->fd = open("/dev/null", O_RDONLY);
}

TEST_F(dmabuf, registered_more_than_once)
{
	struct buf b[3];
	int i;

	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, dmabuf_make(&self->d, &b[i], self->fd, GIB * i, 0, SIZE,
				  ACCESS_LOCAL));
	for (i = 0; i < 3; i++) {
		EXPECT_TRUE(works(&self->q, &b[i], self->seen, &self->mine));
		EXPECT_EQ(0, mem_dereg(self->d.fd, b[i].mem));
	}
}

TEST_F(dmabuf, exported_and_revoked)
{
	struct doca_mem_import import;
	struct doca_blob blob;
	struct doca other;
	struct buf b, far, mine;
	struct queue q;

	ASSERT_EQ(0, dmabuf_make(&self->d, &b, self->fd, GIB + 5, 5, SIZE - 5,
			  ACCESS_LOCAL | ACCESS_PCI));
	ASSERT_EQ(0, mem_export(self->d.fd, b.key, 0, &blob, NULL));
	ASSERT_EQ(0, doca_open(&other));
	ASSERT_EQ(0, mem_import(other.fd, other.device, &blob, &import));
	EXPECT_EQ(GIB + 5, import.out_addr);
	EXPECT_EQ(SIZE - 5, import.out_length);
	far = b;
	far.key = import.out_key;
	ASSERT_EQ(0, buf_make(&other, &mine, SIZE, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&q, &other, 0, 2, 0));
	EXPECT_TRUE(works(&q, &far, self->seen + 5, &mine));
	EXPECT_EQ(0, mem_dereg(self->d.fd, b.mem));
	EXPECT_EQ(DOCA_STATUS_BAD_KEY,
		  queue_status(&q, sqe_copy(seg_of(&mine, 0, 1),
					    seg_of(&far, 0, 1))));
	queue_close(&q);
	close(other.fd);
}

/* The whole dma-buf is held, so all of it is charged */
TEST_F(dmabuf, charged_as_a_whole)
{
	struct doca_mem_reg reg = {
		.addr = GIB, .length = 1, .access = ACCESS_LOCAL,
		.dmabuf_fd = self->fd,
	};
	struct rlimit limit = { SIZE, SIZE };
	long before = pins_read().vmpin_kb;

	ASSERT_EQ(0, reg_dmabuf(self->d.fd, &reg));
	EXPECT_EQ(before + (long)SIZE / 1024, pins_read().vmpin_kb);
	EXPECT_EQ(0, mem_dereg(self->d.fd, reg.out_mem_id));

	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, 0));
	/* registration waits for unpinning, so it fits every time */
	ASSERT_EQ(0, reg_dmabuf(self->d.fd, &reg));
	EXPECT_EQ(SIZE, reg.out_limit);
	EXPECT_EQ(0, reg.out_used);
	EXPECT_EQ(-ENOMEM, reg_dmabuf(self->d.fd, &reg));
	EXPECT_EQ(SIZE, reg.out_used);
	EXPECT_EQ(0, mem_dereg(self->d.fd, reg.out_mem_id));
	EXPECT_EQ(0, reg_dmabuf(self->d.fd, &reg));
	EXPECT_EQ(0, setresuid(0, 0, 0));
}

TEST_F(dmabuf, not_within)
{
	static const struct {
		uint64_t offset, length;
	} ranges[] = {
		{ 0, SIZE + 1 }, { SIZE, 1 }, { 1, SIZE }, { SIZE - 1, 2 },
		{ UINT64_MAX, 1 }, { UINT64_MAX, UINT64_MAX - 2 * GIB },
		{ 0, 1ULL << 40 },
	};
	struct buf b;
	int i;

	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		EXPECT_EQ(-ERANGE,
			  dmabuf_make(&self->d, &b, self->fd,
			       GIB + ranges[i].offset % PAGE,
			       ranges[i].offset, ranges[i].length,
			       ACCESS_LOCAL))
			TH_LOG("range %d", i);
	EXPECT_EQ(-EOVERFLOW, dmabuf_make(&self->d, &b, self->fd, -PAGE, 0, PAGE + 1,
				   ACCESS_LOCAL));
	EXPECT_EQ(-EINVAL, dmabuf_make(&self->d, &b, self->fd, GIB, 0, 0, ACCESS_LOCAL));
	EXPECT_EQ(-EINVAL, dmabuf_make(&self->d, &b, self->fd, GIB + 8, 0, 1, ACCESS_LOCAL));
	EXPECT_EQ(-EINVAL, dmabuf_make(&self->d, &b, self->fd, GIB, 1, 1, ACCESS_LOCAL));
}

TEST_F(dmabuf, read_only)
{
	uint8_t *seen;
	struct buf b;
	int fd;

	fd = variant->create(SIZE, false);
	if (fd == -ENODEV)
		SKIP(return, "this exporter makes none");
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EACCES, dmabuf_make(&self->d, &b, fd, GIB, 0, SIZE, ACCESS_LOCAL));
	EXPECT_EQ(-EACCES, dmabuf_make(&self->d, &b, fd, GIB, 0, SIZE, DOCA_ACCESS_PCI_WRITE));
	EXPECT_EQ(-EACCES, dmabuf_make(&self->d, &b, fd, GIB, 0, SIZE, DOCA_ACCESS_RDMA_ATOMIC));
	seen = dmabuf_mmap(fd, SIZE, false);
	ASSERT_NE(NULL, seen);
	ASSERT_EQ(0, dmabuf_make(&self->d, &b, fd, GIB, 0, SIZE, DOCA_ACCESS_LOCAL_READ));
	memset(self->mine.addr, 1, SIZE);
	EXPECT_EQ(DOCA_STATUS_SUCCESS,
		  queue_status(&self->q, sqe_copy(seg_of(&self->mine, 0, SIZE),
						  seg_of(&b, 0, SIZE))));
	EXPECT_EQ(0, memcmp(seen, self->mine.addr, SIZE));
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS,
		  queue_status(&self->q, sqe_copy(seg_of(&b, 0, 1),
						  seg_of(&self->mine, 0, 1))));
	munmap(seen, SIZE);
	close(fd);
}

FIXTURE(refused) {
	struct doca d;
};

FIXTURE_SETUP(refused)
{
	DOCA_OPEN(&self->d);
}

FIXTURE_TEARDOWN(refused)
{
	DOCA_CLOSE(&self->d);
}

TEST_F(refused, what_is_no_dmabuf)
{
	int memfd = memfd_create("none", 0);
	struct buf b;

	ASSERT_EQ(0, ftruncate(memfd, SIZE));
	if (!DMABUF_IS_TAKEN) {
		EXPECT_EQ(-EOPNOTSUPP, dmabuf_make(&self->d, &b, memfd, GIB, 0, 1, ACCESS_LOCAL));
		close(memfd);
		return;
	}
	EXPECT_EQ(-EBADF, dmabuf_make(&self->d, &b, -1, GIB, 0, 1, ACCESS_LOCAL));
	EXPECT_EQ(-EBADF, dmabuf_make(&self->d, &b, 999, GIB, 0, 1, ACCESS_LOCAL));
	EXPECT_EQ(-EINVAL, dmabuf_make(&self->d, &b, memfd, GIB, 0, 1, ACCESS_LOCAL));
	EXPECT_EQ(-EINVAL, dmabuf_make(&self->d, &b, self->d.fd, GIB, 0, 1, ACCESS_LOCAL));
	close(memfd);
}

TEST_F(refused, fields_that_go_with_the_flag)
{
	uint8_t *page = pages_alloc(PAGE);
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.addr = (uintptr_t)page,
		.length = PAGE,
		.access = ACCESS_LOCAL,
		.dmabuf_fd = 1,
	};

	EXPECT_EQ(-EINVAL, doca_call(self->d.fd, DOCA_MEM_REG, &reg));
	reg.dmabuf_fd = 0;
	reg.dmabuf_offset = 1;
	EXPECT_EQ(-EINVAL, doca_call(self->d.fd, DOCA_MEM_REG, &reg));
	reg.dmabuf_offset = 0;
	reg.flags = DOCA_MEM_REG_DMABUF << 1;
	EXPECT_EQ(-EOPNOTSUPP, doca_call(self->d.fd, DOCA_MEM_REG, &reg));
	reg.flags = 0;
	EXPECT_EQ(0, doca_call(self->d.fd, DOCA_MEM_REG, &reg));
	munmap(page, PAGE);
}

/* Call like a program that was compiled before dma-bufs were added */
TEST_F(refused, nothing_in_the_form_before_dmabufs)
{
	uint8_t *page = pages_alloc(PAGE);
	struct doca_mem_reg reg = {
		.size = offsetof(struct doca_mem_reg, dmabuf_fd),
		.addr = (uintptr_t)page,
		.length = PAGE,
		.access = ACCESS_LOCAL,
		.dmabuf_fd = -7, /* beyond its size */
	};

	EXPECT_EQ(0, doca_call(self->d.fd, DOCA_MEM_REG, &reg));
	EXPECT_EQ(-7, reg.dmabuf_fd);
	munmap(page, PAGE);
}

TEST_F(refused, what_the_exporter_does_not_map)
{
	struct buf b;
	int fd;

	if (!udmabuf_is_out_of_reach())
		SKIP(return, "udmabuf is mapped for the kernel since 6.6");
	fd = dmabuf_udmabuf(SIZE, true);
	if (fd == -ENODEV)
		SKIP(return, "no udmabuf");
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EOPNOTSUPP, dmabuf_make(&self->d, &b, fd, GIB, 0, SIZE, ACCESS_LOCAL));
	close(fd);
}

/* An exporter that is in use cannot be unloaded; in the end it can */
TEST_F(refused, unloading_of_the_exporter)
{
	struct buf b;
	int fd;

	fd = dmabuf_vgem(SIZE, true);
	if (fd == -ENODEV)
		SKIP(return, "no vgem");
	ASSERT_LE(0, fd);
	if (access("/sys/module/vgem/refcnt", F_OK))
		SKIP(return, "vgem is built in");
	ASSERT_EQ(0, dmabuf_make(&self->d, &b, fd, GIB, 0, SIZE, ACCESS_LOCAL));
	close(fd);
	EXPECT_NE(0, system("rmmod vgem 2>/dev/null"));
	EXPECT_EQ(0, mem_dereg(self->d.fd, b.mem));
	WAIT_UNTIL(!system("rmmod vgem 2>/dev/null"));
}

TEST_HARNESS_MAIN
