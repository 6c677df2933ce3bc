// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A mapping of all physical addresses, an arena that is written to, and a queue that the
 * calling thread executes. A round is up to 16 entries of up to 64 pieces each; what is
 * longer than there is room for goes on in the next one.
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

enum { ENTRIES = 16, PARTS = 64, SLOT = 32 << 10, ARENA = ENTRIES * SLOT };

/* As many as any machine has; what is not there is absent. */
#define ADDRESSES ((uint64_t)1 << 52)

/* A part of a piece, in a round. */
struct part {
	struct gather_piece *piece;
	uint32_t offset, len;
};

struct gather {
	uint32_t generation;
	uint32_t mem, key;
	uint32_t arena_mem, arena_key;
	uint8_t *arena;
	struct driver_queue queue;
	struct part parts[ENTRIES][PARTS];
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

static doca_error_t map_physical(struct gather *g, uint32_t device)
{
	int err = driver_mem_reg_physical(ADDRESSES, &g->mem);

	if (err) {
		g->mem = 0;
		return refused(err);
	}
	err = driver_mem_map(g->mem, device, DOCA_ACCESS_LOCAL_READ, &g->key);
	return err ? refused(err) : DOCA_SUCCESS;
}

static doca_error_t map_arena(struct gather *g, uint32_t device)
{
	const uint32_t access = DOCA_ACCESS_LOCAL_READ |
				DOCA_ACCESS_LOCAL_WRITE;
	struct driver_mem_limit limit;
	void *p;
	int err;

	p = mmap(NULL, ARENA, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return FAIL(NO_MEMORY, "out of memory to read memory into");
	g->arena = p;
	madvise(p, ARENA, MADV_DONTDUMP);
	err = driver_mem_reg(p, ARENA, access, &g->arena_mem, &limit);
	if (err)
		g->arena_mem = 0;
	else
		err = driver_mem_map(g->arena_mem, device, access,
				     &g->arena_key);
	if (err)
		return FAIL(NO_MEMORY,
			    "%d bytes to read memory into cannot be "
			    "registered: %s; is RLIMIT_MEMLOCK too small?",
			    ARENA, strerror(-err));
	return DOCA_SUCCESS;
}

static doca_error_t make_queue(struct gather *g, uint32_t device)
{
	const struct driver_queue_attr attr = {
		.device_id = device,
		.entries = ENTRIES,
		.segments = ENTRIES * PARTS,
		.opcodes = 1ULL << DOCA_OP_GATHER,
	};
	int err = driver_queue_create(&g->queue, &attr);

	return err ? FAIL(INITIALIZATION,
			  "no queue to read physical memory: %s",
			  strerror(-err)) :
		     DOCA_SUCCESS;
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

static doca_error_t set_up(struct gather *g, uint32_t device)
{
	doca_error_t ret = map_physical(g, device);

	if (ret == DOCA_SUCCESS)
		ret = map_arena(g, device);
	if (ret == DOCA_SUCCESS)
		ret = make_queue(g, device);
	return ret;
}

/* Of a parent's there is only memory left. */
static void tear_down(struct gather *g)
{
	bool ours = driver_current(g->generation);

	if (ours && g->queue.ring.kernel)
		driver_queue_destroy(&g->queue);
	if (ours && g->mem)
		driver_mem_dereg(g->mem);
	if (ours && g->arena_mem)
		driver_mem_dereg(g->arena_mem);
	if (g->arena) {
		explicit_bzero(g->arena, ARENA);
		munmap(g->arena, ARENA);
	}
	if (ours)
		driver_put();
	free(g);
}

doca_error_t doca_priv_gather_open(struct doca_dev *dev, struct gather **gather)
{
	struct gather *g;
	uint32_t device;
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
	device = dev ? doca_priv_dev_id(dev) : any_device();
	ret = set_up(g, device);
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

/* What one entry has room for: how many parts. */
static uint32_t fill_slot(struct gather *g, uint32_t slot, struct cursor *c)
{
	struct doca_seg *segs = g->queue.ring.segs + slot * PARTS;
	uint32_t nr = 0, left = SLOT;

	while (nr < PARTS && left && !at_end(c)) {
		uint32_t len = c->piece->len - c->done;

		if (len > left)
			len = left;
		segs[nr] = (struct doca_seg){
			.key = g->key,
			.length = len,
			.address = c->piece->pa + c->done,
		};
		g->parts[slot][nr++] = (struct part){ c->piece, c->done, len };
		c->done += len;
		left -= len;
	}
	return nr;
}

static void submit_slot(struct gather *g, uint32_t slot, uint32_t nr)
{
	struct doca_sqe *sqe = ring_get_sqe(&g->queue.ring);

	sqe->opcode = DOCA_OP_GATHER;
	sqe->flags = DOCA_SQE_SRC_LIST;
	sqe->user_data = slot;
	sqe->src.length = nr;
	sqe->src.address = slot * PARTS;
	sqe->dst.key = g->arena_key;
	sqe->dst.length = SLOT;
	sqe->dst.address = (uintptr_t)g->arena + slot * SLOT;
}

static void take_slot(struct gather *g, uint32_t slot, uint32_t nr,
		      uint64_t absent)
{
	const uint8_t *from = g->arena + (size_t)slot * SLOT;

	for (uint32_t i = 0; i < nr; i++) {
		const struct part *part = &g->parts[slot][i];

		memcpy((uint8_t *)part->piece->to + part->offset, from,
		       part->len);
		from += part->len;
		g->stats.bytes += part->len;
		if (absent >> i & 1)
			part->piece->absent = true;
	}
}

/* The next completion, which the thread brings about itself; NULL if there is none. */
static const struct doca_cqe *await(struct gather *g)
{
	struct ring *ring = &g->queue.ring;
	const struct doca_cqe *cqe = ring_peek(ring);

	while (!cqe) {
		int err = driver_queue_enter(&g->queue);

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
	uint32_t nr[ENTRIES], slots = 0;

	while (slots < ENTRIES && !at_end(c)) {
		nr[slots] = fill_slot(g, slots, c);
		submit_slot(g, slots, nr[slots]);
		slots++;
	}
	if (!slots)
		return 0;
	ring_submit(&g->queue.ring);
	g->stats.rounds++;
	for (uint32_t i = 0; i < slots; i++) {
		const struct doca_cqe *cqe = await(g);

		if (!cqe || cqe->status || cqe->user_data >= slots)
			return lost(cqe ? cqe->status : 0);
		take_slot(g, cqe->user_data, nr[cqe->user_data],
			  cqe->result[0]);
		ring_release(&g->queue.ring);
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
