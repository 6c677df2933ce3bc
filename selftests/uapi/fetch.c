// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Words change between two good values while the kernel reads them. It reads each of them
 * once: so a copy follows one of the two, from its length to its last byte, and never a
 * mixture.
 */
#include <pthread.h>

#include "doca_ring.h"
#include "kselftest_harness.h"

#define SHORT 8U
#define LONG 200U
#define TAIL 16U
#define AT_TAIL 512
#define AT_DST 1024

/* A segment whose length changes between two values */
struct flicker {
	struct doca_seg *seg;
	uint32_t lengths[2];
	bool over;
};

FIXTURE(fetch) {
	struct doca d;
	uint32_t worker;
	struct buf buf;
	struct queue q;
	struct flicker flicker;
	pthread_t thread;
};

/* With a worker each copy waits for three threads, one of which never sleeps */
FIXTURE_VARIANT(fetch) {
	struct mode mode;
	uint32_t copies;
	uint32_t enough; /* least copies of each length: each thread had a CPU */
};

FIXTURE_VARIANT_ADD(fetch, enter) { .copies = 20000, .enough = 1000 };
FIXTURE_VARIANT_ADD(fetch, worker) { .mode = { true, 50 }, .copies = 500, .enough = 25 };

FIXTURE_SETUP(fetch)
{
	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, PAGE, ACCESS_LOCAL));
	memset(self->buf.addr, 'a', LONG);
	memset(self->buf.addr + AT_TAIL, 'b', TAIL);
	/* One entry, which is always at the same place */
	ASSERT_EQ(0, queue_open(&self->q, &self->d, self->worker, 1, 2));
	self->flicker = (struct flicker){ .lengths = { SHORT, LONG } };
}

FIXTURE_TEARDOWN(fetch)
{
	queue_close(&self->q);
	DOCA_CLOSE(&self->d);
}

static void *flicker(void *arg)
{
	struct flicker *f = arg;
	unsigned int turn = 0;

	while (!__atomic_load_n(&f->over, __ATOMIC_RELAXED))
		__atomic_store_n(&f->seg->length, f->lengths[turn++ % 2], __ATOMIC_RELAXED);
	return NULL;
}

/* Return true if @first bytes are of one kind, @tail of the other, and no more */
static bool as_copied(const uint8_t *dst, uint32_t first, uint32_t tail)
{
	uint32_t i;

	for (i = 0; i < LONG + TAIL; i++) {
		uint8_t byte = i < first ? 'a' : i < first + tail ? 'b' : 0;

		if (dst[i] != byte)
			return false;
	}
	return true;
}

/* Submit the entry again, as it is now */
static int copy_again(struct queue *q, struct doca_cqe *cqe)
{
	int err;

	q->tail++;
	err = queue_publish(q);
	return err ? err : queue_wait(q, cqe);
}

/* Copy to AT_DST, over and over; @tail bytes come from a segment that is steady */
static void copy_on_and_on(struct __test_metadata *_metadata, FIXTURE_DATA(fetch) *self,
			   const FIXTURE_VARIANT(fetch) *variant, struct doca_sqe sqe,
			   uint32_t tail)
{
	unsigned long seen[2] = {};
	struct doca_cqe cqe = {};
	uint32_t i;

	sqe.phase = 0;
	self->q.sq[0] = sqe;
	ASSERT_EQ(0, pthread_create(&self->thread, NULL, flicker, &self->flicker));
	for (i = 0; _metadata->passed && (i < rounds(variant->copies) ||
					  seen[0] < variant->enough || seen[1] < variant->enough);
	     i++) {
		memset(self->buf.addr + AT_DST, 0, LONG + TAIL);
		EXPECT_EQ(0, copy_again(&self->q, &cqe));
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		EXPECT_TRUE(cqe.length == SHORT + tail || cqe.length == LONG + tail);
		EXPECT_TRUE(as_copied(self->buf.addr + AT_DST, cqe.length - tail, tail));
		seen[cqe.length == LONG + tail]++;
	}
	__atomic_store_n(&self->flicker.over, true, __ATOMIC_RELAXED);
	pthread_join(self->thread, NULL);
	TH_LOG("%lu short, %lu long", seen[0], seen[1]);
}

TEST_F(fetch, entry_length)
{
	self->flicker.seg = &self->q.sq[0].src;
	copy_on_and_on(_metadata, self, variant,
		       sqe_copy(seg_of(&self->buf, AT_DST, LONG),
				seg_of(&self->buf, 0, LONG)), 0);
}

TEST_F(fetch, segment_length)
{
	self->q.segs[0] = seg_of(&self->buf, 0, SHORT);
	self->q.segs[1] = seg_of(&self->buf, AT_TAIL, TAIL);
	self->flicker.seg = &self->q.segs[0];
	copy_on_and_on(_metadata, self, variant,
		       sqe_copy_list(seg_of(&self->buf, AT_DST, LONG + TAIL),
				     seg_list(0, 2), DOCA_SQE_SRC_LIST),
		       TAIL);
}

TEST_HARNESS_MAIN
