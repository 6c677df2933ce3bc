/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What the files of the pool share. All of it is under the lock of the pool. */
#ifndef DOCA_ONLOAD_POOL_H
#define DOCA_ONLOAD_POOL_H

#include "../base/xdp.h"
#include "../zc.h"

#define FIELDS_MAX 8
#define NONE UINT32_MAX
/* Of each queue, chunks that are in hands, or given back but not yet the kernel's. */
#define ON_THE_WAY 64

enum state {
	FREE,
	IN_HAND,
	FIRST, /* the program's, and the one that it releases */
	REST,
	CHECKED, /* FIRST, while a list is checked */
};

struct buffer {
	uint32_t generation;
	uint32_t next; /* of the same datagram */
	enum state state;
	struct quota *quota; /* in which it counts */
	uint32_t socket; /* of that quota */
};

/* On each receive queue, @slice chunks: @rings for what waits, @held are the program's. */
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
	uint32_t limit, used; /* of the program */
	uint32_t quota; /* of each socket */
	uint64_t *shown; /* the same as used, for others to see */
	bool inherited;
};

/*
 * chunk.c. How many the program has of the queue that has this one. NULL if none has:
 * slices may have been others when the program got it.
 */
uint32_t *chunk_held(struct field *f, uint32_t chunk);
/* One that is not the program's any more; and behind the last of some. */
void chunk_release(struct field *f, uint32_t chunk);
void chunk_refill(struct field *f);
/* One that was never the program's. */
void chunk_drop(struct field *f, uint32_t chunk);

extern struct pool pool;

/* pool.c. Before anything else: 0 or -ENOMEM */
int pool_begin(void);
/* It is the program's, and counts for the socket that it came from. */
void pool_use(uint32_t index, struct quota *quota);
onload_zc_handle pool_handle(uint32_t index);

#endif /* DOCA_ONLOAD_POOL_H */
