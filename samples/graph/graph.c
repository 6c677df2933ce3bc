// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A graph: describe once the work and its order; then instances of it run by themselves.
 *
 *  copy to the first place --+
 *                            +--> compare, a function of the program
 *  copy to the second place -+
 *
 * Both copies run at a time; the comparison runs when both are done, and the graph's
 * callback when all is. Ten instances are in flight at once, each with memory of its
 * own.
 *
 * Usage: graph [-p PCI-ADDRESS]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_graph.h>
#include <doca_pe.h>

#include "../common/area.h"
#include "../common/sample.h"

#define INSTANCES 10
#define SIZE 4096

/* The data of an instance: two pieces of the area. */
struct work {
	struct area *area;
	unsigned int piece;
	struct doca_dma_task_memcpy *copy[2];
	struct doca_graph_instance *instance;
	bool equal;
};

struct nodes {
	struct doca_graph_node *copy[2];
	struct doca_graph_node *compare;
};

/* A node that fails makes the instance fail. */
static doca_error_t compare(void *cookie)
{
	struct work *work = cookie;

	work->equal = area_is_copied(work->area, work->piece) &&
		      area_is_copied(work->area, work->piece + 1);
	return work->equal ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

/* Called on success and on failure. */
static void on_graph_end(struct doca_graph_instance *instance,
			 union doca_data instance_data,
			 union doca_data graph_data)
{
	unsigned int *ended = graph_data.ptr;

	(void)instance;
	(void)instance_data;
	++*ended;
}

/* The context's own callback, which is called only for tasks outside of graphs. */
static void on_task(struct doca_dma_task_memcpy *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
	give_up(DOCA_ERROR_UNEXPECTED, "a callback of a task in a graph");
}

static struct doca_graph *create_graph(struct doca_pe *pe, struct doca_ctx *ctx,
				       struct nodes *nodes, unsigned int *ended)
{
	union doca_data data = { .ptr = ended };
	struct doca_graph *graph;
	int i;

	check(doca_graph_create(pe, &graph), "the graph");
	check(doca_graph_node_create_from_user(graph, compare, &nodes->compare),
	      "a node");
	for (i = 0; i < 2; i++) {
		check(doca_graph_node_create_from_ctx(graph, ctx,
						      &nodes->copy[i]),
		      "a node");
		check(doca_graph_add_dependency(graph, nodes->copy[i],
						nodes->compare),
		      "a dependency");
	}
	check(doca_graph_set_conf(graph, on_graph_end, on_graph_end, INSTANCES),
	      "the graph");
	check(doca_graph_set_user_data(graph, data), "the graph's user data");
	check(doca_graph_start(graph), "start of the graph");
	return graph;
}

/* Fill in the nodes of this instance, and submit it. */
static void submit(struct work *work, struct doca_graph *graph,
		   const struct nodes *nodes, struct doca_dma *dma)
{
	union doca_data data = {};
	int i;

	check(doca_graph_instance_create(graph, &work->instance), "instance");
	for (i = 0; i < 2; i++) {
		work->copy[i] =
			area_new_task(work->area, dma, work->piece + i, data);
		check(doca_graph_instance_set_ctx_node_data(
			      work->instance, nodes->copy[i],
			      doca_dma_task_memcpy_as_task(work->copy[i])),
		      "the task of a node");
	}
	check(doca_graph_instance_set_user_node_data(work->instance,
						     nodes->compare, work),
	      "the cookie of a node");
	check(doca_graph_instance_submit(work->instance), "submission");
}

int main(int argc, char **argv)
{
	unsigned int ended = 0, equal = 0, i;
	struct work work[INSTANCES] = {};
	struct doca_graph *graph;
	struct doca_ctx *ctx;
	struct doca_dma *dma;
	struct doca_dev *dev;
	struct nodes nodes;
	struct doca_pe *pe;
	struct area area;

	sample_start("graph", argc, argv, NULL);
	dev = sample_open_device(doca_dma_cap_task_memcpy_is_supported);
	area_create(&area, 2 * INSTANCES, SIZE, &dev, 1);
	check(doca_pe_create(&pe), "the engine");
	check(doca_dma_create(dev, &dma), "the context");
	ctx = doca_dma_as_ctx(dma);
	check(doca_dma_task_memcpy_set_conf(dma, on_task, on_task,
					    2 * INSTANCES),
	      "the kind of task");
	check(doca_pe_connect_ctx(pe, ctx), "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the context");
	graph = create_graph(pe, ctx, &nodes, &ended);

	for (i = 0; i < INSTANCES; i++) {
		work[i].area = &area;
		work[i].piece = 2 * i;
		submit(&work[i], graph, &nodes, dma);
	}
	while (ended < INSTANCES)
		doca_pe_progress(pe);

	for (i = 0; i < INSTANCES; i++) {
		equal += work[i].equal;
		check(doca_graph_instance_destroy(work[i].instance),
		      "instance");
		area_free_task(work[i].copy[0]);
		area_free_task(work[i].copy[1]);
	}
	check(doca_graph_stop(graph), "stop of the graph");
	check(doca_graph_destroy(graph), "the graph");
	check(doca_ctx_stop(ctx), "stop of the context");
	check(doca_dma_destroy(dma), "the context");
	check(doca_pe_destroy(pe), "the engine");
	area_destroy(&area);
	check(doca_dev_close(dev), "the device");

	printf("%u of %u instances have compared their copies, which are right\n",
	       equal, INSTANCES);
	return equal == INSTANCES ? EXIT_SUCCESS : EXIT_FAILURE;
}
