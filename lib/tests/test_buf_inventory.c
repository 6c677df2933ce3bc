// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Inventories of buffers. */
#include <doca_buf_pool.h>

#include "bed.h"
#include "core/memory/buf.h"
#include "core/memory/buf_inventory.h"
#include "core/memory/mmap.h"
#include "fault.h"

static struct doca_buf_inventory *inventory;
static char *const memory = bed.mem;

static void begin(size_t n)
{
	set_up(false, 1);
	inventory = new_inventory(n);
}

static void end(void)
{
	OK(doca_buf_inventory_destroy(inventory));
	tear_down();
}

static doca_error_t get(struct doca_buf **buf)
{
	return doca_buf_inventory_buf_get_by_addr(inventory, bed.mmap, memory, 100, buf);
}

static void expect_counts(uint32_t all, uint32_t free)
{
	uint32_t n;

	OK(doca_buf_inventory_get_num_elements(inventory, &n));
	EXPECT_EQ(n, all);
	OK(doca_buf_inventory_get_num_free_elements(inventory, &n));
	EXPECT_EQ(n, free);
}

TEST(sizes_of_an_inventory)
{
	struct doca_buf_inventory *new;

	begin(1);
	ERR(doca_buf_inventory_create(0, &new), INVALID_VALUE);
	ERR(doca_buf_inventory_create((size_t)UINT32_MAX + 1, &new), INVALID_VALUE);
	ERR(doca_buf_inventory_create(UINT32_MAX, &new), NO_MEMORY);
	ERR(doca_buf_inventory_expand(inventory, 0), INVALID_VALUE);
	ERR(doca_buf_inventory_expand(inventory, UINT32_MAX), INVALID_VALUE);
	end();
}

TEST(buffers_come_and_go_back)
{
	struct doca_buf *a, *b, *c = NULL;

	begin(2);
	expect_counts(2, 2);
	OK(get(&a));
	OK(get(&b));
	EXPECT(a != b);
	expect_counts(2, 0);
	ERR(get(&c), NO_MEMORY);
	FAILS(doca_buf_inventory_destroy(inventory), IN_USE, "2 of its buffers are in use");
	put(a);
	OK(get(&c));
	EXPECT(doca_priv_debug || c == a);
	put(b);
	put(c);
	expect_counts(2, 2);
	end();
}

static void expect_piece(const struct doca_buf *buf, size_t offset, size_t len, size_t data_offset,
			 size_t data)
{
	EXPECT(head_of(buf) == memory + offset);
	EXPECT_EQ(len_of(buf), len);
	EXPECT(data_of(buf) == memory + data_offset);
	EXPECT_EQ(data_len(buf), data);
}

TEST(buffers_by_address_are_empty_and_by_data_full)
{
	struct doca_buf *buf;

	begin(1);
	OK(doca_buf_inventory_buf_get_by_addr(inventory, bed.mmap, memory + 1, 10, &buf));
	expect_piece(buf, 1, 10, 1, 0);
	put(buf);
	OK(doca_buf_inventory_buf_get_by_data(inventory, bed.mmap, memory + 1, 10, &buf));
	expect_piece(buf, 1, 10, 1, 10);
	put(buf);
	OK(doca_buf_inventory_buf_get_by_args(inventory, bed.mmap, memory, MEM_SIZE, memory + 7, 10,
					      &buf));
	expect_piece(buf, 0, MEM_SIZE, 7, 10);
	put(buf);
	end();
}

TEST(ranges_are_within_the_memory_and_data_within_the_range)
{
	const struct {
		ptrdiff_t offset;
		size_t len;
		ptrdiff_t data;
		size_t data_len;
		doca_error_t res;
	} cases[] = {
		{ 0, MEM_SIZE, 0, MEM_SIZE, DOCA_SUCCESS },
		{ 0, MEM_SIZE, MEM_SIZE, 0, DOCA_SUCCESS },
		{ 0, MEM_SIZE + 1, 0, 0, DOCA_ERROR_INVALID_VALUE },
		{ -1, 1, -1, 0, DOCA_ERROR_INVALID_VALUE },
		{ 8, SIZE_MAX, 8, 0, DOCA_ERROR_INVALID_VALUE },
		{ 8, 8, 7, 1, DOCA_ERROR_INVALID_VALUE },
		{ 8, 8, 17, 0, DOCA_ERROR_INVALID_VALUE },
		{ 8, 8, 10, 7, DOCA_ERROR_INVALID_VALUE },
		{ 8, 8, 8, SIZE_MAX, DOCA_ERROR_INVALID_VALUE },
	};
	struct doca_buf *buf;

	begin(1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		EXPECT_EQ(doca_buf_inventory_buf_get_by_args(
				  inventory, bed.mmap, memory + cases[i].offset, cases[i].len,
				  memory + cases[i].data, cases[i].data_len, &buf),
			  cases[i].res);
		if (cases[i].res == DOCA_SUCCESS)
			put(buf);
	}
	EXPECT_EQ(bufs_of(bed.mmap), 0);
	expect_counts(1, 1);
	end();
}

TEST(inventory_and_mmap_must_be_started)
{
	struct doca_buf *buf, *dup;

	begin(2);
	OK(get(&buf));
	OK(doca_buf_inventory_stop(inventory));
	ERR(get(&dup), BAD_STATE);
	ERR(doca_buf_inventory_buf_dup(inventory, buf, &dup), BAD_STATE);
	put(buf);
	OK(doca_buf_inventory_start(inventory));
	OK(doca_mmap_stop(bed.mmap));
	ERR(get(&buf), BAD_STATE);
	expect_counts(2, 2);
	OK(doca_mmap_start(bed.mmap));
	OK(get(&buf));
	/* impossible by the rules: it does not stop with buffers */
	bed.mmap->started = false;
	ERR(doca_buf_inventory_buf_dup(inventory, buf, &dup), BAD_STATE);
	bed.mmap->started = true;
	put(buf);
	end();
}

TEST(dup_copies_a_list)
{
	struct doca_buf *a, *b, *dup = NULL;
	uint32_t n;

	begin(5);
	OK(get(&a));
	OK(get(&b));
	OK(doca_buf_set_data(b, memory + 5, 6));
	OK(doca_buf_chain_list(a, b));
	OK(doca_buf_inc_refcount(a, NULL));
	ERR(doca_buf_inventory_buf_dup(inventory, b, &dup), NOT_PERMITTED);
	OK(doca_buf_inventory_buf_dup(inventory, a, &dup));
	expect_counts(5, 1);
	OK(doca_buf_get_list_len(dup, &n));
	EXPECT_EQ(n, 2);
	EXPECT_EQ(dup->refcount, 1);
	EXPECT(dup->head == a->head);
	EXPECT_EQ(dup->len, a->len);
	EXPECT(dup->next->chained);
	EXPECT(dup->next->data == memory + 5);
	EXPECT_EQ(dup->next->data_len, 6);
	EXPECT_EQ(bufs_of(bed.mmap), 4);
	/* room for one element only: nothing is kept */
	b = NULL;
	ERR(doca_buf_inventory_buf_dup(inventory, a, &b), NO_MEMORY);
	EXPECT(!b);
	expect_counts(5, 1);
	EXPECT_EQ(bufs_of(bed.mmap), 4);
	put(dup);
	put(a);
	put(a);
	expect_counts(5, 5);
	end();
}

TEST(expand_keeps_what_is_in_use)
{
	struct doca_buf *bufs[5];

	begin(2);
	OK(get(&bufs[0]));
	OK(get(&bufs[1]));
	ERR(get(&bufs[2]), NO_MEMORY);
	OK(doca_buf_inventory_expand(inventory, 3));
	expect_counts(5, 3);
	for (int i = 2; i < 5; i++)
		OK(get(&bufs[i]));
	EXPECT_EQ(bufs[0]->refcount, 1);
	for (int i = 0; i < 5; i++)
		put(bufs[i]);
	expect_counts(5, 5);
	end();
}

/* Calls of an owner of memory. */
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

	begin(2);
	memset(&owned, 0, sizeof(owned));
	doca_priv_mmap_set_owner(bed.mmap, &owner);
	OK(get(&buf));
	OK(doca_buf_inc_refcount(buf, NULL));
	OK(doca_buf_set_data(buf, memory + 4, 3));
	OK(doca_buf_inventory_buf_reuse_by_addr(buf, memory + 32, 8));
	expect_piece(buf, 32, 8, 32, 0);
	OK(doca_buf_inventory_buf_reuse_by_data(buf, memory + 40, 5));
	expect_piece(buf, 40, 5, 40, 5);
	EXPECT_EQ(buf->source.length, 5);
	EXPECT_EQ(buf->refcount, 2);
	expect_counts(2, 1);
	EXPECT_STR(owned.log, "gpgpg");
	EXPECT(owned.last == memory + 40);
	put(buf);
	put(buf);
	EXPECT_EQ(bufs_of(bed.mmap), 0);
	doca_priv_mmap_set_owner(bed.mmap, NULL);
	end();
}

/* Nobody knows whether a task has the list of an element, whose owner would get memory in use. */
TEST(an_element_is_not_reused_whose_memory_has_an_owner)
{
	static const struct mmap_owner owner = { own_get, own_put };
	struct doca_buf *head, *second;

	begin(2);
	memset(&owned, 0, sizeof(owned));
	doca_priv_mmap_set_owner(bed.mmap, &owner);
	OK(get(&head));
	OK(get(&second));
	OK(doca_buf_chain_list(head, second));
	FAILS(doca_buf_inventory_buf_reuse_by_addr(second, memory + 32, 8), NOT_PERMITTED,
	      "is given back to its owner");
	EXPECT_STR(owned.log, "gg");
	OK(doca_buf_inventory_buf_reuse_by_addr(head, memory + 32, 8));
	put(head);
	EXPECT_EQ(bufs_of(bed.mmap), 0);
	doca_priv_mmap_set_owner(bed.mmap, NULL);
	end();
}

/* Tasks with lists are made once, and get other blocks each time. */
TEST(elements_of_a_list_are_reused_in_their_places)
{
	struct doca_buf *head, *second, *next;
	uint32_t n;

	begin(2);
	OK(get(&head));
	OK(get(&second));
	OK(doca_buf_chain_list(head, second));
	OK(doca_buf_inventory_buf_reuse_by_data(head, memory + 8, 3));
	OK(doca_buf_inventory_buf_reuse_by_data(second, memory + 40, 5));
	expect_piece(head, 8, 3, 8, 3);
	expect_piece(second, 40, 5, 40, 5);
	OK(doca_buf_get_next_in_list(head, &next));
	EXPECT(next == second);
	OK(doca_buf_get_list_len(head, &n));
	EXPECT_EQ(n, 2);
	EXPECT(!head->plain);
	OK(doca_buf_inventory_buf_reuse_by_addr(second, memory + 48, 7));
	expect_piece(second, 48, 7, 48, 0);
	EXPECT_EQ(bufs_of(bed.mmap), 2);
	put(head);
	EXPECT_EQ(bufs_of(bed.mmap), 0);
	end();
}

static void not_reused(struct doca_buf *buf, doca_error_t error, const char *why)
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

	begin(3);
	OK(get(&buf));
	OK(get(&other));
	FAILS(doca_buf_inventory_buf_reuse_by_addr(buf, memory, MEM_SIZE + 1), INVALID_VALUE,
	      "are not within its mmap");
	FAILS(doca_buf_inventory_buf_reuse_by_data(buf, memory - 1, 1), INVALID_VALUE,
	      "are not within its mmap");
	doca_priv_buf_hold(buf);
	not_reused(buf, DOCA_ERROR_IN_USE, "a task in flight has it");
	OK(doca_buf_chain_list(buf, other));
	not_reused(buf, DOCA_ERROR_IN_USE, "a task in flight has it");
	doca_priv_buf_unhold(buf);
	expect_piece(buf, 0, 100, 0, 0);
	expect_piece(other, 0, 100, 0, 0);
	EXPECT_EQ(bufs_of(bed.mmap), 2);
	put(buf);
	not_reused(buf, DOCA_ERROR_INVALID_VALUE, "was released");

	OK(doca_buf_pool_create(1, 16, bed.mmap, &pool));
	OK(doca_buf_pool_start(pool));
	OK(doca_buf_pool_buf_alloc(pool, &of_pool));
	not_reused(of_pool, DOCA_ERROR_NOT_PERMITTED, "is of a pool");
	put(of_pool);
	OK(doca_buf_pool_destroy(pool));
	end();
}

static void user_data_is(uint64_t value)
{
	union doca_data data = { .u64 = ~value };

	OK(doca_buf_inventory_get_user_data(inventory, &data));
	EXPECT_EQ(data.u64, value);
}

TEST(user_data_is_set_in_every_state)
{
	begin(1);
	user_data_is(0);
	OK(doca_buf_inventory_stop(inventory));
	OK(doca_buf_inventory_destroy(inventory));

	OK(doca_buf_inventory_create(1, &inventory));
	OK(doca_buf_inventory_set_user_data(inventory, (union doca_data){ .u64 = 5 }));
	OK(doca_buf_inventory_start(inventory));
	user_data_is(5);
	OK(doca_buf_inventory_set_user_data(inventory, (union doca_data){ .u64 = 6 }));
	user_data_is(6);
	OK(doca_buf_inventory_stop(inventory));
	OK(doca_buf_inventory_set_user_data(inventory, (union doca_data){ .u64 = 7 }));
	user_data_is(7);
	end();
}

TEST(nothing_is_allocated_after_create)
{
	struct doca_buf *a, *b, *dup;

	begin(4);
	fault_at(FAULT_ALLOC, 0);
	OK(get(&a));
	OK(get(&b));
	OK(doca_buf_chain_list(a, b));
	OK(doca_buf_inventory_buf_dup(inventory, a, &dup));
	put(dup);
	put(a);
	EXPECT_EQ(fault_calls(FAULT_ALLOC), 0);
	end();
}
