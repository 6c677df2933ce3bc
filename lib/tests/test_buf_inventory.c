// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Inventories of buffers. */
#include "ktap.h"
#include "fake_mem.h"
#include "fault.h"
#include "core/memory/buf.h"
#include "core/memory/buf_inventory.h"
#include "logged.h"

#include <doca_buf_pool.h>

static struct doca_buf_inventory *inventory;
static struct doca_mmap *mmap;
static char room[4096 + 16];
static char *const memory = room + 8;
static const size_t len = 4096;

static void setup(size_t n)
{
	fake_reset();
	if (doca_mmap_create(&mmap) ||
	    doca_mmap_set_memrange(mmap, memory, len) ||
	    doca_mmap_start(mmap) || doca_buf_inventory_create(n, &inventory) ||
	    doca_buf_inventory_start(inventory))
		abort();
}

static void teardown(void)
{
	EXPECT_EQ(doca_buf_inventory_destroy(inventory), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static doca_error_t get(struct doca_buf **buf)
{
	return doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 100,
						  buf);
}

static void put(struct doca_buf *buf)
{
	EXPECT_EQ(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
}

static void expect_counts(uint32_t all, uint32_t free)
{
	uint32_t n;

	EXPECT_EQ(doca_buf_inventory_get_num_elements(inventory, &n),
		  DOCA_SUCCESS);
	EXPECT_EQ(n, all);
	EXPECT_EQ(doca_buf_inventory_get_num_free_elements(inventory, &n),
		  DOCA_SUCCESS);
	EXPECT_EQ(n, free);
}

TEST(null_is_invalid)
{
	union doca_data data = { .u64 = 0 };
	struct doca_buf_inventory *new;
	struct doca_buf *buf;
	uint32_t n;

	setup(1);
#define BAD(call) EXPECT_EQ(call, DOCA_ERROR_INVALID_VALUE)
	BAD(doca_buf_inventory_create(1, NULL));
	BAD(doca_buf_inventory_create(0, &new));
	BAD(doca_buf_inventory_create((size_t)UINT32_MAX + 1, &new));
	BAD(doca_buf_inventory_destroy(NULL));
	BAD(doca_buf_inventory_start(NULL));
	BAD(doca_buf_inventory_stop(NULL));
	BAD(doca_buf_inventory_expand(NULL, 1));
	BAD(doca_buf_inventory_expand(inventory, 0));
	BAD(doca_buf_inventory_expand(inventory, UINT32_MAX));
	BAD(doca_buf_inventory_get_num_elements(NULL, &n));
	BAD(doca_buf_inventory_get_num_elements(inventory, NULL));
	BAD(doca_buf_inventory_get_num_free_elements(NULL, &n));
	BAD(doca_buf_inventory_get_num_free_elements(inventory, NULL));
	BAD(doca_buf_inventory_get_user_data(NULL, &data));
	BAD(doca_buf_inventory_get_user_data(inventory, NULL));
	BAD(doca_buf_inventory_set_user_data(NULL, data));
	BAD(doca_buf_inventory_buf_get_by_args(NULL, mmap, memory, 1, memory, 1,
					       &buf));
	BAD(doca_buf_inventory_buf_get_by_args(inventory, NULL, memory, 1,
					       memory, 1, &buf));
	BAD(doca_buf_inventory_buf_get_by_args(inventory, mmap, NULL, 1, memory,
					       1, &buf));
	BAD(doca_buf_inventory_buf_get_by_args(inventory, mmap, memory, 1, NULL,
					       1, &buf));
	BAD(doca_buf_inventory_buf_get_by_args(inventory, mmap, memory, 1,
					       memory, 1, NULL));
	ASSERT(get(&buf) == DOCA_SUCCESS);
	BAD(doca_buf_inventory_buf_dup(NULL, buf, &buf));
	BAD(doca_buf_inventory_buf_dup(inventory, NULL, &buf));
	BAD(doca_buf_inventory_buf_dup(inventory, buf, NULL));
#undef BAD
	put(buf);
	teardown();
}

TEST(too_many_elements_are_no_memory)
{
	struct doca_buf_inventory *new;

	EXPECT_EQ(doca_buf_inventory_create(UINT32_MAX, &new),
		  DOCA_ERROR_NO_MEMORY);
}

TEST(buffers_come_and_go_back)
{
	struct doca_buf *a, *b, *c = NULL;

	setup(2);
	expect_counts(2, 2);
	EXPECT_EQ(get(&a), DOCA_SUCCESS);
	EXPECT_EQ(get(&b), DOCA_SUCCESS);
	EXPECT(a != b);
	expect_counts(2, 0);
	EXPECT_EQ(get(&c), DOCA_ERROR_NO_MEMORY);
	logged();
	EXPECT_EQ(doca_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE);
	EXPECT_LOGGED("2 of its buffers are in use");
	put(a);
	EXPECT_EQ(get(&c), DOCA_SUCCESS);
	EXPECT(c == a);
	put(b);
	put(c);
	expect_counts(2, 2);
	teardown();
}

TEST(buffers_by_address_are_empty_and_by_data_full)
{
	struct doca_buf *buf;
	size_t n;
	void *p;

	setup(1);
	ASSERT(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + 1,
						  10, &buf) == DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_get_data(buf, &p), DOCA_SUCCESS);
	EXPECT(p == memory + 1);
	EXPECT_EQ(doca_buf_get_data_len(buf, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, 0);
	put(buf);
	ASSERT(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory + 1,
						  10, &buf) == DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_get_data_len(buf, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, 10);
	put(buf);
	ASSERT(doca_buf_inventory_buf_get_by_args(inventory, mmap, memory, len,
						  memory + 7, 10,
						  &buf) == DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_get_head(buf, &p), DOCA_SUCCESS);
	EXPECT(p == memory);
	EXPECT_EQ(doca_buf_get_len(buf, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, len);
	EXPECT_EQ(doca_buf_get_data(buf, &p), DOCA_SUCCESS);
	EXPECT(p == memory + 7);
	EXPECT_EQ(doca_buf_get_data_len(buf, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, 10);
	put(buf);
	teardown();
}

TEST(ranges_are_within_the_memory_and_data_within_the_range)
{
	const struct {
		char *addr;
		size_t len;
		char *data;
		size_t data_len;
		doca_error_t res;
	} cases[] = {
		{ memory, len, memory, len, DOCA_SUCCESS },
		{ memory, len, memory + len, 0, DOCA_SUCCESS },
		{ memory, len + 1, memory, 0, DOCA_ERROR_INVALID_VALUE },
		{ memory - 1, 1, memory - 1, 0, DOCA_ERROR_INVALID_VALUE },
		{ memory + 8, SIZE_MAX, memory + 8, 0,
		  DOCA_ERROR_INVALID_VALUE },
		{ memory + 8, 8, memory + 7, 1, DOCA_ERROR_INVALID_VALUE },
		{ memory + 8, 8, memory + 17, 0, DOCA_ERROR_INVALID_VALUE },
		{ memory + 8, 8, memory + 10, 7, DOCA_ERROR_INVALID_VALUE },
		{ memory + 8, 8, memory + 8, SIZE_MAX,
		  DOCA_ERROR_INVALID_VALUE },
	};
	struct doca_buf *buf;
	doca_error_t res;
	uint32_t n;
	size_t i;

	setup(1);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		res = doca_buf_inventory_buf_get_by_args(
			inventory, mmap, cases[i].addr, cases[i].len,
			cases[i].data, cases[i].data_len, &buf);
		EXPECT_EQ(res, cases[i].res);
		if (res == DOCA_SUCCESS)
			put(buf);
	}
	EXPECT_EQ(doca_mmap_get_num_bufs(mmap, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, 0);
	expect_counts(1, 1);
	teardown();
}

TEST(inventory_and_mmap_must_be_started)
{
	struct doca_buf *buf, *dup;

	setup(2);
	ASSERT(get(&buf) == DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_inventory_stop(inventory), DOCA_SUCCESS);
	EXPECT_EQ(get(&dup), DOCA_ERROR_BAD_STATE);
	EXPECT_EQ(doca_buf_inventory_buf_dup(inventory, buf, &dup),
		  DOCA_ERROR_BAD_STATE);
	put(buf);
	EXPECT_EQ(doca_buf_inventory_start(inventory), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_stop(mmap), DOCA_SUCCESS);
	EXPECT_EQ(get(&buf), DOCA_ERROR_BAD_STATE);
	expect_counts(2, 2);
	EXPECT_EQ(doca_mmap_start(mmap), DOCA_SUCCESS);
	ASSERT(get(&buf) == DOCA_SUCCESS);
	/* cannot happen by the rules: it does not stop with buffers */
	mmap->started = false;
	EXPECT_EQ(doca_buf_inventory_buf_dup(inventory, buf, &dup),
		  DOCA_ERROR_BAD_STATE);
	mmap->started = true;
	put(buf);
	teardown();
}

TEST(dup_copies_a_list)
{
	struct doca_buf *a, *b, *dup = NULL;
	uint32_t n;

	setup(5);
	ASSERT(get(&a) == DOCA_SUCCESS);
	ASSERT(get(&b) == DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_set_data(b, memory + 5, 6), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_chain_list(a, b), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_inc_refcount(a, NULL), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_inventory_buf_dup(inventory, b, &dup),
		  DOCA_ERROR_NOT_PERMITTED);
	ASSERT(doca_buf_inventory_buf_dup(inventory, a, &dup) == DOCA_SUCCESS);
	expect_counts(5, 1);
	EXPECT_EQ(doca_buf_get_list_len(dup, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, 2);
	EXPECT_EQ(dup->refcount, 1);
	EXPECT(dup->head == a->head);
	EXPECT_EQ(dup->len, a->len);
	EXPECT(dup->next->chained);
	EXPECT(dup->next->data == memory + 5);
	EXPECT_EQ(dup->next->data_len, 6);
	EXPECT_EQ(doca_mmap_get_num_bufs(mmap, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, 4);
	/* room for one element only: nothing is kept */
	b = NULL;
	EXPECT_EQ(doca_buf_inventory_buf_dup(inventory, a, &b),
		  DOCA_ERROR_NO_MEMORY);
	EXPECT(!b);
	expect_counts(5, 1);
	EXPECT_EQ(doca_mmap_get_num_bufs(mmap, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, 4);
	put(dup);
	put(a);
	put(a);
	expect_counts(5, 5);
	teardown();
}

TEST(expand_keeps_what_is_in_use)
{
	struct doca_buf *bufs[5];
	int i;

	setup(2);
	ASSERT(get(&bufs[0]) == DOCA_SUCCESS);
	ASSERT(get(&bufs[1]) == DOCA_SUCCESS);
	EXPECT_EQ(get(&bufs[2]), DOCA_ERROR_NO_MEMORY);
	EXPECT_EQ(doca_buf_inventory_expand(inventory, 3), DOCA_SUCCESS);
	expect_counts(5, 3);
	for (i = 2; i < 5; i++)
		ASSERT(get(&bufs[i]) == DOCA_SUCCESS);
	EXPECT_EQ(bufs[0]->refcount, 1);
	for (i = 0; i < 5; i++)
		put(bufs[i]);
	expect_counts(5, 5);
	teardown();
}

static struct doca_buf *get_at(size_t offset, size_t len)
{
	struct doca_buf *buf = NULL;

	EXPECT_EQ(doca_buf_inventory_buf_get_by_addr(
			  inventory, mmap, memory + offset, len, &buf),
		  DOCA_SUCCESS);
	return buf;
}

static void expect_piece(const struct doca_buf *buf, size_t offset, size_t len,
			 size_t data_len)
{
	size_t n;
	void *p;

	EXPECT_EQ(doca_buf_get_head(buf, &p), DOCA_SUCCESS);
	EXPECT(p == memory + offset);
	EXPECT_EQ(doca_buf_get_data(buf, &p), DOCA_SUCCESS);
	EXPECT(p == memory + offset);
	EXPECT_EQ(doca_buf_get_len(buf, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, len);
	EXPECT_EQ(doca_buf_get_data_len(buf, &n), DOCA_SUCCESS);
	EXPECT_EQ(n, data_len);
}

/* Which pieces an owner of memory was told of */
static struct {
	char log[8];
	void *last;
} owned;

static void own(char c, void *head)
{
	owned.log[strlen(owned.log)] = c;
	owned.last = head;
}

static void own_get(const struct mmap_owner *owner, void *head)
{
	(void)owner;
	own('g', head);
}

static void own_put(const struct mmap_owner *owner, void *head)
{
	(void)owner;
	own('p', head);
}

TEST(a_buffer_is_reused_for_another_piece_of_its_mmap)
{
	static const struct mmap_owner owner = { own_get, own_put };
	struct doca_buf *buf;
	uint16_t refcount;

	setup(2);
	memset(&owned, 0, sizeof(owned));
	doca_priv_mmap_set_owner(mmap, &owner);
	buf = get_at(0, 16);
	EXPECT_EQ(doca_buf_inc_refcount(buf, NULL), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_set_data(buf, memory + 4, 3), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_inventory_buf_reuse_by_addr(buf, memory + 32, 8),
		  DOCA_SUCCESS);
	expect_piece(buf, 32, 8, 0);
	EXPECT_EQ(doca_buf_inventory_buf_reuse_by_data(buf, memory + 40, 5),
		  DOCA_SUCCESS);
	expect_piece(buf, 40, 5, 5);
	EXPECT_EQ(buf->source.length, 5);
	EXPECT_EQ(doca_buf_get_refcount(buf, &refcount), DOCA_SUCCESS);
	EXPECT_EQ(refcount, 2);
	expect_counts(2, 1);
	EXPECT_STR(owned.log, "gpgpg");
	EXPECT(owned.last == memory + 40);
	put(buf);
	put(buf);
	EXPECT_EQ(mmap->num_bufs, 0);
	doca_priv_mmap_set_owner(mmap, NULL);
	teardown();
}

static void not_reused(struct doca_buf *buf, doca_error_t error,
		       const char *why)
{
	logged();
	EXPECT_EQ(doca_buf_inventory_buf_reuse_by_addr(buf, memory, 1), error);
	EXPECT_LOGGED(why);
	EXPECT_EQ(doca_buf_inventory_buf_reuse_by_data(buf, memory, 1), error);
	EXPECT_LOGGED(why);
}

TEST(what_cannot_be_reused_stays_as_it_is)
{
	struct doca_buf *buf, *other, *of_pool;
	struct doca_buf_pool *pool;

	setup(3);
#define BAD(call) EXPECT_EQ(call, DOCA_ERROR_INVALID_VALUE)
	buf = get_at(8, 16);
	other = get_at(32, 16);
	BAD(doca_buf_inventory_buf_reuse_by_addr(NULL, memory, 1));
	BAD(doca_buf_inventory_buf_reuse_by_addr(buf, NULL, 1));
	BAD(doca_buf_inventory_buf_reuse_by_data(NULL, memory, 1));
	BAD(doca_buf_inventory_buf_reuse_by_data(buf, NULL, 1));
	logged();
	BAD(doca_buf_inventory_buf_reuse_by_addr(buf, memory, len + 1));
	EXPECT_LOGGED("are not within its mmap");
	BAD(doca_buf_inventory_buf_reuse_by_data(buf, memory - 1, 1));
	EXPECT_LOGGED("are not within its mmap");
#undef BAD
	doca_priv_buf_hold(buf);
	not_reused(buf, DOCA_ERROR_IN_USE, "a task in flight has it");
	doca_priv_buf_unhold(buf);
	EXPECT_EQ(doca_buf_chain_list(buf, other), DOCA_SUCCESS);
	not_reused(buf, DOCA_ERROR_NOT_PERMITTED, "is in a list");
	not_reused(other, DOCA_ERROR_NOT_PERMITTED, "is in a list");
	expect_piece(buf, 8, 16, 0);
	expect_piece(other, 32, 16, 0);
	EXPECT_EQ(mmap->num_bufs, 2);
	put(buf);
	not_reused(buf, DOCA_ERROR_INVALID_VALUE, "was released");

	EXPECT_EQ(doca_buf_pool_create(1, 16, mmap, &pool), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_pool_start(pool), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_pool_buf_alloc(pool, &of_pool), DOCA_SUCCESS);
	not_reused(of_pool, DOCA_ERROR_NOT_PERMITTED, "is of a pool");
	put(of_pool);
	EXPECT_EQ(doca_buf_pool_destroy(pool), DOCA_SUCCESS);
	teardown();
}

TEST(user_data_is_set_while_started)
{
	union doca_data data = { .u64 = 1 };

	setup(1);
	EXPECT_EQ(doca_buf_inventory_get_user_data(inventory, &data),
		  DOCA_SUCCESS);
	EXPECT_EQ(data.u64, 0);
	data.u64 = 5;
	EXPECT_EQ(doca_buf_inventory_set_user_data(inventory, data),
		  DOCA_SUCCESS);
	data.u64 = 0;
	EXPECT_EQ(doca_buf_inventory_get_user_data(inventory, &data),
		  DOCA_SUCCESS);
	EXPECT_EQ(data.u64, 5);
	EXPECT_EQ(doca_buf_inventory_stop(inventory), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_inventory_set_user_data(inventory, data),
		  DOCA_ERROR_BAD_STATE);
	teardown();
}

TEST(nothing_is_allocated_after_create)
{
	struct doca_buf *a, *b, *dup;

	fault_at(FAULT_ALLOC, 0);
	setup(4);
	EXPECT(fault_calls(FAULT_ALLOC) > 0);
	fault_at(FAULT_ALLOC, 0);
	ASSERT(get(&a) == DOCA_SUCCESS);
	ASSERT(get(&b) == DOCA_SUCCESS);
	ASSERT(doca_buf_chain_list(a, b) == DOCA_SUCCESS);
	ASSERT(doca_buf_inventory_buf_dup(inventory, a, &dup) == DOCA_SUCCESS);
	put(dup);
	put(a);
	EXPECT_EQ(fault_calls(FAULT_ALLOC), 0);
	teardown();
}
