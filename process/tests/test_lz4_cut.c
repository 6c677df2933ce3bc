// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* LZ4: what an operation makes of a stream is right however the memory is cut. */
#include "cut.h"
#include "lz4_made.h"

static void lz4_open(struct program *p)
{
	program_open(p);
	open_queue(p, (struct doca_queue_create){
			      .opcodes = BIT_ULL(DOCA_OP_LZ4),
			      .nr_segments = 2 * SEGMENTS,
		      });
}

static void lz4_close(struct program *p)
{
	program_close(p);
	EXPECT(until(!inproc_pinned()));
}

/* Make a stream of some form, and return the flags that an entry has for it. */
static u16 make(bool is_long)
{
	u32 nr, flags = any(4);

	begin();
	if (any(4) == 0) {
		put_block(any(is_long ? 1000 : 100), 0);
		return DOCA_SQE_LZ4_BLOCK;
	}
	for (nr = any(is_long ? 20 : 8); nr; nr--)
		put_framed(any(is_long ? 200 : 50), flags);
	if (any(2))
		put_word(0);
	return (flags & DOCA_LZ4_CHECKSUM ? DOCA_SQE_LZ4_CHECKSUM : 0) |
	       (flags & DOCA_LZ4_INDEPENDENT ? DOCA_SQE_LZ4_INDEPENDENT : 0);
}

static void expect_any_cut(struct program *p, bool is_long)
{
	u32 src = any(200), dst = any(200), room;
	struct doca_sqe sqe = { .opcode = DOCA_OP_LZ4 };
	struct doca_cqe cqe;

	sqe.flags = make(is_long) | any(4);
	ASSERT(src + in_size <= LENGTH && dst + out_size < LENGTH);
	room = min_t(u32, out_size + any(2) * any(100), LENGTH - dst);
	memcpy(mem[0] + src, in, in_size);
	memset(mem[1], 0x5a, LENGTH);
	sqe.src = seg_at(p->key, mem[0] + src, in_size);
	sqe.dst = seg_at(p->key, mem[1] + dst, room);
	if (sqe.flags & DOCA_SQE_SRC_LIST)
		sqe.src = cut(p, 0, mem[0] + src, in_size);
	if (sqe.flags & DOCA_SQE_DST_LIST)
		sqe.dst = cut(p, SEGMENTS, mem[1] + dst, room);
	cqe = run(p, sqe);
	smp_store_release(&p->queue->ring.u->cq_head, done(p));
	EXPECT_EQ(cqe.status, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(cqe.length, out_size);
	EXPECT_EQ(cqe.result[1], in_size);
	EXPECT(!memcmp(mem[1] + dst, out, out_size));
	EXPECT_EQ(mem[1][dst + out_size], 0x5a);
	EXPECT(!dst || mem[1][dst - 1] == 0x5a);
}

/* Long ones take several steps. */
TEST(any_cut_gives_the_same)
{
	struct program p;
	u32 i;

	lz4_open(&p);
	for (i = 0; i < cuts(); i++)
		expect_any_cut(&p, i % 8 == 0);
	lz4_close(&p);
}
