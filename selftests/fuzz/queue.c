// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Steps on workers, on queues and on their mappings. */
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calls.h"
#include "language.h"
#include "sides.h"

#define POLL_MS 5

void do_worker_create(const uint8_t *a)
{
	struct doca_worker_create arg = {
		.size = sizeof(arg),
		.idle_us = a[2] < 0xe0 ? a[2] * a[2] : take_number(a[2]),
	};

	if (!call_driver(take_recent(&self.files, a[0]), DOCA_WORKER_CREATE, &arg,
			 sizeof(arg), a[TWIST]))
		recent_add(&self.workers, arg.out_worker_id);
}

void do_worker_destroy(const uint8_t *a)
{
	struct doca_object_destroy arg = {
		.size = sizeof(arg),
		.type = DOCA_OBJECT_WORKER,
		.id = take_recent(&self.workers, a[2]),
	};

	call_driver(take_recent(&self.files, a[0]), DOCA_OBJECT_DESTROY, &arg,
		    sizeof(arg), a[TWIST]);
}

/* An area that cannot be mapped is as bad an address as any. */
static char *map_area(const struct ring *ring, size_t length, int protection, off_t at)
{
	void *area = mmap(NULL, length, protection, MAP_SHARED, ring->fd, at);

	return area == MAP_FAILED ? NULL : area;
}

void add_ring(const struct doca_queue_create *geo)
{
	uint32_t made = __atomic_load_n(&self.nr_rings, __ATOMIC_RELAXED);
	struct ring *ring = &self.rings[made % RECENT];

	*ring = (struct ring){ .fd = geo->out_fd, .geo = *geo };
	ring->user = map_area(ring, geo->out_user_size, PROT_READ | PROT_WRITE,
			      DOCA_MMAP_USER);
	ring->kernel = map_area(ring, geo->out_kernel_size, PROT_READ,
				DOCA_MMAP_KERNEL);
	if (!ring->user || !ring->kernel)
		return;
	__atomic_store_n(&self.nr_rings, made + 1, __ATOMIC_RELEASE);
}

/* After a twisted call the sizes are unknown. */
void do_queue_create(const uint8_t *a)
{
	uint32_t order = a[3] % 8;
	struct doca_queue_create arg = {
		.size = sizeof(arg),
		.device_id = take_recent(&common->devices, a[2]),
		.worker_id = a[4] & 1 ? take_recent(&self.workers, a[4] >> 1) : 0,
		.sq_entries = a[3] < 0xe0 ? 8U >> order % 3 << order / 3 :
					    take_number(a[3]),
		.nr_segments = a[6] ? take_number(a[6]) : 8,
		.nr_waits = a[7] ? take_number(a[7]) : 2,
		.opcodes = a[4] & 0x80 ? (2ULL << DOCA_OP_GCM_DECRYPT) - 1 : 0,
		.nr_sessions = a[4] & 0x80 ? FUZZ_SESSIONS : 0,
	};

	arg.cq_entries = a[5] < 0x80 ? arg.sq_entries << a[5] % 2 : take_number(a[5]);
	if (!call_driver(take_recent(&self.files, a[0]), DOCA_QUEUE_CREATE, &arg,
			 sizeof(arg), a[TWIST]) && !a[TWIST])
		add_ring(&arg);
}

/* Make another mapping of any kind, which nothing uses. */
void do_queue_map(const uint8_t *a)
{
	const struct ring *ring = take_ring(a[0]);
	off_t at = a[1] & 1 ? DOCA_MMAP_KERNEL : DOCA_MMAP_USER;
	size_t length = a[1] & 1 ? ring->geo.out_kernel_size : ring->geo.out_user_size;
	int flags = a[2] & 4 ? MAP_PRIVATE : MAP_SHARED;

	if (a[3])
		at += take_number(a[3]) * PAGE_BYTES;
	if (a[4])
		length = take_length(a[4]);
	mmap(NULL, length, a[2] & 3 ? a[2] & 7 : PROT_READ, flags, ring->fd, at);
}

static char *area_of(const struct ring *ring, uint8_t which, size_t *length)
{
	*length = which & 1 ? ring->geo.out_kernel_size : ring->geo.out_user_size;
	return which & 1 ? ring->kernel : ring->user;
}

/* Move a mapping away; steps that use it afterwards die of it. */
void do_queue_remap(const uint8_t *a)
{
	struct ring *ring = take_ring(a[0]);
	size_t length;
	char *area = area_of(ring, a[1], &length), *to;
	size_t want = a[2] ? take_length(a[2]) : length;

	if (!ring->user || ring->fd < 0)
		return;
	to = mremap(area, length, want, MREMAP_MAYMOVE);
	if (to == MAP_FAILED)
		return;
	if (a[1] & 1)
		ring->kernel = to;
	else
		ring->user = to;
	if (want < length)
		*ring = (struct ring){ .fd = ring->fd, .user = ARENA, .kernel = ARENA,
				       .geo = { .sq_entries = 1, .cq_entries = 1,
						.out_user_size = PAGE_BYTES } };
}

/* Threads then see another ring instead, or none. */
void do_queue_unmap(const uint8_t *a)
{
	struct ring *ring = take_ring(a[0]);
	size_t length;
	char *area = area_of(ring, a[1], &length);

	if (ring->fd >= 0)
		mmap(area, length, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* Protect a mapping, and restore it, if that is possible. */
void do_queue_protect(const uint8_t *a)
{
	struct ring *ring = take_ring(a[0]);
	size_t length;
	char *area = area_of(ring, a[1], &length);

	if (ring->fd < 0)
		return;
	mprotect(area, length, a[2] & 7);
	mprotect(area, length, a[1] & 1 ? PROT_READ : PROT_READ | PROT_WRITE);
}

void do_queue_close(const uint8_t *a)
{
	struct ring *ring = take_ring(a[0]);

	if (ring->fd >= 0)
		close(ring->fd);
}

void do_enter(const uint8_t *a)
{
	struct doca_queue_enter arg = {
		.size = sizeof(arg),
		.max_entries = a[2] ? take_number(a[2]) : 0xffffffff,
	};

	call_driver(take_ring(a[0])->fd, DOCA_QUEUE_ENTER, &arg, sizeof(arg), a[TWIST]);
}

void do_stop(const uint8_t *a)
{
	struct doca_queue_stop arg = { .size = sizeof(arg) };

	call_driver(take_ring(a[0])->fd, DOCA_QUEUE_STOP, &arg, sizeof(arg), a[TWIST]);
}

void do_poll(const uint8_t *a)
{
	struct pollfd fd = { .fd = take_ring(a[0])->fd, .events = POLLIN | POLLOUT };

	poll(&fd, 1, a[1] ? POLL_MS : 0);
}
