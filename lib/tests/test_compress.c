// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Compression on the fake driver: what its tasks ask of the driver, and what they refuse. */
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doca_compress.h>
#include <open_doca.h>

#include "bed.h"
#include "fault.h"
#include "in_child.h"

#define INFO (&fake_dev.info)
#define OPCODES (1ULL << DOCA_OP_DEFLATE | 1ULL << DOCA_OP_INFLATE | 1ULL << DOCA_OP_LZ4)
#define SUMS 0x1122334455667788

static struct doca_compress *compress;
static const union doca_data seven = { .u64 = 7 };

static void begin(void)
{
	set_up(false, 1);
	fake.copies = OPCODES;
	fake.copied_result = SUMS;
	OK(doca_compress_create(&fake_dev, &compress));
	use_ctx(doca_compress_as_ctx(compress));
}

static void end(void)
{
	OK(doca_compress_destroy(compress));
	tear_down();
}

static void ended(char c, struct doca_task *task, union doca_data task_data)
{
	record(c);
	bed.status = doca_task_get_status(task);
	EXPECT_EQ(task_data.u64, 7);
}

/* A kind of task: its callbacks, and its functions that are alike. */
struct form {
	uint16_t flags; /* its entries have these */
	uint64_t sums; /* getters return these for SUMS */
	doca_error_t (*set_conf)(uint32_t n, bool done, bool failed);
	doca_error_t (*alloc)(struct doca_compress *of, struct doca_buf *src, struct doca_buf *dst,
			      struct doca_task **task);
	uint64_t (*sums_of)(struct doca_task *task);
	void (*set)(struct doca_task *task, struct doca_buf *src, struct doca_buf *dst);
	const struct doca_buf *(*src)(struct doca_task *task);
	struct doca_buf *(*dst)(struct doca_task *task);
	doca_error_t (*is_supported)(const struct doca_devinfo *info);
	doca_error_t (*size)(const struct doca_devinfo *info, uint64_t *size);
	doca_error_t (*list_len)(const struct doca_devinfo *info, uint32_t *len);
};

#define KIND(kind, flags_, sums_, second, ...)                                                     \
	typedef struct doca_compress_task_##kind kind##_task;                                      \
	static void kind##_done(kind##_task *task, union doca_data data, union doca_data ctx_data) \
	{                                                                                          \
		(void)ctx_data;                                                                    \
		ended('S', doca_compress_task_##kind##_as_task(task), data);                       \
	}                                                                                          \
	static void kind##_failed(kind##_task *task, union doca_data data,                         \
				  union doca_data ctx_data)                                        \
	{                                                                                          \
		(void)ctx_data;                                                                    \
		ended('E', doca_compress_task_##kind##_as_task(task), data);                       \
	}                                                                                          \
	static doca_error_t kind##_set_conf(uint32_t n, bool done, bool failed)                    \
	{                                                                                          \
		return doca_compress_task_##kind##_set_conf(compress, done ? kind##_done : NULL,   \
							    failed ? kind##_failed : NULL, n);     \
	}                                                                                          \
	static doca_error_t kind##_alloc(struct doca_compress *of, struct doca_buf *src,           \
					 struct doca_buf *dst, struct doca_task **base)            \
	{                                                                                          \
		kind##_task *task = NULL;                                                          \
		doca_error_t ret;                                                                  \
                                                                                                   \
		ret = doca_compress_task_##kind##_alloc_init(of, ##__VA_ARGS__, src, dst, seven,   \
							     base ? &task : NULL);                 \
		if (base)                                                                          \
			*base = doca_compress_task_##kind##_as_task(task);                         \
		return ret;                                                                        \
	}                                                                                          \
	static uint64_t kind##_sums(struct doca_task *task)                                        \
	{                                                                                          \
		return doca_compress_task_##kind##_get_crc_cs((kind##_task *)task) |               \
		       (uint64_t)doca_compress_task_##kind##_get_##second##_cs(                    \
			       (kind##_task *)task)                                                \
			       << 32;                                                              \
	}                                                                                          \
	static void kind##_set(struct doca_task *task, struct doca_buf *src, struct doca_buf *dst) \
	{                                                                                          \
		doca_compress_task_##kind##_set_src((kind##_task *)task, src);                     \
		doca_compress_task_##kind##_set_dst((kind##_task *)task, dst);                     \
	}                                                                                          \
	static const struct doca_buf *kind##_src(struct doca_task *task)                           \
	{                                                                                          \
		return doca_compress_task_##kind##_get_src((kind##_task *)task);                   \
	}                                                                                          \
	static struct doca_buf *kind##_dst(struct doca_task *task)                                 \
	{                                                                                          \
		return doca_compress_task_##kind##_get_dst((kind##_task *)task);                   \
	}                                                                                          \
	static const struct form kind = {                                                          \
		flags_,                                                                            \
		sums_,                                                                             \
		kind##_set_conf,                                                                   \
		kind##_alloc,                                                                      \
		kind##_sums,                                                                       \
		kind##_set,                                                                        \
		kind##_src,                                                                        \
		kind##_dst,                                                                        \
		doca_compress_cap_task_##kind##_is_supported,                                      \
		doca_compress_cap_task_##kind##_get_max_buf_size,                                  \
		doca_compress_cap_task_##kind##_get_max_buf_list_len,                              \
	}

KIND(compress_deflate, 0, SUMS, adler);
KIND(decompress_deflate, 0, SUMS, adler);
KIND(decompress_lz4_stream, DOCA_SQE_LZ4_CHECKSUM, 0x4433221155667788, xxh, 2, 0);
KIND(decompress_lz4_block, DOCA_SQE_LZ4_BLOCK, 0x4433221155667788, xxh);

static const struct form *const kinds[] = {
	&compress_deflate,
	&decompress_deflate,
	&decompress_lz4_stream,
	&decompress_lz4_block,
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void begin_kind(const struct form *kind)
{
	begin();
	OK(kind->set_conf(1, true, true));
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
}

static void end_kind(void)
{
	OK(doca_ctx_stop(bed.ctx));
	end();
}

static void run_task(struct doca_task *task, const char *end)
{
	OK(doca_task_submit(task));
	drain(bed.pe);
	EXPECT_STR(took(), end);
}

TEST(checksums)
{
	struct doca_buf *src, *dst;
	struct doca_task *task;
	size_t i;

	for (i = 0; i < NR_KINDS; i++) {
		begin_kind(kinds[i]);
		src = source(0, 100);
		dst = room(0, 300);
		OK(kinds[i]->alloc(compress, NULL, NULL, &task));
		kinds[i]->set(task, src, dst);
		EXPECT(kinds[i]->src(task) == src);
		EXPECT(kinds[i]->dst(task) == dst);
		OK(doca_task_try_submit(task));
		drain(bed.pe);
		EXPECT_STR(took(), "S");
		EXPECT_EQ(fake.copied_flags, kinds[i]->flags);
		EXPECT_EQ(data_len(dst), 100);
		EXPECT_EQ(kinds[i]->sums_of(task), kinds[i]->sums);
		fake.copied_status = DOCA_STATUS_DATA;
		run_task(task, "E");
		EXPECT_EQ(kinds[i]->sums_of(task), 0);
		doca_task_free(task);
		put(src);
		put(dst);
		end_kind();
	}
}

TEST(data_that_is_wrong_leaves_the_context_running)
{
	static const struct {
		uint32_t status;
		doca_error_t error;
	} rows[] = {
		{ DOCA_STATUS_DATA, DOCA_ERROR_IO_FAILED },
		{ DOCA_STATUS_CHECKSUM, DOCA_ERROR_IO_FAILED },
		{ DOCA_STATUS_NO_SPACE, DOCA_ERROR_INVALID_VALUE },
	};
	struct doca_buf *src, *dst;
	struct doca_task *task;
	size_t i, k;

	for (i = 0; i < NR_KINDS; i++) {
		begin_kind(kinds[i]);
		src = source(0, 100);
		dst = room(0, 100);
		OK(kinds[i]->alloc(compress, src, dst, &task));
		for (k = 0; k < 3; k++) {
			fake.copied_status = rows[k].status;
			run_task(task, "E");
			EXPECT_EQ(bed.status, rows[k].error);
			EXPECT_EQ(data_len(dst), 0);
		}
		fake.copied_status = 0;
		run_task(task, "S");
		EXPECT_EQ(bed.status, DOCA_SUCCESS);
		doca_task_free(task);
		put(src);
		put(dst);
		end_kind();
		logged();
	}
}

TEST(bytes_that_were_read_are_known_of_failures_too)
{
	decompress_deflate_task *typed;
	struct doca_buf *src, *dst;
	struct doca_task *task;

	begin_kind(&decompress_deflate);
	src = source(0, 100);
	dst = room(0, 100);
	OK(decompress_deflate.alloc(compress, src, dst, &task));
	typed = (decompress_deflate_task *)task;
	fake.consumed = 42;
	run_task(task, "S");
	EXPECT_EQ(open_doca_compress_task_decompress_deflate_get_consumed(typed), 42);
	fake.consumed = 7;
	fake.copied_status = DOCA_STATUS_DATA;
	run_task(task, "E");
	EXPECT_EQ(open_doca_compress_task_decompress_deflate_get_consumed(typed), 7);
	EXPECT_EQ(open_doca_compress_task_decompress_deflate_get_consumed(NULL), 0);
	doca_task_free(task);
	put(src);
	put(dst);
	end_kind();
	logged();
}

TEST(a_source_may_be_empty_and_both_sides_lists)
{
	struct doca_buf *src, *dst, *next, *more;
	struct doca_task *task;
	size_t i;

	for (i = 0; i < NR_KINDS; i++) {
		begin_kind(kinds[i]);
		src = source(0, 0);
		next = source(0, 100);
		dst = room(0, 60);
		more = room(100, 60);
		OK(kinds[i]->alloc(compress, src, dst, &task));
		OK(doca_task_try_submit(task));
		drain(bed.pe);
		EXPECT_STR(took(), "S");
		OK(doca_buf_chain_list(src, next));
		OK(doca_buf_chain_list(dst, more));
		OK(doca_task_try_submit(task));
		drain(bed.pe);
		EXPECT_STR(took(), "S");
		EXPECT_EQ(fake.copied_flags,
			  kinds[i]->flags | DOCA_SQE_SRC_LIST | DOCA_SQE_DST_LIST);
		EXPECT_EQ(data_len(dst), 60);
		EXPECT_EQ(data_len(more), 40);
		doca_task_free(task);
		put(src);
		put(dst);
		end_kind();
	}
}

TEST(what_a_task_refuses)
{
	struct doca_buf *src, *dst;
	struct doca_task *task;
	size_t i;

	for (i = 0; i < NR_KINDS; i++) {
		begin_kind(kinds[i]);
		src = source(0, 100);
		dst = room(0, 100);
		OK(kinds[i]->alloc(compress, NULL, dst, &task));
		FAILS(doca_task_try_submit(task), INVALID_VALUE, "the source is missing");
		kinds[i]->set(task, src, NULL);
		FAILS(doca_task_try_submit(task), INVALID_VALUE, "the destination is missing");
		run_task(task, "Es");
		EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
		doca_task_free(task);
		drain(bed.pe);
		EXPECT_STR(took(), "i");
		put(src);
		put(dst);
		end();
		logged();
	}
}

TEST(errors_of_configuration_and_allocation)
{
	struct doca_task *task, *other;
	uint32_t max;
	size_t i;

	for (i = 0; i < NR_KINDS; i++) {
		begin();
		OK(doca_compress_cap_get_max_num_tasks(compress, &max));
		EXPECT(max > 0);
		ERR(kinds[i]->set_conf(0, true, true), INVALID_VALUE);
		ERR(kinds[i]->set_conf(max + 1, true, true), INVALID_VALUE);
		ERR(kinds[i]->set_conf(1, false, true), INVALID_VALUE);
		ERR(kinds[i]->set_conf(1, true, false), INVALID_VALUE);
		ERR(kinds[i]->alloc(compress, NULL, NULL, &task), BAD_STATE);
		OK(kinds[i]->set_conf(1, true, true));
		OK(doca_ctx_start(bed.ctx));
		ERR(kinds[i]->set_conf(1, true, true), BAD_STATE);
		ERR(kinds[i]->alloc(NULL, NULL, NULL, &task), INVALID_VALUE);
		ERR(kinds[i]->alloc(compress, NULL, NULL, NULL), INVALID_VALUE);
		OK(kinds[i]->alloc(compress, NULL, NULL, &task));
		ERR(kinds[i]->alloc(compress, NULL, NULL, &other), NO_MEMORY);
		ERR(doca_compress_destroy(compress), IN_USE);
		doca_task_free(task);
		took();
		end_kind();
		logged();
	}
	ERR(doca_compress_create(NULL, &compress), INVALID_VALUE);
	ERR(doca_compress_create(&fake_dev, NULL), INVALID_VALUE);
	ERR(doca_compress_destroy(NULL), INVALID_VALUE);
	ERR(doca_compress_cap_get_max_num_tasks(NULL, &max), INVALID_VALUE);
	EXPECT(!doca_compress_as_ctx(NULL));
	logged();
}

TEST(capabilities)
{
	uint64_t size;
	uint32_t len;
	size_t i;

	begin();
	for (i = 0; i < NR_KINDS; i++) {
		fake.copies = OPCODES;
		OK(kinds[i]->is_supported(INFO));
		OK(kinds[i]->size(INFO, &size));
		EXPECT_EQ(size, FAKE_MAX_LENGTH);
		OK(kinds[i]->list_len(INFO, &len));
		EXPECT_EQ(len, FAKE_LIST_MAX);
		ERR(kinds[i]->is_supported(NULL), INVALID_VALUE);
		ERR(kinds[i]->size(INFO, NULL), INVALID_VALUE);
		ERR(kinds[i]->list_len(INFO, NULL), INVALID_VALUE);
		fake.copies = 0;
		ERR(kinds[i]->is_supported(INFO), NOT_SUPPORTED);
		ERR(kinds[i]->size(INFO, &size), NOT_SUPPORTED);
		ERR(kinds[i]->list_len(INFO, &len), NOT_SUPPORTED);
		fake.query_error = -EIO;
		ERR(kinds[i]->is_supported(INFO), DRIVER);
		ERR(kinds[i]->size(INFO, &size), DRIVER);
		ERR(kinds[i]->list_len(INFO, &len), DRIVER);
		fake.query_error = 0;
	}
	logged();
	end();
}

TEST(a_device_that_is_not_there_or_cannot)
{
	begin();
	OK(doca_compress_destroy(compress));
	EXPECT_FAULTS(FAULT_ALLOC, doca_compress_create(&fake_dev, &compress), NO_MEMORY,
		      OK(doca_compress_destroy(compress)));
	fake.copies = 0;
	ERR(doca_compress_create(&fake_dev, &compress), NOT_SUPPORTED);
	fake.get_error = -ENOENT;
	ERR(doca_compress_create(&fake_dev, &compress), DRIVER);
	logged();
	tear_down();
}

static uint64_t size_with(rlim_t locked)
{
	struct rlimit limit = { locked, RLIM_INFINITY };
	uint64_t size = 0;

	getrlimit(RLIMIT_MEMLOCK, &limit);
	limit.rlim_cur = locked;
	EXPECT(!setrlimit(RLIMIT_MEMLOCK, &limit));
	OK(compress_deflate.size(INFO, &size));
	return size;
}

static bool is_root(void)
{
	struct stat user;

	return !geteuid() && !stat("/proc/self/ns/user", &user) && user.st_ino == 0xeffffffd;
}

/* A process with a namespace of its own has all capabilities there, and may not lock more. */
static void size_in_namespace(void)
{
	if (unshare(CLONE_NEWUSER))
		return;
	EXPECT_EQ(size_with(64 << 10), 1 << 20);
	/* Nobody may trace it any more, as the search for leaks does. */
	fflush(stdout);
	_exit(!!ktap_bad);
}

/* A process that may lock all memory is told of all. */
TEST(buffers_are_no_larger_than_can_be_pinned)
{
	const uint64_t mega = 1 << 20;
	struct rlimit before;
	bool root = is_root();

	begin();
	getrlimit(RLIMIT_MEMLOCK, &before);
	fake.max_src = 128 * mega;
	EXPECT_EQ(size_with(64 << 10), 128 * mega);
	fake.name = "kernel";
	EXPECT_EQ(size_with(64 << 10), root ? 128 * mega : mega);
	if (!root && before.rlim_max >= 8 * mega)
		EXPECT_EQ(size_with(8 * mega - 1), mega);
	if (!root && before.rlim_max >= 8 * mega)
		EXPECT_EQ(size_with(8 * mega), 2 * mega);
	IN_CHILD(size_in_namespace());
	setrlimit(RLIMIT_MEMLOCK, &before);
	end();
}

TEST(a_level_is_in_each_entry)
{
	struct doca_buf *src, *dst;
	struct doca_task *task;

	begin();
	ERR(open_doca_compress_set_level(NULL, 1), INVALID_VALUE);
	FAILS(open_doca_compress_set_level(compress, 10), INVALID_VALUE, "no level 10");
	OK(open_doca_compress_set_level(compress, 9));
	OK(compress_deflate.set_conf(1, true, true));
	OK(doca_ctx_start(bed.ctx));
	FAILS(open_doca_compress_set_level(compress, 1), BAD_STATE, "is started");
	took();
	src = source(0, 1);
	dst = room(0, 1);
	OK(compress_deflate.alloc(compress, src, dst, &task));
	run_task(task, "S");
	EXPECT_EQ(fake.copied[0], 9);
	doca_task_free(task);
	put(src);
	put(dst);
	end_kind();
	logged();
}

TEST(forms_of_lz4_blocks)
{
	struct doca_compress_task_decompress_lz4_stream *task;
	struct doca_buf *src, *dst;
	struct doca_task *base;

	begin_kind(&decompress_lz4_stream);
	src = source(0, 1);
	dst = room(0, 10);
	OK(doca_compress_task_decompress_lz4_stream_alloc_init(compress, 0, 5, src, dst, seven,
							       &task));
	base = doca_compress_task_decompress_lz4_stream_as_task(task);
	EXPECT_EQ(doca_compress_task_decompress_lz4_stream_get_has_block_checksum(task), 0);
	EXPECT_EQ(doca_compress_task_decompress_lz4_stream_get_are_blocks_independent(task), 1);
	run_task(base, "S");
	EXPECT_EQ(fake.copied_flags, DOCA_SQE_LZ4_INDEPENDENT);
	doca_compress_task_decompress_lz4_stream_set_has_block_checksum(task, 255);
	doca_compress_task_decompress_lz4_stream_set_are_blocks_independent(task, 0);
	EXPECT_EQ(doca_compress_task_decompress_lz4_stream_get_has_block_checksum(task), 1);
	run_task(base, "S");
	EXPECT_EQ(fake.copied_flags, DOCA_SQE_LZ4_CHECKSUM);
	doca_task_free(base);
	put(src);
	put(dst);
	end_kind();
}
