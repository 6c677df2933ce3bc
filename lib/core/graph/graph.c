// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Graphs: nodes and dependencies, and the check whether they can be run. */
#include <stdlib.h>

#include <doca_error.h>

#include "core/base/log.h"
#include "core/exec/ctx.h"
#include "core/objects.h"
#include "graph.h"

LOG_SOURCE("COMMON::GRAPH");

doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph)
{
	struct doca_graph *new;

	if (!valid(pe) || !given(graph))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(pe, return DOCA_ERROR_IN_USE);
	new = calloc(1, sizeof(*new));
	if (!new)
		return OUT_OF_MEMORY("a graph");
	new->pe = pe;
	list_init(&new->nodes);
	pe->nr_graphs++;
	doca_priv_debug_add(new, &doca_priv_graph_object, sizeof(*new), 1);
	*graph = new;
	return DOCA_SUCCESS;
}

static const char *graph_used_by(const struct doca_graph *graph)
{
	if (graph->started)
		return "it is started; stop it";
	if (graph->nr_instances)
		return "there are instances of it; destroy them first";
	if (graph->nr_nodes_of)
		return "a node of another graph runs it; destroy that first";
	return NULL;
}

static void node_destroy(struct doca_graph_node *node)
{
	if (node->kind == NODE_GRAPH)
		node->sub->nr_nodes_of--;
	list_del(&node->link);
	free(node->children);
	doca_priv_debug_free(node);
}

doca_error_t doca_graph_destroy(struct doca_graph *graph)
{
	struct list *link, *next;
	const char *why;

	if (!valid(graph))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(graph->pe, return DOCA_ERROR_IN_USE);
	why = graph_used_by(graph);
	if (why) {
		LOG_ERR("cannot destroy graph %p: %s", (void *)graph, why);
		return DOCA_ERROR_IN_USE;
	}
	list_for_each_safe(link, next, &graph->nodes)
		node_destroy(list_entry(link, struct doca_graph_node, link));
	graph_destroy_pool(graph);
	graph->pe->nr_graphs--;
	LOG_DBG("graph %p is destroyed", (void *)graph);
	doca_priv_debug_free(graph);
	return DOCA_SUCCESS;
}

doca_error_t graph_may_change(struct doca_graph *graph, const char *what)
{
	if (graph->started) {
		LOG_ERR("cannot %s graph %p: it is started", what,
			(void *)graph);
		return DOCA_ERROR_BAD_STATE;
	}
	if (graph->nr_instances) {
		LOG_ERR("cannot %s graph %p: there are instances of it", what,
			(void *)graph);
		return DOCA_ERROR_IN_USE;
	}
	/* Instances that are gone now may have kept it alive. */
	graph_destroy_pool(graph);
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_set_conf(struct doca_graph *graph,
				 doca_graph_completion_cb_t graph_completion_cb,
				 doca_graph_completion_cb_t graph_error_cb,
				 uint32_t num_instances)
{
	doca_error_t ret;

	if (!valid(graph) || !given(graph_completion_cb) ||
	    !given(graph_error_cb) || !given(num_instances))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(graph->pe, return DOCA_ERROR_IN_USE);
	ret = graph_may_change(graph, "configure");
	if (ret != DOCA_SUCCESS)
		return ret;
	graph->done = graph_completion_cb;
	graph->failed = graph_error_cb;
	graph->num_instances = num_instances;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_set_user_data(struct doca_graph *graph,
				      union doca_data user_data)
{
	if (!valid(graph))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(graph->pe, return DOCA_ERROR_IN_USE);
	graph->user_data = user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_get_user_data(const struct doca_graph *graph,
				      union doca_data *user_data)
{
	if (!valid(graph) || !given(user_data))
		return DOCA_ERROR_INVALID_VALUE;
	*user_data = graph->user_data;
	return DOCA_SUCCESS;
}

static doca_error_t node_create(struct doca_graph *graph, enum node_kind kind,
				struct doca_graph_node **node)
{
	struct doca_graph_node *new;
	doca_error_t ret;

	ret = graph_may_change(graph, "add a node to");
	if (ret != DOCA_SUCCESS)
		return ret;
	new = calloc(1, sizeof(*new));
	if (!new)
		return OUT_OF_MEMORY("a node of a graph");
	new->graph = graph;
	new->kind = kind;
	new->index = graph->nr_nodes++;
	list_add_tail(&graph->nodes, &new->link);
	doca_priv_debug_add(new, &doca_priv_graph_node_object, sizeof(*new), 1);
	*node = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph,
					     const struct doca_ctx *ctx,
					     struct doca_graph_node **node)
{
	doca_error_t ret;

	if (!valid(graph) || !valid(ctx) || !given(node))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(graph->pe, return DOCA_ERROR_IN_USE);
	ret = node_create(graph, NODE_CTX, node);
	if (ret == DOCA_SUCCESS)
		(*node)->ctx = ctx;
	return ret;
}

doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph,
					      doca_graph_user_node_cb_t cb,
					      struct doca_graph_node **node)
{
	doca_error_t ret;

	if (!valid(graph) || !given(cb) || !given(node))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(graph->pe, return DOCA_ERROR_IN_USE);
	ret = node_create(graph, NODE_USER, node);
	if (ret == DOCA_SUCCESS)
		(*node)->cb = cb;
	return ret;
}

doca_error_t doca_graph_node_create_from_graph(struct doca_graph *graph,
					       struct doca_graph *sub_graph,
					       struct doca_graph_node **node)
{
	doca_error_t ret;

	if (!valid(graph) || !valid(sub_graph) || !given(node))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(graph->pe, return DOCA_ERROR_IN_USE);
	if (sub_graph == graph || sub_graph->pe != graph->pe) {
		LOG_ERR("graph %p cannot be a node of graph %p: %s",
			(void *)sub_graph, (void *)graph,
			sub_graph == graph ? "they are the same" :
					     "they have different engines");
		return DOCA_ERROR_INVALID_VALUE;
	}
	ret = node_create(graph, NODE_GRAPH, node);
	if (ret == DOCA_SUCCESS) {
		(*node)->sub = sub_graph;
		sub_graph->nr_nodes_of++;
	}
	return ret;
}

static bool node_has_child(const struct doca_graph_node *node,
			   const struct doca_graph_node *child)
{
	uint32_t i;

	for (i = 0; i < node->nr_children; i++)
		if (node->children[i] == child)
			return true;
	return false;
}

doca_error_t doca_graph_add_dependency(struct doca_graph *graph,
				       struct doca_graph_node *from,
				       struct doca_graph_node *to)
{
	struct doca_graph_node **children;
	doca_error_t ret;

	if (!valid(graph) || !valid(from) || !valid(to))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(graph->pe, return DOCA_ERROR_IN_USE);
	if (from->graph != graph || to->graph != graph) {
		LOG_ERR("node %p is not of graph %p",
			(void *)(from->graph != graph ? from : to),
			(void *)graph);
		return DOCA_ERROR_INVALID_VALUE;
	}
	ret = graph_may_change(graph, "add a dependency to");
	if (ret != DOCA_SUCCESS)
		return ret;
	if (node_has_child(from, to))
		return FAIL(ALREADY_EXIST,
			    "node %u of graph %p depends on node %u already",
			    to->index, (void *)graph, from->index);
	children =
		realloc(from->children, (from->nr_children + 1UL) * sizeof(to));
	if (!children)
		return OUT_OF_MEMORY("a dependency");
	from->children = children;
	children[from->nr_children++] = to;
	to->nr_parents++;
	return DOCA_SUCCESS;
}

/* Compare only: the context may be gone. */
static bool pe_has(const struct doca_pe *pe, const struct doca_ctx *ctx)
{
	struct list *pos;

	list_for_each(pos, &pe->ctxs)
		if (list_entry(pos, struct doca_ctx, link) == ctx)
			return true;
	return false;
}

static doca_error_t graph_check_nodes(const struct doca_graph *graph)
{
	bool has_ctx = false;
	struct list *pos;

	list_for_each(pos, &graph->nodes) {
		const struct doca_graph_node *node =
			list_entry(pos, struct doca_graph_node, link);

		if (node->kind == NODE_CTX && !pe_has(graph->pe, node->ctx)) {
			LOG_ERR("cannot start graph %p: the context of its "
				"node %u is not connected to the graph's "
				"progress engine",
				(const void *)graph, node->index);
			return DOCA_ERROR_NOT_CONNECTED;
		}
		if (node->kind == NODE_GRAPH && !node->sub->started) {
			LOG_ERR("cannot start graph %p: the graph of its node "
				"%u is not started",
				(const void *)graph, node->index);
			return DOCA_ERROR_BAD_STATE;
		}
		has_ctx |= node->kind != NODE_USER;
	}
	if (has_ctx)
		return DOCA_SUCCESS;
	LOG_ERR("cannot start graph %p: it has no node of a context",
		(const void *)graph);
	return DOCA_ERROR_INVALID_VALUE;
}

/*
 * Take away node after node that waits for none, as a run would do: nodes that
 * are left wait for each other.
 */
static bool graph_is_cyclic(const struct doca_graph *graph)
{
	uint32_t i, left = graph->nr_nodes;
	struct list *pos;
	bool found;

	list_for_each(pos, &graph->nodes) {
		struct doca_graph_node *node =
			list_entry(pos, struct doca_graph_node, link);

		node->waits = node->nr_parents;
	}
	do {
		found = false;
		list_for_each(pos, &graph->nodes) {
			struct doca_graph_node *node =
				list_entry(pos, struct doca_graph_node, link);

			if (node->waits)
				continue;
			node->waits = UINT32_MAX; /* taken */
			for (i = 0; i < node->nr_children; i++)
				node->children[i]->waits--;
			left--;
			found = true;
		}
	} while (found);
	return left;
}

/* Count starts of this graph in the graphs that its nodes run. */
static void graph_count_subs(struct doca_graph *graph, int change)
{
	struct list *pos;

	list_for_each(pos, &graph->nodes) {
		struct doca_graph_node *node =
			list_entry(pos, struct doca_graph_node, link);

		if (node->kind == NODE_GRAPH)
			node->sub->nr_started_of += change;
	}
}

doca_error_t doca_graph_start(struct doca_graph *graph)
{
	doca_error_t ret;

	if (!valid(graph))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(graph->pe, return DOCA_ERROR_IN_USE);
	if (graph->started) {
		LOG_ERR("cannot start graph %p: it is started", (void *)graph);
		return DOCA_ERROR_BAD_STATE;
	}
	if (!graph->num_instances) {
		LOG_ERR("cannot start graph %p: it is not configured; call "
			"doca_graph_set_conf()",
			(void *)graph);
		return DOCA_ERROR_INVALID_VALUE;
	}
	ret = graph_check_nodes(graph);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (graph_is_cyclic(graph)) {
		LOG_ERR("cannot start graph %p: its dependencies have a cycle",
			(void *)graph);
		return DOCA_ERROR_INVALID_VALUE;
	}
	ret = graph_create_pool(graph);
	if (ret != DOCA_SUCCESS)
		return ret;
	graph_count_subs(graph, 1);
	graph->started = true;
	LOG_DBG("graph %p is started: %u nodes, %u instances", (void *)graph,
		graph->nr_nodes, graph->num_instances);
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_stop(struct doca_graph *graph)
{
	if (!valid(graph))
		return DOCA_ERROR_INVALID_VALUE;
	EXCLUSIVE(graph->pe, return DOCA_ERROR_IN_USE);
	if (!graph->started)
		return DOCA_SUCCESS;
	if (graph->nr_inflight || graph->nr_started_of) {
		LOG_ERR("cannot stop graph %p: %s", (void *)graph,
			graph->nr_inflight ?
				"instances of it are in flight" :
				"a graph is started that has it as a node");
		return DOCA_ERROR_IN_USE;
	}
	graph_count_subs(graph, -1);
	graph->started = false;
	LOG_DBG("graph %p is stopped", (void *)graph);
	return DOCA_SUCCESS;
}
