// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A graph over contexts of two libraries: a text is hashed and copied at a time, and then a
 * function of the program compares.
 *
 *  SHA-256 of the text --+
 *                        +--> print the digest, and compare the copy with the text
 *  copy of the text -----+
 *
 * Both tasks have the same source, which neither changes.
 *
 * Usage: graph_sha_dma [-p PCI-ADDRESS] [-t TEXT]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_graph.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_sha.h>

#include "../common/sample.h"

#define DIGEST 32
#define TEXT_MAX 1024

static struct {
	char text[TEXT_MAX];
	char copy[TEXT_MAX];
	unsigned char digest[DIGEST];
} memory = { .text = "Hashed and copied, both at a time." };

struct job {
	struct doca_mmap *mmap;
	struct doca_buf_inventory *inventory;
	struct doca_pe *pe;
	struct doca_sha *sha;
	struct doca_dma *dma;
	struct doca_buf *text, *copy, *digest;
	struct doca_graph *graph;
	struct doca_graph_node *hash_node, *copy_node, *compare_node;
	bool is_equal;
	bool has_ended;
};

static doca_error_t set_text(void *value, void *config)
{
	(void)config;
	return snprintf(memory.text, TEXT_MAX, "%s", (char *)value) < TEXT_MAX ?
		       DOCA_SUCCESS :
		       DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t can_do_both(const struct doca_devinfo *devinfo)
{
	doca_error_t ret = doca_dma_cap_task_memcpy_is_supported(devinfo);

	return ret != DOCA_SUCCESS ?
		       ret :
		       doca_sha_cap_task_hash_get_supported(
			       devinfo, DOCA_SHA_ALGORITHM_SHA256);
}

/* A node that fails makes the instance fail. */
static doca_error_t compare(void *cookie)
{
	struct job *job = cookie;
	int i;

	for (i = 0; i < DIGEST; i++)
		printf("%02x", memory.digest[i]);
	printf("  %s\n", memory.copy);
	job->is_equal = !strcmp(memory.copy, memory.text);
	return job->is_equal ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

/* Called on success and on failure. */
static void on_graph_end(struct doca_graph_instance *instance,
			 union doca_data instance_data,
			 union doca_data graph_data)
{
	struct job *job = graph_data.ptr;

	(void)instance;
	(void)instance_data;
	job->has_ended = true;
}

/* Contexts want callbacks, but those of tasks in a graph are not called. */
static void on_hash(struct doca_sha_task_hash *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
}

static void on_copy(struct doca_dma_task_memcpy *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
}

static void start_memory(struct job *job, struct doca_dev *dev)
{
	size_t length = strlen(memory.text);

	check(doca_mmap_create(&job->mmap), "the memory map");
	check(doca_mmap_set_memrange(job->mmap, &memory, sizeof(memory)),
	      "the memory map");
	check(doca_mmap_set_permissions(job->mmap,
					DOCA_ACCESS_FLAG_LOCAL_READ_WRITE),
	      "the memory map");
	check(doca_mmap_add_dev(job->mmap, dev), "the memory map");
	check(doca_mmap_start(job->mmap), "start of the memory map");
	check(doca_buf_inventory_create(3, &job->inventory), "the inventory");
	check(doca_buf_inventory_start(job->inventory), "the inventory");
	check(doca_buf_inventory_buf_get_by_data(job->inventory, job->mmap,
						 memory.text, length,
						 &job->text),
	      "the text");
	check(doca_buf_inventory_buf_get_by_addr(job->inventory, job->mmap,
						 memory.copy, TEXT_MAX,
						 &job->copy),
	      "the copy");
	check(doca_buf_inventory_buf_get_by_addr(job->inventory, job->mmap,
						 memory.digest, DIGEST,
						 &job->digest),
	      "the digest");
}

/* Contexts of both libraries, on one engine. */
static void start_contexts(struct job *job, struct doca_dev *dev)
{
	check(doca_pe_create(&job->pe), "the engine");
	check(doca_sha_create(dev, &job->sha), "the SHA context");
	/* One task: the number is a binary logarithm. */
	check(doca_sha_task_hash_set_conf(job->sha, on_hash, on_hash, 0),
	      "the kind of task");
	check(doca_dma_create(dev, &job->dma), "the DMA context");
	check(doca_dma_task_memcpy_set_conf(job->dma, on_copy, on_copy, 1),
	      "the kind of task");
	check(doca_pe_connect_ctx(job->pe, doca_sha_as_ctx(job->sha)),
	      "the connection to the engine");
	check(doca_pe_connect_ctx(job->pe, doca_dma_as_ctx(job->dma)),
	      "the connection to the engine");
	check(doca_ctx_start(doca_sha_as_ctx(job->sha)),
	      "start of the context");
	check(doca_ctx_start(doca_dma_as_ctx(job->dma)),
	      "start of the context");
}

static void start_graph(struct job *job)
{
	union doca_data data = { .ptr = job };

	check(doca_graph_create(job->pe, &job->graph), "the graph");
	check(doca_graph_node_create_from_ctx(
		      job->graph, doca_sha_as_ctx(job->sha), &job->hash_node),
	      "a node");
	check(doca_graph_node_create_from_ctx(
		      job->graph, doca_dma_as_ctx(job->dma), &job->copy_node),
	      "a node");
	check(doca_graph_node_create_from_user(job->graph, compare,
					       &job->compare_node),
	      "a node");
	check(doca_graph_add_dependency(job->graph, job->hash_node,
					job->compare_node),
	      "a dependency");
	check(doca_graph_add_dependency(job->graph, job->copy_node,
					job->compare_node),
	      "a dependency");
	check(doca_graph_set_conf(job->graph, on_graph_end, on_graph_end, 1),
	      "the graph");
	check(doca_graph_set_user_data(job->graph, data),
	      "the graph's user data");
	check(doca_graph_start(job->graph), "start of the graph");
}

/* Run the graph once. */
static void run(struct job *job)
{
	struct doca_graph_instance *instance;
	struct doca_dma_task_memcpy *copy;
	struct doca_sha_task_hash *hash;
	union doca_data none = {};

	check(doca_sha_task_hash_alloc_init(job->sha, DOCA_SHA_ALGORITHM_SHA256,
					    job->text, job->digest, none,
					    &hash),
	      "the hash task");
	check(doca_dma_task_memcpy_alloc_init(job->dma, job->text, job->copy,
					      none, &copy),
	      "the copy task");
	check(doca_graph_instance_create(job->graph, &instance), "instance");
	check(doca_graph_instance_set_ctx_node_data(
		      instance, job->hash_node,
		      doca_sha_task_hash_as_task(hash)),
	      "the task of a node");
	check(doca_graph_instance_set_ctx_node_data(
		      instance, job->copy_node,
		      doca_dma_task_memcpy_as_task(copy)),
	      "the task of a node");
	check(doca_graph_instance_set_user_node_data(instance,
						     job->compare_node, job),
	      "the cookie of a node");
	check(doca_graph_instance_submit(instance), "submission");
	while (!job->has_ended)
		doca_pe_progress(job->pe);
	check(doca_graph_instance_destroy(instance), "instance");
	doca_task_free(doca_sha_task_hash_as_task(hash));
	doca_task_free(doca_dma_task_memcpy_as_task(copy));
}

static void stop(struct job *job)
{
	check(doca_graph_stop(job->graph), "stop of the graph");
	check(doca_graph_destroy(job->graph), "the graph");
	check(doca_ctx_stop(doca_sha_as_ctx(job->sha)), "stop of the context");
	check(doca_ctx_stop(doca_dma_as_ctx(job->dma)), "stop of the context");
	check(doca_sha_destroy(job->sha), "the SHA context");
	check(doca_dma_destroy(job->dma), "the DMA context");
	check(doca_pe_destroy(job->pe), "the engine");
	check(doca_buf_dec_refcount(job->text, NULL), "the text");
	check(doca_buf_dec_refcount(job->copy, NULL), "the copy");
	check(doca_buf_dec_refcount(job->digest, NULL), "the digest");
	check(doca_buf_inventory_destroy(job->inventory), "the inventory");
	check(doca_mmap_destroy(job->mmap), "the memory map");
}

int main(int argc, char **argv)
{
	struct sample_flag flags[] = { { "t", "text", "<text>",
					 "The text to hash and copy",
					 set_text },
				       {} };
	struct job job = { 0 };
	struct doca_dev *dev;

	sample_start("graph_sha_dma", argc, argv, flags);
	dev = sample_open_device(can_do_both);
	start_memory(&job, dev);
	start_contexts(&job, dev);
	start_graph(&job);
	run(&job);
	stop(&job);
	check(doca_dev_close(dev), "the device");
	if (!job.is_equal) {
		fprintf(stderr, "the copy is not the text\n");
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
