// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * instructions TASKS BATCH: copy 64 bytes so many times, submitted in batches, for
 * callgrind to count what is executed in doca_task_submit*() and doca_pe_progress().
 * The engine is not progressed before there is something, so that no waiting counts.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#define MAX_BATCH 64
#define SIZE 64

static char mem[2][MAX_BATCH][SIZE];
static struct doca_dma_task_memcpy *tasks[MAX_BATCH];
static struct doca_buf *dsts[MAX_BATCH];

static void check(doca_error_t error, const char *what)
{
	if (error == DOCA_SUCCESS)
		return;
	fprintf(stderr, "instructions: %s: %s\n", what,
		doca_error_get_descr(error));
	exit(EXIT_FAILURE);
}

#define OK(call) check(call, #call)

static void done(struct doca_dma_task_memcpy *task, union doca_data task_data,
		 union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
}

static void failed(struct doca_dma_task_memcpy *task, union doca_data task_data,
		   union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)),
	      "a task");
}

static struct doca_dev *open_dev(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev;
	uint32_t nr;

	OK(doca_devinfo_create_list(&list, &nr));
	OK(doca_dev_open(list[0], &dev));
	OK(doca_devinfo_destroy_list(list));
	return dev;
}

static void make_tasks(struct doca_dev *dev, struct doca_dma *dma)
{
	struct doca_buf_inventory *inventory;
	struct doca_mmap *mmap;
	struct doca_buf *src;
	int i;

	OK(doca_mmap_create(&mmap));
	OK(doca_mmap_set_memrange(mmap, mem, sizeof(mem)));
	OK(doca_mmap_add_dev(mmap, dev));
	OK(doca_mmap_start(mmap));
	OK(doca_buf_inventory_create(2 * MAX_BATCH, &inventory));
	OK(doca_buf_inventory_start(inventory));
	for (i = 0; i < MAX_BATCH; i++) {
		OK(doca_buf_inventory_buf_get_by_data(inventory, mmap,
						      mem[0][i], SIZE, &src));
		OK(doca_buf_inventory_buf_get_by_addr(
			inventory, mmap, mem[1][i], SIZE, &dsts[i]));
		OK(doca_dma_task_memcpy_alloc_init(
			dma, src, dsts[i], (union doca_data){ 0 }, &tasks[i]));
	}
}

/* The last one is copied, and its completion surely there. */
static void await(unsigned int batch, char token)
{
	int i;

	while (__atomic_load_n(&mem[1][batch - 1][SIZE - 1],
			       __ATOMIC_ACQUIRE) != token)
		sched_yield();
	for (i = 0; i < 2; i++)
		sched_yield();
}

static void run(struct doca_pe *pe, unsigned int batch, char token)
{
	unsigned int i;

	mem[0][batch - 1][SIZE - 1] = token;
	for (i = 0; i < batch; i++) {
		struct doca_task *task = doca_dma_task_memcpy_as_task(tasks[i]);

		OK(doca_buf_reset_data_len(dsts[i]));
		if (batch == 1)
			OK(doca_task_submit(task));
		else
			OK(doca_task_submit_ex(
				task, i == batch - 1 ?
					      DOCA_TASK_SUBMIT_FLAG_FLUSH :
					      DOCA_TASK_SUBMIT_FLAG_NONE));
	}
	await(batch, token);
	for (i = 0; i < batch; i++)
		if (!doca_pe_progress(pe))
			check(DOCA_ERROR_UNEXPECTED, "no completion");
}

int main(int argc, char **argv)
{
	unsigned int nr, batch, i;
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_dev *dev;

	if (argc != 3)
		return EXIT_FAILURE;
	nr = atoi(argv[1]);
	batch = atoi(argv[2]);
	/* A worker that sleeps would have to be woken by a call. */
	setenv("DOCA_IDLE_US", "never", 1);
	dev = open_dev();
	OK(doca_pe_create(&pe));
	OK(doca_dma_create(dev, &dma));
	OK(doca_dma_task_memcpy_set_conf(dma, done, failed, MAX_BATCH));
	OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
	OK(doca_ctx_start(doca_dma_as_ctx(dma)));
	make_tasks(dev, dma);
	for (i = 0; i < nr / batch; i++)
		run(pe, batch, i % 100 + 1);
	return EXIT_SUCCESS;
}
