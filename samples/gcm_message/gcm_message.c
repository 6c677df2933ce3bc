// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A message that is sealed with AES-GCM and opened again: its header stays readable, its text
 * does not, and neither can be changed. Then a byte of it is changed, and the task that opens it
 * fails, but the context goes on.
 *
 * Usage: gcm_message [-p PCI-ADDRESS]
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <doca_aes_gcm.h>
#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "../common/sample.h"

#define HEADER "to: Bob "
#define TEXT "Meet me at the fountain."
#define HEADER_SIZE (sizeof(HEADER) - 1)
#define LENGTH (HEADER_SIZE + sizeof(TEXT) - 1)
#define TAG 16
#define IV 12

static struct {
	char message[LENGTH];
	char sealed[LENGTH + TAG];
	char opened[LENGTH];
} memory;

struct job {
	struct doca_pe *pe;
	struct doca_aes_gcm *aes_gcm;
	struct doca_aes_gcm_key *key;
	struct doca_buf *message, *sealed, *opened;
	uint8_t iv[IV];
	doca_error_t status; /* result of the last task */
	bool ended;
};

static void end(struct job *job, struct doca_task *task)
{
	job->status = doca_task_get_status(task);
	doca_task_free(task);
	job->ended = true;
}

static void on_sealed(struct doca_aes_gcm_task_encrypt *task,
		      union doca_data task_data, union doca_data ctx_data)
{
	(void)ctx_data;
	end(task_data.ptr, doca_aes_gcm_task_encrypt_as_task(task));
}

static void on_opened(struct doca_aes_gcm_task_decrypt *task,
		      union doca_data task_data, union doca_data ctx_data)
{
	(void)ctx_data;
	end(task_data.ptr, doca_aes_gcm_task_decrypt_as_task(task));
}

static doca_error_t run(struct job *job, struct doca_task *task)
{
	job->ended = false;
	check(doca_task_submit(task), "the task's submission");
	while (!job->ended)
		doca_pe_progress(job->pe);
	return job->status;
}

static doca_error_t seal(struct job *job)
{
	struct doca_aes_gcm_task_encrypt *task;
	union doca_data data = { .ptr = job };

	check(doca_aes_gcm_task_encrypt_alloc_init(
		      job->aes_gcm, job->message, job->sealed, job->key,
		      job->iv, IV, TAG, HEADER_SIZE, data, &task),
	      "the task");
	return run(job, doca_aes_gcm_task_encrypt_as_task(task));
}

static doca_error_t open_sealed(struct job *job)
{
	struct doca_aes_gcm_task_decrypt *task;
	union doca_data data = { .ptr = job };

	check(doca_aes_gcm_task_decrypt_alloc_init(
		      job->aes_gcm, job->sealed, job->opened, job->key, job->iv,
		      IV, TAG, HEADER_SIZE, data, &task),
	      "the task");
	return run(job, doca_aes_gcm_task_decrypt_as_task(task));
}

/* The driver has the key from then on, and nobody else. */
static void make_key(struct job *job)
{
	uint8_t key[32];

	if (getrandom(key, sizeof(key), 0) != sizeof(key) ||
	    getrandom(job->iv, IV, 0) != IV) {
		perror("random bytes");
		exit(EXIT_FAILURE);
	}
	check(doca_aes_gcm_key_create(job->aes_gcm, key, DOCA_AES_GCM_KEY_256,
				      &job->key),
	      "the key");
	explicit_bzero(key, sizeof(key));
}

static struct doca_ctx *start(struct job *job, struct doca_dev *dev)
{
	struct doca_ctx *ctx;

	check(doca_pe_create(&job->pe), "the engine");
	check(doca_aes_gcm_create(dev, &job->aes_gcm), "the context");
	ctx = doca_aes_gcm_as_ctx(job->aes_gcm);
	check(doca_aes_gcm_task_encrypt_set_conf(job->aes_gcm, on_sealed,
						 on_sealed, 1),
	      "tasks that encrypt");
	check(doca_aes_gcm_task_decrypt_set_conf(job->aes_gcm, on_opened,
						 on_opened, 1),
	      "tasks that decrypt");
	check(doca_pe_connect_ctx(job->pe, ctx),
	      "the connection to the engine");
	check(doca_ctx_start(ctx), "start of the context");
	return ctx;
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

static void talk(struct job *job)
{
	check(seal(job), "the encryption");
	printf("sealed: %zu bytes, %.*s...\n", sizeof(memory.sealed),
	       (int)HEADER_SIZE, memory.sealed);
	check(open_sealed(job), "the decryption");
	printf("opened: %.*s\n", (int)LENGTH, memory.opened);
	memory.sealed[0] ^= 1;
	check(doca_buf_reset_data_len(job->opened), "the buffer");
	if (open_sealed(job) != DOCA_ERROR_IO_FAILED || memory.opened[0]) {
		fprintf(stderr, "a changed message was opened\n");
		exit(EXIT_FAILURE);
	}
	printf("changed: refused\n");
}

int main(int argc, char **argv)
{
	struct sample_flag flags[] = { {} };
	struct doca_buf_inventory *inventory;
	struct job job = { 0 };
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	struct doca_ctx *ctx;

	sample_start("gcm_message", argc, argv, flags);
	memcpy(memory.message, HEADER TEXT, LENGTH);
	dev = sample_open_device(doca_aes_gcm_cap_task_encrypt_is_supported);
	mmap = map_memory(dev);
	check(doca_buf_inventory_create(3, &inventory), "the inventory");
	check(doca_buf_inventory_start(inventory), "the inventory");
	check(doca_buf_inventory_buf_get_by_data(
		      inventory, mmap, memory.message, LENGTH, &job.message),
	      "the message");
	check(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory.sealed,
						 LENGTH + TAG, &job.sealed),
	      "the sealed message");
	check(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory.opened,
						 LENGTH, &job.opened),
	      "the opened message");
	ctx = start(&job, dev);
	make_key(&job);

	talk(&job);

	check(doca_aes_gcm_key_destroy(job.key), "the key");
	check(doca_ctx_stop(ctx), "stop of the context");
	check(doca_aes_gcm_destroy(job.aes_gcm), "the context");
	check(doca_pe_destroy(job.pe), "the engine");
	check(doca_buf_dec_refcount(job.opened, NULL), "a buffer");
	check(doca_buf_dec_refcount(job.sealed, NULL), "a buffer");
	check(doca_buf_dec_refcount(job.message, NULL), "a buffer");
	check(doca_buf_inventory_destroy(inventory), "the inventory");
	check(doca_mmap_destroy(mmap), "the memory map");
	check(doca_dev_close(dev), "the device");
	return EXIT_SUCCESS;
}
