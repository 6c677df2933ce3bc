// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* GF_MATRIX: its blocks are right however the memory is cut, and are those of ISA-L. */
#include <dlfcn.h>
#include <stdlib.h>

#include "algo/gf.h"
#include "cut.h"
#include "erasure_coding/matrix.h"
#include "poison.h"

#define MAX_K 6
#define MAX_M 4

static void matrix_open(struct program *p)
{
	u32 i;

	program_open(p);
	open_queue(p, (struct doca_queue_create){
			      .opcodes = BIT_ULL(DOCA_OP_GF_MATRIX),
			      .nr_segments = 2 * SEGMENTS,
		      });
	for (i = 0; i < LENGTH; i++)
		mem[0][i] = any(256);
	memset(mem[1], 0, LENGTH);
}

static void matrix_close(struct program *p)
{
	program_close(p);
	EXPECT(until(!inproc_pinned()));
}

static u32 add_matrix(const struct program *p, const u8 *coefficients, u32 rows, u32 columns)
{
	u32 id = 0;

	EXPECT(!matrix_create(p->fd, p->device, coefficients, rows, columns, &id));
	return id;
}

static struct doca_sqe sqe_matrix(const struct program *p, u32 object, u32 src, u32 dst)
{
	return (struct doca_sqe){
		.opcode = DOCA_OP_GF_MATRIX,
		.aux = object,
		.src = seg_at(p->key, mem[0], src),
		.dst = seg_at(p->key, mem[1], dst),
	};
}

/* The ring of completions has room for more entries then. */
static struct doca_cqe run_reaped(struct program *p, struct doca_sqe sqe)
{
	struct doca_cqe cqe = run(p, sqe);

	smp_store_release(&p->queue->ring.u->cq_head, done(p));
	return cqe;
}

/* Multiply by the function for blocks that are each contiguous. */
static void multiply(const u8 *coefficients, u32 rows, u32 columns, u32 length, const u8 *src,
		     u8 *dst)
{
	static u8 tables[EC_MAX_ROWS * EC_MAX_COLUMNS * DOCA_GF_TABLE];
	const u8 *from[EC_MAX_COLUMNS];
	u8 *to[EC_MAX_ROWS];
	u32 i;

	doca_gf_tables(tables, coefficients, rows * columns);
	for (i = 0; i < columns; i++)
		from[i] = src + i * length;
	for (i = 0; i < rows; i++)
		to[i] = dst + i * length;
	doca_gf_multiply(&(struct doca_gf_product){ tables, rows, columns, columns, false, from,
						    to },
			 0, length);
}

static u8 expected[LENGTH + 64];

/* Any matrix and any cut; what is behind the blocks stays as it was. */
static void expect_any_cut(struct program *p)
{
	u32 rows = 1 + any(any(4) ? 5 : EC_MAX_ROWS), columns = 1 + any(any(4) ? 12 : 128);
	u32 most = LENGTH / 2 / max(rows, columns) / 64;
	u32 length = 64 * (1 + any(any(8) ? min(most, 40U) : most));
	u32 i, id, offset = any(200), to = any(200);
	u8 coefficients[EC_MAX_ROWS * EC_MAX_COLUMNS];
	struct doca_sqe sqe;
	struct doca_cqe cqe;

	for (i = 0; i < rows * columns; i++)
		coefficients[i] = any(256);
	multiply(coefficients, rows, columns, length, (u8 *)mem[0] + offset, expected);
	id = add_matrix(p, coefficients, rows, columns);
	sqe = sqe_matrix(p, id, columns * length, rows * length);
	sqe.flags = any(4);
	sqe.src.address += offset;
	sqe.dst.address += to;
	if (sqe.flags & DOCA_SQE_SRC_LIST)
		sqe.src = cut(p, 0, mem[0] + offset, columns * length);
	if (sqe.flags & DOCA_SQE_DST_LIST)
		sqe.dst = cut(p, SEGMENTS, mem[1] + to, rows * length);
	memset(mem[1], 0x5a, to + rows * length + 64);
	cqe = run_reaped(p, sqe);
	EXPECT_EQ(cqe.status, DOCA_STATUS_SUCCESS);
	EXPECT_EQ(cqe.length, rows * length);
	EXPECT_EQ(cqe.result[0], 0);
	EXPECT_EQ(cqe.result[1], columns * length);
	EXPECT(!memcmp(mem[1] + to, expected, rows * length));
	EXPECT_EQ(mem[1][to + rows * length], 0x5a);
	EXPECT(!to || mem[1][to - 1] == 0x5a);
	EXPECT_EQ(object_destroy(p->fd, DOCA_OBJECT_GF_MATRIX, id), 0);
}

TEST(any_cut_gives_the_same)
{
	struct program p;
	u32 i;

	matrix_open(&p);
	for (i = 0; i < cuts(); i++)
		expect_any_cut(&p);
	matrix_close(&p);
}

/* Then everything is copied by code that expects an error of the memory. */
TEST(memory_with_an_error)
{
	static const u8 sum[] = { 1, 1 };
	struct program p;
	u32 i, id;

	matrix_open(&p);
	doca_poison_survivable = true;
	for (i = 0; i < 100; i++)
		expect_any_cut(&p);
	id = add_matrix(&p, sum, 1, 2);
	inproc_poison = mem[0] + LENGTH - 100;
	EXPECT_EQ(run(&p, sqe_matrix(&p, id, LENGTH, LENGTH)).status, DOCA_STATUS_BAD_MEMORY);
	inproc_poison = NULL;
	doca_poison_survivable = false;
	matrix_close(&p);
}

static void expect_loss(struct program *p, const struct ec_coding *coding, const u32 *lost, u32 nr)
{
	u32 rows = coding->rows, columns = coding->columns, i, c, n = 0;
	u8 coefficients[MAX_M * MAX_K];
	struct doca_sqe sqe;
	u32 id;

	EXPECT(doca_priv_ec_recover(coding, lost, nr, coefficients));
	id = add_matrix(p, coefficients, nr, columns);
	sqe = sqe_matrix(p, id, 0, nr * 64);
	sqe.flags = DOCA_SQE_SRC_LIST;
	sqe.src = (struct doca_seg){ .length = columns };
	for (i = 0, c = 0; i < rows + columns && n < columns; i++) {
		if (c < nr && lost[c] == i)
			c++;
		else
			segs_of(p->queue)[n++] = seg_at(p->key, mem[0] + 64 * i, 64);
	}
	EXPECT_EQ(run_reaped(p, sqe).status, DOCA_STATUS_SUCCESS);
	for (i = 0; i < nr; i++)
		EXPECT(!memcmp(mem[1] + 64 * i, mem[0] + 64 * lost[i], 64));
	EXPECT_EQ(object_destroy(p->fd, DOCA_OBJECT_GF_MATRIX, id), 0);
}

static void expect_all_losses(struct program *p, const struct ec_coding *coding)
{
	u32 set, i, nr, blocks = coding->rows + coding->columns;
	u32 lost[MAX_M];

	for (set = 1; set < 1U << blocks; set++) {
		if ((u32)__builtin_popcount(set) > coding->rows)
			continue;
		for (i = 0, nr = 0; i < blocks; i++)
			if (set >> i & 1)
				lost[nr++] = i;
		expect_loss(p, coding, lost, nr);
	}
}

TEST(what_is_lost_comes_back)
{
	u8 coefficients[MAX_M * MAX_K];
	struct ec_coding coding = { .coefficients = coefficients };
	struct program p;
	u32 i, id;

	matrix_open(&p);
	for (i = 0; i < 2 * MAX_K * MAX_M; i++) {
		coding.columns = 1 + i / 2 % MAX_K;
		coding.rows = 1 + i / 2 / MAX_K;
		(i & 1 ? doca_priv_ec_cauchy : doca_priv_ec_vandermonde)(coefficients, coding.rows,
									 coding.columns);
		id = add_matrix(&p, coefficients, coding.rows, coding.columns);
		EXPECT_EQ(run_reaped(&p, sqe_matrix(&p, id, 64 * coding.columns, 64 * coding.rows))
				  .status,
			  DOCA_STATUS_SUCCESS);
		memcpy(mem[0] + 64 * coding.columns, mem[1], 64 * coding.rows);
		expect_all_losses(&p, &coding);
	}
	matrix_close(&p);
}

TEST(blocks_are_those_of_isal)
{
	void (*init)(int columns, int rows, u8 *matrix, u8 *tables);
	void (*encode)(int length, int columns, int rows, u8 *tables, u8 **src, u8 **dst);
	void *library = dlopen("libisal.so.2", RTLD_NOW);
	static u8 tables[32 * 14 * 10];
	u8 coefficients[40], *src[10], *dst[4];
	struct program p;
	u32 i, id;

	if (!library)
		SKIP("no libisal.so.2");
	init = dlsym(library, "ec_init_tables");
	encode = dlsym(library, "ec_encode_data");
	matrix_open(&p);
	for (i = 0; i < 10; i++)
		src[i] = (u8 *)mem[0] + 4096 * i;
	for (i = 0; i < 4; i++)
		dst[i] = expected + 4096 * i;
	for (i = 0; i < 2; i++) {
		(i ? doca_priv_ec_cauchy : doca_priv_ec_vandermonde)(coefficients, 4, 10);
		init(10, 4, coefficients, tables);
		encode(4096, 10, 4, tables, src, dst);
		id = add_matrix(&p, coefficients, 4, 10);
		EXPECT_EQ(run(&p, sqe_matrix(&p, id, 40960, 4 * 4096)).status, DOCA_STATUS_SUCCESS);
		EXPECT(!memcmp(mem[1], expected, 4 * 4096));
	}
	matrix_close(&p);
}

TEST(what_is_wrong)
{
	static const u8 coefficients[6];
	struct doca_sqe good, bad[10];
	static const u32 statuses[ARRAY_SIZE(bad)] = {
		DOCA_STATUS_BAD_OBJECT, DOCA_STATUS_BAD_ENTRY,	DOCA_STATUS_BAD_ENTRY,
		DOCA_STATUS_BAD_LENGTH, DOCA_STATUS_BAD_LENGTH, DOCA_STATUS_BAD_LENGTH,
		DOCA_STATUS_BAD_LENGTH, DOCA_STATUS_BAD_KEY,	DOCA_STATUS_BAD_RANGE,
		DOCA_STATUS_BAD_ENTRY,
	};
	struct program p;
	u32 i;

	matrix_open(&p);
	good = sqe_matrix(&p, add_matrix(&p, coefficients, 2, 3), 3 * 64, 2 * 64);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		bad[i] = good;
	bad[0].aux = 0;
	bad[1].op[0] = 1;
	bad[2].flags = 1 << 8;
	bad[3].src.length = 0;
	bad[3].src.key = 0;
	bad[4].src.length += 64;
	bad[5].src.length += 3 * 32;
	bad[5].dst.length = LENGTH;
	bad[6].dst.length--;
	bad[7].dst.key++;
	bad[8].src.address -= LENGTH;
	bad[9].flags = DOCA_SQE_SRC_LIST;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(run(&p, good).status, DOCA_STATUS_SUCCESS);
		EXPECT_EQ(run(&p, bad[i]).status, statuses[i]);
		open_queue(&p, (struct doca_queue_create){
				       .opcodes = BIT_ULL(DOCA_OP_GF_MATRIX),
			       });
	}
	matrix_close(&p);
}

TEST(what_the_device_says)
{
	struct doca_device_query query = { .size = sizeof(query), .opcode = DOCA_OP_GF_MATRIX };
	struct program p;

	matrix_open(&p);
	EXPECT_EQ(doca_call(p.fd, DOCA_DEVICE_QUERY, &query), 0);
	EXPECT_EQ(query.out_flags, DOCA_OP_EXECUTED | DOCA_OP_SLICED);
	EXPECT_EQ(query.out_unit, 64);
	EXPECT_EQ(query.out_max_block, 16 << 20);
	EXPECT_EQ(query.out_max_rows, EC_MAX_ROWS);
	EXPECT_EQ(query.out_max_columns, EC_MAX_COLUMNS);
	EXPECT_EQ(query.out_max_src, 1 << 30);
	EXPECT_EQ(query.out_max_dst, 512 << 20);
	EXPECT_EQ(query.out_max_segments, SEGMENTS);
	matrix_close(&p);
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

static u32 steps_of(struct program *p, u32 rows, u32 length)
{
	static const u8 coefficients[EC_MAX_ROWS * 2];
	u32 steps = 1;

	put(p, sqe_matrix(p, add_matrix(p, coefficients, rows, 2), 2 * length, rows * length));
	while (step(p), done(p) < p->tail)
		steps++;
	EXPECT_EQ(completion(p, done(p) - 1).status, DOCA_STATUS_SUCCESS);
	return steps;
}

/* Four rows are made at a time; others on the worker wait no longer for more of them. */
TEST(a_step_takes_as_long_for_many_rows)
{
	struct program p;

	matrix_open(&p);
	EXPECT_EQ(steps_of(&p, 1, LENGTH / 2), 2);
	EXPECT_EQ(steps_of(&p, 1, SZ_64K), 1);
	EXPECT_EQ(steps_of(&p, 4, SZ_64K), 1);
	EXPECT_EQ(steps_of(&p, 8, SZ_64K), 1);
	matrix_close(&p);
}
