// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * GCM_ENCRYPT and GCM_DECRYPT by the kernel's ciphers, with memory of the driver and of programs
 * in their scatterlists. process/tests/test_gcm.c has what does not depend on a cipher.
 */
#include <stdlib.h>

#include "../lib/rounds.h"
#include "cut.h"
#include "gcm.h"
#include "kselftest_harness.h"

#define LENGTH (2UL << 20) /* the longest message, without its tag */
#define MAX_AAD 65536
#define ROOM (LENGTH + PAGE)

FIXTURE(gcm)
{
	struct doca d;
	struct queue q;
	struct buf buf; /* sources; results are in its second half */
	uint32_t worker;
	uint8_t *out;
	struct message m;
};

FIXTURE_VARIANT(gcm)
{
	struct mode mode;
};

FIXTURE_VARIANT_ADD(gcm, enter){};
FIXTURE_VARIANT_ADD(gcm, worker){ .mode = { true, 50 } };

static struct doca_queue_create queue_for(uint32_t worker)
{
	return (struct doca_queue_create){
		.worker_id = worker,
		.sq_entries = 8,
		.cq_entries = 8,
		.nr_segments = 2 * SEGMENTS,
		.opcodes = 1 << DOCA_OP_NOP | 1 << DOCA_OP_GCM_ENCRYPT | 1 << DOCA_OP_GCM_DECRYPT,
	};
}

FIXTURE_SETUP(gcm)
{
	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, 2 * ROOM, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_create(&self->q, &self->d, queue_for(self->worker)));
	self->out = self->buf.addr + ROOM;
	self->m = (struct message){
		.aad = malloc(MAX_AAD),
		.plain = malloc(LENGTH),
		.cipher = malloc(LENGTH),
	};
	ASSERT_TRUE(self->m.aad && self->m.plain && self->m.cipher);
}

FIXTURE_TEARDOWN(gcm)
{
	free(self->m.aad);
	free(self->m.plain);
	free(self->m.cipher);
	queue_close(&self->q);
	munmap(self->buf.addr, 2 * ROOM);
	DOCA_CLOSE(&self->d);
}

static bool is_zero(const uint8_t *at, uint32_t length)
{
	while (length && !at[length - 1])
		length--;
	return !length;
}

/* Fill in a message of these lengths, and have it sealed */
static bool message_make(struct message *m, uint32_t aad_length, uint32_t length, uint32_t *seed)
{
	m->key_length = prng(seed) % 2 ? 16 : 32;
	m->tag_length = prng(seed) % 2 ? 12 : 16;
	m->aad_length = aad_length;
	m->length = length;
	fill_random(m->key, sizeof(m->key), prng(seed));
	fill_random(m->iv, sizeof(m->iv), prng(seed));
	fill_random(m->aad, aad_length, prng(seed));
	fill_random(m->plain, length, prng(seed));
	return message_seal(m);
}

/* Write the message to the source, and make an entry for it */
static struct doca_sqe entry(const struct buf *buf, const struct message *m, bool seals,
			     uint32_t object)
{
	message_write(buf->addr, m, !seals);
	memset(buf->addr + ROOM, 0x5a, message_size(m, seals) + 1);
	return sqe_message(m, seals ? DOCA_OP_GCM_ENCRYPT : DOCA_OP_GCM_DECRYPT, object, buf->key,
			   buf->addr, buf->addr + ROOM);
}

/* In both directions the message is that of libcrypto, in one piece, in many and in place */
#define EXPECT_BOTH_WAYS(seed)                                                                 \
	do {                                                                                   \
		const struct message *m_ = &self->m;                                           \
		uint32_t object_, seals_, form_;                                               \
                                                                                               \
		ASSERT_EQ(0, key_create(self->d.fd, self->d.device, m_->key, m_->key_length,   \
					&object_));                                            \
		for (seals_ = 0; seals_ < 2; seals_++)                                         \
			for (form_ = 0; form_ < 3; form_++) {                                  \
				struct doca_sqe sqe_ = entry(&self->buf, m_, seals_, object_); \
				uint8_t *out_ = form_ == 2 ? self->buf.addr : self->out;       \
                                                                                               \
				sqe_.dst.address = (uintptr_t)out_;                            \
				if (form_ == 1)                                                \
					sqe_ = in_pieces(&self->q, &self->buf, sqe_, seed);    \
				ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, sqe_));  \
				ASSERT_TRUE(message_is(out_, m_, seals_));                     \
				ASSERT_EQ(0x5a, self->out[message_size(m_, seals_)]);          \
			}                                                                      \
		ASSERT_EQ(0, object_destroy(self->d.fd, DOCA_OBJECT_GCM_KEY, object_));        \
	} while (0)

/* Some of them: a machine may be emulated, and process/tests/test_gcm.c tries all */
#define EACH 8

TEST_F(gcm, known_answers_of_cavp)
{
	struct vectors v = { .m = self->m };
	uint32_t i, nr, object, size;
	struct doca_sqe sqe;
	bool seals;

	for (i = 0; i < sizeof(gcm_vectors) / sizeof(gcm_vectors[0]); i++) {
		seals = i < 2;
		v.file = fopen(gcm_vectors[i], "r");
		if (!v.file)
			SKIP(return, "no vectors: install python3-cryptography-vectors");
		for (nr = 0; vectors_next(&v); nr++) {
			if (nr % EACH)
				continue;
			ASSERT_EQ(0, key_create(self->d.fd, self->d.device, v.m.key, v.m.key_length,
						&object));
			sqe = entry(&self->buf, &v.m, seals, object);
			ASSERT_EQ(v.fails ? DOCA_STATUS_TAG : DOCA_STATUS_SUCCESS,
				  queue_status(&self->q, sqe));
			size = message_size(&v.m, false);
			ASSERT_TRUE(v.fails ? is_zero(self->out, size) :
					      message_is(self->out, &v.m, seals));
			ASSERT_EQ(0, object_destroy(self->d.fd, DOCA_OBJECT_GCM_KEY, object));
		}
		EXPECT_LT(700, nr);
		fclose(v.file);
	}
}

TEST_F(gcm, the_same_however_it_is_cut)
{
	static const uint32_t aads[] = { 0, 1, 12, 20, 4095, 4096, 4097, 9000, MAX_AAD };
	uint32_t seed = 7, round, length;

	for (round = 0; round < cuts_at_night(18); round++) {
		length = prng(&seed) % (round % 8 ? 9000 : 200000);
		ASSERT_TRUE(message_make(&self->m, aads[round % 9], length, &seed));
		EXPECT_BOTH_WAYS(&seed);
	}
}

/* The cipher gets as many pieces as there can be */
TEST_F(gcm, the_longest_messages)
{
	static const uint32_t aads[] = { 12, MAX_AAD };
	uint32_t seed = 3, i;

	for (i = 0; i < 2; i++) {
		ASSERT_TRUE(message_make(&self->m, aads[i], LENGTH - aads[i], &seed));
		EXPECT_BOTH_WAYS(&seed);
	}
}

/* And the next one is: a wrong tag does not stop the queue */
TEST_F(gcm, a_message_that_is_not_authentic_leaves_zeros)
{
	static const uint32_t lengths[] = { 0, 1, 100, 5000, 100000 };
	uint32_t seed = 5, round, object, whole;
	struct doca_sqe sqe;

	for (round = 0; round < rounds(20); round++) {
		ASSERT_TRUE(
			message_make(&self->m, 1 + prng(&seed) % 5000, lengths[round % 5], &seed));
		ASSERT_EQ(0, key_create(self->d.fd, self->d.device, self->m.key, self->m.key_length,
					&object));
		sqe = entry(&self->buf, &self->m, false, object);
		whole = message_size(&self->m, true);
		self->buf.addr[prng(&seed) % whole] ^= 1 << prng(&seed) % 8;
		ASSERT_EQ(DOCA_STATUS_TAG,
			  queue_status(&self->q, in_pieces(&self->q, &self->buf, sqe, &seed)));
		EXPECT_TRUE(is_zero(self->out, message_size(&self->m, false)));
		EXPECT_EQ(0x5a, self->out[message_size(&self->m, false)]);
		ASSERT_EQ(DOCA_STATUS_SUCCESS,
			  queue_status(&self->q, entry(&self->buf, &self->m, false, object)));
		EXPECT_TRUE(message_is(self->out, &self->m, false));
		ASSERT_EQ(0, object_destroy(self->d.fd, DOCA_OBJECT_GCM_KEY, object));
	}
}

/* Each queue has memory for one message */
TEST_F(gcm, queues_do_not_share_anything)
{
	uint32_t seed = 11, object, i;
	struct queue q[8];
	struct doca_cqe cqe;

	ASSERT_TRUE(message_make(&self->m, 5000, 100000, &seed));
	ASSERT_EQ(0,
		  key_create(self->d.fd, self->d.device, self->m.key, self->m.key_length, &object));
	for (i = 0; i < 8; i++)
		ASSERT_EQ(0, queue_create(&q[i], &self->d, queue_for(self->worker)));
	for (i = 0; i < 8; i++)
		queue_push(&q[i], entry(&self->buf, &self->m, false, object));
	for (i = 0; i < 8; i++)
		ASSERT_EQ(0, queue_publish(&q[i]));
	for (i = 0; i < 8; i++) {
		ASSERT_EQ(0, queue_wait(&q[i], &cqe));
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		queue_close(&q[i]);
	}
	EXPECT_TRUE(message_is(self->out, &self->m, false));
	/* Its queues have held it */
	ASSERT_EQ(0, object_destroy(self->d.fd, DOCA_OBJECT_GCM_KEY, object));
	EXPECT_EQ(DOCA_STATUS_BAD_OBJECT,
		  queue_status(&self->q, entry(&self->buf, &self->m, false, object)));
}

TEST_F(gcm, what_the_device_says)
{
	struct doca_device_query query;
	uint32_t i;

	for (i = DOCA_OP_GCM_ENCRYPT; i <= DOCA_OP_GCM_DECRYPT; i++) {
		query = (struct doca_device_query){
			.size = sizeof(query),
			.device_id = self->d.device,
			.opcode = i,
		};
		ASSERT_EQ(0, doca_call(self->d.fd, DOCA_DEVICE_QUERY, &query));
		EXPECT_EQ(DOCA_OP_EXECUTED | DOCA_OP_SLICED, query.out_flags);
		EXPECT_EQ(1 << 1 | 1 << 2 | 1 << 12 | 1 << 16, query.out_variants);
		EXPECT_EQ(SEGMENTS, query.out_max_segments);
		EXPECT_LT(MAX_AAD, query.out_workspace);
	}
}

TEST_HARNESS_MAIN
