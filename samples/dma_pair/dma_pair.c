// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Copy a file between a host and its DPU by DMA.
 *
 * The host has a file in its memory, exports that, and sends the export's descriptor
 * through the channel. The DPU makes a memory map of it, copies the file from there to
 * its own memory, and tells the host how that went. The host keeps the memory exported
 * until then: no DMA may reach it afterwards.
 *
 * Usage: dma_pair dpu|host [-f FILE] [-p PCI-ADDRESS] [-r PCI-ADDRESS]
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "../common/channel.h"
#include "../common/file.h"
#include "../common/sample.h"

#define NAME "dma_pair"
#define PIECE (1 << 20) /* bytes of one copy */

/* The host's message: where the file is. */
struct offer {
	uint64_t address; /* in the host; it means nothing here, but in buffers */
	uint64_t length;
	uint32_t desc_length;
	uint8_t desc[512];
};

/* The DPU's answer. */
struct result {
	uint64_t length;
	uint64_t sum;
};

static struct doca_mmap *map(struct doca_dev *dev, void *memory, size_t length,
			     uint32_t access)
{
	struct doca_mmap *mmap;

	check(doca_mmap_create(&mmap), "the memory map");
	check(doca_mmap_set_memrange(mmap, memory, length), "the memory map");
	check(doca_mmap_set_permissions(mmap, access), "the memory map");
	check(doca_mmap_add_dev(mmap, dev), "the memory map");
	check(doca_mmap_start(mmap), "start of the memory map");
	return mmap;
}

static void *allocate(size_t length)
{
	void *memory = malloc(length);

	if (!memory)
		give_up(DOCA_ERROR_NO_MEMORY, "the memory");
	return memory;
}

static void *read_file(uint64_t *length)
{
	int fd = file_open(length);
	void *memory = allocate(*length);

	file_read(fd, memory, *length);
	file_close(fd);
	return memory;
}

static bool offer_file(struct channel *channel)
{
	struct offer offer = {};
	void *memory = read_file(&offer.length);
	uint64_t sum = file_sum(0, memory, offer.length);
	struct doca_mmap *mmap;
	struct result result;
	const void *desc;
	size_t length;

	mmap = map(channel->dev, memory, offer.length,
		   DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	check(doca_mmap_export_pci(mmap, channel->dev, &desc, &length),
	      "export");
	if (length > sizeof(offer.desc))
		give_up(DOCA_ERROR_TOO_BIG, "the descriptor");
	memcpy(offer.desc, desc, length);
	offer.desc_length = length;
	offer.address = (uintptr_t)memory;
	channel_send(channel, &offer, sizeof(offer));
	channel_receive(channel, &result, sizeof(result));

	check(doca_mmap_destroy(mmap), "the memory map");
	free(memory);
	printf("%" PRIu64 " of %" PRIu64
	       " bytes were copied, and the sum is %s\n",
	       result.length, offer.length,
	       result.sum == sum ? "right" : "wrong");
	return result.length == offer.length && result.sum == sum;
}

static void on_end(struct doca_dma_task_memcpy *task, union doca_data task_data,
		   union doca_data ctx_data)
{
	bool *ended = task_data.ptr;

	(void)ctx_data;
	check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)),
	      "the copy");
	*ended = true;
}

static struct doca_dma *create_dma(struct channel *channel)
{
	struct doca_dma *dma;

	check(doca_dma_create(channel->dev, &dma), "the context");
	check(doca_dma_task_memcpy_set_conf(dma, on_end, on_end, 1),
	      "the kind of task");
	check(doca_pe_connect_ctx(channel->pe, doca_dma_as_ctx(dma)),
	      "the connection to the engine");
	check(doca_ctx_start(doca_dma_as_ctx(dma)), "start of the context");
	return dma;
}

/* The buffers are needed for one copy only. */
static void copy(struct channel *channel, struct doca_dma *dma,
		 struct doca_buf *src, struct doca_buf *dst)
{
	struct doca_dma_task_memcpy *task;
	bool ended = false;
	union doca_data data = { .ptr = &ended };

	check(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task),
	      "the task");
	check(doca_task_submit(doca_dma_task_memcpy_as_task(task)),
	      "submission");
	while (!ended)
		channel_progress(channel);
	doca_task_free(doca_dma_task_memcpy_as_task(task));
	check(doca_buf_dec_refcount(src, NULL), "a buffer");
	check(doca_buf_dec_refcount(dst, NULL), "a buffer");
}

static void copy_all(struct channel *channel, struct doca_mmap *theirs,
		     char *from, struct doca_mmap *ours, char *to,
		     uint64_t length)
{
	struct doca_buf_inventory *inventory;
	struct doca_dma *dma = create_dma(channel);
	struct doca_buf *src, *dst;
	uint64_t at;
	size_t part;

	check(doca_buf_inventory_create(2, &inventory), "the inventory");
	check(doca_buf_inventory_start(inventory), "the inventory");
	for (at = 0; at < length; at += part) {
		part = length - at < PIECE ? length - at : PIECE;
		check(doca_buf_inventory_buf_get_by_data(inventory, theirs,
							 from + at, part, &src),
		      "a buffer");
		check(doca_buf_inventory_buf_get_by_addr(inventory, ours,
							 to + at, part, &dst),
		      "a buffer");
		copy(channel, dma, src, dst);
	}
	check(doca_ctx_stop(doca_dma_as_ctx(dma)), "stop of the context");
	check(doca_dma_destroy(dma), "the context");
	check(doca_buf_inventory_destroy(inventory), "the inventory");
}

static bool fetch_file(struct channel *channel)
{
	struct doca_mmap *theirs, *ours;
	struct result result;
	struct offer offer;
	void *memory;
	int fd;

	channel_receive(channel, &offer, sizeof(offer));
	if (!offer.length || offer.desc_length > sizeof(offer.desc))
		give_up(DOCA_ERROR_INVALID_VALUE, "the offer");
	fd = file_create();
	memory = allocate(offer.length);
	ours = map(channel->dev, memory, offer.length,
		   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	check(doca_mmap_create_from_export(NULL, offer.desc, offer.desc_length,
					   channel->dev, &theirs),
	      "import");

	copy_all(channel, theirs, (char *)(uintptr_t)offer.address, ours,
		 memory, offer.length);
	check(doca_mmap_destroy(theirs), "the imported memory map");
	check(doca_mmap_destroy(ours), "the memory map");
	if (fd >= 0) {
		file_write(fd, memory, offer.length);
		file_close(fd);
	}
	result.length = offer.length;
	result.sum = file_sum(0, memory, offer.length);
	free(memory);
	channel_send(channel, &result, sizeof(result));
	printf("%" PRIu64 " bytes were copied\n", result.length);
	return true;
}

int main(int argc, char **argv)
{
	struct sample_flag flags[] = { file_flag, {} };
	struct channel channel;
	enum side side;
	bool right;

	side = side_start(NAME, argc, argv, flags);
	channel_open(&channel, NAME, side);
	right = side == SIDE_DPU ? fetch_file(&channel) : offer_file(&channel);
	channel_close(&channel);
	return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
