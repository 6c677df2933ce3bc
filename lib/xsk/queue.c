// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The sockets of one receiver: one on each receive queue of its interface, for frames are
 * told apart by the card, over one memory. A chunk is the kernel's, in a fill ring or on
 * its way, or the program's. Its fill ring is always the same, so that none runs dry while
 * another has all.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "internal.h"

enum chunk_owner { CHUNK_KERNEL, CHUNK_PROGRAM };

static uint32_t power_of_two(uint32_t n)
{
	return n > 1 ? 1u << (32 - __builtin_clz(n - 1)) : 1;
}

uint32_t xsk_chunks(const struct xsk *xsk)
{
	return xsk->nr_chunks;
}

enum xsk_mode xsk_mode(const struct xsk *xsk)
{
	return xsk->mode;
}

int xsk_fd(const struct xsk *xsk)
{
	return xsk->epoll_fd;
}

int xsk_error(const struct xsk *xsk)
{
	uint32_t i;
	int err;

	for (i = 0; i < xsk->nr_queues; i++) {
		err = sys_queue_error(&xsk->queues[i]);
		if (err)
			return err;
	}
	return 0;
}

void xsk_refill(struct xsk *xsk)
{
	struct xsk_sys_queue *queue;
	uint32_t i, at, chunk;

	if (!xsk->nr_given)
		return;
	/* There is room: each ring is as large as all chunks. */
	for (i = 0; i < xsk->nr_given; i++) {
		chunk = xsk->given[i];
		queue = &xsk->queues[chunk % xsk->nr_queues];
		if (!xsk_ring_prod__reserve(&queue->fill, 1, &at))
			break;
		*xsk_ring_prod__fill_addr(&queue->fill, at) =
			(uint64_t)chunk * xsk->sizes.chunk;
		xsk->owner[chunk] = CHUNK_KERNEL;
		xsk->filled[chunk % xsk->nr_queues]++;
	}
	xsk->nr_given -= i;
	memmove(xsk->given, xsk->given + i,
		xsk->nr_given * sizeof(*xsk->given));
	for (i = 0; i < xsk->nr_queues; i++) {
		queue = &xsk->queues[i];
		if (!xsk->filled[i])
			continue;
		xsk_ring_prod__submit(&queue->fill, xsk->filled[i]);
		xsk->filled[i] = 0;
		if (xsk_ring_prod__needs_wakeup(&queue->fill))
			sys_queue_wake(queue);
	}
}

bool xsk_give(struct xsk *xsk, uint32_t chunk)
{
	if (chunk >= xsk->nr_chunks || xsk->owner[chunk] != CHUNK_PROGRAM ||
	    xsk->nr_given == xsk->nr_chunks)
		return false;
	/* It is nobody's until it is in a ring, and cannot be given twice. */
	xsk->owner[chunk] = CHUNK_KERNEL;
	xsk->given[xsk->nr_given++] = chunk;
	return true;
}

/* False for one that no sound kernel would give. */
static bool take(struct xsk *xsk, const struct xdp_desc *shared,
		 struct xsk_frame *frame)
{
	struct xdp_desc desc = *shared;
	uint64_t chunk = desc.addr / xsk->sizes.chunk;
	uint64_t offset = desc.addr % xsk->sizes.chunk;

	if (chunk >= xsk->nr_chunks || desc.len > xsk->sizes.chunk - offset ||
	    offset < sizeof(struct steer_tags) ||
	    xsk->owner[chunk] != CHUNK_KERNEL)
		return false;
	xsk->owner[chunk] = CHUNK_PROGRAM;
	frame->chunk = chunk;
	frame->data = xsk->memory + desc.addr;
	frame->length = desc.len;
	return true;
}

bool xsk_next(struct xsk *xsk, struct xsk_frame *frame)
{
	struct xsk_sys_queue *queue;
	uint32_t i, at;
	bool sound;

	for (i = 0; i < xsk->nr_queues; i++) {
		queue = &xsk->queues[xsk->turn];
		while (xsk_ring_cons__peek(&queue->rx, 1, &at)) {
			sound = take(xsk,
				     xsk_ring_cons__rx_desc(&queue->rx, at),
				     frame);
			xsk_ring_cons__release(&queue->rx, 1);
			if (sound)
				return true;
		}
		if (++xsk->turn == xsk->nr_queues)
			xsk->turn = 0;
	}
	return false;
}

bool xsk_pending(const struct xsk *xsk)
{
	uint32_t i;

	for (i = 0; i < xsk->nr_queues; i++) {
		const struct xsk_ring_cons *rx = &xsk->queues[i].rx;

		if (__atomic_load_n(rx->producer, __ATOMIC_ACQUIRE) !=
		    rx->cached_cons)
			return true;
	}
	return false;
}

/* They lie in the kernel's headroom. Chunks are used again, so they are taken away. */
struct xsk_tags xsk_take_tags(const struct xsk_frame *frame)
{
	struct steer_tags tags;
	char *at = (char *)frame->data - sizeof(tags);

	memcpy(&tags, at, sizeof(tags));
	if (tags.magic != STEER_MAGIC)
		return (struct xsk_tags){ 0 };
	memset(at, 0, sizeof(tags.magic));
	return (struct xsk_tags){ .flow_tag = tags.flow_tag,
				  .metadata = tags.metadata };
}

static void close_queues(struct xsk *xsk)
{
	while (xsk->nr_queues)
		sys_queue_close(&xsk->queues[--xsk->nr_queues]);
	sys_memory_del(xsk->umem);
}

static int bind_queues(struct xsk *xsk, uint32_t nr, struct xsk_why *why)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct xsk_sys_queue *queue;
	enum xsk_mode mode;
	int err;

	xsk->mode = XSK_ZEROCOPY;
	while (xsk->nr_queues < nr) {
		queue = &xsk->queues[xsk->nr_queues];
		err = sys_queue_bind(queue, xsk->ifname, xsk->nr_queues,
				     xsk->umem, &xsk->sizes, &mode);
		if (err)
			return xsk_explain(why, XSK_STEP_BIND, err, xsk->ifname,
					   0);
		xsk->nr_queues++;
		if (mode < xsk->mode)
			xsk->mode = mode;
		if (epoll_ctl(xsk->epoll_fd, EPOLL_CTL_ADD, queue->fd, &event))
			return xsk_explain(why, XSK_STEP_BIND, -errno,
					   xsk->ifname, 0);
	}
	return 0;
}

static int open_queues(struct xsk *xsk, const struct xsk_attr *attr,
		       struct xsk_why *why)
{
	uint32_t nr = 0;
	int err = sys_nr_queues(xsk->ifname, &nr);

	if (err)
		return xsk_explain(why, XSK_STEP_INTERFACE, err, xsk->ifname,
				   0);
	if (nr > STEER_QUEUES)
		return xsk_explain(why, XSK_STEP_QUEUES, -EOPNOTSUPP,
				   xsk->ifname, 0);
	err = sys_memory_add(&xsk->umem, attr->memory,
			     (size_t)xsk->nr_chunks * attr->chunk, &xsk->sizes,
			     &xsk->queues[0]);
	if (err)
		return xsk_explain(why, XSK_STEP_MEMORY, err, xsk->ifname,
				   attr->length);
	err = bind_queues(xsk, nr, why);
	if (!err)
		err = port_add_xsk(xsk, why);
	if (err)
		close_queues(xsk);
	return err;
}

/* One block: the chunks' owners behind those that were given back. */
static struct xsk *new_xsk(const struct xsk_attr *attr)
{
	size_t nr = attr->length / attr->chunk;
	struct xsk *xsk;

	if (nr > XSK_MAX_CHUNKS)
		nr = XSK_MAX_CHUNKS;
	xsk = calloc(1, sizeof(*xsk) + nr * (sizeof(*xsk->given) +
					     sizeof(*xsk->owner)));
	if (!xsk)
		return NULL;
	xsk->given = (uint32_t *)(xsk + 1);
	xsk->owner = (uint8_t *)(xsk->given + nr);
	xsk->nr_chunks = nr;
	xsk->memory = attr->memory;
	xsk->room = attr->room;
	xsk->sizes = (struct xsk_sys_sizes){
		.chunk = attr->chunk,
		.headroom = attr->headroom,
		.fill = power_of_two(nr),
		.rx = power_of_two(attr->burst),
	};
	strncpy(xsk->ifname, attr->ifname, sizeof(xsk->ifname) - 1);
	return xsk;
}

int xsk_open(struct xsk **out, const struct xsk_attr *attr, struct xsk_why *why)
{
	struct xsk *xsk = new_xsk(attr);
	uint32_t i;
	int err;

	if (!xsk)
		return xsk_explain(why, XSK_STEP_MEMORY, -ENOMEM, attr->ifname,
				   attr->length);
	xsk->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (xsk->epoll_fd < 0)
		err = xsk_explain(why, XSK_STEP_BIND, -errno, xsk->ifname, 0);
	else
		err = open_queues(xsk, attr, why);
	if (err) {
		if (xsk->epoll_fd >= 0)
			close(xsk->epoll_fd);
		free(xsk);
		return err;
	}
	for (i = 0; i < xsk->nr_chunks; i++) {
		xsk->given[i] = i;
		xsk->owner[i] = CHUNK_KERNEL;
	}
	xsk->nr_given = xsk->nr_chunks;
	xsk_refill(xsk);
	*out = xsk;
	return 0;
}

void xsk_close(struct xsk *xsk, bool forked)
{
	port_del_xsk(xsk, forked);
	close(xsk->epoll_fd);
	close_queues(xsk);
	free(xsk);
}
