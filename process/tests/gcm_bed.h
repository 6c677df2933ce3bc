/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Messages of AES-GCM, keys, and entries that seal and unseal; libcrypto has the answers. */
#ifndef PROCESS_TESTS_GCM_BED_H
#define PROCESS_TESTS_GCM_BED_H

#include <stdio.h>

#include "selftests/uapi/gcm.h"

#include "algo/gcm.h"
#include "cut.h"
#include "flight.h"
#include "op_object.h"
#include "program.h"

#define LONG (200 * 1024) /* a message of two steps of other operations */

static u8 bytes[3][LENGTH];

static void fill(u8 *at, u32 length)
{
	while (length--)
		*at++ = any(256);
}

static int make_key(const struct program *p, const u8 *key, u32 length, u32 *id)
{
	return key_create(p->fd, p->device, key, length, id);
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
	BUG_ON(!message_seal(&m));
	return m;
}

/* The source is in mem[0], the result in mem[1]. */
static struct doca_sqe entry(const struct program *p, const struct message *m, u16 opcode, u16 key)
{
	return sqe_message(m, opcode, key, p->key, mem[0], mem[1]);
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
	message_write((u8 *)mem[0], m, opcode == DOCA_OP_GCM_DECRYPT);
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
