// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The areas of a queue: their layout, and permissions to map them */
#include <stddef.h>

#include "queue_fixture.h"
#include "../lib/resident.h"

static bool within(uint32_t offset, uint64_t bytes, uint32_t area, uint32_t head)
{
	return offset % 64 == 0 && offset >= head && offset + bytes <= area;
}

/* Nothing overlaps, and everything lies within its area */
TEST_F(queue, geometry)
{
	struct doca_queue_create *geo = &self->q.geo;
	uint32_t sq_bytes = 8 * sizeof(struct doca_sqe);

	EXPECT_EQ(0, geo->out_user_size % PAGE);
	EXPECT_EQ(0, geo->out_kernel_size % PAGE);
	EXPECT_TRUE(within(geo->out_sq_off, sq_bytes, geo->out_user_size,
			   sizeof(struct doca_ring_user)));
	EXPECT_TRUE(within(geo->out_seg_off, 4 * sizeof(struct doca_seg),
			   geo->out_user_size, sizeof(struct doca_ring_user)));
	EXPECT_TRUE(geo->out_seg_off >= geo->out_sq_off + sq_bytes ||
		    geo->out_sq_off >= geo->out_seg_off +
					       4 * sizeof(struct doca_seg));
	EXPECT_TRUE(within(geo->out_cq_off, 8 * sizeof(struct doca_cqe),
			   geo->out_kernel_size,
			   sizeof(struct doca_ring_kernel)));
}

/* A new queue is empty, and has no bytes of other users */
TEST_F(queue, begins_as_zeros)
{
	const uint8_t *user = (void *)self->q.user;
	const uint8_t *kernel = (const void *)self->q.kernel;
	uint32_t i, sum = 0;

	EXPECT_EQ(DOCA_QUEUE_RUN, self->q.kernel->state);
	EXPECT_NE(0, self->q.kernel->need_wakeup);
	for (i = 0; i < self->q.geo.out_user_size; i++)
		sum |= user[i];
	for (i = 0; i < self->q.geo.out_kernel_size; i++)
		if (i - offsetof(struct doca_ring_kernel, need_wakeup) >= 4)
			sum |= kernel[i];
	EXPECT_EQ(0, sum);
}

static int map_errno(const struct queue *q, size_t length, int prot, int flags, off_t offset)
{
	void *p = mmap(NULL, length, prot, flags, q->fd, offset);

	if (p == MAP_FAILED)
		return -errno;
	munmap(p, length);
	return 0;
}

TEST_F(queue, mmap_rules)
{
	const int rw = PROT_READ | PROT_WRITE;
	const struct queue *q = &self->q;
	size_t user = q->geo.out_user_size, kernel = q->geo.out_kernel_size;

	EXPECT_EQ(0, map_errno(q, user, rw, MAP_SHARED, DOCA_MMAP_USER));
	EXPECT_EQ(0, map_errno(q, kernel, PROT_READ, MAP_SHARED, DOCA_MMAP_KERNEL));
	/* Private, in parts, too long, elsewhere */
	EXPECT_GT(0, map_errno(q, user, rw, MAP_PRIVATE, DOCA_MMAP_USER));
	EXPECT_GT(0, map_errno(q, kernel, PROT_READ, MAP_PRIVATE, DOCA_MMAP_KERNEL));
	EXPECT_GT(0, map_errno(q, user + PAGE, rw, MAP_SHARED, DOCA_MMAP_USER));
	EXPECT_GT(0, map_errno(q, kernel + PAGE, PROT_READ, MAP_SHARED, DOCA_MMAP_KERNEL));
	EXPECT_GT(0, map_errno(q, user, rw, MAP_SHARED, PAGE));
	EXPECT_GT(0, map_errno(q, kernel, PROT_READ, MAP_SHARED, DOCA_MMAP_KERNEL + PAGE));
	EXPECT_GT(0, map_errno(q, PAGE, PROT_READ, MAP_SHARED, DOCA_MMAP_KERNEL - PAGE));
	EXPECT_GT(0, map_errno(q, PAGE, PROT_READ, MAP_SHARED, 2L * DOCA_MMAP_KERNEL));
	/* A kernel area that is writable or executable */
	EXPECT_GT(0, map_errno(q, kernel, rw, MAP_SHARED, DOCA_MMAP_KERNEL));
	EXPECT_GT(0, map_errno(q, kernel, PROT_READ | PROT_EXEC, MAP_SHARED, DOCA_MMAP_KERNEL));
	EXPECT_GT(0, map_errno(q, user, rw | PROT_EXEC, MAP_SHARED, DOCA_MMAP_USER));
	/* The file itself has no memory to map */
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->d.fd, 0));
}

TEST_F(queue, mmap_in_part)
{
	struct queue big;

	ASSERT_EQ(0, queue_open(&big, &self->d, 0, 512, 512));
	ASSERT_LT(PAGE, big.geo.out_user_size);
	ASSERT_LT(PAGE, big.geo.out_kernel_size);
	EXPECT_GT(0, map_errno(&big, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, DOCA_MMAP_USER));
	EXPECT_GT(0, map_errno(&big, PAGE, PROT_READ, MAP_SHARED, DOCA_MMAP_KERNEL));
	queue_close(&big);
}

#define TABLE (16 * PAGE / sizeof(struct doca_seg))

static struct doca_sqe sqe_lists(struct doca_seg src, struct doca_seg dst)
{
	return (struct doca_sqe){ .opcode = DOCA_OP_MEMCPY,
				  .flags = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST,
				  .src = src,
				  .dst = dst };
}

/* Pages of the table come when the program touches them. */
TEST_F(queue, an_untouched_table_takes_no_memory)
{
	const char *last;
	struct queue q;
	long there;

	ASSERT_EQ(0, queue_open(&q, &self->d, 0, 8, TABLE));
	last = (char *)q.user + q.geo.out_user_size - PAGE;
	there = resident_pages(q.user, q.geo.out_user_size);
	EXPECT_LE(0, there);
	EXPECT_GE(q.geo.out_seg_off / PAGE + 1, there);
	EXPECT_EQ(0, resident_pages(last, PAGE));
	q.segs[TABLE - 1] = (struct doca_seg){};
	EXPECT_EQ(1, resident_pages(last, PAGE));
	queue_close(&q);
}

/* To the executor it is all 0, which is no key. */
TEST_F(queue, lists_may_lie_where_nobody_has_written)
{
	struct queue q;

	ASSERT_EQ(0, queue_open(&q, &self->d, 0, 8, TABLE));
	EXPECT_EQ(DOCA_STATUS_BAD_KEY,
		  queue_status(&q, sqe_lists(seg_list(TABLE - 2, 2), seg_list(TABLE - 4, 2))));
	queue_close(&q);
}

TEST_F(queue, a_list_lies_in_several_pages)
{
	uint32_t i, at, each = 4;
	struct queue q;
	struct buf buf;

	ASSERT_EQ(0, queue_open(&q, &self->d, 0, 8, TABLE));
	ASSERT_EQ(0, buf_make(&self->d, &buf, PAGE, ACCESS_LOCAL));
	/* The first segment of a page in the middle. */
	at = (9 * PAGE - q.geo.out_seg_off % PAGE) / sizeof(struct doca_seg);
	for (i = 0; i < 2 * each; i++) {
		buf.addr[i] = 'a' + i;
		q.segs[at - each + i] = seg_of(&buf, i, 1);
	}
	q.segs[0] = seg_of(&buf, 64, 2 * each);
	EXPECT_EQ(DOCA_STATUS_SUCCESS,
		  queue_status(&q, sqe_lists(seg_list(at - each, 2 * each), seg_list(0, 1))));
	EXPECT_EQ(0, memcmp(buf.addr, buf.addr + 64, 2 * each));
	queue_close(&q);
}

TEST_F(queue, mappings_cannot_be_changed)
{
	struct queue *q = &self->q;
	size_t user = q->geo.out_user_size, kernel = q->geo.out_kernel_size;
	void *k = (void *)q->kernel, *room = pages_alloc(user + kernel);

	ASSERT_NE(NULL, room);
	EXPECT_NE(0, mprotect(k, kernel, PROT_READ | PROT_WRITE));
	EXPECT_NE(0, mprotect(k, kernel, PROT_WRITE));
	EXPECT_NE(0, mprotect(k, kernel, PROT_READ | PROT_EXEC));
	EXPECT_NE(0, mprotect(q->user, user, PROT_READ | PROT_EXEC));
	EXPECT_EQ(MAP_FAILED, mremap(k, kernel, kernel + PAGE, MREMAP_MAYMOVE));
	EXPECT_EQ(MAP_FAILED, mremap(q->user, user, user + PAGE, MREMAP_MAYMOVE));
	EXPECT_EQ(MAP_FAILED, mremap(k, kernel, kernel, MREMAP_MAYMOVE | MREMAP_FIXED, room));
	EXPECT_EQ(MAP_FAILED, mremap(q->user, user, user, MREMAP_MAYMOVE | MREMAP_FIXED, room));
	EXPECT_EQ(MAP_FAILED, mremap(k, 0, kernel, MREMAP_MAYMOVE));
	EXPECT_EQ(0, mprotect(q->user, user, PROT_READ | PROT_WRITE));
}

TEST_F(queue, another_address_space)
{
	struct queue *q = &self->q;
	pid_t pid;

	/* The rings are not inherited, and no process can ask for that */
	EXPECT_EQ(-1, madvise(q->user, q->geo.out_user_size, MADV_DOFORK));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, madvise((void *)q->kernel, q->geo.out_kernel_size, MADV_DOFORK));
	EXPECT_EQ(EINVAL, errno);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		unsigned char there;

		EXPECT_EQ(-1, mincore(q->user, PAGE, &there));
		EXPECT_EQ(ENOMEM, errno);
		EXPECT_EQ(-1, mincore((void *)q->kernel, PAGE, &there));
		EXPECT_EQ(ENOMEM, errno);
		/* and cannot be mapped; but poll works */
		EXPECT_EQ(-EPERM, map_errno(q, q->geo.out_kernel_size,
					    PROT_READ, MAP_SHARED,
					    DOCA_MMAP_KERNEL));
		EXPECT_EQ(-EPERM, map_errno(q, q->geo.out_user_size,
					    PROT_READ | PROT_WRITE, MAP_SHARED,
					    DOCA_MMAP_USER));
		EXPECT_EQ(0, queue_revents(q, POLLIN, 0));
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(q, sqe_nop(1)));
}

TEST_F(queue, debuggers_may_look)
{
	struct queue *q = &self->q;
	int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	struct doca_sqe entry;
	uint32_t head;

	ASSERT_LE(0, fd);
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(q, sqe_nop(4711)));
	EXPECT_EQ(sizeof(head), pread(fd, &head, sizeof(head), (uintptr_t)&q->kernel->sq_head));
	EXPECT_EQ(1, head);
	EXPECT_EQ(sizeof(entry), pread(fd, &entry, sizeof(entry), (uintptr_t)q->sq));
	EXPECT_EQ(4711, entry.user_data);
	/* but not change anything */
	EXPECT_EQ(-1, pwrite(fd, &head, sizeof(head), (uintptr_t)&q->kernel->sq_head));
	EXPECT_EQ(-1, pwrite(fd, &entry, sizeof(entry), (uintptr_t)q->sq));
	close(fd);
}

/* The areas can be read while they are mapped */
TEST_F(queue, mapping_outlives_the_fd)
{
	struct queue *q = &self->q;

	EXPECT_EQ(DOCA_STATUS_SUCCESS, queue_status(q, sqe_nop(7)));
	close(q->fd);
	EXPECT_EQ(1, q->kernel->cq_tail);
	EXPECT_EQ(7, q->cq[0].user_data);
	q->sq[0] = sqe_nop(8);
	munmap(q->user, q->geo.out_user_size);
	munmap((void *)q->kernel, q->geo.out_kernel_size);
	q->fd = -1;
}

TEST_HARNESS_MAIN
