// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Graphs of copies: order, failure, many instances, and no allocation. */
#include <doca_graph.h>
#include <doca_mmap_advise.h>

#include "allocations.h"
#include "bed.h"

#define LEN 4096
#define AREAS 5 /* of an instance */
#define INSTANCES 64
#define TASKS (4 * INSTANCES)

struct run {
	struct doca_graph_instance *instance;
	struct doca_dma_task_memcpy *task[4];
	char *mem; /* its areas */
	unsigned int compared;
};

FIXTURE(graph)
{
	struct bed bed;
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	char *mem;
	struct doca_graph *graph;
	struct doca_graph_node *copy[4], *compare;
	struct run run[INSTANCES];
	unsigned int done, failed;
	long pins;
};

static void graph_done(struct doca_graph_instance *instance,
		       union doca_data instance_data, union doca_data data)
{
	(void)instance, (void)instance_data;
	((FIXTURE_DATA(graph) *)data.ptr)->done++;
}

static void graph_failed(struct doca_graph_instance *instance,
			 union doca_data instance_data, union doca_data data)
{
	(void)instance, (void)instance_data;
	((FIXTURE_DATA(graph) *)data.ptr)->failed++;
}

/* The last area of an instance is to be as the first. */
static doca_error_t compare(void *cookie)
{
	struct run *run = cookie;

	run->compared++;
	return memcmp(run->mem, run->mem + (AREAS - 1) * LEN, LEN) ?
		       DOCA_ERROR_IO_FAILED :
		       DOCA_SUCCESS;
}

FIXTURE_SETUP(graph)
{
	union doca_data data = { .ptr = self };

	self->pins = pins_held();
	self->dev = bed_open_dev(NULL);
	if (!self->dev)
		SKIP_SETUP("no device");
	self->mem = mmap(NULL, INSTANCES * AREAS * LEN, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_OK(bed_mmap(self->mem, INSTANCES * AREAS * LEN,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, self->dev, NULL,
			   &self->mmap));
	ASSERT_OK(bed_create(&self->bed, self->dev, NULL));
	/* More tasks than the bed has, and buffers for them. */
	ASSERT_OK(doca_dma_task_memcpy_set_conf(self->bed.dma, bed_done,
						bed_error, TASKS + 1));
	ASSERT_OK(doca_buf_inventory_destroy(self->bed.inv));
	ASSERT_OK(doca_buf_inventory_create(2 * TASKS + 2, &self->bed.inv));
	ASSERT_OK(doca_buf_inventory_start(self->bed.inv));
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
	ASSERT_OK(doca_graph_create(self->bed.pe, &self->graph));
	ASSERT_OK(doca_graph_set_conf(self->graph, graph_done, graph_failed,
				      INSTANCES));
	ASSERT_OK(doca_graph_set_user_data(self->graph, data));
}

FIXTURE_TEARDOWN(graph)
{
	EXPECT_OK(doca_graph_stop(self->graph));
	EXPECT_OK(doca_graph_destroy(self->graph));
	if (bed_state_of(&self->bed) != DOCA_CTX_STATE_IDLE)
		EXPECT_OK(doca_ctx_stop(self->bed.ctx));
	EXPECT_OK(bed_destroy(&self->bed));
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

/*
 * From the first area to two others, from each of these to half of the last one,
 * and then a comparison.
 */
static doca_error_t make_diamond(FIXTURE_DATA(graph) *self)
{
	static const int edge[][2] = { { 0, 2 }, { 1, 3 } };
	doca_error_t rc;
	int i;

	for (i = 0; i < 4; i++) {
		rc = doca_graph_node_create_from_ctx(self->graph, self->bed.ctx,
						     &self->copy[i]);
		if (rc)
			return rc;
	}
	rc = doca_graph_node_create_from_user(self->graph, compare,
					      &self->compare);
	if (rc)
		return rc;
	for (i = 0; i < 2; i++) {
		if ((rc = doca_graph_add_dependency(self->graph,
						    self->copy[edge[i][0]],
						    self->copy[edge[i][1]])) ||
		    (rc = doca_graph_add_dependency(self->graph,
						    self->copy[edge[i][1]],
						    self->compare)))
			return rc;
	}
	return doca_graph_start(self->graph);
}

static doca_error_t new_task(FIXTURE_DATA(graph) *self, char *dst, char *src,
			     size_t room, size_t len,
			     struct doca_dma_task_memcpy **task)
{
	union doca_data data = {};
	struct doca_buf *from, *to;
	doca_error_t rc;

	if ((rc = doca_buf_inventory_buf_get_by_data(self->bed.inv, self->mmap,
						     src, len, &from)) ||
	    (rc = doca_buf_inventory_buf_get_by_addr(self->bed.inv, self->mmap,
						     dst, room, &to)))
		return rc;
	return doca_dma_task_memcpy_alloc_init(self->bed.dma, from, to, data,
					       task);
}

static doca_error_t make_run(FIXTURE_DATA(graph) *self, struct run *run, int n)
{
	doca_error_t rc;
	int i;

	memset(run, 0, sizeof(*run));
	run->mem = self->mem + n * AREAS * LEN;
	bed_fill(run->mem, LEN, n);
	memset(run->mem + LEN, 0, (AREAS - 1) * LEN);
	rc = doca_graph_instance_create(self->graph, &run->instance);
	for (i = 0; i < 4 && !rc; i++) {
		size_t half = i & 1 ? LEN / 2 : 0;
		char *mid = run->mem + (1 + (i & 1)) * LEN;
		char *last = run->mem + (AREAS - 1) * LEN + half;

		if (i < 2)
			rc = new_task(self, mid, run->mem + half, LEN / 2,
				      LEN / 2, &run->task[i]);
		else
			rc = new_task(self, last, mid, LEN / 2, LEN / 2,
				      &run->task[i]);
		if (!rc)
			rc = doca_graph_instance_set_ctx_node_data(
				run->instance, self->copy[i],
				doca_dma_task_memcpy_as_task(run->task[i]));
	}
	return rc ? rc :
		    doca_graph_instance_set_user_node_data(run->instance,
							   self->compare, run);
}

static void free_run(struct run *run)
{
	int i;

	doca_graph_instance_destroy(run->instance);
	for (i = 0; i < 4; i++)
		bed_free_task(run->task[i]);
}

TEST_F(graph, diamond_of_copies)
{
	struct run *run = &self->run[0];
	int round, i;

	ASSERT_OK(make_diamond(self));
	ASSERT_OK(make_run(self, run, 0));
	for (round = 1; round <= 10; round++) {
		ASSERT_OK(doca_graph_instance_submit(run->instance));
		EXPECT_ERR(BAD_STATE,
			   doca_graph_instance_submit(run->instance));
		EXPECT_TRUE(BED_UNTIL(&self->bed,
				      self->done + self->failed == round));
		EXPECT_EQ(round, run->compared);
		EXPECT_EQ(0, memcmp(run->mem, run->mem + 4 * LEN, LEN));
		bed_fill(run->mem, LEN, round);
		for (i = 0; i < 4; i++)
			EXPECT_OK(doca_buf_reset_data_len(
				doca_dma_task_memcpy_get_dst(run->task[i])));
	}
	EXPECT_EQ(0, self->failed);
	EXPECT_EQ(0, self->bed.succeeded + self->bed.failed);
	free_run(run);
}

/* Beside them, tasks of the same context on their own. */
TEST_F(graph, many_instances_in_flight)
{
	unsigned int i;

	ASSERT_OK(make_diamond(self));
	for (i = 0; i < INSTANCES; i++)
		ASSERT_OK(make_run(self, &self->run[i], i));
	for (i = 0; i < INSTANCES; i++)
		ASSERT_OK(doca_graph_instance_submit(self->run[i].instance));
	ASSERT_OK(bed_copy(&self->bed, self->mmap, self->mem, self->mmap,
			   self->mem + 3 * LEN, LEN));
	EXPECT_ERR(IN_USE, doca_graph_stop(self->graph));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->done == INSTANCES &&
						  self->bed.succeeded == 1));
	for (i = 0; i < INSTANCES; i++) {
		EXPECT_EQ(1, self->run[i].compared);
		free_run(&self->run[i]);
	}
	EXPECT_EQ(0, self->failed);
}

TEST_F(graph, no_allocation)
{
	unsigned long before;

	ASSERT_OK(make_diamond(self));
	ASSERT_OK(make_run(self, &self->run[0], 0));
	before = allocations;
	ASSERT_OK(doca_graph_instance_submit(self->run[0].instance));
	while (!self->done)
		doca_pe_progress(self->bed.pe);
	EXPECT_EQ(before, allocations);
	free_run(&self->run[0]);
}

TEST_F(graph, sub_graph)
{
	struct doca_graph_instance *instance;
	struct doca_graph_node *node[2];
	union doca_data data = { .ptr = self };
	struct doca_graph *around;
	int i;

	ASSERT_OK(make_diamond(self));
	ASSERT_OK(doca_graph_create(self->bed.pe, &around));
	ASSERT_OK(doca_graph_set_conf(around, graph_done, graph_failed, 1));
	ASSERT_OK(doca_graph_set_user_data(around, data));
	for (i = 0; i < 2; i++) {
		ASSERT_OK(doca_graph_node_create_from_graph(
			around, self->graph, &node[i]));
		ASSERT_OK(make_run(self, &self->run[i], i));
	}
	ASSERT_OK(doca_graph_add_dependency(around, node[0], node[1]));
	ASSERT_OK(doca_graph_start(around));
	ASSERT_OK(doca_graph_instance_create(around, &instance));
	for (i = 0; i < 2; i++)
		ASSERT_OK(doca_graph_instance_set_sub_graph_node_data(
			instance, node[i], self->run[i].instance));
	ASSERT_OK(doca_graph_instance_submit(instance));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->done));
	/* One callback for all of it. */
	EXPECT_FALSE(doca_pe_progress(self->bed.pe));
	EXPECT_EQ(1, self->done);
	EXPECT_EQ(1, self->run[0].compared);
	EXPECT_EQ(1, self->run[1].compared);
	EXPECT_OK(doca_graph_instance_destroy(instance));
	EXPECT_OK(doca_graph_stop(around));
	EXPECT_OK(doca_graph_destroy(around));
	for (i = 0; i < 2; i++)
		free_run(&self->run[i]);
}

/* A copy to a room that is too small; the others are done or canceled. */
TEST_F(graph, error_node)
{
	struct run *run = &self->run[0];
	struct doca_dma_task_memcpy *bad;
	enum doca_ctx_states state;

	ASSERT_OK(make_diamond(self));
	ASSERT_OK(make_run(self, run, 0));
	ASSERT_OK(new_task(self, run->mem + 3 * LEN, run->mem, 8, LEN, &bad));
	ASSERT_OK(doca_graph_instance_set_ctx_node_data(
		run->instance, self->copy[2],
		doca_dma_task_memcpy_as_task(bad)));
	ASSERT_OK(doca_graph_instance_submit(run->instance));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->failed));
	EXPECT_EQ(0, self->done);
	EXPECT_EQ(0, run->compared);
	EXPECT_ERR(INVALID_VALUE,
		   doca_task_get_status(doca_dma_task_memcpy_as_task(bad)));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.to_stopping));
	EXPECT_OK(doca_ctx_get_state(self->bed.ctx, &state));
	EXPECT_EQ(DOCA_CTX_STATE_STOPPING, state);
	EXPECT_ERR(BAD_STATE, doca_graph_instance_submit(run->instance));
	free_run(run);
	bed_free_task(bad);
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.to_idle));
	/* And once more from the beginning. */
	ASSERT_OK(doca_ctx_start(self->bed.ctx));
	ASSERT_OK(make_run(self, run, 0));
	ASSERT_OK(doca_graph_instance_submit(run->instance));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->done));
	EXPECT_EQ(1, self->failed);
	free_run(run);
}

typedef struct doca_mmap_advise_task_invalidate_cache advice_t;

static void advised(advice_t *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	unsigned int *called = ctx_data.ptr;

	(void)task, (void)task_data;
	(*called)++;
}

/* A copy, advice on what it has written, and the comparison. */
TEST_F(graph, contexts_of_two_libraries)
{
	struct run *run = &self->run[0];
	struct doca_mmap_advise *advise;
	struct doca_graph_node *advice;
	unsigned int called = 0;
	union doca_data data = { .ptr = &called };
	struct doca_ctx *ctx;
	struct doca_buf *buf;
	advice_t *task;

	run->mem = self->mem;
	bed_fill(run->mem, LEN, 3);
	ASSERT_OK(doca_mmap_advise_create(self->dev, &advise));
	ctx = doca_mmap_advise_as_ctx(advise);
	ASSERT_OK(doca_mmap_advise_task_invalidate_cache_set_conf(
		advise, advised, advised, 1));
	ASSERT_OK(doca_ctx_set_user_data(ctx, data));
	ASSERT_OK(doca_pe_connect_ctx(self->bed.pe, ctx));
	ASSERT_OK(doca_ctx_start(ctx));
	ASSERT_OK(doca_graph_node_create_from_ctx(self->graph, self->bed.ctx,
						  &self->copy[0]));
	ASSERT_OK(doca_graph_node_create_from_ctx(self->graph, ctx, &advice));
	ASSERT_OK(doca_graph_node_create_from_user(self->graph, compare,
						   &self->compare));
	ASSERT_OK(doca_graph_add_dependency(self->graph, self->copy[0],
					    advice));
	ASSERT_OK(doca_graph_add_dependency(self->graph, advice,
					    self->compare));
	ASSERT_OK(doca_graph_start(self->graph));
	ASSERT_OK(doca_graph_instance_create(self->graph, &run->instance));
	ASSERT_OK(new_task(self, run->mem + (AREAS - 1) * LEN, run->mem, LEN,
			   LEN, &run->task[0]));
	ASSERT_OK(doca_buf_inventory_buf_get_by_data(
		self->bed.inv, self->mmap, run->mem + (AREAS - 1) * LEN, LEN,
		&buf));
	ASSERT_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(
		advise, buf, data, &task));
	ASSERT_OK(doca_graph_instance_set_ctx_node_data(
		run->instance, self->copy[0],
		doca_dma_task_memcpy_as_task(run->task[0])));
	EXPECT_ERR(INVALID_VALUE,
		   doca_graph_instance_set_ctx_node_data(
			   run->instance, advice,
			   doca_dma_task_memcpy_as_task(run->task[0])));
	ASSERT_OK(doca_graph_instance_set_ctx_node_data(
		run->instance, advice,
		doca_mmap_advise_task_invalidate_cache_as_doca_task(task)));
	ASSERT_OK(doca_graph_instance_set_user_node_data(run->instance,
							 self->compare, run));
	ASSERT_OK(doca_graph_instance_submit(run->instance));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->done + self->failed));
	EXPECT_EQ(1, self->done);
	EXPECT_EQ(1, run->compared);
	EXPECT_EQ(0, called + self->bed.succeeded);
	EXPECT_OK(doca_graph_instance_destroy(run->instance));
	bed_free_task(run->task[0]);
	doca_task_free(
		doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
	EXPECT_OK(doca_buf_dec_refcount(buf, NULL));
	EXPECT_OK(doca_ctx_stop(ctx));
	EXPECT_OK(doca_mmap_advise_destroy(advise));
}

TEST_F(graph, cycle)
{
	struct doca_graph_node *node[3];
	int i;

	for (i = 0; i < 3; i++)
		ASSERT_OK(doca_graph_node_create_from_ctx(
			self->graph, self->bed.ctx, &node[i]));
	for (i = 0; i < 3; i++)
		ASSERT_OK(doca_graph_add_dependency(self->graph, node[i],
						    node[(i + 1) % 3]));
	EXPECT_ERR(INVALID_VALUE, doca_graph_start(self->graph));
}

/* The context is stopped while instances are in flight. */
TEST_F(graph, stop_with_instances_in_flight)
{
	unsigned int i;

	ASSERT_OK(make_diamond(self));
	for (i = 0; i < INSTANCES; i++) {
		ASSERT_OK(make_run(self, &self->run[i], i));
		ASSERT_OK(doca_graph_instance_submit(self->run[i].instance));
	}
	EXPECT_ERR(IN_PROGRESS, doca_ctx_stop(self->bed.ctx));
	EXPECT_TRUE(BED_UNTIL(&self->bed,
			      self->done + self->failed == INSTANCES));
	EXPECT_GT(self->failed, 0);
	for (i = 0; i < INSTANCES; i++)
		free_run(&self->run[i]);
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.to_idle));
}

TEST_HARNESS_MAIN
