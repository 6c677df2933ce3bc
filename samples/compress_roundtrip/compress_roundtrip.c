// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A text is compressed, and decompressed again. Both tasks sum up the bytes that are not
 * compressed: the checksums, too, have to be the same on both sides. Then the stream is cut off,
 * and the task that decompresses it fails, but the context goes on.
 *
 * A stream is what gzip has between its header and its trailer; doca_file writes whole files.
 *
 * Usage: compress_roundtrip [-p PCI-ADDRESS]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_compress.h>
#include <doca_ctx.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "../common/sample.h"

#define LENGTH 65536
/* Data that cannot be compressed grows: see doca_compress.h. */
#define STREAM_MAX (LENGTH + LENGTH / 1024 + 64)

static struct {
	char text[LENGTH];
	char stream[STREAM_MAX];
	char back[LENGTH];
} memory;

/* Checksums of the bytes that are not compressed. */
struct sums {
	uint32_t crc;
	uint32_t adler;
};

struct job {
	struct doca_pe *pe;
	struct doca_compress *compress;
	struct doca_buf *text, *stream, *back;
	struct sums sums; /* those of the last task */
	doca_error_t status;
	bool has_ended;
};

static doca_error_t can_do_both(const struct doca_devinfo *devinfo)
{
	doca_error_t ret =
		doca_compress_cap_task_compress_deflate_is_supported(devinfo);

	return ret != DOCA_SUCCESS ?
		       ret :
		       doca_compress_cap_task_decompress_deflate_is_supported(
			       devinfo);
}

static void end(struct job *job, struct doca_task *task)
{
	job->status = doca_task_get_status(task);
	doca_task_free(task);
	job->has_ended = true;
}

/* Called on success and on failure. */
static void on_compressed(struct doca_compress_task_compress_deflate *task,
			  union doca_data task_data, union doca_data ctx_data)
{
	struct job *job = task_data.ptr;

	(void)ctx_data;
	job->sums.crc = doca_compress_task_compress_deflate_get_crc_cs(task);
	job->sums.adler =
		doca_compress_task_compress_deflate_get_adler_cs(task);
	end(job, doca_compress_task_compress_deflate_as_task(task));
}

static void on_decompressed(struct doca_compress_task_decompress_deflate *task,
			    union doca_data task_data, union doca_data ctx_data)
{
	struct job *job = task_data.ptr;

	(void)ctx_data;
	job->sums.crc = doca_compress_task_decompress_deflate_get_crc_cs(task);
	job->sums.adler =
		doca_compress_task_decompress_deflate_get_adler_cs(task);
	end(job, doca_compress_task_decompress_deflate_as_task(task));
}

static doca_error_t run(struct job *job, struct doca_task *task)
{
	job->has_ended = false;
	check(doca_task_submit(task), "the task's submission");
	while (!job->has_ended)
		doca_pe_progress(job->pe);
	return job->status;
}

static doca_error_t deflate(struct job *job)
{
	struct doca_compress_task_compress_deflate *task;
	union doca_data data = { .ptr = job };

	check(doca_compress_task_compress_deflate_alloc_init(
		      job->compress, job->text, job->stream, data, &task),
	      "the task");
	return run(job, doca_compress_task_compress_deflate_as_task(task));
}

/* Output is appended, so the destination is emptied before. */
static doca_error_t inflate(struct job *job)
{
	struct doca_compress_task_decompress_deflate *task;
	union doca_data data = { .ptr = job };

	check(doca_buf_reset_data_len(job->back), "the destination");
	check(doca_compress_task_decompress_deflate_alloc_init(
		      job->compress, job->stream, job->back, data, &task),
	      "the task");
	return run(job, doca_compress_task_decompress_deflate_as_task(task));
}

static size_t length_of(const struct doca_buf *buf)
{
	size_t length;

	check(doca_buf_get_data_len(buf, &length), "a length");
	return length;
}

/* Return whether all is as it should be. */
static bool round_trip(struct job *job)
{
	struct sums sums;
	size_t length;

	check(deflate(job), "the compression");
	sums = job->sums;
	length = length_of(job->stream);
	printf("%d bytes are %zu, with the CRC-32 %08x and the Adler-32 %08x\n",
	       LENGTH, length, sums.crc, sums.adler);
	check(inflate(job), "the decompression");
	if (length_of(job->back) != LENGTH || sums.crc != job->sums.crc ||
	    sums.adler != job->sums.adler ||
	    memcmp(memory.text, memory.back, LENGTH) != 0)
		return false;
	printf("back: as it was\n");

	check(doca_buf_set_data(job->stream, memory.stream, length / 2),
	      "half of the stream");
	if (inflate(job) != DOCA_ERROR_IO_FAILED || length_of(job->back))
		return false;
	printf("cut off: refused\n");
	check(doca_buf_set_data(job->stream, memory.stream, length),
	      "the stream");
	return inflate(job) == DOCA_SUCCESS;
}

static struct doca_mmap *map_memory(struct doca_dev *dev)
{
	struct doca_mmap *mmap;

	check(doca_mmap_create(&mmap), "the memory map");
	check(doca_mmap_set_memrange(mmap, &memory, sizeof(memory)),
	      "the memory map");
	check(doca_mmap_set_permissions(mmap,
					DOCA_ACCESS_FLAG_LOCAL_READ_WRITE),
	      "the memory map");
	check(doca_mmap_add_dev(mmap, dev), "the memory map");
	check(doca_mmap_start(mmap), "start of the memory map");
	return mmap;
}

static struct doca_buf_inventory *get_buffers(struct job *job,
					      struct doca_mmap *mmap)
{
	struct doca_buf_inventory *inventory;

	check(doca_buf_inventory_create(3, &inventory), "the inventory");
	check(doca_buf_inventory_start(inventory), "the inventory");
	check(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory.text,
						 LENGTH, &job->text),
	      "the text");
	check(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory.stream,
						 STREAM_MAX, &job->stream),
	      "the stream");
	check(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory.back,
						 LENGTH, &job->back),
	      "the text that comes back");
	return inventory;
}

static void start(struct job *job, struct doca_dev *dev)
{
	struct doca_ctx *ctx;

	check(doca_pe_create(&job->pe), "the engine");
	check(doca_compress_create(dev, &job->compress), "the context");
	ctx = doca_compress_as_ctx(job->compress);
	check(doca_compress_task_compress_deflate_set_conf(
		      job->compress, on_compressed, on_compressed, 1),
	      "the kind of task");
	check(doca_compress_task_decompress_deflate_set_conf(
		      job->compress, on_decompressed, on_decompressed, 1),
	      "the kind of task");
	check(doca_pe_connect_ctx(job->pe, ctx),
	      "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the context");
}

static void stop(struct job *job)
{
	check(doca_ctx_stop(doca_compress_as_ctx(job->compress)),
	      "stop of the context");
	check(doca_compress_destroy(job->compress), "the context");
	check(doca_pe_destroy(job->pe), "the engine");
	check(doca_buf_dec_refcount(job->text, NULL), "the text");
	check(doca_buf_dec_refcount(job->stream, NULL), "the stream");
	check(doca_buf_dec_refcount(job->back, NULL), "the text");
}

int main(int argc, char **argv)
{
	struct sample_flag flags[] = { {} };
	struct doca_buf_inventory *inventory;
	struct job job = { 0 };
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	bool is_right;
	size_t i;

	sample_start("compress_roundtrip", argc, argv, flags);
	dev = sample_open_device(can_do_both);
	for (i = 0; i < LENGTH; i++)
		memory.text[i] = "a text that comes again "[i % 24] + i / 8192;
	mmap = map_memory(dev);
	inventory = get_buffers(&job, mmap);
	start(&job, dev);
	is_right = round_trip(&job);
	stop(&job);
	check(doca_buf_inventory_destroy(inventory), "the inventory");
	check(doca_mmap_destroy(mmap), "the memory map");
	check(doca_dev_close(dev), "the device");
	if (!is_right) {
		fprintf(stderr, "what came back is not what was compressed\n");
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
