/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Messages of AES-GCM, keys, and entries that seal and unseal; libcrypto has the answers. */
#ifndef PROCESS_TESTS_GCM_BED_H
#define PROCESS_TESTS_GCM_BED_H

#include <openssl/evp.h>
#include <stdio.h>

#include "algo/gcm.h"
#include "flight.h"
#include "op_object.h"
#include "program.h"

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

#endif
