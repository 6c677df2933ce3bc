// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Graphs: what can be made, and what is refused. */
#include "fault.h"
#include "graph_bed.h"

TEST(null_graphs_are_refused)
{
	union doca_data data = { 0 };
	struct doca_graph_instance *instance;
	struct doca_graph_node *node;
	struct doca_graph *graph;

	graph_set_up(true, 1);
	ERR(doca_graph_create(NULL, &graph), INVALID_VALUE);
	ERR(doca_graph_create(bed.pe, NULL), INVALID_VALUE);
	graph = new_graph(1);
	ERR(doca_graph_destroy(NULL), INVALID_VALUE);
	ERR(doca_graph_set_conf(NULL, graph_done, graph_done, 1),
	    INVALID_VALUE);
	ERR(doca_graph_set_conf(graph, NULL, graph_done, 1), INVALID_VALUE);
	ERR(doca_graph_set_conf(graph, graph_done, NULL, 1), INVALID_VALUE);
	ERR(doca_graph_set_conf(graph, graph_done, graph_done, 0),
	    INVALID_VALUE);
	ERR(doca_graph_set_user_data(NULL, data), INVALID_VALUE);
	ERR(doca_graph_get_user_data(NULL, &data), INVALID_VALUE);
	ERR(doca_graph_get_user_data(graph, NULL), INVALID_VALUE);
	ERR(doca_graph_node_create_from_ctx(NULL, bed.ctx, &node),
	    INVALID_VALUE);
	ERR(doca_graph_node_create_from_ctx(graph, NULL, &node), INVALID_VALUE);
	ERR(doca_graph_node_create_from_ctx(graph, bed.ctx, NULL),
	    INVALID_VALUE);
	ERR(doca_graph_node_create_from_user(NULL, user_node, &node),
	    INVALID_VALUE);
	ERR(doca_graph_node_create_from_user(graph, NULL, &node),
	    INVALID_VALUE);
	ERR(doca_graph_node_create_from_user(graph, user_node, NULL),
	    INVALID_VALUE);
	ERR(doca_graph_node_create_from_graph(NULL, graph, &node),
	    INVALID_VALUE);
	ERR(doca_graph_node_create_from_graph(graph, NULL, &node),
	    INVALID_VALUE);
	ERR(doca_graph_node_create_from_graph(graph, graph, NULL),
	    INVALID_VALUE);
	node = ctx_node(graph);
	ERR(doca_graph_add_dependency(NULL, node, node), INVALID_VALUE);
	ERR(doca_graph_add_dependency(graph, NULL, node), INVALID_VALUE);
	ERR(doca_graph_add_dependency(graph, node, NULL), INVALID_VALUE);
	ERR(doca_graph_start(NULL), INVALID_VALUE);
	ERR(doca_graph_stop(NULL), INVALID_VALUE);
	ERR(doca_graph_instance_create(NULL, &instance), INVALID_VALUE);
	ERR(doca_graph_instance_create(graph, NULL), INVALID_VALUE);
	graph_end(graph);
	graph_tear_down();
}

TEST(null_instances_are_refused)
{
	struct doca_graph_node *node, *user, *within;
	struct doca_graph *graph, *sub;
	struct doca_graph_instance *instance;
	union doca_data data = { 0 };
	struct doca_task *task;

	graph_set_up(true, 1);
	sub = new_graph(1);
	ctx_node(sub);
	OK(doca_graph_start(sub));
	graph = new_graph(1);
	node = ctx_node(graph);
	user = func_node(graph);
	within = sub_node(graph, sub);
	OK(doca_graph_start(graph));
	instance = new_instance(graph);
	task = new_copy(0, 8);
	ERR(doca_graph_instance_destroy(NULL), INVALID_VALUE);
	ERR(doca_graph_instance_set_user_data(NULL, data), INVALID_VALUE);
	ERR(doca_graph_instance_get_user_data(NULL, &data), INVALID_VALUE);
	ERR(doca_graph_instance_get_user_data(instance, NULL), INVALID_VALUE);
	ERR(doca_graph_instance_set_ctx_node_data(NULL, node, task),
	    INVALID_VALUE);
	ERR(doca_graph_instance_set_ctx_node_data(instance, NULL, task),
	    INVALID_VALUE);
	ERR(doca_graph_instance_set_ctx_node_data(instance, node, NULL),
	    INVALID_VALUE);
	ERR(doca_graph_instance_set_user_node_data(NULL, user, NULL),
	    INVALID_VALUE);
	ERR(doca_graph_instance_set_user_node_data(instance, NULL, NULL),
	    INVALID_VALUE);
	ERR(doca_graph_instance_set_sub_graph_node_data(NULL, within, instance),
	    INVALID_VALUE);
	ERR(doca_graph_instance_set_sub_graph_node_data(instance, NULL,
							instance),
	    INVALID_VALUE);
	ERR(doca_graph_instance_set_sub_graph_node_data(instance, within, NULL),
	    INVALID_VALUE);
	ERR(doca_graph_instance_submit(NULL), INVALID_VALUE);
	OK(doca_graph_instance_destroy(instance));
	graph_end(graph);
	graph_end(sub);
	graph_tear_down();
}

TEST(values_of_the_programs_own)
{
	union doca_data data = { .u64 = 1 };
	struct doca_graph_instance *instance;
	struct doca_graph *graph;

	graph_set_up(true, 1);
	graph = new_graph(1);
	OK(doca_graph_get_user_data(graph, &data));
	EXPECT_EQ(data.u64, 0);
	data.u64 = 5;
	OK(doca_graph_set_user_data(graph, data));
	data.u64 = 0;
	OK(doca_graph_get_user_data(graph, &data));
	EXPECT_EQ(data.u64, 5);
	ctx_node(graph);
	OK(doca_graph_start(graph));
	instance = new_instance(graph);
	OK(doca_graph_instance_get_user_data(instance, &data));
	EXPECT_EQ(data.u64, 0);
	data.u64 = 6;
	OK(doca_graph_instance_set_user_data(instance, data));
	data.u64 = 0;
	OK(doca_graph_instance_get_user_data(instance, &data));
	EXPECT_EQ(data.u64, 6);
	OK(doca_graph_instance_destroy(instance));
	graph_end(graph);
	graph_tear_down();
}

TEST(an_engine_with_graphs_is_not_destroyed)
{
	struct doca_graph *graph;
	struct doca_pe *pe;

	graph_set_up(true, 1);
	OK(doca_pe_create(&pe));
	OK(doca_graph_create(pe, &graph));
	ERR(doca_pe_destroy(pe), IN_USE);
	EXPECT_LOGGED("graphs");
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
		doca_error_t error = i ? DOCA_ERROR_IN_USE :
					 DOCA_ERROR_BAD_STATE;

		EXPECT_EQ(doca_graph_set_conf(graph, graph_done, graph_done, 9),
			  error);
		EXPECT_LOGGED("configure");
		EXPECT_EQ(doca_graph_node_create_from_ctx(graph, bed.ctx,
							  &more),
			  error);
		EXPECT_LOGGED("add a node");
		EXPECT_EQ(doca_graph_node_create_from_user(graph, user_node,
							   &more),
			  error);
		EXPECT_LOGGED("add a node");
		EXPECT_EQ(doca_graph_node_create_from_graph(graph, other,
							    &more),
			  error);
		EXPECT_LOGGED("add a node");
		EXPECT_EQ(doca_graph_add_dependency(graph, node, user), error);
		EXPECT_LOGGED("add a dependency");
		ERR(doca_graph_destroy(graph), IN_USE);
		EXPECT_LOGGED(i ? "instances" : "started");
		if (!i) {
			instance = new_instance(graph);
			OK(doca_graph_stop(graph));
		}
	}
	/* It can be started again, with the instance that it has. */
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
	ERR(doca_graph_add_dependency(graph, a, c), INVALID_VALUE);
	EXPECT_LOGGED("not of graph");
	ERR(doca_graph_add_dependency(graph, c, a), INVALID_VALUE);
	EXPECT_LOGGED("not of graph");
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
		/* A chain, and a way back from somewhere in it */
		for (int i = 0; i + 1 < 5; i++)
			depend(graph, node[i], node[i + 1]);
		depend(graph, node[4], node[5 - length]);
		ERR(doca_graph_start(graph), INVALID_VALUE);
		EXPECT_LOGGED("cycle");
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
	ERR(doca_graph_start(graph), INVALID_VALUE);
	EXPECT_LOGGED("not configured");
	OK(doca_graph_set_conf(graph, graph_done, graph_failed, 1));
	ERR(doca_graph_start(graph), INVALID_VALUE);
	EXPECT_LOGGED("no node of a context");
	func_node(graph);
	ERR(doca_graph_start(graph), INVALID_VALUE);
	EXPECT_LOGGED("no node of a context");
	sub = new_graph(1);
	sub_node(graph, sub);
	ERR(doca_graph_start(graph), BAD_STATE);
	EXPECT_LOGGED("is not started");
	ctx_node(sub);
	OK(doca_graph_start(sub));
	OK(doca_graph_start(graph));
	ERR(doca_graph_start(graph), BAD_STATE);
	EXPECT_LOGGED("it is started");
	graph_end(graph);
	graph_end(sub);

	OK(doca_pe_create(&pe));
	OK(doca_graph_create(pe, &graph));
	OK(doca_graph_set_conf(graph, graph_done, graph_failed, 1));
	ctx_node(graph);
	ERR(doca_graph_start(graph), NOT_CONNECTED);
	EXPECT_LOGGED("not connected");
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

/* Of a graph with nodes of two kinds; what was made before stays as it was. */
static doca_error_t make_graph(struct doca_graph **graph)
{
	struct doca_graph_node *node, *user;
	doca_error_t ret;

	ret = doca_graph_create(bed.pe, graph);
	if (ret != DOCA_SUCCESS)
		return ret;
	OK(doca_graph_set_conf(*graph, graph_done, graph_failed, 3));
	if ((ret = doca_graph_node_create_from_ctx(*graph, bed.ctx, &node)) ||
	    (ret = doca_graph_node_create_from_user(*graph, user_node,
						    &user)) ||
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
			OK(ret);
		else if (!FAULT_MAY_PASS(FAULT_ALLOC))
			ERR(ret, NO_MEMORY);
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
	ERR(doca_graph_node_create_from_graph(graph, graph, &node),
	    INVALID_VALUE);
	EXPECT_LOGGED("the same");
	ERR(doca_graph_node_create_from_graph(graph, foreign, &node),
	    INVALID_VALUE);
	EXPECT_LOGGED("different engines");
	EXPECT_FAULTS(FAULT_ALLOC,
		      doca_graph_node_create_from_graph(graph, sub, &node),
		      NO_MEMORY, );
	logged();
	ERR(doca_graph_destroy(sub), IN_USE);
	EXPECT_LOGGED("another graph");
	OK(doca_graph_start(sub));
	OK(doca_graph_start(graph));
	ERR(doca_graph_stop(sub), IN_USE);
	EXPECT_LOGGED("has it as a node");
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
	ERR(doca_graph_instance_create(graph, &more), BAD_STATE);
	EXPECT_LOGGED("not started");
	OK(doca_graph_start(graph));
	for (int i = 0; i < 3; i++)
		instance[i] = new_instance(graph);
	ERR(doca_graph_instance_create(graph, &more), NO_MEMORY);
	OK(doca_graph_instance_destroy(instance[1]));
	logged();
	ERR(doca_graph_instance_destroy(instance[1]), INVALID_VALUE);
	EXPECT_LOGGED("destroyed twice");
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

	ERR(doca_graph_instance_set_ctx_node_data(instance, foreign, task),
	    INVALID_VALUE);
	EXPECT_LOGGED("another graph");
	ERR(doca_graph_instance_set_ctx_node_data(instance, user, task),
	    INVALID_VALUE);
	EXPECT_LOGGED("another kind");
	ERR(doca_graph_instance_set_user_node_data(instance, node, NULL),
	    INVALID_VALUE);
	ERR(doca_graph_instance_set_user_node_data(part, user, NULL),
	    INVALID_VALUE);
	ERR(doca_graph_instance_set_sub_graph_node_data(instance, user, part),
	    INVALID_VALUE);
	ERR(doca_graph_instance_set_sub_graph_node_data(part, within, part),
	    INVALID_VALUE);
	logged();
	ERR(doca_graph_instance_set_sub_graph_node_data(instance, within,
							instance),
	    INVALID_VALUE);
	EXPECT_LOGGED("is not of the graph of node 2");

	/* A task of another context */
	first = bed.dma;
	dma = bed.dma = new_dma(1);
	OK(doca_pe_connect_ctx(bed.pe, doca_dma_as_ctx(dma)));
	OK(doca_ctx_start(doca_dma_as_ctx(dma)));
	other = new_copy(0, 8);
	bed.dma = first;
	ERR(doca_graph_instance_set_ctx_node_data(instance, node, other),
	    INVALID_VALUE);
	EXPECT_LOGGED("not of the context of node 0");

	/* The part of another is not destroyed before it. */
	set_sub(instance, within, part);
	ERR(doca_graph_instance_destroy(part), IN_USE);
	EXPECT_LOGGED("another instance");
	more = new_instance(sub);
	set_sub(instance, within, more);
	OK(doca_graph_instance_destroy(part));
	ERR(doca_graph_instance_set_sub_graph_node_data(instance, within, part),
	    INVALID_VALUE);
	OK(doca_graph_instance_destroy(instance));
	OK(doca_graph_instance_destroy(more));
	graph_end(graph);
	graph_end(sub);
	free_copies();
	OK(doca_ctx_stop(doca_dma_as_ctx(dma)));
	OK(doca_dma_destroy(dma));
	graph_tear_down();
}
