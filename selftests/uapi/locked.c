// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Registered memory counts for RLIMIT_MEMLOCK as much as it keeps. Any part of a huge
 * page keeps all of it, so it counts as a whole, and once for each user.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "counts.h"
#include "doca_ring.h"
#include "memory.h"
#include "kselftest_harness.h"

#define NOBODY 54321 /* a user that has locked nothing */
#define HUGE (2 * MIB)
#define MOST (4 * HUGE + 8 * PAGE)
#define THP_SIZE "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size"

FIXTURE(locked) {
	struct doca d;
	uint8_t *area;
	uint8_t *huge; /* within the area; room for MOST */
};

/* Count the bytes of a range that are in huge pages */
static long huge_bytes(const uint8_t *p, size_t length)
{
	unsigned long begin, end;
	long sum = 0, kib;
	bool in = false;
	char line[256];
	FILE *f;

	f = fopen("/proc/self/smaps", "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
			in = begin < (uintptr_t)p + length &&
			     end > (uintptr_t)p;
		else if (in && sscanf(line, "AnonHugePages: %ld", &kib) == 1)
			sum += kib * 1024;
	}
	if (f)
		fclose(f);
	return sum;
}

/* Make huge pages at @p, if there are any */
static bool make_huge(uint8_t *p, size_t length)
{
	if (madvise(p, length, MADV_HUGEPAGE))
		return false;
	memset(p, 1, length);
	return huge_bytes(p, length) == (long)length;
}

FIXTURE_SETUP(locked)
{
	const struct rlimit limit = { MOST, MOST };

	if (access(THP_SIZE, R_OK))
		SKIP_SETUP("no transparent huge pages");
	DOCA_OPEN(&self->d);
	self->area = pages_alloc(8 * HUGE);
	ASSERT_NE(NULL, self->area);
	ASSERT_EQ(0, madvise(self->area, 8 * HUGE, MADV_NOHUGEPAGE));
	self->huge = (uint8_t *)(((uintptr_t)self->area + HUGE - 1) & -HUGE);
	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, 0));
}

FIXTURE_TEARDOWN(locked)
{
	EXPECT_EQ(0, setresuid(0, 0, 0));
	munmap(self->area, 8 * HUGE);
	DOCA_CLOSE(&self->d);
}

#define MAKE_HUGE(p, length)                                                   \
	do {                                                                   \
		if (!make_huge(p, length))                                     \
			SKIP(return, "no huge pages to be had");               \
	} while (0)

/* Return the bytes locked by the user: a request that must fail tells them */
static uint64_t in_use(const struct doca *d)
{
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.addr = PAGE,
		.length = MOST + PAGE,
		.access = ACCESS_LOCAL,
	};

	return doca_call(d->fd, DOCA_MEM_REG, &reg) == -ENOMEM ? reg.out_used :
								 UINT64_MAX;
}

static int reg_page(const struct doca *d, uint8_t *p, uint32_t *mem)
{
	return mem_reg(d->fd, p, PAGE, ACCESS_LOCAL, mem);
}

/* Each one's rest is given back to the system, which does not get it */
TEST_F(locked, huge_page_counts_as_a_whole)
{
	uint32_t mem[4], more;
	int i;

	MAKE_HUGE(self->huge, 5 * HUGE);
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, reg_page(&self->d, self->huge + i * HUGE, &mem[i]));
		ASSERT_EQ(0, munmap(self->huge + i * HUGE + PAGE, HUGE - PAGE));
		EXPECT_EQ((i + 1) * HUGE, in_use(&self->d));
	}
	EXPECT_EQ(-ENOMEM, reg_page(&self->d, self->huge + 4 * HUGE, &more));
	EXPECT_EQ(4 * HUGE, in_use(&self->d));
	/* Small pages still fit beside them */
	EXPECT_EQ(0, reg_page(&self->d, self->huge + 6 * HUGE, &more));
	EXPECT_EQ(4 * HUGE + PAGE, in_use(&self->d));
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(0, mem_dereg(self->d.fd, mem[i]));
		EXPECT_EQ((3 - i) * HUGE + PAGE, in_use(&self->d));
	}
}

/* When the whole does not fit, the reported use fills the limit */
TEST_F(locked, refusal_says_why)
{
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.length = PAGE,
		.access = ACCESS_LOCAL,
	};
	uint32_t mem;
	int i;

	MAKE_HUGE(self->huge, 5 * HUGE);
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, reg_page(&self->d, self->huge + i * HUGE, &mem));
	}
	reg.addr = (uintptr_t)self->huge + 4 * HUGE;
	EXPECT_EQ(-ENOMEM, doca_call(self->d.fd, DOCA_MEM_REG, &reg));
	EXPECT_EQ(MOST, reg.out_limit);
	EXPECT_EQ(5 * HUGE - PAGE, reg.out_used);
	EXPECT_EQ(4 * HUGE, in_use(&self->d));
}

TEST_F(locked, parts_of_one_count_once)
{
	uint32_t mem[64];
	int i;

	MAKE_HUGE(self->huge, HUGE);
	for (i = 0; i < 64; i++) {
		ASSERT_EQ(0, reg_page(&self->d, self->huge + 3 * i * PAGE + 5, &mem[i]));
		EXPECT_EQ(HUGE, in_use(&self->d));
	}
	for (i = 0; i < 64; i++) {
		EXPECT_EQ(HUGE, in_use(&self->d));
		EXPECT_EQ(0, mem_dereg(self->d.fd, mem[i]));
	}
	EXPECT_EQ(0, in_use(&self->d));
}

/* The user's other files share the page, and so do the whole and a part */
TEST_F(locked, once_for_a_user)
{
	uint32_t part, whole;
	struct doca other;

	MAKE_HUGE(self->huge, HUGE);
	ASSERT_EQ(0, setresuid(-1, 0, -1));
	ASSERT_EQ(0, doca_open(&other));
	ASSERT_EQ(0, setresuid(-1, NOBODY, -1));
	ASSERT_EQ(0, reg_page(&self->d, self->huge, &part));
	ASSERT_EQ(0, mem_reg(other.fd, self->huge, HUGE, ACCESS_LOCAL, &whole));
	EXPECT_EQ(HUGE, in_use(&self->d));
	EXPECT_EQ(0, mem_dereg(self->d.fd, part));
	EXPECT_EQ(HUGE, in_use(&self->d));
	ASSERT_EQ(0, reg_page(&self->d, self->huge + PAGE, &part));
	close(other.fd);
	EXPECT_EQ(HUGE, in_use(&self->d));
	EXPECT_EQ(0, mem_dereg(self->d.fd, part));
	EXPECT_EQ(0, in_use(&self->d));
}

/* Another user pays as well: either may let go first */
TEST_F(locked, each_user_pays)
{
	uint32_t mem;

	MAKE_HUGE(self->huge, HUGE);
	ASSERT_EQ(0, reg_page(&self->d, self->huge, &mem));
	ASSERT_EQ(0, setresuid(-1, 0, -1));
	ASSERT_EQ(0, setresuid(NOBODY + 1, NOBODY, -1));
	EXPECT_EQ(0, in_use(&self->d));
	ASSERT_EQ(0, reg_page(&self->d, self->huge, &mem));
	EXPECT_EQ(HUGE, in_use(&self->d));
}

/* Small pages before and after, and the range begins and ends within huge ones */
TEST_F(locked, a_range_of_both)
{
	uint8_t *p = self->huge;
	uint32_t mem;

	memset(p, 1, HUGE);
	MAKE_HUGE(p + HUGE, 2 * HUGE);
	ASSERT_EQ(0, mem_reg(self->d.fd, p + HUGE - 3 * PAGE, HUGE + 5 * PAGE, ACCESS_LOCAL, &mem));
	EXPECT_EQ(2 * HUGE + 3 * PAGE, in_use(&self->d));
	EXPECT_EQ(0, mem_dereg(self->d.fd, mem));
	EXPECT_EQ(0, in_use(&self->d));
	EXPECT_TRUE(memory_works(&self->d, p + 3 * PAGE + 1, HUGE + MIB / 2, ACCESS_LOCAL));
	EXPECT_EQ(0, in_use(&self->d));
}

/* Pages of two huge ones by turns, in one range: each counts once */
TEST_F(locked, shuffled)
{
	uint8_t *p = self->huge, *at = self->huge + 3 * HUGE;
	uint32_t mem;
	int i;

	MAKE_HUGE(p, 2 * HUGE);
	for (i = 0; i < 16; i++) {
		ASSERT_EQ(at + i * PAGE,
			  mremap(p + i % 2 * HUGE + (40 - i) * PAGE, PAGE, PAGE,
				 MREMAP_MAYMOVE | MREMAP_FIXED, at + i * PAGE));
	}
	ASSERT_EQ(0, mem_reg(self->d.fd, at, 16 * PAGE, ACCESS_LOCAL, &mem));
	EXPECT_EQ(2 * HUGE, in_use(&self->d));
	EXPECT_EQ(0, mem_dereg(self->d.fd, mem));
	EXPECT_EQ(0, in_use(&self->d));
}

/* All that was pinned and charged before it was too much is given back */
TEST_F(locked, too_much_in_the_middle)
{
	uint8_t *p = self->huge;
	uint32_t mem, all;
	int i;

	MAKE_HUGE(p, 6 * HUGE);
	ASSERT_EQ(0, reg_page(&self->d, p, &mem));
	/* One page of each, which is little, but keeps all of them */
	for (i = 0; i < 6; i++) {
		ASSERT_EQ(self->area + 7 * HUGE + i * PAGE,
			  mremap(p + i * HUGE + HUGE - PAGE, PAGE, PAGE,
				 MREMAP_MAYMOVE | MREMAP_FIXED,
				 self->area + 7 * HUGE + i * PAGE));
	}
	EXPECT_EQ(-ENOMEM, mem_reg(self->d.fd, self->area + 7 * HUGE, 6 * PAGE,
				   ACCESS_LOCAL, &all));
	EXPECT_EQ(HUGE, in_use(&self->d));
	ASSERT_EQ(0, mem_reg(self->d.fd, self->area + 7 * HUGE, 4 * PAGE, ACCESS_LOCAL, &all));
	EXPECT_EQ(4 * HUGE, in_use(&self->d));
	EXPECT_EQ(0, mem_dereg(self->d.fd, mem));
	EXPECT_EQ(4 * HUGE, in_use(&self->d));
	EXPECT_EQ(0, mem_dereg(self->d.fd, all));
	EXPECT_EQ(0, in_use(&self->d));
}

struct churn {
	struct doca *d;
	uint8_t *p;
	unsigned int seed;
	unsigned int failed;
};

static void *register_parts(void *arg)
{
	struct churn *c = arg;
	uint32_t mem, i;

	for (i = 0; i < rounds(500); i++) {
		size_t at = prng(&c->seed) % (2 * HUGE);
		size_t length = 1 + prng(&c->seed) % (3 * PAGE);

		if (at + length > 2 * HUGE)
			continue;
		if (mem_reg(c->d->fd, c->p + at, length, ACCESS_LOCAL, &mem) ||
		    mem_dereg(c->d->fd, mem))
			c->failed++;
	}
	return NULL;
}

/* First and last uses come together, in any order: nothing is counted twice, or left */
TEST_F(locked, by_many_threads)
{
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
	const struct rlimit limit = { MOST, MOST };
	pthread_t threads[4];
	struct churn c[4];
	uint32_t mem;
	int i;

	MAKE_HUGE(self->huge, 2 * HUGE);
	ASSERT_EQ(0, setresuid(-1, 0, -1));
	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &none));
	ASSERT_EQ(0, setresuid(-1, NOBODY, -1));
	for (i = 0; i < 4; i++) {
		c[i] = (struct churn){ &self->d, self->huge, i + 1, 0 };
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, register_parts, &c[i]));
	}
	for (i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		EXPECT_EQ(0, c[i].failed);
	}
	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	EXPECT_EQ(0, in_use(&self->d));
	ASSERT_EQ(0, reg_page(&self->d, self->huge, &mem));
	EXPECT_EQ(HUGE, in_use(&self->d));
}

/* The charge of a process that is killed is given back */
TEST_F(locked, gone_with_the_process)
{
	pid_t pid;

	MAKE_HUGE(self->huge, HUGE);
	ASSERT_EQ(0, munmap(self->huge, HUGE));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct doca d;
		uint32_t mem;

		if (mmap(self->huge, HUGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
			 0) != self->huge ||
		    !make_huge(self->huge, HUGE))
			_exit(2);
		if (setresuid(-1, 0, -1) || doca_open(&d) ||
		    setresuid(-1, NOBODY, -1) ||
		    reg_page(&d, self->huge, &mem) || in_use(&d) != HUGE)
			_exit(1);
		raise(SIGKILL);
	}
	EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
	EXPECT_EQ(0, in_use(&self->d));
}

#define MANY 500

/* Pin much, to be given back when the process is killed */
static void pin_much(int told)
{
	const size_t length = 8 * MIB;
	uint8_t *p = pages_alloc(length);
	struct doca d;
	uint32_t mem;
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!p || madvise(p, length, MADV_NOHUGEPAGE) || doca_open(&d))
		_exit(1);
	for (i = 0; i < MANY; i++)
		if (mem_reg(d.fd, p, length, ACCESS_LOCAL, &mem))
			_exit(2);
	if (write(told, "x", 1) == 1)
		for (;;)
			pause();
	_exit(3);
}

/* Only root may fold the counters */
static long pinned_pages(void)
{
	long pages;

	setresuid(-1, 0, -1);
	pages = pins_read().pages;
	setresuid(-1, NOBODY, -1);
	return pages;
}

/* A process at its limit waits only for memory that it has itself given back */
TEST_F(locked, refused_at_once)
{
	long before = pinned_pages(), left, sleeps;
	unsigned int asked = 0;
	int told[2];
	pid_t pid;
	char c;

	ASSERT_EQ(0, pipe(told));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (setresuid(0, 0, 0))
			_exit(1);
		pin_much(told[1]);
	}
	close(told[1]);
	ASSERT_EQ(1, read(told[0], &c, 1));
	ASSERT_EQ(0, setresuid(-1, 0, -1));
	EXPECT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(0, setresuid(-1, NOBODY, -1));
	/* Try while that is given back, and once more */
	do {
		left = pinned_pages() - before;
		sleeps = own_sleeps();
		EXPECT_EQ(0, in_use(&self->d));
		EXPECT_EQ(sleeps, own_sleeps());
		asked++;
		sched_yield();
	} while (_metadata->passed && left > 0);
	TH_LOG("asked %u times", asked);
	EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
	close(told[0]);
}

TEST_HARNESS_MAIN
