// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Erasure coding on the fake driver: matrices, what tasks make of them, and what they refuse. */
#include <doca_erasure_coding.h>

#include "bed.h"
#include "fault.h"

#define INFO (&fake_dev.info)
#define CAUCHY DOCA_EC_MATRIX_TYPE_CAUCHY
#define VANDERMONDE DOCA_EC_MATRIX_TYPE_VANDERMONDE
#define BLOCK FAKE_UNIT
static struct doca_ec *ec;
static const union doca_data seven = { .u64 = 7 };

static void begin(void)
{
	set_up(false, 1);
	fake.copies = 1ULL << DOCA_OP_GF_MATRIX;
	fake.multiplies = true;
	OK(doca_ec_create(&fake_dev, &ec));
	use_ctx(doca_ec_as_ctx(ec));
}

static void end(void)
{
	OK(doca_ec_destroy(ec));
	EXPECT_EQ(fake.objects, 0);
	tear_down();
}

#define DONE(kind)                                                                           \
	static void kind##_done(struct doca_ec_task_##kind *task, union doca_data task_data, \
				union doca_data ctx_data)                                    \
	{                                                                                    \
		(void)ctx_data;                                                              \
		record('S');                                                                 \
		bed.status = doca_task_get_status(doca_ec_task_##kind##_as_task(task));      \
		EXPECT_EQ(task_data.u64, 7);                                                 \
	}                                                                                    \
                                                                                             \
	static void kind##_failed(struct doca_ec_task_##kind *task, union doca_data data,    \
				  union doca_data ctx_data)                                  \
	{                                                                                    \
		kind##_done(task, data, ctx_data);                                           \
		bed.log[bed.n - 1] = 'E';                                                    \
	}

DONE(create)
DONE(recover)
DONE(update)
DONE(galois_mul)

/* One task of each kind. */
static void begin_tasks(void)
{
	begin();
	OK(doca_ec_task_create_set_conf(ec, create_done, create_failed, 1));
	OK(doca_ec_task_recover_set_conf(ec, recover_done, recover_failed, 1));
	OK(doca_ec_task_update_set_conf(ec, update_done, update_failed, 1));
	OK(doca_ec_task_galois_mul_set_conf(ec, galois_mul_done, galois_mul_failed, 1));
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
}

static void end_tasks(void)
{
	OK(doca_ctx_stop(bed.ctx));
	end();
}

static struct doca_ec_matrix *coding(enum doca_ec_matrix_type type, size_t k, size_t m)
{
	struct doca_ec_matrix *matrix = NULL;

	OK(doca_ec_matrix_create(ec, type, k, m, &matrix));
	return matrix;
}

static void run_task(struct doca_task *task, const char *end)
{
	OK(doca_task_submit(task));
	drain(bed.pe);
	EXPECT_STR(took(), end);
}

/* Make blocks from others, by a task of any kind; return them in a buffer of @rows blocks. */
static void recover(const struct doca_ec_matrix *matrix, const struct doca_buf *src,
		    struct doca_buf *dst)
{
	struct doca_ec_task_recover *task = NULL;

	OK(doca_ec_task_recover_allocate_init(ec, matrix, src, dst, seven, &task));
	OK(doca_task_try_submit(doca_ec_task_recover_as_task(task)));
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	EXPECT_EQ(bed.status, DOCA_SUCCESS);
	doca_task_free(doca_ec_task_recover_as_task(task));
}

static bool is_block(const char *made, const char *block)
{
	return !memcmp(made, block, BLOCK);
}

TEST(lost_blocks_come_back)
{
	uint32_t lost[] = { 4, 1 }; /* redundancy, and data */
	struct doca_ec_matrix *matrix, *back = NULL;
	struct doca_ec_task_create *task = NULL;
	struct doca_buf *src, *rdnc, *left, *third, *fourth, *dst;

	begin_tasks();
	EXPECT_EQ(fake.attr.opcodes, 1ULL << DOCA_OP_GF_MATRIX);
	matrix = coding(CAUCHY, 3, 2);
	src = source(0, 3 * BLOCK);
	rdnc = room(0, 2 * BLOCK);
	OK(doca_ec_task_create_allocate_init(ec, matrix, src, rdnc, seven, &task));
	run_task(doca_ec_task_create_as_task(task), "S");
	EXPECT_EQ(data_len(rdnc), 2 * BLOCK);
	doca_task_free(doca_ec_task_create_as_task(task));

	OK(doca_ec_matrix_create_recover(ec, matrix, lost, 2, &back));
	OK(doca_ec_matrix_destroy(matrix));
	left = source(0, BLOCK);
	third = source(2 * BLOCK, BLOCK);
	OK(doca_buf_inventory_buf_get_by_data(bed.inv, bed.mmap, data_of(rdnc), BLOCK, &fourth));
	OK(doca_buf_chain_list(left, third));
	OK(doca_buf_chain_list(left, fourth));
	dst = room(1024, 2 * BLOCK);
	recover(back, left, dst);
	EXPECT(is_block(data_of(dst), data_of(rdnc) + BLOCK));
	EXPECT(is_block(data_of(dst) + BLOCK, bed.mem + BLOCK));
	OK(doca_ec_matrix_destroy(back));
	put(src);
	put(rdnc);
	put(left);
	put(dst);
	end_tasks();
}

/* So public programs do: the sum of what is left is what was lost. */
TEST(a_coding_matrix_brings_one_block_back)
{
	struct doca_buf *src, *sum, *left, *other, *dst;
	struct doca_ec_matrix *matrix;

	begin_tasks();
	matrix = coding(VANDERMONDE, 2, 1);
	src = source(0, 2 * BLOCK);
	sum = room(0, BLOCK);
	recover(matrix, src, sum);
	OK(doca_buf_inventory_buf_get_by_data(bed.inv, bed.mmap, data_of(sum), BLOCK, &left));
	other = source(BLOCK, BLOCK);
	OK(doca_buf_chain_list(left, other));
	dst = room(1024, BLOCK);
	recover(matrix, left, dst);
	EXPECT(is_block(data_of(dst), bed.mem));
	OK(doca_ec_matrix_destroy(matrix));
	put(src);
	put(sum);
	put(left);
	put(dst);
	end_tasks();
}

TEST(redundancy_follows_data_that_changes)
{
	struct doca_buf *before, *after, *old, *new, *all, *part, *dst;
	struct doca_ec_matrix *matrix, *change = NULL;
	struct doca_ec_task_update *task = NULL;
	uint32_t second[] = { 1 };
	uint8_t was[BLOCK];

	begin_tasks();
	matrix = coding(CAUCHY, 3, 2);
	before = source(0, 3 * BLOCK);
	old = room(0, 2 * BLOCK);
	recover(matrix, before, old);
	memcpy(was, bed.mem + BLOCK, BLOCK);
	memset(bed.mem + BLOCK, 0x5a, BLOCK);
	after = source(0, 3 * BLOCK);
	new = room(1024, 2 * BLOCK);
	recover(matrix, after, new);

	OK(doca_ec_matrix_create_update(ec, matrix, second, 1, &change));
	memcpy(bed.mem + 4 * BLOCK, was, BLOCK);
	memset(bed.mem + 5 * BLOCK, 0x5a, BLOCK);
	all = source(4 * BLOCK, 2 * BLOCK);
	OK(doca_buf_inventory_buf_get_by_data(bed.inv, bed.mmap, data_of(old), 2 * BLOCK, &part));
	OK(doca_buf_chain_list(all, part));
	dst = room(2048, 2 * BLOCK);
	OK(doca_ec_task_update_allocate_init(ec, change, all, dst, seven, &task));
	run_task(doca_ec_task_update_as_task(task), "S");
	doca_task_free(doca_ec_task_update_as_task(task));
	EXPECT(is_block(data_of(dst), data_of(new)));
	EXPECT(is_block(data_of(dst) + BLOCK, data_of(new) + BLOCK));
	OK(doca_ec_matrix_destroy(matrix));
	OK(doca_ec_matrix_destroy(change));
	put(before);
	put(after);
	put(old);
	put(new);
	put(all);
	put(dst);
	end_tasks();
}

TEST(coefficients_of_the_programs_own)
{
	uint8_t swap[] = { 0, 1, 1, 0 };
	struct doca_ec_task_galois_mul *task = NULL;
	struct doca_ec_matrix *matrix = NULL;
	struct doca_buf *src, *dst;

	begin_tasks();
	OK(doca_ec_matrix_create_from_raw(ec, swap, 2, 2, &matrix));
	memset(swap, 0, sizeof(swap));
	src = source(0, 2 * BLOCK);
	dst = room(0, 2 * BLOCK);
	OK(doca_ec_task_galois_mul_allocate_init(ec, matrix, src, dst, seven, &task));
	run_task(doca_ec_task_galois_mul_as_task(task), "S");
	EXPECT(is_block(data_of(dst), bed.mem + BLOCK));
	EXPECT(is_block(data_of(dst) + BLOCK, bed.mem));
	doca_task_free(doca_ec_task_galois_mul_as_task(task));
	OK(doca_ec_matrix_destroy(matrix));
	put(src);
	put(dst);
	end_tasks();
}

/* Setters and getters of a kind of task. */
#define EXPECT_VALUES(kind, the_matrix, source_of, destination_of, set_destination)            \
	do {                                                                                   \
		struct doca_ec_task_##kind *task = NULL;                                       \
                                                                                               \
		OK(doca_ec_task_##kind##_allocate_init(ec, matrix, NULL, NULL, seven, &task)); \
		EXPECT(doca_ec_task_##kind##_get_##the_matrix(task) == matrix);                \
		doca_ec_task_##kind##_set_##the_matrix(task, other);                           \
		EXPECT(doca_ec_task_##kind##_get_##the_matrix(task) == other);                 \
		EXPECT(!doca_ec_task_##kind##_get_##source_of(task));                          \
		doca_ec_task_##kind##_set_##source_of(task, src);                              \
		EXPECT(doca_ec_task_##kind##_get_##source_of(task) == src);                    \
		EXPECT(!doca_ec_task_##kind##_get_##destination_of(task));                     \
		doca_ec_task_##kind##_set_##set_destination(task, dst);                        \
		EXPECT(doca_ec_task_##kind##_get_##destination_of(task) == dst);               \
		doca_task_free(doca_ec_task_##kind##_as_task(task));                           \
	} while (0)

TEST(values_of_tasks)
{
	struct doca_ec_matrix *matrix, *other;
	struct doca_buf *src, *dst;

	begin_tasks();
	matrix = coding(CAUCHY, 1, 1);
	other = coding(CAUCHY, 2, 1);
	src = source(0, BLOCK);
	dst = room(0, BLOCK);
	EXPECT_VALUES(create, coding_matrix, original_data_blocks, rdnc_blocks, rdnc_blocks);
	EXPECT_VALUES(recover, recover_matrix, available_blocks, recovered_data,
		      recovered_data_blocks);
	EXPECT_VALUES(update, update_matrix, original_updated_and_rdnc_blocks, updated_rdnc_blocks,
		      updated_rdnc_blocks);
	EXPECT_VALUES(galois_mul, coding_matrix, src_buf, dst_buf, dst_buf);
	OK(doca_ec_matrix_destroy(matrix));
	OK(doca_ec_matrix_destroy(other));
	put(src);
	put(dst);
	end_tasks();
}

/* A task that is wrong; a context lasts for one failure. */
static void expect_refused(const struct doca_ec_matrix *matrix, const struct doca_buf *src,
			   struct doca_buf *dst, const char *why)
{
	struct doca_ec_task_create *task = NULL;

	OK(doca_ec_task_create_allocate_init(ec, matrix, src, dst, seven, &task));
	FAILS(doca_task_try_submit(doca_ec_task_create_as_task(task)), INVALID_VALUE, why);
	run_task(doca_ec_task_create_as_task(task), "Es");
	EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
	doca_task_free(doca_ec_task_create_as_task(task));
	drain(bed.pe);
	EXPECT_STR(took(), "i");
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
	logged();
}

TEST(what_tasks_refuse)
{
	struct doca_buf *src, *dst, *odd, *half, *large, *small;
	struct doca_ec_matrix *matrix, *one;

	begin_tasks();
	matrix = coding(CAUCHY, 2, 2);
	one = coding(CAUCHY, 1, 1);
	src = source(0, 2 * BLOCK);
	odd = source(0, 2 * BLOCK + 1);
	half = source(0, BLOCK);
	large = source(0, FAKE_MAX_BLOCK + BLOCK);
	dst = room(0, 2 * BLOCK);
	small = room(0, 2 * BLOCK - 1);
	expect_refused(matrix, NULL, dst, "original data is missing");
	expect_refused(matrix, src, NULL, "redundancy is missing");
	expect_refused(matrix, odd, dst, "multiple of 64");
	expect_refused(matrix, half, dst, "multiple of 64");
	expect_refused(one, large, dst, "up to 4096");
	expect_refused(matrix, src, small, "room for 127 bytes, 2 blocks have 128");
	OK(doca_ec_matrix_destroy(matrix));
	OK(doca_ec_matrix_destroy(one));
	put(src);
	put(dst);
	put(odd);
	put(half);
	put(large);
	put(small);
	end_tasks();
}

TEST(matrices_that_cannot_be)
{
	uint32_t twice[] = { 1, 1 }, beyond[] = { 5 }, down[] = { 1, 0 }, some[] = { 0, 1, 2 };
	struct doca_ec_matrix *matrix, *made = NULL;
	uint8_t raw[4] = { 0 };

	begin();
	FAILS(doca_ec_matrix_create(ec, 0, 1, 1, &made), INVALID_VALUE, "no type of matrix 0");
	FAILS(doca_ec_matrix_create(ec, 3, 1, 1, &made), INVALID_VALUE, "no type of matrix 3");
	FAILS(doca_ec_matrix_create(ec, CAUCHY, 0, 1, &made), INVALID_VALUE, "not 0 and 1");
	FAILS(doca_ec_matrix_create(ec, CAUCHY, 129, 1, &made), INVALID_VALUE, "not 129 and 1");
	FAILS(doca_ec_matrix_create(ec, CAUCHY, 1, 0, &made), INVALID_VALUE, "not 1 and 0");
	FAILS(doca_ec_matrix_create(ec, CAUCHY, 1, 33, &made), INVALID_VALUE, "not 1 and 33");
	FAILS(doca_ec_matrix_create_from_raw(ec, raw, 0, 1, &made), INVALID_VALUE, "not 0 and 1");
	matrix = coding(CAUCHY, 3, 2);
	FAILS(doca_ec_matrix_create_recover(ec, matrix, some, 0, &made), INVALID_VALUE,
	      "1 to 2 indices below 5");
	FAILS(doca_ec_matrix_create_recover(ec, matrix, some, 3, &made), INVALID_VALUE, "indices");
	FAILS(doca_ec_matrix_create_recover(ec, matrix, twice, 2, &made), INVALID_VALUE, "indices");
	FAILS(doca_ec_matrix_create_recover(ec, matrix, beyond, 1, &made), INVALID_VALUE,
	      "indices");
	FAILS(doca_ec_matrix_create_update(ec, matrix, some, 0, &made), INVALID_VALUE,
	      "1 to 3 indices below 3");
	FAILS(doca_ec_matrix_create_update(ec, matrix, beyond, 1, &made), INVALID_VALUE, "indices");
	FAILS(doca_ec_matrix_create_update(ec, matrix, down, 2, &made), INVALID_VALUE, "ascend");
	OK(doca_ec_matrix_destroy(matrix));

	/* Neither row has anything of the first block. */
	OK(doca_ec_matrix_create_from_raw(ec, raw, 2, 2, &matrix));
	FAILS(doca_ec_matrix_create_recover(ec, matrix, some, 1, &made), INVALID_VALUE, "Cauchy");
	OK(doca_ec_matrix_destroy(matrix));
	EXPECT(!made);
	end();
}

TEST(what_the_driver_refuses)
{
	struct doca_ec_matrix *made = NULL;

	begin();
	fake.object_error = -EDQUOT;
	FAILS(doca_ec_matrix_create(ec, CAUCHY, 1, 1, &made), NO_MEMORY, "max_objects");
	fake.object_error = -ENOSPC;
	FAILS(doca_ec_matrix_create(ec, CAUCHY, 1, 1, &made), NO_MEMORY, "65535");
	fake.object_error = -ENOMEM;
	FAILS(doca_ec_matrix_create(ec, CAUCHY, 1, 1, &made), NO_MEMORY, "out of memory");
	fake.object_error = -ENODEV;
	FAILS(doca_ec_matrix_create(ec, CAUCHY, 1, 1, &made), DRIVER, "No such device");
	fake.object_error = 0;
	EXPECT(!made);
	end();
}

TEST(a_matrix_in_use_stays)
{
	struct doca_ec_task_create *task = NULL;
	struct doca_ec_matrix *matrix, *other;
	struct doca_buf *src, *dst;

	begin_tasks();
	matrix = coding(CAUCHY, 1, 1);
	other = coding(CAUCHY, 1, 1);
	src = source(0, BLOCK);
	dst = room(0, BLOCK);
	OK(doca_ec_task_create_allocate_init(ec, matrix, src, dst, seven, &task));
	fake.enter_fails = true;
	OK(doca_task_submit(doca_ec_task_create_as_task(task)));
	FAILS(doca_ec_matrix_destroy(matrix), IN_USE, "1 tasks in flight");
	logged();
	doca_ec_task_create_set_coding_matrix(task, other);
	EXPECT_LOGGED("in flight");
	EXPECT(doca_ec_task_create_get_coding_matrix(task) == matrix);
	fake.enter_fails = false;
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	OK(doca_ec_matrix_destroy(matrix));
	doca_task_free(doca_ec_task_create_as_task(task));
	OK(doca_ctx_stop(bed.ctx));
	FAILS(doca_ec_destroy(ec), IN_USE, "1 matrices");
	OK(doca_ec_matrix_destroy(other));
	put(src);
	put(dst);
	end();
}

TEST(a_matrix_is_of_one_context)
{
	struct doca_ec_task_create *task = NULL;
	struct doca_ec_matrix *matrix, *own;
	struct doca_ec *second;

	begin_tasks();
	OK(doca_ec_create(&fake_dev, &second));
	OK(doca_ec_matrix_create(second, CAUCHY, 1, 1, &matrix));
	own = coding(CAUCHY, 1, 1);
	FAILS(doca_ec_task_create_allocate_init(ec, matrix, NULL, NULL, seven, &task),
	      INVALID_VALUE, "of another EC");
	OK(doca_ec_task_create_allocate_init(ec, own, NULL, NULL, seven, &task));
	doca_ec_task_create_set_coding_matrix(task, matrix);
	EXPECT(doca_ec_task_create_get_coding_matrix(task) == own);
	logged();
	doca_task_free(doca_ec_task_create_as_task(task));
	OK(doca_ec_matrix_destroy(matrix));
	OK(doca_ec_matrix_destroy(own));
	OK(doca_ec_destroy(second));
	end_tasks();
}

/* All capabilities of a device that has no such tasks, or cannot be asked. */
static void ask_all(doca_error_t error)
{
	uint64_t block;
	uint32_t list;

	EXPECT_EQ(doca_ec_cap_task_create_is_supported(INFO), error);
	EXPECT_EQ(doca_ec_cap_task_recover_is_supported(INFO), error);
	EXPECT_EQ(doca_ec_cap_task_update_is_supported(INFO), error);
	EXPECT_EQ(doca_ec_cap_task_galois_mul_is_supported(INFO), error);
	EXPECT_EQ(doca_ec_cap_get_max_block_size(INFO, &block), error);
	EXPECT_EQ(doca_ec_cap_get_max_buf_list_len(INFO, &list), error);
	EXPECT_EQ(doca_ec_create(&fake_dev, &ec), error);
}

TEST(devices_without_tasks)
{
	set_up(false, 1);
	ask_all(DOCA_ERROR_NOT_SUPPORTED);
	fake.get_error = -ENOENT;
	ask_all(DOCA_ERROR_DRIVER);
	fake.get_error = 0;
	tear_down();
}

TEST(matrices_of_all_kinds_may_be_refused)
{
	uint32_t first[] = { 0 };
	struct doca_ec_matrix *matrix, *made;
	uint8_t raw[] = { 1 };

	begin();
	matrix = coding(CAUCHY, 1, 1);
	fake.object_error = -EDQUOT;
	ERR(doca_ec_matrix_create_from_raw(ec, raw, 1, 1, &made), NO_MEMORY);
	ERR(doca_ec_matrix_create_recover(ec, matrix, first, 1, &made), NO_MEMORY);
	ERR(doca_ec_matrix_create_update(ec, matrix, first, 1, &made), NO_MEMORY);
	fake.object_error = -EPERM;
	ERR(doca_ec_matrix_create_from_raw(ec, raw, 1, 1, &made), DRIVER);
	ERR(doca_ec_matrix_create_recover(ec, matrix, first, 1, &made), DRIVER);
	ERR(doca_ec_matrix_create_update(ec, matrix, first, 1, &made), DRIVER);
	fake.object_error = 0;
	ERR(doca_ec_matrix_destroy(NULL), INVALID_VALUE);
	OK(doca_ec_matrix_destroy(matrix));
	end();
}

TEST(contexts_have_the_codes_that_are_documented)
{
	struct doca_ec *more;

	begin_tasks();
	EXPECT_FAULTS(FAULT_ALLOC, doca_ec_create(&fake_dev, &more), NO_MEMORY,
		      OK(doca_ec_destroy(more)));
	ERR(doca_ec_create(NULL, &more), INVALID_VALUE);
	ERR(doca_ec_destroy(NULL), INVALID_VALUE);
	ERR(doca_ec_destroy(ec), IN_USE);
	end_tasks();
}

TEST(the_create_task_has_the_codes_that_are_documented)
{
	struct doca_ec_task_create *task = NULL, *more;
	struct doca_ec_matrix *matrix;

	begin();
	matrix = coding(CAUCHY, 1, 1);
	ERR(doca_ec_task_create_set_conf(ec, NULL, create_failed, 1), INVALID_VALUE);
	ERR(doca_ec_task_create_set_conf(ec, create_done, create_failed, 0), INVALID_VALUE);
	ERR(doca_ec_task_create_allocate_init(ec, matrix, NULL, NULL, seven, &task), BAD_STATE);
	OK(doca_ec_matrix_destroy(matrix));
	end();
	begin_tasks();
	matrix = coding(CAUCHY, 1, 1);
	OK(doca_ec_task_create_allocate_init(ec, matrix, NULL, NULL, seven, &task));
	ERR(doca_ec_task_create_allocate_init(ec, matrix, NULL, NULL, seven, &more), NO_MEMORY);
	ERR(doca_ec_task_create_allocate_init(ec, NULL, NULL, NULL, seven, &more), INVALID_VALUE);
	ERR(doca_ec_task_create_set_conf(ec, create_done, create_failed, 1), BAD_STATE);
	doca_task_free(doca_ec_task_create_as_task(task));
	OK(doca_ec_matrix_destroy(matrix));
	end_tasks();
}

TEST(the_recover_task_has_the_codes_that_are_documented)
{
	struct doca_ec_task_recover *task = NULL, *more;
	struct doca_ec_matrix *matrix;

	begin();
	matrix = coding(CAUCHY, 1, 1);
	ERR(doca_ec_task_recover_set_conf(ec, NULL, recover_failed, 1), INVALID_VALUE);
	ERR(doca_ec_task_recover_set_conf(ec, recover_done, recover_failed, 0), INVALID_VALUE);
	ERR(doca_ec_task_recover_allocate_init(ec, matrix, NULL, NULL, seven, &task), BAD_STATE);
	OK(doca_ec_matrix_destroy(matrix));
	end();
	begin_tasks();
	matrix = coding(CAUCHY, 1, 1);
	OK(doca_ec_task_recover_allocate_init(ec, matrix, NULL, NULL, seven, &task));
	ERR(doca_ec_task_recover_allocate_init(ec, matrix, NULL, NULL, seven, &more), NO_MEMORY);
	ERR(doca_ec_task_recover_allocate_init(ec, NULL, NULL, NULL, seven, &more), INVALID_VALUE);
	ERR(doca_ec_task_recover_set_conf(ec, recover_done, recover_failed, 1), BAD_STATE);
	doca_task_free(doca_ec_task_recover_as_task(task));
	OK(doca_ec_matrix_destroy(matrix));
	end_tasks();
}

TEST(the_update_task_has_the_codes_that_are_documented)
{
	struct doca_ec_task_update *task = NULL, *more;
	struct doca_ec_matrix *matrix;

	begin();
	matrix = coding(CAUCHY, 1, 1);
	ERR(doca_ec_task_update_set_conf(ec, NULL, update_failed, 1), INVALID_VALUE);
	ERR(doca_ec_task_update_set_conf(ec, update_done, update_failed, 0), INVALID_VALUE);
	ERR(doca_ec_task_update_allocate_init(ec, matrix, NULL, NULL, seven, &task), BAD_STATE);
	OK(doca_ec_matrix_destroy(matrix));
	end();
	begin_tasks();
	matrix = coding(CAUCHY, 1, 1);
	OK(doca_ec_task_update_allocate_init(ec, matrix, NULL, NULL, seven, &task));
	ERR(doca_ec_task_update_allocate_init(ec, matrix, NULL, NULL, seven, &more), NO_MEMORY);
	ERR(doca_ec_task_update_allocate_init(ec, NULL, NULL, NULL, seven, &more), INVALID_VALUE);
	ERR(doca_ec_task_update_set_conf(ec, update_done, update_failed, 1), BAD_STATE);
	doca_task_free(doca_ec_task_update_as_task(task));
	OK(doca_ec_matrix_destroy(matrix));
	end_tasks();
}

TEST(the_galois_mul_task_has_the_codes_that_are_documented)
{
	struct doca_ec_task_galois_mul *task = NULL, *more;
	struct doca_ec_matrix *matrix;

	begin();
	matrix = coding(CAUCHY, 1, 1);
	ERR(doca_ec_task_galois_mul_set_conf(ec, NULL, galois_mul_failed, 1), INVALID_VALUE);
	ERR(doca_ec_task_galois_mul_set_conf(ec, galois_mul_done, galois_mul_failed, 0),
	    INVALID_VALUE);
	ERR(doca_ec_task_galois_mul_allocate_init(ec, matrix, NULL, NULL, seven, &task), BAD_STATE);
	OK(doca_ec_matrix_destroy(matrix));
	end();
	begin_tasks();
	matrix = coding(CAUCHY, 1, 1);
	OK(doca_ec_task_galois_mul_allocate_init(ec, matrix, NULL, NULL, seven, &task));
	ERR(doca_ec_task_galois_mul_allocate_init(ec, matrix, NULL, NULL, seven, &more), NO_MEMORY);
	ERR(doca_ec_task_galois_mul_allocate_init(ec, NULL, NULL, NULL, seven, &more),
	    INVALID_VALUE);
	ERR(doca_ec_task_galois_mul_set_conf(ec, galois_mul_done, galois_mul_failed, 1), BAD_STATE);
	doca_task_free(doca_ec_task_galois_mul_as_task(task));
	OK(doca_ec_matrix_destroy(matrix));
	end_tasks();
}

TEST(capabilities)
{
	uint64_t block = 0;
	uint32_t list = 0;

	begin();
	OK(doca_ec_cap_task_create_is_supported(INFO));
	OK(doca_ec_cap_task_recover_is_supported(INFO));
	OK(doca_ec_cap_task_update_is_supported(INFO));
	OK(doca_ec_cap_task_galois_mul_is_supported(INFO));
	OK(doca_ec_cap_get_max_block_size(INFO, &block));
	OK(doca_ec_cap_get_max_buf_list_len(INFO, &list));
	EXPECT(block == FAKE_MAX_BLOCK && list == FAKE_LIST_MAX);
	end();
	fake.copies = 0;
	EXPECT_EQ(doca_ec_cap_task_create_is_supported(INFO), DOCA_ERROR_NOT_SUPPORTED);
	EXPECT_EQ(doca_ec_cap_get_max_block_size(INFO, &block), DOCA_ERROR_NOT_SUPPORTED);
}
