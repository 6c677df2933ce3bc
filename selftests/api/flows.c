// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * One flow of each kind over the real driver, from the public calls down and back. lib/tests
 * shows the result of each call, without a driver.
 */
#include <doca_buf_pool.h>
#include <doca_graph.h>

#include "../lib/write_to.h"
#include "flows.h"

DOCA_LOG_REGISTER(SELFTEST::FLOWS);

#define KIND_LEN (3 * 4096)
#define HUGE_LEN (2 << 20)

static const char constant[KIND_LEN] = "data that the program may only read";
static char variable[KIND_LEN] = "data of the program";

static char *map_file(int fd, int flags)
{
	char *mem;

	if (fd < 0 || ftruncate(fd, KIND_LEN))
		return NULL;
	mem = mmap(NULL, KIND_LEN, PROT_READ | PROT_WRITE, flags, fd, 0);
	close(fd);
	return mem == MAP_FAILED ? NULL : mem;
}

static int unnamed_file(void)
{
	char path[] = "/tmp/flows.XXXXXX";
	int fd = mkstemp(path);

	if (fd >= 0)
		unlink(path);
	return fd;
}

/* Copy at odd places and lengths, there and back. */
static const char *works(FIXTURE_DATA(flows) *self, char *mem, bool writable)
{
	static const size_t places[][2] = {
		{ 0, KIND_LEN }, { 1, 1 }, { 4095, 2 }, { 13, 4096 + 77 },
	};
	uint32_t access = writable ? DOCA_ACCESS_FLAG_LOCAL_READ_WRITE :
				     DOCA_ACCESS_FLAG_LOCAL_READ_ONLY;
	struct bed *bed = &self->bed;
	struct doca_mmap *map;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *at = mem + places[i][0], *mine = self->to;
		size_t len = places[i][1];

		if (bed_mmap(at, len, access, self->dev, NULL, &map))
			return "is not mapped";
		if (!copy(bed, map, at, self->dst, mine, len) || memcmp(mine, at, len))
			return "is not read";
		bed_fill(mine, len, i);
		if (writable &&
		    (!copy(bed, self->dst, mine, map, at, len) || memcmp(mine, at, len)))
			return "is not written";
		if (doca_mmap_destroy(map))
			return "is not released";
	}
	return NULL;
}

TEST_F(flows, memory_may_be_of_any_alignment_length_and_kind)
{
	char on_stack[KIND_LEN] = "data of a function";
	char *heap = calloc(1, KIND_LEN);
	const struct {
		const char *name;
		char *mem;
	} kinds[] = {
		{ "a constant", (char *)constant },
		{ "a variable", variable },
		{ "the stack", on_stack },
		{ "the heap", heap },
		{ "private memory", map_anonymous(MAP_PRIVATE, KIND_LEN) },
		{ "shared memory", map_anonymous(MAP_SHARED, KIND_LEN) },
		{ "a memfd", map_file(memfd_create("flows", 0), MAP_SHARED) },
		{ "a private file", map_file(unnamed_file(), MAP_PRIVATE) },
		{ "huge pages, if there are any",
		  map_anonymous(MAP_PRIVATE | MAP_HUGETLB, HUGE_LEN) ?: variable },
	};
	const char *why;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		ASSERT_NE(NULL, kinds[i].mem);
		why = works(self, kinds[i].mem, kinds[i].mem != constant);
		EXPECT_EQ(NULL, why)
		{
			TH_LOG("%s: %s", kinds[i].name, why);
		}
	}
	free(heap);
}

static void submit(struct __test_metadata *_metadata, FIXTURE_DATA(flows) *self,
		   struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_dma_task_memcpy *task;
	union doca_data data = {};

	ASSERT_OK(doca_dma_task_memcpy_alloc_init(self->bed.dma, src, dst, data, &task));
	ASSERT_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
}

static doca_error_t chain(struct doca_buf **list, struct doca_buf *buf)
{
	if (*list)
		return doca_buf_chain_list(*list, buf);
	*list = buf;
	return DOCA_SUCCESS;
}

/*
 * Gather as many sources as the device permits, each in the middle of a buffer, and scatter
 * them to a few destinations.
 */
TEST_F(flows, lists_are_gathered_and_scattered)
{
	struct doca_devinfo *info = doca_dev_as_devinfo(self->dev);
	struct doca_buf_inventory *inv = self->bed.inv;
	struct doca_buf *src = NULL, *dst = NULL, *buf;
	uint32_t max, i;
	char *at;

	ASSERT_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &max));
	ASSERT_LE(7, max);
	for (i = 0; i < max; i++) {
		at = self->from + i * 1000;
		ASSERT_OK(doca_buf_inventory_buf_get_by_addr(inv, self->src, at, 1000, &buf));
		ASSERT_OK(doca_buf_set_data(buf, at + 300, 70));
		ASSERT_OK(chain(&src, buf));
	}
	for (i = 0; i < 7; i++) {
		at = self->to + i * max * 10;
		ASSERT_OK(doca_buf_inventory_buf_get_by_addr(inv, self->dst, at, max * 10, &buf));
		ASSERT_OK(chain(&dst, buf));
	}
	submit(_metadata, self, src, dst);
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded || self->bed.failed));
	EXPECT_EQ(1, self->bed.succeeded);
	for (i = 0; i < max; i++)
		ASSERT_EQ(0, memcmp(self->to + i * 70, self->from + i * 1000 + 300, 70));
	EXPECT_EQ(0, self->to[max * 70]);
}

/* Submit a copy of one page; a bad one writes to read-only memory. */
static doca_error_t submit_page(FIXTURE_DATA(flows) *self, unsigned int i, bool bad)
{
	return bed_copy(&self->bed, self->src, self->from + i * LEN, bad ? self->src : self->dst,
			(bad ? self->from : self->to) + i * LEN, LEN);
}

static unsigned int callbacks(const struct bed *bed)
{
	return bed->succeeded + bed->failed + bed->to_stopping + bed->to_idle;
}

/* An engine may not have begun with the task before the bad one, and then that is flushed, too. */
TEST_F(flows, a_task_that_fails_flushes_the_others_and_the_context_starts_again)
{
	struct bed *bed = &self->bed;
	unsigned int i, ran = 0, done;

	for (i = 0; i < BED_TASKS; i++)
		ASSERT_OK(submit_page(self, i, i == 1));
	EXPECT_EQ(DOCA_CTX_STATE_RUNNING, bed_state_of(bed));
	EXPECT_EQ(BED_TASKS, bed_inflight(bed));
	EXPECT_EQ(0, callbacks(bed));
	EXPECT_TRUE(AWAIT_BY(ran += doca_pe_progress(bed->pe), bed->failed));
	EXPECT_ERR(NOT_PERMITTED, bed->status);
	EXPECT_TRUE(AWAIT_BY(ran += doca_pe_progress(bed->pe), bed->to_idle));
	EXPECT_ERR(SHUTDOWN, bed->status);
	/* Progress runs one callback at most, and returns true if it did. */
	EXPECT_EQ(BED_TASKS + 2, ran);
	EXPECT_EQ(ran, callbacks(bed));
	done = bed->succeeded;
	EXPECT_GE(1, done);
	EXPECT_EQ(0, bed_inflight(bed));
	if (done)
		EXPECT_EQ(0, memcmp(self->from, self->to, LEN));
	EXPECT_EQ(0, self->to[2 * LEN + 1]);

	ASSERT_OK(doca_ctx_start(bed->ctx));
	for (i = 0; i < BED_TASKS; i++)
		ASSERT_OK(submit_page(self, i, false));
	EXPECT_TRUE(BED_UNTIL(bed, bed->succeeded == done + BED_TASKS));
	EXPECT_EQ(0, memcmp(self->from, self->to, MEM));
}

TEST_F(flows, a_stop_flushes_what_is_in_flight)
{
	struct bed *bed = &self->bed;
	unsigned int i;

	for (i = 0; i < BED_TASKS; i++)
		ASSERT_OK(submit_page(self, i, false));
	EXPECT_ERR(IN_PROGRESS, doca_ctx_stop(bed->ctx));
	EXPECT_EQ(DOCA_CTX_STATE_STOPPING, bed_state_of(bed));
	EXPECT_TRUE(BED_UNTIL(bed, bed->to_idle));
	EXPECT_EQ(BED_TASKS, bed->succeeded + bed->failed);
	if (bed->failed)
		EXPECT_ERR(SHUTDOWN, bed->status);
	EXPECT_EQ(0, memcmp(self->from, self->to, bed->succeeded * LEN));
}

/* The map that a callback makes in the middle of progress, and the result. */
static struct {
	struct doca_mmap *map;
	doca_error_t rc;
} made;

static void make(struct doca_dma_task_memcpy *task, union doca_data task_data,
		 union doca_data ctx_data)
{
	struct bed *bed = ctx_data.ptr;
	const void *desc;
	size_t len;

	(void)task_data;
	bed_free_task(task);
	if (bed->succeeded++)
		return;
	made.rc = bed_mmap(variable, KIND_LEN, DOCA_ACCESS_FLAG_PCI_READ_WRITE, bed->dev, NULL,
			   &made.map) ?:
		  doca_mmap_export_pci(made.map, bed->dev, &desc, &len) ?:
		  bed_copy(bed, made.map, variable, made.map, variable + KIND_LEN / 2,
			   KIND_LEN / 2);
}

TEST_F(flows, a_callback_may_make_maps_exports_and_tasks)
{
	struct bed *bed = &self->bed;

	ASSERT_OK(doca_ctx_stop(bed->ctx));
	ASSERT_OK(doca_dma_task_memcpy_set_conf(bed->dma, make, bed_error, 2));
	ASSERT_OK(doca_ctx_start(bed->ctx));
	ASSERT_OK(submit_page(self, 0, false));
	EXPECT_TRUE(BED_UNTIL(bed, bed->succeeded == 2));
	EXPECT_OK(made.rc);
	EXPECT_EQ(0, memcmp(variable, variable + KIND_LEN / 2, KIND_LEN / 2));
	EXPECT_OK(doca_mmap_destroy(made.map));
}

TEST_F(flows, callbacks_run_in_progress_of_their_own_engine)
{
	volatile char *last = self->to + MEM - 1;
	struct bed other;
	int i;

	ASSERT_OK(bed_create(&other, self->dev, NULL));
	ASSERT_OK(doca_ctx_start(other.ctx));
	ASSERT_OK(bed_copy(&other, self->src, self->from, self->dst, self->to, MEM));
	ASSERT_OK(submit_page(self, 0, false));
	EXPECT_TRUE(AWAIT_BY(doca_pe_progress(self->bed.pe),
			     *last == self->from[MEM - 1] && self->bed.succeeded));
	for (i = 0; i < 100; i++)
		EXPECT_EQ(0, doca_pe_progress(self->bed.pe));
	EXPECT_EQ(0, other.succeeded);
	EXPECT_TRUE(BED_UNTIL(&other, other.succeeded == 1));
	EXPECT_OK(doca_ctx_stop(other.ctx));
	EXPECT_OK(bed_destroy(&other));
}

/* Buffers of a pool go back to it by themselves. */
TEST_F(flows, elements_of_a_pool_are_copied_and_end_where_the_next_begins)
{
	enum { LENGTH = 1000, STRIDE = 1024, NR = 16 };
	struct doca_buf *src, *dst, *none;
	struct doca_buf_pool *pool;
	void *from, *to[NR / 2];
	uint32_t left;
	int i;

	ASSERT_OK(doca_buf_pool_create(NR, LENGTH, self->dst, &pool));
	ASSERT_OK(doca_buf_pool_set_element_alignment(pool, STRIDE));
	ASSERT_OK(doca_buf_pool_start(pool));
	for (i = 0; i < NR / 2; i++) {
		ASSERT_OK(doca_buf_pool_buf_alloc(pool, &src));
		ASSERT_OK(doca_buf_pool_buf_alloc(pool, &dst));
		ASSERT_OK(doca_buf_get_head(src, &from));
		ASSERT_OK(doca_buf_get_head(dst, &to[i]));
		ASSERT_EQ(0, (uintptr_t)to[i] % STRIDE);
		memset(from, 'a' + i, LENGTH);
		ASSERT_OK(doca_buf_set_data(src, from, LENGTH));
		submit(_metadata, self, src, dst);
	}
	ASSERT_EQ(DOCA_ERROR_EMPTY, doca_buf_pool_buf_alloc(pool, &none));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == NR / 2));
	for (i = 0; i < NR / 2; i++) {
		EXPECT_EQ('a' + i, *(char *)to[i]);
		EXPECT_EQ(0, memcmp(to[i], (char *)to[i] + 1, LENGTH - 1));
	}
	/* One byte more does not fit. */
	ASSERT_OK(doca_buf_pool_buf_alloc(pool, &dst));
	ASSERT_OK(doca_buf_inventory_buf_get_by_data(self->bed.inv, self->src, self->from,
						     LENGTH + 1, &src));
	submit(_metadata, self, src, dst);
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.to_idle));
	EXPECT_EQ(1, self->bed.failed);
	EXPECT_OK(doca_buf_pool_get_num_free_elements(pool, &left));
	EXPECT_EQ(NR, left);
	EXPECT_OK(doca_buf_pool_destroy(pool));
}

/* Two halves of a page are copied; then advice is given on the page, and then it is compared. */
struct graph {
	struct doca_graph *graph;
	struct doca_graph_node *half[2], *advice, *compare;
	unsigned int done, failed;
	struct run {
		struct doca_graph_instance *instance;
		struct doca_dma_task_memcpy *half[2];
		struct doca_buf *buf;
		advice_t *advice;
		char *from, *to;
		unsigned int compared;
	} run[INSTANCES];
};

static void graph_done(struct doca_graph_instance *instance, union doca_data instance_data,
		       union doca_data data)
{
	(void)instance, (void)instance_data;
	((struct graph *)data.ptr)->done++;
}

static void graph_failed(struct doca_graph_instance *instance, union doca_data instance_data,
			 union doca_data data)
{
	(void)instance, (void)instance_data;
	((struct graph *)data.ptr)->failed++;
}

static doca_error_t compare(void *cookie)
{
	struct run *run = cookie;

	run->compared++;
	return memcmp(run->from, run->to, LEN) ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS;
}

static doca_error_t graph_create(struct graph *graph, struct bed *bed, struct adviser *adviser)
{
	union doca_data data = { .ptr = graph };
	doca_error_t rc;

	memset(graph, 0, sizeof(*graph));
	if ((rc = doca_graph_create(bed->pe, &graph->graph)))
		return rc;
	rc = doca_graph_set_conf(graph->graph, graph_done, graph_failed, INSTANCES) ?:
	     doca_graph_set_user_data(graph->graph, data) ?:
	     doca_graph_node_create_from_ctx(graph->graph, bed->ctx, &graph->half[0]) ?:
	     doca_graph_node_create_from_ctx(graph->graph, bed->ctx, &graph->half[1]) ?:
	     doca_graph_node_create_from_ctx(graph->graph, adviser->ctx, &graph->advice) ?:
	     doca_graph_node_create_from_user(graph->graph, compare, &graph->compare);
	return rc ?: doca_graph_add_dependency(graph->graph, graph->half[0], graph->advice) ?:
	       doca_graph_add_dependency(graph->graph, graph->half[1], graph->advice) ?:
	       doca_graph_add_dependency(graph->graph, graph->advice, graph->compare) ?:
	       doca_graph_start(graph->graph);
}

static doca_error_t set_half(FIXTURE_DATA(flows) *self, struct graph *graph, struct run *run,
			     int i, size_t room)
{
	const size_t at = i * (LEN / 2);
	union doca_data data = {};
	struct doca_buf *src, *dst;

	return doca_buf_inventory_buf_get_by_data(self->bed.inv, self->src, run->from + at,
						  LEN / 2, &src) ?:
	       doca_buf_inventory_buf_get_by_addr(self->bed.inv, self->dst, run->to + at, room,
						  &dst) ?:
	       doca_dma_task_memcpy_alloc_init(self->bed.dma, src, dst, data, &run->half[i]) ?:
	       doca_graph_instance_set_ctx_node_data(
		       run->instance, graph->half[i],
		       doca_dma_task_memcpy_as_task(run->half[i]));
}

/* Make a run whose second half has room for @room bytes. */
static doca_error_t make_run(FIXTURE_DATA(flows) *self, struct graph *graph,
			     struct adviser *adviser, int n, size_t room)
{
	struct run *run = &graph->run[n];

	*run = (struct run){ .from = self->from + n * LEN, .to = self->to + n * LEN };
	return doca_graph_instance_create(graph->graph, &run->instance) ?:
	       set_half(self, graph, run, 0, LEN / 2) ?:
	       set_half(self, graph, run, 1, room) ?:
	       advice_create(adviser, &self->bed, self->dst, run->to, LEN, &run->buf,
			     &run->advice) ?:
	       doca_graph_instance_set_ctx_node_data(run->instance, graph->advice,
						     as_task(run->advice)) ?:
	       doca_graph_instance_set_user_node_data(run->instance, graph->compare, run);
}

static void free_run(struct run *run)
{
	doca_graph_instance_destroy(run->instance);
	bed_free_task(run->half[0]);
	bed_free_task(run->half[1]);
	doca_task_free(as_task(run->advice));
	doca_buf_dec_refcount(run->buf, NULL);
}

/* A task outside of graphs runs beside them. */
TEST_F(flows, graphs_of_two_libraries_run_in_order_or_fail_as_a_whole)
{
	struct bed *bed = &self->bed;
	struct adviser adviser;
	struct graph graph;
	int i;

	ASSERT_OK(adviser_create(&adviser, bed, INSTANCES));
	ASSERT_OK(graph_create(&graph, bed, &adviser));
	for (i = 0; i < INSTANCES; i++)
		ASSERT_OK(make_run(self, &graph, &adviser, i, LEN / 2));
	for (i = 0; i < INSTANCES; i++)
		ASSERT_OK(doca_graph_instance_submit(graph.run[i].instance));
	ASSERT_OK(submit_page(self, INSTANCES, false));
	EXPECT_TRUE(BED_UNTIL(bed, graph.done + graph.failed == INSTANCES && bed->succeeded));
	EXPECT_EQ(INSTANCES, graph.done);
	EXPECT_EQ(1, bed->succeeded);
	EXPECT_EQ(0, adviser.done);
	for (i = 0; i < INSTANCES; i++) {
		EXPECT_EQ(1, graph.run[i].compared);
		free_run(&graph.run[i]);
	}
	ASSERT_OK(make_run(self, &graph, &adviser, 0, 8));
	ASSERT_OK(doca_graph_instance_submit(graph.run[0].instance));
	EXPECT_TRUE(BED_UNTIL(bed, graph.failed == 1));
	EXPECT_EQ(INSTANCES, graph.done);
	EXPECT_EQ(0, graph.run[0].compared);
	free_run(&graph.run[0]);
	EXPECT_TRUE(BED_UNTIL(bed, bed->to_idle));
	EXPECT_OK(doca_graph_stop(graph.graph));
	EXPECT_OK(doca_graph_destroy(graph.graph));
	EXPECT_OK(doca_ctx_stop(adviser.ctx));
	EXPECT_OK(doca_mmap_advise_destroy(adviser.advise));
}

#define ENGINE "/sys/kernel/debug/testdma/0000:00:10.0/"

/* Needs a device that is an engine, which counts its copies at a time. */
TEST_F(flows, an_engine_has_several_copies_at_a_time)
{
	unsigned int i, most = 0;
	FILE *f;

	if (access(ENGINE "most", W_OK))
		SKIP(return, "needs an engine of testdma, as in 'make check-engines'");
	ASSERT_TRUE(write_to(ENGINE "delay_us", "100000"));
	ASSERT_TRUE(write_to(ENGINE "most", "0"));
	for (i = 0; i < BED_TASKS / 2; i++)
		ASSERT_OK(submit_page(self, i, false));
	EXPECT_TRUE(BED_UNTIL(&self->bed, self->bed.succeeded == BED_TASKS / 2));
	EXPECT_TRUE(write_to(ENGINE "delay_us", "0"));
	EXPECT_EQ(0, memcmp(self->from, self->to, MEM / 2));
	f = fopen(ENGINE "most", "r");
	ASSERT_NE(NULL, f);
	EXPECT_EQ(1, fscanf(f, "%u", &most));
	fclose(f);
	EXPECT_LT(1, most);
}

/* This file does not enable traces, so their arguments are not even evaluated. */
TEST(traces_are_compiled_out_without_leave)
{
	int evaluated = 0;

	DOCA_LOG_TRC("%d", ++evaluated);
	EXPECT_EQ(0, evaluated);
}

TEST_HARNESS_MAIN
