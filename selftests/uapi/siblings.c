// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Processes that share an address space make calls at random, on the same files, queues and
 * memory, while their owner ends in any way. Nobody waits for anything, so whatever one of them
 * uses may go at any moment. The kernel must not complain (the runner reads its log), all of
 * them must end, and nothing of theirs may stay: neither pages nor charges.
 */
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#include "../lib/rounds.h"
#include "doca_ring.h"
#include "kselftest_harness.h"

#define SOMEBODY 65534
#define SIBLINGS 3
#define STEPS 400 /* The owner makes fewer */
#define SLOTS 4
#define ENTRIES 16
#define LENGTH (64 * PAGE)

/* Counts of all processes of all rounds, to see that the rest is not in vain */
struct tally {
	uint32_t made, done, undone;
	uint32_t orphaned; /* any of these after the owner's end */
};

/* Whatever they share by their address space; each takes and replaces what the others use. */
struct home {
	struct tally *tally;
	struct doca d[2];
	uint8_t *addr;
	uint32_t mems[SLOTS], keys[SLOTS], exports[SLOTS], workers[SLOTS];
	struct doca_blob blobs[SLOTS];
	struct queue queues[SLOTS];
	bool left; /* by the owner */
};

/* One of them: its descriptors may be others' copies. */
struct sibling {
	struct home *home;
	uint32_t state;
	char stack[16 * 4096] __attribute__((aligned(16)));
};

static struct home home;
static struct sibling siblings[SIBLINGS + 1];

static uint32_t any(struct sibling *s, uint32_t nr)
{
	return prng(&s->state) % nr;
}

/* Mostly the same, for an object of one is nothing to the other: the owner's as long as it lives */
static struct doca *any_file(struct sibling *s)
{
	return &s->home->d[s->home->left == !!any(s, 8)];
}

static uint32_t any_of(struct sibling *s, const uint32_t *slots)
{
	return ring_load(&slots[any(s, SLOTS)]);
}

static void count(struct sibling *s, uint32_t *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
	if (s->home->left)
		__atomic_fetch_add(&s->home->tally->orphaned, 1, __ATOMIC_RELAXED);
}

/* Put an id into a slot, and return the one that was there */
static uint32_t replace(struct sibling *s, uint32_t *slots, uint32_t id)
{
	count(s, &s->home->tally->made);
	return __atomic_exchange_n(&slots[any(s, SLOTS)], id, __ATOMIC_ACQ_REL);
}

static void destroy(struct sibling *s, uint32_t type, uint32_t id)
{
	object_destroy(s->home->d[0].fd, type, id);
	object_destroy(s->home->d[1].fd, type, id);
}

static void reopen(struct sibling *s)
{
	struct doca *d = &s->home->d[1];
	int fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	/* Sometimes another one takes its number, sometimes calls meet a closed one. */
	if (any(s, 2)) {
		dup3(fd, d->fd, O_CLOEXEC);
		close(fd);
	} else {
		close(__atomic_exchange_n(&d->fd, fd, __ATOMIC_ACQ_REL));
	}
}

static void reg(struct sibling *s)
{
	uint64_t from = any(s, 3) * 64, to = LENGTH - any(s, 3) * PAGE;
	uint32_t mem;

	if (!mem_reg(any_file(s)->fd, s->home->addr + from, to - from, ACCESS_LOCAL | ACCESS_PCI,
		     &mem))
		replace(s, s->home->mems, mem);
}

static void map(struct sibling *s)
{
	struct doca *d = any_file(s);
	uint32_t key;

	if (!mem_map(d->fd, any_of(s, s->home->mems), d->device, ACCESS_LOCAL, &key))
		mem_unmap(any_file(s)->fd, replace(s, s->home->keys, key));
}

static void export(struct sibling *s)
{
	struct doca_blob *blob = &s->home->blobs[any(s, SLOTS)];
	uint32_t id;

	if (!mem_export(any_file(s)->fd, any_of(s, s->home->keys), 0, blob, &id))
		destroy(s, DOCA_OBJECT_EXPORT, replace(s, s->home->exports, id));
}

static void import(struct sibling *s)
{
	const struct doca_blob *blob = &s->home->blobs[any(s, SLOTS)];
	struct doca *d = any_file(s);
	struct doca_mem_import in;

	if (!mem_import(d->fd, d->device, blob, &in))
		mem_unmap(d->fd, replace(s, s->home->keys, in.out_key));
}

static void work(struct sibling *s)
{
	const uint32_t idle[] = { 0, 100, 100000 };
	uint32_t worker;

	if (!worker_create(any_file(s)->fd, idle[any(s, 3)], &worker))
		destroy(s, DOCA_OBJECT_WORKER, replace(s, s->home->workers, worker));
}

/* Replace areas under those who are about to use them */
static void cover(void *addr, size_t length)
{
	mmap(addr, length, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void renew(struct sibling *s, struct queue *slot)
{
	struct queue q, old;

	if (queue_open_waits(&q, any_file(s), any(s, 2) ? any_of(s, s->home->workers) : 0,
			     ENTRIES, ENTRIES / 2))
		return;
	count(s, &s->home->tally->made);
	old = *slot;
	*slot = q;
	if (!old.user)
		return;
	if (any(s, 2))
		close(old.fd);
	cover(old.user, old.geo.out_user_size);
	cover((void *)old.kernel, old.geo.out_kernel_size);
	close(old.fd);
}

static void queue(struct sibling *s)
{
	renew(s, &s->home->queues[any(s, SLOTS)]);
}

static struct doca_sqe any_entry(struct sibling *s)
{
	struct home *h = s->home;
	uint8_t *at = h->addr + any(s, LENGTH / 16) * 8;
	struct doca_seg value = seg_at(any_of(s, h->keys), at, 8);
	uint32_t length = any(s, 3 * PAGE);
	struct doca_sqe sqe;

	switch (any(s, 5)) {
	case 0:
		sqe = sqe_nop(any(s, 9));
		break;
	case 1:
		sqe = sqe_sync_write(DOCA_OP_SYNC_ADD, value, 1);
		break;
	case 2:
		sqe = sqe_sync_wait(DOCA_OP_SYNC_WAIT_GT + any(s, 3), value, any(s, 3), any(s, 4));
		break;
	default:
		sqe = sqe_copy(seg_at(any_of(s, h->keys), at, length),
			       seg_at(any_of(s, h->keys), h->addr + any(s, LENGTH / 2), length));
	}
	if (!any(s, 4))
		sqe.flags |= DOCA_SQE_DRAIN;
	return sqe;
}

/* Some are stopped, and some have failed. */
static struct queue any_queue(struct sibling *s)
{
	return s->home->queues[any(s, SLOTS)];
}

/* Others submit to the same queue: what is in the ring is right now and then. */
static void submit(struct sibling *s)
{
	struct queue q = any_queue(s);
	int i, nr = any(s, ENTRIES / 4) + 1;

	if (!q.user)
		return;
	q.tail = q.published = ring_load(&q.kernel->sq_head);
	for (i = 0; i < nr; i++)
		queue_push(&q, any_entry(s));
	if (any(s, 8))
		queue_publish(&q);
	else
		queue_announce(&q);
}

static void enter(struct sibling *s)
{
	struct queue q = any_queue(s);

	queue_enter_flags(q.fd, any(s, 2) * DOCA_ENTER_EXECUTE, any(s, 4) + 1, NULL);
}

static void reap(struct sibling *s)
{
	struct queue *slot = &s->home->queues[any(s, SLOTS)], q = *slot;
	struct tally *tally = s->home->tally;
	struct doca_cqe cqe = {};
	int i;

	if (!q.user)
		return;
	queue_revents(&q, POLLIN, 0);
	for (i = 0; i < ENTRIES && queue_reap(&q, &cqe); i++)
		count(s, cqe.status == DOCA_STATUS_SUCCESS ? &tally->done : &tally->undone);
	slot->head = q.head;
	/* It executes nothing any more: have another one, but now and then. */
	if (cqe.status && any(s, 4))
		renew(s, slot);
}

static void stop(struct sibling *s)
{
	struct queue q = any_queue(s);

	queue_stop(q.fd);
}

static void unmap(struct sibling *s)
{
	mem_unmap(any_file(s)->fd, any_of(s, s->home->keys));
}

static void withdraw(struct sibling *s)
{
	const uint32_t type[] = { DOCA_OBJECT_MEMORY, DOCA_OBJECT_EXPORT, DOCA_OBJECT_WORKER };
	const uint32_t *slots[] = { s->home->mems, s->home->exports, s->home->workers };
	uint32_t i = any(s, 3);

	destroy(s, type[i], any_of(s, slots[i]));
}

static void other_pages(struct sibling *s)
{
	uint8_t *addr = s->home->addr + any(s, LENGTH / PAGE - 7) * PAGE;

	if (any(s, 2))
		cover(addr, 8 * PAGE);
	else
		madvise(addr, 8 * PAGE, MADV_DONTNEED);
}

/* A child has all descriptors, and an address space of its own. */
static void heir(struct sibling *s)
{
	int i, pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid)
		return;
	for (i = any(s, 8); i; i--)
		enter(s);
	_exit(0);
}

/* The C library's own state is common to all: no call may need it. */
static void look(struct sibling *s)
{
	char path[] = "/proc/self/fdinfo/00", text[4096];
	int info, fd = any(s, 2) ? any_file(s)->fd : any_queue(s).fd;

	path[18] += fd / 10 % 10;
	path[19] += fd % 10;
	info = open(path, O_RDONLY | O_CLOEXEC);
	while (info >= 0 && read(info, text, sizeof(text)) > 0)
		;
	close(info);
}

typedef void step_fn(struct sibling *s);

/* Those that make and use are more frequent than those that take away. */
static step_fn *const steps[] = {
	reg, reg, map, map, map, export, import, import, work, queue, queue, submit, submit,
	submit, submit, submit, submit, enter, enter, enter, reap, reap, reap, stop, unmap,
	withdraw, withdraw, other_pages, heir, look, reopen,
};

static void step(struct sibling *s)
{
	steps[any(s, ARRAY_SIZE(steps))](s);
}

static int live(void *arg)
{
	struct sibling *s = arg;
	int i;

	for (i = 0; i < STEPS; i++)
		step(s);
	_exit(0);
}

static void sibling_start(struct sibling *s)
{
	int flags = CLONE_VM | CLONE_PARENT | SIGCHLD;

	if (any(s, 2))
		flags |= CLONE_FILES;
	if (clone(live, s->stack + sizeof(s->stack), flags, s) < 0)
		_exit(1);
}

/* The ways of an owner to end */
static void leave(struct sibling *s)
{
	home.left = true;
	switch (any(s, 4)) {
	case 0:
		close(home.d[0].fd);
		close(home.d[1].fd);
		break;
	case 1:
		execl("/bin/true", "true", NULL);
		break;
	case 2:
		kill(getpid(), SIGKILL);
	}
	_exit(0);
}

static void owner(uint32_t seed, struct tally *tally)
{
	struct sibling *s = &siblings[SIBLINGS];
	int i;

	setpgid(0, 0);
	if (seed % 2 && become_user(SOMEBODY))
		_exit(1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	home.tally = tally;
	home.addr = pages_alloc(LENGTH);
	if (!home.addr || doca_open(&home.d[0]) || doca_open(&home.d[1]))
		_exit(1);
	for (i = 0; i <= SIBLINGS; i++)
		siblings[i] = (struct sibling){
			.home = &home, .state = seed * 2654435761U + i + 1 };
	for (i = 0; i < 2 * SLOTS; i++) {
		reg(s);
		map(s);
		queue(s);
	}
	for (i = 0; i < SIBLINGS; i++)
		sibling_start(&siblings[i]);
	for (i = any(s, STEPS); i; i--)
		step(s);
	leave(s);
}

FIXTURE(siblings) {
	struct doca d;
	struct tally *tally;
};

FIXTURE_SETUP(siblings)
{
	DOCA_OPEN(&self->d);
	self->tally = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->tally);
	/* Children of those that die become ours. */
	ASSERT_EQ(0, prctl(PR_SET_CHILD_SUBREAPER, 1));
}

FIXTURE_TEARDOWN(siblings)
{
	DOCA_CLOSE(&self->d);
}

/* Return true if nothing is charged to the user but this file */
static bool nothing_is_charged(int fd)
{
	const char *const names[] = {
		"doca-user-memories", "doca-user-mappings", "doca-user-exports",
		"doca-user-imports", "doca-user-workers", "doca-user-queues",
		"doca-user-waits", "doca-user-ring-bytes",
	};
	long used = fdinfo_value(fd, "doca-user-files") - 1;
	int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		used |= fdinfo_value(fd, names[i]);
	return !used;
}

static void somebody_has_nothing(struct __test_metadata *_metadata)
{
	struct doca d;
	int pid = fork();

	if (!pid) {
		ASSERT_EQ(0, become_user(SOMEBODY));
		ASSERT_EQ(0, doca_open(&d));
		WAIT_UNTIL(nothing_is_charged(d.fd));
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

TEST_F_TIMEOUT(siblings, outlive_their_owner, 3600)
{
	unsigned int round;
	int pid, status;

	for (round = 0; round < rounds(10); round++) {
		pid = fork();
		if (!pid)
			owner(round, self->tally);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status));
		/* Others go on to their end. */
		if (round % 3 == 0)
			kill(-pid, SIGKILL);
		while (waitpid(-1, NULL, 0) > 0)
			;
		ASSERT_EQ(ECHILD, errno);
	}
	TH_LOG("%u objects made, %u entries done and %u not; %u after the owner's end",
	       self->tally->made, self->tally->done, self->tally->undone, self->tally->orphaned);
	EXPECT_LT(0, self->tally->made);
	EXPECT_LT(0, self->tally->done);
	EXPECT_LT(0, self->tally->undone);
	EXPECT_LT(0, self->tally->orphaned);
	somebody_has_nothing(_metadata);
}

TEST_HARNESS_MAIN
