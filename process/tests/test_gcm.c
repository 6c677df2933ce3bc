// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* GCM_ENCRYPT and GCM_DECRYPT: what they make, what they refuse, and what they leave behind. */
#include <sys/mman.h>

#include "gcm_bed.h"

/* Each vector is right in the direction of its file, and those that are not authentic fail. */
static u32 try_vectors(struct program *p, FILE *file, bool seals)
{
	struct vectors v = { file, { .aad = bytes[0], .plain = bytes[1], .cipher = bytes[2] } };
	const struct message *m = &v.m;
	u32 key, tried = 0;

	for (; vectors_next(&v); tried++) {
		EXPECT_EQ(make_key(p, m->key, m->key_length, &key), 0);
		memset(mem[1], 0x5a, message_size(m, true));
		if (seals) {
			EXPECT_EQ(seal(p, m, key), DOCA_STATUS_SUCCESS);
			EXPECT(message_is((u8 *)mem[1], m, true));
		} else {
			EXPECT_EQ(unseal(p, m, key),
				  v.fails ? DOCA_STATUS_TAG : DOCA_STATUS_SUCCESS);
			EXPECT(v.fails ? zero(mem[1], message_size(m, false)) :
					 message_is((u8 *)mem[1], m, false));
		}
		EXPECT_EQ(object_destroy(p->fd, DOCA_OBJECT_GCM_KEY, key), 0);
	}
	return tried;
}

TEST(known_answers_of_cavp)
{
	struct program p;
	FILE *file;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(gcm_vectors); i++) {
		file = fopen(gcm_vectors[i], "r");
		if (!file)
			SKIP("python3-cryptography-vectors is not installed");
		gcm_open(&p);
		EXPECT(try_vectors(&p, file, i < 2) >= 700);
		gcm_close(&p);
		fclose(file);
	}
}

TEST(any_cut_gives_the_same)
{
	static const u32 keys[] = { 16, 32 }, tags[] = { 12, 16 };
	struct doca_sqe sqe;
	struct program p;
	u32 i, key;

	gcm_open(&p);
	for (i = 0; i < 2 * cuts(); i++) {
		u32 aad_length = any(any(8) ? 64 : 65537);
		u32 length = any(any(16) ? 3000 : LONG);
		struct message m =
			any_message(keys[i / 2 % 2], aad_length, length, tags[i / 4 % 2]);
		bool seals = i % 2;

		EXPECT_EQ(make_key(&p, m.key, m.key_length, &key), 0);
		sqe = entry(&p, &m, seals ? DOCA_OP_GCM_ENCRYPT : DOCA_OP_GCM_DECRYPT, key);
		message_write((u8 *)mem[0], &m, !seals);
		memset(mem[1], 0x5a, sqe.dst.length + 16);
		sqe.src = cut(&p, 0, mem[0], sqe.src.length);
		sqe.dst = cut(&p, SEGMENTS, mem[1], sqe.dst.length);
		sqe.flags |= DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST;
		EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_SUCCESS);
		EXPECT(message_is((u8 *)mem[1], &m, seals));
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
	message_write((u8 *)mem[0], &m, false);
	sqe = entry(&p, &m, DOCA_OP_GCM_ENCRYPT, key);
	sqe.dst.address = sqe.src.address;
	EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_SUCCESS);
	EXPECT(message_is((u8 *)mem[0], &m, true));
	sqe = entry(&p, &m, DOCA_OP_GCM_DECRYPT, key);
	sqe.dst.address = sqe.src.address;
	EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_SUCCESS);
	EXPECT(message_is((u8 *)mem[0], &m, false));
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
		struct message m =
			any_message(16, 1 + any(40), 1 + any(i % 20 ? 400 : LONG), i % 2 ? 12 : 16);
		u32 whole = m.aad_length + m.length + m.tag_length;
		struct doca_sqe sqe;

		EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
		message_write((u8 *)mem[0], &m, true);
		memset(mem[1], 0x5a, whole);
		sqe = entry(&p, &m, DOCA_OP_GCM_DECRYPT, key);
		if (i % 5 == 4)
			sqe.gcm.iv[any(12)] ^= 1 << any(8);
		else if (i % 5 == 3) /* the last byte of the tag */
			mem[0][whole - 1] ^= 1 << any(8);
		else
			mem[0][any(whole)] ^= 1 << any(8);
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

		message_write((u8 *)mem[0], &m, true);
		EXPECT_EQ(run_one(&p, sqe).status, status);
		EXPECT(status ? zero(mem[1], 0) && mem[1][20] == 0x5a :
				message_is((u8 *)mem[1], &m, false));
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
	message_write((u8 *)mem[0], &m, sqe.opcode == DOCA_OP_GCM_DECRYPT);
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
	struct message m = any_message(16, 20, LONG, 16);
	struct program p;
	u32 i, k, key;

	for (i = 0; i < ARRAY_SIZE(ends); i++)
		for (k = 0; k < 4; k++) {
			gcm_open(&p);
			EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
			message_write((u8 *)mem[0], &m, k & 1);
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
			EXPECT(zero(mem[1], LONG + 36));
			gcm_close(&p);
		}
}

TEST(a_key_that_is_destroyed_serves_what_has_begun)
{
	struct message m = any_message(32, 20, LONG, 16);
	struct program p;
	u32 key;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 32, &key), 0);
	message_write((u8 *)mem[0], &m, false);
	begin(&p, entry(&p, &m, DOCA_OP_GCM_ENCRYPT, key));
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GCM_KEY, key), 0);
	EXPECT_EQ(keys_left(&p), 1);
	EXPECT_EQ(step_until_done(&p), DOCA_STATUS_SUCCESS);
	EXPECT(message_is((u8 *)mem[1], &m, true));
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
		message_write((u8 *)(i & 2 ? mem[0] : file), &m, !seals);
		if (i & 2)
			sqe.dst = seg_at(mem_key, file, sqe.dst.length);
		else
			sqe.src = seg_at(mem_key, file, sqe.src.length);
		EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_SUCCESS);
		EXPECT(message_is((u8 *)(i & 2 ? file : mem[1]), &m, seals));
	}
	EXPECT_EQ(ftruncate(fd, 4096), 0);
	EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_BAD_MEMORY);
	gcm_close(&p);
	munmap(file, 8 * 4096);
	close(fd);
}

/* The page where the result goes on is lost: what was decrypted before is not seen. */
TEST(what_fails_while_it_is_decrypted_leaves_zeros)
{
	struct message m = any_message(16, 20, 3 * 4096, 16);
	int fd = memfd_create("messages", MFD_CLOEXEC);
	u32 id, mem_key, key;
	struct doca_sqe sqe;
	struct program p;
	char *file;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
	EXPECT_EQ(ftruncate(fd, 4 * 4096), 0);
	file = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	memset(file, 0x5a, 4 * 4096);
	EXPECT(!mem_reg(p.fd, file, 4 * 4096, ACCESS_LOCAL, &id));
	EXPECT(!mem_map(p.fd, id, p.device, ACCESS_LOCAL, &mem_key));
	message_write((u8 *)mem[0], &m, true);
	sqe = entry(&p, &m, DOCA_OP_GCM_DECRYPT, key);
	sqe.dst = seg_at(mem_key, file, sqe.dst.length);
	EXPECT_EQ(mprotect(file + 8192, 4096, PROT_READ), 0);
	EXPECT_EQ(run_one(&p, sqe).status, DOCA_STATUS_BAD_MEMORY);
	EXPECT(zero(file, 8192));
	EXPECT_EQ(file[8192], 0x5a);
	gcm_close(&p);
	munmap(file, 4 * 4096);
	close(fd);
}

/* Its memory has gone before the first byte was read. */
TEST(what_was_not_decrypted_is_left)
{
	static u64 space[DOCA_GCM_SPACE / sizeof(u64)], key[DOCA_GCM_KEY / sizeof(u64)];
	static u8 run[DOCA_GCM_RUN], out[8192];
	char *in = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct doca_gcm_piece src = { { in, true }, 8192 }, dst = { { out, true }, 8192 };
	u8 tag[16] = {}, bytes[16] = {};
	u32 gone;

	BUG_ON(!doca_algo_has_gcm() || doca_algo_gcm_open(space));
	EXPECT_EQ(doca_algo_gcm_key_create(key, bytes, 16), 0);
	for (gone = 0; gone <= 4096; gone += 4096) {
		struct doca_gcm gcm = {
			.key = key,
			.tag = tag,
			.tag_length = 16,
			.length = 8192,
			.src = &src,
			.nr_src = 1,
			.dst = &dst,
			.nr_dst = 1,
		};

		EXPECT_EQ(mprotect(in, 8192, PROT_READ), 0);
		EXPECT_EQ(mprotect(in + gone, 4096, PROT_NONE), 0);
		EXPECT_EQ(doca_algo_gcm_decrypt(space, run, &gcm), -EFAULT);
		EXPECT_EQ(gcm.ran, !!gone);
		EXPECT_EQ(zero(out, sizeof(out)), !gone);
	}
	doca_algo_gcm_key_destroy(key);
	doca_algo_gcm_close(space);
	munmap(in, 8192);
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
