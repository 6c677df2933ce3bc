// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Threads that get no CPU in the middle of what they do hold up nobody who closes or ends.
 *
 * A round counts only if such a thread has not run meanwhile: before and after the round a busy
 * thread has made progress on its CPU, and between the two it was not switched.
 */
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#include "../lib/rounds.h"
#include "../lib/run_on.h"
#include "counts.h"
#include "doca_nl.h"
#include "starve.h"
#include "kselftest_harness.h"

#define BUSY 2 /* processes */
#define CPU_OF_ALL 0
#define MANY 1000 /* memories, so that a listing is nearly always within the file */

/* Shared with children */
struct shared {
	uint32_t spins[BUSY]; /* each process counts its own */
	uint32_t listings;
};

FIXTURE(starved_ends) {
	struct shared *all;
	pid_t busy[BUSY];
	char preempt[16]; /* before */
};

/* A thread may lose its CPU where the kernel as it was built lets it, or anywhere. */
FIXTURE_VARIANT(starved_ends) {
	bool fully;
};

FIXTURE_VARIANT_ADD(starved_ends, as_built) { .fully = false };
FIXTURE_VARIANT_ADD(starved_ends, preemptible) { .fully = true };

static void spin_for_ever(uint32_t *spins)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	run_on(STARVED_CPU);
	for (;;)
		ring_store(spins, *spins + 1);
}

FIXTURE_SETUP(starved_ends)
{
	int i;

	if (run_on(STARVED_CPU))
		SKIP_SETUP("there is only one CPU");
	if (variant->fully && !preempt_fully(self->preempt, sizeof(self->preempt)))
		SKIP_SETUP("the kernel is not preemptible");
	ASSERT_EQ(0, run_on(CPU_OF_ALL));
	self->all = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->all);
	for (i = 0; i < BUSY; i++) {
		self->busy[i] = fork();
		ASSERT_LE(0, self->busy[i]);
		if (!self->busy[i])
			spin_for_ever(&self->all->spins[i]);
		kill(self->busy[i], SIGSTOP);
	}
}

FIXTURE_TEARDOWN(starved_ends)
{
	int i;

	for (i = 0; i < BUSY; i++) {
		kill(self->busy[i], SIGKILL);
		child_wait(self->busy[i]);
	}
	munmap(self->all, PAGE);
	if (variant->fully)
		write_to(PREEMPT, self->preempt);
}

static void all_busy(FIXTURE_DATA(starved_ends) *self, int signal)
{
	int i;

	for (i = 0; i < BUSY; i++)
		kill(self->busy[i], signal);
}

static uint32_t spins(FIXTURE_DATA(starved_ends) *self)
{
	uint32_t sum = 0;
	int i;

	for (i = 0; i < BUSY; i++)
		sum += ring_load(&self->all->spins[i]);
	return sum;
}

/*
 * Return how often a thread was switched. If it runs meanwhile, or since then, it will be switched
 * before a busy thread makes progress once more.
 */
static long switches(FIXTURE_DATA(starved_ends) *self, pid_t tid)
{
	uint32_t was = spins(self);
	char path[64];

	WAIT_UNTIL(spins(self) != was);
	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	return proc_value(path, "voluntary_ctxt_switches:") +
	       proc_value(path, "nonvoluntary_ctxt_switches:");
}

static long begin_to_starve(FIXTURE_DATA(starved_ends) *self, pid_t tid)
{
	all_busy(self, SIGCONT);
	return switches(self, tid);
}

/* Return whether it has starved since then. */
static bool has_starved(FIXTURE_DATA(starved_ends) *self, pid_t tid, long nr)
{
	bool starved = switches(self, tid) == nr;

	all_busy(self, SIGSTOP);
	return starved;
}

/* Make a worker that polls all the time where others are more urgent */
static pid_t polling_worker(struct doca *d, struct queue *q)
{
	const struct sched_param none = {};
	uint32_t worker;
	cpu_set_t set;
	pid_t tid;

	if (worker_create(d->fd, DOCA_IDLE_NEVER, &worker) || queue_open(q, d, worker, 8, 0))
		return -1;
	tid = worker_pid(q);
	CPU_ZERO(&set);
	CPU_SET(STARVED_CPU, &set);
	if (sched_setaffinity(tid, sizeof(set), &set) ||
	    sched_setscheduler(tid, SCHED_IDLE, &none) ||
	    queue_status(q, sqe_nop(1)) != DOCA_STATUS_SUCCESS)
		return -1;
	return tid;
}

/* Leave a queue to a child, which closes it when the pipe is written to. */
static pid_t heir_start(struct queue *q, int fd, int go)
{
	pid_t pid = fork();
	char c;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(fd);
		if (read(go, &c, 1) != 1)
			_exit(1);
		_exit(close(q->fd) ? 2 : 0);
	}
	queue_close(q);
	return pid;
}

static long ring_bytes(const struct doca *d)
{
	return fdinfo_value(d->fd, "doca-user-ring-bytes");
}

/* Return true if the round counts. */
static bool close_of_a_queue(struct __test_metadata *_metadata, FIXTURE_DATA(starved_ends) *self,
			     int go[2])
{
	bool counts;
	struct queue q;
	struct doca d;
	pid_t tid, heir;
	long nr, bytes;

	ASSERT_EQ(0, doca_open(&d));
	bytes = ring_bytes(&d);
	tid = polling_worker(&d, &q);
	ASSERT_LT(0, tid);
	heir = heir_start(&q, d.fd, go[0]);
	ASSERT_LT(0, heir);
	nr = begin_to_starve(self, tid);
	ASSERT_EQ(1, write(go[1], "x", 1));
	EXPECT_EQ(0, child_wait(heir));
	counts = has_starved(self, tid, nr);
	/* The rings come back when the worker has run. */
	WAIT_UNTIL(ring_bytes(&d) == bytes);
	close(d.fd);
	return counts;
}

/* Other users may have the descriptor, and the kernel's work of delayed closes. */
TEST_F_TIMEOUT(starved_ends, workers_do_not_hold_up_the_last_close_of_a_queue, 600)
{
	unsigned int counted = 0, nr;
	struct doca_query q;
	struct doca d;
	int go[2];

	ASSERT_EQ(0, doca_open(&d));
	ASSERT_EQ(0, query(d.fd, &q));
	close(d.fd);
	if (!(q.out_features & DOCA_FEATURE_WORKER))
		SKIP(return, "workers are switched off");
	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	for (nr = 0; counted < rounds(4); nr++) {
		ASSERT_GT(10 * rounds(4), nr)
			TH_LOG("only %u rounds without the worker", counted);
		counted += close_of_a_queue(_metadata, self, go);
	}
	close(go[0]);
	close(go[1]);
}

/* List all files, over and over, where others are more urgent */
static pid_t lister_start(FIXTURE_DATA(starved_ends) *self)
{
	const struct sched_param none = {};
	pid_t pid = fork();
	struct listing l;
	struct family nl;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (family_open(&nl) || run_on(STARVED_CPU) ||
	    sched_setscheduler(0, SCHED_IDLE, &none))
		_exit(1);
	while (!family_list(&nl, DOCA_GENL_CMD_FILE_GET, &l)) {
		listing_free(&l);
		ring_store(&self->all->listings, self->all->listings + 1);
	}
	_exit(2);
}

/* A process with a file that takes long to list */
static pid_t owner_start(int ready)
{
	pid_t pid = fork();
	struct doca d;
	uint32_t mem;
	void *page;
	int i;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	page = pages_alloc(PAGE);
	if (!page || doca_open(&d))
		_exit(1);
	for (i = 0; i < MANY; i++)
		if (mem_reg(d.fd, page, PAGE, ACCESS_LOCAL, &mem))
			_exit(2);
	if (write(ready, "x", 1) != 1)
		_exit(3);
	for (;;)
		pause();
}

/* Return true if the round counts. */
static bool end_of_a_process(struct __test_metadata *_metadata, FIXTURE_DATA(starved_ends) *self,
			     pid_t lister, int ready[2])
{
	pid_t owner = owner_start(ready[1]);
	uint32_t was;
	bool counts;
	long nr;
	char c;
	int fd;

	ASSERT_LT(0, owner);
	ASSERT_EQ(1, read(ready[0], &c, 1));
	was = ring_load(&self->all->listings);
	WAIT_UNTIL(ring_load(&self->all->listings) - was > 1 || state_of(lister) == 'Z');
	nr = begin_to_starve(self, lister);
	kill(owner, SIGKILL);
	/* While it ends, */
	fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	EXPECT_LE(0, fd);
	close(fd);
	EXPECT_EQ(1000 + SIGKILL, child_wait(owner));
	/* and when it has ended */
	fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	EXPECT_LE(0, fd);
	close(fd);
	counts = has_starved(self, lister, nr);
	EXPECT_NE('Z', state_of(lister));
	return counts;
}

/* So long, on a kernel that checks itself, that even such threads get the CPU meanwhile. */
static bool ends_take_long(void)
{
	return !access("/sys/kernel/debug/kmemleak", F_OK);
}

/* Others open and close the driver meanwhile. */
TEST_F_TIMEOUT(starved_ends, listings_do_not_hold_up_the_end_of_a_process, 600)
{
	unsigned int counted = 0, nr;
	int ready[2];
	pid_t lister;

	ASSERT_EQ(0, pipe2(ready, O_CLOEXEC));
	lister = lister_start(self);
	ASSERT_LT(0, lister);
	for (nr = 0; counted < rounds(4) && nr < 10 * rounds(4); nr++)
		counted += end_of_a_process(_metadata, self, lister, ready);
	kill(lister, SIGKILL);
	child_wait(lister);
	close(ready[0]);
	close(ready[1]);
	if (counted < rounds(4) && ends_take_long())
		SKIP(return, "only %u rounds without the listing", counted);
	EXPECT_EQ(rounds(4), counted);
}

TEST_HARNESS_MAIN
