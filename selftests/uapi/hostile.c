// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A hostile process: while entries are executed, threads write anything at any time into all
 * that is mapped writable, and pull keys and memory away. There are also copies from and to
 * the rings themselves, where they can be registered, and from another file's export for
 * reading. It may hurt itself; nothing may hang, no byte outside of its registered memory may
 * change, the other file does not notice, and the kernel neither complains (the runner reads
 * its log) nor reveals anything.
 */
#include <pthread.h>

#include "doca_ring.h"
#include "kselftest_harness.h"

#define LENGTH (64 * PAGE)
#define MARGIN 100 /* bytes of the first and last page that are not registered */
#define CANARY 0xc5
#define ENTRIES 64
#define ROUNDS 100 /* with half as many entries each */
#define PULLS 200

/* A scribbler writes these words to it */
struct arena {
	struct queue q;
	struct buf ring; /* the area that is mapped writable, as memory */
	uint64_t words[31];
	pthread_rwlock_t lock; /* the queue is replaced under it */
	/* Indices and phases are written, too, the area is registered, and waits may pend. */
	bool lawless;
	bool over;
};

FIXTURE(hostile) {
	struct doca d, decent;
	uint32_t worker;
	struct buf buf;
	struct buf theirs, secret; /* exported for reading, and not exported */
	struct queue their_queue;
	struct arena arena;
	int kmsg;
};

FIXTURE_VARIANT(hostile) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(hostile, enter) {};
FIXTURE_VARIANT_ADD(hostile, worker) { .mode = { true, 50 } };

static void choose_words(struct arena *a, const struct buf *b, const struct doca_mem_import *in)
{
	const uint64_t words[] = {
		0, 1, 2, 3, ENTRIES - 1, ENTRIES, ENTRIES + 1, UINT64_MAX,
		UINT32_MAX, 1ULL << 31, 1ULL << 63, PAGE, LENGTH, 8000,
		/* an opcode with its flags, and a good segment in two words */
		DOCA_OP_MEMCPY, DOCA_OP_MEMCPY | DOCA_SQE_SRC_LIST << 16,
		DOCA_OP_MEMCPY | 3 << 16, b->key,
		b->key | PAGE << 32, b->key | 300ULL << 32,
		(uintptr_t)b->addr, (uintptr_t)b->addr + PAGE - 3,
		(uintptr_t)b->addr + LENGTH / 2, (uintptr_t)b->addr + LENGTH,
		DOCA_OP_SYNC_ADD, DOCA_OP_SYNC_WAIT_EQ, b->key | 8ULL << 32,
		in->out_key | 300ULL << 32, in->out_addr,
		/* key and address of the ring change with it */
		0, 0,
	};

	_Static_assert(sizeof(words) == sizeof(a->words), "all are chosen");
	memcpy(a->words, words, sizeof(words));
}

static int queue_make(struct arena *a, const struct doca *d, uint32_t worker)
{
	uint64_t *words = a->words + ARRAY_SIZE(a->words) - 2;
	struct buf *ring = &a->ring;
	int err;

	*ring = (struct buf){};
	err = queue_create(&a->q, d, (struct doca_queue_create){
					     .worker_id = worker,
					     .sq_entries = ENTRIES,
					     .cq_entries = ENTRIES,
					     .nr_segments = ENTRIES,
					     .nr_waits = a->lawless ? 8 : 0,
				     });
	/* Most kernels refuse to register such an area. */
	if (err || !a->lawless ||
	    mem_reg(d->fd, a->q.user, a->q.geo.out_user_size, ACCESS_LOCAL, &ring->mem))
		return err;
	err = mem_map(d->fd, ring->mem, d->device, ACCESS_LOCAL, &ring->key);
	words[0] = ring->key | 300ULL << 32;
	words[1] = (uintptr_t)a->q.user;
	return err;
}

static int queue_replace(struct arena *a, const struct doca *d, uint32_t worker)
{
	int err = 0;

	pthread_rwlock_wrlock(&a->lock);
	if (a->ring.mem)
		err = mem_dereg(d->fd, a->ring.mem);
	queue_close(&a->q);
	if (!err)
		err = queue_make(a, d, worker);
	pthread_rwlock_unlock(&a->lock);
	return err;
}

/* Open the kernel's log to read it from here on */
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

static int live_decently(FIXTURE_DATA(hostile) *self, struct doca_blob *blob)
{
	struct doca *d = &self->decent;

	memset(blob, 0, sizeof(*blob));
	return doca_open(d) ?:
	       buf_make(d, &self->theirs, PAGE, ACCESS_LOCAL | DOCA_ACCESS_PCI_READ) ?:
	       buf_make(d, &self->secret, PAGE, ACCESS_LOCAL) ?:
	       mem_export(d->fd, self->theirs.key, 0, blob, NULL) ?:
	       queue_open(&self->their_queue, d, 0, 2, 0);
}

FIXTURE_SETUP(hostile)
{
	struct buf *b = &self->buf;
	struct doca_mem_import in;
	struct doca_blob blob;

	self->kmsg = kmsg_open();
	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	b->addr = pages_alloc(LENGTH);
	ASSERT_NE(NULL, b->addr);
	memset(b->addr, CANARY, LENGTH);
	b->addr += MARGIN;
	b->length = LENGTH - 2 * MARGIN;
	ASSERT_EQ(0, mem_reg(self->d.fd, b->addr, b->length, ACCESS_LOCAL, &b->mem));
	ASSERT_EQ(0, mem_map(self->d.fd, b->mem, self->d.device, ACCESS_LOCAL, &b->key));
	memset(b->addr, 0, b->length);
	ASSERT_EQ(0, live_decently(self, &blob));
	memset(self->theirs.addr, CANARY, PAGE);
	memset(self->secret.addr, CANARY, PAGE);
	ASSERT_EQ(0, mem_import(self->d.fd, self->d.device, &blob, &in));
	self->arena.lock = (pthread_rwlock_t)PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
	choose_words(&self->arena, b, &in);
	ASSERT_EQ(0, queue_make(&self->arena, &self->d, self->worker));
}

static bool canaries(const uint8_t *p, size_t n)
{
	while (n && *p == CANARY)
		p++, n--;
	return !n;
}

FIXTURE_TEARDOWN(hostile)
{
	if (self->arena.ring.mem)
		EXPECT_EQ(0, mem_dereg(self->d.fd, self->arena.ring.mem));
	queue_close(&self->arena.q);
	EXPECT_TRUE(canaries(self->buf.addr - MARGIN, MARGIN));
	EXPECT_TRUE(canaries(self->buf.addr + self->buf.length, MARGIN));
	EXPECT_TRUE(canaries(self->theirs.addr, PAGE));
	EXPECT_TRUE(canaries(self->secret.addr, PAGE));
	EXPECT_EQ(DOCA_STATUS_SUCCESS,
		  queue_status(&self->their_queue, sqe_copy(seg_of(&self->theirs, 0, PAGE),
							    seg_of(&self->secret, 0, PAGE))));
	EXPECT_FALSE(kmsg_names(self->kmsg, "doca"));
	close(self->kmsg);
	queue_close(&self->their_queue);
	close(self->decent.fd);
	DOCA_CLOSE(&self->d);
}

static uint64_t word_of(struct arena *a, uint32_t *state)
{
	uint64_t word = a->words[prng(state) % ARRAY_SIZE(a->words)];

	if (prng(state) % 16 == 0)
		word ^= 1ULL << prng(state) % 64;
	return word;
}

/* Return true for the first word of an entry */
static bool holds_phase(const struct arena *a, uint32_t at)
{
	uint32_t sq = a->q.geo.out_sq_off / 8, end = a->q.geo.out_seg_off / 8;

	return at >= sq && at < end &&
	       (at - sq) % (sizeof(struct doca_sqe) / 8) == 0;
}

/*
 * Scribble on entries and segments, at every offset of the area behind its indices. An
 * entry without its phase is not seen: so spare the phases, unless it is lawless.
 */
static void scribble(struct arena *a, uint32_t *state)
{
	uint64_t *area = (void *)a->q.user;
	uint32_t first = sizeof(*a->q.user) / 8;
	uint32_t words = a->q.geo.out_user_size / 8;
	uint32_t at = first + prng(state) % (words - first);

	if (!a->lawless && holds_phase(a, at))
		__atomic_store_n((uint32_t *)&area[at], (uint32_t)word_of(a, state),
				 __ATOMIC_RELAXED);
	else
		__atomic_store_n(&area[at], word_of(a, state), __ATOMIC_RELAXED);
}

static void scribble_indices(struct arena *a, uint32_t *state)
{
	ring_store(&a->q.user->notify_at, prng(state));
	ring_store(&a->q.user->cq_head, (uint32_t)word_of(a, state));
	ring_store(&a->q.sq[prng(state) % ENTRIES].phase,
		   ring_phase(prng(state) % (4 * ENTRIES), ENTRIES));
}

static void *scribbler(void *arg)
{
	struct arena *a = arg;
	uint32_t state = 51;
	int i;

	while (!__atomic_load_n(&a->over, __ATOMIC_RELAXED)) {
		pthread_rwlock_rdlock(&a->lock);
		for (i = 0; i < 1000; i++)
			scribble(a, &state);
		if (a->lawless)
			scribble_indices(a, &state);
		pthread_rwlock_unlock(&a->lock);
	}
	return NULL;
}

static struct doca_sqe plausible(struct arena *a, const struct buf *b, uint32_t *state)
{
	uint32_t n = prng(state) % 20000 + 1, half = b->length / 2;
	struct doca_seg src = seg_of(b, prng(state) % 1000, n);
	struct doca_seg dst = seg_of(b, half + prng(state) % 1000, n);
	uint16_t flags = prng(state) % 4;
	uint32_t i;

	for (i = 0; i < ENTRIES / 2; i++) {
		a->q.segs[i] = src;
		a->q.segs[ENTRIES / 2 + i] = dst;
	}
	if (flags & DOCA_SQE_SRC_LIST)
		src = seg_list(0, ENTRIES / 2);
	if (flags & DOCA_SQE_DST_LIST)
		dst = seg_list(ENTRIES / 2, ENTRIES / 2);
	return sqe_copy_list(dst, src, flags);
}

struct tally {
	unsigned long seen, good, queues;
};

/*
 * Submit good entries and take whatever comes back: all of them, unless it is lawless; then
 * others write the indices as well.
 */
static int submit_and_take(FIXTURE_DATA(hostile) *self, struct tally *t)
{
	uint32_t state = 53, round, looks, i;
	struct arena *a = &self->arena;
	struct doca_cqe cqe;
	int err = 0;

	for (round = 0; !err && round < rounds(ROUNDS); round++) {
		for (i = 0; i < ENTRIES / 2; i++)
			queue_push(&a->q, plausible(a, &self->buf, &state));
		queue_publish(&a->q);
		for (i = looks = 0; i < ENTRIES / 2 && !(a->lawless && looks > 50);) {
			if (queue_reap(&a->q, &cqe)) {
				t->good += cqe.status == DOCA_STATUS_SUCCESS;
				i++;
			} else {
				looks++;
				sched_yield();
			}
		}
		t->seen += i;
		if (a->q.kernel->state != DOCA_QUEUE_RUN || a->lawless) {
			t->queues++;
			err = queue_replace(a, &self->d, self->worker);
		}
	}
	return err;
}

static void attack(struct __test_metadata *_metadata, FIXTURE_DATA(hostile) *self, struct tally *t)
{
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, scribbler, &self->arena));
	EXPECT_EQ(0, submit_and_take(self, t));
	self->arena.over = true;
	pthread_join(thread, NULL);
	EXPECT_LT(0, t->queues);
	TH_LOG("%lu answered, %lu good, %lu queues", t->seen, t->good, t->queues);
}

/* With lawful indices every entry is answered, whatever has become of it */
TEST_F(hostile, entries_and_segments)
{
	struct tally t = {};

	attack(_metadata, self, &t);
	EXPECT_LT(0, t.seen);
	EXPECT_LT(0, t.good);
}

TEST_F(hostile, indices)
{
	struct tally t = {};

	self->arena.lawless = true;
	ASSERT_EQ(0, queue_replace(&self->arena, &self->d, self->worker));
	attack(_metadata, self, &t);
}

struct puller {
	struct doca *d;
	struct buf *b;
	uint32_t good; /* copies with any key */
	bool over;
	int err;
};

static bool is_over(const struct puller *p)
{
	return __atomic_load_n(&p->over, __ATOMIC_RELAXED);
}

/* Register and map, and pull it away again in the middle of a copy that uses it */
static void *puller(void *arg)
{
	struct puller *p = arg;
	uint32_t mem, key, turn, good;

	for (turn = 0; !p->err && !is_over(p); turn++) {
		p->err = mem_reg(p->d->fd, p->b->addr, p->b->length, ACCESS_LOCAL, &mem) ?:
			 mem_map(p->d->fd, mem, p->d->device, ACCESS_LOCAL, &key);
		if (p->err)
			break;
		ring_store(&p->b->key, key);
		/* A thread that has slept continues in the middle of others' work. */
		good = ring_load(&p->good);
		do {
			pause_us(100);
		} while (ring_load(&p->good) == good && !is_over(p));
		p->err = (turn % 2 ? mem_unmap(p->d->fd, key) : 0) ?: mem_dereg(p->d->fd, mem);
	}
	return NULL;
}

TEST_F(hostile, keys_pulled_away)
{
	struct buf live = self->buf;
	struct puller p = { .d = &self->d, .b = &live };
	struct arena *a = &self->arena;
	uint32_t pulled = 0;
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, puller, &p));
	while (pulled < rounds(PULLS)) {
		uint32_t key = ring_load(&live.key);
		int status = queue_status(&a->q, sqe_copy(
			seg_at(key, live.addr, LENGTH / 4),
			seg_at(key, live.addr + LENGTH / 2, LENGTH / 4)));

		ASSERT_LE(0, status);
		if (status == DOCA_STATUS_SUCCESS) {
			ring_store(&p.good, p.good + 1);
			continue;
		}
		ASSERT_EQ(DOCA_STATUS_BAD_KEY, status);
		pulled++;
		ASSERT_EQ(0, queue_replace(a, &self->d, self->worker));
	}
	__atomic_store_n(&p.over, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	EXPECT_EQ(0, p.err);
	TH_LOG("%u good, %u pulled away", p.good, pulled);
}

struct closer {
	const struct queue *q;
	int fd;
};

static void *close_under_load(void *arg)
{
	struct closer *c = arg;

	WAIT_UNTIL(ring_load(&c->q->kernel->cq_tail) > 1000);
	close(c->fd);
	return NULL;
}

/* The file goes while entries are executed and mappings are read */
TEST_F(hostile, closed_under_load)
{
	struct arena *a = &self->arena;
	struct closer c = { &a->q, self->d.fd };
	uint32_t state = 54;
	struct doca_cqe cqe;
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, close_under_load, &c));
	while (!ring_load(&a->q.kernel->dead)) {
		while (a->q.tail - a->q.head < ENTRIES)
			queue_push(&a->q, plausible(a, &self->buf, &state));
		queue_publish(&a->q);
		while (queue_reap(&a->q, &cqe))
			;
	}
	pthread_join(thread, NULL);
	self->d.fd = -1;
}

TEST_HARNESS_MAIN
