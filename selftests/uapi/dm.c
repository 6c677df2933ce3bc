// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Device memory: refusals of the calls, and properties of its mappings. */
#include <signal.h>

#include "dm_fixture.h"

TEST_F(dm, a_pool_is_told)
{
	struct doca_dm_query q = self->was;

	EXPECT_EQ(16 * MIB, q.out_length);
	EXPECT_GE(q.out_length, q.out_free);
	EXPECT_EQ(-ENODEV, dm_query(self->d.fd, 0, &q));
	EXPECT_EQ(-ENODEV, dm_query(self->d.fd, UINT32_MAX, &q));
	q = self->was;
	q.__reserved = 1;
	EXPECT_EQ(-EINVAL, doca_call(self->d.fd, DOCA_DM_QUERY, &q));
	q = self->was;
	q.size -= 4;
	EXPECT_EQ(-EINVAL, doca_call(self->d.fd, DOCA_DM_QUERY, &q));
}

TEST_F(dm, bad_allocations_are_refused)
{
	uint64_t max = self->was.out_length;
	uint32_t device = self->d.device;
	int fd = self->d.fd;
	struct doca_dm_alloc a;

	EXPECT_EQ(-EINVAL, dm_alloc(fd, device, 0, &a));
	EXPECT_EQ(-ENOSPC, dm_alloc(fd, device, max + 1, &a));
	EXPECT_EQ(-ENOSPC, dm_alloc(fd, device, UINT64_MAX, &a));
	EXPECT_EQ(-ENOSPC, dm_alloc(fd, device, UINT64_MAX - PAGE + 2, &a));
	EXPECT_EQ(-ENODEV, dm_alloc(fd, 0, PAGE, &a));
	a = (struct doca_dm_alloc){ .size = sizeof(a), .flags = 1,
				    .device_id = device, .length = PAGE };
	EXPECT_EQ(-EOPNOTSUPP, doca_call(fd, DOCA_DM_ALLOC, &a));
	a.flags = 0;
	a.__reserved = 1;
	EXPECT_EQ(-EINVAL, doca_call(fd, DOCA_DM_ALLOC, &a));
	EXPECT_EQ(-ENOENT, dm_free(fd, 0));
	EXPECT_EQ(-ENOENT, dm_free(fd, UINT32_MAX));
	EXPECT_WHOLE(self);
}

TEST_F(dm, all_sizes_are_zero_and_their_own)
{
	const uint64_t sizes[] = { 1, PAGE - 1, PAGE, PAGE + 1, LEN,
				   self->was.out_free };
	struct doca_dm_alloc a;
	uint8_t *p;
	int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, sizes[i], &a));
		EXPECT_EQ(dm_pages(sizes[i]), used(self));
		p = dm_map(self->d.fd, sizes[i], a.out_offset);
		ASSERT_NE(NULL, p);
		EXPECT_TRUE(is_filled(p, dm_pages(sizes[i]), 0));
		memset(p, 0xa5, dm_pages(sizes[i]));
		EXPECT_EQ(0, dm_free(self->d.fd, a.out_dm_id));
		EXPECT_EQ(-ENOENT, dm_free(self->d.fd, a.out_dm_id));
		EXPECT_TRUE(is_filled(p, dm_pages(sizes[i]), 0xa5));
		EXPECT_EQ(dm_pages(sizes[i]), used(self));
		EXPECT_EQ(0, munmap(p, dm_pages(sizes[i])));
		EXPECT_EQ(0, used(self));
	}
}

TEST_F(dm, a_mapping_is_whole_shared_and_no_program)
{
	const int rw = PROT_READ | PROT_WRITE;
	const size_t len = dm_pages(LEN);
	struct doca_dm_alloc a;
	int fd = self->d.fd;
	uint8_t *p;
	size_t i;

	ASSERT_EQ(0, dm_alloc(fd, self->d.device, LEN, &a));
	const struct {
		size_t length;
		int prot, flags;
		off_t offset;
		int err;
	} bad[] = {
		{ len - PAGE, rw, MAP_SHARED, a.out_offset, EINVAL },
		{ len + PAGE, rw, MAP_SHARED, a.out_offset, EINVAL },
		{ len, rw, MAP_PRIVATE, a.out_offset, EINVAL },
		{ len, PROT_READ, MAP_PRIVATE, a.out_offset, EINVAL },
		{ len, rw, MAP_SHARED, a.out_offset + PAGE, EINVAL },
		{ len, rw, MAP_SHARED, 0, EINVAL },
		{ len, rw, MAP_SHARED, 1L << 50, EINVAL },
		{ len, PROT_READ | PROT_EXEC, MAP_SHARED, a.out_offset, EPERM },
	};

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		errno = 0;
		EXPECT_EQ(MAP_FAILED, mmap(NULL, bad[i].length, bad[i].prot,
					   bad[i].flags, fd, bad[i].offset));
		EXPECT_EQ(bad[i].err, errno)
			TH_LOG("%zu", i);
	}
	p = dm_map(fd, LEN, a.out_offset);
	ASSERT_NE(NULL, p);
	EXPECT_NE(0, mprotect(p, len, PROT_READ | PROT_EXEC));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(0, mprotect(p, len, PROT_READ));
	munmap(p, len);
}

TEST_F(dm, two_mappings_are_of_one_memory)
{
	struct doca_dm_alloc a;
	uint8_t *p, *q;

	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, LEN, &a));
	p = dm_map(self->d.fd, LEN, a.out_offset);
	q = dm_map(self->d.fd, LEN, a.out_offset);
	ASSERT_NE(NULL, p);
	ASSERT_NE(NULL, q);
	fill_random(p, LEN, 3);
	EXPECT_EQ(0, memcmp(p, q, LEN));
	EXPECT_EQ(dm_pages(LEN), used(self));
	munmap(p, dm_pages(LEN));
	EXPECT_NE(0, q[LEN - 1] | q[0]);
	munmap(q, dm_pages(LEN));
}

TEST_F(dm, operations_reach_it)
{
	struct doca_dm_alloc a;
	uint8_t *p;

	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, LEN, &a));
	p = dm_map(self->d.fd, LEN, a.out_offset);
	ASSERT_NE(NULL, p);
	fill_random(p, LEN, 4);
	EXPECT_TRUE(memory_works(&self->d, p, LEN, ACCESS_LOCAL));
	EXPECT_TRUE(memory_works(&self->d, p + 1, LEN - 1,
				 DOCA_ACCESS_LOCAL_READ));
	munmap(p, dm_pages(LEN));
}

/* The size can go up and down while parts of it are in use. */
TEST_F(dm, the_size_is_the_administrators)
{
	const char *path = "/sys/module/doca/parameters/dm_size";
	struct doca_dm_alloc a, b;
	struct doca_dm_query q;
	FILE *f;

	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, 2 * MIB, &a));
	f = fopen(path, "w");
	ASSERT_NE(NULL, f);
	fprintf(f, "1\n");
	EXPECT_EQ(0, fclose(f));
	EXPECT_EQ(0, dm_query(self->d.fd, self->d.device, &q));
	EXPECT_EQ(MIB, q.out_length);
	EXPECT_EQ(0, q.out_free);
	EXPECT_EQ(-ENOSPC, dm_alloc(self->d.fd, self->d.device, 1, &b));
	f = fopen(path, "w");
	ASSERT_NE(NULL, f);
	fprintf(f, "16\n");
	EXPECT_EQ(0, fclose(f));
	EXPECT_EQ(0, dm_alloc(self->d.fd, self->d.device, 1, &b));
}

/* Write to the parent's memory in a child; return how the child ends. */
static int write_in_child(volatile uint8_t *p)
{
	pid_t pid = fork();

	if (!pid) {
		*p = 78;
		_exit(0);
	}
	return child_wait(pid);
}

TEST_F(dm, children_have_none_of_it)
{
	struct doca_dm_alloc a;
	uint8_t *p;
	pid_t pid;

	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, LEN, &a));
	p = dm_map(self->d.fd, LEN, a.out_offset);
	ASSERT_NE(NULL, p);
	*p = 77;
	EXPECT_EQ(1000 + SIGSEGV, write_in_child(p));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca_dm_import in;
		struct doca_dm_query q;

		EXPECT_EQ(NULL, dm_map(self->d.fd, LEN, a.out_offset));
		EXPECT_EQ(EPERM, errno);
		EXPECT_EQ(-EPERM, dm_query(self->d.fd, self->d.device, &q));
		EXPECT_EQ(-EPERM, dm_free(self->d.fd, a.out_dm_id));
		EXPECT_EQ(-EPERM, dm_import(self->d.fd, self->d.device,
					    a.out_handle, &in));
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
	/* Whatever the parent asks for, of what it has touched and what not. */
	ASSERT_EQ(0, madvise(p, dm_pages(LEN), MADV_DOFORK));
	EXPECT_EQ(1000 + SIGBUS, write_in_child(p));
	EXPECT_EQ(1000 + SIGBUS, write_in_child(p + PAGE));
	EXPECT_EQ(77, p[0]);
	EXPECT_EQ(0, p[PAGE]);
	munmap(p, dm_pages(LEN));
}

TEST_F(dm, a_mapping_moves_shrinks_and_does_not_grow)
{
	const size_t len = dm_pages(LEN);
	struct doca_dm_alloc a;
	uint8_t *p, *q;

	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, LEN, &a));
	p = dm_map(self->d.fd, LEN, a.out_offset);
	ASSERT_NE(NULL, p);
	fill_random(p, len, 5);
	EXPECT_EQ(MAP_FAILED, mremap(p, len, len + PAGE, MREMAP_MAYMOVE));
	EXPECT_EQ(EFAULT, errno);
	q = pages_alloc(len);
	ASSERT_EQ(q, mremap(p, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, q));
	EXPECT_EQ(MAP_FAILED, mremap(q, 0, len, MREMAP_MAYMOVE));
	p = dm_map(self->d.fd, LEN, a.out_offset);
	ASSERT_NE(NULL, p);
	EXPECT_EQ(0, memcmp(p, q, len));
	/* Unmap a hole in the middle; the rest is kept, also where it is mapped anew. */
	EXPECT_EQ(0, munmap(q + PAGE, 2 * PAGE));
	EXPECT_EQ(0, madvise(q + 3 * PAGE, len - 3 * PAGE, MADV_DONTNEED));
	EXPECT_EQ(0, memcmp(p, q, PAGE));
	EXPECT_EQ(0, memcmp(p + 3 * PAGE, q + 3 * PAGE, len - 3 * PAGE));
	EXPECT_EQ(1000 + SIGSEGV, write_in_child(q + PAGE));
	EXPECT_EQ(0, dm_free(self->d.fd, a.out_dm_id));
	munmap(p, len);
	munmap(q, PAGE);
	EXPECT_EQ(len, used(self));
	munmap(q + 3 * PAGE, len - 3 * PAGE);
	EXPECT_EQ(0, used(self));
}

/* No advice loses any data. */
TEST_F(dm, advice_changes_nothing)
{
	const size_t len = dm_pages(LEN);
	struct doca_dm_alloc a;
	uint8_t *p, *copy;
	int advice;

	copy = pages_alloc(len);
	ASSERT_NE(NULL, copy);
	ASSERT_EQ(0, dm_alloc(self->d.fd, self->d.device, LEN, &a));
	p = dm_map(self->d.fd, LEN, a.out_offset);
	ASSERT_NE(NULL, p);
	fill_random(p, len, 6);
	memcpy(copy, p, len);
	for (advice = 0; advice < 30; advice++) {
		madvise(p, len, advice);
		EXPECT_EQ(0, memcmp(p, copy, len))
			TH_LOG("%d", advice);
	}
	EXPECT_NE(0, madvise(p, len, MADV_FREE));
	EXPECT_NE(0, madvise(p, len, MADV_REMOVE));
	EXPECT_EQ(0, mlock(p, len));
	EXPECT_EQ(0, memcmp(p, copy, len));
	EXPECT_EQ(0, dm_free(self->d.fd, a.out_dm_id));
	munmap(p, len);
	EXPECT_EQ(0, used(self));
}

TEST_HARNESS_MAIN
