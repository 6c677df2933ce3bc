// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Instances in flight own their tasks: these cannot be submitted otherwise. */
#include "core/exec/ctx.h"
#include "graph.h"

/* Hold what a node runs. Return NULL, or why it is impossible. */
static const char *run_hold(struct node_run *run)
{
	switch (run->node->kind) {
	case NODE_CTX:
		if (!run->task)
			return "a node has no task";
		if (run->task->state != TASK_OWNED)
			return "a task is in flight, was freed, or is part of "
			       "an instance that is in flight";
		if (!tasks_accepted(run->task->ctx))
			return "the context of a task is not running";
		task_hold(run->task, &run->sink);
		return NULL;
	case NODE_GRAPH:
		if (!run->sub)
			return "a node has no instance of its graph";
		if (run->sub->state != INSTANCE_OWNED)
			return "the instance of a node is in flight";
		return graph_instance_hold(run->sub);
	default:
		return NULL;
	}
}

static void run_unhold(struct node_run *run)
{
	if (run->node->kind == NODE_CTX)
		task_unhold(run->task);
	else if (run->node->kind == NODE_GRAPH)
		graph_instance_unhold(run->sub);
}

/* The recursion ends where graphs are not nested further: a graph cannot be its own node. */
const char *graph_instance_hold(struct doca_graph_instance *instance)
{
	const char *why;
	uint32_t i;

	instance->state = INSTANCE_HELD;
	for (i = 0; i < instance->graph->nr_nodes; i++) {
		why = run_hold(&instance->nodes[i]);
		if (why)
			goto err_nodes;
	}
	return NULL;

err_nodes:
	while (i--)
		run_unhold(&instance->nodes[i]);
	instance->state = INSTANCE_OWNED;
	return why;
}

void graph_instance_unhold(struct doca_graph_instance *instance)
{
	uint32_t i;

	for (i = 0; i < instance->graph->nr_nodes; i++)
		run_unhold(&instance->nodes[i]);
	instance->state = INSTANCE_OWNED;
}
