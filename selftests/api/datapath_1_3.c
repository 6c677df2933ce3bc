// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The data path of level 1.3: jobs, from submission to their events; see datapath.c. */
#include "datapath_1_3.h"
#include "level.h"

#define DEPTH 32
#define LEN 512

static struct level lv;
static struct doca_buf *src[DEPTH], *dst[DEPTH];
static char *mem;

bool jobs_create(void)
{
	struct doca_mmap *mmap;
	int i;

	mem = level_alloc(2 * DEPTH * LEN);
	level_fill(mem, DEPTH * LEN, 3);
	if (level_create(&lv, level_open_dev(), DEPTH, 2 * DEPTH) ||
	    level_mmap(lv.dev, mem, 2 * DEPTH * LEN, &mmap))
		return false;
	for (i = 0; i < DEPTH; i++)
		if (doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem + i * LEN,
						   LEN, &src[i]) ||
		    doca_buf_inventory_buf_by_addr(lv.inv, mmap,
						   mem + (DEPTH + i) * LEN, LEN,
						   &dst[i]))
			return false;
	return true;
}

/* Asking for the time or yielding would be a syscall. */
static bool await(void)
{
	struct doca_event ev;
	doca_error_t ret;

	do
		ret = doca_workq_progress_retrieve(lv.workq, &ev, 0);
	while (ret == DOCA_ERROR_AGAIN);
	return ret == DOCA_SUCCESS && !ev.result.u64;
}

bool jobs_run(unsigned long nr)
{
	unsigned long i;

	for (i = 0; i < nr; i++) {
		if (i >= DEPTH && !await())
			return false;
		if (level_submit(&lv, src[i % DEPTH], dst[i % DEPTH], LEN, i))
			return false;
	}
	for (i = 0; i < nr && i < DEPTH; i++)
		if (!await())
			return false;
	return !memcmp(mem, mem + DEPTH * LEN, DEPTH * LEN);
}
