// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Buffers: reference counts, lists, and the segments that are kept ready for tasks, and
 * when those are enough.
 */
#include "bed.h"
#include "core/memory/buf.h"

/* Nobody reads this memory. */
#define KEY 42
#define GIB ((size_t)1 << 30)
#define MEMORY ((char *)GIB)

static char *const memory = bed.mem + MEM_SIZE / 2;

/* Make a buffer of the i-th 100 bytes of the memory, without data. */
static struct doca_buf *get(int i)
{
	return room(100 * i, 100);
}

/* Make a list of n buffers. */
static struct doca_buf *get_list(int first, int n)
{
	struct doca_buf *head = get(first);

	for (int i = 1; i < n; i++)
		OK(doca_buf_chain_list(head, get(first + i)));
	return head;
}

static uint32_t used(void)
{
	return 2 * MAX_TASKS - free_bufs();
}

static uint32_t list_len(const struct doca_buf *buf)
{
	uint32_t n = 0;

	OK(doca_buf_get_list_len(buf, &n));
	return n;
}

TEST(data_moves_within_the_buffer)
{
	struct doca_buf *buf;

	set_up(false, 1);
	buf = get(1);
	EXPECT(head_of(buf) == memory + 100);
	EXPECT_EQ(len_of(buf), 100);
	EXPECT_EQ(data_len(buf), 0);
	OK(doca_buf_set_data(buf, memory + 110, 20));
	EXPECT(data_of(buf) == memory + 110);
	EXPECT_EQ(data_len(buf), 20);
	OK(doca_buf_set_data_len(buf, 30));
	EXPECT_EQ(data_len(buf), 30);
	OK(doca_buf_reset_data_len(buf));
	EXPECT_EQ(data_len(buf), 0);
	EXPECT(data_of(buf) == memory + 110);
	put(buf);
	tear_down();
}

TEST(refcount_tells_what_it_was)
{
	struct doca_buf *buf;
	uint16_t was;

	set_up(false, 1);
	buf = get(0);
	EXPECT_EQ(refcount(buf), 1);
	OK(doca_buf_inc_refcount(buf, &was));
	EXPECT_EQ(was, 1);
	OK(doca_buf_inc_refcount(buf, NULL));
	EXPECT_EQ(refcount(buf), 3);
	OK(doca_buf_dec_refcount(buf, &was));
	EXPECT_EQ(was, 3);
	OK(doca_buf_dec_refcount(buf, &was));
	EXPECT_EQ(used(), 1);
	EXPECT_EQ(bufs_of(bed.mmap), 1);
	OK(doca_buf_dec_refcount(buf, &was));
	EXPECT_EQ(was, 1);
	EXPECT_EQ(used(), 0);
	EXPECT_EQ(bufs_of(bed.mmap), 0);
	/* free now */
	ERR(doca_buf_dec_refcount(buf, &was), BAD_STATE);
	ERR(doca_buf_inc_refcount(buf, &was), NOT_PERMITTED);
	EXPECT_EQ(used(), 0);
	tear_down();
}

TEST(refcount_has_a_maximum)
{
	struct doca_buf *buf;
	uint32_t i;

	set_up(false, 1);
	buf = get(0);
	for (i = 1; i < UINT16_MAX; i++)
		if (doca_buf_inc_refcount(buf, NULL))
			break;
	EXPECT_EQ(refcount(buf), UINT16_MAX);
	ERR(doca_buf_inc_refcount(buf, NULL), TOO_BIG);
	for (i = 0; i < UINT16_MAX; i++)
		doca_buf_dec_refcount(buf, NULL);
	EXPECT_EQ(used(), 0);
	tear_down();
}

/* Their links lead to free buffers. */
TEST(released_buffers_are_in_no_list)
{
	struct doca_buf *a, *b;

	set_up(false, 1);
	a = get(0);
	b = get(1);
	put(a);
	ERR(doca_buf_chain_list(a, b), INVALID_VALUE);
	ERR(doca_buf_chain_list_tail(a, a, b), INVALID_VALUE);
	ERR(doca_buf_chain_list_tail(b, a, b), INVALID_VALUE);
	ERR(doca_buf_unchain_list(a, b), INVALID_VALUE);
	ERR(doca_buf_inventory_buf_dup(bed.inv, a, &b), INVALID_VALUE);
	EXPECT_EQ(used(), 1);
	put(b);
	EXPECT_EQ(used(), 0);
	tear_down();
}

static void expect_place(const struct doca_buf *buf, int first, int last)
{
	uint8_t flag;

	OK(doca_buf_is_first_in_list(buf, &flag));
	EXPECT_EQ(flag, first);
	OK(doca_buf_is_last_in_list(buf, &flag));
	EXPECT_EQ(flag, last);
	OK(doca_buf_is_in_list(buf, &flag));
	EXPECT_EQ(flag, !(first && last));
}

TEST(elements_know_their_place)
{
	struct doca_buf *a, *b, *c, *p;

	set_up(false, 1);
	a = get(0);
	expect_place(a, 1, 1);
	EXPECT_EQ(list_len(a), 1);
	b = get(1);
	c = get(2);
	OK(doca_buf_chain_list(b, c));
	OK(doca_buf_chain_list(a, b));
	expect_place(a, 1, 0);
	expect_place(b, 0, 0);
	expect_place(c, 0, 1);
	EXPECT_EQ(list_len(a), 3);
	OK(doca_buf_get_next_in_list(a, &p));
	EXPECT(p == b);
	OK(doca_buf_get_next_in_list(c, &p));
	EXPECT(!p);
	OK(doca_buf_get_last_in_list(a, &p));
	EXPECT(p == c);
	OK(doca_buf_get_last_in_list(c, &p));
	EXPECT(p == c);
	put(a);
	tear_down();
}

TEST(only_the_head_has_a_count_and_a_length)
{
	struct doca_buf *a, *b;
	uint16_t was;
	uint32_t n;

	set_up(false, 1);
	a = get_list(0, 2);
	OK(doca_buf_get_next_in_list(a, &b));
	EXPECT_EQ(refcount(b), 1);
	ERR(doca_buf_inc_refcount(b, &was), NOT_PERMITTED);
	ERR(doca_buf_dec_refcount(b, &was), NOT_PERMITTED);
	ERR(doca_buf_get_list_len(b, &n), NOT_PERMITTED);
	OK(doca_buf_inc_refcount(a, NULL));
	put(a);
	EXPECT_EQ(used(), 2);
	put(a);
	EXPECT_EQ(used(), 0);
	EXPECT_EQ(bufs_of(bed.mmap), 0);
	tear_down();
}

TEST(what_cannot_be_chained)
{
	struct doca_buf *a, *b, *c;

	set_up(false, 1);
	a = get_list(0, 2);
	b = get(2);
	c = get_list(3, 2);
	OK(doca_buf_inc_refcount(b, NULL));
	ERR(doca_buf_chain_list(a, b), NOT_PERMITTED);
	ERR(doca_buf_chain_list_tail(a, a->next, b), NOT_PERMITTED);
	put(b);
	/* not a head */
	ERR(doca_buf_chain_list(a, c->next), NOT_PERMITTED);
	ERR(doca_buf_chain_list(a->next, b), NOT_PERMITTED);
	/* itself */
	ERR(doca_buf_chain_list(a, a), NOT_PERMITTED);
	ERR(doca_buf_chain_list_tail(a, a->next, a), NOT_PERMITTED);
	/* not the tail */
	ERR(doca_buf_chain_list_tail(a, a, b), NOT_PERMITTED);
	ERR(doca_buf_chain_list_tail(a, b, b), NOT_PERMITTED);
	EXPECT_EQ(list_len(a), 2);
	EXPECT_EQ(list_len(b), 1);
	put(a);
	put(b);
	put(c);
	tear_down();
}

TEST(chain_at_a_known_tail)
{
	struct doca_buf *a, *b;

	set_up(false, 1);
	a = get_list(0, 3);
	b = get_list(3, 2);
	OK(doca_buf_chain_list_tail(a, a->next->next, b));
	EXPECT_EQ(list_len(a), 5);
	expect_place(b, 0, 0);
	put(a);
	EXPECT_EQ(used(), 0);
	tear_down();
}

TEST(unchain_gives_a_list_with_a_count_of_one)
{
	struct doca_buf *a, *b, *other;

	set_up(false, 1);
	a = get_list(0, 5);
	b = a->next->next->next;
	other = get(6);
	OK(doca_buf_inc_refcount(a, NULL));
	ERR(doca_buf_unchain_list(a, other), INVALID_VALUE);
	ERR(doca_buf_unchain_list(a, a), INVALID_VALUE);
	OK(doca_buf_unchain_list(a, b));
	EXPECT_EQ(list_len(a), 3);
	EXPECT_EQ(list_len(b), 2);
	EXPECT_EQ(refcount(a), 2);
	EXPECT_EQ(refcount(b), 1);
	expect_place(b, 1, 0);
	ERR(doca_buf_unchain_list(a, b), INVALID_VALUE);
	put(b);
	put(a);
	put(a);
	put(other);
	EXPECT_EQ(used(), 0);
	tear_down();
}

TEST(buffer_of_a_task_in_flight_is_freed_after_it)
{
	struct doca_buf *a, *b;

	set_up(false, 1);
	a = get_list(0, 2);
	doca_priv_buf_hold(a);
	doca_priv_buf_hold(a);
	EXPECT_EQ(refcount(a), 1);
	put(a);
	EXPECT_EQ(used(), 2);
	EXPECT_EQ(bufs_of(bed.mmap), 2);
	ERR(doca_buf_dec_refcount(a, NULL), BAD_STATE);
	b = get(2);
	/* An error in any case: debug mode knows that it was released. */
	EXPECT_EQ(doca_buf_chain_list(b, a),
		  doca_priv_debug ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_PERMITTED);
	doca_priv_buf_unhold(a);
	EXPECT_EQ(used(), 3);
	doca_priv_buf_unhold(a);
	EXPECT_EQ(used(), 1);
	/* a buffer that nobody released stays */
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
	EXPECT_EQ(used(), 0);
	EXPECT_EQ(bufs_of(bed.mmap), 0);
	tear_down();
}

static struct doca_mmap *large;

/* Make a map with one device; only its key is needed. */
static void set_up_large(void)
{
	set_up(false, 1);
	large = new_mmap(MEMORY, 16 * GIB, NULL);
	OK(doca_mmap_start(large));
	large->nr_devs = 1;
	large->keys->key = KEY;
}

static void tear_down_large(void)
{
	large->nr_devs = 0;
	OK(doca_mmap_destroy(large));
	tear_down();
}

static struct doca_buf *part(size_t len, size_t data_len)
{
	struct doca_buf *buf = NULL;

	OK(doca_buf_inventory_buf_get_by_args(bed.inv, large, MEMORY, len, MEMORY, data_len, &buf));
	return buf;
}

#define EXPECT_SEG(seg, offset, len)                                    \
	do {                                                            \
		EXPECT_EQ((seg).key, KEY);                              \
		EXPECT_EQ((seg).address, (uintptr_t)MEMORY + (offset)); \
		EXPECT_EQ((seg).length, len);                           \
	} while (0)

TEST(segments_follow_what_is_changed)
{
	struct doca_buf *buf;

	set_up_large();
	buf = part(100, 10);
	EXPECT(buf->plain);
	EXPECT_SEG(buf->source, 0, 10);
	EXPECT_SEG(buf->room, 10, 90);
	OK(doca_buf_set_data(buf, MEMORY + 20, 30));
	EXPECT_SEG(buf->source, 20, 30);
	EXPECT_SEG(buf->room, 50, 50);
	OK(doca_buf_set_data_len(buf, 40));
	EXPECT_SEG(buf->source, 20, 40);
	EXPECT_SEG(buf->room, 60, 40);
	OK(doca_buf_reset_data_len(buf));
	EXPECT_EQ(buf->source.key, 0);
	EXPECT_SEG(buf->room, 20, 80);
	put(buf);
	EXPECT(!buf->plain);
	tear_down_large();
}

TEST(what_cannot_be_read_has_no_key)
{
	static const struct {
		ptrdiff_t offset;
		size_t len;
	} bad[] = { { 100, 0 }, { 0, 0 },	   { -1, 1 },	    { 0, 101 }, { 100, 1 },
		    { 99, 2 },	{ 200, SIZE_MAX }, { 1, SIZE_MAX }, { 101, 0 }, { -8, 16 } };
	struct doca_buf *buf;
	size_t i;

	set_up_large();
	buf = part(100, 10);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		OK(doca_buf_set_data(buf, MEMORY + bad[i].offset, bad[i].len));
		EXPECT_EQ(buf->source.key, 0);
		EXPECT_EQ(buf->room.length,
			  bad[i].len || bad[i].offset > 100 ? 0 : 100 - bad[i].offset);
	}
	OK(doca_buf_set_data(buf, MEMORY, 0));
	EXPECT(doca_priv_buf_fill(buf, 1));
	EXPECT_SEG(buf->source, 0, 1);
	put(buf);
	tear_down_large();
}

TEST(what_is_filled_in_is_as_if_it_were_appended)
{
	struct doca_buf *a, *b;

	set_up_large();
	a = part(100, 10);
	b = part(100, 10);
	EXPECT(doca_priv_buf_fill(a, 50));
	doca_priv_buf_append(b, 50);
	EXPECT_EQ(a->data_len, b->data_len);
	EXPECT_SEG(a->source, 0, 60);
	EXPECT_SEG(b->source, 0, 60);
	EXPECT_SEG(a->room, 60, 40);
	EXPECT_SEG(b->room, 60, 40);
	EXPECT(!doca_priv_buf_fill(a, 41));
	EXPECT_SEG(a->room, 60, 40);
	EXPECT(doca_priv_buf_fill(a, 40));
	EXPECT_SEG(a->room, 100, 0);
	put(a);
	put(b);
	tear_down_large();
}

TEST(lists_are_not_plain_but_their_last_elements_are)
{
	struct doca_buf *a, *b, *dup;

	set_up_large();
	a = part(100, 10);
	b = part(100, 10);
	OK(doca_buf_chain_list(a, b));
	EXPECT(!a->plain);
	EXPECT(b->plain);
	OK(doca_buf_inventory_buf_dup(bed.inv, a, &dup));
	EXPECT(!dup->plain);
	EXPECT(dup->next->plain);
	OK(doca_buf_unchain_list(a, b));
	EXPECT(a->plain);
	put(a);
	put(b);
	put(dup);
	a = part(100, 0);
	EXPECT(a->plain);
	put(a);
	tear_down_large();
}

TEST(without_the_one_key_buffers_are_not_plain)
{
	struct doca_buf *buf;

	set_up_large();
	large->keys->key = 0;
	buf = part(100, 10);
	EXPECT(!buf->plain);
	put(buf);
	large->keys->key = KEY;
	large->nr_devs = 0;
	buf = part(100, 10);
	EXPECT(!buf->plain);
	put(buf);
	large->nr_devs = 2;
	buf = part(100, 10);
	EXPECT(!buf->plain);
	put(buf);
	EXPECT(!doca_priv_no_buf.plain);
	tear_down_large();
}

/* A plain buffer must not become too large when it is filled. */
TEST(what_is_too_large_for_a_segment_is_not_plain)
{
	struct doca_buf *buf;

	set_up_large();
	buf = part(4 * GIB, 4 * GIB);
	EXPECT(!buf->plain);
	OK(doca_buf_reset_data_len(buf));
	EXPECT(!buf->plain);
	EXPECT_EQ(buf->room.length, UINT32_MAX);
	put(buf);
	buf = part(4 * GIB, 2 * GIB);
	EXPECT(!buf->plain);
	put(buf);
	buf = part(4 * GIB - 1, 2 * GIB);
	EXPECT(buf->plain);
	EXPECT(doca_priv_buf_fill(buf, UINT32_MAX - 2 * GIB));
	EXPECT_SEG(buf->source, 0, UINT32_MAX);
	put(buf);
	buf = part(100, 10);
	OK(doca_buf_set_data_len(buf, SIZE_MAX));
	EXPECT(!buf->plain);
	put(buf);
	tear_down_large();
}
