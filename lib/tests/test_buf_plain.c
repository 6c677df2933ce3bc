// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Buffers: the segments that are kept ready for tasks, and when they say it all. */
#include "ktap.h"
#include "fake_mem.h"
#include "core/memory/buf.h"
#include "core/memory/buf_inventory.h"

#define KEY 42
#define GIB ((size_t)1 << 30)
#define MEMORY ((char *)GIB) /* nobody looks at it */

static struct doca_buf_inventory *inventory;
static struct doca_mmap *mmap;

/* With one device, of which nothing but the key is needed. */
static void setup(void)
{
	fake_reset();
	if (doca_mmap_create(&mmap) ||
	    doca_mmap_set_memrange(mmap, MEMORY, 16 * GIB) ||
	    doca_mmap_start(mmap) || doca_buf_inventory_create(4, &inventory) ||
	    doca_buf_inventory_start(inventory))
		abort();
	mmap->nr_devs = 1;
	mmap->keys->key = KEY;
}

static void teardown(void)
{
	mmap->nr_devs = 0;
	EXPECT_EQ(doca_buf_inventory_destroy(inventory), DOCA_SUCCESS);
	EXPECT_EQ(doca_mmap_destroy(mmap), DOCA_SUCCESS);
}

static struct doca_buf *get(size_t len, size_t data_len)
{
	struct doca_buf *buf;

	if (doca_buf_inventory_buf_get_by_args(inventory, mmap, MEMORY, len,
					       MEMORY, data_len, &buf))
		abort();
	return buf;
}

static void put(struct doca_buf *buf)
{
	EXPECT_EQ(doca_buf_dec_refcount(buf, NULL), DOCA_SUCCESS);
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

	setup();
	buf = get(100, 10);
	EXPECT(buf->plain);
	EXPECT_SEG(buf->source, 0, 10);
	EXPECT_SEG(buf->room, 10, 90);
	EXPECT_EQ(doca_buf_set_data(buf, MEMORY + 20, 30), DOCA_SUCCESS);
	EXPECT_SEG(buf->source, 20, 30);
	EXPECT_SEG(buf->room, 50, 50);
	EXPECT_EQ(doca_buf_set_data_len(buf, 40), DOCA_SUCCESS);
	EXPECT_SEG(buf->source, 20, 40);
	EXPECT_SEG(buf->room, 60, 40);
	EXPECT_EQ(doca_buf_reset_data_len(buf), DOCA_SUCCESS);
	EXPECT_EQ(buf->source.key, 0);
	EXPECT_SEG(buf->room, 20, 80);
	put(buf);
	EXPECT(!buf->plain);
	teardown();
}

TEST(what_cannot_be_read_has_no_key)
{
	static const struct {
		ptrdiff_t offset;
		size_t len;
	} bad[] = { { 100, 0 }, { 0, 0 },  { -1, 1 },	      { 0, 101 },
		    { 100, 1 }, { 99, 2 }, { 200, SIZE_MAX }, { 1, SIZE_MAX },
		    { 101, 0 }, { -8, 16 } };
	struct doca_buf *buf;
	size_t i;

	setup();
	buf = get(100, 10);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		EXPECT_EQ(doca_buf_set_data(buf, MEMORY + bad[i].offset,
					    bad[i].len),
			  DOCA_SUCCESS);
		EXPECT_EQ(buf->source.key, 0);
		EXPECT_EQ(buf->room.length, bad[i].len || bad[i].offset > 100 ?
						    0 :
						    100 - bad[i].offset);
	}
	EXPECT_EQ(doca_buf_set_data(buf, MEMORY, 0), DOCA_SUCCESS);
	EXPECT(doca_priv_buf_fill(buf, 1));
	EXPECT_SEG(buf->source, 0, 1);
	put(buf);
	teardown();
}

TEST(what_is_filled_in_is_as_if_it_were_appended)
{
	struct doca_buf *a, *b;

	setup();
	a = get(100, 10);
	b = get(100, 10);
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
	teardown();
}

TEST(lists_are_not_plain_but_their_last_elements_are)
{
	struct doca_buf *a, *b, *dup;

	setup();
	a = get(100, 10);
	b = get(100, 10);
	EXPECT_EQ(doca_buf_chain_list(a, b), DOCA_SUCCESS);
	EXPECT(!a->plain);
	EXPECT(b->plain);
	EXPECT_EQ(doca_buf_inventory_buf_dup(inventory, a, &dup), DOCA_SUCCESS);
	EXPECT(!dup->plain);
	EXPECT(dup->next->plain);
	EXPECT_EQ(doca_buf_unchain_list(a, b), DOCA_SUCCESS);
	EXPECT(a->plain);
	put(a);
	put(b);
	put(dup);
	a = get(100, 0);
	EXPECT(a->plain);
	put(a);
	teardown();
}

TEST(without_the_one_key_buffers_are_not_plain)
{
	struct doca_buf *buf;

	setup();
	mmap->keys->key = 0;
	buf = get(100, 10);
	EXPECT(!buf->plain);
	put(buf);
	mmap->keys->key = KEY;
	mmap->nr_devs = 0;
	buf = get(100, 10);
	EXPECT(!buf->plain);
	put(buf);
	mmap->nr_devs = 2;
	buf = get(100, 10);
	EXPECT(!buf->plain);
	put(buf);
	EXPECT(!doca_priv_no_buf.plain);
	teardown();
}

/* Nor may what is plain get too large by being filled. */
TEST(what_is_too_large_for_a_segment_is_not_plain)
{
	struct doca_buf *buf;

	setup();
	buf = get(4 * GIB, 4 * GIB);
	EXPECT(!buf->plain);
	EXPECT_EQ(doca_buf_reset_data_len(buf), DOCA_SUCCESS);
	EXPECT(!buf->plain);
	EXPECT_EQ(buf->room.length, UINT32_MAX);
	put(buf);
	buf = get(4 * GIB, 2 * GIB);
	EXPECT(!buf->plain);
	put(buf);
	buf = get(4 * GIB - 1, 2 * GIB);
	EXPECT(buf->plain);
	EXPECT(doca_priv_buf_fill(buf, UINT32_MAX - 2 * GIB));
	EXPECT_SEG(buf->source, 0, UINT32_MAX);
	put(buf);
	buf = get(100, 10);
	EXPECT_EQ(doca_buf_set_data_len(buf, SIZE_MAX), DOCA_SUCCESS);
	EXPECT(!buf->plain);
	put(buf);
	teardown();
}
