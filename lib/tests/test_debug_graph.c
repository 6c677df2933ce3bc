// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Graphs in debug mode: those that are gone, and other threads. */
#include <pthread.h>

#include "core/base/debug.h"
#include "core/graph/graph.h"
#include "debug_mode.h"
#include "graph_bed.h"

#define STALE(func, args, words) \
	FINDS(func args, INVALID_VALUE, #func "(): " words)

TEST(a_destroyed_graph_and_its_instances)
{
	union doca_data data = { 0 };
	struct doca_graph_instance *instance, *other;
	struct doca_graph *graph, *kept;
	struct doca_graph_node *node;
	struct doca_task *task;

	graph_set_up(true, 1);
	task = new_copy(0, 8);
	kept = new_graph(1);
	graph = new_graph(1);
	node = ctx_node(graph);
	OK(doca_graph_start(graph));
	instance = new_instance(graph);
	OK(doca_graph_instance_destroy(instance));
	graph_end(graph);

	STALE(doca_graph_destroy, (graph), "graph");
	STALE(doca_graph_set_conf, (graph, graph_done, graph_done, 1), "graph");
	STALE(doca_graph_set_user_data, (graph, data), "graph");
	STALE(doca_graph_get_user_data, (graph, &data), "graph");
	STALE(doca_graph_node_create_from_ctx, (graph, bed.ctx, &node),
	      "graph");
	STALE(doca_graph_node_create_from_user, (graph, user_node, &node),
	      "graph");
	STALE(doca_graph_node_create_from_graph, (kept, graph, &node), "graph");
	STALE(doca_graph_add_dependency, (graph, node, node), "graph");
	STALE(doca_graph_start, (graph), "graph");
	STALE(doca_graph_stop, (graph), "graph");
	STALE(doca_graph_instance_create, (graph, &other), "graph");
	STALE(doca_graph_instance_destroy, (instance), "graph instance");
	STALE(doca_graph_instance_set_user_data, (instance, data),
	      "graph instance");
	STALE(doca_graph_instance_get_user_data, (instance, &data),
	      "graph instance");
	STALE(doca_graph_instance_set_ctx_node_data, (instance, node, task),
	      "graph instance");
	STALE(doca_graph_instance_set_user_node_data, (instance, node, NULL),
	      "graph instance");
	STALE(doca_graph_instance_set_sub_graph_node_data,
	      (instance, node, instance), "graph instance");
	STALE(doca_graph_instance_submit, (instance), "graph instance");
	OK(doca_graph_destroy(kept));
	graph_tear_down();
}

static void *submit_elsewhere(void *arg)
{
	struct doca_graph_instance *instance = arg;

	FINDS(doca_graph_instance_submit(instance), IN_USE,
	      "doca_graph_instance_submit()");
	FINDS(doca_graph_stop(instance->graph), IN_USE, "doca_graph_stop()");
	return NULL;
}

static void in_another_thread(void)
{
	pthread_t thread;

	EXPECT_EQ(pthread_create(&thread, NULL, submit_elsewhere,
				 graphs.instance),
		  0);
	pthread_join(thread, NULL);
}

TEST(an_engine_that_another_thread_is_in)
{
	chain_set_up(false, 1);
	graphs.instance = chain.instance;
	graphs.on_user = in_another_thread;
	OK(doca_graph_instance_submit(chain.instance));
	EXPECT_EQ(drain(bed.pe), 2);
	EXPECT_STR(took(), "?D");
	chain_tear_down();
}
