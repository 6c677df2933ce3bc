// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A mapping of all physical addresses, and a window: an arena that is written to, and a
 * queue that the calling thread executes. Each slot of a window is an entry of up to 64
 * pieces. All that is read at once is one round, and so a window grows to what it is; only
 * what is longer than the largest one goes on in the next round.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/failure.h"
#include "core/base/log.h"
#include "core/driver/devinfo.h"
#include "core/driver/driver.h"

#include "dev.h"
#include "gather.h"

LOG_SOURCE("COMMON::GATHER");

enum { PARTS = 64, SLOT = 32 << 10, FIRST_SLOTS = 16, MAX_SLOTS = 1024 };

/* As many as any machine has; what is not there is absent. */
#define ADDRESSES ((uint64_t)1 << 52)

/* A part of a piece, in a round. */
struct part {
	struct gather_piece *piece;
	uint32_t offset, len;
};

struct slot {
	struct part parts[PARTS];
	uint32_t nr;
};

struct window {
	uint32_t nr; /* slots, a power of two */
	struct slot *slots;
	uint32_t mem, key;
	uint8_t *arena;
	struct driver_queue queue;
};

struct gather {
	uint32_t generation;
	uint32_t device;
	uint32_t mem, key;
	struct window *window;
	struct gather_stats stats;
};

/* How far a read has got. */
struct cursor {
	struct gather_piece *piece, *end;
	uint32_t done;
};

static doca_error_t refused(int err)
{
	switch (err) {
	case -EOPNOTSUPP:
		if (driver_is_in_process())
			return FAIL(NOT_SUPPORTED,
				    "the driver within the process has no "
				    "physical memory; load doca.ko");
		return FAIL(
			NOT_SUPPORTED,
			"doca.ko offers no physical memory; load it with "
			"physical_memory=1, in a machine whose memory is not "
			"encrypted");
	case -EPERM:
		return FAIL(
			NOT_PERMITTED,
			"physical memory may not be read: it needs "
			"CAP_SYS_RAWIO and CAP_SYS_ADMIN, and a kernel that is "
			"not locked down");
	default:
		return FAIL(INITIALIZATION,
			    "physical memory cannot be registered: %s",
			    strerror(-err));
	}
}

static doca_error_t map_physical(struct gather *g)
{
	int err = driver_mem_reg_physical(ADDRESSES, &g->mem);

	if (err) {
		g->mem = 0;
		return refused(err);
	}
	err = driver_mem_map(g->mem, g->device, DOCA_ACCESS_LOCAL_READ,
			     &g->key);
	return err ? refused(err) : DOCA_SUCCESS;
}

static int make_arena(struct window *w, uint32_t device)
{
	const uint32_t access = DOCA_ACCESS_LOCAL_READ |
				DOCA_ACCESS_LOCAL_WRITE;
	size_t size = (size_t)w->nr * SLOT;
	struct driver_mem_limit limit;
	void *p;
	int err;

	p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return -errno;
	w->arena = p;
	madvise(p, size, MADV_DONTDUMP);
	err = driver_mem_reg(p, size, access, &w->mem, &limit);
	if (err) {
		w->mem = 0;
		return err;
	}
	return driver_mem_map(w->mem, device, access, &w->key);
}

/* Of a parent's there is only memory left. */
static void free_window(struct window *w, bool ours)
{
	if (ours && w->queue.ring.kernel)
		driver_queue_destroy(&w->queue);
	if (ours && w->mem)
		driver_mem_dereg(w->mem);
	if (w->arena) {
		explicit_bzero(w->arena, (size_t)w->nr * SLOT);
		munmap(w->arena, (size_t)w->nr * SLOT);
	}
	free(w->slots);
	free(w);
}

static int new_window(uint32_t device, uint32_t nr, struct window **window)
{
	const struct driver_queue_attr attr = {
		.device_id = device,
		.entries = nr,
		.segments = nr * PARTS,
		.opcodes = 1ULL << DOCA_OP_GATHER,
	};
	struct window *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return -ENOMEM;
	w->nr = nr;
	w->slots = calloc(nr, sizeof(*w->slots));
	err = w->slots ? make_arena(w, device) : -ENOMEM;
	if (!err)
		err = driver_queue_create(&w->queue, &attr);
	if (err)
		free_window(w, true);
	else
		*window = w;
	return err;
}

/* To @nr slots, or as many as there is memory for. */
static void grow_window(struct gather *g, uint32_t nr)
{
	struct window *w;

	for (; nr > g->window->nr; nr /= 2) {
		if (new_window(g->device, nr, &w))
			continue;
		free_window(g->window, true);
		g->window = w;
	}
}

static uint32_t any_device(void)
{
	struct doca_devinfo *infos = NULL;
	uint32_t id = 0, nr = 0;

	if (!driver_list_devices(&infos, &nr) && nr)
		id = doca_priv_devinfo_id(&infos[0]);
	free(infos);
	return id;
}

static doca_error_t set_up(struct gather *g)
{
	doca_error_t ret = map_physical(g);
	int err;

	if (ret != DOCA_SUCCESS)
		return ret;
	err = new_window(g->device, FIRST_SLOTS, &g->window);
	if (!err)
		return DOCA_SUCCESS;
	if (err == -ENOMEM)
		return FAIL(NO_MEMORY,
			    "%d bytes to read memory into cannot be "
			    "registered: %s; is RLIMIT_MEMLOCK too small?",
			    FIRST_SLOTS * SLOT, strerror(-err));
	return FAIL(INITIALIZATION, "no queue to read physical memory: %s",
		    strerror(-err));
}

static void tear_down(struct gather *g)
{
	bool ours = driver_current(g->generation);

	if (g->window)
		free_window(g->window, ours);
	if (ours && g->mem)
		driver_mem_dereg(g->mem);
	if (ours)
		driver_put();
	free(g);
}

doca_error_t doca_priv_gather_open(struct doca_dev *dev, struct gather **gather)
{
	struct gather *g;
	doca_error_t ret;
	int err;

	if (dev && dev_has_driver(dev) != DOCA_SUCCESS)
		return DOCA_ERROR_NOT_SUPPORTED;
	err = driver_get();
	if (err)
		return FAIL(INITIALIZATION, "no driver: %s",
			    dev_driver_reason(err));
	g = calloc(1, sizeof(*g));
	if (!g) {
		driver_put();
		return OUT_OF_MEMORY("a reader of physical memory");
	}
	g->generation = driver_generation();
	g->device = dev ? doca_priv_dev_id(dev) : any_device();
	ret = set_up(g);
	if (ret != DOCA_SUCCESS) {
		tear_down(g);
		return ret;
	}
	*gather = g;
	return DOCA_SUCCESS;
}

void doca_priv_gather_close(struct gather *gather)
{
	if (gather)
		tear_down(gather);
}

struct gather_stats doca_priv_gather_stats(const struct gather *gather)
{
	return gather->stats;
}

static bool at_end(struct cursor *c)
{
	while (c->piece < c->end && c->done == c->piece->len) {
		c->piece++;
		c->done = 0;
	}
	return c->piece == c->end;
}

/* Of the next piece as much as there is room for. */
static struct part next_part(struct cursor *c, uint32_t room)
{
	uint32_t len = c->piece->len - c->done;
	struct part part = { c->piece, c->done, len < room ? len : room };

	c->done += part.len;
	return part;
}

/* What a slot has room for. */
static void fill_slot(struct slot *slot, struct cursor *c)
{
	uint32_t room = SLOT;

	for (slot->nr = 0; slot->nr < PARTS && room && !at_end(c); slot->nr++) {
		slot->parts[slot->nr] = next_part(c, room);
		room -= slot->parts[slot->nr].len;
	}
}

/* How many slots the rest takes, a power of two, which one window can have. */
static uint32_t slots_for(struct cursor c)
{
	uint32_t nr = 0, all = FIRST_SLOTS;
	struct slot slot;

	for (; nr < MAX_SLOTS && !at_end(&c); nr++)
		fill_slot(&slot, &c);
	while (all < nr)
		all *= 2;
	return all;
}

static void submit_slot(struct gather *g, uint32_t i)
{
	struct window *w = g->window;
	struct doca_seg *segs = w->queue.ring.segs + i * PARTS;
	struct doca_sqe *sqe = ring_get_sqe(&w->queue.ring);

	for (uint32_t k = 0; k < w->slots[i].nr; k++) {
		const struct part *part = &w->slots[i].parts[k];

		segs[k] = (struct doca_seg){
			.key = g->key,
			.length = part->len,
			.address = part->piece->pa + part->offset,
		};
	}
	sqe->opcode = DOCA_OP_GATHER;
	sqe->flags = DOCA_SQE_SRC_LIST;
	sqe->user_data = i;
	sqe->src.length = w->slots[i].nr;
	sqe->src.address = i * PARTS;
	sqe->dst.key = w->key;
	sqe->dst.length = SLOT;
	sqe->dst.address = (uintptr_t)w->arena + (uint64_t)i * SLOT;
}

static void take_slot(struct gather *g, uint32_t i, uint64_t absent)
{
	const uint8_t *from = g->window->arena + (size_t)i * SLOT;
	const struct slot *slot = &g->window->slots[i];

	for (uint32_t k = 0; k < slot->nr; k++) {
		const struct part *part = &slot->parts[k];

		memcpy((uint8_t *)part->piece->to + part->offset, from,
		       part->len);
		from += part->len;
		g->stats.bytes += part->len;
		if (absent >> k & 1)
			part->piece->absent = true;
	}
}

/* The next completion, which the thread brings about itself; NULL if there is none. */
static const struct doca_cqe *await(struct gather *g)
{
	struct ring *ring = &g->window->queue.ring;
	const struct doca_cqe *cqe = ring_peek(ring);

	while (!cqe) {
		int err = driver_queue_enter(&g->window->queue);

		cqe = ring_peek(ring);
		if (!cqe && ((err && err != -EINTR) || ring_dead(ring) ||
			     ring_state(ring) == DOCA_QUEUE_BROKEN))
			break;
	}
	return cqe;
}

static int lost(uint32_t status)
{
	if (status == DOCA_STATUS_BAD_ACCESS)
		LOG_ERR("physical memory is read no more: the kernel was "
			"locked down");
	else if (status)
		LOG_ERR("physical memory is read no more: %s",
			failure_of(status).why);
	else
		LOG_ERR("physical memory is read no more: the device was "
			"removed, or the driver has ended");
	return -EIO;
}

/* As much as there is room for, and waited for. */
static int read_round(struct gather *g, struct cursor *c)
{
	struct window *w = g->window;
	uint32_t nr = 0;

	for (; nr < w->nr && !at_end(c); nr++) {
		fill_slot(&w->slots[nr], c);
		submit_slot(g, nr);
	}
	ring_submit(&w->queue.ring);
	g->stats.rounds++;
	for (uint32_t i = 0; i < nr; i++) {
		const struct doca_cqe *cqe = await(g);

		if (!cqe || cqe->status || cqe->user_data >= nr)
			return lost(cqe ? cqe->status : 0);
		take_slot(g, (uint32_t)cqe->user_data, cqe->result[0]);
		ring_release(&w->queue.ring);
	}
	return 0;
}

int doca_priv_gather_read(struct gather *gather, struct gather_piece *pieces,
			  unsigned int nr)
{
	struct cursor c = { .piece = pieces, .end = pieces + nr };

	if (!driver_current(gather->generation)) {
		LOG_ERR("the memory was opened before a fork");
		return -EIO;
	}
	for (unsigned int i = 0; i < nr; i++)
		pieces[i].absent = false;
	grow_window(gather, slots_for(c));
	while (!at_end(&c)) {
		int err = read_round(gather, &c);

		if (err)
			return err;
	}
	for (unsigned int i = 0; i < nr; i++)
		if (pieces[i].absent)
			memset(pieces[i].to, 0, pieces[i].len);
	return 0;
}
