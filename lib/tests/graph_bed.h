/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The bed, with graphs. */
#ifndef DOCA_TESTS_GRAPH_BED_H
#define DOCA_TESTS_GRAPH_BED_H

#include <doca_graph.h>

#include "bed.h"

/* Recorded letters: D for an instance that is done, F for one that has failed. */
static struct {
	struct doca_graph_instance *instance; /* the last one */
	union doca_data instance_data, graph_data;
	void (*on_end)(struct doca_graph_instance *instance);
	void (*on_user)(void);
} graphs;

static inline void graph_ended(char c, struct doca_graph_instance *instance,
			       union doca_data instance_data, union doca_data graph_data)
{
	record(c);
	graphs.instance = instance;
	graphs.instance_data = instance_data;
	graphs.graph_data = graph_data;
	if (graphs.on_end)
		graphs.on_end(instance);
}

static inline void graph_done(struct doca_graph_instance *instance, union doca_data instance_data,
			      union doca_data graph_data)
{
	graph_ended('D', instance, instance_data, graph_data);
}

static inline void graph_failed(struct doca_graph_instance *instance, union doca_data instance_data,
				union doca_data graph_data)
{
	graph_ended('F', instance, instance_data, graph_data);
}

/* Records the first letter of its cookie, or a question mark; x fails. */
static inline doca_error_t user_node(void *cookie)
{
	char c = cookie ? *(const char *)cookie : '?';

	record(c);
	if (graphs.on_user)
		graphs.on_user();
	return c == 'x' ? DOCA_ERROR_UNEXPECTED : DOCA_SUCCESS;
}

static inline struct doca_graph *new_graph(uint32_t instances)
{
	struct doca_graph *graph = NULL;

	OK(doca_graph_create(bed.pe, &graph));
	OK(doca_graph_set_conf(graph, graph_done, graph_failed, instances));
	return graph;
}

static inline struct doca_graph_node *ctx_node(struct doca_graph *graph)
{
	struct doca_graph_node *node = NULL;

	OK(doca_graph_node_create_from_ctx(graph, bed.ctx, &node));
	return node;
}

static inline struct doca_graph_node *func_node(struct doca_graph *graph)
{
	struct doca_graph_node *node = NULL;

	OK(doca_graph_node_create_from_user(graph, user_node, &node));
	return node;
}

static inline struct doca_graph_node *sub_node(struct doca_graph *graph, struct doca_graph *sub)
{
	struct doca_graph_node *node = NULL;

	OK(doca_graph_node_create_from_graph(graph, sub, &node));
	return node;
}

static inline void depend(struct doca_graph *graph, struct doca_graph_node *from,
			  struct doca_graph_node *to)
{
	OK(doca_graph_add_dependency(graph, from, to));
}

static inline struct doca_graph_instance *new_instance(struct doca_graph *graph)
{
	struct doca_graph_instance *instance = NULL;

	OK(doca_graph_instance_create(graph, &instance));
	return instance;
}

static inline void set_task(struct doca_graph_instance *instance, struct doca_graph_node *node,
			    struct doca_task *task)
{
	OK(doca_graph_instance_set_ctx_node_data(instance, node, task));
}

static inline void set_cookie(struct doca_graph_instance *instance, struct doca_graph_node *node,
			      const char *cookie)
{
	OK(doca_graph_instance_set_user_node_data(instance, node, (void *)cookie));
}

static inline void set_sub(struct doca_graph_instance *instance, struct doca_graph_node *node,
			   struct doca_graph_instance *sub)
{
	OK(doca_graph_instance_set_sub_graph_node_data(instance, node, sub));
}

static inline void graph_set_up(bool workers, uint32_t tasks)
{
	memset(&graphs, 0, sizeof(graphs));
	set_up_started(workers, tasks);
}

/* A graph of a function and then a copy, and an instance of it. */
static struct {
	struct doca_graph *graph;
	struct doca_graph_node *user, *copy;
	struct doca_graph_instance *instance;
} chain;

static inline void chain_set_up(bool workers, uint32_t tasks)
{
	graph_set_up(workers, tasks);
	chain.graph = new_graph(1);
	chain.user = func_node(chain.graph);
	chain.copy = ctx_node(chain.graph);
	depend(chain.graph, chain.user, chain.copy);
	OK(doca_graph_start(chain.graph));
	chain.instance = new_instance(chain.graph);
	set_task(chain.instance, chain.copy, new_copy(0, 8));
}

static inline void graph_end(struct doca_graph *graph)
{
	OK(doca_graph_stop(graph));
	OK(doca_graph_destroy(graph));
}

/* Free all tasks that new_copy() gave, with their buffers. */
static inline void free_copies(void)
{
	while (bed.nr_all)
		free_task_and_bufs(bed.all[--bed.nr_all]);
}

static inline void graph_tear_down(void)
{
	free_copies();
	EXPECT_EQ(free_bufs(), 2 * MAX_TASKS);
	if (bed.ctx && state() != DOCA_CTX_STATE_IDLE && doca_ctx_stop(bed.ctx) != DOCA_SUCCESS)
		drain(bed.pe);
	tear_down();
}

static inline void chain_tear_down(void)
{
	OK(doca_graph_instance_destroy(chain.instance));
	graph_end(chain.graph);
	graph_tear_down();
}

#endif /* DOCA_TESTS_GRAPH_BED_H */
