// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Buffers of 2 KiB. The program may have DOCA_ZC_BUFFERS of them at a time. There are more,
 * for a datagram's size is not known before it is received, and none is truncated: each
 * receiver holds the buffers of the largest datagram while it calls the kernel. A receiver
 * that has begun when the program had one less than its limit can exceed the limit by that
 * many. So can a socket that has few buffers: a share is its own, whatever others keep.
 *
 * After these there are fields, one for each interface whose frames go past the kernel: see
 * field.c.
 *
 * A handle is the buffer's index and generation. A freed buffer begins the next generation,
 * so a second release, or a handle of another process, finds nothing.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pool.h"

#define BUFFERS_DEFAULT 8192
#define BUFFERS_LIMIT (1 << 20)
#define RECEIVERS_MAX 256
#define QUOTAS 64 /* sockets that still get one when all buffers are kept */
#define INDEX_BITS 24

struct pool pool;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void pool_lock(void)
{
	pthread_mutex_lock(&lock);
}

void pool_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

void pool_leave_to_parent(void)
{
	pool.inherited = true;
	pool.shown = NULL;
	memset(pool.fields, 0, sizeof(pool.fields));
}

static uint32_t wanted_buffers(void)
{
	const char *text = secure_getenv("DOCA_ZC_BUFFERS");
	char *end;
	long n;

	if (!text)
		return BUFFERS_DEFAULT;
	n = strtol(text, &end, 10);
	if (end != text && !*end && n >= 1 && n <= BUFFERS_LIMIT)
		return n;
	log_error(
		"DOCA_ZC_BUFFERS: '%s' is not a number from 1 to %d; there are %d buffers",
		text, BUFFERS_LIMIT, BUFFERS_DEFAULT);
	return BUFFERS_DEFAULT;
}

static void *map(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void unmap(void *p, size_t size)
{
	if (p)
		munmap(p, size);
}

static uint32_t whole_pages(uint32_t nr)
{
	const uint32_t page = sysconf(_SC_PAGESIZE) / BUFFER_SIZE;

	return page > 1 ? (nr + page - 1) / page * page : nr;
}

static int make(void)
{
	const uint32_t limit = wanted_buffers();
	const uint32_t quota = limit / QUOTAS ?: 1;
	const uint32_t nr_own = whole_pages(limit + QUOTAS * quota +
					    RECEIVERS_MAX * BUFFERS_MAX);
	const uint32_t wanted = limit + RING_MAX + ON_THE_WAY;
	const uint32_t nr_field =
		whole_pages(wanted < XSK_MAX_CHUNKS ? wanted : XSK_MAX_CHUNKS);
	const uint32_t nr = nr_own + FIELDS_MAX * nr_field;
	struct buffer *buffers = map(nr * sizeof(*buffers));
	uint32_t *list = map(nr_own * sizeof(*list));
	char *memory = map((size_t)nr * BUFFER_SIZE);

	if (!buffers || !list || !memory) {
		log_error(
			"no memory for %u buffers; see DOCA_ZC_BUFFERS in onload(1)",
			nr_own);
		unmap(buffers, nr * sizeof(*buffers));
		unmap(list, nr_own * sizeof(*list));
		unmap(memory, (size_t)nr * BUFFER_SIZE);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < nr_own; i++)
		list[i] = nr_own - 1 - i;
	pool = (struct pool){ .memory = memory,
			      .buffers = buffers,
			      .free = list,
			      .nr = nr,
			      .nr_own = nr_own,
			      .nr_free = nr_own,
			      .nr_field = nr_field,
			      .limit = limit,
			      .quota = quota };
	return 0;
}

static void release_chunk(uint32_t at)
{
	chunk_release(&pool.fields[at / pool.nr_field], at % pool.nr_field);
}

static void set_free(uint32_t i)
{
	pool.buffers[i].state = FREE;
	pool.buffers[i].generation++;
	if (i < pool.nr_own)
		pool.free[pool.nr_free++] = i;
	else
		release_chunk(i - pool.nr_own);
}

/* The parent's buffers have no handle in a child. */
static void disown(void)
{
	for (uint32_t i = 0; i < pool.nr; i++)
		if (pool.buffers[i].state != FREE)
			set_free(i);
	__atomic_store_n(&pool.used, 0, __ATOMIC_RELAXED);
	pool.inherited = false;
}

int pool_begin(void)
{
	int err = 0;

	if (!pool.memory)
		err = make();
	if (err)
		return err;
	if (pool.inherited)
		disown();
	if (!pool.shown) {
		struct stats *stats = stats_get();

		stats->buffers = pool.limit;
		pool.shown = &stats->kept;
	}
	return 0;
}

static void set_used(uint32_t used)
{
	__atomic_store_n(&pool.used, used, __ATOMIC_RELAXED);
	__atomic_store_n(pool.shown, used, __ATOMIC_RELAXED);
}

/* The program has the buffer now; it counts in the share of the socket that it came from. */
void pool_use(uint32_t index, struct quota *quota)
{
	pool.buffers[index].quota = quota;
	pool.buffers[index].socket = quota->socket;
	__atomic_store_n(&quota->kept, quota->kept + 1, __ATOMIC_RELAXED);
	set_used(pool.used + 1);
}

/* Another socket may have the number by now. */
static void unuse(uint32_t index)
{
	struct quota *quota = pool.buffers[index].quota;

	if (quota->socket == pool.buffers[index].socket)
		__atomic_store_n(&quota->kept, quota->kept - 1,
				 __ATOMIC_RELAXED);
	set_used(pool.used - 1);
}

void pool_begin_quota(struct quota *quota)
{
	pthread_mutex_lock(&lock);
	quota->socket++;
	quota->kept = 0;
	pthread_mutex_unlock(&lock);
}

bool pool_may_keep(const struct quota *quota)
{
	const uint32_t used = __atomic_load_n(&pool.used, __ATOMIC_RELAXED);

	return used < pool.limit ||
	       (__atomic_load_n(&quota->kept, __ATOMIC_RELAXED) < pool.quota &&
		used < pool.limit + QUOTAS * pool.quota);
}

int pool_open(void)
{
	int err;

	pthread_mutex_lock(&lock);
	err = pool_begin();
	pthread_mutex_unlock(&lock);
	return err;
}

int pool_land(struct landing *landing, const struct quota *quota)
{
	int err;

	pthread_mutex_lock(&lock);
	err = pool_begin();
	if (!err && (!pool_may_keep(quota) || pool.nr_free < BUFFERS_MAX))
		err = -ENOBUFS;
	for (unsigned int i = 0; !err && i < BUFFERS_MAX; i++) {
		uint32_t index = pool.free[--pool.nr_free];

		pool.buffers[index].state = IN_HAND;
		landing->index[i] = index;
		landing->vec[i] = (struct iovec){
			.iov_base = pool.memory + (size_t)index * BUFFER_SIZE,
			.iov_len = BUFFER_SIZE,
		};
	}
	pthread_mutex_unlock(&lock);
	return err;
}

/* Put them back in the order of reuse: the one written last comes first. */
static void put_back(const struct landing *landing, unsigned int from)
{
	for (unsigned int i = BUFFERS_MAX; i-- > from;)
		set_free(landing->index[i]);
}

void pool_cancel(const struct landing *landing)
{
	pthread_mutex_lock(&lock);
	put_back(landing, 0);
	pthread_mutex_unlock(&lock);
}

onload_zc_handle pool_handle(uint32_t index)
{
	uint64_t generation = pool.buffers[index].generation;

	return (onload_zc_handle)(uintptr_t)(generation << INDEX_BITS |
					     (index + 1));
}

/* Return the buffer of a handle; NONE if it is not the program's. */
static uint32_t find(onload_zc_handle handle)
{
	uint64_t value = (uintptr_t)handle;
	uint32_t index = (value & ((1 << INDEX_BITS) - 1)) - 1;

	if (index >= pool.nr || pool_handle(index) != handle)
		return NONE;
	return index;
}

static struct onload_zc_iovec part_of(uint32_t index, size_t len)
{
	return (struct onload_zc_iovec){
		.iov_base = pool.memory + (size_t)index * BUFFER_SIZE,
		.iov_len = len,
		.buf = pool_handle(index),
	};
}

unsigned int pool_deliver(const struct landing *landing, size_t len,
			  struct onload_zc_iovec *iov, struct quota *quota)
{
	unsigned int i, nr = len ? (len + BUFFER_SIZE - 1) / BUFFER_SIZE : 1;

	pthread_mutex_lock(&lock);
	for (i = 0; i < nr; i++) {
		uint32_t index = landing->index[i];
		size_t part = len < BUFFER_SIZE ? len : BUFFER_SIZE;

		pool.buffers[index].state = i ? REST : FIRST;
		pool.buffers[index].next = i + 1 < nr ? landing->index[i + 1] :
							NONE;
		iov[i] = part_of(index, part);
		pool_use(index, quota);
		len -= part;
	}
	put_back(landing, nr);
	pthread_mutex_unlock(&lock);
	return nr;
}

static void refill(void)
{
	for (unsigned int i = 0; i < pool.nr_fields; i++)
		chunk_refill(&pool.fields[i]);
}

static void release_chain(uint32_t index)
{
	while (index != NONE) {
		uint32_t next = pool.buffers[index].next;

		unuse(index);
		set_free(index);
		index = next;
	}
}

void pool_take_back(onload_zc_handle first, bool settle)
{
	uint32_t index;

	pthread_mutex_lock(&lock);
	if (!pool_begin()) {
		index = find(first);
		if (index != NONE && pool.buffers[index].state == FIRST)
			release_chain(index);
		if (settle)
			refill();
	}
	pthread_mutex_unlock(&lock);
}

void pool_settle(void)
{
	pthread_mutex_lock(&lock);
	if (!pool_begin())
		refill();
	pthread_mutex_unlock(&lock);
}

int pool_alloc(struct onload_zc_iovec *iov, unsigned int nr,
	       struct quota *quota)
{
	int err;

	pthread_mutex_lock(&lock);
	err = pool_begin();
	if (!err && (pool.used > pool.limit || nr > pool.limit - pool.used ||
		     nr > pool.nr_free))
		err = -ENOMEM;
	for (unsigned int i = 0; !err && i < nr; i++) {
		uint32_t index = pool.free[--pool.nr_free];

		pool.buffers[index].state = FIRST;
		pool.buffers[index].next = NONE;
		iov[i] = part_of(index, BUFFER_SIZE);
		pool_use(index, quota);
	}
	pthread_mutex_unlock(&lock);
	return err;
}

/* If one is listed twice, the second is no longer FIRST. */
int pool_release(const onload_zc_handle *bufs, unsigned int nr)
{
	unsigned int i;
	int err;

	pthread_mutex_lock(&lock);
	err = pool_begin();
	for (i = 0; !err && i < nr; i++) {
		uint32_t index = find(bufs[i]);

		if (index == NONE || pool.buffers[index].state != FIRST) {
			err = -EINVAL;
			break;
		}
		pool.buffers[index].state = CHECKED;
	}
	while (i-- > 0) {
		uint32_t index = find(bufs[i]);

		if (index == NONE)
			continue; /* the list has changed */
		if (err)
			pool.buffers[index].state = FIRST;
		else
			release_chain(index);
	}
	refill();
	pthread_mutex_unlock(&lock);
	return err;
}
