// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Compare the arrays that replace the kernel's with plain ones. */
#include "any.h"
#include "ktap.h"
#include "shim/kernel.h"

#define INDICES 5000UL /* three levels */
#define ROUNDS 30000
#define FAR (1UL << 40) /* the distance of frame numbers */

static bool used[INDICES];
static void *entries[INDICES];

static unsigned long first_free(unsigned long from)
{
	while (from < INDICES && used[from])
		from++;
	return from;
}

static unsigned long first_entry(unsigned long from)
{
	while (from < INDICES && !entries[from])
		from++;
	return from;
}

static void allocate(struct xarray *xa, u32 *next)
{
	const struct xa_limit limit = { INDICES - 1 };
	void *entry = any(4) ? xa_mk_value(any(1000)) : NULL;
	bool cyclic = any(2);
	unsigned long expected = first_free(cyclic ? *next : 0);
	u32 id;
	int rc;

	if (expected == INDICES)
		expected = first_free(0);
	rc = cyclic ? xa_alloc_cyclic(xa, &id, entry, limit, next, GFP_KERNEL) :
		      xa_alloc(xa, &id, entry, limit, GFP_KERNEL);
	EXPECT_EQ(rc, expected < INDICES ? 0 : -EBUSY);
	if (rc)
		return;
	EXPECT_EQ(id, expected);
	used[id] = true;
	entries[id] = entry;
}

static void look(struct xarray *xa, unsigned long at)
{
	unsigned long index = at, expected = first_entry(at);
	void *entry = xa_find(xa, &index, INDICES, XA_PRESENT);

	EXPECT(xa_load(xa, at) == entries[at]);
	EXPECT(entry == (expected < INDICES ? entries[expected] : NULL));
	EXPECT_EQ(index, expected < INDICES ? expected : at);
}

TEST(all_is_as_in_a_plain_array)
{
	DEFINE_XARRAY(xa);
	u32 next = 0;
	unsigned long i;

	for (i = 0; i < ROUNDS; i++) {
		unsigned long at = any(INDICES);

		/* It fills up, and empties again. */
		if (any(8) < (i < ROUNDS / 2 ? 7 : 1)) {
			allocate(&xa, &next);
		} else if (used[at]) {
			EXPECT(xa_erase(&xa, at) == entries[at]);
			used[at] = false;
			entries[at] = NULL;
		}
		if (!any(64))
			look(&xa, at);
	}
	for (i = 0; i < INDICES; i++)
		xa_erase(&xa, i);
	EXPECT(xa_empty(&xa));
	xa_destroy(&xa);
}

TEST(indices_are_far_apart)
{
	const unsigned long last = ULONG_MAX - 1;
	DEFINE_XARRAY(xa);
	unsigned long index = 1;

	EXPECT_EQ(xa_insert(&xa, 0, xa_mk_value(0), GFP_KERNEL), 0);
	EXPECT_EQ(xa_insert(&xa, FAR, xa_mk_value(1), GFP_KERNEL), 0);
	EXPECT_EQ(xa_insert(&xa, last, xa_mk_value(2), GFP_KERNEL), 0);
	EXPECT_EQ(xa_insert(&xa, FAR, xa_mk_value(3), GFP_KERNEL), -EBUSY);
	EXPECT(xa_find(&xa, &index, ULONG_MAX, XA_PRESENT) == xa_mk_value(1));
	EXPECT_EQ(index, FAR);
	index++;
	EXPECT(!xa_find(&xa, &index, last - 1, XA_PRESENT));
	EXPECT_EQ(index, FAR + 1);
	EXPECT(xa_find(&xa, &index, ULONG_MAX, XA_PRESENT) == xa_mk_value(2));
	index++;
	EXPECT(!xa_find(&xa, &index, ULONG_MAX, XA_PRESENT));
	xa_destroy(&xa);
}
