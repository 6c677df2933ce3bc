// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory of hugetlbfs, where one reference pins a huge page */
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "hugetlb.h"
#include "memory.h"
#include "kselftest_harness.h"

#define HUGE (2 * MIB)
#define RESERVED 6

FIXTURE(hugetlb) {
	struct doca d;
	uint8_t *p; /* two huge pages */
	pid_t child;
};

static long had, reserved;

/* Reserve once for all tests, which are children of this process */
static void __attribute__((constructor)) reserve(void)
{
	had = hugetlb_pool();
	hugetlb_set_pool(had + RESERVED);
	reserved = hugetlb_pool() - had;
}

static void __attribute__((destructor)) give_back(void)
{
	hugetlb_set_pool(had);
}

static uint8_t *map_huge(void *at, size_t length, int flags)
{
	void *p = mmap(at, length, PROT_READ | PROT_WRITE,
		       MAP_ANONYMOUS | MAP_HUGETLB | MAP_HUGE_2MB | flags, -1,
		       0);

	return p == MAP_FAILED ? NULL : p;
}

/*
 * Map two areas of a page, each of which can be changed by itself: some kernels with
 * lockdep complain of their own when one is divided.
 */
static uint8_t *map_pair(void)
{
	uint8_t *p = map_huge(NULL, 2 * HUGE, MAP_PRIVATE);

	if (!p || munmap(p, 2 * HUGE) ||
	    !map_huge(p, HUGE, MAP_PRIVATE | MAP_FIXED_NOREPLACE) ||
	    !map_huge(p + HUGE, HUGE, MAP_PRIVATE | MAP_FIXED_NOREPLACE))
		return NULL;
	return p;
}

FIXTURE_SETUP(hugetlb)
{
	if (reserved < RESERVED)
		SKIP_SETUP("%ld huge pages of 2 MiB could be reserved, not %d", reserved, RESERVED);
	DOCA_OPEN(&self->d);
	self->p = map_pair();
	ASSERT_NE(NULL, self->p);
}

FIXTURE_TEARDOWN(hugetlb)
{
	if (self->child) {
		kill(self->child, SIGKILL);
		waitpid(self->child, NULL, 0);
	}
	munmap(self->p, 2 * HUGE);
	DOCA_CLOSE(&self->d);
}

/* Fork a copy of the process, which does nothing */
#define FORK()                                                                 \
	do {                                                                   \
		self->child = fork();                                          \
		if (!self->child)                                              \
			for (;;)                                               \
				pause();                                       \
		ASSERT_LT(0, self->child);                                     \
	} while (0)

/* Register @p for reading, to be checked by registered_is() */
static int registered(struct doca *d, struct buf *b, uint8_t *p, size_t length)
{
	*b = (struct buf){ .addr = p, .length = length };
	return mem_reg(d->fd, p, length, DOCA_ACCESS_LOCAL_READ, &b->mem) ?:
	       mem_map(d->fd, b->mem, d->device, DOCA_ACCESS_LOCAL_READ, &b->key);
}

/* Return true if an operation reads there the data at @p */
static bool registered_is(struct doca *d, struct buf *b, const void *p)
{
	struct buf copy;
	struct queue q;
	bool is;

	if (buf_make(d, &copy, b->length, ACCESS_LOCAL) || queue_open(&q, d, 0, 2, 0))
		return false;
	is = !queue_status(&q, sqe_copy(seg_of(&copy, 0, b->length), seg_of(b, 0, b->length))) &&
	     !memcmp(copy.addr, p, b->length);
	queue_close(&q);
	munmap(copy.addr, b->length);
	return is && !mem_dereg(d->fd, copy.mem);
}

TEST_F(hugetlb, works_at_every_offset)
{
	fill_random(self->p, 2 * HUGE, 6);
	EXPECT_TRUE(memory_works(&self->d, self->p, 2 * HUGE, ACCESS_LOCAL));
	EXPECT_TRUE(memory_works(&self->d, self->p, 1, ACCESS_LOCAL));
	EXPECT_TRUE(memory_works(&self->d, self->p + 5, 3 * MIB, ACCESS_LOCAL));
	EXPECT_TRUE(memory_works(&self->d, self->p + HUGE - PAGE - 3, 2 * PAGE, ACCESS_LOCAL));
	EXPECT_TRUE(memory_works(&self->d, self->p + 2 * HUGE - 1, 1, ACCESS_LOCAL));
}

static bool area_works(struct doca *d, int flags)
{
	uint8_t *p = map_huge(NULL, 2 * HUGE, flags);
	bool works;

	if (!p)
		return false;
	fill_random(p, 2 * HUGE, 7);
	works = memory_works(d, p + 3 * PAGE + 77, 2 * HUGE - 4 * PAGE, ACCESS_LOCAL);
	munmap(p, 2 * HUGE);
	return works;
}

TEST_F(hugetlb, one_area)
{
	EXPECT_TRUE(area_works(&self->d, MAP_PRIVATE));
	EXPECT_TRUE(area_works(&self->d, MAP_SHARED));
}

/* Nothing is there before; the pages that come are those that the program writes */
TEST_F(hugetlb, not_yet_written)
{
	struct buf b;

	ASSERT_EQ(0, registered(&self->d, &b, self->p, 2 * HUGE));
	fill_random(self->p, 2 * HUGE, 11);
	EXPECT_TRUE(registered_is(&self->d, &b, self->p));
}

TEST_F(hugetlb, read_only)
{
	uint32_t mem;

	fill_random(self->p, 2 * HUGE, 8);
	ASSERT_EQ(0, mprotect(self->p, 2 * HUGE, PROT_READ));
	EXPECT_TRUE(memory_works(&self->d, self->p, 2 * HUGE, DOCA_ACCESS_LOCAL_READ));
	EXPECT_EQ(-EFAULT, mem_reg(self->d.fd, self->p, HUGE, ACCESS_LOCAL, &mem));
}

TEST_F(hugetlb, one_reference_a_page)
{
	uint32_t mem;

	memset(self->p, 1, 2 * HUGE);
	ASSERT_EQ(0, mem_reg(self->d.fd, self->p + 1, 2 * HUGE - 2, ACCESS_LOCAL, &mem));
	EXPECT_EQ(self->d.pins.pages + 2, pins_read().pages);
	/* All that is held is charged */
	EXPECT_EQ(self->d.pins.vmpin_kb + 2 * HUGE / 1024, pins_read().vmpin_kb);
	EXPECT_EQ(0, mem_dereg(self->d.fd, mem));
	EXPECT_NO_LEAK(self->d.pins);
}

/* A part holds the whole page, and counts as much; more parts count nothing */
TEST_F(hugetlb, part_counts_as_a_whole)
{
	const struct rlimit limit = { HUGE + PAGE, HUGE + PAGE };
	struct doca_mem_reg ask = {
		.size = sizeof(ask),
		.addr = (uintptr_t)self->p,
		.length = 2 * HUGE,
		.access = ACCESS_LOCAL,
	};
	uint32_t mem[3];

	memset(self->p, 1, 2 * HUGE);
	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	ASSERT_EQ(0, setresuid(54321, 54321, 0));
	ASSERT_EQ(0, mem_reg(self->d.fd, self->p + 7 * PAGE, 1, ACCESS_LOCAL, &mem[0]));
	ASSERT_EQ(0, mem_reg(self->d.fd, self->p + HUGE - 2, 1, ACCESS_LOCAL, &mem[1]));
	EXPECT_EQ(-ENOMEM, doca_call(self->d.fd, DOCA_MEM_REG, &ask));
	EXPECT_EQ(HUGE, ask.out_used);
	EXPECT_EQ(-ENOMEM, mem_reg(self->d.fd, self->p + HUGE, 1, ACCESS_LOCAL, &mem[2]));
	EXPECT_EQ(0, mem_dereg(self->d.fd, mem[0]));
	EXPECT_EQ(-ENOMEM, doca_call(self->d.fd, DOCA_MEM_REG, &ask));
	EXPECT_EQ(HUGE, ask.out_used);
	EXPECT_EQ(0, mem_dereg(self->d.fd, mem[1]));
	EXPECT_EQ(0, mem_reg(self->d.fd, self->p + HUGE, 1, ACCESS_LOCAL, &mem[2]));
	ASSERT_EQ(0, setresuid(0, 0, 0));
}

/* One range with pages of both sizes */
TEST_F(hugetlb, beside_small_pages)
{
	uint8_t *p = self->p;

	ASSERT_EQ(0, munmap(p + HUGE, HUGE));
	ASSERT_EQ(p + HUGE,
		  mmap(p + HUGE, HUGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	fill_random(p, 2 * HUGE, 9);
	EXPECT_TRUE(memory_works(&self->d, p + MIB, 2 * MIB + 5, ACCESS_LOCAL));
}

/* One range with areas of different kinds */
TEST_F(hugetlb, shared_and_private)
{
	uint8_t *p = self->p;

	ASSERT_EQ(0, munmap(p + HUGE, HUGE));
	ASSERT_EQ(p + HUGE, map_huge(p + HUGE, HUGE, MAP_SHARED | MAP_FIXED));
	fill_random(p, 2 * HUGE, 10);
	EXPECT_TRUE(memory_works(&self->d, p + 3, 2 * HUGE - 9, ACCESS_LOCAL));
}

TEST_F(hugetlb, with_a_hole_behind)
{
	uint32_t mem;

	memset(self->p, 1, 2 * HUGE);
	ASSERT_EQ(0, munmap(self->p + HUGE, HUGE));
	EXPECT_EQ(-EFAULT, mem_reg(self->d.fd, self->p, HUGE + 1, ACCESS_LOCAL, &mem));
	EXPECT_NO_LEAK(self->d.pins);
}

/* The first page is pinned when the second turns out to be read-only */
TEST_F(hugetlb, in_part_read_only)
{
	uint32_t mem;

	memset(self->p, 1, 2 * HUGE);
	ASSERT_EQ(0, mprotect(self->p + HUGE, HUGE, PROT_READ));
	EXPECT_EQ(-EFAULT, mem_reg(self->d.fd, self->p + 5, HUGE, ACCESS_LOCAL, &mem));
	EXPECT_NO_LEAK(self->d.pins);
}

TEST_F(hugetlb, unmapped_while_registered)
{
	uint8_t *was = pages_alloc(2 * HUGE);
	struct buf b;

	ASSERT_NE(NULL, was);
	fill_random(self->p, 2 * HUGE, 12);
	memcpy(was, self->p, 2 * HUGE);
	ASSERT_EQ(0, registered(&self->d, &b, self->p + PAGE, HUGE));
	ASSERT_EQ(0, munmap(self->p, 2 * HUGE));
	/* A new mapping now gets other pages of the pool */
	self->p = map_pair();
	ASSERT_NE(NULL, self->p);
	memset(self->p, 0xff, 2 * HUGE);
	EXPECT_TRUE(registered_is(&self->d, &b, was + PAGE));
	munmap(was, 2 * HUGE);
}

/* A child shares the pages until one of them writes: then each has its own */
TEST_F(hugetlb, shared_with_a_child_before)
{
	struct buf b;

	memset(self->p, 1, 2 * HUGE);
	FORK();
	ASSERT_EQ(0, registered(&self->d, &b, self->p, 2 * HUGE));
	memset(self->p, 2, 2 * HUGE);
	EXPECT_TRUE(registered_is(&self->d, &b, self->p));
}

/* A reference to any page within keeps it */
TEST_F(hugetlb, shared_with_a_child_after)
{
	struct buf b;

	memset(self->p, 1, 2 * HUGE);
	ASSERT_EQ(0, registered(&self->d, &b, self->p + 7 * PAGE, HUGE));
	FORK();
	memset(self->p, 2, 2 * HUGE);
	EXPECT_TRUE(registered_is(&self->d, &b, self->p + 7 * PAGE));
}

/* Make a file of two huge pages, allocated */
static int file_make(void)
{
	int fd = memfd_create("doca", MFD_CLOEXEC | MFD_HUGETLB);

	if (fd >= 0 && !fallocate(fd, 0, 0, 2 * HUGE))
		return fd;
	close(fd);
	return -1;
}

static uint8_t *map_file(int flags)
{
	int fd = file_make();
	void *p = mmap(NULL, 2 * HUGE, PROT_READ | PROT_WRITE, flags, fd, 0);

	close(fd);
	return p == MAP_FAILED ? NULL : p;
}

/* The program sees the file until it writes: then it has pages of its own */
TEST_F(hugetlb, private_of_a_file)
{
	uint8_t *p = map_file(MAP_PRIVATE);
	struct buf b;

	ASSERT_NE(NULL, p);
	ASSERT_EQ(0, registered(&self->d, &b, p, 2 * HUGE));
	fill_random(p, 2 * HUGE, 13);
	EXPECT_TRUE(registered_is(&self->d, &b, p));
	munmap(p, 2 * HUGE);
}

TEST_F(hugetlb, shared_of_a_file)
{
	uint8_t *p = map_file(MAP_SHARED);
	struct buf b;

	ASSERT_NE(NULL, p);
	ASSERT_EQ(0, registered(&self->d, &b, p + PAGE, 2 * HUGE - PAGE));
	fill_random(p, 2 * HUGE, 14);
	EXPECT_TRUE(registered_is(&self->d, &b, p + PAGE));
	munmap(p, 2 * HUGE);
}

/* A thread of the program supplies its pages when they are missed */
static int handle_missing(void *p)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = {
		.range = { .start = (uintptr_t)p, .len = 2 * HUGE },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int uffd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

	if (uffd < 0)
		return -errno;
	if (!ioctl(uffd, UFFDIO_API, &api) && !ioctl(uffd, UFFDIO_REGISTER, &reg))
		return uffd;
	close(uffd);
	return -EOPNOTSUPP;
}

static void *fill_missing(void *arg)
{
	struct pollfd missed = { .fd = *(int *)arg, .events = POLLIN };
	struct uffdio_copy copy = { .len = HUGE };
	uint8_t *content = pages_alloc(HUGE);
	struct uffd_msg msg;
	int pages;

	memset(content, 7, HUGE);
	copy.src = (uintptr_t)content;
	for (pages = 0; pages < 2; pages++) {
		if (poll(&missed, 1, -1) != 1 || missed.revents != POLLIN ||
		    read(missed.fd, &msg, sizeof(msg)) != sizeof(msg))
			break;
		copy.dst = msg.arg.pagefault.address & -HUGE;
		if (ioctl(missed.fd, UFFDIO_COPY, &copy))
			break;
	}
	munmap(content, HUGE);
	return NULL;
}

/* Since 6.5 pinning waits for the handler of the faults; before, it fails */
static bool pinning_waits(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname un;

	if (!uname(&un))
		sscanf(un.release, "%u.%u", &major, &minor);
	return major > 6 || (major == 6 && minor >= 5);
}

TEST_F(hugetlb, handled_by_the_program)
{
	pthread_t thread;
	int uffd;

	if (!pinning_waits())
		SKIP(return, "before 6.5 pinning does not wait for pages");
	uffd = handle_missing(self->p);
	if (uffd < 0)
		SKIP(return, "userfaultfd: %s", strerror(-uffd));
	ASSERT_EQ(0, pthread_create(&thread, NULL, fill_missing, &uffd));
	EXPECT_TRUE(memory_works(&self->d, self->p, 2 * HUGE, ACCESS_LOCAL));
	pthread_join(thread, NULL);
	close(uffd);
}

TEST_F(hugetlb, handled_and_there)
{
	int uffd;

	memset(self->p, 3, 2 * HUGE);
	uffd = handle_missing(self->p);
	if (uffd < 0)
		SKIP(return, "userfaultfd: %s", strerror(-uffd));
	EXPECT_TRUE(memory_works(&self->d, self->p, 2 * HUGE, ACCESS_LOCAL));
	close(uffd);
}

struct changer {
	uint8_t *p;
	bool stop;
};

/* Make the second page huge, small or missing */
static void *change(void *arg)
{
	struct changer *c = arg;
	unsigned int i;

	for (i = 0; !__atomic_load_n(&c->stop, __ATOMIC_RELAXED); i++) {
		if (i % 2)
			map_huge(c->p + HUGE, HUGE, MAP_PRIVATE | MAP_FIXED);
		else if (i % 16)
			mmap(c->p + HUGE, HUGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		else
			munmap(c->p + HUGE, HUGE);
	}
	return NULL;
}

/* Free memory that was never used is zeros: write something else to it */
static void soil_free_memory(size_t length)
{
	uint8_t *p = pages_alloc(length);

	if (!p)
		return;
	memset(p, 0xa5, length);
	munmap(p, length);
}

TEST_F(hugetlb, changing_while_it_is_registered)
{
	struct changer c = { .p = self->p };
	uint8_t *seen = pages_alloc(2 * HUGE);
	unsigned int i, good = 0;
	pthread_t thread;
	struct buf b;
	int err;

	ASSERT_NE(NULL, seen);
	/* Otherwise small ones become huge, too */
	ASSERT_EQ(0, prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0));
	soil_free_memory(64 * MIB);
	ASSERT_EQ(0, pthread_create(&thread, NULL, change, &c));
	for (i = 0; i < rounds(25) || !good; i++) {
		/* While the first is cleared, the other thread has to wait */
		ASSERT_EQ(0, madvise(self->p, HUGE, MADV_DONTNEED));
		err = registered(&self->d, &b, self->p, 2 * HUGE);
		if (!err) {
			good++;
			/* They are unwritten, whatever they are */
			ASSERT_TRUE(registered_is(&self->d, &b, seen));
			EXPECT_EQ(0, mem_dereg(self->d.fd, b.mem));
		} else {
			/* Pages that are still pinned are missing from the pool */
			EXPECT_TRUE(err == -EFAULT || err == -ENOMEM)
				TH_LOG("%s", strerror(-err));
		}
	}
	__atomic_store_n(&c.stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	TH_LOG("%u of %u were registered", good, i);
	EXPECT_NO_LEAK(self->d.pins);
}

TEST_HARNESS_MAIN
