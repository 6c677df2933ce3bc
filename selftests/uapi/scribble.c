// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A hostile process beside a decent one. One of its threads writes over all that it
 * has mapped writable, indices and all, as fast as it can, with words both wild and
 * nearly right; others submit, make queues and registrations, import what the decent
 * one exports, and take it all away again. It may hurt itself. Nothing else may
 * happen: not a byte is written outside of what its keys allow, the other's queue
 * works and its memory stays as it is, all descriptors close in time, what was pinned
 * and charged is given back, and the driver writes nothing into the log.
 */
#include <pthread.h>
#include <sys/prctl.h>

#include "world.h"
#include "kselftest_harness.h"

#define ENTRIES 64
#define SEGMENTS 64
#define NR_WAITS 8
#define REGION (32 * PAGE)
#define MARGIN 100 /* of the first and last page, not registered; and one page more */
#define CANARY 0xc5
#define RUN_NS 2000000000ULL

/* Between the two processes, both of which write it as they like */
struct shared {
	struct doca_blob readable, writable;
	uint32_t begun, over;
	unsigned long answered, good, queues, imports, registrations, words;
};

/* Canaries, of which all but margins is registered */
static int region_make(const struct doca *d, struct buf *b, uint32_t access)
{
	uint8_t *pages = pages_alloc(REGION);
	int err;

	if (!pages)
		return -ENOMEM;
	memset(pages, CANARY, REGION);
	*b = (struct buf){ .addr = pages + PAGE + MARGIN,
			   .length = REGION - 2 * (PAGE + MARGIN) };
	err = mem_reg(d->fd, b->addr, b->length, access, &b->mem);
	return err ? err : mem_map(d->fd, b->mem, d->device,
				   access & ACCESS_LOCAL, &b->key);
}

static bool canaries(const uint8_t *p, size_t n)
{
	while (n && *p == CANARY)
		p++, n--;
	return !n;
}

static bool nothing_beside(const struct buf *b)
{
	return canaries(b->addr - MARGIN - PAGE, MARGIN + PAGE) &&
	       canaries(b->addr + b->length, MARGIN + PAGE);
}

/*
 * The hostile process
 */

/* What an entry may name with some success */
struct target {
	uint32_t key; /* changes all the time */
	uint64_t addr;
	uint32_t length;
};

enum {
	OWN, /* pulled away and registered anew */
	IMPORTED,
	RING, /* the queue's own entries, as memory */
	WRITABLE, /* those above */
	READ_ONLY = WRITABLE,
	IMPORTED_READ_ONLY,
	TARGETS,
};

struct attacker {
	struct shared *shared;
	struct doca d;
	uint32_t worker;
	struct buf own, read_only;
	uint32_t ring_mem;
	struct target target[TARGETS];
	struct queue q[2]; /* one for each way of execution */
	pthread_rwlock_t lock; /* queues are replaced under it */
};

static bool is_over(struct attacker *a)
{
	return __atomic_load_n(&a->shared->over, __ATOMIC_RELAXED);
}

/* Somewhere in what @t names, or a little beyond */
static struct doca_seg any_seg(const struct target *t, uint32_t length,
			       uint32_t *state)
{
	uint32_t key = __atomic_load_n(&t->key, __ATOMIC_RELAXED);
	uint32_t offset = prng(state) % (t->length + 64);

	if (offset + length > t->length && prng(state) % 64)
		offset = 0;
	return (struct doca_seg){ key, length, t->addr + offset };
}

static struct doca_seg any_value(const struct target *t, uint32_t *state)
{
	struct doca_seg seg = any_seg(t, 8, state);

	seg.address &= ~7ULL;
	return seg;
}

static struct doca_sqe any_entry(struct attacker *a, uint32_t *state)
{
	const struct target *from = &a->target[prng(state) % TARGETS];
	const struct target *to = &a->target[prng(state) % WRITABLE];
	uint32_t length = prng(state) % 64 ? prng(state) % 512 :
					     prng(state) % REGION;

	if (prng(state) % 128 == 0)
		to = from;
	switch (prng(state) % 8) {
	case 0:
		return sqe_nop(prng(state));
	case 1:
		return sqe_sync_get(any_value(from, state));
	case 2:
		return sqe_sync_write(DOCA_OP_SYNC_SET + prng(state) % 2,
				      any_value(to, state), prng(state));
	case 3:
		return sqe_sync_wait(DOCA_OP_SYNC_WAIT_GT + prng(state) % 3,
				     any_value(from, state), prng(state),
				     UINT64_MAX);
	case 4:
		return sqe_copy_list(seg_list(prng(state) % SEGMENTS, 1),
				     seg_list(prng(state) % SEGMENTS, 1),
				     DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST);
	default:
		return sqe_copy(any_seg(to, length, state),
				any_seg(from, length, state));
	}
}

static uint64_t any_word(struct attacker *a, uint32_t *state)
{
	const struct target *t = &a->target[prng(state) % TARGETS];
	struct doca_seg seg = any_seg(t, prng(state) % 512, state);
	const uint64_t words[] = {
		0, 1, 8, ENTRIES, UINT32_MAX, UINT64_MAX, 1ULL << 63,
		seg.key, seg.key | (uint64_t)seg.length << 32, seg.address,
		t->addr + t->length, prng(state),
	};
	uint64_t word = words[prng(state) % ARRAY_SIZE(words)];

	return prng(state) % 16 ? word : word ^ 1ULL << prng(state) % 64;
}

/* An entry where the next ones are looked for, or a word, or an index */
static void scribble(struct attacker *a, struct queue *q, uint32_t *state)
{
	uint32_t head = ring_load(&q->kernel->sq_head);
	uint32_t tail = ring_load(&q->kernel->cq_tail);
	uint64_t *words = (uint64_t *)q->user;
	struct doca_sqe sqe;

	switch (prng(state) % 64) {
	case 0:
		ring_store(&q->user->cq_head, (uint32_t)any_word(a, state));
		break;
	case 1 ... 8:
		ring_store(&q->user->cq_head, tail - prng(state) % ENTRIES);
		ring_store(&q->user->notify_at, tail + prng(state) % 4);
		break;
	case 9 ... 12:
		__atomic_store_n(&words[prng(state) %
					(q->geo.out_user_size / 8)],
				 any_word(a, state), __ATOMIC_RELAXED);
		break;
	case 13 ... 24:
		q->segs[prng(state) % SEGMENTS] =
			any_seg(&a->target[prng(state) % WRITABLE],
				prng(state) % 512, state);
		break;
	default:
		head += prng(state) % 4;
		sqe = any_entry(a, state);
		sqe.phase = ring_phase(head, ENTRIES);
		q->sq[head % ENTRIES] = sqe;
	}
}

static void *scribbler(void *arg)
{
	struct attacker *a = arg;
	uint32_t state = 51;
	int i;

	while (!is_over(a)) {
		pthread_rwlock_rdlock(&a->lock);
		for (i = 0; i < 1000; i++)
			scribble(a, &a->q[i % 2], &state);
		pthread_rwlock_unlock(&a->lock);
		a->shared->words += 1000;
		sched_yield();
	}
	return NULL;
}

/* The ring is registered with the new queue, where the kernel lets it be */
static int queue_make(struct attacker *a, struct queue *q)
{
	struct doca_queue_create geo = {
		.worker_id = q == a->q ? 0 : a->worker,
		.sq_entries = ENTRIES,
		.cq_entries = ENTRIES,
		.nr_segments = SEGMENTS,
		.nr_waits = NR_WAITS,
	};
	struct target *ring = &a->target[RING];
	int err = queue_create(q, &a->d, geo);

	if (err || q != a->q)
		return err;
	ring->addr = (uintptr_t)q->user;
	ring->length = geo.sq_entries * sizeof(*q->sq);
	err = mem_reg(a->d.fd, q->user, ring->length, ACCESS_LOCAL,
		      &a->ring_mem);
	if (err == -EFAULT) {
		a->ring_mem = 0;
		*ring = a->target[OWN];
		return 0;
	}
	return err ? err : mem_map(a->d.fd, a->ring_mem, a->d.device,
				   ACCESS_LOCAL, &ring->key);
}

static void tally(struct shared *s, const struct queue *q)
{
	int i;

	s->queues++;
	s->answered += q->kernel->cq_tail;
	for (i = 0; i < ENTRIES && i < q->kernel->cq_tail; i++)
		s->good += !q->cq[i].status;
}

static int queue_replace(struct attacker *a, struct queue *q)
{
	int err = 0;

	pthread_rwlock_wrlock(&a->lock);
	tally(a->shared, q);
	if (q == a->q && a->ring_mem)
		err = mem_dereg(a->d.fd, a->ring_mem);
	queue_close(q);
	if (!err)
		err = queue_make(a, q);
	pthread_rwlock_unlock(&a->lock);
	return err;
}

/* Submits where nothing is in the way, executes, and replaces what has failed */
static void *submitter(void *arg)
{
	struct attacker *a = arg;
	uint32_t state = 52;
	long err = 0;
	int i;

	while (!err && !is_over(a)) {
		struct queue *q = &a->q[prng(&state) % 2];

		for (i = prng(&state) % 8; i; i--)
			queue_push(q, any_entry(a, &state));
		queue_announce(q);
		err = queue_enter(q->fd, 1 + prng(&state) % ENTRIES, NULL);
		if (prng(&state) % 256 == 0)
			queue_stop(q->fd);
		q->tail = ring_load(&q->kernel->sq_head);
		q->published = q->tail;
		ring_store(&q->user->cq_head, ring_load(&q->kernel->cq_tail));
		if (!err && ring_load(&q->kernel->state) != DOCA_QUEUE_RUN)
			err = queue_replace(a, q);
	}
	return (void *)err;
}

/* What the other one does meanwhile may make it fail, in these ways only */
static int import_one(struct attacker *a, const struct doca_blob *blob,
		      struct target *t)
{
	uint32_t old = t->key;
	struct doca_mem_import in;
	int err = mem_import(a->d.fd, a->d.device, blob, &in);

	if (err)
		return err == -ENOKEY ? 0 : err;
	a->shared->imports++;
	t->addr = in.out_addr;
	t->length = in.out_length;
	__atomic_store_n(&t->key, in.out_key, __ATOMIC_RELAXED);
	err = old ? mem_unmap(a->d.fd, old) : 0;
	return err == -ENOENT ? 0 : err;
}

/* Memory and keys come and go under the entries that name them */
static void *puller(void *arg)
{
	struct attacker *a = arg;
	uint32_t state = 53, mem = a->own.mem, key;
	long err = 0;

	while (!err && !is_over(a)) {
		pause_us(prng(&state) % 1000);
		err = mem_dereg(a->d.fd, mem);
		if (!err)
			err = mem_reg(a->d.fd, a->own.addr, a->own.length,
				      ACCESS_LOCAL, &mem);
		if (!err)
			err = mem_map(a->d.fd, mem, a->d.device, ACCESS_LOCAL,
				      &key);
		if (err)
			break;
		__atomic_store_n(&a->target[OWN].key, key, __ATOMIC_RELAXED);
		a->shared->registrations++;
		err = import_one(a, &a->shared->writable, &a->target[IMPORTED]);
		if (!err)
			err = import_one(a, &a->shared->readable,
					 &a->target[IMPORTED_READ_ONLY]);
	}
	return (void *)err;
}

static int attacker_begin(struct attacker *a, const struct mode *mode)
{
	int err;

	pthread_rwlock_init(&a->lock, NULL);
	err = doca_open(&a->d);
	if (!err)
		err = mode_worker(&a->d, mode, &a->worker);
	if (!err)
		err = region_make(&a->d, &a->own, ACCESS_LOCAL);
	if (!err)
		err = region_make(&a->d, &a->read_only, DOCA_ACCESS_LOCAL_READ);
	if (!err)
		err = queue_make(a, &a->q[0]);
	if (!err)
		err = queue_make(a, &a->q[1]);
	a->target[OWN] = (struct target){ a->own.key, (uintptr_t)a->own.addr,
					  a->own.length };
	a->target[READ_ONLY] = (struct target){ a->read_only.key,
						(uintptr_t)a->read_only.addr,
						a->read_only.length };
	if (!err)
		err = import_one(a, &a->shared->writable, &a->target[IMPORTED]);
	if (!err)
		err = import_one(a, &a->shared->readable,
				 &a->target[IMPORTED_READ_ONLY]);
	return err;
}

static bool closes_in_time(int fd)
{
	uint64_t start = now_ns();

	return !close(fd) && now_ns() - start < WAIT_NS;
}

/* The child's exit status says what went wrong */
static int attack(struct attacker *a, const struct mode *mode)
{
	void *(*const run[])(void *) = { scribbler, submitter, puller };
	pthread_t thread[ARRAY_SIZE(run)];
	void *err;
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (attacker_begin(a, mode))
		return 1;
	for (i = 0; i < ARRAY_SIZE(run); i++)
		if (pthread_create(&thread[i], NULL, run[i], a))
			return 2;
	ring_store(&a->shared->begun, 1);
	for (i = 0; i < ARRAY_SIZE(run); i++)
		if (pthread_join(thread[i], &err) || err)
			return 10 + i;
	tally(a->shared, &a->q[0]);
	tally(a->shared, &a->q[1]);
	/* One before the file and one behind it, with its mappings */
	if (!closes_in_time(a->q[0].fd) || !closes_in_time(a->d.fd) ||
	    !closes_in_time(a->q[1].fd))
		return 3;
	if (!nothing_beside(&a->own) || !nothing_beside(&a->read_only))
		return 4;
	return canaries(a->read_only.addr, a->read_only.length) ? 0 : 5;
}

/*
 * The decent one
 */

FIXTURE(scribble) {
	struct doca d;
	uint32_t worker;
	struct queue q;
	struct buf src, dst; /* its own business */
	struct buf readable, writable; /* exported */
	uint32_t export_id;
	struct shared *shared;
	struct world before;
	int kmsg;
	pid_t pid;
};

FIXTURE_VARIANT(scribble) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(scribble, enter) {};
FIXTURE_VARIANT_ADD(scribble, worker) { .mode = { true, 50 } };

/* What the kernel logs from here on */
static int kmsg_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

static bool kmsg_names(int fd, const char *word)
{
	char line[8192];
	ssize_t n;

	while ((n = read(fd, line, sizeof(line) - 1)) > 0) {
		line[n] = '\0';
		if (strstr(line, word))
			return true;
	}
	return false;
}

FIXTURE_SETUP(scribble)
{
	struct doca *d = &self->d;

	DOCA_OPEN(d);
	MODE_WORKER(d, &variant->mode, &self->worker);
	ASSERT_EQ(0, queue_open(&self->q, d, self->worker, ENTRIES, 0));
	ASSERT_EQ(0, region_make(d, &self->src, ACCESS_LOCAL));
	ASSERT_EQ(0, region_make(d, &self->dst, ACCESS_LOCAL));
	ASSERT_EQ(0, region_make(d, &self->readable,
				 ACCESS_LOCAL | DOCA_ACCESS_PCI_READ));
	ASSERT_EQ(0, region_make(d, &self->writable,
				 ACCESS_LOCAL | ACCESS_PCI));
	self->shared = mmap(NULL, sizeof(*self->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->shared);
	ASSERT_EQ(0, mem_export(d->fd, self->readable.key, 0,
				&self->shared->readable, NULL));
	ASSERT_EQ(0, mem_export(d->fd, self->writable.key, 0,
				&self->shared->writable, &self->export_id));
	ASSERT_EQ(0, world_init(&self->before, d, 0));
	self->before.watch.pins = pins_read();
	self->kmsg = kmsg_open();
	ASSERT_LE(0, self->kmsg);

	self->pid = fork();
	ASSERT_LE(0, self->pid);
	if (!self->pid) {
		struct attacker a = { .shared = self->shared };

		_exit(attack(&a, &variant->mode));
	}
	ASSERT_TRUE(wait_until_nonzero(&self->shared->begun, 3 * WAIT_NS));
}

/* Whatever became of the other, nothing of this one's has changed but one region */
FIXTURE_TEARDOWN(scribble)
{
	EXPECT_TRUE(world_is_gone(&self->before));
	EXPECT_FALSE(kmsg_names(self->kmsg, "doca"));
	close(self->kmsg);
	EXPECT_TRUE(nothing_beside(&self->src));
	EXPECT_TRUE(nothing_beside(&self->dst));
	EXPECT_TRUE(nothing_beside(&self->readable));
	EXPECT_TRUE(nothing_beside(&self->writable));
	EXPECT_TRUE(canaries(self->readable.addr, self->readable.length));
	if (self->before.dmabuf >= 0)
		close(self->before.dmabuf);
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
}

static int copy_something(FIXTURE_DATA(scribble) *self, uint32_t seed)
{
	uint32_t length = 1 + seed % (self->src.length - 1);
	int status;

	fill_random(self->src.addr, length, seed);
	status = queue_status(&self->q,
			      sqe_copy(seg_of(&self->dst, 0, length),
				       seg_of(&self->src, 0, length)));
	if (status)
		return status;
	return memcmp(self->dst.addr, self->src.addr, length) ? -EIO : 0;
}

/* Its tasks are done, and done right; now and then it ends its export */
static int live_decently(FIXTURE_DATA(scribble) *self, uint64_t ns)
{
	uint64_t end = now_ns() + ns;
	uint32_t seed = 54;
	int i, err = 0;

	for (i = 0; !err && now_ns() < end; i++) {
		err = copy_something(self, prng(&seed));
		if (err || i % 4)
			continue;
		err = export_revoke(self->d.fd, self->export_id);
		if (!err)
			err = mem_export(self->d.fd, self->writable.key, 0,
					 &self->shared->writable,
					 &self->export_id);
	}
	return err;
}

TEST_F_TIMEOUT(scribble, nobody_else_feels_it, 200)
{
	struct shared *s = self->shared;

	EXPECT_EQ(0, live_decently(self, RUN_NS));
	ring_store(&s->over, 1);
	EXPECT_EQ(0, child_wait(self->pid));
	EXPECT_LT(0, s->good);
	EXPECT_LT(2, s->queues);
	EXPECT_LT(2, s->imports);
	EXPECT_LT(0, s->registrations);
	TH_LOG("%lu words and entries written, %lu answered, %lu good",
	       s->words, s->answered, s->good);
	TH_LOG("%lu queues, %lu imports, %lu registrations", s->queues,
	       s->imports, s->registrations);
}

TEST_F_TIMEOUT(scribble, killed_in_its_midst, 200)
{
	EXPECT_EQ(0, live_decently(self, RUN_NS / 4));
	kill(self->pid, SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, child_wait(self->pid));
	EXPECT_EQ(0, live_decently(self, RUN_NS / 4));
}

TEST_HARNESS_MAIN
