// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Registered memory and its keys: what may be pinned, which user pays, and leaks */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>

#include "doca_ring.h"
#include "memory.h"
#include "namespace.h"
#include "kselftest_harness.h"

#define NOBODY 54321 /* a user that has locked nothing */

FIXTURE(memory) {
	struct doca d;
	uint8_t *page;
};

FIXTURE_SETUP(memory)
{
	DOCA_OPEN(&self->d);
	self->page = pages_alloc(4 * PAGE);
	ASSERT_NE(NULL, self->page);
}

FIXTURE_TEARDOWN(memory)
{
	EXPECT_EQ(0, setresuid(0, 0, 0));
	DOCA_CLOSE(&self->d);
}

/* Become a user without capabilities; the teardown undoes it */
static int drop_root(void)
{
	return setresuid(NOBODY, NOBODY, 0) ? -errno : 0;
}

TEST_F(memory, every_alignment)
{
	const size_t lengths[] = { 1, 7, 64, PAGE - 1, PAGE, PAGE + 1,
				   3 * PAGE };
	const size_t offsets[] = { 0, 1, 63, PAGE - 1 };
	size_t i, j;

	fill_random(self->page, 4 * PAGE, 1);
	for (i = 0; i < ARRAY_SIZE(lengths); i++)
		for (j = 0; j < ARRAY_SIZE(offsets); j++) {
			EXPECT_TRUE(memory_works(&self->d,
						 self->page + offsets[j],
						 lengths[i], ACCESS_LOCAL))
				TH_LOG("%zu bytes at %zu", lengths[i], offsets[j]);
		}
}

TEST_F(memory, bad_arguments)
{
	int fd = self->d.fd;
	uint32_t mem, bit;

	EXPECT_EQ(-EINVAL, mem_reg(fd, self->page, 0, ACCESS_LOCAL, &mem));
	EXPECT_EQ(-EINVAL, mem_reg(fd, self->page, PAGE, 0, &mem));
	for (bit = 7; bit < 32; bit++) {
		EXPECT_EQ(-EOPNOTSUPP,
			  mem_reg(fd, self->page, PAGE,
				  ACCESS_LOCAL | 1U << bit, &mem));
	}
}

/* Overflow of 64 bits, of rounding up to a page, and of the user's half */
TEST_F(memory, overflow)
{
	int fd = self->d.fd;
	uint32_t mem;

	EXPECT_EQ(-EOVERFLOW, mem_reg(fd, (void *)-PAGE, PAGE + 1, ACCESS_LOCAL, &mem));
	EXPECT_EQ(-EOVERFLOW, mem_reg(fd, self->page, UINT64_MAX, ACCESS_LOCAL, &mem));
	EXPECT_EQ(-EOVERFLOW, mem_reg(fd, self->page,
				      -(uint64_t)(uintptr_t)self->page + 1,
				      ACCESS_LOCAL, &mem));
	EXPECT_GT(0, mem_reg(fd, (void *)-1UL, 1, ACCESS_LOCAL, &mem));
	EXPECT_GT(0, mem_reg(fd, (void *)-PAGE, PAGE - 1, ACCESS_LOCAL, &mem));
	EXPECT_GT(0, mem_reg(fd, self->page, 1UL << 63, ACCESS_LOCAL, &mem));
	EXPECT_GT(0, mem_reg(fd, self->page, 1UL << 46, ACCESS_LOCAL, &mem));
	EXPECT_NO_LEAK(self->d.pins);
}

TEST_F(memory, not_mapped)
{
	int fd = self->d.fd;
	uint32_t mem;

	ASSERT_EQ(0, munmap(self->page + 2 * PAGE, PAGE));
	EXPECT_EQ(-EFAULT, mem_reg(fd, NULL, PAGE, ACCESS_LOCAL, &mem));
	EXPECT_EQ(-EFAULT, mem_reg(fd, self->page + 2 * PAGE, 1, ACCESS_LOCAL, &mem));
	/* The pages before the hole are not kept */
	EXPECT_EQ(-EFAULT, mem_reg(fd, self->page, 4 * PAGE, ACCESS_LOCAL, &mem));
	EXPECT_EQ(-EFAULT, mem_reg(fd, self->page + PAGE, PAGE + 1, ACCESS_LOCAL, &mem));
	EXPECT_EQ(-EFAULT, mem_reg(fd, (void *)(1UL << 63), PAGE, ACCESS_LOCAL, &mem));
	EXPECT_NO_LEAK(self->d.pins);
	EXPECT_EQ(0, mem_reg(fd, self->page, 2 * PAGE, ACCESS_LOCAL, &mem));
}

TEST_F(memory, protection)
{
	const uint32_t writes[] = { DOCA_ACCESS_LOCAL_WRITE,
				    DOCA_ACCESS_PCI_WRITE,
				    DOCA_ACCESS_RDMA_WRITE,
				    DOCA_ACCESS_RDMA_ATOMIC };
	int fd = self->d.fd;
	uint32_t mem;
	size_t i;

	fill_random(self->page, 4 * PAGE, 2);
	ASSERT_EQ(0, mprotect(self->page, PAGE, PROT_READ));
	for (i = 0; i < ARRAY_SIZE(writes); i++) {
		EXPECT_EQ(-EFAULT, mem_reg(fd, self->page, PAGE, writes[i], &mem))
			TH_LOG("access %#x", writes[i]);
	}
	EXPECT_TRUE(memory_works(&self->d, self->page, PAGE, DOCA_ACCESS_LOCAL_READ));
	ASSERT_EQ(0, mprotect(self->page, PAGE, PROT_NONE));
	EXPECT_EQ(-EFAULT, mem_reg(fd, self->page, PAGE, DOCA_ACCESS_LOCAL_READ, &mem));
	EXPECT_EQ(-EFAULT, mem_reg(fd, self->page, PAGE, ACCESS_LOCAL, &mem));
	EXPECT_NO_LEAK(self->d.pins);
}

/* Pinned for reading before it was ever touched: later writes must be seen */
TEST_F(memory, read_pin_follows_writes)
{
	uint32_t mem, key;
	struct buf dst;
	struct queue q;

	ASSERT_EQ(0, mem_reg(self->d.fd, self->page, PAGE, DOCA_ACCESS_LOCAL_READ, &mem));
	ASSERT_EQ(0, mem_map(self->d.fd, mem, self->d.device, DOCA_ACCESS_LOCAL_READ, &key));
	ASSERT_EQ(0, buf_make(&self->d, &dst, PAGE, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&q, &self->d, 0, 2, 0));
	fill_random(self->page, PAGE, 3);
	EXPECT_EQ(0, queue_status(&q, sqe_copy(seg_of(&dst, 0, PAGE),
					       seg_at(key, self->page, PAGE))));
	EXPECT_EQ(0, memcmp(dst.addr, self->page, PAGE));
	queue_close(&q);
}

/* The program may unmap the memory that it has registered */
TEST_F(memory, outlives_its_mapping)
{
	struct buf a, b;
	struct queue q;

	ASSERT_EQ(0, buf_make(&self->d, &a, 2 * PAGE, ACCESS_LOCAL));
	ASSERT_EQ(0, buf_make(&self->d, &b, 2 * PAGE, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_open(&q, &self->d, 0, 2, 0));
	fill_random(a.addr, 2 * PAGE, 4);
	memcpy(self->page, a.addr, 2 * PAGE);
	ASSERT_EQ(0, munmap(a.addr, 2 * PAGE));
	EXPECT_EQ(0, queue_status(&q, sqe_copy(seg_of(&b, 0, 2 * PAGE), seg_of(&a, 0, 2 * PAGE))));
	EXPECT_EQ(0, memcmp(b.addr, self->page, 2 * PAGE));
	queue_close(&q);
	EXPECT_EQ(0, mem_dereg(self->d.fd, a.mem));
	EXPECT_EQ(0, mem_dereg(self->d.fd, b.mem));
	EXPECT_NO_LEAK(self->d.pins);
}

TEST_F(memory, shmem)
{
	int fd = memfd_create("doca", MFD_CLOEXEC);
	uint8_t *p;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ftruncate(fd, 4 * PAGE));
	p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_TRUE(memory_works(&self->d, p, 4 * PAGE, ACCESS_LOCAL));
	p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_TRUE(memory_works(&self->d, p, 4 * PAGE, ACCESS_LOCAL));
	close(fd);
}

/* A file that ends within the mapping: the pages before its end are not kept */
TEST_F(memory, behind_the_end_of_a_file)
{
	int fd = memfd_create("doca", MFD_CLOEXEC);
	uint32_t mem;
	uint8_t *p;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ftruncate(fd, 2 * PAGE));
	p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, p);
	EXPECT_EQ(-EFAULT, mem_reg(self->d.fd, p, 4 * PAGE, ACCESS_LOCAL, &mem));
	EXPECT_NO_LEAK(self->d.pins);
	EXPECT_EQ(0, mem_reg(self->d.fd, p, 2 * PAGE, ACCESS_LOCAL, &mem));
	close(fd);
}

/* Large folios, small pages and a hole in their order within one range */
TEST_F(memory, mixed_page_sizes)
{
	uint8_t *area = pages_alloc(8 * MIB), *p;

	ASSERT_NE(NULL, area);
	p = (uint8_t *)(((uintptr_t)area + 2 * MIB - 1) & -(2 * MIB));
	madvise(p, 2 * MIB, MADV_HUGEPAGE);
	madvise(p + 2 * MIB, 4 * MIB - PAGE, MADV_NOHUGEPAGE);
	p[3 * MIB] = 1;
	p[2 * MIB] = 1;
	fill_random(p, 5 * MIB, 7);
	EXPECT_TRUE(memory_works(&self->d, p, 5 * MIB, ACCESS_LOCAL));
	EXPECT_TRUE(memory_works(&self->d, p + 2 * MIB - 77, MIB, ACCESS_LOCAL));
	munmap(area, 8 * MIB);
}

TEST_F(memory, map_arguments)
{
	int fd = self->d.fd;
	uint32_t ro, rw, pci, key, bit;

	ASSERT_EQ(0, mem_reg(fd, self->page, 1, DOCA_ACCESS_LOCAL_READ, &ro));
	ASSERT_EQ(0, mem_reg(fd, self->page, 1, ACCESS_LOCAL, &rw));
	ASSERT_EQ(0, mem_reg(fd, self->page, 1, ACCESS_PCI, &pci));
	EXPECT_EQ(-EINVAL, mem_map(fd, rw, self->d.device, 0, &key));
	for (bit = 7; bit < 32; bit++) {
		EXPECT_EQ(-EOPNOTSUPP, mem_map(fd, rw, self->d.device, 1U << bit, &key));
	}
	EXPECT_EQ(-EACCES, mem_map(fd, ro, self->d.device, DOCA_ACCESS_LOCAL_WRITE, &key));
	EXPECT_EQ(-EACCES, mem_map(fd, ro, self->d.device, ACCESS_LOCAL, &key));
	EXPECT_EQ(-EACCES, mem_map(fd, pci, self->d.device, DOCA_ACCESS_LOCAL_READ, &key));
	EXPECT_EQ(-ENODEV, mem_map(fd, rw, 0, ACCESS_LOCAL, &key));
	EXPECT_EQ(-ENODEV, mem_map(fd, rw, UINT32_MAX, ACCESS_LOCAL, &key));
	ASSERT_EQ(0, mem_map(fd, rw, self->d.device, ACCESS_LOCAL, &key));
	EXPECT_NE(0, key);
}

TEST_F(memory, unmap_and_dereg_only_once)
{
	struct buf b;

	ASSERT_EQ(0, buf_make(&self->d, &b, PAGE, ACCESS_LOCAL));
	EXPECT_EQ(0, mem_unmap(self->d.fd, b.key));
	EXPECT_EQ(-ENOENT, mem_unmap(self->d.fd, b.key));
	ASSERT_EQ(0, mem_map(self->d.fd, b.mem, self->d.device, ACCESS_LOCAL, &b.key));
	EXPECT_EQ(0, mem_dereg(self->d.fd, b.mem));
	EXPECT_EQ(-ENOENT, mem_dereg(self->d.fd, b.mem));
	/* The key went with the memory */
	EXPECT_EQ(-ENOENT, mem_unmap(self->d.fd, b.key));
	EXPECT_NO_LEAK(self->d.pins);
}

/* A key of the right slot but another generation names nothing */
TEST_F(memory, calls_compare_the_whole_key)
{
	struct doca_blob blob;
	struct buf b;
	uint32_t key;
	int bit;

	ASSERT_EQ(0, buf_make(&self->d, &b, PAGE, ACCESS_LOCAL | ACCESS_PCI));
	for (bit = 20; bit < 32; bit++) {
		key = b.key ^ (1U << bit);
		EXPECT_EQ(-ENOENT, mem_export(self->d.fd, key, 0, &blob, NULL));
		EXPECT_EQ(-ENOENT, mem_unmap(self->d.fd, key));
	}
	EXPECT_EQ(0, mem_export(self->d.fd, b.key, 0, &blob, NULL));
	EXPECT_EQ(0, mem_unmap(self->d.fd, b.key));
}

static int compare_keys(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static bool all_differ(uint32_t *keys, size_t n)
{
	qsort(keys, n, sizeof(*keys), compare_keys);
	while (--n)
		if (keys[n] == keys[n - 1])
			return false;
	return true;
}

/* In more rounds than one slot has generations, no key ever comes back */
TEST_F(memory, keys_never_return)
{
	enum { ROUNDS = 4200 };
	uint32_t *keys = calloc(ROUNDS, sizeof(*keys));
	struct buf b;
	int i;

	ASSERT_NE(NULL, keys);
	ASSERT_EQ(0, buf_make(&self->d, &b, PAGE, ACCESS_LOCAL));
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, mem_map(self->d.fd, b.mem, self->d.device, ACCESS_LOCAL, &keys[i]));
		ASSERT_EQ(0, mem_unmap(self->d.fd, keys[i]));
	}
	EXPECT_EQ(-ENOENT, mem_unmap(self->d.fd, keys[0]));
	EXPECT_EQ(-ENOENT, mem_unmap(self->d.fd, keys[ROUNDS - 1]));
	EXPECT_TRUE(all_differ(keys, ROUNDS));
	free(keys);
}

/* Whole pages are charged, at once, and given back */
TEST_F(memory, accounting)
{
	long vmpin = self->d.pins.vmpin_kb;
	uint32_t mem;

	ASSERT_EQ(0, mem_reg(self->d.fd, self->page + PAGE - 1, 2, ACCESS_LOCAL, &mem));
	EXPECT_EQ(vmpin + 8, pins_read().vmpin_kb);
	EXPECT_LE(self->d.pins.pages + 2, pins_read().pages);
	EXPECT_EQ(0, mem_dereg(self->d.fd, mem));
	EXPECT_NO_LEAK(self->d.pins);
	ASSERT_EQ(0, mem_reg(self->d.fd, self->page, 4 * PAGE, ACCESS_LOCAL, &mem));
	EXPECT_EQ(vmpin + 16, pins_read().vmpin_kb);
}

static int limit_memlock(uint64_t bytes)
{
	struct rlimit limit = { .rlim_cur = bytes, .rlim_max = bytes };

	return setrlimit(RLIMIT_MEMLOCK, &limit) ? -errno : 0;
}

static struct doca_mem_reg reg_arg(const void *addr, uint64_t length)
{
	return (struct doca_mem_reg){
		.size = sizeof(struct doca_mem_reg),
		.addr = (uintptr_t)addr,
		.length = length,
		.access = ACCESS_LOCAL,
	};
}

/* CAP_IPC_LOCK lifts the limit, and the call reports that */
TEST_F(memory, limit_does_not_apply)
{
	struct doca_mem_reg reg = reg_arg(self->page, 2 * PAGE);

	ASSERT_EQ(0, limit_memlock(PAGE));
	ASSERT_EQ(0, doca_call(self->d.fd, DOCA_MEM_REG, &reg));
	EXPECT_EQ(UINT64_MAX, reg.out_limit);
}

TEST_F(memory, limit)
{
	struct doca_mem_reg reg = reg_arg(self->page, 3 * PAGE);
	int fd = self->d.fd;
	uint32_t first;

	ASSERT_EQ(0, limit_memlock(4 * PAGE));
	ASSERT_EQ(0, drop_root());
	ASSERT_EQ(0, doca_call(fd, DOCA_MEM_REG, &reg));
	EXPECT_EQ(4 * PAGE, reg.out_limit);
	EXPECT_EQ(0, reg.out_used);
	first = reg.out_mem_id;

	/* Two bytes on two pages count as two pages, and one is left */
	reg = reg_arg(self->page + PAGE - 1, 2);
	EXPECT_EQ(-ENOMEM, doca_call(fd, DOCA_MEM_REG, &reg));
	EXPECT_EQ(4 * PAGE, reg.out_limit);
	EXPECT_EQ(3 * PAGE, reg.out_used);

	reg = reg_arg(self->page, PAGE);
	EXPECT_EQ(0, doca_call(fd, DOCA_MEM_REG, &reg));
	EXPECT_EQ(3 * PAGE, reg.out_used);
	reg = reg_arg(self->page, 1);
	EXPECT_EQ(-ENOMEM, doca_call(fd, DOCA_MEM_REG, &reg));
	EXPECT_EQ(4 * PAGE, reg.out_used);

	/* Memory that is given back can be used again, once it is really unpinned */
	EXPECT_EQ(0, mem_dereg(fd, first));
	reg = reg_arg(self->page, 3 * PAGE);
	WAIT_UNTIL(doca_call(fd, DOCA_MEM_REG, &reg) != -ENOMEM);
	EXPECT_EQ(PAGE, reg.out_used);
	EXPECT_NE(0, reg.out_mem_id);
}

/* A registration that fails for another reason is not charged */
TEST_F(memory, failure_is_not_charged)
{
	struct doca_mem_reg reg;

	ASSERT_EQ(0, munmap(self->page + 3 * PAGE, PAGE));
	ASSERT_EQ(0, limit_memlock(8 * PAGE));
	ASSERT_EQ(0, drop_root());
	reg = reg_arg(self->page, 4 * PAGE);
	EXPECT_EQ(-EFAULT, doca_call(self->d.fd, DOCA_MEM_REG, &reg));
	reg = reg_arg(self->page, PAGE);
	ASSERT_EQ(0, doca_call(self->d.fd, DOCA_MEM_REG, &reg));
	EXPECT_EQ(0, reg.out_used);
}

/* A user has one account for all files */
TEST_F(memory, limit_is_of_the_user)
{
	struct doca_mem_reg reg = reg_arg(self->page, 3 * PAGE);
	int other = open(DOCA_NODE, O_RDWR | O_CLOEXEC);

	ASSERT_LE(0, other);
	ASSERT_EQ(0, limit_memlock(4 * PAGE));
	ASSERT_EQ(0, drop_root());
	ASSERT_EQ(0, doca_call(self->d.fd, DOCA_MEM_REG, &reg));
	reg = reg_arg(self->page, 2 * PAGE);
	EXPECT_EQ(-ENOMEM, doca_call(other, DOCA_MEM_REG, &reg));
	EXPECT_EQ(3 * PAGE, reg.out_used);
	close(other);
}

TEST_F(memory, limit_without_capability)
{
	struct doca_mem_reg reg = reg_arg(self->page, 4 * PAGE);

	ASSERT_EQ(0, limit_memlock(0));
	ASSERT_EQ(0, drop_capability(CAP_IPC_LOCK));
	EXPECT_EQ(-ENOMEM, doca_call(self->d.fd, DOCA_MEM_REG, &reg));
	EXPECT_EQ(0, reg.out_limit);
}

/* CAP_IPC_LOCK in a namespace of its own lifts no limit */
TEST_F(memory, limit_in_a_namespace)
{
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		struct buf buf;
		struct doca d;

		ASSERT_EQ(0, doca_open(&d));
		ASSERT_EQ(0, limit_memlock(0));
		ASSERT_EQ(0, buf_make(&d, &buf, PAGE, ACCESS_LOCAL));
		if (become_root_of_a_namespace())
			_exit(HARNESS_EXIT_SKIP);
		EXPECT_EQ(-ENOMEM, buf_make(&d, &buf, PAGE, ACCESS_LOCAL));
		CHILD_EXIT();
	}
	CHILD_MAY_SKIP(pid, "no user namespaces");
}

/* A length that no machine has is refused before any page is touched */
TEST_F(memory, absurd_length)
{
	unsigned char there;
	uint32_t mem;
	void *p = mmap(NULL, 1UL << 40, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		SKIP(return, "1 TiB of address space: %s", strerror(errno));
	ASSERT_EQ(0, drop_root());
	EXPECT_EQ(-ENOMEM, mem_reg(self->d.fd, p, 1UL << 40, ACCESS_LOCAL, &mem));
	ASSERT_EQ(0, mincore(p, PAGE, &there));
	EXPECT_EQ(0, there & 1);
	EXPECT_EQ(0, munmap(p, 1UL << 40));
}

/* Exec and exit of a process release its pins although it keeps the file, as does a child */
TEST_F(memory, exec_lets_go)
{
	int hold[2];
	pid_t pid;

	ASSERT_EQ(0, pipe(hold));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca d;
		struct buf b;

		if (doca_open(&d) || buf_make(&d, &b, PAGE, ACCESS_LOCAL))
			_exit(1);
		if (!fork()) {
			close(hold[1]);
			_exit(read(hold[0], &pid, 1));
		}
		fcntl(d.fd, F_SETFD, 0);
		execlp("sleep", "sleep", "100", NULL);
		_exit(2);
	}
	EXPECT_NO_LEAK(self->d.pins);
	kill(pid, SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
	close(hold[1]);
}

/* A process that closes its descriptors has no pins, although a child has the file */
TEST_F(memory, close_lets_go)
{
	struct doca d;
	struct buf b;
	uint32_t mem;
	int hold[2];
	char c;
	pid_t pid;

	ASSERT_EQ(0, pipe(hold));
	ASSERT_EQ(0, doca_open(&d));
	ASSERT_EQ(0, buf_make(&d, &b, PAGE, ACCESS_LOCAL));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		close(hold[1]);
		_exit(read(hold[0], &c, 1));
	}
	/* As long as one is left, the file is as before */
	close(dup(d.fd));
	EXPECT_EQ(0, mem_reg(d.fd, b.addr, PAGE, ACCESS_LOCAL, &mem));
	close(d.fd);
	EXPECT_NO_LEAK(self->d.pins);
	close(hold[1]);
	EXPECT_EQ(0, child_wait(pid));
	close(hold[0]);
}

/* A thread with a table of descriptors of its own; 0 in the end */
struct loner {
	struct doca *d;
	struct buf *b;
	int fd, ready, told, err;
};

/* The file has what it had; then it has one descriptor less */
static int use_and_close(const struct loner *l)
{
	uint32_t key;

	return mem_map(l->fd, l->b->mem, l->d->device, ACCESS_LOCAL, &key) ?: close(l->fd);
}

static void *be_alone(void *arg)
{
	struct loner *l = arg;

	l->err = unshare(CLONE_FILES);
	ring_store(&l->ready, 1);
	WAIT_UNTIL(ring_load(&l->told));
	l->err = l->err ?: use_and_close(l);
	return NULL;
}

/* Whichever thread closes its descriptor first, the other one has the file */
TEST_F(memory, tables_of_all_threads_count)
{
	pthread_t thread;
	struct doca d;
	struct buf b;
	int order;

	for (order = 0; order < 2; order++) {
		struct loner l = { .d = &d, .b = &b };

		ASSERT_EQ(0, doca_open(&d));
		ASSERT_EQ(0, buf_make(&d, &b, PAGE, ACCESS_LOCAL));
		l.fd = d.fd;
		ASSERT_EQ(0, pthread_create(&thread, NULL, be_alone, &l));
		WAIT_UNTIL(ring_load(&l.ready));
		if (order)
			EXPECT_EQ(0, use_and_close(&l));
		ring_store(&l.told, 1);
		ASSERT_EQ(0, pthread_join(thread, NULL));
		EXPECT_EQ(0, l.err);
		if (!order)
			EXPECT_EQ(0, use_and_close(&l));
		EXPECT_NO_LEAK(self->d.pins);
	}
}

TEST_HARNESS_MAIN
