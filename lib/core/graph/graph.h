/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Graphs: nodes with dependencies. A program runs instances of a graph.
 *
 * graph.c makes and checks graphs, graph_instance.c makes instances and sets what their
 * nodes run, graph_run.c runs them.
 *
 * A graph's shape does not change while it has instances. They come from a pool that is
 * allocated when the graph starts, each with a struct node_run for every node, so that a
 * run allocates nothing.
 *
 * An instance in flight holds the tasks and the instances of other graphs that its nodes
 * run. They cannot be submitted otherwise, and a task that is freed stays until the
 * instance ends. So nothing that a node runs disappears, and no context of a task becomes
 * idle.
 */
#ifndef DOCA_CORE_GRAPH_H
#define DOCA_CORE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_graph.h>
#include <doca_types.h>

#include "core/base/list.h"
#include "core/exec/pe.h"
#include "core/exec/task.h"

enum node_kind {
	NODE_CTX,
	NODE_USER,
	NODE_GRAPH,
};

struct doca_graph_node {
	struct doca_graph *graph;
	struct list link; /* in the graph's nodes */
	enum node_kind kind;
	union {
		const struct doca_ctx *ctx; /* compared only: it may be gone */
		doca_graph_user_node_cb_t cb;
		struct doca_graph *sub;
	};
	uint32_t index; /* in the graph */
	uint32_t nr_parents;
	uint32_t nr_children;
	struct doca_graph_node **children;
	uint32_t waits; /* parents that graph_is_cyclic() has not seen */
};

struct doca_graph {
	struct doca_pe *pe;
	struct list nodes;
	uint32_t nr_nodes;
	uint32_t num_instances; /* configured number of instances; 0: none */
	uint32_t nr_instances; /* existing instances */
	bool told_empty; /* the log has said that no instance is left */
	uint32_t nr_inflight; /* instances in flight, submitted on their own */
	uint32_t nr_nodes_of; /* nodes of other graphs that run this graph */
	uint32_t nr_started_of; /* such nodes in started graphs */
	bool started;
	doca_graph_completion_cb_t done;
	doca_graph_completion_cb_t failed;
	union doca_data user_data;
	char *pool; /* memory of all instances */
	struct doca_graph_instance *free;
};

/* A node in an instance. */
struct node_run {
	struct task_sink sink; /* its task's sink */
	struct doca_graph_instance *instance;
	const struct doca_graph_node *node;
	union {
		struct doca_task *task; /* NULL: not set */
		void *cookie;
		struct doca_graph_instance *sub; /* NULL: not set */
	};
	uint32_t waits; /* parents that are not done */
	struct node_run *next_ready;
};

enum instance_state {
	INSTANCE_FREE,
	INSTANCE_OWNED, /* the program has it */
	INSTANCE_HELD, /* an instance in flight of another graph has it */
	INSTANCE_RUNNING,
};

struct doca_graph_instance {
	struct doca_graph *graph;
	struct doca_graph_instance *next_free;
	union doca_data user_data;
	enum instance_state state;
	bool failed; /* a node has failed: no further node begins */
	uint32_t nr_nodes_of; /* nodes of other instances that run this one */
	uint32_t running; /* nodes that have begun, or are ready to be called */
	struct node_run *parent; /* the node that runs this instance, or NULL */
	struct pe_event event; /* call a user node, or the program */
	struct node_run *ready, **ready_tail; /* user nodes to be called */
	struct node_run nodes[];
};

/*
 * Return SUCCESS if the graph may be changed, BAD_STATE if it is started, IN_USE
 * if it has instances.
 */
doca_error_t graph_may_change(struct doca_graph *graph, const char *what);

/* Allocate the pool of instances: all memory that their runs need. */
doca_error_t graph_create_pool(struct doca_graph *graph);
void graph_destroy_pool(struct doca_graph *graph);

/* Start an instance that holds all it needs. */
void graph_instance_run(struct doca_graph_instance *instance,
			struct node_run *parent);

/*
 * Hold everything that an instance needs, with instances of its nodes. Return NULL,
 * or why it is impossible. The instance lets go at its end.
 */
const char *graph_instance_hold(struct doca_graph_instance *instance);
void graph_instance_unhold(struct doca_graph_instance *instance);

void graph_deliver(struct pe_event *event);
bool graph_node_take(struct task_sink *sink, struct doca_task *task);

#endif /* DOCA_CORE_GRAPH_H */
