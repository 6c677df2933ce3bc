// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Instances of graphs, and what their nodes run. */
#include <stdlib.h>

#include <doca_error.h>

#include "core/base/log.h"
#include "core/exec/ctx.h"
#include "core/objects.h"
#include "graph.h"

LOG_SOURCE("COMMON::GRAPH");

static void instance_init(struct doca_graph_instance *instance,
			  struct doca_graph *graph)
{
	struct list *pos;

	instance->graph = graph;
	instance->event.deliver = graph_deliver;
	list_for_each(pos, &graph->nodes) {
		struct doca_graph_node *node =
			list_entry(pos, struct doca_graph_node, link);
		struct node_run *run = &instance->nodes[node->index];

		run->sink.take = graph_node_take;
		run->instance = instance;
		run->node = node;
	}
	instance->next_free = graph->free;
	graph->free = instance;
}

doca_error_t graph_create_pool(struct doca_graph *graph)
{
	struct doca_graph_instance *instance;
	size_t size = sizeof(*instance) +
		      graph->nr_nodes * sizeof(instance->nodes[0]);
	uint32_t i;

	/* Instances have outlived a stop, so the graph has not changed since. */
	if (graph->pool)
		return DOCA_SUCCESS;
	graph->pool = calloc(graph->num_instances, size);
	if (!graph->pool) {
		LOG_ERR("cannot start graph %p: out of memory for %u instances",
			(void *)graph, graph->num_instances);
		return DOCA_ERROR_NO_MEMORY;
	}
	graph->free = NULL;
	for (i = graph->num_instances; i--;)
		instance_init((void *)(graph->pool + i * size), graph);
	doca_priv_debug_add(graph->pool, &doca_priv_graph_instance_object, size,
			    graph->num_instances);
	return DOCA_SUCCESS;
}

void graph_destroy_pool(struct doca_graph *graph)
{
	doca_priv_debug_free(graph->pool);
	graph->pool = NULL;
	graph->free = NULL;
}

/* The graph is const because its shape stays; its instances are no part of that. */
doca_error_t doca_graph_instance_create(const struct doca_graph *const_graph,
					struct doca_graph_instance **instance)
{
	struct doca_graph *graph = (struct doca_graph *)const_graph;
	struct doca_graph_instance *new;

	if (!valid(graph) || !given(instance))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(graph->pe, return DOCA_ERROR_IN_USE);
	if (!graph->started) {
		LOG_ERR("cannot create an instance of graph %p: it is not "
			"started",
			(void *)graph);
		return DOCA_ERROR_BAD_STATE;
	}
	new = graph->free;
	if (!new)
		return FAIL_AGAIN(
			graph->told_empty, NO_MEMORY,
			"graph %p has no instance left: all %u exist; "
			"destroy some, or configure more",
			(void *)graph, graph->num_instances);
	graph->free = new->next_free;
	graph->nr_instances++;
	new->state = INSTANCE_OWNED;
	new->user_data.u64 = 0;
	*instance = new;
	return DOCA_SUCCESS;
}

/* Set the instance that a node runs, or NULL. */
static void run_set_sub(struct node_run *run, struct doca_graph_instance *sub)
{
	if (run->sub)
		run->sub->nr_nodes_of--;
	run->sub = sub;
	if (sub)
		sub->nr_nodes_of++;
}

static const char *instance_used_by(const struct doca_graph_instance *instance)
{
	if (instance->state != INSTANCE_OWNED)
		return "it is in flight, or part of one that is";
	if (instance->nr_nodes_of)
		return "a node of another instance runs it; destroy that first";
	return NULL;
}

doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *instance)
{
	struct doca_graph *graph;
	const char *why;
	uint32_t i;

	if (!valid(instance))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(instance->graph->pe, return DOCA_ERROR_IN_USE);
	if (instance->state == INSTANCE_FREE) {
		LOG_ERR("graph instance %p is destroyed twice",
			(void *)instance);
		return DOCA_ERROR_INVALID_VALUE;
	}
	why = instance_used_by(instance);
	if (why) {
		LOG_ERR("cannot destroy graph instance %p: %s",
			(void *)instance, why);
		return DOCA_ERROR_IN_USE;
	}
	graph = instance->graph;
	for (i = 0; i < graph->nr_nodes; i++) {
		struct node_run *run = &instance->nodes[i];

		if (run->node->kind == NODE_CTX)
			run->task = NULL;
		else if (run->node->kind == NODE_USER)
			run->cookie = NULL;
		else
			run_set_sub(run, NULL);
	}
	instance->state = INSTANCE_FREE;
	instance->next_free = graph->free;
	graph->free = instance;
	graph->nr_instances--;
	return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_set_user_data(struct doca_graph_instance *instance,
				  union doca_data user_data)
{
	if (!valid(instance))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(instance->graph->pe, return DOCA_ERROR_IN_USE);
	instance->user_data = user_data;
	return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_get_user_data(const struct doca_graph_instance *instance,
				  union doca_data *user_data)
{
	if (!valid(instance) || !given(user_data))
		return DOCA_ERROR_INVALID_VALUE;
	*user_data = instance->user_data;
	return DOCA_SUCCESS;
}

/* Find the instance's node, if what it runs may be set now. */
static doca_error_t find_run(struct doca_graph_instance *instance,
			     const struct doca_graph_node *node,
			     enum node_kind kind, struct node_run **run)
{
	if (node->graph != instance->graph || node->kind != kind) {
		LOG_ERR("cannot set the data of node %p in graph instance %p: "
			"the node is %s",
			(const void *)node, (void *)instance,
			node->graph != instance->graph ? "of another graph" :
							 "of another kind");
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (instance->state != INSTANCE_OWNED) {
		LOG_ERR("cannot set the data of node %u in graph instance %p: "
			"it is in flight",
			node->index, (void *)instance);
		return DOCA_ERROR_BAD_STATE;
	}
	*run = &instance->nodes[node->index];
	return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *instance,
				      struct doca_graph_node *node,
				      struct doca_task *task)
{
	struct node_run *run;
	doca_error_t ret;

	if (!valid(instance) || !valid(node) || !valid(task))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(instance->graph->pe, return DOCA_ERROR_IN_USE);
	ret = find_run(instance, node, NODE_CTX, &run);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (task->ctx != node->ctx) {
		LOG_ERR("task %p is not of the context of node %u in graph "
			"instance %p",
			(void *)task, node->index, (void *)instance);
		return DOCA_ERROR_INVALID_VALUE;
	}
	run->task = task;
	return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_set_user_node_data(struct doca_graph_instance *instance,
				       struct doca_graph_node *node,
				       void *cookie)
{
	struct node_run *run;
	doca_error_t ret;

	if (!valid(instance) || !valid(node))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(instance->graph->pe, return DOCA_ERROR_IN_USE);
	ret = find_run(instance, node, NODE_USER, &run);
	if (ret == DOCA_SUCCESS)
		run->cookie = cookie;
	return ret;
}

doca_error_t doca_graph_instance_set_sub_graph_node_data(
	struct doca_graph_instance *instance, struct doca_graph_node *node,
	struct doca_graph_instance *sub_graph_instance)
{
	struct node_run *run;
	doca_error_t ret;

	if (!valid(instance) || !valid(node) || !valid(sub_graph_instance))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(instance->graph->pe, return DOCA_ERROR_IN_USE);
	ret = find_run(instance, node, NODE_GRAPH, &run);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (sub_graph_instance->graph != node->sub ||
	    sub_graph_instance->state == INSTANCE_FREE) {
		LOG_ERR("instance %p is not of the graph of node %u in graph "
			"instance %p",
			(void *)sub_graph_instance, node->index,
			(void *)instance);
		return DOCA_ERROR_INVALID_VALUE;
	}
	run_set_sub(run, sub_graph_instance);
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_submit(struct doca_graph_instance *instance)
{
	const char *why = NULL;

	if (!valid(instance))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(instance->graph->pe, return DOCA_ERROR_IN_USE);
	if (instance->state == INSTANCE_FREE)
		why = "it was destroyed";
	else if (instance->state != INSTANCE_OWNED)
		why = "it is in flight";
	else if (!instance->graph->started)
		why = "its graph is not started";
	else
		why = graph_instance_hold(instance);
	if (why) {
		LOG_ERR("cannot submit graph instance %p: %s", (void *)instance,
			why);
		return DOCA_ERROR_BAD_STATE;
	}
	instance->graph->nr_inflight++;
	graph_instance_run(instance, NULL);
	return DOCA_SUCCESS;
}
