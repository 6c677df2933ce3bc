// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * A kind of memory that the CPU does not reach: its bytes are behind a function, none is
 * beside its neighbour, and some may fail. Operations do the same with it as with pages,
 * or refuse it.
 */
#include <stdlib.h>

#include "access.h"
#include "program.h"

#define FAR_LENGTH (LENGTH + 24) /* not a multiple of a copy's unit */
#define NEVER U64_MAX

static u8 store[FAR_LENGTH];
static u64 fails_at; /* bytes from this on cannot be accessed */
static atomic_t unpinned;
static unsigned int longest;

/* The pages exist for the pin, and must not be touched. */
static char far[FAR_LENGTH] __attribute__((aligned(4096)));

/* Store bytes backwards, and changed. */
static u8 *place(u64 offset)
{
	return &store[FAR_LENGTH - 1 - offset];
}

static u8 byte_of(u64 offset)
{
	return *place(offset) ^ 0x5a;
}

static u32 far_access(struct doca_memory *memory, u64 offset, void *bytes, u32 length, bool write)
{
	u8 *byte = bytes;

	BUG_ON(offset + length > memory->length);
	BUG_ON(atomic_read(&unpinned));
	longest = max(longest, length);
	for (; length; length--, offset++, byte++) {
		if (offset >= READ_ONCE(fails_at))
			return length;
		if (write)
			*place(offset) = *byte ^ 0x5a;
		else
			*byte = byte_of(offset);
	}
	return 0;
}

static void far_unpin(struct doca_memory *memory)
{
	atomic_inc(&unpinned);
	doca_pages_ops.unpin(memory);
}

static const struct doca_memory_ops far_ops = {
	.unpin = far_unpin,
	.access = far_access,
};

/* A program that has memory of this kind as well, of which nothing is used yet. */
struct far_program {
	struct program p;
	u32 mem;
	u32 key;
	u32 only_read;
};

static void far_open(struct far_program *f)
{
	struct doca_object *obj;
	u32 i;

	program_open(&f->p);
	ASSERT(!mem_reg(f->p.fd, far, sizeof(far), ACCESS_LOCAL | DOCA_ACCESS_PCI_READ, &f->mem));
	obj = doca_object_find(f->p.file, f->mem, DOCA_OBJECT_MEMORY);
	ASSERT(!IS_ERR(obj));
	container_of(obj, struct doca_memory, obj)->ops = &far_ops;
	doca_object_put(obj);
	ASSERT(!mem_map(f->p.fd, f->mem, f->p.device, ACCESS_LOCAL, &f->key));
	ASSERT(!mem_map(f->p.fd, f->mem, f->p.device, DOCA_ACCESS_LOCAL_READ, &f->only_read));
	WRITE_ONCE(fails_at, NEVER);
	atomic_set(&unpinned, 0);
	memset(far, 'p', FAR_LENGTH);
	for (i = 0; i < FAR_LENGTH; i++)
		*place(i) = i * 31 + (i >> 8);
	for (i = 0; i < LENGTH; i++)
		mem[0][i] = i * 13 + (i >> 8);
	memset(mem[1], 0, LENGTH);
}

static void far_close(struct far_program *f)
{
	program_close(&f->p);
	/* All bytes are unchanged. */
	EXPECT(far[0] == 'p' && !memcmp(far, far + 1, FAR_LENGTH - 1));
	EXPECT(until(!inproc_pinned()));
	EXPECT_EQ(atomic_read(&unpinned), 1);
}

static struct doca_seg far_seg(const struct far_program *f, u32 offset, u32 length)
{
	return seg_at(f->key, far + offset, length);
}

static struct doca_seg near_seg(const struct far_program *f, int half, u32 offset, u32 length)
{
	return seg_at(f->p.key, mem[half] + offset, length);
}

static struct doca_cqe copy(struct far_program *f, struct doca_seg dst, struct doca_seg src)
{
	return run(&f->p, (struct doca_sqe){ .opcode = DOCA_OP_MEMCPY, .src = src, .dst = dst });
}

static bool is_far(u32 offset, const void *bytes, u32 length)
{
	const u8 *byte = bytes;
	u32 i;

	for (i = 0; i < length; i++)
		if (byte_of(offset + i) != byte[i])
			return false;
	return true;
}

static void get_far(u32 offset, void *bytes, u32 length)
{
	u8 *byte = bytes;

	while (length--)
		*byte++ = byte_of(offset++);
}

static void expect_copied(struct doca_cqe cqe, u32 length)
{
	EXPECT_EQ(cqe.status, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(cqe.length, length);
}

TEST(copies_of_any_length_go_there_and_back)
{
	static const u32 lengths[] = {
		0, 1, 7, 8, 64, 255, 256, 257, 4096, SZ_64K, SZ_64K + 1, SZ_256K + 3, LENGTH - 5,
	};
	struct far_program f;
	size_t i;

	far_open(&f);
	longest = 0;
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		u32 n = lengths[i];

		memset(mem[1], 0, LENGTH);
		expect_copied(copy(&f, far_seg(&f, 3, n), near_seg(&f, 0, i % 5, n)), n);
		EXPECT(is_far(3, mem[0] + i % 5, n));
		expect_copied(copy(&f, near_seg(&f, 1, 1, n), far_seg(&f, 3, n)), n);
		EXPECT(!memcmp(mem[1] + 1, mem[0] + i % 5, n));
		EXPECT_EQ(mem[1][0], 0);
		EXPECT_EQ(mem[1][n + 1], 0);
	}
	EXPECT(longest && longest <= 512);
	far_close(&f);
}

TEST(copies_within_it)
{
	static u8 was[LENGTH / 2 - 1];
	const u32 n = sizeof(was);
	struct far_program f;

	far_open(&f);
	get_far(1, was, n);
	expect_copied(copy(&f, far_seg(&f, LENGTH / 2 + 5, n), far_seg(&f, 1, n)), n);
	EXPECT(is_far(1, was, n));
	EXPECT(is_far(LENGTH / 2 + 5, was, n));
	far_close(&f);
}

/* Segments of both kinds on both sides, with different borders. */
TEST(lists_of_both_kinds)
{
	struct doca_sqe sqe = {
		.opcode = DOCA_OP_MEMCPY,
		.flags = DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST,
		.src = { .length = 4, .address = 0 },
		.dst = { .length = 4, .address = 4 },
	};
	static u8 sent[1001 + 70001 + 333];
	struct far_program f;
	struct doca_seg *segs;

	far_open(&f);
	open_queue(&f.p, (struct doca_queue_create){ .nr_segments = 8 });
	segs = segs_of(f.p.queue);
	segs[0] = near_seg(&f, 0, 9, 1001);
	segs[1] = far_seg(&f, 0, 70001);
	segs[2] = near_seg(&f, 0, 2000, 0);
	segs[3] = far_seg(&f, 80000, 333);
	segs[4] = far_seg(&f, 100000, 40000);
	segs[5] = near_seg(&f, 1, 3, 5);
	segs[6] = far_seg(&f, 200000, 31330);
	segs[7] = near_seg(&f, 1, 5000, 100);
	memcpy(sent, mem[0] + 9, 1001);
	get_far(0, sent + 1001, 70001);
	get_far(80000, sent + 71002, 333);
	expect_copied(run(&f.p, sqe), sizeof(sent));
	EXPECT(is_far(100000, sent, 40000));
	EXPECT(!memcmp(mem[1] + 3, sent + 40000, 5));
	EXPECT(is_far(200000, sent + 40005, 31330));
	EXPECT_EQ(mem[1][5000], 0);
	far_close(&f);
}

/* The bytes before the failure are copied, and no others. */
static void expect_failure(u32 length, u32 at, bool source)
{
	struct doca_seg near, out;
	struct far_program f;
	struct doca_cqe cqe;
	u32 i;

	far_open(&f);
	WRITE_ONCE(fails_at, at);
	near = near_seg(&f, source, 0, length);
	out = far_seg(&f, 0, length);
	cqe = source ? copy(&f, near, out) : copy(&f, out, near);
	EXPECT_EQ(cqe.status, DOCA_STATUS_BAD_MEMORY);
	EXPECT_EQ(cqe.length, at);
	EXPECT(is_far(0, mem[source], at));
	EXPECT_EQ(*place(at), (u8)(at * 31 + (at >> 8)));
	for (i = at; i < LENGTH; i++)
		BUG_ON(mem[1][i]);
	EXPECT_EQ(f.p.queue->state, DOCA_QUEUE_FLUSH);
	far_close(&f);
}

TEST(memory_that_fails_ends_a_copy_where_it_does)
{
	int source;

	for (source = 0; source < 2; source++) {
		expect_failure(1, 0, source);
		expect_failure(64, 63, source);
		expect_failure(1000, 256, source);
		expect_failure(1000, 300, source);
		expect_failure(SZ_256K + 77, 5, source);
		expect_failure(SZ_256K + 77, SZ_256K + 1, source);
	}
}

static void expect_refusal(bool only_read, u32 offset, u32 length, u32 status)
{
	struct doca_seg dst;
	struct far_program f;

	far_open(&f);
	dst = far_seg(&f, offset, length);
	if (only_read)
		dst.key = f.only_read;
	EXPECT_EQ(copy(&f, dst, near_seg(&f, 0, 0, 9)).status, status);
	far_close(&f);
}

TEST(what_is_not_allowed_is_not_by_any_kind)
{
	expect_refusal(true, 0, 64, DOCA_STATUS_BAD_ACCESS);
	expect_refusal(false, 1, FAR_LENGTH, DOCA_STATUS_BAD_RANGE);
}

static struct doca_cqe value_op(struct far_program *f, u16 opcode, u32 offset, u64 first,
				u64 second)
{
	struct doca_sqe sqe = { .opcode = opcode, .op = { first, second } };
	bool writes = opcode == DOCA_OP_SYNC_SET || opcode == DOCA_OP_SYNC_ADD;

	*(writes ? &sqe.dst : &sqe.src) = far_seg(f, offset, sizeof(u64));
	return run(&f->p, sqe);
}

TEST(values_are_written_and_read)
{
	struct doca_cqe cqe;
	struct far_program f;

	far_open(&f);
	expect_copied(value_op(&f, DOCA_OP_SYNC_SET, 8, 0x123456789abcdef0, 0), 8);
	cqe = value_op(&f, DOCA_OP_SYNC_GET, 8, 0, 0);
	expect_copied(cqe, 0);
	EXPECT_EQ(cqe.result[0], 0x123456789abcdef0);
	/* A value behind a function cannot be added to. */
	cqe = value_op(&f, DOCA_OP_SYNC_ADD, 8, 1, 0);
	EXPECT_EQ(cqe.status, DOCA_STATUS_NOT_SUPPORTED);
	EXPECT_EQ(cqe.length, 0);
	EXPECT_EQ(byte_of(8), 0xf0);
	far_close(&f);
}

TEST(values_that_cannot_be_accessed)
{
	static const u16 opcodes[] = { DOCA_OP_SYNC_SET, DOCA_OP_SYNC_GET, DOCA_OP_SYNC_WAIT_EQ };
	struct far_program f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		far_open(&f);
		WRITE_ONCE(fails_at, 8);
		EXPECT_EQ(value_op(&f, opcodes[i], 8, 0, 0).status, DOCA_STATUS_BAD_MEMORY);
		EXPECT_EQ(f.p.queue->waits.nr, 0);
		far_close(&f);
	}
}

static void begin_to_wait(struct far_program *f)
{
	far_open(f);
	expect_copied(value_op(f, DOCA_OP_SYNC_SET, 16, 0, 0), 8);
	value_op(f, DOCA_OP_SYNC_WAIT_EQ, 16, 5, U64_MAX);
	EXPECT_EQ(READ_ONCE(f->p.queue->waits.nr), 1);
}

/* The wait is the last to complete. */
static struct doca_cqe end_of_wait(struct far_program *f, u32 nr)
{
	EXPECT(until(done(&f->p) == nr));
	EXPECT_EQ(READ_ONCE(f->p.queue->waits.nr), 0);
	return completion(&f->p, nr - 1);
}

TEST(a_wait_ends_when_its_value_is_written)
{
	struct doca_cqe cqe;
	struct far_program f;

	begin_to_wait(&f);
	value_op(&f, DOCA_OP_SYNC_SET, 16, 4, 0);
	EXPECT_EQ(READ_ONCE(f.p.queue->waits.nr), 1);
	value_op(&f, DOCA_OP_SYNC_SET, 16, 5, 0);
	cqe = end_of_wait(&f, 4);
	expect_copied(cqe, 0);
	EXPECT_EQ(cqe.result[0], 5);
	far_close(&f);
}

TEST(a_wait_ends_when_its_memory_fails)
{
	struct far_program f;

	begin_to_wait(&f);
	WRITE_ONCE(fails_at, 16);
	EXPECT_EQ(end_of_wait(&f, 2).status, DOCA_STATUS_BAD_MEMORY);
	EXPECT_EQ(f.p.queue->state, DOCA_QUEUE_FLUSH);
	far_close(&f);
}

/* When the call returns, the kind's functions are not called any more. */
TEST(revoked_memory_is_let_go_by_its_kind)
{
	struct far_program f;

	far_open(&f);
	expect_copied(copy(&f, far_seg(&f, 0, 64), near_seg(&f, 0, 0, 64)), 64);
	ASSERT(!mem_dereg(f.p.fd, f.mem));
	EXPECT_EQ(copy(&f, far_seg(&f, 0, 64), near_seg(&f, 0, 0, 64)).status, DOCA_STATUS_BAD_KEY);
	far_close(&f);
}

/* They had a meaning once: programs that still use one must be told that it is gone. */
TEST(reserved_numbers_mean_nothing)
{
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.flags = BIT(1),
		.length = SZ_4K,
		.access = DOCA_ACCESS_LOCAL_READ,
	};
	struct doca_sqe sqe = { .opcode = 19 };
	struct far_program f;
	struct doca_query q;

	far_open(&f);
	EXPECT_EQ(doca_call(f.p.fd, DOCA_MEM_REG, &reg), -EOPNOTSUPP);
	ASSERT(!query(f.p.fd, &q));
	EXPECT(!(q.out_features & BIT(7)));
	EXPECT(!(q.out_opcodes & BIT_ULL(19)));
	EXPECT_EQ(run(&f.p, sqe).status, DOCA_STATUS_BAD_OPCODE);
	far_close(&f);
}

/* By another key, in another file. */
TEST(an_import_is_of_the_same_kind)
{
	struct doca_mem_import import;
	struct doca_blob blob;
	struct far_program f;

	far_open(&f);
	ASSERT(!mem_export(f.p.fd, f.key, 0, &blob, NULL));
	ASSERT(!mem_import(f.p.fd, f.p.device, &blob, &import));
	expect_copied(copy(&f, near_seg(&f, 1, 0, 1000), seg_at(import.out_key, far + 7, 1000)),
		      1000);
	EXPECT(is_far(7, mem[1], 1000));
	far_close(&f);
}
