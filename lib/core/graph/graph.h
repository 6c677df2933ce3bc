/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Graphs: nodes with dependencies among them, of which instances are run.
 *
 * graph.c makes graphs and checks them, graph_instance.c makes instances and takes
 * what their nodes run, graph_run.c runs them.
 *
 * A graph's shape does not change while there are instances of it. These come from
 * a pool that is allocated when the graph starts, each with a struct node_run for
 * every node, so that nothing is allocated when one runs.
 *
 * While an instance is in flight, it holds the tasks and the instances of other
 * graphs that its nodes run: they cannot be submitted otherwise, and a task that is freed
 * stays until the instance ends. So no node finds that what it runs is gone, and no
 * context of a task becomes idle.
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
		const struct doca_ctx *ctx; /* compared only, it may be gone */
		doca_graph_user_node_cb_t cb;
		struct doca_graph *sub;
	};
	uint32_t index; /* in the graph */
	uint32_t nr_parents;
	uint32_t nr_children;
	struct doca_graph_node **children;
	uint32_t waits; /* parents that were not seen, by the check */
};

struct doca_graph {
	struct doca_pe *pe;
	struct list nodes;
	uint32_t nr_nodes;
	uint32_t num_instances; /* of the configuration; 0: there is none */
	uint32_t nr_instances; /* that exist */
	bool told_empty; /* the log has that no instance is left */
	uint32_t nr_inflight; /* of these, submitted on their own */
	uint32_t nr_nodes_of; /* nodes of other graphs that run this one */
	uint32_t nr_started_of; /* of these, in graphs that are started */
	bool started;
	doca_graph_completion_cb_t done;
	doca_graph_completion_cb_t failed;
	union doca_data user_data;
	char *pool; /* the instances' memory */
	struct doca_graph_instance *free;
};

/* A node in an instance. */
struct node_run {
	struct task_sink sink; /* of its task */
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
	INSTANCE_OWNED, /* by the program */
	INSTANCE_HELD, /* by an instance of another graph that is in flight */
	INSTANCE_RUNNING,
};

struct doca_graph_instance {
	struct doca_graph *graph;
	struct doca_graph_instance *next_free;
	union doca_data user_data;
	enum instance_state state;
	bool failed; /* a node has: no further one is begun */
	uint32_t nr_nodes_of; /* nodes of other instances that run this one */
	uint32_t running; /* nodes that have begun, or are ready to be called */
	struct node_run *parent; /* the node that runs this one, or NULL */
	struct pe_event event; /* a user node is to be called, or the program */
	struct node_run *ready, **ready_tail; /* user nodes to be called */
	struct node_run nodes[];
};

/* May the graph be changed? BAD_STATE if started, IN_USE if it has instances. */
doca_error_t graph_may_change(struct doca_graph *graph, const char *what);

/* The pool of instances: all memory that running them needs. */
doca_error_t graph_create_pool(struct doca_graph *graph);
void graph_destroy_pool(struct doca_graph *graph);

/* Begin with an instance that holds what it needs. */
void graph_instance_run(struct doca_graph_instance *instance,
			struct node_run *parent);

/*
 * Have what an instance needs, with those of its nodes, belong to it: NULL, or why it
 * cannot. And hand it back when the instance has ended.
 */
const char *graph_instance_hold(struct doca_graph_instance *instance);
void graph_instance_unhold(struct doca_graph_instance *instance);

void graph_deliver(struct pe_event *event);
bool graph_node_take(struct task_sink *sink, struct doca_task *task);

#endif /* DOCA_CORE_GRAPH_H */
