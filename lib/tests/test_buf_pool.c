// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Pools of buffers that have their memory. */
#include <doca_buf_inventory.h>
#include <doca_buf_pool.h>

#include "core/memory/buf.h"
#include "fake_mem.h"
#include "fault.h"
#include "ktap.h"
#include "logged.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define ERR(call, name) EXPECT_EQ(call, DOCA_ERROR_##name)

#define LEN 4096

static _Alignas(256) char room[LEN + 256];
static char *memory; /* of the mmap */
static struct doca_mmap *mmap;
static struct doca_buf_pool *pool;

/* The mmap begins @skew bytes behind an address with a large alignment. */
static void set_up(size_t skew, size_t n, size_t size)
{
	fake_reset();
	memory = room + skew;
	OK(doca_mmap_create(&mmap));
	OK(doca_mmap_set_memrange(mmap, memory, LEN));
	OK(doca_buf_pool_create(n, size, mmap, &pool));
}

static void start(void)
{
	OK(doca_mmap_start(mmap));
	OK(doca_buf_pool_start(pool));
}

static void tear_down(void)
{
	OK(doca_buf_pool_destroy(pool));
	OK(doca_mmap_destroy(mmap));
}

static struct doca_buf *get(void)
{
	struct doca_buf *buf = NULL;

	OK(doca_buf_pool_buf_alloc(pool, &buf));
	return buf;
}

static void put(struct doca_buf *buf)
{
	OK(doca_buf_dec_refcount(buf, NULL));
}

static char *head(const struct doca_buf *buf)
{
	void *p = NULL;

	OK(doca_buf_get_head(buf, &p));
	return p;
}

static void expect_counts(uint32_t all, uint32_t free)
{
	uint32_t n = -1;

	OK(doca_buf_pool_get_num_elements(pool, &n));
	EXPECT_EQ(n, all);
	OK(doca_buf_pool_get_num_free_elements(pool, &n));
	EXPECT_EQ(n, free);
}

TEST(bad_arguments_are_invalid)
{
	union doca_data data = { .u64 = 0 };
	struct doca_buf_pool *new;
	struct doca_mmap *empty;
	struct doca_buf *buf;
	uint32_t n;
	size_t a;

	set_up(0, 1, 1);
	OK(doca_mmap_create(&empty));
#define BAD(call) ERR(call, INVALID_VALUE)
	BAD(doca_buf_pool_create(0, 1, mmap, &new));
	BAD(doca_buf_pool_create((size_t)UINT32_MAX + 1, 1, mmap, &new));
	BAD(doca_buf_pool_create(1, 0, mmap, &new));
	BAD(doca_buf_pool_create(1, 1, NULL, &new));
	BAD(doca_buf_pool_create(1, 1, empty, &new));
	BAD(doca_buf_pool_create(1, 1, mmap, NULL));
	BAD(doca_buf_pool_destroy(NULL));
	BAD(doca_buf_pool_start(NULL));
	BAD(doca_buf_pool_stop(NULL));
	BAD(doca_buf_pool_buf_alloc(NULL, &buf));
	BAD(doca_buf_pool_buf_alloc(pool, NULL));
	BAD(doca_buf_pool_get_element_alignment(NULL, &a));
	BAD(doca_buf_pool_get_element_alignment(pool, NULL));
	BAD(doca_buf_pool_set_element_alignment(NULL, 1));
	BAD(doca_buf_pool_set_element_alignment(pool, 0));
	BAD(doca_buf_pool_set_element_alignment(pool, 3));
	BAD(doca_buf_pool_get_num_elements(NULL, &n));
	BAD(doca_buf_pool_get_num_elements(pool, NULL));
	BAD(doca_buf_pool_get_num_free_elements(NULL, &n));
	BAD(doca_buf_pool_get_num_free_elements(pool, NULL));
	BAD(doca_buf_pool_get_user_data(NULL, &data));
	BAD(doca_buf_pool_get_user_data(pool, NULL));
	BAD(doca_buf_pool_set_user_data(NULL, data));
#undef BAD
	OK(doca_mmap_destroy(empty));
	tear_down();
}

TEST(too_many_elements_are_no_memory)
{
	struct doca_buf_pool *new;

	set_up(0, 1, 1);
	ERR(doca_buf_pool_create(UINT32_MAX, 1, mmap, &new), NO_MEMORY);
	tear_down();
}

TEST(buffers_have_memory_of_their_own_and_no_data)
{
	bool seen[4] = { 0 };
	struct doca_buf *bufs[4];
	struct doca_buf *buf;
	size_t n = -1;
	void *p;
	int i;

	set_up(1, 4, 100);
	start();
	expect_counts(4, 4);
	for (i = 0; i < 4; i++) {
		bufs[i] = get();
		ASSERT((head(bufs[i]) - memory) % 100 == 0);
		ASSERT((head(bufs[i]) - memory) / 100 < 4);
		seen[(head(bufs[i]) - memory) / 100] = true;
		OK(doca_buf_get_len(bufs[i], &n));
		EXPECT_EQ(n, 100);
		OK(doca_buf_get_data(bufs[i], &p));
		EXPECT(p == head(bufs[i]));
		OK(doca_buf_get_data_len(bufs[i], &n));
		EXPECT_EQ(n, 0);
	}
	EXPECT(seen[0] && seen[1] && seen[2] && seen[3]);
	expect_counts(4, 0);
	ERR(doca_buf_pool_buf_alloc(pool, &buf), EMPTY);
	for (i = 0; i < 4; i++)
		put(bufs[i]);
	expect_counts(4, 4);
	tear_down();
}

TEST(data_of_the_last_user_is_forgotten)
{
	struct doca_buf *buf;
	size_t n = -1;
	void *p;

	set_up(0, 1, 64);
	start();
	buf = get();
	OK(doca_buf_set_data(buf, memory + 10, 7));
	put(buf);
	buf = get();
	OK(doca_buf_get_data(buf, &p));
	EXPECT(p == memory);
	OK(doca_buf_get_data_len(buf, &n));
	EXPECT_EQ(n, 0);
	put(buf);
	tear_down();
}

TEST(elements_are_aligned_as_addresses)
{
	struct doca_buf *a, *b;
	size_t alignment = 0;

	set_up(1, 2, 65);
	OK(doca_buf_pool_get_element_alignment(pool, &alignment));
	EXPECT_EQ(alignment, 1);
	OK(doca_buf_pool_set_element_alignment(pool, 64));
	OK(doca_buf_pool_get_element_alignment(pool, &alignment));
	EXPECT_EQ(alignment, 64);
	start();
	a = get();
	b = get();
	EXPECT(head(a) == room + 64);
	EXPECT(head(b) == room + 192);
	put(a);
	put(b);
	tear_down();
}

/* The last element need not be followed by what would align another one. */
TEST(the_memory_must_have_room_for_all)
{
	const struct {
		size_t skew, n, size, alignment;
		doca_error_t res;
	} cases[] = {
		{ 0, 1, LEN, 1, DOCA_SUCCESS },
		{ 0, 1, LEN + 1, 1, DOCA_ERROR_INITIALIZATION },
		{ 0, LEN, 1, 1, DOCA_SUCCESS },
		{ 0, LEN + 1, 1, 1, DOCA_ERROR_INITIALIZATION },
		{ 0, LEN / 64, 1, 64, DOCA_SUCCESS },
		{ 0, LEN / 64, 64, 64, DOCA_SUCCESS },
		{ 0, LEN / 64, 65, 64, DOCA_ERROR_INITIALIZATION },
		{ 0, LEN / 128, 65, 64, DOCA_SUCCESS },
		{ 1, LEN / 64, 1, 64, DOCA_SUCCESS },
		{ 1, LEN / 64, 2, 64, DOCA_ERROR_INITIALIZATION },
		{ 0, 2, SIZE_MAX / 2 + 1, 1, DOCA_ERROR_INITIALIZATION },
		{ 0, 1, SIZE_MAX, 1, DOCA_ERROR_INITIALIZATION },
		{ 0, 1, SIZE_MAX, 64, DOCA_ERROR_INITIALIZATION },
		{ 1, 1, 1, (size_t)1 << 63, DOCA_ERROR_INITIALIZATION },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(cases[i].skew, cases[i].n, cases[i].size);
		OK(doca_buf_pool_set_element_alignment(pool,
						       cases[i].alignment));
		OK(doca_mmap_start(mmap));
		logged();
		EXPECT_EQ(doca_buf_pool_start(pool), cases[i].res);
		if (cases[i].res == DOCA_SUCCESS)
			EXPECT_SILENT();
		else
			EXPECT_LOGGED("has no room for");
		tear_down();
	}
}

TEST(a_pool_starts_when_its_mmap_has)
{
	struct doca_buf *buf;

	set_up(0, 1, 1);
	ERR(doca_buf_pool_buf_alloc(pool, &buf), BAD_STATE);
	logged();
	ERR(doca_buf_pool_start(pool), BAD_STATE);
	EXPECT_LOGGED("its mmap is not started");
	start();
	OK(doca_buf_pool_start(pool));
	OK(doca_buf_pool_stop(pool));
	OK(doca_buf_pool_stop(pool));
	ERR(doca_buf_pool_buf_alloc(pool, &buf), BAD_STATE);
	OK(doca_buf_pool_start(pool));
	put(get());
	tear_down();
}

TEST(a_started_pool_keeps_its_mmap_started)
{
	struct doca_buf *buf;
	uint32_t n = 0;

	set_up(0, 3, 1);
	start();
	buf = get();
	OK(doca_mmap_get_num_bufs(mmap, &n));
	EXPECT_EQ(n, 3);
	logged();
	ERR(doca_mmap_stop(mmap), NOT_PERMITTED);
	EXPECT_LOGGED("3 buffers are in use");
	ERR(doca_mmap_destroy(mmap), NOT_PERMITTED);
	put(buf);
	OK(doca_mmap_get_num_bufs(mmap, &n));
	EXPECT_EQ(n, 3);
	OK(doca_buf_pool_stop(pool));
	OK(doca_mmap_get_num_bufs(mmap, &n));
	EXPECT_EQ(n, 0);
	OK(doca_mmap_stop(mmap));
	tear_down();
}

TEST(a_pool_whose_buffers_are_in_use_stays)
{
	struct doca_buf *buf;

	set_up(0, 2, 1);
	start();
	buf = get();
	logged();
	ERR(doca_buf_pool_stop(pool), IN_USE);
	EXPECT_LOGGED("1 of its buffers are in use");
	ERR(doca_buf_pool_destroy(pool), IN_USE);
	put(get());
	put(buf);
	tear_down();
}

TEST(properties_are_set_before_start)
{
	union doca_data data = { .u64 = 1 };
	size_t alignment = 0;

	set_up(0, 2, 1);
	OK(doca_buf_pool_get_user_data(pool, &data));
	EXPECT_EQ(data.u64, 0);
	data.u64 = 7;
	OK(doca_buf_pool_set_user_data(pool, data));
	start();
	logged();
	data.u64 = 8;
	ERR(doca_buf_pool_set_user_data(pool, data), BAD_STATE);
	EXPECT_LOGGED("cannot set the user data");
	ERR(doca_buf_pool_set_element_alignment(pool, 8), BAD_STATE);
	EXPECT_LOGGED("cannot set the alignment");
	OK(doca_buf_pool_get_user_data(pool, &data));
	EXPECT_EQ(data.u64, 7);
	OK(doca_buf_pool_get_element_alignment(pool, &alignment));
	EXPECT_EQ(alignment, 1);
	OK(doca_buf_pool_stop(pool));
	OK(doca_buf_pool_set_element_alignment(pool, 8));
	tear_down();
}

TEST(lists_go_back_where_each_buffer_is_from)
{
	struct doca_buf_inventory *inventory;
	struct doca_buf *a, *b, *c;
	uint32_t n = 0;

	set_up(0, 2, 8);
	start();
	OK(doca_buf_inventory_create(1, &inventory));
	OK(doca_buf_inventory_start(inventory));
	a = get();
	OK(doca_buf_inventory_buf_dup(inventory, a, &b));
	EXPECT(head(a) == head(b));
	c = get();
	OK(doca_buf_chain_list(a, b));
	OK(doca_buf_chain_list(a, c));
	expect_counts(2, 0);
	OK(doca_mmap_get_num_bufs(mmap, &n));
	EXPECT_EQ(n, 3);
	put(a);
	expect_counts(2, 2);
	OK(doca_mmap_get_num_bufs(mmap, &n));
	EXPECT_EQ(n, 2);
	OK(doca_buf_inventory_get_num_free_elements(inventory, &n));
	EXPECT_EQ(n, 1);
	OK(doca_buf_inventory_destroy(inventory));
	tear_down();
}

TEST(a_buffer_released_twice_is_a_bad_state)
{
	struct doca_buf *buf;

	set_up(0, 2, 8);
	start();
	buf = get();
	put(buf);
	ERR(doca_buf_dec_refcount(buf, NULL), BAD_STATE);
	ERR(doca_buf_inc_refcount(buf, NULL), NOT_PERMITTED);
	expect_counts(2, 2);
	tear_down();
}

TEST(nothing_is_allocated_after_start)
{
	fault_at(FAULT_ALLOC, 0);
	set_up(0, 2, 8);
	start();
	EXPECT(fault_calls(FAULT_ALLOC) > 0);
	fault_at(FAULT_ALLOC, 0);
	put(get());
	EXPECT_EQ(fault_calls(FAULT_ALLOC), 0);
	tear_down();
}
