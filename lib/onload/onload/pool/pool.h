/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Data and functions shared by the pool's files. All of it is under the lock of the pool. */
#ifndef DOCA_ONLOAD_POOL_H
#define DOCA_ONLOAD_POOL_H

#include "../base/xdp.h"
#include "../zc.h"

#define FIELDS_MAX 8
#define NONE UINT32_MAX
/* Chunks of each queue that threads hold, or that were given back but are not the kernel's yet. */
#define ON_THE_WAY 64

enum state {
	FREE,
	IN_HAND,
	FIRST, /* the program's; it releases this one */
	REST,
	CHECKED, /* FIRST, while a list is checked */
};

struct buffer {
	uint32_t generation;
	uint32_t next; /* next buffer of the same datagram */
	enum state state;
	struct quota *quota; /* quota that counts it */
	uint32_t socket; /* socket of that quota */
};

/*
 * @slice chunks on each receive queue: @rings for frames that wait, @held are the
 *	program's.
 */
struct field {
	struct xsk *host;
	uint32_t slice;
	uint32_t rings;
	uint32_t held[STEER_QUEUES];
};

struct pool {
	char *memory;
	struct buffer *buffers;
	uint32_t *free;
	uint32_t nr, nr_own, nr_free;
	uint32_t nr_field; /* in each field */
	unsigned int nr_fields;
	struct field fields[FIELDS_MAX];
	uint32_t limit, used; /* limit and use of the program */
	uint32_t quota; /* quota of each socket */
	uint64_t *shown; /* copy of used for others to see */
	bool inherited;
};

/*
 * chunk.c: return the count of the program's chunks on this one's queue; NULL if no
 * queue has it: slices may have been different when the program got it.
 */
uint32_t *chunk_held(struct field *f, uint32_t chunk);
/* The program has released a chunk; call the second one after the last of some. */
void chunk_release(struct field *f, uint32_t chunk);
void chunk_refill(struct field *f);
/* The program never had this one. */
void chunk_drop(struct field *f, uint32_t chunk);

extern struct pool pool;

/* pool.c: call it before anything else; return 0 or -ENOMEM. */
int pool_begin(void);
/* The program has the buffer now; it counts for the socket that it came from. */
void pool_use(uint32_t index, struct quota *quota);
onload_zc_handle pool_handle(uint32_t index);

#endif /* DOCA_ONLOAD_POOL_H */
