// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Pools of buffers with their own memory. */
#include <doca_buf_pool.h>

#include "bed.h"
#include "fault.h"

#define LEN 4096

static _Alignas(256) char area[LEN + 256];
static char *memory; /* the mmap's memory */
static struct doca_mmap *map;
static struct doca_buf_pool *pool;

/* Begin with an mmap @skew bytes behind an address with a large alignment. */
static void begin(size_t skew, size_t n, size_t size)
{
	fake_reset(false);
	memory = area + skew;
	map = new_mmap(memory, LEN, NULL);
	OK(doca_buf_pool_create(n, size, map, &pool));
}

static void start(void)
{
	OK(doca_mmap_start(map));
	OK(doca_buf_pool_start(pool));
}

static void end(void)
{
	OK(doca_buf_pool_destroy(pool));
	OK(doca_mmap_destroy(map));
}

static struct doca_buf *get(void)
{
	struct doca_buf *buf = NULL;

	OK(doca_buf_pool_buf_alloc(pool, &buf));
	return buf;
}

static void expect_counts(uint32_t all, uint32_t free)
{
	uint32_t n = -1;

	OK(doca_buf_pool_get_num_elements(pool, &n));
	EXPECT_EQ(n, all);
	OK(doca_buf_pool_get_num_free_elements(pool, &n));
	EXPECT_EQ(n, free);
}

TEST(sizes_of_a_pool)
{
	struct doca_buf_pool *new;
	struct doca_mmap *empty;

	begin(0, 1, 1);
	OK(doca_mmap_create(&empty));
	ERR(doca_buf_pool_create(0, 1, map, &new), INVALID_VALUE);
	ERR(doca_buf_pool_create((size_t)UINT32_MAX + 1, 1, map, &new), INVALID_VALUE);
	ERR(doca_buf_pool_create(UINT32_MAX, 1, map, &new), NO_MEMORY);
	ERR(doca_buf_pool_create(1, 0, map, &new), INVALID_VALUE);
	ERR(doca_buf_pool_create(1, 1, empty, &new), INVALID_VALUE);
	ERR(doca_buf_pool_set_element_alignment(pool, 0), INVALID_VALUE);
	ERR(doca_buf_pool_set_element_alignment(pool, 3), INVALID_VALUE);
	OK(doca_mmap_destroy(empty));
	end();
}

TEST(buffers_have_memory_of_their_own_and_no_data)
{
	struct doca_buf *bufs[4], *buf;
	bool seen[4] = { 0 };
	size_t at;

	begin(1, 4, 100);
	start();
	expect_counts(4, 4);
	for (int i = 0; i < 4; i++) {
		bufs[i] = get();
		at = head_of(bufs[i]) - memory;
		ASSERT(at % 100 == 0 && at / 100 < 4);
		seen[at / 100] = true;
		EXPECT_EQ(len_of(bufs[i]), 100);
		EXPECT(data_of(bufs[i]) == head_of(bufs[i]));
		EXPECT_EQ(data_len(bufs[i]), 0);
	}
	EXPECT(seen[0] && seen[1] && seen[2] && seen[3]);
	expect_counts(4, 0);
	ERR(doca_buf_pool_buf_alloc(pool, &buf), EMPTY);
	/* The last user's data is forgotten. */
	OK(doca_buf_set_data(bufs[0], head_of(bufs[0]) + 10, 7));
	put(bufs[0]);
	bufs[0] = get();
	EXPECT(data_of(bufs[0]) == head_of(bufs[0]));
	EXPECT_EQ(data_len(bufs[0]), 0);
	for (int i = 0; i < 4; i++)
		put(bufs[i]);
	expect_counts(4, 4);
	end();
}

TEST(elements_are_aligned_as_addresses)
{
	struct doca_buf *a, *b;
	size_t alignment = 0;

	begin(1, 2, 65);
	OK(doca_buf_pool_get_element_alignment(pool, &alignment));
	EXPECT_EQ(alignment, 1);
	OK(doca_buf_pool_set_element_alignment(pool, 64));
	OK(doca_buf_pool_get_element_alignment(pool, &alignment));
	EXPECT_EQ(alignment, 64);
	start();
	a = get();
	b = get();
	EXPECT(head_of(a) == area + 64);
	EXPECT(head_of(b) == area + 192);
	put(a);
	put(b);
	end();
}

/* No padding is needed behind the last element. */
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
		begin(cases[i].skew, cases[i].n, cases[i].size);
		OK(doca_buf_pool_set_element_alignment(pool, cases[i].alignment));
		OK(doca_mmap_start(map));
		logged();
		EXPECT_EQ(doca_buf_pool_start(pool), cases[i].res);
		if (cases[i].res == DOCA_SUCCESS)
			EXPECT_SILENT();
		else
			EXPECT_LOGGED("has no room for");
		end();
	}
}

TEST(a_pool_starts_when_its_mmap_has)
{
	struct doca_buf *buf;

	begin(0, 1, 1);
	ERR(doca_buf_pool_buf_alloc(pool, &buf), BAD_STATE);
	FAILS(doca_buf_pool_start(pool), BAD_STATE, "its mmap is not started");
	start();
	OK(doca_buf_pool_start(pool));
	OK(doca_buf_pool_stop(pool));
	OK(doca_buf_pool_stop(pool));
	ERR(doca_buf_pool_buf_alloc(pool, &buf), BAD_STATE);
	OK(doca_buf_pool_start(pool));
	put(get());
	end();
}

TEST(a_started_pool_keeps_its_mmap_started)
{
	struct doca_buf *buf;

	begin(0, 3, 1);
	start();
	buf = get();
	EXPECT_EQ(bufs_of(map), 3);
	FAILS(doca_mmap_stop(map), NOT_PERMITTED, "3 buffers are in use");
	ERR(doca_mmap_destroy(map), NOT_PERMITTED);
	put(buf);
	EXPECT_EQ(bufs_of(map), 3);
	OK(doca_buf_pool_stop(pool));
	EXPECT_EQ(bufs_of(map), 0);
	OK(doca_mmap_stop(map));
	end();
}

TEST(a_pool_whose_buffers_are_in_use_stays)
{
	struct doca_buf *buf;

	begin(0, 2, 1);
	start();
	buf = get();
	FAILS(doca_buf_pool_stop(pool), IN_USE, "1 of its buffers are in use");
	ERR(doca_buf_pool_destroy(pool), IN_USE);
	put(get());
	put(buf);
	end();
}

TEST(properties_are_set_before_start)
{
	union doca_data data = { .u64 = 1 };
	size_t alignment = 0;

	begin(0, 2, 1);
	OK(doca_buf_pool_get_user_data(pool, &data));
	EXPECT_EQ(data.u64, 0);
	data.u64 = 7;
	OK(doca_buf_pool_set_user_data(pool, data));
	start();
	logged();
	data.u64 = 8;
	FAILS(doca_buf_pool_set_user_data(pool, data), BAD_STATE, "cannot set the user data");
	FAILS(doca_buf_pool_set_element_alignment(pool, 8), BAD_STATE, "cannot set the alignment");
	OK(doca_buf_pool_get_user_data(pool, &data));
	EXPECT_EQ(data.u64, 7);
	OK(doca_buf_pool_get_element_alignment(pool, &alignment));
	EXPECT_EQ(alignment, 1);
	OK(doca_buf_pool_stop(pool));
	OK(doca_buf_pool_set_element_alignment(pool, 8));
	end();
}

TEST(lists_go_back_where_each_buffer_is_from)
{
	struct doca_buf_inventory *inventory;
	struct doca_buf *a, *b, *c;
	uint32_t n = 0;

	begin(0, 2, 8);
	start();
	inventory = new_inventory(1);
	a = get();
	OK(doca_buf_inventory_buf_dup(inventory, a, &b));
	EXPECT(head_of(a) == head_of(b));
	c = get();
	OK(doca_buf_chain_list(a, b));
	OK(doca_buf_chain_list(a, c));
	expect_counts(2, 0);
	EXPECT_EQ(bufs_of(map), 3);
	put(a);
	expect_counts(2, 2);
	EXPECT_EQ(bufs_of(map), 2);
	OK(doca_buf_inventory_get_num_free_elements(inventory, &n));
	EXPECT_EQ(n, 1);
	OK(doca_buf_inventory_destroy(inventory));
	end();
}

TEST(nothing_is_allocated_after_start)
{
	fault_at(FAULT_ALLOC, 0);
	begin(0, 2, 8);
	start();
	EXPECT(fault_calls(FAULT_ALLOC) > 0);
	fault_at(FAULT_ALLOC, 0);
	put(get());
	EXPECT_EQ(fault_calls(FAULT_ALLOC), 0);
	end();
}
