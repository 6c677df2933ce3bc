// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Buffers: reference counts, lists, and tasks that hold them. */
#include "ktap.h"
#include "fake_mem.h"
#include "core/memory/buf.h"
#include "core/memory/buf_inventory.h"

#define N 8

static struct doca_buf_inventory *inventory;
static struct doca_mmap *mmap;
static char memory[4096];

/* Everything that a buffer needs; no device, so nothing of the driver. */
static void setup(void)
{
	fake_reset();
	if (doca_mmap_create(&mmap) ||
	    doca_mmap_set_memrange(mmap, memory, sizeof(memory)) ||
	    doca_mmap_start(mmap) || doca_buf_inventory_create(N, &inventory) ||
	    doca_buf_inventory_start(inventory))
		abort();
}

static void teardown(void)
{
	EXPECT_EQ(doca_buf_inventory_destroy(inventory), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

/* The i-th 100 bytes of the memory, with no data in them. */
static struct doca_buf *get(int i)
{
	struct doca_buf *buf;

	if (doca_buf_inventory_buf_get_by_addr(inventory, mmap,
					       memory + 100 * i, 100, &buf))
		abort();
	return buf;
}

/* A list of n buffers. */
static struct doca_buf *get_list(int first, int n)
{
	struct doca_buf *head = get(first);
	int i;

	for (i = 1; i < n; i++)
		if (doca_buf_chain_list(head, get(first + i)))
			abort();
	return head;
}

static uint32_t nr_free(void)
{
	uint32_t n;

	EXPECT_EQ(doca_buf_inventory_get_num_free_elements(inventory, &n),
		  DOCA_SUCCESS);
	return n;
}

static uint32_t nr_used_of_mmap(void)
{
	uint32_t n;

	EXPECT_EQ(doca_mmap_get_num_bufs(mmap, &n), DOCA_SUCCESS);
	return n;
}

static uint32_t list_len(const struct doca_buf *buf)
{
	uint32_t n = 0;

	EXPECT_EQ(doca_buf_get_list_len(buf, &n), DOCA_SUCCESS);
	return n;
}

static uint16_t refcount(const struct doca_buf *buf)
{
	uint16_t n = 0;

	EXPECT_EQ(doca_buf_get_refcount(buf, &n), DOCA_SUCCESS);
	return n;
}

static void put(struct doca_buf *buf)
{
	EXPECT_EQ(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
}

TEST(null_is_invalid)
{
	struct doca_buf *buf, *other;
	uint16_t u16;
	uint32_t u32;
	uint8_t u8;
	size_t len;
	void *p;

	setup();
	buf = get(0);
#define BAD(call) EXPECT_EQ(call, DOCA_ERROR_INVALID_VALUE)
	BAD(doca_buf_inc_refcount(NULL, &u16));
	BAD(doca_buf_dec_refcount(NULL, &u16));
	BAD(doca_buf_get_refcount(NULL, &u16));
	BAD(doca_buf_get_refcount(buf, NULL));
	BAD(doca_buf_chain_list(NULL, buf));
	BAD(doca_buf_chain_list(buf, NULL));
	BAD(doca_buf_chain_list_tail(NULL, buf, buf));
	BAD(doca_buf_chain_list_tail(buf, NULL, buf));
	BAD(doca_buf_chain_list_tail(buf, buf, NULL));
	BAD(doca_buf_unchain_list(NULL, buf));
	BAD(doca_buf_unchain_list(buf, NULL));
	BAD(doca_buf_get_next_in_list(NULL, &other));
	BAD(doca_buf_get_next_in_list(buf, NULL));
	BAD(doca_buf_get_last_in_list(NULL, &other));
	BAD(doca_buf_get_last_in_list(buf, NULL));
	BAD(doca_buf_get_list_len(NULL, &u32));
	BAD(doca_buf_get_list_len(buf, NULL));
	BAD(doca_buf_is_first_in_list(NULL, &u8));
	BAD(doca_buf_is_first_in_list(buf, NULL));
	BAD(doca_buf_is_last_in_list(NULL, &u8));
	BAD(doca_buf_is_last_in_list(buf, NULL));
	BAD(doca_buf_is_in_list(NULL, &u8));
	BAD(doca_buf_is_in_list(buf, NULL));
	BAD(doca_buf_get_head(NULL, &p));
	BAD(doca_buf_get_head(buf, NULL));
	BAD(doca_buf_get_len(NULL, &len));
	BAD(doca_buf_get_len(buf, NULL));
	BAD(doca_buf_get_data(NULL, &p));
	BAD(doca_buf_get_data(buf, NULL));
	BAD(doca_buf_get_data_len(NULL, &len));
	BAD(doca_buf_get_data_len(buf, NULL));
	BAD(doca_buf_set_data(NULL, memory, 1));
	BAD(doca_buf_set_data(buf, NULL, 1));
	BAD(doca_buf_set_data_len(NULL, 1));
	BAD(doca_buf_reset_data_len(NULL));
#undef BAD
	put(buf);
	teardown();
}

TEST(data_moves_within_the_buffer)
{
	struct doca_buf *buf;
	size_t len;
	void *p;

	setup();
	buf = get(1);
	EXPECT_EQ(doca_buf_get_head(buf, &p), DOCA_SUCCESS);
	EXPECT(p == memory + 100);
	EXPECT_EQ(doca_buf_get_len(buf, &len), DOCA_SUCCESS);
	EXPECT_EQ(len, 100);
	EXPECT_EQ(doca_buf_get_data_len(buf, &len), DOCA_SUCCESS);
	EXPECT_EQ(len, 0);
	EXPECT_EQ(doca_buf_set_data(buf, memory + 110, 20), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_get_data(buf, &p), DOCA_SUCCESS);
	EXPECT(p == memory + 110);
	EXPECT_EQ(doca_buf_get_data_len(buf, &len), DOCA_SUCCESS);
	EXPECT_EQ(len, 20);
	EXPECT_EQ(doca_buf_set_data_len(buf, 30), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_get_data_len(buf, &len), DOCA_SUCCESS);
	EXPECT_EQ(len, 30);
	EXPECT_EQ(doca_buf_reset_data_len(buf), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_get_data_len(buf, &len), DOCA_SUCCESS);
	EXPECT_EQ(len, 0);
	EXPECT_EQ(doca_buf_get_data(buf, &p), DOCA_SUCCESS);
	EXPECT(p == memory + 110);
	put(buf);
	teardown();
}

TEST(output_is_appended_at_the_tail)
{
	struct doca_buf *buf;

	setup();
	buf = get(0);
	EXPECT_EQ(doca_buf_set_data(buf, memory + 10, 20), DOCA_SUCCESS);
	EXPECT_EQ(doca_priv_buf_data(buf), (uintptr_t)memory + 10);
	EXPECT_EQ(doca_priv_buf_tail(buf), (uintptr_t)memory + 30);
	EXPECT_EQ(doca_priv_buf_tailroom(buf), 70);
	doca_priv_buf_append(buf, 70);
	EXPECT_EQ(doca_priv_buf_data_len(buf), 90);
	EXPECT_EQ(doca_priv_buf_tailroom(buf), 0);
	EXPECT_EQ(doca_buf_set_data(buf, memory + 90, 20), DOCA_SUCCESS);
	EXPECT_EQ(doca_priv_buf_tailroom(buf), 0);
	put(buf);
	teardown();
}

TEST(refcount_tells_what_it_was)
{
	struct doca_buf *buf;
	uint16_t was;

	setup();
	buf = get(0);
	EXPECT_EQ(refcount(buf), 1);
	EXPECT_EQ(doca_buf_inc_refcount(buf, &was), DOCA_SUCCESS);
	EXPECT_EQ(was, 1);
	EXPECT_EQ(doca_buf_inc_refcount(buf, NULL), DOCA_SUCCESS);
	EXPECT_EQ(refcount(buf), 3);
	EXPECT_EQ(doca_buf_dec_refcount(buf, &was), DOCA_SUCCESS);
	EXPECT_EQ(was, 3);
	EXPECT_EQ(doca_buf_dec_refcount(buf, &was), DOCA_SUCCESS);
	EXPECT_EQ(nr_free(), N - 1);
	EXPECT_EQ(nr_used_of_mmap(), 1);
	EXPECT_EQ(doca_buf_dec_refcount(buf, &was), DOCA_SUCCESS);
	EXPECT_EQ(was, 1);
	EXPECT_EQ(nr_free(), N);
	EXPECT_EQ(nr_used_of_mmap(), 0);
	/* free now */
	EXPECT_EQ(doca_buf_dec_refcount(buf, &was), DOCA_ERROR_BAD_STATE);
	EXPECT_EQ(doca_buf_inc_refcount(buf, &was), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(nr_free(), N);
	teardown();
}

TEST(refcount_has_a_maximum)
{
	struct doca_buf *buf;
	uint32_t i;

	setup();
	buf = get(0);
	for (i = 1; i < UINT16_MAX; i++)
		if (doca_buf_inc_refcount(buf, NULL))
			break;
	EXPECT_EQ(refcount(buf), UINT16_MAX);
	EXPECT_EQ(doca_buf_inc_refcount(buf, NULL), DOCA_ERROR_TOO_BIG);
	for (i = 0; i < UINT16_MAX; i++)
		doca_buf_dec_refcount(buf, NULL);
	EXPECT_EQ(nr_free(), N);
	teardown();
}

/* They lead to those that are free. */
TEST(released_buffers_are_in_no_list)
{
	struct doca_buf *a, *b;

	setup();
	a = get(0);
	b = get(1);
	put(a);
	EXPECT_EQ(doca_buf_chain_list(a, b), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_buf_chain_list_tail(a, a, b), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_buf_chain_list_tail(b, a, b), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_buf_unchain_list(a, b), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_buf_inventory_buf_dup(inventory, a, &b),
		  DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(nr_free(), N - 1);
	put(b);
	EXPECT_EQ(nr_free(), N);
	teardown();
}

static void expect_place(const struct doca_buf *buf, int first, int last)
{
	uint8_t flag;

	EXPECT_EQ(doca_buf_is_first_in_list(buf, &flag), DOCA_SUCCESS);
	EXPECT_EQ(flag, first);
	EXPECT_EQ(doca_buf_is_last_in_list(buf, &flag), DOCA_SUCCESS);
	EXPECT_EQ(flag, last);
	EXPECT_EQ(doca_buf_is_in_list(buf, &flag), DOCA_SUCCESS);
	EXPECT_EQ(flag, !(first && last));
}

TEST(elements_know_their_place)
{
	struct doca_buf *a, *b, *c, *p;

	setup();
	a = get(0);
	expect_place(a, 1, 1);
	EXPECT_EQ(list_len(a), 1);
	b = get(1);
	c = get(2);
	EXPECT_EQ(doca_buf_chain_list(b, c), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_chain_list(a, b), DOCA_SUCCESS);
	expect_place(a, 1, 0);
	expect_place(b, 0, 0);
	expect_place(c, 0, 1);
	EXPECT_EQ(list_len(a), 3);
	EXPECT_EQ(doca_buf_get_next_in_list(a, &p), DOCA_SUCCESS);
	EXPECT(p == b);
	EXPECT_EQ(doca_buf_get_next_in_list(c, &p), DOCA_SUCCESS);
	EXPECT(!p);
	EXPECT_EQ(doca_buf_get_last_in_list(a, &p), DOCA_SUCCESS);
	EXPECT(p == c);
	EXPECT_EQ(doca_buf_get_last_in_list(c, &p), DOCA_SUCCESS);
	EXPECT(p == c);
	put(a);
	teardown();
}

TEST(only_the_head_has_a_count_and_a_length)
{
	struct doca_buf *a, *b;
	uint16_t was;
	uint32_t n;

	setup();
	a = get_list(0, 2);
	EXPECT_EQ(doca_buf_get_next_in_list(a, &b), DOCA_SUCCESS);
	EXPECT_EQ(refcount(b), 1);
	EXPECT_EQ(doca_buf_inc_refcount(b, &was), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_buf_dec_refcount(b, &was), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_buf_get_list_len(b, &n), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_buf_inc_refcount(a, NULL), DOCA_SUCCESS);
	put(a);
	EXPECT_EQ(nr_free(), N - 2);
	put(a);
	EXPECT_EQ(nr_free(), N);
	EXPECT_EQ(nr_used_of_mmap(), 0);
	teardown();
}

TEST(what_cannot_be_chained)
{
	struct doca_buf *a, *b, *c;

	setup();
	a = get_list(0, 2);
	b = get(2);
	c = get_list(3, 2);
	EXPECT_EQ(doca_buf_inc_refcount(b, NULL), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_chain_list(a, b), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_buf_chain_list_tail(a, a->next, b),
		  DOCA_ERROR_NOT_PERMITTED);
	put(b);
	/* not a head */
	EXPECT_EQ(doca_buf_chain_list(a, c->next), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_buf_chain_list(a->next, b), DOCA_ERROR_NOT_PERMITTED);
	/* itself */
	EXPECT_EQ(doca_buf_chain_list(a, a), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_buf_chain_list_tail(a, a->next, a),
		  DOCA_ERROR_NOT_PERMITTED);
	/* not the tail */
	EXPECT_EQ(doca_buf_chain_list_tail(a, a, b), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(doca_buf_chain_list_tail(a, b, b), DOCA_ERROR_NOT_PERMITTED);
	EXPECT_EQ(list_len(a), 2);
	EXPECT_EQ(list_len(b), 1);
	put(a);
	put(b);
	put(c);
	teardown();
}

TEST(chain_at_a_known_tail)
{
	struct doca_buf *a, *b;

	setup();
	a = get_list(0, 3);
	b = get_list(3, 2);
	EXPECT_EQ(doca_buf_chain_list_tail(a, a->next->next, b), DOCA_SUCCESS);
	EXPECT_EQ(list_len(a), 5);
	expect_place(b, 0, 0);
	put(a);
	EXPECT_EQ(nr_free(), N);
	teardown();
}

TEST(unchain_gives_a_list_with_a_count_of_one)
{
	struct doca_buf *a, *b, *other;

	setup();
	a = get_list(0, 5);
	b = a->next->next->next;
	other = get(6);
	EXPECT_EQ(doca_buf_inc_refcount(a, NULL), DOCA_SUCCESS);
	EXPECT_EQ(doca_buf_unchain_list(a, other), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_buf_unchain_list(a, a), DOCA_ERROR_INVALID_VALUE);
	EXPECT_EQ(doca_buf_unchain_list(a, b), DOCA_SUCCESS);
	EXPECT_EQ(list_len(a), 3);
	EXPECT_EQ(list_len(b), 2);
	EXPECT_EQ(refcount(a), 2);
	EXPECT_EQ(refcount(b), 1);
	expect_place(b, 1, 0);
	EXPECT_EQ(doca_buf_unchain_list(a, b), DOCA_ERROR_INVALID_VALUE);
	put(b);
	put(a);
	put(a);
	put(other);
	EXPECT_EQ(nr_free(), N);
	teardown();
}

TEST(buffer_of_a_task_in_flight_is_freed_after_it)
{
	struct doca_buf *a, *b;

	setup();
	a = get_list(0, 2);
	doca_priv_buf_hold(a);
	doca_priv_buf_hold(a);
	EXPECT_EQ(refcount(a), 1);
	put(a);
	EXPECT_EQ(nr_free(), N - 2);
	EXPECT_EQ(nr_used_of_mmap(), 2);
	EXPECT_EQ(doca_buf_dec_refcount(a, NULL), DOCA_ERROR_BAD_STATE);
	b = get(2);
	/* Wrong in any case: debug mode knows that it was released. */
	EXPECT_EQ(doca_buf_chain_list(b, a), doca_priv_debug ?
						     DOCA_ERROR_INVALID_VALUE :
						     DOCA_ERROR_NOT_PERMITTED);
	doca_priv_buf_unhold(a);
	EXPECT_EQ(nr_free(), N - 3);
	doca_priv_buf_unhold(a);
	EXPECT_EQ(nr_free(), N - 1);
	/* one that nobody released stays */
	doca_priv_buf_hold(b);
	doca_priv_buf_unhold(b);
	EXPECT_EQ(refcount(b), 1);
	put(b);
	/* an element that went with its list */
	a = get_list(0, 2);
	b = a->next;
	doca_priv_buf_hold(b);
	put(a);
	doca_priv_buf_unhold(b);
	EXPECT_EQ(nr_free(), N);
	EXPECT_EQ(nr_used_of_mmap(), 0);
	teardown();
}
