// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Runs of instances: nodes begin when their parents are done, and the program is
 * called when nothing runs any more.
 *
 * The count of running nodes keeps an instance from ending, so a function that begins
 * or gives up nodes adds one meanwhile. Only the engine's progress calls the program:
 * as the last thing or, for a user node, with the node counted as running.
 */
#include <doca_error.h>

#include "core/base/log.h"
#include "core/exec/ctx.h"
#include "graph.h"

LOG_SOURCE("COMMON::GRAPH");

static void node_done(struct node_run *run, doca_error_t status);

static bool is_ended(const struct doca_graph_instance *instance)
{
	return !instance->running;
}

/*
 * Drop a running node. At the end of the instance complete its parent's node,
 * or call the program.
 */
static void instance_leave(struct doca_graph_instance *instance)
{
	struct node_run *parent = instance->parent;

	if (--instance->running)
		return;
	if (!parent) {
		pe_post(instance->graph->pe, &instance->event);
		return;
	}
	instance->state = INSTANCE_HELD;
	node_done(parent,
		  instance->failed ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS);
}

static void make_ready(struct node_run *run)
{
	struct doca_graph_instance *instance = run->instance;

	if (!instance->ready)
		pe_post(instance->graph->pe, &instance->event);
	run->next_ready = NULL;
	*instance->ready_tail = run;
	instance->ready_tail = &run->next_ready;
}

static struct node_run *next_ready(struct doca_graph_instance *instance)
{
	struct node_run *run = instance->ready;

	instance->ready = run->next_ready;
	if (!instance->ready)
		instance->ready_tail = &instance->ready;
	return run;
}

static void node_begin(struct node_run *run)
{
	struct doca_ctx *ctx;

	run->instance->running++;
	switch (run->node->kind) {
	case NODE_CTX:
		ctx = run->task->ctx;
		if (!tasks_accepted(ctx)) {
			node_done(run, DOCA_ERROR_BAD_STATE);
			break;
		}
		task_queue(run->task, true);
		break;
	case NODE_USER:
		make_ready(run);
		break;
	case NODE_GRAPH:
		graph_instance_run(run->sub, run);
		break;
	}
}

/* Drop the user nodes that are ready; nested instances do the same. */
static void instance_give_up(struct doca_graph_instance *instance)
{
	uint32_t i;

	if (instance->failed)
		return;
	instance->failed = true;
	instance->running++;
	if (instance->ready)
		list_del(&instance->event.link);
	while (instance->ready) {
		next_ready(instance);
		instance->running--;
	}
	for (i = 0; i < instance->graph->nr_nodes; i++) {
		struct node_run *run = &instance->nodes[i];

		if (run->node->kind == NODE_GRAPH &&
		    run->sub->state == INSTANCE_RUNNING)
			instance_give_up(run->sub);
	}
	instance_leave(instance);
}

static void instance_fail(struct doca_graph_instance *instance,
			  const struct doca_graph_node *node,
			  doca_error_t status)
{
	if (!instance->failed)
		LOG_INFO("graph %p: node %u of instance %p failed: %s; the "
			 "instance ends",
			 (void *)instance->graph, node->index, (void *)instance,
			 doca_error_get_descr(status));
	instance_give_up(instance);
}

static void node_done(struct node_run *run, doca_error_t status)
{
	struct doca_graph_instance *instance = run->instance;
	const struct doca_graph_node *node = run->node;
	uint32_t i;

	if (doca_unlikely(status != DOCA_SUCCESS))
		instance_fail(instance, node, status);
	for (i = 0; i < node->nr_children && !instance->failed; i++) {
		struct node_run *child =
			&instance->nodes[node->children[i]->index];

		if (!--child->waits)
			node_begin(child);
	}
	instance_leave(instance);
}

bool graph_node_take(struct task_sink *sink, struct doca_task *task)
{
	node_done(list_entry(sink, struct node_run, sink), task->status);
	return false;
}

void graph_instance_run(struct doca_graph_instance *instance,
			struct node_run *parent)
{
	uint32_t i;

	instance->state = INSTANCE_RUNNING;
	instance->parent = parent;
	instance->failed = false;
	instance->ready = NULL;
	instance->ready_tail = &instance->ready;
	instance->running = 1;
	for (i = 0; i < instance->graph->nr_nodes; i++)
		instance->nodes[i].waits = instance->nodes[i].node->nr_parents;
	for (i = 0; i < instance->graph->nr_nodes && !instance->failed; i++)
		if (!instance->nodes[i].node->nr_parents)
			node_begin(&instance->nodes[i]);
	instance_leave(instance);
}

/* Before the callback the instance is the program's again. */
static void instance_call(struct doca_graph_instance *instance)
{
	struct doca_graph *graph = instance->graph;

	graph_instance_unhold(instance);
	graph->nr_inflight--;
	(instance->failed ? graph->failed : graph->done)(
		instance, instance->user_data, graph->user_data);
}

/* Make one callback, of a user node or of the instance. */
void graph_deliver(struct pe_event *event)
{
	struct doca_graph_instance *instance =
		list_entry(event, struct doca_graph_instance, event);
	struct node_run *run;

	if (is_ended(instance)) {
		instance_call(instance);
		return;
	}
	run = next_ready(instance);
	if (instance->ready)
		pe_post(instance->graph->pe, event);
	node_done(run, run->node->cb(run->cookie));
}
