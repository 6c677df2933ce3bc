// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Fields of the pool. The kernel has the free buffers of a field, and the host gets a
 * buffer back as soon as it is released. Each entry of a socket's ring has a buffer there,
 * on each receive queue: so a frame finds one unless the ring of its own socket is full.
 * The program may keep the others; once it keeps them all, datagrams are copied to buffers
 * outside of fields.
 */
#include <errno.h>
#include <string.h>

#include "pool.h"

#define RING_MIN 16

int pool_field(unsigned int *field, void **memory, size_t *length)
{
	int err;

	pool_lock();
	err = pool_begin();
	if (!err && pool.nr_fields == FIELDS_MAX)
		err = -ENOSPC;
	if (!err) {
		*field = pool.nr_fields++;
		*length = (size_t)pool.nr_field * BUFFER_SIZE;
		*memory = pool.memory + (size_t)pool.nr_own * BUFFER_SIZE +
			  *field * *length;
	}
	pool_unlock();
	return err;
}

static uint32_t index_of(unsigned int field, uint32_t chunk)
{
	return pool.nr_own + field * pool.nr_field + chunk;
}

static bool is_held(uint32_t chunk, void *arg)
{
	const unsigned int *field = arg;

	return __atomic_load_n(&pool.buffers[index_of(*field, chunk)].state,
			       __ATOMIC_RELAXED) != FREE;
}

/* Buffers that the program still has may now belong to other slices than before. */
static void begin_field(unsigned int field, struct xsk *host)
{
	struct field *f = &pool.fields[field];
	enum state state;

	*f = (struct field){ .host = host, .slice = xdp_get()->slice(host) };
	for (uint32_t i = 0; i < xdp_get()->chunks(host); i++) {
		state = pool.buffers[index_of(field, i)].state;
		if (state == FIRST || state == CHECKED)
			++*chunk_held(f, i);
	}
}

int pool_open_host(unsigned int field, struct xsk_attr *attr, struct xsk **host,
		   struct xsk_why *why)
{
	int err;

	attr->is_held = is_held;
	attr->arg = &field;
	pool_lock();
	err = xdp_get()->open(host, attr, why);
	if (!err)
		begin_field(field, *host);
	pool_unlock();
	return err;
}

void pool_close_host(unsigned int field)
{
	struct xsk *host;

	pool_lock();
	host = pool.fields[field].host;
	pool.fields[field].host = NULL;
	pool_unlock();
	if (host)
		xdp_get()->close(host, false);
}

/* Take a quarter of the chunks that no ring has yet, so that others can come. */
uint32_t pool_ring(unsigned int field)
{
	struct field *f = &pool.fields[field];
	uint32_t ring = RING_MAX;

	pool_lock();
	while (ring >= RING_MIN && f->rings + ON_THE_WAY + 4 * ring > f->slice)
		ring /= 2;
	if (ring < RING_MIN)
		ring = 0;
	f->rings += ring;
	pool_unlock();
	return ring;
}

void pool_drop_ring(unsigned int field, uint32_t ring)
{
	pool_lock();
	pool.fields[field].rings -= ring;
	pool_unlock();
}

void pool_take_chunk(unsigned int field, uint32_t chunk)
{
	__atomic_store_n(&pool.buffers[index_of(field, chunk)].state, IN_HAND,
			 __ATOMIC_RELAXED);
}

static void drop_chunk(unsigned int field, uint32_t chunk)
{
	pool.buffers[index_of(field, chunk)].state = FREE;
	chunk_drop(&pool.fields[field], chunk);
}

/* Return true if its queue can do without another chunk. */
static bool may_hold(unsigned int field, uint32_t chunk)
{
	struct field *f = &pool.fields[field];
	const uint32_t *held = chunk_held(f, chunk);

	return !held || *held + f->rings + ON_THE_WAY < f->slice;
}

/* Choose the buffer that the program gets. */
static uint32_t settle_chunk(unsigned int field, uint32_t chunk, void **data,
			     size_t len)
{
	uint32_t index = index_of(field, chunk);
	uint32_t *held = chunk_held(&pool.fields[field], chunk);

	if (may_hold(field, chunk) || !pool.nr_free) {
		if (held)
			++*held;
		return index;
	}
	index = pool.free[--pool.nr_free];
	*data = memcpy(pool.memory + (size_t)index * BUFFER_SIZE, *data, len);
	drop_chunk(field, chunk);
	return index;
}

void pool_deliver_chunk(unsigned int field, uint32_t chunk, void *data,
			size_t len, struct onload_zc_iovec *iov,
			struct quota *quota)
{
	uint32_t index;

	pool_lock();
	index = settle_chunk(field, chunk, &data, len);
	pool.buffers[index].state = FIRST;
	pool.buffers[index].next = NONE;
	*iov = (struct onload_zc_iovec){ .iov_base = data,
					 .iov_len = len,
					 .buf = pool_handle(index) };
	pool_use(index, quota);
	pool_unlock();
}

void pool_drop_chunk(unsigned int field, uint32_t chunk)
{
	pool_lock();
	drop_chunk(field, chunk);
	pool_unlock();
}
