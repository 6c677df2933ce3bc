// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* HASH: digests are right however the data is cut, and sessions are kept apart. */
#include <pthread.h>

#include "cut.h"
#include "hash.h"
#include "../lib/rounds.h"
#include "kselftest_harness.h"

#define LENGTH (2UL << 20)
#define SESSIONS 3

FIXTURE(hash)
{
	struct doca d;
	struct queue q;
	struct buf buf; /* sources; digests are in its last page */
	uint32_t worker;
	uint8_t *out;
	struct doca_seg dst;
};

FIXTURE_VARIANT(hash)
{
	struct mode mode;
};

FIXTURE_VARIANT_ADD(hash, enter){};
FIXTURE_VARIANT_ADD(hash, worker){ .mode = { true, 50 } };

static struct doca_queue_create queue_for(uint32_t worker)
{
	return (struct doca_queue_create){
		.worker_id = worker,
		.sq_entries = 8,
		.cq_entries = 8,
		.nr_segments = 2 * SEGMENTS,
		.opcodes = 1 << DOCA_OP_NOP | 1 << DOCA_OP_HASH,
		.nr_sessions = SESSIONS,
	};
}

FIXTURE_SETUP(hash)
{
	DOCA_OPEN(&self->d);
	MODE_WORKER(&self->d, &variant->mode, &self->worker);
	ASSERT_EQ(0, buf_make(&self->d, &self->buf, LENGTH + PAGE, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_create(&self->q, &self->d, queue_for(self->worker)));
	self->out = self->buf.addr + LENGTH;
	self->dst = seg_of(&self->buf, LENGTH, DIGEST_MAX);
	fill_random(self->buf.addr, LENGTH, 1);
}

FIXTURE_TEARDOWN(hash)
{
	queue_close(&self->q);
	munmap(self->buf.addr, LENGTH + PAGE);
	DOCA_CLOSE(&self->d);
}

/* A queue lasts for one error */
#define REOPEN()                                                                         \
	do {                                                                             \
		queue_close(&self->q);                                                   \
		ASSERT_EQ(0, queue_create(&self->q, &self->d, queue_for(self->worker))); \
	} while (0)

/* Hash one piece at the beginning of the buffer; negative if its completion is wrong */
static int hash_piece(struct queue *q, const struct buf *buf, const struct hash *hash,
		      uint32_t length, uint8_t *digest)
{
	struct doca_seg dst = seg_of(buf, LENGTH, hash->digest);
	struct doca_cqe cqe;
	int err;

	err = queue_do(q, sqe_hash(hash, WHOLE, 0, seg_of(buf, 0, length), dst), &cqe);
	if (err || cqe.status)
		return err ? err : (int)cqe.status;
	if (cqe.length != hash->digest || cqe.result[0] || cqe.result[1] != length)
		return -EILSEQ;
	memcpy(digest, buf->addr + LENGTH, hash->digest);
	return 0;
}

TEST_F(hash, known_answers)
{
	uint8_t digest[DIGEST_MAX];
	size_t i, k, times, length;

	for (i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		length = strlen(examples[i].text);
		for (times = 0; times < examples[i].times; times++)
			memcpy(self->buf.addr + times * length, examples[i].text, length);
		for (k = 0; k < NR_HASHES; k++) {
			ASSERT_EQ(0, hash_piece(&self->q, &self->buf, &hashes[k], times * length,
						digest));
			EXPECT_TRUE(digest_is(&hashes[k], digest, examples[i].digests[k]));
		}
	}
}

/* Return how many vectors of a file are right; negative if one is not */
static int try_vectors(struct queue *q, const struct buf *buf, const struct hash *hash, FILE *file)
{
	static char line[256 * 1024];
	unsigned int bits, length = 0;
	uint8_t digest[DIGEST_MAX];
	int right = 0;

	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Len = %u", &bits) == 1)
			length = bits / 8;
		if (!strncmp(line, "Msg = ", 6))
			from_hex(buf->addr, LENGTH, line + 6);
		if (strncmp(line, "MD = ", 5))
			continue;
		if (hash_piece(q, buf, hash, length, digest) || !digest_is(hash, digest, line + 5))
			return -EBADMSG;
		right++;
	}
	return right;
}

TEST_F(hash, known_answers_of_cavp)
{
	char path[256];
	FILE *file;
	size_t i;

	for (i = 0; i < 2 * NR_HASHES; i++) {
		snprintf(path, sizeof(path), VECTORS "%s", hashes[i / 2].vectors[i % 2]);
		file = fopen(path, "r");
		if (!file)
			SKIP(return, "no vectors: install python3-cryptography-vectors");
		EXPECT_LT(60, try_vectors(&self->q, &self->buf, &hashes[i / 2], file));
		fclose(file);
	}
}

/* Have the tool say the digest of the first bytes; false if there is no such tool */
static bool ask_tool(const struct hash *hash, const uint8_t *data, size_t length, char *text)
{
	int fd = memfd_create("data", 0);
	char command[128];
	bool there;
	FILE *tool;

	if (fd < 0 || write(fd, data, length) != length)
		return false;
	snprintf(command, sizeof(command), "%s /proc/%d/fd/%d 2>/dev/null", hash->tool, getpid(),
		 fd);
	tool = popen(command, "r");
	there = tool && fscanf(tool, "%128s", text) == 1;
	if (tool)
		pclose(tool);
	close(fd);
	return there;
}

TEST_F(hash, as_other_programs_say)
{
	const size_t length = LENGTH - 17;
	uint8_t digest[DIGEST_MAX];
	char text[129];
	size_t i;

	for (i = 0; i < NR_HASHES; i++) {
		if (!ask_tool(&hashes[i], self->buf.addr, length, text))
			SKIP(return, "no %s", hashes[i].tool);
		ASSERT_EQ(0, hash_piece(&self->q, &self->buf, &hashes[i], length, digest));
		EXPECT_TRUE(digest_is(&hashes[i], digest, text));
	}
}

TEST_F(hash, the_same_however_it_is_cut)
{
	uint8_t digest[DIGEST_MAX];
	uint32_t seed = 7, round, length;
	const struct hash *hash;
	struct doca_sqe sqe;
	struct doca_cqe cqe;

	for (round = 0; round < cuts(); round++) {
		hash = &hashes[round % NR_HASHES];
		length = prng(&seed) % (round % 8 ? 9000 : 700000);
		ASSERT_EQ(0, hash_piece(&self->q, &self->buf, hash, length, digest));
		memset(self->out, 0, PAGE);
		sqe = sqe_hash(hash, WHOLE, 0, seg_of(&self->buf, 0, length),
			       seg_of(&self->buf, LENGTH, hash->digest));
		sqe = in_pieces(&self->q, &self->buf, sqe, &seed);
		ASSERT_EQ(0, queue_do(&self->q, sqe, &cqe));
		ASSERT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		ASSERT_EQ(0, memcmp(digest, self->out, hash->digest));
		ASSERT_EQ(0, self->out[hash->digest]);
	}
}

/* A hash in parts, each of some blocks */
struct parts {
	const struct hash *hash;
	uint32_t length, done;
	uint8_t digest[DIGEST_MAX];
	bool begun, ended;
};

static struct doca_sqe next_part(struct parts *p, const struct buf *buf, uint16_t session,
				 uint32_t *seed)
{
	uint32_t left = p->length - p->done;
	uint32_t part = p->hash->block * (1 + prng(seed) % (1 + left / p->hash->block));
	uint16_t flags = p->begun ? 0 : DOCA_SQE_HASH_FIRST;
	struct doca_seg src;

	if (part > left || prng(seed) % 8 == 0) {
		flags |= DOCA_SQE_HASH_LAST;
		part = left;
		p->ended = true;
	}
	src = seg_of(buf, p->done, part);
	p->begun = true;
	p->done += part;
	return sqe_hash(p->hash, flags, flags == WHOLE ? 0 : session, src,
			seg_of(buf, LENGTH, p->hash->digest));
}

/* The parts of several hashes come in any order */
TEST_F(hash, the_same_in_any_parts)
{
	struct parts parts[SESSIONS] = {}, *p;
	struct doca_cqe cqe;
	uint32_t seed = 3, round, i;

	for (round = 0; round < 3 * cuts(); round++) {
		i = prng(&seed) % SESSIONS;
		p = &parts[i];
		if (!p->hash || p->ended) {
			*p = (struct parts){ .hash = &hashes[prng(&seed) % NR_HASHES],
					     .length = prng(&seed) % 100000 };
			ASSERT_EQ(0,
				  hash_piece(&self->q, &self->buf, p->hash, p->length, p->digest));
		}
		memset(self->out, 0, PAGE);
		ASSERT_EQ(0, queue_do(&self->q, next_part(p, &self->buf, i + 1, &seed), &cqe));
		ASSERT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		ASSERT_EQ(p->ended ? p->hash->digest : 0, cqe.length);
		if (p->ended) {
			ASSERT_EQ(0, memcmp(p->digest, self->out, p->hash->digest));
		} else {
			ASSERT_EQ(0, self->out[0] | self->out[1]);
		}
	}
}

#define EXPECT_STATUS(expected, sqe)                                                 \
	do {                                                                         \
		EXPECT_EQ(DOCA_STATUS_##expected, queue_status(&self->q, sqe));      \
		EXPECT_EQ(DOCA_STATUS_CANCELED, queue_status(&self->q, sqe_nop(0))); \
		REOPEN();                                                            \
	} while (0)

TEST_F(hash, bad_entry)
{
	const struct doca_sqe good =
		sqe_hash(&hashes[1], WHOLE, 0, seg_of(&self->buf, 0, 100), self->dst);
	struct doca_sqe sqe = good;
	int i;

	for (i = 0; i < sizeof(sqe.hash.zero); i++) {
		sqe = good;
		sqe.hash.zero[i] = 1;
		EXPECT_STATUS(BAD_ENTRY, sqe);
	}
	sqe = good;
	sqe.aux = 1;
	EXPECT_STATUS(BAD_ENTRY, sqe);
	sqe = sqe_hash(&hashes[1], DOCA_SQE_HASH_FIRST, 1, seg_of(&self->buf, 0, 64), self->dst);
	sqe.dst = self->dst;
	EXPECT_STATUS(BAD_ENTRY, sqe);
	sqe.dst = seg_list(0, 1);
	sqe.flags |= DOCA_SQE_DST_LIST;
	EXPECT_STATUS(BAD_ENTRY, sqe);
}

TEST_F(hash, not_supported)
{
	static const uint8_t algorithms[] = { 0, DOCA_HASH_SHA512 + 1, 255 };
	struct doca_sqe sqe = sqe_hash(&hashes[1], WHOLE, 0, seg_of(&self->buf, 0, 100), self->dst);
	int i;

	for (i = 0; i < sizeof(algorithms); i++) {
		sqe.hash.algorithm = algorithms[i];
		EXPECT_STATUS(NOT_SUPPORTED, sqe);
	}
}

TEST_F(hash, bad_length)
{
	struct doca_seg dst = self->dst;
	int i;

	for (i = 0; i < NR_HASHES; i++) {
		const struct hash *hash = &hashes[i];

		dst.length = hash->digest - 1;
		EXPECT_STATUS(BAD_LENGTH, sqe_hash(hash, WHOLE, 0, seg_of(&self->buf, 0, 1), dst));
		EXPECT_STATUS(BAD_LENGTH, sqe_hash(hash, DOCA_SQE_HASH_FIRST, 1,
						   seg_of(&self->buf, 0, 0), dst));
		EXPECT_STATUS(BAD_LENGTH, sqe_hash(hash, DOCA_SQE_HASH_FIRST, 1,
						   seg_of(&self->buf, 0, hash->block - 1), dst));
		EXPECT_STATUS(BAD_LENGTH,
			      sqe_hash(hash, DOCA_SQE_HASH_FIRST, 1,
				       seg_of(&self->buf, 0, hash->block / 2 * 3), dst));
	}
}

/* Segments may overlap, so that little memory makes the longest source */
TEST_F(hash, bad_length_of_the_longest)
{
	const uint32_t nr = (128UL << 20) / LENGTH;
	struct doca_sqe sqe =
		sqe_hash(&hashes[1], WHOLE | DOCA_SQE_SRC_LIST, 0, seg_list(0, nr), self->dst);
	struct doca_cqe cqe;
	uint32_t i;

	ASSERT_EQ(SEGMENTS, nr);
	for (i = 0; i < nr; i++)
		self->q.segs[i] = seg_of(&self->buf, 0, LENGTH);
	if (!variant->mode.worker) {
		ASSERT_EQ(0, queue_do(&self->q, sqe, &cqe));
		EXPECT_EQ(DOCA_STATUS_SUCCESS, cqe.status);
		EXPECT_EQ(128UL << 20, cqe.result[1]);
	}
	self->q.segs[0].length++;
	EXPECT_STATUS(BAD_LENGTH, sqe);
}

TEST_F(hash, bad_session)
{
	struct doca_seg block = seg_of(&self->buf, 0, 128);
	struct doca_sqe first = sqe_hash(&hashes[1], DOCA_SQE_HASH_FIRST, 1, block, self->dst);
	struct doca_sqe last = sqe_hash(&hashes[1], DOCA_SQE_HASH_LAST, 1, block, self->dst);

	/* Not begun, or ended */
	EXPECT_STATUS(BAD_SESSION, last);
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, first));
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, last));
	EXPECT_STATUS(BAD_SESSION, last);
	/* Begun with another algorithm */
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&self->q, first));
	last.hash.algorithm = DOCA_HASH_SHA512;
	EXPECT_STATUS(BAD_SESSION, last);
	/* None, and not one of the queue's */
	first.aux = 0;
	EXPECT_STATUS(BAD_SESSION, first);
	first.aux = SESSIONS + 1;
	EXPECT_STATUS(BAD_SESSION, first);
	first.aux = UINT16_MAX;
	EXPECT_STATUS(BAD_SESSION, first);
}

/* FIRST begins again, whatever there was */
TEST_F(hash, a_session_begins_anew)
{
	struct doca_seg block = seg_of(&self->buf, 0, 128);
	uint8_t digest[DIGEST_MAX];

	ASSERT_EQ(0, hash_piece(&self->q, &self->buf, &hashes[0], 256, digest));
	ASSERT_EQ(DOCA_STATUS_SUCCESS,
		  queue_status(&self->q,
			       sqe_hash(&hashes[2], DOCA_SQE_HASH_FIRST, 1, block, self->dst)));
	ASSERT_EQ(DOCA_STATUS_SUCCESS,
		  queue_status(&self->q,
			       sqe_hash(&hashes[0], DOCA_SQE_HASH_FIRST, 1, block, self->dst)));
	ASSERT_EQ(DOCA_STATUS_SUCCESS,
		  queue_status(&self->q, sqe_hash(&hashes[0], DOCA_SQE_HASH_LAST, 1,
						  seg_of(&self->buf, 128, 128), self->dst)));
	EXPECT_EQ(0, memcmp(digest, self->out, hashes[0].digest));
}

TEST_F(hash, bad_key_range_and_access)
{
	struct doca_sqe good =
		sqe_hash(&hashes[1], WHOLE, 0, seg_of(&self->buf, 0, 100), self->dst);
	struct doca_sqe sqe = good;
	uint32_t key;

	sqe.src.key++;
	EXPECT_STATUS(BAD_KEY, sqe);
	sqe = good;
	sqe.dst.key++;
	EXPECT_STATUS(BAD_KEY, sqe);
	sqe = good;
	sqe.src.address--;
	EXPECT_STATUS(BAD_RANGE, sqe);
	sqe = good;
	sqe.dst.length = PAGE + 1;
	EXPECT_STATUS(BAD_RANGE, sqe);
	ASSERT_EQ(0,
		  mem_map(self->d.fd, self->buf.mem, self->d.device, DOCA_ACCESS_LOCAL_READ, &key));
	sqe = good;
	sqe.dst.key = key;
	EXPECT_STATUS(BAD_ACCESS, sqe);
}

TEST_F(hash, what_the_device_says)
{
	struct doca_device_query query = {
		.size = sizeof(query),
		.device_id = self->d.device,
		.opcode = DOCA_OP_HASH,
	};
	struct doca_queue_create create = queue_for(0);
	struct queue q;

	ASSERT_EQ(0, doca_call(self->d.fd, DOCA_DEVICE_QUERY, &query));
	EXPECT_EQ(DOCA_OP_EXECUTED | DOCA_OP_SLICED, query.out_flags);
	EXPECT_EQ(128UL << 20, query.out_max_src);
	EXPECT_EQ(DIGEST_MAX, query.out_max_dst);
	EXPECT_EQ(SEGMENTS, query.out_max_segments);
	EXPECT_EQ(256 << 10, query.out_step);
	EXPECT_EQ(1, query.out_max_ops);
	EXPECT_EQ(1 << DOCA_HASH_SHA1 | 1 << DOCA_HASH_SHA256 | 1 << DOCA_HASH_SHA512,
		  query.out_variants);
	create.nr_sessions = 4096;
	ASSERT_EQ(0, queue_create(&q, &self->d, create));
	EXPECT_EQ(DOCA_STATUS_SUCCESS,
		  queue_status(&q, sqe_hash(&hashes[1], DOCA_SQE_HASH_FIRST, 4096,
					    seg_of(&self->buf, 0, 64), self->dst)));
	queue_close(&q);
	create.nr_sessions++;
	EXPECT_EQ(-EINVAL, queue_create(&q, &self->d, create));
}

/* Rewrites the source until it is told to stop */
static struct {
	uint8_t *addr;
	bool stop;
} writer;

static void *write_on(void *arg)
{
	uint32_t seed = 9, i;

	while (!__atomic_load_n(&writer.stop, __ATOMIC_RELAXED))
		for (i = 0; i < 1000; i++)
			((volatile uint8_t *)writer.addr)[prng(&seed) % LENGTH] = seed;
	return arg;
}

/* Then any digest is right, and nothing else is different */
TEST_F(hash, a_source_that_changes)
{
	uint8_t digest[DIGEST_MAX];
	pthread_t thread;
	uint32_t i;

	writer.addr = self->buf.addr;
	writer.stop = false;
	ASSERT_EQ(0, pthread_create(&thread, NULL, write_on, NULL));
	for (i = 0; i < rounds(10); i++) {
		memset(self->out, 0, PAGE);
		EXPECT_EQ(0,
			  hash_piece(&self->q, &self->buf, &hashes[i % NR_HASHES], LENGTH, digest));
		EXPECT_EQ(0, self->out[DIGEST_MAX]);
	}
	__atomic_store_n(&writer.stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	fill_random(self->buf.addr, LENGTH, 1);
	memcpy(self->buf.addr, "abc", 3);
	ASSERT_EQ(0, hash_piece(&self->q, &self->buf, &hashes[1], 3, digest));
	EXPECT_TRUE(digest_is(&hashes[1], digest, examples[0].digests[1]));
}

/* A key that goes, a stop or a close meets a hash at any step */
TEST_F(hash, an_end_at_any_step)
{
	uint32_t round, key, seed = 5;
	struct doca_cqe cqe;
	struct doca_seg src;

	for (round = 0; round < rounds(60); round++) {
		ASSERT_EQ(0, mem_map(self->d.fd, self->buf.mem, self->d.device,
				     DOCA_ACCESS_LOCAL_READ, &key));
		src = seg_at(key, self->buf.addr, LENGTH);
		queue_push(&self->q, sqe_hash(&hashes[1], WHOLE, 0, src, self->dst));
		/* Without a worker nothing has begun by then. */
		queue_announce(&self->q);
		if (variant->mode.worker) {
			ASSERT_EQ(0, queue_wake(&self->q));
		}
		spin(prng(&seed) % 100000);
		if (round % 3 == 0) {
			ASSERT_EQ(0, mem_unmap(self->d.fd, key));
		} else if (round % 3 == 1) {
			ASSERT_EQ(0, queue_stop(self->q.fd));
		}
		if (round % 3 < 2) {
			ASSERT_EQ(0, queue_wake(&self->q));
			ASSERT_EQ(0, queue_wait(&self->q, &cqe));
			if (cqe.status) {
				EXPECT_EQ(round % 3 ? DOCA_STATUS_CANCELED : DOCA_STATUS_BAD_KEY,
					  cqe.status);
			}
			EXPECT_EQ(cqe.status ? 0 : hashes[1].digest, cqe.length);
		}
		REOPEN();
		if (round % 3) {
			ASSERT_EQ(0, mem_unmap(self->d.fd, key));
		}
	}
}

TEST_HARNESS_MAIN
