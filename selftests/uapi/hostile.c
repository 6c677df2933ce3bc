// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A hostile process: threads write whatever they like, whenever they like, into
 * all that is mapped writable, and pull keys and memory away, while entries are
 * executed. It may hurt itself; nothing may hang, no byte outside of what it has
 * registered may change, and the kernel must not complain (the runner reads its
 * log).
 */
#include <pthread.h>

#include "doca_ring.h"
#include "kselftest_harness.h"

#define LENGTH (64 * PAGE)
#define MARGIN 100 /* of the first and last page, not registered */
#define CANARY 0xc5
#define ENTRIES 64
#define RUN_NS 2000000000ULL

/* What a scribbler writes to, and out of which words */
struct arena {
	struct queue q;
	uint64_t words[24];
	pthread_rwlock_t lock; /* the queue is replaced under it */
	bool over;
};

FIXTURE(hostile) {
	struct doca d;
	uint32_t worker;
	struct buf buf;
	struct arena arena;
};

FIXTURE_VARIANT(hostile) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(hostile, enter) {};
FIXTURE_VARIANT_ADD(hostile, worker) { .mode = { true, 50 } };

static void choose_words(struct arena *a, const struct buf *b)
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
	};

	_Static_assert(sizeof(words) == sizeof(a->words), "all are chosen");
	memcpy(a->words, words, sizeof(words));
}

FIXTURE_SETUP(hostile)
{
	struct buf *b = &self->buf;

	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	b->addr = pages_alloc(LENGTH);
	ASSERT_NE(NULL, b->addr);
	memset(b->addr, CANARY, LENGTH);
	b->addr += MARGIN;
	b->length = LENGTH - 2 * MARGIN;
	ASSERT_EQ(0, mem_reg(self->d.fd, b->addr, b->length, ACCESS_LOCAL,
			     &b->mem));
	ASSERT_EQ(0, mem_map(self->d.fd, b->mem, self->d.device, ACCESS_LOCAL,
			     &b->key));
	memset(b->addr, 0, b->length);
	ASSERT_EQ(0, queue_open(&self->arena.q, &self->d, self->worker, ENTRIES,
				ENTRIES));
	ASSERT_EQ(0, pthread_rwlock_init(&self->arena.lock, NULL));
	choose_words(&self->arena, b);
}

FIXTURE_TEARDOWN(hostile)
{
	size_t i;

	queue_close(&self->arena.q);
	for (i = 0; i < MARGIN; i++) {
		EXPECT_EQ(CANARY, self->buf.addr[-1L - i]);
		EXPECT_EQ(CANARY, self->buf.addr[self->buf.length + i]);
	}
	DOCA_CLOSE(&self->d);
}

static uint64_t word_of(struct arena *a, uint32_t *state)
{
	uint64_t word = a->words[prng(state) % ARRAY_SIZE(a->words)];

	if (prng(state) % 16 == 0)
		word ^= 1ULL << prng(state) % 64;
	return word;
}

/* The first word of an entry */
static bool holds_phase(const struct arena *a, uint32_t at)
{
	uint32_t sq = a->q.geo.out_sq_off / 8, end = a->q.geo.out_seg_off / 8;

	return at >= sq && at < end &&
	       (at - sq) % (sizeof(struct doca_sqe) / 8) == 0;
}

/*
 * Entries and segments, at every offset of the area behind its indices. An entry
 * without its phase is none: so phases are spared, unless @lawless.
 */
static void scribble(struct arena *a, uint32_t *state, bool lawless)
{
	uint64_t *area = (void *)a->q.user;
	uint32_t first = sizeof(*a->q.user) / 8;
	uint32_t words = a->q.geo.out_user_size / 8;
	uint32_t at = first + prng(state) % (words - first);

	if (!lawless && holds_phase(a, at))
		__atomic_store_n((uint32_t *)&area[at],
				 (uint32_t)word_of(a, state), __ATOMIC_RELAXED);
	else
		__atomic_store_n(&area[at], word_of(a, state),
				 __ATOMIC_RELAXED);
}

static void *scribbler(void *arg)
{
	struct arena *a = arg;
	uint32_t state = 51;

	while (!__atomic_load_n(&a->over, __ATOMIC_RELAXED)) {
		pthread_rwlock_rdlock(&a->lock);
		for (int i = 0; i < 1000; i++)
			scribble(a, &state, false);
		pthread_rwlock_unlock(&a->lock);
	}
	return NULL;
}

static void *index_scribbler(void *arg)
{
	struct arena *a = arg;
	uint32_t state = 52;

	while (!__atomic_load_n(&a->over, __ATOMIC_RELAXED)) {
		pthread_rwlock_rdlock(&a->lock);
		for (int i = 0; i < 1000; i++)
			scribble(a, &state, true);
		ring_store(&a->q.user->notify_at, prng(&state));
		ring_store(&a->q.user->cq_head, (uint32_t)word_of(a, &state));
		ring_store(&a->q.sq[prng(&state) % ENTRIES].phase,
			   ring_phase(prng(&state) % (4 * ENTRIES), ENTRIES));
		pthread_rwlock_unlock(&a->lock);
	}
	return NULL;
}

static int replace_queue(struct arena *a, const struct doca *d, uint32_t worker)
{
	int err;

	pthread_rwlock_wrlock(&a->lock);
	queue_close(&a->q);
	err = queue_open(&a->q, d, worker, ENTRIES, ENTRIES);
	pthread_rwlock_unlock(&a->lock);
	return err;
}

static struct doca_sqe plausible(struct arena *a, const struct buf *b,
				 uint32_t *state)
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
 * Submit good entries and take whatever comes back until the time is over. The
 * indices are this thread's, unless @lawless.
 */
static int submit_for_a_while(struct arena *a, const struct doca *d,
			      uint32_t worker, const struct buf *b,
			      bool lawless, struct tally *t)
{
	uint64_t end = now_ns() + RUN_NS, until;
	uint32_t state = 53, i;
	struct doca_cqe cqe;

	while (now_ns() < end) {
		for (i = 0; i < ENTRIES / 2; i++)
			queue_push(&a->q, plausible(a, b, &state));
		queue_publish(&a->q);
		until = now_ns() + (lawless ? 1000000 : WAIT_NS);
		for (i = 0; i < ENTRIES / 2 && now_ns() < until;) {
			if (queue_reap(&a->q, &cqe)) {
				t->good += cqe.status == DOCA_STATUS_SUCCESS;
				i++;
			} else {
				sched_yield();
			}
		}
		t->seen += i;
		if (i < ENTRIES / 2 && !lawless)
			return -ETIMEDOUT;
		if (a->q.kernel->state != DOCA_QUEUE_RUN || lawless) {
			t->queues++;
			if (replace_queue(a, d, worker))
				return -errno;
		}
	}
	return 0;
}

/* With lawful indices every entry is answered, whatever it has turned into */
TEST_F(hostile, entries_and_segments)
{
	struct tally t = {};
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, scribbler, &self->arena));
	EXPECT_EQ(0, submit_for_a_while(&self->arena, &self->d, self->worker,
					&self->buf, false, &t));
	self->arena.over = true;
	pthread_join(thread, NULL);
	EXPECT_LT(0, t.seen);
	EXPECT_LT(0, t.good);
	EXPECT_LT(0, t.queues);
	TH_LOG("%lu answered, %lu good, %lu queues", t.seen, t.good, t.queues);
}

TEST_F(hostile, indices)
{
	struct tally t = {};
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, index_scribbler,
				    &self->arena));
	EXPECT_EQ(0, submit_for_a_while(&self->arena, &self->d, self->worker,
					&self->buf, true, &t));
	self->arena.over = true;
	pthread_join(thread, NULL);
	EXPECT_LT(0, t.queues);
	TH_LOG("%lu answered, %lu good, %lu queues", t.seen, t.good, t.queues);
}

struct puller {
	struct doca *d;
	struct buf *b;
	bool over;
	int err;
};

/* Registers, maps, and pulls it away again under the queue that uses it */
static void *puller(void *arg)
{
	struct puller *p = arg;
	uint32_t mem, key, turn = 0;

	while (!p->err && !__atomic_load_n(&p->over, __ATOMIC_RELAXED)) {
		p->err = mem_reg(p->d->fd, p->b->addr, p->b->length,
				 ACCESS_LOCAL, &mem);
		if (!p->err)
			p->err = mem_map(p->d->fd, mem, p->d->device,
					 ACCESS_LOCAL, &key);
		if (p->err)
			break;
		ring_store(&p->b->key, key);
		pause_us(200);
		if (turn++ % 2)
			p->err = mem_unmap(p->d->fd, key);
		if (!p->err)
			p->err = mem_dereg(p->d->fd, mem);
	}
	return NULL;
}

TEST_F(hostile, keys_pulled_away)
{
	struct buf live = self->buf;
	struct puller p = { .d = &self->d, .b = &live };
	unsigned long good = 0, pulled = 0;
	uint64_t end = now_ns() + RUN_NS;
	struct arena *a = &self->arena;
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, puller, &p));
	while (now_ns() < end) {
		uint32_t key = ring_load(&live.key);
		int status = queue_status(&a->q, sqe_copy(
			seg_at(key, live.addr, LENGTH / 4),
			seg_at(key, live.addr + LENGTH / 2, LENGTH / 4)));

		ASSERT_LE(0, status);
		if (status == DOCA_STATUS_SUCCESS) {
			good++;
			continue;
		}
		ASSERT_EQ(DOCA_STATUS_BAD_KEY, status);
		pulled++;
		ASSERT_EQ(0, replace_queue(a, &self->d, self->worker));
	}
	p.over = true;
	pthread_join(thread, NULL);
	EXPECT_EQ(0, p.err);
	EXPECT_LT(0, good);
	EXPECT_LT(0, pulled);
	TH_LOG("%lu good, %lu pulled away", good, pulled);
}

static void *closer(void *fd)
{
	pause_us(30000);
	close(*(int *)fd);
	return NULL;
}

/* The file goes while entries are executed and mappings are looked at */
TEST_F(hostile, closed_under_load)
{
	uint64_t end = now_ns() + WAIT_NS;
	struct arena *a = &self->arena;
	uint32_t state = 54;
	struct doca_cqe cqe;
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, closer, &self->d.fd));
	while (!ring_load(&a->q.kernel->dead) && now_ns() < end) {
		while (a->q.tail - a->q.head < ENTRIES)
			queue_push(&a->q, plausible(a, &self->buf, &state));
		queue_publish(&a->q);
		while (queue_reap(&a->q, &cqe))
			;
	}
	pthread_join(thread, NULL);
	EXPECT_NE(0, a->q.kernel->dead);
	self->d.fd = -1;
}

TEST_HARNESS_MAIN
