// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The chunks and rings of one receiver. Each queue has a slice of the memory, so that none runs
 * dry while another has everything. The kernel has a chunk, in the fill ring or on its way, or
 * the program has it, whatever others may write into the rings. Receivers that share take frames
 * from their own sockets, in their host's chunks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

enum chunk_owner {
	CHUNK_KERNEL,
	CHUNK_GIVEN, /* given back, but in no ring yet */
	CHUNK_PROGRAM,
};

bool xsk_is_built(void)
{
	return true;
}

static uint32_t power_of_two(uint32_t n)
{
	return n > 1 ? 1u << (32 - __builtin_clz(n - 1)) : 1;
}

uint32_t xsk_chunks(const struct xsk *xsk)
{
	return xsk->nr_chunks;
}

uint32_t xsk_slice(const struct xsk *xsk)
{
	return xsk->slice;
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

uint64_t xsk_lost(const struct xsk *xsk)
{
	uint64_t lost = 0;
	uint32_t i;

	for (i = 0; i < xsk->nr_queues; i++)
		lost += sys_queue_lost(&xsk->queues[i]);
	return lost;
}

static uint8_t owner_of(const struct xsk *xsk, uint32_t chunk)
{
	return __atomic_load_n(&xsk->owner[chunk], __ATOMIC_RELAXED);
}

static void set_owner(struct xsk *xsk, uint32_t chunk, enum chunk_owner owner)
{
	__atomic_store_n(&xsk->owner[chunk], owner, __ATOMIC_RELAXED);
}

static void put_given(struct xsk *xsk)
{
	struct xsk_sys_queue *queue;
	uint32_t i, at, chunk, slice;

	/* There is room: each ring is as large as its slice. */
	for (i = 0; i < xsk->nr_given; i++) {
		chunk = xsk->given[i];
		slice = chunk / xsk->slice;
		queue = &xsk->queues[slice];
		if (!xsk_ring_prod__reserve(&queue->fill, 1, &at))
			break;
		*xsk_ring_prod__fill_addr(&queue->fill, at) =
			(uint64_t)(chunk % xsk->slice) * xsk->sizes.chunk;
		set_owner(xsk, chunk, CHUNK_KERNEL);
		xsk->filled[slice]++;
	}
	xsk->nr_given -= i;
	memmove(xsk->given, xsk->given + i,
		xsk->nr_given * sizeof(*xsk->given));
	for (i = 0; i < xsk->nr_queues; i++) {
		if (xsk->filled[i])
			xsk_ring_prod__submit(&xsk->queues[i].fill,
					      xsk->filled[i]);
		xsk->filled[i] = 0;
	}
}

static bool has_chunks(const struct xsk_ring_prod *fill)
{
	return __atomic_load_n(fill->consumer, __ATOMIC_RELAXED) !=
	       *fill->producer;
}

/*
 * A driver that has found no chunk asks to be woken, which may happen after new ones were
 * put there: so check for that in any case.
 */
void xsk_refill(struct xsk *xsk)
{
	struct xsk_sys_queue *queue;
	uint32_t i;

	if (xsk->nr_given)
		put_given(xsk);
	for (i = 0; i < xsk->nr_queues; i++) {
		queue = &xsk->queues[i];
		if (xsk_ring_prod__needs_wakeup(&queue->fill) &&
		    has_chunks(&queue->fill))
			sys_queue_wake(queue);
	}
}

bool xsk_give(struct xsk *xsk, uint32_t chunk)
{
	if (chunk >= xsk->nr_chunks || owner_of(xsk, chunk) != CHUNK_PROGRAM ||
	    xsk->nr_given == xsk->nr_chunks)
		return false;
	set_owner(xsk, chunk, CHUNK_GIVEN);
	xsk->given[xsk->nr_given++] = chunk;
	return true;
}

/* Return false for a descriptor that no sound kernel would give. The copy is checked. */
static bool read_desc(const struct xsk *host, uint32_t queue,
		      const struct xdp_desc *shared, struct xsk_frame *frame)
{
	uint64_t addr = __atomic_load_n(&shared->addr, __ATOMIC_RELAXED);
	uint32_t length = __atomic_load_n(&shared->len, __ATOMIC_RELAXED);
	uint64_t within = addr / host->sizes.chunk;
	uint64_t offset = addr % host->sizes.chunk;
	uint32_t chunk = queue * host->slice + within;

	if (within >= host->slice || length > host->sizes.chunk - offset ||
	    offset < sizeof(struct steer_tags) ||
	    owner_of(host, chunk) != CHUNK_KERNEL)
		return false;
	frame->chunk = chunk;
	frame->data = host->memory + (size_t)chunk * host->sizes.chunk + offset;
	frame->length = length;
	return true;
}

/* A ring that claims to hold more than it can is read once around. */
static bool next_of_ring(struct xsk *xsk, struct xsk_ring_cons *rx,
			 struct xsk_frame *frame, bool stays)
{
	uint32_t n, at;
	bool sound;

	for (n = 0; n < rx->size && xsk_ring_cons__peek(rx, 1, &at); n++) {
		sound = read_desc(xsk->host, xsk->turn,
				  xsk_ring_cons__rx_desc(rx, at), frame);
		if (sound && stays) {
			xsk_ring_cons__cancel(rx, 1);
			return true;
		}
		if (sound)
			set_owner(xsk->host, frame->chunk, CHUNK_PROGRAM);
		xsk_ring_cons__release(rx, 1);
		if (sound)
			return true;
	}
	return false;
}

#define RUN 32 /* frames of one queue, while others may have some */

static void end_turn(struct xsk *xsk)
{
	xsk->run = 0;
	if (++xsk->turn == xsk->nr_queues)
		xsk->turn = 0;
}

static inline bool next_of_all(struct xsk *xsk, struct xsk_frame *frame,
			       bool stays)
{
	uint32_t i;

	for (i = 0; i < xsk->nr_queues; i++) {
		if (next_of_ring(xsk, &xsk->queues[xsk->turn].rx, frame, stays))
			return true;
		end_turn(xsk);
	}
	return false;
}

bool xsk_next(struct xsk *xsk, struct xsk_frame *frame)
{
	if (!next_of_all(xsk, frame, false))
		return false;
	if (++xsk->run >= RUN)
		end_turn(xsk);
	return true;
}

bool xsk_look(struct xsk *xsk, struct xsk_frame *frame)
{
	return next_of_all(xsk, frame, true);
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

/* Tags lie in the kernel's headroom. Chunks are reused, so remove the tags. */
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

/* Forget the tags of frames that were not taken, in an earlier queue over this memory. */
static void forget_tags(const struct xsk *xsk, uint32_t chunk)
{
	char *data = xsk->memory + (size_t)chunk * xsk->sizes.chunk +
		     XSK_XDP_HEADROOM + xsk->sizes.headroom;

	memset(data - sizeof(struct steer_tags), 0, sizeof(struct steer_tags));
}

/* From now on its frames come. */
static int start(struct xsk *xsk, uint32_t nr, struct xsk_why *why)
{
	int err = sockets_open(xsk, nr, why);

	if (err)
		return err;
	err = port_add_xsk(xsk, why);
	if (err)
		sockets_close(xsk);
	return err;
}

/* Slices consist of whole pages. */
static int count_queues(struct xsk *xsk, uint32_t *nr, struct xsk_why *why)
{
	uint32_t page = sysconf(_SC_PAGESIZE) / xsk->sizes.chunk;
	int err = sys_nr_queues(xsk->ifname, nr);

	if (err)
		return xsk_explain(why, XSK_STEP_INTERFACE, err, xsk->ifname,
				   0);
	if (*nr > STEER_QUEUES)
		return xsk_explain(why, XSK_STEP_QUEUES, -EOPNOTSUPP,
				   xsk->ifname, 0);
	xsk->slice = xsk->nr_chunks / *nr;
	if (page > 1)
		xsk->slice -= xsk->slice % page;
	if (!xsk->slice)
		return xsk_explain(why, XSK_STEP_MEMORY, -EINVAL, xsk->ifname,
				   0);
	xsk->nr_chunks = xsk->slice * *nr;
	xsk->sizes.fill = power_of_two(xsk->slice);
	return 0;
}

/* Allocate one block: the chunks' owners follow those that were given back. */
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
	xsk->host = xsk;
	xsk->given = (uint32_t *)(xsk + 1);
	xsk->owner = (uint8_t *)(xsk->given + nr);
	xsk->nr_chunks = nr;
	xsk->memory = attr->memory;
	xsk->room = attr->room;
	xsk->sizes = (struct xsk_sys_sizes){
		.chunk = attr->chunk,
		.headroom = attr->headroom,
		.rx = power_of_two(attr->burst),
	};
	strncpy(xsk->ifname, attr->ifname, sizeof(xsk->ifname) - 1);
	return xsk;
}

int xsk_open(struct xsk **out, const struct xsk_attr *attr, struct xsk_why *why)
{
	struct xsk *xsk = new_xsk(attr);
	uint32_t nr = 0, i;
	int err;

	if (!xsk)
		return xsk_explain(why, XSK_STEP_MEMORY, -ENOMEM, attr->ifname,
				   attr->length);
	err = count_queues(xsk, &nr, why);
	if (!err)
		err = start(xsk, nr, why);
	if (err) {
		free(xsk);
		return err;
	}
	for (i = 0; i < xsk->nr_chunks; i++) {
		if (attr->is_held && attr->is_held(i, attr->arg)) {
			xsk->owner[i] = CHUNK_PROGRAM;
			continue;
		}
		forget_tags(xsk, i);
		xsk->owner[i] = CHUNK_GIVEN;
		xsk->given[xsk->nr_given++] = i;
	}
	xsk_refill(xsk);
	*out = xsk;
	return 0;
}

int xsk_share(struct xsk **out, struct xsk *host, uint32_t burst,
	      struct xsk_why *why)
{
	struct xsk *xsk = calloc(1, sizeof(*xsk));
	int err;

	if (!xsk)
		return xsk_explain(why, XSK_STEP_MEMORY, -ENOMEM, host->ifname,
				   sizeof(*xsk));
	xsk->host = host;
	xsk->room = host->room;
	xsk->sizes = host->sizes;
	xsk->sizes.rx = power_of_two(burst);
	memcpy(xsk->ifname, host->ifname, sizeof(xsk->ifname));
	err = start(xsk, host->nr_queues, why);
	if (err)
		free(xsk);
	else
		*out = xsk;
	return err;
}

void xsk_close(struct xsk *xsk, bool forked)
{
	port_del_xsk(xsk, forked);
	sockets_close(xsk);
	free(xsk);
}
