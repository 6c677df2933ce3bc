// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Packets as buffers. The memory of a pool of mbufs is in mmaps, one for each piece
 * in one range of addresses. A buffer begins with the memory of an mbuf, which
 * finds the mbuf again: so a buffer holds its mbuf, and DOCA's buffers need no room
 * for a pointer to it.
 */
#include <stddef.h>
#include <stdlib.h>

#include <rte_mbuf.h>
#include <rte_mempool.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_dpdk.h>
#include <doca_mmap.h>

#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/memory/mmap.h"
#include "core/objects.h"

LOG_SOURCE("DPDK_BRIDGE");

#define ACCESS_ALLOWED (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | MMAP_RDMA_ACCESS)

struct piece {
	char *addr;
	size_t len;
	struct doca_mmap *mmap;
};

struct doca_dpdk_mempool {
	struct mmap_owner owner;
	struct rte_mempool *pool;
	size_t mbuf_size; /* bytes of an mbuf before its memory */
	struct piece *pieces; /* by address; NULL until it is started */
	unsigned int nr_pieces;
	uint32_t access;
	struct doca_dev **devs; /* references of its own */
	uint32_t nr_devs;
};

static const struct object_type mempool_object = { .name = "mempool" };

#undef OBJECT_TYPES
#define OBJECT_TYPES \
	CORE_OBJECT_TYPES, OBJECT_TYPE(doca_dpdk_mempool, mempool_object)

static struct rte_mbuf *mbuf_of(const struct mmap_owner *owner, void *head)
{
	const struct doca_dpdk_mempool *mempool = (const void *)owner;

	return (struct rte_mbuf *)((char *)head - mempool->mbuf_size);
}

static void hold_mbuf(const struct mmap_owner *owner, void *head)
{
	rte_mbuf_refcnt_update(mbuf_of(owner, head), 1);
}

static void release_mbuf(const struct mmap_owner *owner, void *head)
{
	rte_pktmbuf_free_seg(mbuf_of(owner, head));
}

doca_error_t doca_dpdk_mempool_create(const struct rte_mempool *mbuf_pool,
				      struct doca_dpdk_mempool **mempool_out)
{
	struct rte_mempool *pool = (struct rte_mempool *)mbuf_pool;
	struct doca_dpdk_mempool *mempool;

	if (!given(pool) || !given(mempool_out))
		return DOCA_ERROR_INVALID_VALUE;
	if (pool->private_data_size < sizeof(struct rte_pktmbuf_pool_private) ||
	    rte_pktmbuf_priv_flags(pool) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF) {
		LOG_ERR("cannot use mempool %s: it is not of mbufs with memory "
			"of their own, as rte_pktmbuf_pool_create() makes",
			pool->name);
		return DOCA_ERROR_INVALID_VALUE;
	}
	mempool = calloc(1, sizeof(*mempool));
	if (!mempool)
		return OUT_OF_MEMORY("a mempool");
	mempool->owner.get = hold_mbuf;
	mempool->owner.put = release_mbuf;
	mempool->pool = pool;
	mempool->mbuf_size =
		sizeof(struct rte_mbuf) + rte_pktmbuf_priv_size(pool);
	mempool->access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
	doca_priv_debug_add(mempool, &mempool_object, sizeof(*mempool), 1);
	*mempool_out = mempool;
	return DOCA_SUCCESS;
}

/* Properties must be set before the start. */
static bool started(const struct doca_dpdk_mempool *mempool)
{
	if (!mempool->pieces)
		return false;
	LOG_ERR("mempool %s is started, and cannot be changed any more",
		mempool->pool->name);
	return true;
}

doca_error_t doca_dpdk_mempool_dev_add(struct doca_dpdk_mempool *mempool,
				       struct doca_dev *dev)
{
	struct doca_dev **devs;
	uint32_t i;

	if (!valid(mempool) || !valid(dev) || started(mempool))
		return DOCA_ERROR_INVALID_VALUE;
	for (i = 0; i < mempool->nr_devs; i++)
		if (mempool->devs[i] == dev)
			return FAIL(INVALID_VALUE,
				    "mempool %s has device %s already",
				    mempool->pool->name, dev->info.name);
	devs = reallocarray(mempool->devs, mempool->nr_devs + 1,
			    sizeof(struct doca_dev *));
	if (!devs)
		return OUT_OF_MEMORY("the devices of a mempool");
	devs[mempool->nr_devs++] = doca_priv_dev_get(dev);
	mempool->devs = devs;
	return DOCA_SUCCESS;
}

doca_error_t
doca_dpdk_mempool_set_permissions(struct doca_dpdk_mempool *mempool,
				  uint32_t access_mask)
{
	if (!valid(mempool) || started(mempool) ||
	    refused(access_mask & ~ACCESS_ALLOWED))
		return DOCA_ERROR_INVALID_VALUE;
	mempool->access = access_mask;
	return DOCA_SUCCESS;
}

static int by_address(const void *a, const void *b)
{
	const struct piece *p = a, *q = b;

	return p->addr < q->addr ? -1 : p->addr > q->addr;
}

static void add_piece(struct rte_mempool *pool, void *arg,
		      struct rte_mempool_memhdr *memory, unsigned int i)
{
	struct doca_dpdk_mempool *mempool = arg;

	(void)pool;
	mempool->pieces[i].addr = memory->addr;
	mempool->pieces[i].len = memory->len;
}

/* Pieces that DPDK was given page by page usually form one range. */
static void merge_pieces(struct doca_dpdk_mempool *mempool)
{
	struct piece *last = mempool->pieces;
	unsigned int i;

	qsort(mempool->pieces, mempool->nr_pieces, sizeof(*last), by_address);
	for (i = 1; i < mempool->nr_pieces; i++) {
		struct piece *next = &mempool->pieces[i];

		if (last->addr + last->len == next->addr)
			last->len += next->len;
		else
			*++last = *next;
	}
	mempool->nr_pieces = last - mempool->pieces + 1;
}

/* Threads with inventories of their own share the pool. */
static doca_error_t start_piece(const struct doca_dpdk_mempool *mempool,
				struct piece *piece)
{
	doca_error_t res;
	uint32_t i;

	res = doca_mmap_create(&piece->mmap);
	if (res != DOCA_SUCCESS)
		return res;
	doca_priv_mmap_set_owner(piece->mmap, &mempool->owner);
	res = doca_mmap_enable_thread_safety(piece->mmap);
	if (res == DOCA_SUCCESS)
		res = doca_mmap_set_memrange(piece->mmap, piece->addr,
					     piece->len);
	if (res == DOCA_SUCCESS)
		res = doca_mmap_set_permissions(piece->mmap, mempool->access);
	if (res == DOCA_SUCCESS)
		res = doca_mmap_set_max_num_devices(piece->mmap,
						    mempool->nr_devs);
	for (i = 0; i < mempool->nr_devs && res == DOCA_SUCCESS; i++)
		res = doca_mmap_add_dev(piece->mmap, mempool->devs[i]);
	if (res == DOCA_SUCCESS)
		res = doca_mmap_start(piece->mmap);
	return res;
}

/* No buffer is left. The device may be gone, and the memory with it. */
static void drop_pieces(struct doca_dpdk_mempool *mempool)
{
	unsigned int i;

	for (i = 0; i < mempool->nr_pieces; i++)
		if (mempool->pieces[i].mmap)
			doca_mmap_destroy(mempool->pieces[i].mmap);
	free(mempool->pieces);
	mempool->pieces = NULL;
	mempool->nr_pieces = 0;
}

doca_error_t doca_dpdk_mempool_start(struct doca_dpdk_mempool *mempool)
{
	doca_error_t res = DOCA_SUCCESS;
	unsigned int i;

	if (!valid(mempool) || started(mempool))
		return DOCA_ERROR_INVALID_VALUE;
	if (!mempool->nr_devs || !mempool->pool->nb_mem_chunks) {
		LOG_ERR("cannot start mempool %s: it has no %s",
			mempool->pool->name,
			mempool->nr_devs ?
				"memory" :
				"device, call doca_dpdk_mempool_dev_add()");
		return DOCA_ERROR_INVALID_VALUE;
	}
	mempool->pieces =
		calloc(mempool->pool->nb_mem_chunks, sizeof(struct piece));
	if (!mempool->pieces)
		return OUT_OF_MEMORY("the pieces of a mempool");
	mempool->nr_pieces = mempool->pool->nb_mem_chunks;
	rte_mempool_mem_iter(mempool->pool, add_piece, mempool);
	merge_pieces(mempool);
	for (i = 0; i < mempool->nr_pieces && res == DOCA_SUCCESS; i++)
		res = start_piece(mempool, &mempool->pieces[i]);
	if (res == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	drop_pieces(mempool);
	return res == DOCA_ERROR_NO_MEMORY ? res : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_dpdk_mempool_destroy(struct doca_dpdk_mempool *mempool)
{
	uint32_t bufs = 0;
	unsigned int i;
	uint32_t n;

	if (!valid(mempool))
		return DOCA_ERROR_INVALID_VALUE;
	for (i = 0; i < mempool->nr_pieces; i++)
		if (!doca_mmap_get_num_bufs(mempool->pieces[i].mmap, &n))
			bufs += n;
	if (bufs) {
		LOG_ERR("cannot destroy the mempool of %s: %u buffers are in "
			"use; release them with doca_buf_dec_refcount()",
			mempool->pool->name, bufs);
		return DOCA_ERROR_IN_USE;
	}
	drop_pieces(mempool);
	for (i = 0; i < mempool->nr_devs; i++)
		doca_priv_dev_put(mempool->devs[i]);
	free(mempool->devs);
	doca_priv_debug_free(mempool);
	return DOCA_SUCCESS;
}

static struct doca_mmap *mmap_at(const struct doca_dpdk_mempool *mempool,
				 const char *addr)
{
	unsigned int low = 0, high = mempool->nr_pieces, mid;

	if (!mempool->pieces)
		return NULL;
	while (high - low > 1) {
		mid = (low + high) / 2;
		if (addr < mempool->pieces[mid].addr)
			high = mid;
		else
			low = mid;
	}
	return mempool->pieces[low].mmap;
}

/* The memory belongs to the direct mbuf; the mbuf itself says which part of it is data. */
static doca_error_t segment_to_buf(const struct doca_dpdk_mempool *mempool,
				   struct doca_buf_inventory *inventory,
				   struct rte_mbuf *mbuf, struct doca_buf **buf)
{
	const struct rte_mbuf *direct = mbuf;
	struct doca_mmap *mmap;
	doca_error_t res;

	if (RTE_MBUF_HAS_EXTBUF(mbuf))
		return FAIL(INVALID_VALUE,
			    "mbuf %p cannot be a buffer: its memory is not of "
			    "its mempool",
			    (void *)mbuf);
	if (RTE_MBUF_CLONED(mbuf))
		direct = rte_mbuf_from_indirect(mbuf);
	mmap = mmap_at(mempool, direct->buf_addr);
	if (direct->pool != mempool->pool || !mmap)
		return FAIL(INVALID_VALUE,
			    "mbuf %p cannot be a buffer: mempool %s is %s",
			    (void *)mbuf, mempool->pool->name,
			    mmap ? "not the one that it is of" : "not started");
	res = doca_buf_inventory_buf_get_by_args(
		inventory, mmap, direct->buf_addr, direct->buf_len,
		(char *)mbuf->buf_addr + mbuf->data_off, mbuf->data_len, buf);
	return res == DOCA_SUCCESS || res == DOCA_ERROR_NO_MEMORY ?
		       res :
		       DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_dpdk_mempool_mbuf_to_buf(struct doca_dpdk_mempool *mempool,
					   struct doca_buf_inventory *inventory,
					   struct rte_mbuf *mbuf,
					   struct doca_buf **buf)
{
	struct doca_buf *head = NULL, *tail = NULL, *next;
	doca_error_t res;

	if (!valid(mempool) || !valid(inventory) || !given(mbuf) || !given(buf))
		return DOCA_ERROR_INVALID_VALUE;
	for (; mbuf; mbuf = mbuf->next, tail = next) {
		res = segment_to_buf(mempool, inventory, mbuf, &next);
		if (res != DOCA_SUCCESS)
			goto err_release;
		if (tail)
			doca_buf_chain_list_tail(head, tail, next);
		else
			head = next;
	}
	*buf = head;
	return DOCA_SUCCESS;

err_release:
	if (head)
		doca_buf_dec_refcount(head, NULL);
	return res;
}
