// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The table of a file's objects. A caller that has found an object may be late: the object
 * has left the table, and another one has its id.
 */
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/xarray.h>

#include "file.h"
#include "ktap.h"

static int released;

static void count_release(struct doca_object *obj)
{
	released++;
}

static void publish(struct doca_file *file, struct doca_object *obj, enum doca_object_type type)
{
	doca_object_init(obj, type, count_release);
	EXPECT(!doca_object_reserve(file, obj));
	/* A reserved object cannot be found. */
	EXPECT(IS_ERR(doca_object_find(file, obj->id, type)));
	mutex_lock(&file->lock);
	doca_object_publish(file, obj);
	mutex_unlock(&file->lock);
	doca_object_put(obj); /* the table has its own reference */
}

TEST(what_is_removed_twice_takes_nothing_else_along)
{
	struct doca_file file = {};
	struct doca_object first, second, *found;

	released = 0;
	mutex_init(&file.lock);
	xa_init_flags(&file.objects, XA_FLAGS_ALLOC1);
	publish(&file, &first, DOCA_OBJECT_EXPORT);
	EXPECT(IS_ERR(doca_object_find(&file, first.id, DOCA_OBJECT_MEMORY)));
	found = doca_object_find(&file, first.id, DOCA_OBJECT_EXPORT);
	ASSERT(found == &first);

	EXPECT(doca_object_remove(&file, &first));
	doca_object_put(&first); /* the table's reference */
	publish(&file, &second, DOCA_OBJECT_EXPORT);
	EXPECT_EQ(second.id, first.id);
	EXPECT(!doca_object_remove(&file, found));
	EXPECT_EQ(released, 0);
	doca_object_put(found);
	EXPECT_EQ(released, 1);

	found = doca_object_find(&file, second.id, DOCA_OBJECT_EXPORT);
	ASSERT(found == &second);
	EXPECT(doca_object_remove(&file, found));
	doca_object_put(found); /* the table's reference */
	doca_object_put(found);
	EXPECT_EQ(released, 2);
	xa_destroy(&file.objects);
}
