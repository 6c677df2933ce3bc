// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* SHA on the fake driver: what its tasks ask of the driver, and what they refuse. */
#include <doca_sha.h>

#include "bed.h"
#include "fault.h"

#define INFO (&fake_dev.info)
#define SHA1 DOCA_SHA_ALGORITHM_SHA1
#define SHA256 DOCA_SHA_ALGORITHM_SHA256
#define SHA512 DOCA_SHA_ALGORITHM_SHA512
#define UNKNOWN 3
#define ALL (1 << DOCA_HASH_SHA1 | 1 << DOCA_HASH_SHA256 | 1 << DOCA_HASH_SHA512)

static struct doca_sha *sha;
static const union doca_data none, seven = { .u64 = 7 };

static void begin(uint64_t variants)
{
	set_up(false, 1);
	fake.copies = 1ULL << DOCA_OP_HASH;
	fake.variants = variants;
	OK(doca_sha_create(&fake_dev, &sha));
	use_ctx(doca_sha_as_ctx(sha));
}

static void end(void)
{
	OK(doca_sha_destroy(sha));
	tear_down();
}

static void hash_done(struct doca_sha_task_hash *task, union doca_data task_data,
		      union doca_data ctx_data)
{
	(void)ctx_data;
	record('S');
	bed.status = doca_task_get_status(doca_sha_task_hash_as_task(task));
	EXPECT_EQ(task_data.u64, 7);
}

static void hash_failed(struct doca_sha_task_hash *task, union doca_data task_data,
			union doca_data ctx_data)
{
	hash_done(task, task_data, ctx_data);
	bed.log[bed.n - 1] = 'E';
}

static void part_done(struct doca_sha_task_partial_hash *task, union doca_data task_data,
		      union doca_data ctx_data)
{
	(void)ctx_data;
	record('S');
	bed.status = doca_task_get_status(doca_sha_task_partial_hash_as_task(task));
	EXPECT_EQ(task_data.u64, 7);
}

static void part_failed(struct doca_sha_task_partial_hash *task, union doca_data task_data,
			union doca_data ctx_data)
{
	part_done(task, task_data, ctx_data);
	bed.log[bed.n - 1] = 'E';
}

/* One task of each kind. */
static void begin_tasks(void)
{
	begin(ALL);
	OK(doca_sha_task_hash_set_conf(sha, hash_done, hash_failed, 0));
	OK(doca_sha_task_partial_hash_set_conf(sha, part_done, part_failed, 0));
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
}

static void end_tasks(void)
{
	OK(doca_ctx_stop(bed.ctx));
	end();
}

static struct doca_sha_task_hash *new_hash(enum doca_sha_algorithm algorithm,
					   const struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_sha_task_hash *task = NULL;

	OK(doca_sha_task_hash_alloc_init(sha, algorithm, src, dst, seven, &task));
	return task;
}

static struct doca_sha_task_partial_hash *new_part(enum doca_sha_algorithm algorithm,
						   const struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_sha_task_partial_hash *task = NULL;

	OK(doca_sha_task_partial_hash_alloc_init(sha, algorithm, src, dst, seven, &task));
	return task;
}

static void free_hash(struct doca_sha_task_hash *task)
{
	doca_task_free(doca_sha_task_hash_as_task(task));
}

static void free_part(struct doca_sha_task_partial_hash *task)
{
	doca_task_free(doca_sha_task_partial_hash_as_task(task));
}

/* The fake driver's digest of the first bytes. */
static uint8_t sum(size_t length)
{
	uint8_t sum = 0;

	while (length--)
		sum += bed.mem[length];
	return sum;
}

static bool is_digest(struct doca_buf *dst, size_t length, uint8_t value)
{
	uint8_t *data;
	size_t i;

	OK(doca_buf_get_data(dst, (void **)&data));
	for (i = 0; i < length; i++)
		if (data[i] != value)
			return false;
	return data_len(dst) == length;
}

static void run_task(struct doca_task *task, const char *end)
{
	OK(doca_task_submit(task));
	drain(bed.pe);
	EXPECT_STR(took(), end);
}

TEST(a_hash_writes_its_digest)
{
	static const struct {
		enum doca_sha_algorithm algorithm;
		uint8_t number;
		size_t digest;
	} rows[] = { { SHA1, 1, 20 }, { SHA256, 2, 32 }, { SHA512, 3, 64 } };
	struct doca_sha_task_hash *task;
	struct doca_buf *src, *dst;
	size_t i;

	begin_tasks();
	EXPECT_EQ(fake.attr.opcodes, 1ULL << DOCA_OP_HASH);
	EXPECT_EQ(fake.attr.sessions, 1);
	src = source(0, 100);
	for (i = 0; i < 3; i++) {
		dst = room(0, 100);
		task = new_hash(rows[i].algorithm, NULL, NULL);
		OK(doca_sha_task_hash_set_src(task, src));
		OK(doca_sha_task_hash_set_dst(task, dst));
		EXPECT(doca_sha_task_hash_get_src(task) == src);
		EXPECT(doca_sha_task_hash_get_dst(task) == dst);
		EXPECT_EQ(doca_sha_task_hash_get_algorithm(task), rows[i].algorithm);
		OK(doca_task_try_submit(doca_sha_task_hash_as_task(task)));
		drain(bed.pe);
		EXPECT_STR(took(), "S");
		EXPECT_EQ(fake.hashed.flags, DOCA_SQE_HASH_FIRST | DOCA_SQE_HASH_LAST);
		EXPECT_EQ(fake.hashed.aux, 0);
		EXPECT_EQ(fake.hashed.hash.algorithm, rows[i].number);
		EXPECT(is_digest(dst, rows[i].digest, sum(100)));
		put(dst);
		free_hash(task);
	}
	put(src);
	end_tasks();
}

TEST(a_source_may_be_a_list_and_may_be_empty)
{
	struct doca_buf *src = NULL, *next, *dst;
	struct doca_sha_task_hash *task;

	begin_tasks();
	src = source(0, 0);
	next = source(0, 100);
	dst = room(0, 64);
	task = new_hash(SHA1, src, dst);
	OK(doca_task_try_submit(doca_sha_task_hash_as_task(task)));
	drain(bed.pe);
	EXPECT(is_digest(dst, 20, 0));
	OK(doca_buf_chain_list(src, next));
	OK(doca_task_try_submit(doca_sha_task_hash_as_task(task)));
	drain(bed.pe);
	EXPECT_STR(took(), "SS");
	EXPECT_EQ(fake.hashed.flags & DOCA_SQE_SRC_LIST, DOCA_SQE_SRC_LIST);
	EXPECT_EQ(data_len(dst), 40);
	put(dst);
	put(src);
	free_hash(task);
	end_tasks();
}

/* Expect a hash task to be refused, and to fail; the context is started again. */
static void expect_refused(const struct doca_buf *src, struct doca_buf *dst, const char *why)
{
	struct doca_sha_task_hash *task = new_hash(SHA256, src, dst);

	FAILS(doca_task_try_submit(doca_sha_task_hash_as_task(task)), INVALID_VALUE, why);
	run_task(doca_sha_task_hash_as_task(task), "Es");
	EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
	free_hash(task);
	drain(bed.pe);
	EXPECT_STR(took(), "i");
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
	logged();
}

TEST(what_a_hash_refuses)
{
	struct doca_buf *src, *dst, *small, *list, *next;

	begin_tasks();
	src = source(0, 100);
	dst = room(0, 100);
	small = room(0, 31);
	list = room(0, 100);
	next = room(200, 100);
	OK(doca_buf_chain_list(list, next));
	expect_refused(NULL, dst, "the source is missing");
	expect_refused(src, NULL, "the destination is missing");
	expect_refused(src, small, "the digest has 32");
	expect_refused(src, list, "list of too many");
	put(src);
	put(dst);
	put(small);
	put(list);
	end_tasks();
}

static void expect_entry(uint16_t flags, uint16_t session)
{
	EXPECT_EQ(fake.hashed.flags, flags);
	EXPECT_EQ(fake.hashed.aux, session);
}

TEST(parts_are_a_session)
{
	struct doca_sha_task_partial_hash *task;
	struct doca_buf *src, *last, *dst;
	struct doca_task *base;

	begin_tasks();
	src = source(0, 128);
	last = source(0, 3);
	dst = room(0, 64);
	task = new_part(SHA512, src, dst);
	base = doca_sha_task_partial_hash_as_task(task);
	run_task(base, "S");
	expect_entry(DOCA_SQE_HASH_FIRST, 1);
	run_task(base, "S");
	expect_entry(0, 1);
	EXPECT_EQ(fake.hashed.dst.length, 0);
	EXPECT_EQ(data_len(dst), 0);
	EXPECT_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
	EXPECT_EQ(doca_sha_task_partial_hash_get_is_final(task), 0);
	EXPECT(doca_sha_task_partial_hash_get_dst(task) == dst);
	OK(doca_sha_task_partial_hash_set_src(task, last));
	EXPECT(doca_sha_task_partial_hash_get_src(task) == last);
	OK(doca_sha_task_partial_hash_set_is_final_buf(task));
	EXPECT_EQ(doca_sha_task_partial_hash_get_is_final(task), 1);
	OK(doca_task_try_submit(base));
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	expect_entry(DOCA_SQE_HASH_LAST, 1);
	EXPECT(is_digest(dst, 64, 2 * sum(128) + sum(3)));
	EXPECT_EQ(doca_sha_task_partial_hash_get_has_result(task), 1);

	/* The next hash has one part. */
	OK(doca_sha_task_partial_hash_reset(task));
	EXPECT_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
	EXPECT_EQ(doca_sha_task_partial_hash_get_is_final(task), 0);
	OK(doca_sha_task_partial_hash_set_algorithm(task, SHA1));
	EXPECT_EQ(doca_sha_task_partial_hash_get_algorithm(task), SHA1);
	OK(doca_buf_reset_data_len(dst));
	OK(doca_sha_task_partial_hash_set_is_final_buf(task));
	run_task(base, "S");
	expect_entry(DOCA_SQE_HASH_FIRST | DOCA_SQE_HASH_LAST, 0);
	EXPECT(is_digest(dst, 20, sum(3)));
	put(src);
	put(last);
	put(dst);
	free_part(task);
	end_tasks();
}

/* A task that was freed begins anew. */
TEST(parts_of_several_tasks)
{
	struct doca_sha_task_partial_hash *tasks[4];
	struct doca_buf *src;
	uint32_t i;

	begin(ALL);
	OK(doca_sha_task_hash_set_conf(sha, hash_done, hash_failed, 1));
	OK(doca_sha_task_partial_hash_set_conf(sha, part_done, part_failed, 2));
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
	EXPECT_EQ(fake.attr.sessions, 4);
	src = source(0, 64);
	for (i = 0; i < 4; i++) {
		tasks[i] = new_part(SHA1, src, NULL);
		run_task(doca_sha_task_partial_hash_as_task(tasks[i]), "S");
		expect_entry(DOCA_SQE_HASH_FIRST, i + 1);
	}
	free_part(tasks[2]);
	tasks[2] = new_part(SHA1, src, NULL);
	run_task(doca_sha_task_partial_hash_as_task(tasks[2]), "S");
	expect_entry(DOCA_SQE_HASH_FIRST, 3);
	for (i = 0; i < 4; i++)
		free_part(tasks[i]);
	put(src);
	end_tasks();
}

static void end_failed(struct doca_sha_task_partial_hash *task)
{
	free_part(task);
	drain(bed.pe);
	EXPECT_STR(took(), "i");
	end();
}

TEST(a_part_of_a_wrong_length_fails)
{
	static const size_t lengths[] = { 0, 1, 63, 65, 96 };
	struct doca_sha_task_partial_hash *task;
	struct doca_buf *src;
	size_t i;

	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		begin_tasks();
		src = source(0, lengths[i]);
		task = new_part(SHA256, src, NULL);
		FAILS(doca_task_try_submit(doca_sha_task_partial_hash_as_task(task)), INVALID_VALUE,
		      "must be a multiple of 64");
		run_task(doca_sha_task_partial_hash_as_task(task), "Es");
		EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
		put(src);
		end_failed(task);
	}
}

TEST(a_part_behind_the_last_fails)
{
	struct doca_sha_task_partial_hash *task;
	struct doca_buf *src, *dst;

	begin_tasks();
	src = source(0, 64);
	dst = room(0, 100);
	task = new_part(SHA256, src, dst);
	OK(doca_sha_task_partial_hash_set_is_final_buf(task));
	run_task(doca_sha_task_partial_hash_as_task(task), "S");
	FAILS(doca_task_try_submit(doca_sha_task_partial_hash_as_task(task)), INVALID_VALUE,
	      "doca_sha_task_partial_hash_reset");
	run_task(doca_sha_task_partial_hash_as_task(task), "Es");
	EXPECT_EQ(bed.status, DOCA_ERROR_BAD_STATE);
	put(src);
	put(dst);
	end_failed(task);
}

TEST(a_last_part_without_room_fails)
{
	struct doca_sha_task_partial_hash *task;
	struct doca_buf *src, *dst;
	int i;

	for (i = 0; i < 2; i++) {
		begin_tasks();
		src = source(0, 64);
		dst = i ? room(0, 31) : NULL;
		task = new_part(SHA256, src, dst);
		OK(doca_sha_task_partial_hash_set_is_final_buf(task));
		FAILS(doca_task_try_submit(doca_sha_task_partial_hash_as_task(task)), INVALID_VALUE,
		      "the destination");
		run_task(doca_sha_task_partial_hash_as_task(task), "Es");
		EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
		EXPECT_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
		put(src);
		if (dst)
			put(dst);
		end_failed(task);
	}
}

/* It is the memory's fault, and not that the destination is not there yet. */
TEST(a_part_whose_memory_was_revoked)
{
	struct doca_sha_task_partial_hash *task;
	struct doca_buf *src;
	uint32_t i;

	begin_tasks();
	src = source(0, 64);
	task = new_part(SHA256, src, NULL);
	for (i = 0; i < MAX_OBJECTS; i++)
		keys[i].length = 0;
	run_task(doca_sha_task_partial_hash_as_task(task), "Es");
	EXPECT_EQ(bed.status, DOCA_ERROR_IO_FAILED);
	put(src);
	end_failed(task);
}

TEST(a_task_in_flight_cannot_be_changed)
{
	struct doca_sha_task_partial_hash *part;
	struct doca_sha_task_hash *task;
	struct doca_buf *src, *dst;

	begin_tasks();
	src = source(0, 64);
	dst = room(0, 64);
	task = new_hash(SHA256, src, dst);
	OK(doca_task_submit(doca_sha_task_hash_as_task(task)));
	FAILS(doca_sha_task_hash_set_src(task, src), BAD_STATE, "in flight");
	FAILS(doca_sha_task_hash_set_dst(task, dst), BAD_STATE, "in flight");
	FAILS(doca_sha_task_hash_set_algorithm(task, SHA1), BAD_STATE, "in flight");
	part = new_part(SHA256, src, dst);
	OK(doca_task_submit(doca_sha_task_partial_hash_as_task(part)));
	EXPECT(doca_sha_task_partial_hash_get_dst(part) == dst);
	FAILS(doca_sha_task_partial_hash_set_src(part, src), BAD_STATE, "in flight");
	FAILS(doca_sha_task_partial_hash_set_dst(part, dst), BAD_STATE, "in flight");
	FAILS(doca_sha_task_partial_hash_set_algorithm(part, SHA1), BAD_STATE, "in flight");
	FAILS(doca_sha_task_partial_hash_set_is_final_buf(part), BAD_STATE, "in flight");
	FAILS(doca_sha_task_partial_hash_reset(part), BAD_STATE, "in flight");
	drain(bed.pe);
	EXPECT_STR(took(), "SS");
	FAILS(doca_sha_task_partial_hash_set_algorithm(part, SHA1), BAD_STATE, "begun");
	OK(doca_sha_task_hash_set_algorithm(task, SHA512));
	OK(doca_sha_task_partial_hash_set_dst(part, NULL));
	EXPECT(!doca_sha_task_partial_hash_get_dst(part));
	put(src);
	put(dst);
	free_hash(task);
	free_part(part);
	end_tasks();
}

TEST(the_context_has_the_codes_that_are_documented)
{
	uint32_t value;

	begin(ALL);
	ERR(doca_ctx_start(bed.ctx), INVALID_VALUE);
	OK(doca_sha_cap_get_max_num_tasks(sha, &value));
	EXPECT_EQ(value, 1024);
	ERR(doca_sha_cap_get_max_num_tasks(sha, NULL), INVALID_VALUE);
	ERR(doca_sha_destroy(NULL), INVALID_VALUE);
	OK(doca_sha_destroy(sha));
	ERR(doca_sha_create(NULL, &sha), INVALID_VALUE);
	EXPECT_FAULTS(FAULT_ALLOC, doca_sha_create(&fake_dev, &sha), NO_MEMORY,
		      OK(doca_sha_destroy(sha)));
	fake.copies = 0;
	ERR(doca_sha_create(&fake_dev, &sha), NOT_SUPPORTED);
	fake.get_error = -ENOENT;
	ERR(doca_sha_create(&fake_dev, &sha), DRIVER);
	tear_down();
}

TEST(the_capabilities_have_the_codes_that_are_documented)
{
	static const uint32_t digests[] = { 20, 32, 64 }, blocks[] = { 64, 64, 128 };
	uint32_t value, i;
	uint64_t size;

	begin(ALL);
	for (i = 0; i < 3; i++) {
		OK(doca_sha_cap_task_hash_get_supported(INFO, i));
		OK(doca_sha_cap_task_partial_hash_get_supported(INFO, i));
		OK(doca_sha_cap_get_min_dst_buf_size(INFO, i, &value));
		EXPECT_EQ(value, digests[i]);
		OK(doca_sha_cap_get_partial_hash_block_size(INFO, i, &value));
		EXPECT_EQ(value, blocks[i]);
	}
	OK(doca_sha_cap_get_max_list_buf_num_elem(INFO, &value));
	EXPECT_EQ(value, FAKE_LIST_MAX);
	OK(doca_sha_cap_get_max_src_buf_size(INFO, &size));
	EXPECT_EQ(size, FAKE_MAX_LENGTH);
	ERR(doca_sha_cap_task_hash_get_supported(INFO, UNKNOWN), INVALID_VALUE);
	ERR(doca_sha_cap_task_hash_get_supported(NULL, SHA1), INVALID_VALUE);
	ERR(doca_sha_cap_task_partial_hash_get_supported(INFO, -1), INVALID_VALUE);
	ERR(doca_sha_cap_task_partial_hash_get_supported(NULL, SHA1), INVALID_VALUE);
	ERR(doca_sha_cap_get_min_dst_buf_size(INFO, UNKNOWN, &value), INVALID_VALUE);
	ERR(doca_sha_cap_get_min_dst_buf_size(INFO, SHA1, NULL), INVALID_VALUE);
	ERR(doca_sha_cap_get_partial_hash_block_size(INFO, UNKNOWN, &value), INVALID_VALUE);
	ERR(doca_sha_cap_get_partial_hash_block_size(INFO, SHA1, NULL), INVALID_VALUE);
	ERR(doca_sha_cap_get_max_list_buf_num_elem(INFO, NULL), INVALID_VALUE);
	ERR(doca_sha_cap_get_max_src_buf_size(INFO, NULL), INVALID_VALUE);
	end();
}

static void ask_all(doca_error_t expected)
{
	uint32_t value;
	uint64_t size;

	EXPECT_EQ(doca_sha_cap_task_hash_get_supported(INFO, SHA512), expected);
	EXPECT_EQ(doca_sha_cap_task_partial_hash_get_supported(INFO, SHA512), expected);
	EXPECT_EQ(doca_sha_cap_get_min_dst_buf_size(INFO, SHA512, &value), expected);
	EXPECT_EQ(doca_sha_cap_get_partial_hash_block_size(INFO, SHA512, &value), expected);
	if (fake.copies && !fake.get_error)
		return;
	EXPECT_EQ(doca_sha_cap_get_max_list_buf_num_elem(INFO, &value), expected);
	EXPECT_EQ(doca_sha_cap_get_max_src_buf_size(INFO, &size), expected);
}

TEST(a_device_without_an_algorithm)
{
	struct doca_sha_task_partial_hash *part;
	struct doca_sha_task_hash *task;

	begin(1 << DOCA_HASH_SHA256);
	OK(doca_sha_cap_task_hash_get_supported(INFO, SHA256));
	ask_all(DOCA_ERROR_NOT_SUPPORTED);
	OK(doca_sha_task_hash_set_conf(sha, hash_done, hash_failed, 0));
	OK(doca_sha_task_partial_hash_set_conf(sha, part_done, part_failed, 0));
	OK(doca_ctx_start(bed.ctx));
	ERR(doca_sha_task_hash_alloc_init(sha, SHA512, NULL, NULL, none, &task), NOT_SUPPORTED);
	ERR(doca_sha_task_partial_hash_alloc_init(sha, SHA512, NULL, NULL, none, &part),
	    NOT_SUPPORTED);
	task = new_hash(SHA256, NULL, NULL);
	part = new_part(SHA256, NULL, NULL);
	ERR(doca_sha_task_hash_set_algorithm(task, SHA512), NOT_SUPPORTED);
	ERR(doca_sha_task_partial_hash_set_algorithm(part, SHA512), NOT_SUPPORTED);
	free_hash(task);
	free_part(part);
	fake.copies = 0;
	ask_all(DOCA_ERROR_NOT_SUPPORTED);
	fake.get_error = -ENOENT;
	ask_all(DOCA_ERROR_DRIVER);
	took();
	end_tasks();
}

TEST(the_hash_task_has_the_codes_that_are_documented)
{
	struct doca_sha_task_hash *task, *more;

	begin(ALL);
	ERR(doca_sha_task_hash_set_conf(sha, hash_done, hash_failed, 11), INVALID_VALUE);
	ERR(doca_sha_task_hash_set_conf(sha, hash_done, hash_failed, 32), INVALID_VALUE);
	ERR(doca_sha_task_hash_set_conf(sha, NULL, hash_failed, 0), INVALID_VALUE);
	ERR(doca_sha_task_hash_alloc_init(NULL, SHA1, NULL, NULL, none, &task), INVALID_VALUE);
	ERR(doca_sha_task_hash_alloc_init(sha, SHA1, NULL, NULL, none, &task), BAD_STATE);
	OK(doca_sha_task_hash_set_conf(sha, hash_done, hash_failed, 9));
	end();
	begin_tasks();
	task = new_hash(SHA1, NULL, NULL);
	ERR(doca_sha_task_hash_alloc_init(sha, UNKNOWN, NULL, NULL, none, &more), INVALID_VALUE);
	ERR(doca_sha_task_hash_alloc_init(sha, SHA1, NULL, NULL, none, NULL), INVALID_VALUE);
	ERR(doca_sha_task_hash_alloc_init(sha, SHA1, NULL, NULL, none, &more), NO_MEMORY);
	ERR(doca_sha_task_hash_set_conf(sha, hash_done, hash_failed, 0), BAD_STATE);
	ERR(doca_sha_task_hash_set_algorithm(task, UNKNOWN), INVALID_VALUE);
	ERR(doca_sha_task_hash_set_algorithm(NULL, SHA1), INVALID_VALUE);
	ERR(doca_sha_task_hash_set_src(NULL, NULL), INVALID_VALUE);
	ERR(doca_sha_task_hash_set_dst(NULL, NULL), INVALID_VALUE);
	ERR(doca_sha_destroy(sha), IN_USE);
	free_hash(task);
	end_tasks();
}

TEST(the_partial_hash_task_has_the_codes_that_are_documented)
{
	struct doca_sha_task_partial_hash *task, *more;

	begin(ALL);
	ERR(doca_sha_task_partial_hash_set_conf(sha, part_done, part_failed, 11), INVALID_VALUE);
	ERR(doca_sha_task_partial_hash_set_conf(sha, part_done, NULL, 0), INVALID_VALUE);
	ERR(doca_sha_task_partial_hash_alloc_init(NULL, SHA1, NULL, NULL, none, &task),
	    INVALID_VALUE);
	ERR(doca_sha_task_partial_hash_alloc_init(sha, SHA1, NULL, NULL, none, &task), BAD_STATE);
	end();
	begin_tasks();
	task = new_part(SHA1, NULL, NULL);
	ERR(doca_sha_task_partial_hash_alloc_init(sha, UNKNOWN, NULL, NULL, none, &more),
	    INVALID_VALUE);
	ERR(doca_sha_task_partial_hash_alloc_init(sha, SHA1, NULL, NULL, none, &more), NO_MEMORY);
	ERR(doca_sha_task_partial_hash_set_conf(sha, part_done, part_failed, 0), BAD_STATE);
	ERR(doca_sha_task_partial_hash_set_algorithm(task, UNKNOWN), INVALID_VALUE);
	ERR(doca_sha_task_partial_hash_set_algorithm(NULL, SHA1), INVALID_VALUE);
	ERR(doca_sha_task_partial_hash_set_src(NULL, NULL), INVALID_VALUE);
	ERR(doca_sha_task_partial_hash_set_dst(NULL, NULL), INVALID_VALUE);
	ERR(doca_sha_task_partial_hash_set_is_final_buf(NULL), INVALID_VALUE);
	ERR(doca_sha_task_partial_hash_reset(NULL), INVALID_VALUE);
	free_part(task);
	end_tasks();
}
