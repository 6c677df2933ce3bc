// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* GCM_ENCRYPT and GCM_DECRYPT: what they make, what they refuse, and what they leave behind. */
#include <openssl/evp.h>
#include <stdio.h>

#include <sys/mman.h>

#include "algo/gcm.h"
#include "flight.h"
#include "op_object.h"
#include "program.h"

#define VECTORS "/usr/lib/python3/dist-packages/cryptography_vectors/ciphers/AES/GCM/"
#define SEGMENTS 64
#define ANY (200 * 1024) /* a message of two steps of other operations */

/* A message, and where it is: the parts of the source in mem[0], those of the result in mem[1]. */
struct message {
	u8 key[32], iv[12], tag[16];
	u32 key_length, aad_length, length, tag_length;
	u8 *aad, *plain, *cipher;
};

static u8 bytes[3][LENGTH];
static u64 seed = 1;

static u32 random_below(u32 limit)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % limit;
}

static void fill(u8 *at, u32 length)
{
	while (length--)
		*at++ = random_below(256);
}

static int make_key(const struct program *p, const u8 *key, u32 length, u32 *id)
{
	struct doca_object_create create = {
		.size = sizeof(create),
		.device_id = p->device,
		.type = DOCA_OBJECT_GCM_KEY,
		.data = (uintptr_t)key,
		.length = length,
	};
	int rc = doca_call(p->fd, DOCA_OBJECT_CREATE, &create);

	*id = create.out_object_id;
	return rc;
}

static void gcm_open(struct program *p)
{
	program_open(p);
	open_queue(p, (struct doca_queue_create){
			      .opcodes = BIT_ULL(DOCA_OP_GCM_ENCRYPT) |
					 BIT_ULL(DOCA_OP_GCM_DECRYPT) | BIT_ULL(DOCA_OP_NOP),
			      .nr_segments = 2 * SEGMENTS,
		      });
	memset(mem, 0, sizeof(mem));
}

static void gcm_close(struct program *p)
{
	program_close(p);
	EXPECT(until(!inproc_pinned()));
}

/* Ask libcrypto for the encrypted message and its tag. */
static void answer(struct message *m)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	BUG_ON(!EVP_EncryptInit_ex(ctx, m->key_length == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm(),
				   NULL, m->key, m->iv));
	if (m->aad_length)
		BUG_ON(!EVP_EncryptUpdate(ctx, NULL, &n, m->aad, m->aad_length));
	BUG_ON(!EVP_EncryptUpdate(ctx, m->cipher, &n, m->plain, m->length));
	BUG_ON(!EVP_EncryptFinal_ex(ctx, m->cipher + n, &n));
	BUG_ON(!EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, m->tag_length, m->tag));
	EVP_CIPHER_CTX_free(ctx);
}

static struct message any_message(u32 key_length, u32 aad_length, u32 length, u32 tag_length)
{
	struct message m = {
		.key_length = key_length,
		.aad_length = aad_length,
		.length = length,
		.tag_length = tag_length,
		.aad = bytes[0],
		.plain = bytes[1],
		.cipher = bytes[2],
	};

	fill(m.key, sizeof(m.key));
	fill(m.iv, sizeof(m.iv));
	fill(m.aad, aad_length);
	fill(m.plain, length);
	answer(&m);
	return m;
}

static struct doca_sqe entry(const struct program *p, const struct message *m, u16 opcode, u16 key)
{
	u32 length = m->aad_length + m->length, whole = length + m->tag_length;
	bool encrypts = opcode == DOCA_OP_GCM_ENCRYPT;
	struct doca_sqe sqe = {
		.opcode = opcode,
		.flags = 12 << DOCA_SQE_GCM_IV_SHIFT |
			 (m->tag_length == 12 ? DOCA_SQE_GCM_TAG_12 : 0),
		.aux = key,
		.src = seg_at(p->key, mem[0], encrypts ? length : whole),
		.dst = seg_at(p->key, mem[1], encrypts ? whole : length),
		.gcm.aad_length = m->aad_length,
	};

	memcpy(sqe.gcm.iv, m->iv, sizeof(m->iv));
	return sqe;
}

/* Write a side of the message: in the clear, or sealed with its tag. */
static u32 write_side(u8 *at, const struct message *m, bool sealed)
{
	memcpy(at, m->aad, m->aad_length);
	memcpy(at + m->aad_length, sealed ? m->cipher : m->plain, m->length);
	if (sealed)
		memcpy(at + m->aad_length + m->length, m->tag, m->tag_length);
	return m->aad_length + m->length + (sealed ? m->tag_length : 0);
}

static bool has_side(const u8 *at, const struct message *m, bool sealed)
{
	static u8 expected[LENGTH];

	return !memcmp(at, expected, write_side(expected, m, sealed));
}

static bool zero(const void *at, u32 length)
{
	return !memchr_inv(at, 0, length);
}

/* Run an entry, and give its completion back. */
static struct doca_cqe run_one(struct program *p, struct doca_sqe sqe)
{
	struct doca_cqe cqe = run(p, sqe);

	smp_store_release(&p->queue->ring.u->cq_head, done(p));
	return cqe;
}

static u32 step_until_done(struct program *p)
{
	execute(p);
	EXPECT_EQ(done(p), p->tail);
	return completion(p, p->tail - 1).status;
}

static u32 run_sides(struct program *p, const struct message *m, u16 opcode, u16 key)
{
	write_side((u8 *)mem[0], m, opcode == DOCA_OP_GCM_DECRYPT);
	return run_one(p, entry(p, m, opcode, key)).status;
}

static u32 seal(struct program *p, const struct message *m, u16 key)
{
	return run_sides(p, m, DOCA_OP_GCM_ENCRYPT, key);
}

static u32 unseal(struct program *p, const struct message *m, u16 key)
{
	return run_sides(p, m, DOCA_OP_GCM_DECRYPT, key);
}

static u32 from_hex(u8 *at, u32 room, const char *text)
{
	unsigned int byte;
	u32 n = 0;

	for (; n < room && sscanf(text + 2 * n, "%2x", &byte) == 1; n++)
		at[n] = byte;
	return n;
}

/* Take a line of a file of vectors; true if it ends one that can be tried. */
static bool take_line(const char *line, struct message *m, u32 *iv_bits, bool *fails)
{
	u32 bits;

	if (line[0] == '[')
		m->key_length = 0;
	if (sscanf(line, "[IVlen = %u]", iv_bits) == 1)
		return false;
	if (sscanf(line, "[Taglen = %u]", &bits) == 1)
		m->tag_length = bits / 8;
	else if (!strncmp(line, "Count", 5))
		*fails = false;
	else if (!strncmp(line, "Key = ", 6))
		m->key_length = from_hex(m->key, 32, line + 6);
	else if (!strncmp(line, "IV = ", 5))
		from_hex(m->iv, 12, line + 5);
	else if (!strncmp(line, "AAD = ", 6))
		m->aad_length = from_hex(m->aad, LENGTH, line + 6);
	else if (!strncmp(line, "CT = ", 5))
		m->length = from_hex(m->cipher, LENGTH, line + 5);
	else if (!strncmp(line, "Tag = ", 6))
		from_hex(m->tag, 16, line + 6);
	else if (!strncmp(line, "PT = ", 5))
		from_hex(m->plain, LENGTH, line + 5);
	else if (!strncmp(line, "FAIL", 4))
		*fails = true;
	else
		return line[0] == '\n' && m->key_length && *iv_bits == 96 &&
		       (m->tag_length == 16 || m->tag_length == 12);
	return false;
}

/* Each vector is right in the direction of its file, and those that are not authentic fail. */
static u32 try_vectors(struct program *p, FILE *file, bool seals)
{
	struct message m = { .aad = bytes[0], .plain = bytes[1], .cipher = bytes[2] };
	u32 iv_bits = 0, key, tried = 0;
	char line[4096];
	bool fails = false;

	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\r\n")] = '\n';
		if (!take_line(line, &m, &iv_bits, &fails))
			continue;
		EXPECT_EQ(make_key(p, m.key, m.key_length, &key), 0);
		memset(mem[1], 0x5a, m.aad_length + m.length + 16);
		if (seals) {
			EXPECT_EQ(seal(p, &m, key), DOCA_STATUS_SUCCESS);
			EXPECT(has_side((u8 *)mem[1], &m, true));
		} else {
			EXPECT_EQ(unseal(p, &m, key),
				  fails ? DOCA_STATUS_TAG : DOCA_STATUS_SUCCESS);
			EXPECT(fails ? zero(mem[1], m.aad_length + m.length) :
				       has_side((u8 *)mem[1], &m, false));
		}
		EXPECT_EQ(object_destroy(p->fd, DOCA_OBJECT_GCM_KEY, key), 0);
		m.key_length = 0;
		tried++;
	}
	return tried;
}

TEST(known_answers_of_cavp)
{
	static const char *const names[] = { "gcmEncryptExtIV128.rsp", "gcmEncryptExtIV256.rsp",
					     "gcmDecrypt128.rsp", "gcmDecrypt256.rsp" };
	struct program p;
	char path[256];
	FILE *file;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), VECTORS "%s", names[i]);
		file = fopen(path, "r");
		if (!file)
			SKIP("python3-cryptography-vectors is not installed");
		gcm_open(&p);
		EXPECT(try_vectors(&p, file, i < 2) >= 700);
		gcm_close(&p);
		fclose(file);
	}
}

/* Cut a range into segments, of which some are empty. */
static struct doca_seg cut(struct program *p, u32 first, const void *at, u32 length)
{
	struct doca_seg *segs = p->queue->ring.segs + first;
	u32 nr = 1 + random_below(SEGMENTS), i, part, most;

	for (i = 0; i < nr; i++) {
		most = random_below(2) ? length : min(length, 40U);
		part = i == nr - 1 ? length : random_below(most + 1);
		segs[i] = seg_at(p->key, at, part);
		at += part;
		length -= part;
	}
	return (struct doca_seg){ .length = nr, .address = first };
}

TEST(any_cut_gives_the_same)
{
	static const u32 keys[] = { 16, 32 }, tags[] = { 12, 16 };
	struct doca_sqe sqe;
	struct program p;
	u32 i, key;

	gcm_open(&p);
	for (i = 0; i < 600; i++) {
		struct message m = any_message(keys[i % 2], random_below(i % 8 ? 64 : 65537),
					       random_below(i % 16 ? 3000 : ANY), tags[i / 2 % 2]);
		bool seals = random_below(2);

		EXPECT_EQ(make_key(&p, m.key, m.key_length, &key), 0);
		sqe = entry(&p, &m, seals ? DOCA_OP_GCM_ENCRYPT : DOCA_OP_GCM_DECRYPT, key);
		write_side((u8 *)mem[0], &m, !seals);
		memset(mem[1], 0x5a, sqe.dst.length + 16);
		sqe.src = cut(&p, 0, mem[0], sqe.src.length);
		sqe.dst = cut(&p, SEGMENTS, mem[1], sqe.dst.length);
		sqe.flags |= DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST;
		EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_SUCCESS);
		EXPECT(has_side((u8 *)mem[1], &m, seals));
		EXPECT_EQ(mem[1][m.aad_length + m.length + (seals ? m.tag_length : 0)], 0x5a);
		EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GCM_KEY, key), 0);
	}
	gcm_close(&p);
}

TEST(a_message_may_be_sealed_in_place)
{
	struct message m = any_message(16, 13, 100001, 16);
	struct doca_sqe sqe;
	struct program p;
	u32 key;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
	write_side((u8 *)mem[0], &m, false);
	sqe = entry(&p, &m, DOCA_OP_GCM_ENCRYPT, key);
	sqe.dst.address = sqe.src.address;
	EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_SUCCESS);
	EXPECT(has_side((u8 *)mem[0], &m, true));
	sqe = entry(&p, &m, DOCA_OP_GCM_DECRYPT, key);
	sqe.dst.address = sqe.src.address;
	EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_SUCCESS);
	EXPECT(has_side((u8 *)mem[0], &m, false));
	gcm_close(&p);
}

TEST(a_completion_counts_what_was_read_and_written)
{
	struct message m = any_message(32, 20, 1000, 12);
	struct doca_cqe cqe;
	struct program p;
	u32 key;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 32, &key), 0);
	EXPECT_EQ(seal(&p, &m, key), DOCA_STATUS_SUCCESS);
	cqe = completion(&p, 0);
	EXPECT_EQ(cqe.length, 1032);
	EXPECT_EQ(cqe.result[1], 1020);
	EXPECT_EQ(unseal(&p, &m, key), DOCA_STATUS_SUCCESS);
	cqe = completion(&p, 1);
	EXPECT_EQ(cqe.length, 1020);
	EXPECT_EQ(cqe.result[1], 1032);
	gcm_close(&p);
}

/* Whichever bit of the message, the vector or the tag is wrong; and the queue goes on. */
TEST(a_message_that_is_not_authentic_leaves_zeros)
{
	struct program p;
	u32 i, key;

	gcm_open(&p);
	for (i = 0; i < 200; i++) {
		struct message m = any_message(16, 1 + random_below(40),
					       1 + random_below(i % 20 ? 400 : ANY),
					       i % 2 ? 12 : 16);
		u32 whole = m.aad_length + m.length + m.tag_length;
		struct doca_sqe sqe;

		EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
		write_side((u8 *)mem[0], &m, true);
		memset(mem[1], 0x5a, whole);
		sqe = entry(&p, &m, DOCA_OP_GCM_DECRYPT, key);
		if (i % 5 == 4)
			sqe.gcm.iv[random_below(12)] ^= 1 << random_below(8);
		else if (i % 5 == 3) /* the last byte of the tag */
			mem[0][whole - 1] ^= 1 << random_below(8);
		else
			mem[0][random_below(whole)] ^= 1 << random_below(8);
		EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_TAG);
		EXPECT_EQ(completion(&p, p.tail - 1).length, 0);
		EXPECT_EQ(completion(&p, p.tail - 1).result[1], whole);
		EXPECT(zero(mem[1], m.aad_length + m.length));
		EXPECT_EQ(mem[1][m.aad_length + m.length], 0x5a);
		EXPECT_EQ(unseal(&p, &m, key), DOCA_STATUS_SUCCESS);
		EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GCM_KEY, key), 0);
	}
	gcm_close(&p);
}

/* It comes from a peer, so it does not stop the queue. */
TEST(a_message_that_is_too_short_is_not_authentic)
{
	struct message m = any_message(16, 20, 0, 16);
	struct doca_sqe sqe;
	struct program p;
	u32 key;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
	memset(mem[1], 0x5a, 100);
	for (sqe = entry(&p, &m, DOCA_OP_GCM_DECRYPT, key); sqe.src.length; sqe.src.length--) {
		u32 status = sqe.src.length == 36 ? DOCA_STATUS_SUCCESS : DOCA_STATUS_TAG;

		write_side((u8 *)mem[0], &m, true);
		EXPECT_EQ(run_one(&p, sqe).status, status);
		EXPECT(status ? zero(mem[1], 0) && mem[1][20] == 0x5a :
				has_side((u8 *)mem[1], &m, false));
	}
	gcm_close(&p);
}

TEST(the_longest_messages)
{
	const u32 max = 2 << 20;
	struct doca_sqe sqe = { .flags = 12 << DOCA_SQE_GCM_IV_SHIFT };
	char *more =
		mmap(NULL, 3 * max, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static const u8 zeros[16];
	struct program p;
	u32 id, key, mem_key;

	gcm_open(&p);
	EXPECT(!mem_reg(p.fd, more, 3 * max, ACCESS_LOCAL, &id));
	EXPECT(!mem_map(p.fd, id, p.device, ACCESS_LOCAL, &mem_key));
	EXPECT_EQ(make_key(&p, zeros, 16, &key), 0);
	sqe.aux = key;
	sqe.opcode = DOCA_OP_GCM_ENCRYPT;
	sqe.gcm.aad_length = 65536;
	memset(more, 0x33, max);
	sqe.src = seg_at(mem_key, more, max);
	sqe.dst = seg_at(mem_key, more + max, max + 16);
	EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_SUCCESS);
	sqe.opcode = DOCA_OP_GCM_DECRYPT;
	sqe.src = seg_at(mem_key, more + max, max + 16);
	sqe.dst = seg_at(mem_key, more, max);
	memset(more, 0, max);
	EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_SUCCESS);
	EXPECT(!memchr_inv(more, 0x33, max));
	sqe.src.length++;
	sqe.dst.length = 2 * max;
	EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_BAD_LENGTH);
	gcm_close(&p);
	munmap(more, 3 * max);
}

/* Run an entry that differs from a good one: by its flags, or by what is added to others. */
static u32 run_bad(struct doca_sqe sqe)
{
	struct message m = any_message(16, 20, 100, 16);
	struct doca_sqe good;
	struct program p;
	u32 key, status;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
	good = entry(&p, &m, sqe.opcode, key + sqe.aux);
	good.flags = sqe.flags ?: good.flags;
	good.gcm.aad_length += sqe.gcm.aad_length;
	good.src.key += sqe.src.key;
	good.dst.length += sqe.dst.length;
	write_side((u8 *)mem[0], &m, sqe.opcode == DOCA_OP_GCM_DECRYPT);
	status = run_one(&p, good).status;
	EXPECT(zero(mem[1], 136));
	gcm_close(&p);
	return status;
}

#define IV(n) ((n) << DOCA_SQE_GCM_IV_SHIFT)

TEST(entries_that_are_wrong)
{
	u16 opcode;
	u32 i;

	for (opcode = DOCA_OP_GCM_ENCRYPT; opcode <= DOCA_OP_GCM_DECRYPT; opcode++) {
		const struct {
			struct doca_sqe sqe;
			u32 status;
		} rows[] = {
			{ { .flags = DOCA_SQE_GCM_TAG_12 }, DOCA_STATUS_NOT_SUPPORTED },
			{ { .flags = IV(13) }, DOCA_STATUS_NOT_SUPPORTED },
			{ { .flags = IV(12) | 1 << 13 }, DOCA_STATUS_BAD_ENTRY },
			{ { .flags = IV(11) }, DOCA_STATUS_NOT_SUPPORTED },
			{ { .aux = 1 }, DOCA_STATUS_BAD_OBJECT },
			{ { .src.key = 1 << 20 }, DOCA_STATUS_BAD_KEY },
			{ { .dst.length = -1 }, DOCA_STATUS_BAD_LENGTH },
			{ { .gcm.aad_length = 65537 - 20 }, DOCA_STATUS_BAD_LENGTH },
			{ { .gcm.aad_length = 101 },
			  opcode == DOCA_OP_GCM_ENCRYPT ? DOCA_STATUS_BAD_LENGTH :
							  DOCA_STATUS_TAG },
			{ { .gcm.aad_length = -21 }, DOCA_STATUS_BAD_LENGTH },
		};

		for (i = 0; i < ARRAY_SIZE(rows); i++) {
			struct doca_sqe sqe = rows[i].sqe;

			sqe.opcode = opcode;
			EXPECT_EQ(run_bad(sqe), rows[i].status);
		}
	}
}

TEST(keys_that_cannot_be)
{
	struct doca_object_create bad = { .size = sizeof(bad), .type = DOCA_OBJECT_GCM_KEY };
	static const u8 zeros[40];
	struct program p;
	u32 length, id;

	gcm_open(&p);
	for (length = 0; length <= 40; length++)
		EXPECT_EQ(make_key(&p, zeros, length, &id),
			  length == 16 || length == 32 ? 0 : -EINVAL);
	bad.device_id = p.device;
	bad.data = (uintptr_t)zeros;
	bad.length = 16;
	bad.rows = 1;
	EXPECT_EQ(doca_call(p.fd, DOCA_OBJECT_CREATE, &bad), -EINVAL);
	bad.rows = 0;
	bad.columns = 1;
	EXPECT_EQ(doca_call(p.fd, DOCA_OBJECT_CREATE, &bad), -EINVAL);
	gcm_close(&p);
}

TEST(keys_are_charged)
{
	static const u8 zeros[16];
	struct doca_op_object *key;
	struct program p;
	u32 id;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, zeros, 16, &id), 0);
	key = xa_load(&p.file->op_objects, id);
	EXPECT(key->bytes >= 2 * SZ_4K);
	gcm_close(&p);
}

static enum doca_batch step(struct program *p)
{
	struct doca_budget left = { .entries = ENTRIES, .length = DOCA_BATCH_LENGTH };
	enum doca_batch batch;

	doca_run_lock(p->queue->run);
	batch = doca_queue_batch(p->queue, &left);
	doca_run_unlock(p->queue->run);
	return batch;
}

/* Begin a message as the executor does, without its step. */
static void begin(struct program *p, struct doca_sqe sqe)
{
	const struct doca_op_type *type = doca_op_type(p->queue->types, sqe.opcode);
	struct doca_op *op = &p->queue->op;

	doca_run_lock(p->queue->run);
	op->sqe = sqe;
	op->done = 0;
	EXPECT_EQ(type->prepare(p->queue, op), DOCA_STATUS_AGAIN);
	op->type = type;
	doca_run_unlock(p->queue->run);
	p->tail++;
}

static void take_memory(struct program *p, u32 key)
{
	ASSERT(!mem_unmap(p->fd, p->key));
	EXPECT_EQ(step_until_done(p), DOCA_STATUS_BAD_KEY);
}

static void stop(struct program *p, u32 key)
{
	ASSERT(!queue_stop(p->queue_fd));
	EXPECT_EQ(step_until_done(p), DOCA_STATUS_CANCELED);
}

static void leave(struct program *p, u32 key)
{
	close_queue(p);
}

/* Whatever keeps a key counts. */
static u32 keys_left(const struct program *p)
{
	static const u8 zeros[16];
	u32 limit = 0, id;

	do
		EXPECT(inproc_set_param("max_objects", ++limit));
	while (make_key(p, zeros, 16, &id) == -EDQUOT);
	EXPECT_EQ(object_destroy(p->fd, DOCA_OBJECT_GCM_KEY, id), 0);
	EXPECT(inproc_set_param("max_objects", 1024));
	return limit - 1;
}

TEST(an_end_before_and_behind_the_first_step)
{
	static void (*const ends[])(struct program * p, u32 key) = { take_memory, stop, leave };
	struct message m = any_message(16, 20, ANY, 16);
	struct program p;
	u32 i, k, key;

	for (i = 0; i < ARRAY_SIZE(ends); i++)
		for (k = 0; k < 4; k++) {
			gcm_open(&p);
			EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
			write_side((u8 *)mem[0], &m, k & 1);
			(k & 2 ? begin : put)(&p,
					      entry(&p, &m, DOCA_OP_GCM_ENCRYPT + (k & 1), key));
			EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GCM_KEY, key), 0);
			EXPECT_EQ(keys_left(&p), k & 2 ? 1 : 0);
			if (!(k & 2) && i == 0) {
				EXPECT_EQ(step_until_done(&p), DOCA_STATUS_BAD_OBJECT);
			} else {
				ends[i](&p, key);
				EXPECT_EQ(keys_left(&p), 0);
			}
			EXPECT(zero(mem[1], ANY + 36));
			gcm_close(&p);
		}
}

TEST(a_key_that_is_destroyed_serves_what_has_begun)
{
	struct message m = any_message(32, 20, ANY, 16);
	struct program p;
	u32 key;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 32, &key), 0);
	write_side((u8 *)mem[0], &m, false);
	begin(&p, entry(&p, &m, DOCA_OP_GCM_ENCRYPT, key));
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GCM_KEY, key), 0);
	EXPECT_EQ(keys_left(&p), 1);
	EXPECT_EQ(step_until_done(&p), DOCA_STATUS_SUCCESS);
	EXPECT(has_side((u8 *)mem[1], &m, true));
	EXPECT_EQ(keys_left(&p), 0);
	gcm_close(&p);
}

/* Others on the worker wait no longer than for copies, which take less time. */
TEST(short_messages_are_charged_for_their_time)
{
	struct message m = any_message(16, 0, SZ_16K, 16);
	struct program p;
	u32 key, turns = 1;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
	while (p.tail < 64)
		put(&p, entry(&p, &m, DOCA_OP_GCM_ENCRYPT, key));
	while (step(&p) == DOCA_BATCH_AGAIN)
		turns++;
	EXPECT_EQ(done(&p), 64);
	EXPECT(turns >= 64 * SZ_16K * 4 / DOCA_BATCH_LENGTH);
	gcm_close(&p);
}

/* Its pages are met by copies, which find those that the file has lost. */
TEST(memory_of_a_file)
{
	struct message m = any_message(16, 20, 3 * 4096, 16);
	int fd = memfd_create("messages", MFD_CLOEXEC);
	struct doca_sqe sqe;
	struct program p;
	u32 id, mem_key, key, i;
	char *file;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
	EXPECT_EQ(ftruncate(fd, 8 * 4096), 0);
	file = mmap(NULL, 8 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	EXPECT(!mem_reg(p.fd, file, 8 * 4096, ACCESS_LOCAL, &id));
	EXPECT(!mem_map(p.fd, id, p.device, ACCESS_LOCAL, &mem_key));
	for (i = 0; i < 4; i++) {
		bool seals = i & 1;

		sqe = entry(&p, &m, seals ? DOCA_OP_GCM_ENCRYPT : DOCA_OP_GCM_DECRYPT, key);
		write_side((u8 *)(i & 2 ? mem[0] : file), &m, !seals);
		if (i & 2)
			sqe.dst = seg_at(mem_key, file, sqe.dst.length);
		else
			sqe.src = seg_at(mem_key, file, sqe.src.length);
		EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_SUCCESS);
		EXPECT(has_side((u8 *)(i & 2 ? file : mem[1]), &m, seals));
	}
	EXPECT_EQ(ftruncate(fd, 4096), 0);
	EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_BAD_MEMORY);
	gcm_close(&p);
	munmap(file, 8 * 4096);
	close(fd);
}

static u32 no_access(struct doca_memory *memory, u64 offset, void *at, u32 length, bool write)
{
	return 0;
}

static const struct doca_memory_ops *pages_ops;

static void no_unpin(struct doca_memory *memory)
{
	pages_ops->unpin(memory);
}

TEST(memory_without_pages_is_not_supported)
{
	static const struct doca_memory_ops ops = { .unpin = no_unpin, .access = no_access };
	static char behind[8192] __attribute__((aligned(4096)));
	struct message m = any_message(16, 20, 100, 16);
	struct doca_object *obj;
	struct doca_sqe sqe;
	struct program p;
	u32 id, mem_key, key, i;

	for (i = 0; i < 4; i++) {
		gcm_open(&p);
		EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
		EXPECT(!mem_reg(p.fd, behind, sizeof(behind), ACCESS_LOCAL, &id));
		obj = doca_object_find(p.file, id, DOCA_OBJECT_MEMORY);
		ASSERT(!IS_ERR(obj));
		pages_ops = container_of(obj, struct doca_memory, obj)->ops;
		container_of(obj, struct doca_memory, obj)->ops = &ops;
		doca_object_put(obj);
		EXPECT(!mem_map(p.fd, id, p.device, ACCESS_LOCAL, &mem_key));
		sqe = entry(&p, &m, DOCA_OP_GCM_ENCRYPT + (i & 1), key);
		(i & 2 ? &sqe.src : &sqe.dst)->key = mem_key;
		(i & 2 ? &sqe.src : &sqe.dst)->address = (uintptr_t)behind;
		EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_NOT_SUPPORTED);
		EXPECT(zero(mem[1], 136));
		gcm_close(&p);
	}
}

/*
 * Secrets of a key, to be looked for: what is here is inverted, so that it is not found. The
 * first is the key, the others the first and the last key of its rounds.
 */
struct secrets {
	u8 hidden[3][16];
};

static u8 multiply(u8 a, u8 b)
{
	u8 product = 0;

	for (; b; b >>= 1, a = a << 1 ^ (a & 0x80 ? 0x1b : 0))
		product ^= b & 1 ? a : 0;
	return product;
}

static u8 substitute(u8 byte)
{
	u8 inverse = byte, box;
	u32 i;

	/* To the power of 254. */
	for (i = 0; i < 6; i++)
		inverse = multiply(multiply(inverse, inverse), byte);
	inverse = multiply(inverse, inverse);
	for (box = inverse, i = 1; i < 5; i++)
		box ^= inverse << i | inverse >> (8 - i);
	return box ^ 0x63;
}

static void hide(u8 *hidden, const u8 *secret)
{
	u32 i;

	for (i = 0; i < 16; i++)
		hidden[i] = ~secret[i];
}

static noinline void hide_secrets(struct secrets *secrets, const u8 *key)
{
	u8 round[16], last[4], factor = 1;
	u32 i, k;

	memcpy(round, key, 16);
	hide(secrets->hidden[0], round);
	for (i = 0; i < 10; i++, factor = multiply(factor, 2)) {
		for (k = 0; k < 4; k++)
			last[k] = substitute(round[12 + (k + 1) % 4]);
		last[0] ^= factor;
		for (k = 0; k < 16; k++)
			round[k] ^= k < 4 ? last[k] : round[k - 4];
		if (!i)
			hide(secrets->hidden[1], round);
	}
	hide(secrets->hidden[2], round);
	memzero_explicit(round, sizeof(round));
	memzero_explicit(last, sizeof(last));
}

/* Return true if 16 bytes are a secret, or one with its words turned round. */
static bool is_secret(const u8 *at, const u8 *hidden)
{
	bool same = true, turned = true;
	u32 i;

	for (i = 0; i < 16; i++) {
		same = same && at[i] == (u8)~hidden[i];
		turned = turned && at[i] == (u8)~hidden[i ^ 3];
	}
	return same || turned;
}

__attribute__((no_sanitize("address", "thread", "undefined"))) static u32
count_in(const struct secrets *secrets, const u8 *at, const u8 *end)
{
	u32 found = 0, i;

	for (; end - at >= 16; at++)
		for (i = 0; i < 3; i++)
			if ((at[0] == (u8)~secrets->hidden[i][0] ||
			     at[0] == (u8)~secrets->hidden[i][3]) &&
			    is_secret(at, secrets->hidden[i]))
				found++;
	return found;
}

/* Return true if any page of a piece is there; others have never been written to. */
static bool is_there(int pagemap, unsigned long start, unsigned long length)
{
	unsigned long first = start / PAGE_SIZE;
	unsigned long nr = (start + length - 1) / PAGE_SIZE - first + 1, i;
	u64 pages[32];

	if (pread(pagemap, pages, nr * sizeof(u64), first * sizeof(u64)) < 0)
		return true;
	for (i = 0; i < nr; i++)
		if (pages[i] >> 62)
			return true;
	return false;
}

/* Look through all memory of the process, without what a sanitizer has reserved. */
static u32 count_secrets(const struct secrets *secrets)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start, end, length;
	static u8 copy[SZ_64K];
	char line[512], rights[5];
	u32 found = 0;
	ssize_t n;
	int fd = open("/proc/self/mem", O_RDONLY);
	int pagemap = open("/proc/self/pagemap", O_RDONLY);

	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) != 3 || rights[0] != 'r' ||
		    rights[1] != 'w' || end - start > 1UL << 28)
			continue;
		/* Pieces overlap; one that is here already is not looked for in this copy. */
		for (; start + 16 <= end; start += sizeof(copy) - 15) {
			if (start < (uintptr_t)copy + sizeof(copy) &&
			    start + sizeof(copy) > (uintptr_t)copy)
				continue;
			length = min_t(unsigned long, sizeof(copy), end - start);
			if (!is_there(pagemap, start, length))
				continue;
			n = pread(fd, copy, length, start);
			if (n > 0)
				found += count_in(secrets, copy, copy + n);
			memset(copy, 0, sizeof(copy));
		}
	}
	close(pagemap);
	close(fd);
	fclose(maps);
	return found;
}

TEST(nothing_of_a_key_is_left)
{
	struct message m = any_message(16, 20, ANY, 16);
	struct secrets secrets;
	struct program p;
	u32 key, i;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
	hide_secrets(&secrets, m.key);
	memzero_explicit(m.key, sizeof(m.key));
	EXPECT_EQ(count_secrets(&secrets), 1);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(seal(&p, &m, key), DOCA_STATUS_SUCCESS);
		EXPECT_EQ(unseal(&p, &m, key), DOCA_STATUS_SUCCESS);
		m.tag[0]++;
		EXPECT_EQ(unseal(&p, &m, key), DOCA_STATUS_TAG);
		m.tag[0]--;
	}
	/* The key alone. */
	EXPECT_EQ(count_secrets(&secrets), 1);
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GCM_KEY, key), 0);
	EXPECT_EQ(count_secrets(&secrets), 0);
	gcm_close(&p);
	EXPECT_EQ(count_secrets(&secrets), 0);
}

TEST(a_file_that_is_closed_wipes_its_keys)
{
	struct message m = any_message(16, 20, 1000, 12);
	struct secrets secrets;
	struct program p;
	u32 key;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
	hide_secrets(&secrets, m.key);
	memzero_explicit(m.key, sizeof(m.key));
	EXPECT_EQ(seal(&p, &m, key), DOCA_STATUS_SUCCESS);
	gcm_close(&p);
	EXPECT_EQ(count_secrets(&secrets), 0);
}
