// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The SHA-256 digest of a file, in parts: one task is submitted for each part, from the
 * callback of the part before, and has the state of the hash in between. So the file may
 * be of any size, and a pipe.
 *
 * All parts but the last have the size of the buffer, which is a multiple of the
 * algorithm's block. The last one has less, and may be empty.
 *
 * Usage: sha_file [-p PCI-ADDRESS] [-f FILE]
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_sha.h>

#include "../common/sample.h"

#define ALGORITHM DOCA_SHA_ALGORITHM_SHA256
#define DIGEST 32
#define PART (1 << 20)

static struct {
	char part[PART];
	unsigned char digest[DIGEST];
} memory;

static const char *path = "/proc/self/exe";

struct job {
	int file;
	struct doca_buf *part;
	bool ended;
};

static doca_error_t set_path(void *value, void *config)
{
	(void)config;
	path = strdup(value);
	return path ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

static doca_error_t can_hash(const struct doca_devinfo *devinfo)
{
	return doca_sha_cap_task_partial_hash_get_supported(devinfo, ALGORITHM);
}

static int open_file(void)
{
	int file = open(path, O_RDONLY);

	if (file < 0) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	return file;
}

/* Fill the buffer, unless the file ends; return the bytes that were read. */
static size_t read_part(int file)
{
	size_t length = 0;
	ssize_t n;

	while (length < PART) {
		n = read(file, memory.part + length, PART - length);
		if (n < 0) {
			perror(path);
			exit(EXIT_FAILURE);
		}
		if (!n)
			break;
		length += n;
	}
	return length;
}

static void submit_part(struct doca_sha_task_partial_hash *task,
			struct job *job)
{
	size_t length = read_part(job->file);

	check(doca_buf_set_data(job->part, memory.part, length), "the part");
	if (length < PART)
		check(doca_sha_task_partial_hash_set_is_final_buf(task),
		      "the last part");
	check(doca_task_submit(doca_sha_task_partial_hash_as_task(task)),
	      "the task's submission");
}

/* Called on success and on failure, for each part. */
static void on_part(struct doca_sha_task_partial_hash *task,
		    union doca_data task_data, union doca_data ctx_data)
{
	struct doca_task *base = doca_sha_task_partial_hash_as_task(task);
	struct job *job = task_data.ptr;

	(void)ctx_data;
	check(doca_task_get_status(base), "the hash");
	if (!doca_sha_task_partial_hash_get_has_result(task)) {
		submit_part(task, job);
		return;
	}
	doca_task_free(base);
	job->ended = true;
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

/* Run the task until it has the digest. */
static void hash(struct doca_dev *dev, struct job *job, struct doca_buf *digest)
{
	struct doca_sha_task_partial_hash *task;
	union doca_data data = { .ptr = job };
	struct doca_sha *sha;
	struct doca_ctx *ctx;
	struct doca_pe *pe;

	check(doca_pe_create(&pe), "the engine");
	check(doca_sha_create(dev, &sha), "the context");
	ctx = doca_sha_as_ctx(sha);
	/* One task: the number is a binary logarithm. */
	check(doca_sha_task_partial_hash_set_conf(sha, on_part, on_part, 0),
	      "the kind of task");
	check(doca_pe_connect_ctx(pe, ctx), "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the context");
	check(doca_sha_task_partial_hash_alloc_init(sha, ALGORITHM, job->part,
						    digest, data, &task),
	      "the task");
	submit_part(task, job);
	while (!job->ended)
		doca_pe_progress(pe);
	check(doca_ctx_stop(ctx), "stop of the context");
	check(doca_sha_destroy(sha), "the context");
	check(doca_pe_destroy(pe), "the engine");
}

int main(int argc, char **argv)
{
	struct sample_flag flags[] = {
		{ "f", "file", "<file>", "The file to hash", set_path }, {}
	};
	struct doca_buf_inventory *inventory;
	struct job job = { 0 };
	struct doca_buf *digest;
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	int i;

	sample_start("sha_file", argc, argv, flags);
	job.file = open_file();
	dev = sample_open_device(can_hash);
	mmap = map_memory(dev);
	check(doca_buf_inventory_create(2, &inventory), "the inventory");
	check(doca_buf_inventory_start(inventory), "the inventory");
	check(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory.part,
						 PART, &job.part),
	      "the part");
	check(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory.digest,
						 DIGEST, &digest),
	      "the digest");

	hash(dev, &job, digest);

	check(doca_buf_dec_refcount(digest, NULL), "the digest");
	check(doca_buf_dec_refcount(job.part, NULL), "the part");
	check(doca_buf_inventory_destroy(inventory), "the inventory");
	check(doca_mmap_destroy(mmap), "the memory map");
	check(doca_dev_close(dev), "the device");
	close(job.file);

	/* As sha256sum prints it, and sha256sum -c reads it. */
	for (i = 0; i < DIGEST; i++)
		printf("%02x", memory.digest[i]);
	printf("  %s\n", path);
	return EXIT_SUCCESS;
}
