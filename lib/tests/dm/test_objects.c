// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Device memory, for walk.h. */
#include "bed.h"

#define WALKS "walks_dm.h"
#include "walk.h"

/* Set it before the library looks. Debug mode remembers freed memory for a while. */
__attribute__((constructor(101))) static void switch_on(void)
{
	setenv("DOCA_DEBUG", "1", 1);
}

static void set_up_objects(void)
{
	struct ibv_dm *gone;

	if (nr_objects)
		return;
	open_contexts();
	gone = alloc(ctx, PAGE);
	EXPECT_EQ(ibv_free_dm(gone), 0);
	add("ibv_dm", alloc(ctx, PAGE), gone, ctx);
}

static const char *walk_logged(void)
{
	return logged();
}
