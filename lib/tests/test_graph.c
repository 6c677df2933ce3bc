// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Graphs: valid and refused ones, and graphs within graphs. */
#include "core/graph/graph.h"
#include "fault.h"
#include "graph_bed.h"

TEST(values_of_the_programs_own)
{
	union doca_data data = { .u64 = 1 };

	chain_set_up(true, 1);
	OK(doca_graph_get_user_data(chain.graph, &data));
	EXPECT_EQ(data.u64, 0);
	OK(doca_graph_set_user_data(chain.graph, (union doca_data){ .u64 = 5 }));
	OK(doca_graph_get_user_data(chain.graph, &data));
	EXPECT_EQ(data.u64, 5);
	OK(doca_graph_instance_get_user_data(chain.instance, &data));
	EXPECT_EQ(data.u64, 0);
	OK(doca_graph_instance_set_user_data(chain.instance, (union doca_data){ .u64 = 6 }));
	OK(doca_graph_instance_get_user_data(chain.instance, &data));
	EXPECT_EQ(data.u64, 6);
	chain_tear_down();
}

TEST(an_engine_with_graphs_is_not_destroyed)
{
	struct doca_graph *graph;
	struct doca_pe *pe;

	graph_set_up(true, 1);
	OK(doca_pe_create(&pe));
	OK(doca_graph_create(pe, &graph));
	FAILS(doca_pe_destroy(pe), IN_USE, "graphs");
	OK(doca_graph_destroy(graph));
	OK(doca_pe_destroy(pe));
	graph_tear_down();
}

TEST(a_graph_in_use_is_neither_destroyed_nor_changed)
{
	struct doca_graph_node *node, *user, *more;
	struct doca_graph_instance *instance = NULL;
	struct doca_graph *graph, *other;

	graph_set_up(true, 1);
	other = new_graph(1);
	graph = new_graph(1);
	node = ctx_node(graph);
	user = func_node(graph);
	OK(doca_graph_start(graph));
	for (int i = 0; i < 2; i++) {
		doca_error_t error = i ? DOCA_ERROR_IN_USE : DOCA_ERROR_BAD_STATE;

		EXPECT_EQ(doca_graph_set_conf(graph, graph_done, graph_done, 9), error);
		EXPECT_LOGGED("configure");
		EXPECT_EQ(doca_graph_node_create_from_ctx(graph, bed.ctx, &more), error);
		EXPECT_LOGGED("add a node");
		EXPECT_EQ(doca_graph_node_create_from_user(graph, user_node, &more), error);
		EXPECT_LOGGED("add a node");
		EXPECT_EQ(doca_graph_node_create_from_graph(graph, other, &more), error);
		EXPECT_LOGGED("add a node");
		EXPECT_EQ(doca_graph_add_dependency(graph, node, user), error);
		EXPECT_LOGGED("add a dependency");
		FAILS(doca_graph_destroy(graph), IN_USE, i ? "instances" : "started");
		if (!i) {
			instance = new_instance(graph);
			OK(doca_graph_stop(graph));
		}
	}
	/* It can be started again, with its instance. */
	OK(doca_graph_start(graph));
	set_task(instance, node, new_copy(0, 8));
	OK(doca_graph_instance_submit(instance));
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "?D");
	OK(doca_graph_stop(graph));
	OK(doca_graph_instance_destroy(instance));
	OK(doca_graph_set_conf(graph, graph_done, graph_failed, 2));
	depend(graph, node, user);
	OK(doca_graph_start(graph));
	instance = new_instance(graph);
	OK(doca_graph_instance_destroy(instance));
	graph_end(graph);
	OK(doca_graph_destroy(other));
	graph_tear_down();
}

TEST(dependencies_are_of_one_graph_and_single)
{
	struct doca_graph *graph, *other;
	struct doca_graph_node *a, *b, *c;

	graph_set_up(true, 1);
	graph = new_graph(1);
	other = new_graph(1);
	a = ctx_node(graph);
	b = ctx_node(graph);
	c = ctx_node(other);
	FAILS(doca_graph_add_dependency(graph, a, c), INVALID_VALUE, "not of graph");
	FAILS(doca_graph_add_dependency(graph, c, a), INVALID_VALUE, "not of graph");
	depend(graph, a, b);
	ERR(doca_graph_add_dependency(graph, a, b), ALREADY_EXIST);
	OK(doca_graph_destroy(graph));
	OK(doca_graph_destroy(other));
	graph_tear_down();
}

TEST(cycles_are_refused_at_start)
{
	struct doca_graph_node *node[5];
	struct doca_graph *graph;

	for (int length = 1; length < 5; length++) {
		graph_set_up(true, 1);
		graph = new_graph(1);
		for (int i = 0; i < 5; i++)
			node[i] = i % 2 ? func_node(graph) : ctx_node(graph);
		/* A chain, and a way back from somewhere in it. */
		for (int i = 0; i + 1 < 5; i++)
			depend(graph, node[i], node[i + 1]);
		depend(graph, node[4], node[5 - length]);
		FAILS(doca_graph_start(graph), INVALID_VALUE, "cycle");
		OK(doca_graph_destroy(graph));
		graph_tear_down();
	}
}

TEST(start_says_what_is_missing)
{
	struct doca_graph *graph = NULL, *sub;
	struct doca_pe *pe;

	graph_set_up(true, 1);
	OK(doca_graph_create(bed.pe, &graph));
	FAILS(doca_graph_start(graph), INVALID_VALUE, "not configured");
	ERR(doca_graph_set_conf(graph, graph_done, graph_failed, 0), INVALID_VALUE);
	logged();
	OK(doca_graph_set_conf(graph, graph_done, graph_failed, 1));
	FAILS(doca_graph_start(graph), INVALID_VALUE, "no node of a context");
	func_node(graph);
	FAILS(doca_graph_start(graph), INVALID_VALUE, "no node of a context");
	sub = new_graph(1);
	sub_node(graph, sub);
	FAILS(doca_graph_start(graph), BAD_STATE, "is not started");
	ctx_node(sub);
	OK(doca_graph_start(sub));
	OK(doca_graph_start(graph));
	FAILS(doca_graph_start(graph), BAD_STATE, "it is started");
	graph_end(graph);
	graph_end(sub);

	OK(doca_pe_create(&pe));
	OK(doca_graph_create(pe, &graph));
	OK(doca_graph_set_conf(graph, graph_done, graph_failed, 1));
	ctx_node(graph);
	FAILS(doca_graph_start(graph), NOT_CONNECTED, "not connected");
	OK(doca_graph_destroy(graph));
	OK(doca_pe_destroy(pe));
	graph_tear_down();
}

TEST(a_context_that_is_gone_is_not_connected)
{
	struct doca_graph *graph;

	graph_set_up(true, 1);
	graph = new_graph(1);
	ctx_node(graph);
	OK(doca_ctx_stop(bed.ctx));
	OK(doca_dma_destroy(bed.dma));
	bed.dma = NULL;
	ERR(doca_graph_start(graph), NOT_CONNECTED);
	OK(doca_graph_destroy(graph));
	bed.ctx = NULL;
	graph_tear_down();
}

/* Make a graph with nodes of two kinds; on failure nothing has changed. */
static doca_error_t make_graph(struct doca_graph **graph)
{
	struct doca_graph_node *node, *user;
	doca_error_t ret;

	ret = doca_graph_create(bed.pe, graph);
	if (ret != DOCA_SUCCESS)
		return ret;
	OK(doca_graph_set_conf(*graph, graph_done, graph_failed, 3));
	if ((ret = doca_graph_node_create_from_ctx(*graph, bed.ctx, &node)) ||
	    (ret = doca_graph_node_create_from_user(*graph, user_node, &user)) ||
	    (ret = doca_graph_add_dependency(*graph, node, user)))
		return ret;
	return doca_graph_start(*graph);
}

TEST(every_allocation_may_fail)
{
	struct doca_graph *graph;
	int failed = 0;
	doca_error_t ret;

	graph_set_up(true, 1);
	fault_at(FAULT_ALLOC, 1);
	do {
		graph = NULL;
		ret = make_graph(&graph);
		failed += ret == DOCA_ERROR_NO_MEMORY;
		if (!fault_happened(FAULT_ALLOC))
			EXPECT_EQ(ret, DOCA_SUCCESS);
		else if (!FAULT_MAY_PASS(FAULT_ALLOC))
			EXPECT_EQ(ret, DOCA_ERROR_NO_MEMORY);
		if (graph)
			graph_end(graph);
	} while (fault_next(FAULT_ALLOC));
	EXPECT_EQ(failed, 5);
	graph_tear_down();
}

TEST(graphs_within_graphs_are_of_one_engine_and_last)
{
	struct doca_graph *graph, *sub, *foreign;
	struct doca_graph_node *node;
	struct doca_pe *pe;

	graph_set_up(true, 1);
	OK(doca_pe_create(&pe));
	OK(doca_graph_create(pe, &foreign));
	graph = new_graph(1);
	sub = new_graph(1);
	ctx_node(sub);
	FAILS(doca_graph_node_create_from_graph(graph, graph, &node), INVALID_VALUE, "the same");
	FAILS(doca_graph_node_create_from_graph(graph, foreign, &node), INVALID_VALUE,
	      "different engines");
	EXPECT_FAULTS(FAULT_ALLOC, doca_graph_node_create_from_graph(graph, sub, &node),
		      NO_MEMORY, );
	FAILS(doca_graph_destroy(sub), IN_USE, "another graph");
	OK(doca_graph_start(sub));
	OK(doca_graph_start(graph));
	FAILS(doca_graph_stop(sub), IN_USE, "has it as a node");
	OK(doca_graph_stop(graph));
	OK(doca_graph_stop(sub));
	OK(doca_graph_stop(sub));
	OK(doca_graph_destroy(graph));
	OK(doca_graph_destroy(sub));
	OK(doca_graph_destroy(foreign));
	OK(doca_pe_destroy(pe));
	graph_tear_down();
}

TEST(as_many_instances_as_configured)
{
	struct doca_graph_instance *instance[3], *more;
	struct doca_graph *graph;

	graph_set_up(true, 1);
	graph = new_graph(3);
	ctx_node(graph);
	FAILS(doca_graph_instance_create(graph, &more), BAD_STATE, "not started");
	OK(doca_graph_start(graph));
	for (int i = 0; i < 3; i++)
		instance[i] = new_instance(graph);
	ERR(doca_graph_instance_create(graph, &more), NO_MEMORY);
	OK(doca_graph_instance_destroy(instance[1]));
	FAILS(doca_graph_instance_destroy(instance[1]), INVALID_VALUE, "destroyed twice");
	ERR(doca_graph_instance_submit(instance[1]), BAD_STATE);
	EXPECT(new_instance(graph) == instance[1]);
	OK(doca_graph_stop(graph));
	ERR(doca_graph_instance_create(graph, &more), BAD_STATE);
	for (int i = 0; i < 3; i++)
		OK(doca_graph_instance_destroy(instance[i]));
	OK(doca_graph_destroy(graph));
	graph_tear_down();
}

TEST(the_data_of_a_node_is_of_its_kind)
{
	struct doca_graph_node *node, *user, *within, *foreign;
	struct doca_graph_instance *instance, *part, *more;
	struct doca_graph *graph, *sub;
	struct doca_dma *dma, *first;
	struct doca_task *task, *other;

	graph_set_up(true, 2);
	sub = new_graph(2);
	foreign = ctx_node(sub);
	OK(doca_graph_start(sub));
	graph = new_graph(2);
	node = ctx_node(graph);
	user = func_node(graph);
	within = sub_node(graph, sub);
	OK(doca_graph_start(graph));
	instance = new_instance(graph);
	part = new_instance(sub);
	task = new_copy(0, 8);

	FAILS(doca_graph_instance_set_ctx_node_data(instance, foreign, task), INVALID_VALUE,
	      "another graph");
	FAILS(doca_graph_instance_set_ctx_node_data(instance, user, task), INVALID_VALUE,
	      "another kind");
	ERR(doca_graph_instance_set_user_node_data(instance, node, NULL), INVALID_VALUE);
	ERR(doca_graph_instance_set_user_node_data(part, user, NULL), INVALID_VALUE);
	ERR(doca_graph_instance_set_sub_graph_node_data(instance, user, part), INVALID_VALUE);
	ERR(doca_graph_instance_set_sub_graph_node_data(part, within, part), INVALID_VALUE);
	FAILS(doca_graph_instance_set_sub_graph_node_data(instance, within, instance),
	      INVALID_VALUE, "is not of the graph of node 2");

	/* A task of another context. */
	first = bed.dma;
	dma = bed.dma = new_dma(1);
	OK(doca_pe_connect_ctx(bed.pe, doca_dma_as_ctx(dma)));
	OK(doca_ctx_start(doca_dma_as_ctx(dma)));
	other = new_copy(0, 8);
	bed.dma = first;
	FAILS(doca_graph_instance_set_ctx_node_data(instance, node, other), INVALID_VALUE,
	      "not of the context of node 0");

	/* An instance that is a part of another one cannot be destroyed before it. */
	set_sub(instance, within, part);
	FAILS(doca_graph_instance_destroy(part), IN_USE, "another instance");
	more = new_instance(sub);
	set_sub(instance, within, more);
	OK(doca_graph_instance_destroy(part));
	ERR(doca_graph_instance_set_sub_graph_node_data(instance, within, part), INVALID_VALUE);
	OK(doca_graph_instance_destroy(instance));
	OK(doca_graph_instance_destroy(more));
	graph_end(graph);
	graph_end(sub);
	free_copies();
	OK(doca_ctx_stop(doca_dma_as_ctx(dma)));
	OK(doca_dma_destroy(dma));
	graph_tear_down();
}

/* A graph of a copy, then a function; and one that runs the first, then a function. */
static struct {
	struct doca_graph *outer, *inner;
	struct doca_graph_node *copy, *after, *within, *last;
} nest;

static void nest_set_up(uint32_t instances)
{
	nest.inner = new_graph(instances);
	nest.copy = ctx_node(nest.inner);
	nest.after = func_node(nest.inner);
	depend(nest.inner, nest.copy, nest.after);
	OK(doca_graph_start(nest.inner));
	nest.outer = new_graph(instances);
	nest.within = sub_node(nest.outer, nest.inner);
	nest.last = func_node(nest.outer);
	depend(nest.outer, nest.within, nest.last);
}

static struct doca_graph_instance *new_inner(struct doca_task *task, const char *cookie)
{
	struct doca_graph_instance *inner = new_instance(nest.inner);

	set_task(inner, nest.copy, task);
	set_cookie(inner, nest.after, cookie);
	return inner;
}

static struct doca_graph_instance *new_nest(const char *cookie)
{
	struct doca_graph_instance *outer = new_instance(nest.outer);

	set_sub(outer, nest.within, new_inner(new_copy(0, 8), cookie));
	set_cookie(outer, nest.last, "z");
	return outer;
}

static struct doca_graph_instance *started_nest(bool workers, const char *cookie)
{
	graph_set_up(workers, 1);
	nest_set_up(1);
	OK(doca_graph_start(nest.outer));
	return new_nest(cookie);
}

static void destroy_nest(struct doca_graph_instance *outer)
{
	struct doca_graph_instance *inner = outer->nodes[nest.within->index].sub;

	OK(doca_graph_instance_destroy(outer));
	OK(doca_graph_instance_destroy(inner));
}

static void nest_tear_down(void)
{
	graph_end(nest.outer);
	graph_end(nest.inner);
	graph_tear_down();
}

TEST(an_instance_within_another_does_not_run_its_own_callback)
{
	struct doca_graph_instance *outer, *inner;

	for (int workers = 0; workers < 2; workers++) {
		outer = started_nest(workers, "a");
		inner = outer->nodes[nest.within->index].sub;
		OK(doca_graph_instance_submit(outer));
		ERR(doca_graph_instance_submit(inner), BAD_STATE);
		ERR(doca_graph_instance_destroy(inner), IN_USE);
		ERR(doca_graph_instance_set_sub_graph_node_data(outer, nest.within, inner),
		    BAD_STATE);
		fake_work(-1);
		EXPECT_EQ(drain(bed.pe), 3);
		EXPECT_STR(took(), "azD");
		EXPECT(graphs.instance == outer);
		EXPECT(copied(0, 0, 8));
		/* The inner one can be run on its own. */
		empty_dst(bed.all[0]);
		OK(doca_graph_instance_submit(inner));
		ERR(doca_graph_instance_submit(outer), BAD_STATE);
		fake_work(-1);
		EXPECT_EQ(drain(bed.pe), 2);
		EXPECT_STR(took(), "aD");
		EXPECT(graphs.instance == inner);
		destroy_nest(outer);
		nest_tear_down();
	}
}

TEST(a_failure_within_fails_the_instance_around)
{
	struct doca_graph_instance *outer;

	outer = started_nest(false, "x");
	OK(doca_graph_instance_submit(outer));
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "xF");
	EXPECT(graphs.instance == outer);
	destroy_nest(outer);
	nest_tear_down();
}

/* Within the inner graph a function is ready and a copy runs when another node fails. */
TEST(a_failure_around_gives_up_what_is_within)
{
	struct doca_graph_node *bad, *early;
	struct doca_graph_instance *outer, *inner[2];
	struct doca_graph_node *within2;

	graph_set_up(true, 2);
	nest_set_up(2);
	bad = func_node(nest.outer);
	early = func_node(nest.outer);
	within2 = sub_node(nest.outer, nest.inner);
	OK(doca_graph_start(nest.outer));
	outer = new_instance(nest.outer);
	for (int i = 0; i < 2; i++)
		inner[i] = new_inner(new_copy(8 * i, 8), "a");
	set_sub(outer, nest.within, inner[0]);
	set_sub(outer, within2, inner[1]);
	set_cookie(outer, bad, "x");
	set_cookie(outer, early, "e");
	OK(doca_graph_instance_submit(outer));
	/* The first copy is done, so the function behind it is ready. */
	fake_work(1);
	EXPECT_EQ(doca_pe_progress(bed.pe), 1);
	EXPECT_STR(took(), "x");
	EXPECT_EQ(doca_pe_progress(bed.pe), 0);
	fake_work(1);
	EXPECT_EQ(drain(bed.pe), 1);
	EXPECT_STR(took(), "F");
	EXPECT_EQ(inflight(), 0);
	for (int i = 0; i < 2; i++)
		empty_dst(bed.all[i]);
	/* Everything can be run again. */
	set_cookie(outer, bad, "b");
	OK(doca_graph_instance_submit(outer));
	for (int i = 0; i < 20; i++) {
		fake_work(-1);
		doca_pe_progress(bed.pe);
	}
	EXPECT_EQ(bed.n, 6);
	EXPECT(strchr(bed.log, 'D') == bed.log + 5);
	took();
	OK(doca_graph_instance_destroy(outer));
	for (int i = 0; i < 2; i++)
		OK(doca_graph_instance_destroy(inner[i]));
	nest_tear_down();
}

TEST(one_instance_is_not_two_parts)
{
	struct doca_graph_instance *outer;
	struct doca_graph_node *twin;

	graph_set_up(true, 1);
	nest_set_up(1);
	twin = sub_node(nest.outer, nest.inner);
	OK(doca_graph_start(nest.outer));
	outer = new_nest("a");
	set_sub(outer, twin, outer->nodes[nest.within->index].sub);
	ERR(doca_graph_instance_submit(outer), BAD_STATE);
	EXPECT_EQ(inflight(), 0);
	destroy_nest(outer);
	nest_tear_down();
}
