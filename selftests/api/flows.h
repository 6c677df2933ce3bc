/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A context that copies, between two maps of one device, and one that advises. */
#ifndef DOCA_SELFTESTS_FLOWS_H
#define DOCA_SELFTESTS_FLOWS_H

#include <doca_mmap_advise.h>

#include "bed.h"

#define LEN 4096
#define MEM (BED_TASKS * LEN) /* size of each map */

FIXTURE(flows)
{
	struct bed bed;
	struct doca_dev *dev;
	struct doca_mmap *src, *dst; /* the source may only be read */
	char *from, *to; /* their memory */
	long pins;
};

static inline char *map_anonymous(int flags, size_t len)
{
	char *mem = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

FIXTURE_SETUP(flows)
{
	self->pins = pins_held();
	self->dev = bed_open_dev(NULL);
	if (!self->dev)
		SKIP_SETUP("no device");
	self->from = map_anonymous(MAP_PRIVATE, MEM);
	self->to = map_anonymous(MAP_PRIVATE, MEM);
	bed_fill(self->from, MEM, 7);
	ASSERT_OK(bed_mmap(self->from, MEM, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, self->dev, NULL,
			   &self->src));
	ASSERT_OK(bed_mmap(self->to, MEM, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev, NULL,
			   &self->dst));
	ASSERT_OK(bed_create(&self->bed, self->dev, NULL));
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
}

FIXTURE_TEARDOWN(flows)
{
	if (bed_state_of(&self->bed) != DOCA_CTX_STATE_IDLE)
		EXPECT_OK(doca_ctx_stop(self->bed.ctx));
	EXPECT_OK(bed_destroy(&self->bed));
	EXPECT_OK(doca_mmap_destroy(self->src));
	EXPECT_OK(doca_mmap_destroy(self->dst));
	EXPECT_OK(doca_dev_close(self->dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

/* Make one copy, and wait for its end. */
static inline bool copy(struct bed *bed, struct doca_mmap *src_map, void *src, struct doca_mmap *dst_map,
		 void *dst, size_t len)
{
	const unsigned int before = bed->succeeded;

	return !bed_copy(bed, src_map, src, dst_map, dst, len) &&
	       BED_UNTIL(bed, bed->succeeded > before || bed->failed) && !bed->failed;
}

typedef struct doca_mmap_advise_task_invalidate_cache advice_t;

static inline struct doca_task *as_task(advice_t *advice)
{
	return doca_mmap_advise_task_invalidate_cache_as_doca_task(advice);
}

/* A context for advice, and what its callbacks saw. */
struct adviser {
	struct doca_mmap_advise *advise;
	struct doca_ctx *ctx;
	unsigned int done, failed;
	doca_error_t status;
};

static inline void advice_done(advice_t *advice, union doca_data task_data, union doca_data ctx_data)
{
	(void)advice, (void)task_data;
	((struct adviser *)ctx_data.ptr)->done++;
}

static inline void advice_failed(advice_t *advice, union doca_data task_data, union doca_data ctx_data)
{
	struct adviser *adviser = ctx_data.ptr;

	(void)task_data;
	adviser->failed++;
	adviser->status = doca_task_get_status(as_task(advice));
	doca_task_free(as_task(advice));
}

static inline doca_error_t adviser_create(struct adviser *adviser, struct bed *bed, uint32_t nr)
{
	union doca_data data = { .ptr = adviser };
	doca_error_t rc;

	memset(adviser, 0, sizeof(*adviser));
	if ((rc = doca_mmap_advise_create(bed->dev, &adviser->advise)))
		return rc;
	adviser->ctx = doca_mmap_advise_as_ctx(adviser->advise);
	if ((rc = doca_mmap_advise_task_invalidate_cache_set_conf(adviser->advise, advice_done,
								  advice_failed, nr)) ||
	    (rc = doca_ctx_set_user_data(adviser->ctx, data)) ||
	    (rc = doca_pe_connect_ctx(bed->pe, adviser->ctx)))
		return rc;
	return doca_ctx_start(adviser->ctx);
}

static inline doca_error_t advice_create(struct adviser *adviser, struct bed *bed, struct doca_mmap *map,
				  void *addr, size_t len, struct doca_buf **buf, advice_t **advice)
{
	union doca_data data = {};

	return doca_buf_inventory_buf_get_by_data(bed->inv, map, addr, len, buf) ?:
	       doca_mmap_advise_task_invalidate_cache_alloc_init(adviser->advise, *buf, data,
								 advice);
}

#define INSTANCES 16

#endif
