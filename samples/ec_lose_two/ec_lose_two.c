// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Redundancy for blocks of data: two blocks are made of four, two blocks are lost, and come
 * back of those that are left.
 *
 * A matrix says what is made of what. One is of the code, and makes the redundancy; another
 * one is of the loss, and is made when it is known which blocks are missing.
 *
 * Usage: ec_lose_two [-p PCI-ADDRESS]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_erasure_coding.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "../common/sample.h"

#define DATA 4
#define REDUNDANCY 2
#define BLOCK 4096

static struct {
	/* Data, and the redundancy behind it. */
	unsigned char blocks[DATA + REDUNDANCY][BLOCK];
	unsigned char recovered[REDUNDANCY][BLOCK];
} memory;

struct job {
	struct doca_buf_inventory *inventory;
	struct doca_mmap *mmap;
	struct doca_pe *pe;
	struct doca_ec *ec;
	bool ended;
};

static void end_task(struct doca_task *task, struct job *job)
{
	check(doca_task_get_status(task), "the task");
	doca_task_free(task);
	job->ended = true;
}

/* Called on success and on failure. */
static void on_create(struct doca_ec_task_create *task,
		      union doca_data task_data, union doca_data ctx_data)
{
	(void)ctx_data;
	end_task(doca_ec_task_create_as_task(task), task_data.ptr);
}

static void on_recover(struct doca_ec_task_recover *task,
		       union doca_data task_data, union doca_data ctx_data)
{
	(void)ctx_data;
	end_task(doca_ec_task_recover_as_task(task), task_data.ptr);
}

static void run(struct job *job, struct doca_task *task)
{
	job->ended = false;
	check(doca_task_submit(task), "the task's submission");
	while (!job->ended)
		doca_pe_progress(job->pe);
}

static struct doca_buf *data_at(struct job *job, void *addr, size_t length)
{
	struct doca_buf *buf;

	check(doca_buf_inventory_buf_get_by_data(job->inventory, job->mmap,
						 addr, length, &buf),
	      "a buffer with data");
	return buf;
}

static struct doca_buf *room_at(struct job *job, void *addr, size_t length)
{
	struct doca_buf *buf;

	check(doca_buf_inventory_buf_get_by_addr(job->inventory, job->mmap,
						 addr, length, &buf),
	      "a buffer with room");
	return buf;
}

/* Release the buffers, and what is chained to them. */
static void put_both(struct doca_buf *src, struct doca_buf *dst)
{
	check(doca_buf_dec_refcount(src, NULL), "the source");
	check(doca_buf_dec_refcount(dst, NULL), "the destination");
}

static void create(struct job *job, const struct doca_ec_matrix *coding)
{
	struct doca_buf *src = data_at(job, memory.blocks, DATA * BLOCK);
	struct doca_buf *dst =
		room_at(job, memory.blocks[DATA], REDUNDANCY * BLOCK);
	union doca_data data = { .ptr = job };
	struct doca_ec_task_create *task;

	check(doca_ec_task_create_allocate_init(job->ec, coding, src, dst, data,
						&task),
	      "the task");
	run(job, doca_ec_task_create_as_task(task));
	put_both(src, dst);
}

/* Blocks that are left need not be together: the source is a list, in ascending order. */
static void recover(struct job *job, const struct doca_ec_matrix *coding,
		    uint32_t lost[REDUNDANCY])
{
	struct doca_buf *dst =
		room_at(job, memory.recovered, sizeof(memory.recovered));
	struct doca_buf *src = NULL, *next;
	union doca_data data = { .ptr = job };
	struct doca_ec_task_recover *task;
	struct doca_ec_matrix *matrix;
	uint32_t i;

	for (i = 0; i < DATA + REDUNDANCY; i++) {
		if (i == lost[0] || i == lost[1])
			continue;
		next = data_at(job, memory.blocks[i], BLOCK);
		if (src)
			check(doca_buf_chain_list(src, next), "the list");
		else
			src = next;
	}
	check(doca_ec_matrix_create_recover(job->ec, coding, lost, REDUNDANCY,
					    &matrix),
	      "the matrix of the loss");
	check(doca_ec_task_recover_allocate_init(job->ec, matrix, src, dst,
						 data, &task),
	      "the task");
	run(job, doca_ec_task_recover_as_task(task));
	check(doca_ec_matrix_destroy(matrix), "the matrix of the loss");
	put_both(src, dst);
}

/* Return whether the blocks are what they were. */
static bool lose_two(struct job *job)
{
	unsigned char before[REDUNDANCY][BLOCK];
	uint32_t lost[REDUNDANCY] = { 1, 3 };
	struct doca_ec_matrix *coding;
	uint32_t i;

	check(doca_ec_matrix_create(job->ec, DOCA_EC_MATRIX_TYPE_CAUCHY, DATA,
				    REDUNDANCY, &coding),
	      "the coding matrix");
	create(job, coding);
	for (i = 0; i < REDUNDANCY; i++) {
		memcpy(before[i], memory.blocks[lost[i]], BLOCK);
		memset(memory.blocks[lost[i]], 0, BLOCK);
	}
	recover(job, coding, lost);
	check(doca_ec_matrix_destroy(coding), "the coding matrix");
	return !memcmp(before, memory.recovered, sizeof(before));
}

static void start(struct job *job, struct doca_dev *dev)
{
	struct doca_ctx *ctx;

	check(doca_mmap_create(&job->mmap), "the memory map");
	check(doca_mmap_set_memrange(job->mmap, &memory, sizeof(memory)),
	      "the memory map");
	check(doca_mmap_set_permissions(job->mmap,
					DOCA_ACCESS_FLAG_LOCAL_READ_WRITE),
	      "the memory map");
	check(doca_mmap_add_dev(job->mmap, dev), "the memory map");
	check(doca_mmap_start(job->mmap), "start of the memory map");
	check(doca_buf_inventory_create(DATA + 1, &job->inventory),
	      "the inventory");
	check(doca_buf_inventory_start(job->inventory), "the inventory");
	check(doca_pe_create(&job->pe), "the engine");
	check(doca_ec_create(dev, &job->ec), "the context");
	ctx = doca_ec_as_ctx(job->ec);
	check(doca_ec_task_create_set_conf(job->ec, on_create, on_create, 1),
	      "the kind of task");
	check(doca_ec_task_recover_set_conf(job->ec, on_recover, on_recover, 1),
	      "the kind of task");
	check(doca_pe_connect_ctx(job->pe, ctx),
	      "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the context");
}

static void stop(struct job *job)
{
	check(doca_ctx_stop(doca_ec_as_ctx(job->ec)), "stop of the context");
	check(doca_ec_destroy(job->ec), "the context");
	check(doca_pe_destroy(job->pe), "the engine");
	check(doca_buf_inventory_destroy(job->inventory), "the inventory");
	check(doca_mmap_destroy(job->mmap), "the memory map");
}

int main(int argc, char **argv)
{
	struct sample_flag flags[] = { {} };
	struct job job = { 0 };
	struct doca_dev *dev;
	bool back;
	size_t i;

	sample_start("ec_lose_two", argc, argv, flags);
	dev = sample_open_device(doca_ec_cap_task_recover_is_supported);
	for (i = 0; i < DATA * BLOCK; i++)
		memory.blocks[i / BLOCK][i % BLOCK] = rand();
	start(&job, dev);
	back = lose_two(&job);
	stop(&job);
	check(doca_dev_close(dev), "the device");
	if (!back) {
		fprintf(stderr, "what came back is not what was lost\n");
		return EXIT_FAILURE;
	}
	printf("blocks 1 and 3 are back\n");
	return EXIT_SUCCESS;
}
