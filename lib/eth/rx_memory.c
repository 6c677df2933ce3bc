// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The chunks that receive frames. Those of a managed pool are in the program's memory.
 * Each chunk has a buffer for good, by which the program gets a packet; a released
 * buffer goes to a stock here, and from there to the kernel.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <doca_error.h>

#include "rxq.h"

LOG_SOURCE("ETH::RXQ");

uint32_t rx_min_chunks(void)
{
	return STEER_QUEUES * (sysconf(_SC_PAGESIZE) / ETH_CHUNK);
}

static doca_error_t own_memory(struct doca_eth_rxq *rxq)
{
	size_t length = 2ul * rxq->max_burst * ETH_CHUNK;
	void *memory;

	if (length < (size_t)rx_min_chunks() * ETH_CHUNK)
		length = (size_t)rx_min_chunks() * ETH_CHUNK;
	memory = mmap(NULL, length, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return FAIL(INITIALIZATION,
			    "cannot start %s: no memory for %zu KiB of packets",
			    rxq->ctx.type->name, length / 1024);
	rxq->memory = memory;
	rxq->length = length;
	return DOCA_SUCCESS;
}

/* Check that it is memory of this process that the device may write. */
static doca_error_t check_mmap(const struct doca_eth_rxq *rxq)
{
	const struct doca_mmap *mmap = rxq->mmap;
	const char *why = NULL;

	if (mmap->from_export || mmap->dmabuf_fd >= 0)
		why = "is not memory of this process";
	else if (!mmap->started || !doca_priv_mmap_key(mmap, rxq->ctx.dev))
		why = "is not started, or lacks the device of the queue";
	else if (!doca_priv_mmap_writable(mmap))
		why = "does not allow writes: it lacks "
		      "DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, or maps a file, "
		      "shared, that is only read";
	else if ((uint64_t)rxq->mmap_offset + rxq->mmap_len > mmap->len)
		why = "is shorter than the offset and length that were set";
	if (why)
		return FAIL(INVALID_VALUE, "cannot start %s: its mmap %p %s",
			    rxq->ctx.type->name, (const void *)mmap, why);
	return DOCA_SUCCESS;
}

static doca_error_t find_pages(struct doca_eth_rxq *rxq)
{
	uintptr_t page = sysconf(_SC_PAGESIZE);
	uintptr_t at = (uintptr_t)rxq->mmap->addr + rxq->mmap_offset;
	uintptr_t begin = (at + page - 1) & -page;
	uintptr_t end = (at + rxq->mmap_len) & -page;
	size_t length = end > begin ? end - begin : 0;

	if (length / ETH_CHUNK < rxq->max_burst)
		return FAIL(INVALID_VALUE,
			    "cannot start %s: its memory has room for %zu "
			    "packets, less than a burst of %u; "
			    "doca_eth_rxq_estimate_packet_buf_size() says how "
			    "much it must be",
			    rxq->ctx.type->name, length / ETH_CHUNK,
			    rxq->max_burst);
	rxq->memory = (char *)begin;
	rxq->length = length;
	if (length / ETH_CHUNK > XSK_MAX_CHUNKS)
		rxq->length = (size_t)XSK_MAX_CHUNKS * ETH_CHUNK;
	return DOCA_SUCCESS;
}

static bool alloc_bufs(struct doca_eth_rxq *rxq, uint32_t n)
{
	rxq->bufs = aligned_alloc(sizeof(struct doca_buf),
				  n * sizeof(struct doca_buf));
	rxq->arrays = rxq->batch_cb ? calloc(n, rx_array_size(rxq)) : NULL;
	if (rxq->bufs && (rxq->arrays || !rxq->batch_cb))
		return true;
	free(rxq->bufs);
	rxq->bufs = NULL;
	free(rxq->arrays);
	rxq->arrays = NULL;
	return false;
}

/* At first the kernel has each buffer, as it has the chunk. */
static doca_error_t make_bufs(struct doca_eth_rxq *rxq)
{
	uint32_t n = rxq->length / ETH_CHUNK, i;

	if (!alloc_bufs(rxq, n))
		return FAIL(INITIALIZATION,
			    "cannot start %s: no memory for %u buffers",
			    rxq->ctx.type->name, n);
	memset(rxq->bufs, 0, n * sizeof(struct doca_buf));
	rxq->stock = (struct buf_stock){ .nr_bufs = n, .resident = true };
	rxq->bufs_mmap = rxq->mmap;
	rxq->out = 0;
	for (i = 0; i < n; i++) {
		rxq->bufs[i].stock = &rxq->stock;
		rxq->bufs[i].mmap = rxq->mmap;
	}
	doca_priv_debug_add(rxq->bufs, &doca_priv_buf_object,
			    sizeof(struct doca_buf), n);
	if (rxq->arrays)
		doca_priv_debug_add(rxq->arrays, &eth_rxq_array_object,
				    rx_array_size(rxq), n);
	return DOCA_SUCCESS;
}

/* The mmap does not change while there are buffers. */
static doca_error_t managed_memory(struct doca_eth_rxq *rxq)
{
	doca_error_t ret = check_mmap(rxq);

	if (ret == DOCA_SUCCESS)
		ret = find_pages(rxq);
	if (ret == DOCA_SUCCESS)
		ret = mmap_bufs_get(rxq->mmap, rxq->memory, rxq->length, 1);
	if (ret != DOCA_SUCCESS)
		return ret;
	ret = make_bufs(rxq);
	if (ret != DOCA_SUCCESS)
		mmap_bufs_put(rxq->mmap, 1);
	return ret;
}

doca_error_t rx_memory_get(struct doca_eth_rxq *rxq)
{
	doca_error_t ret;

	if (!rxq_is_managed(rxq))
		return own_memory(rxq);
	ret = rx_memory_drop(rxq);
	return ret == DOCA_SUCCESS ? managed_memory(rxq) : ret;
}

/* Count the packets that the program has. */
static uint32_t outstanding(const struct doca_eth_rxq *rxq)
{
	return rxq->out - rxq->stock.nr_free;
}

doca_error_t rx_memory_drop(struct doca_eth_rxq *rxq)
{
	if (!rxq->bufs)
		return DOCA_SUCCESS;
	if (outstanding(rxq))
		return FAIL(IN_USE,
			    "%s %p: the program has %u packets of it; release "
			    "them with doca_buf_dec_refcount()",
			    rxq->ctx.type->name, (void *)rxq, outstanding(rxq));
	doca_priv_debug_del(rxq->bufs);
	free(rxq->bufs);
	rxq->bufs = NULL;
	if (rxq->arrays)
		doca_priv_debug_del(rxq->arrays);
	free(rxq->arrays);
	rxq->arrays = NULL;
	mmap_bufs_put(rxq->bufs_mmap, 1);
	return DOCA_SUCCESS;
}

/* Leave packets alone that the program keeps. */
void rx_memory_put(struct doca_eth_rxq *rxq)
{
	if (!rxq_is_managed(rxq))
		munmap(rxq->memory, rxq->length);
	else if (!outstanding(rxq))
		rx_memory_drop(rxq);
}

void rx_reclaim(struct doca_eth_rxq *rxq)
{
	struct buf_stock *stock = &rxq->stock;

	while (stock->free) {
		struct doca_buf *buf = stock->free;

		stock->free = buf->next;
		stock->nr_free--;
		rxq->out--;
		buf->next = NULL;
		xsk_give(rxq->xsk, buf - rxq->bufs);
	}
	xsk_refill(rxq->xsk);
}

struct doca_buf *rx_packet_buf(struct doca_eth_rxq *rxq,
			       const struct xsk_frame *frame)
{
	struct doca_buf *buf = &rxq->bufs[frame->chunk];

	buf->refcount = 1;
	buf->holds = 1;
	buf->head = (char *)frame->data - rxq->headroom;
	buf->len = rxq->headroom + frame->length + rxq->tailroom;
	buf->data = frame->data;
	buf->data_len = frame->length;
	doca_priv_buf_update(buf);
	rxq->out++;
	return buf;
}
