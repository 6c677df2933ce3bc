// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Instances of graphs: order of execution, and ends. */
#include "core/exec/ctx.h"
#include "fault.h"
#include "graph_bed.h"

/* Two copies, and a function that waits for both. */
static struct {
	struct doca_graph *graph;
	struct doca_graph_node *copy[2], *user;
} pair;

static void pair_set_up(uint32_t instances)
{
	pair.graph = new_graph(instances);
	for (int i = 0; i < 2; i++)
		pair.copy[i] = ctx_node(pair.graph);
	pair.user = func_node(pair.graph);
	for (int i = 0; i < 2; i++)
		depend(pair.graph, pair.copy[i], pair.user);
	OK(doca_graph_start(pair.graph));
}

static struct doca_graph_instance *new_pair(const char *cookie)
{
	struct doca_graph_instance *instance = new_instance(pair.graph);

	for (int i = 0; i < 2; i++)
		set_task(instance, pair.copy[i], new_copy(i * 8, 8));
	set_cookie(instance, pair.user, cookie);
	return instance;
}

static struct doca_graph_instance *started_pair(bool workers)
{
	graph_set_up(workers, 3);
	pair_set_up(1);
	return new_pair("u");
}

static void pair_tear_down(void)
{
	graph_end(pair.graph);
	graph_tear_down();
}

static void destroy_in_callback(struct doca_graph_instance *instance)
{
	OK(doca_graph_instance_destroy(instance));
}

TEST(a_node_begins_when_its_parents_are_done)
{
	struct doca_graph_node *node[4];
	struct doca_graph_instance *instance;
	struct doca_graph *graph;
	size_t n;

	graph_set_up(true, 4);
	graph = new_graph(1);
	for (int i = 0; i < 4; i++)
		node[i] = ctx_node(graph);
	depend(graph, node[0], node[1]);
	depend(graph, node[0], node[2]);
	depend(graph, node[1], node[3]);
	depend(graph, node[2], node[3]);
	OK(doca_graph_start(graph));
	instance = new_instance(graph);
	OK(doca_graph_instance_set_user_data(instance, (union doca_data){ .u64 = 7 }));
	OK(doca_graph_set_user_data(graph, (union doca_data){ .u64 = 8 }));
	for (int i = 0; i < 4; i++)
		set_task(instance, node[i], new_copy(i * 8, 8));

	OK(doca_graph_instance_submit(instance));
	EXPECT_EQ(inflight(), 1);
	fake_work(-1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_EQ(inflight(), 2);
	fake_work(1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_EQ(inflight(), 1);
	fake_work(-1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_EQ(inflight(), 1);
	OK(doca_pe_get_num_inflight_tasks(bed.pe, &n));
	EXPECT_EQ(n, 1);
	fake_work(-1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_STR(took(), "D");
	EXPECT(graphs.instance == instance);
	EXPECT_EQ(graphs.instance_data.u64, 7);
	EXPECT_EQ(graphs.graph_data.u64, 8);
	EXPECT(copied(0, 0, 32));
	OK(doca_graph_instance_destroy(instance));
	graph_end(graph);
	graph_tear_down();
}

TEST(tasks_inside_a_graph_do_not_run_their_own_callbacks)
{
	struct doca_graph_instance *instance;

	for (int workers = 0; workers < 2; workers++) {
		instance = started_pair(workers);
		fault_at(FAULT_ALLOC, 0);
		OK(doca_graph_instance_submit(instance));
		fake_work(-1);
		EXPECT_EQ(drain(bed.pe), 2);
		EXPECT_STR(took(), "uD");
		EXPECT_EQ(fault_calls(FAULT_ALLOC), 0);
		/* On their own they can be submitted. */
		OK(doca_task_get_status(as_task(bed.all[0])));
		run_again(bed.all[0]);
		fake_work(-1);
		EXPECT_EQ(drain(bed.pe), 1);
		EXPECT_STR(took(), "S");
		OK(doca_graph_instance_destroy(instance));
		pair_tear_down();
	}
}

/* Even those without parents: a submission calls nobody. */
TEST(user_nodes_run_in_progress_one_a_call)
{
	struct doca_graph_instance *instance;
	struct doca_graph_node *node[3], *copy;
	struct doca_graph *graph;

	graph_set_up(true, 1);
	graph = new_graph(1);
	copy = ctx_node(graph);
	for (int i = 0; i < 3; i++)
		node[i] = func_node(graph);
	depend(graph, node[1], copy);
	OK(doca_graph_start(graph));
	instance = new_instance(graph);
	set_task(instance, copy, new_copy(0, 8));
	set_cookie(instance, node[0], "a");
	set_cookie(instance, node[1], "b");
	OK(doca_graph_instance_submit(instance));
	EXPECT_STR(took(), "");
	EXPECT_EQ(inflight(), 0);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "a");
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "b");
	EXPECT_EQ(inflight(), 1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "?");
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "D");
	OK(doca_graph_instance_destroy(instance));
	graph_end(graph);
	graph_tear_down();
}

#define MANY 64

TEST(many_instances_are_in_flight_beside_plain_tasks)
{
	graph_set_up(true, 3 * MANY);
	pair_set_up(MANY);
	graphs.on_end = destroy_in_callback;
	for (int i = 0; i < MANY; i++) {
		OK(doca_graph_instance_submit(new_pair("u")));
		OK(doca_task_submit(new_copy(0, 8)));
	}
	EXPECT_EQ(inflight(), 3 * MANY);
	while (inflight()) {
		fake_work(7);
		drain(bed.pe);
	}
	drain(bed.pe);
	for (const char *c = "SuD"; *c; c++) {
		int n = 0;

		for (size_t i = 0; i < bed.n; i++)
			n += bed.log[i] == *c;
		EXPECT_EQ(n, MANY);
	}
	EXPECT_EQ(bed.n, 3 * MANY);
	took();
	pair_tear_down();
}

static int resubmits;

static void resubmit(struct doca_graph_instance *instance)
{
	if (!resubmits--) {
		OK(doca_graph_instance_destroy(instance));
		graph_end(pair.graph);
		return;
	}
	for (int i = 0; i < 2; i++)
		empty_dst(bed.all[i]);
	OK(doca_graph_instance_submit(instance));
}

TEST(a_callback_may_submit_again_and_destroy_all)
{
	graph_set_up(false, 2);
	pair_set_up(1);
	graphs.on_end = resubmit;
	resubmits = 20;
	OK(doca_graph_instance_submit(new_pair("u")));
	EXPECT_EQ(drain(bed.pe), 42);
	graph_tear_down();
}

TEST(what_cannot_be_submitted_is_not_begun)
{
	struct doca_graph_instance *instance, *part;
	struct doca_graph_node *within;
	struct doca_graph *graph;
	struct doca_task *task;

	graph_set_up(true, 3);
	pair_set_up(2);
	graph = new_graph(1);
	within = sub_node(graph, pair.graph);
	OK(doca_graph_start(graph));
	instance = new_instance(graph);
	ERR(doca_graph_instance_submit(instance), BAD_STATE);
	part = new_instance(pair.graph);
	set_sub(instance, within, part);
	ERR(doca_graph_instance_submit(instance), BAD_STATE);
	OK(doca_graph_instance_destroy(instance));
	OK(doca_graph_instance_destroy(part));
	graph_end(graph);

	instance = new_pair("u");
	task = as_task(bed.all[1]);
	OK(doca_task_submit(task));
	ERR(doca_graph_instance_submit(instance), BAD_STATE);
	EXPECT_EQ(inflight(), 1);
	fake_work(-1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "S");
	/* Two nodes cannot have the same task. */
	set_task(instance, pair.copy[0], task);
	ERR(doca_graph_instance_submit(instance), BAD_STATE);
	set_task(instance, pair.copy[0], as_task(bed.all[0]));
	/* Nothing of it is held: the first task can be submitted on its own. */
	task = as_task(bed.all[0]);
	OK(doca_task_submit(task));
	fake_work(-1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "S");
	OK(doca_graph_stop(pair.graph));
	ERR(doca_graph_instance_submit(instance), BAD_STATE);
	OK(doca_graph_start(pair.graph));
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
	ERR(doca_graph_instance_submit(instance), BAD_STATE);
	OK(doca_graph_instance_destroy(instance));
	graph_end(pair.graph);
	free_copies();
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "si");
	OK(doca_ctx_start(bed.ctx));
	graph_tear_down();
}

/* Try everything that must not be done to an instance in flight. */
static void meddle(void)
{
	struct doca_graph_instance *instance = graphs.instance;
	struct doca_task *task = as_task(bed.all[0]);

	ERR(doca_graph_instance_submit(instance), BAD_STATE);
	ERR(doca_graph_instance_destroy(instance), IN_USE);
	ERR(doca_graph_instance_set_ctx_node_data(instance, pair.copy[0], task), BAD_STATE);
	ERR(doca_graph_instance_set_user_node_data(instance, pair.user, NULL), BAD_STATE);
	ERR(doca_graph_stop(pair.graph), IN_USE);
	ERR(doca_graph_destroy(pair.graph), IN_USE);
	ERR(doca_task_submit(task), BAD_STATE);
	ERR(doca_task_submit_ex(task, 0), BAD_STATE);
	ERR(doca_task_try_submit(task), BAD_STATE);
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
}

TEST(an_instance_in_flight_is_left_alone)
{
	struct doca_graph_instance *instance;

	graph_set_up(true, 2);
	pair_set_up(1);
	graphs.instance = instance = new_pair("u");
	graphs.on_user = meddle;
	OK(doca_graph_instance_submit(instance));
	meddle();
	fake_work(-1);
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "uD");
	OK(doca_graph_instance_destroy(instance));
	pair_tear_down();
}

static struct doca_buf *other_room;

static void redirect(void)
{
	doca_dma_task_memcpy_set_dst(bed.all[0], other_room);
}

/* The guide says that a user node may adjust the next node. */
TEST(a_user_node_may_change_a_task_that_has_not_begun)
{
	struct doca_buf *room_before;

	chain_set_up(false, 1);
	room_before = doca_dma_task_memcpy_get_dst(bed.all[0]);
	other_room = room(512, 8);
	graphs.on_user = redirect;
	OK(doca_graph_instance_submit(chain.instance));
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT(copied(0, 512, 8));
	EXPECT_EQ(data_len(room_before), 0);
	put(room_before);
	chain_tear_down();
}

TEST(after_a_user_node_that_fails_nothing_begins)
{
	struct doca_graph_instance *instance;
	struct doca_graph_node *user[3], *copy[2];
	struct doca_graph *graph;

	graph_set_up(true, 2);
	graph = new_graph(1);
	for (int i = 0; i < 3; i++)
		user[i] = func_node(graph);
	for (int i = 0; i < 2; i++)
		copy[i] = ctx_node(graph);
	/* The first fails, the second is ready, the third and a copy wait. */
	depend(graph, user[0], user[2]);
	depend(graph, user[0], copy[1]);
	OK(doca_graph_start(graph));
	instance = new_instance(graph);
	for (int i = 0; i < 2; i++)
		set_task(instance, copy[i], new_copy(8 * i, 8));
	set_cookie(instance, user[0], "x");
	OK(doca_graph_instance_submit(instance));
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_LOGGED("node 0 of instance");
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	EXPECT_STR(took(), "x");
	/* Nodes that have begun are waited for. */
	ERR(doca_graph_stop(graph), IN_USE);
	fake_work(-1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "F");
	EXPECT(copied(0, 0, 8));
	EXPECT(!copied(8, 8, 8));
	/* The context is not affected. */
	EXPECT_EQ(state(), DOCA_CTX_STATE_RUNNING);
	set_cookie(instance, user[0], "a");
	empty_dst(bed.all[0]);
	OK(doca_graph_instance_submit(instance));
	for (int i = 0; i < 10; i++) {
		fake_work(-1);
		doca_pe_progress(bed.pe);
	}
	EXPECT_STR(took(), "a??D");
	OK(doca_graph_instance_destroy(instance));
	graph_end(graph);
	graph_tear_down();
}

/* Two instances, the first with a bad task. */
TEST(a_task_that_fails_fails_its_instance_and_stops_its_context)
{
	struct doca_graph_instance *bad, *behind;

	for (int workers = 0; workers < 2; workers++) {
		graph_set_up(workers, 5);
		pair_set_up(2);
		bad = new_pair("u");
		set_task(bad, pair.copy[1], bad_copy());
		behind = new_pair("v");
		graphs.on_end = destroy_in_callback;
		OK(doca_graph_instance_submit(bad));
		if (workers)
			OK(doca_graph_instance_submit(behind));
		else
			OK(doca_graph_instance_destroy(behind));
		fake_work(-1);
		drain(bed.pe);
		EXPECT_STR(took(), workers ? "sFF" : "sF");
		EXPECT_EQ(state(), DOCA_CTX_STATE_STOPPING);
		ERR(doca_task_get_status(as_task(bed.all[2])), INVALID_VALUE);
		free_copies();
		EXPECT_EQ(drain(bed.pe), 1);
		EXPECT_STR(took(), "i");
		pair_tear_down();
	}
}

static void stop_context(void)
{
	ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
}

TEST(a_node_whose_context_has_stopped_fails)
{
	chain_set_up(true, 1);
	graphs.on_user = stop_context;
	OK(doca_graph_instance_submit(chain.instance));
	/* The task is held, so it exists although it was freed. */
	free_copies();
	EXPECT_EQ(drain(bed.pe), 3);
	EXPECT_STR(took(), "?sFi");
	chain_tear_down();
}

TEST(submitting_a_user_node_ends_a_wait)
{
	chain_set_up(true, 1);
	arm();
	EXPECT(!wakes());
	OK(doca_graph_instance_submit(chain.instance));
	woken();
	/* There is no wait if it was submitted before. */
	arm();
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	arm();
	EXPECT(!wakes());
	fake_work(1);
	woken();
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "?D");
	chain_tear_down();
}

/* By each way in which a context may end. */
TEST(the_end_of_its_context_ends_an_instance)
{
	enum { STOPPED, REMOVED, BROKEN, FORKED };
	struct doca_graph_instance *instance;

	for (int how = STOPPED; how <= FORKED; how++) {
		instance = started_pair(true);
		OK(doca_graph_instance_submit(instance));
		if (how == STOPPED)
			ERR(doca_ctx_stop(bed.ctx), IN_PROGRESS);
		if (how == REMOVED)
			fake_remove_device();
		if (how == BROKEN)
			fake_break_queues();
		if (how == FORKED)
			fake_fork();
		for (int i = 0; i < 10; i++) {
			fake_work(1);
			doca_pe_progress(bed.pe);
		}
		EXPECT_EQ(bed.n, 2);
		EXPECT(strchr(bed.log, 'F') && strchr(bed.log, 's'));
		took();
		ERR(doca_graph_instance_submit(instance), BAD_STATE);
		free_copies();
		EXPECT_EQ(drain(bed.pe), 1);
		EXPECT_STR(took(), "i");
		if (how == FORKED)
			forget_parent();
		OK(doca_graph_instance_destroy(instance));
		pair_tear_down();
	}
}

/* Submit an instance again and again. */
static void submit_again(struct doca_graph_instance *instance)
{
	OK(doca_graph_instance_submit(instance));
}

TEST(a_graph_that_is_always_busy_does_not_starve_contexts)
{
	chain_set_up(true, 2);
	OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR));
	set_cookie(chain.instance, chain.user, "x");
	graphs.on_end = submit_again;
	OK(doca_graph_instance_submit(chain.instance));
	OK(doca_task_submit(new_copy(0, 8)));
	fake_work(1);
	for (int i = 0; i < 4; i++)
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT(memchr(bed.log, 'S', bed.n));
	took();
	graphs.on_end = NULL;
	while (doca_pe_progress(bed.pe))
		;
	took();
	chain_tear_down();
}

/* Tasks that are always done do not starve graphs. */
TEST(a_context_that_is_always_busy_does_not_starve_graphs)
{
	struct doca_graph_instance *instance;

	instance = started_pair(false);
	bed.on_task = run_again;
	OK(doca_task_submit(new_copy(8, 8)));
	OK(doca_graph_instance_submit(instance));
	for (int i = 0; i < 20; i++)
		EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT(memchr(bed.log, 'D', bed.n));
	bed.on_task = NULL;
	drain(bed.pe);
	took();
	OK(doca_graph_instance_destroy(instance));
	pair_tear_down();
}
