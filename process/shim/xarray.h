/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Arrays by index, as far as the driver uses them. An index may be in use without an
 * entry, as the kernel's are between xa_alloc() with none and xa_store().
 */
#ifndef INPROC_XARRAY_H
#define INPROC_XARRAY_H

#include "list.h"
#include "sched.h"

/* Bits of a slot: it is in use, and no index below it is free. */
struct xa_node {
	u64 used;
	u64 full;
	void *slots[64];
};

struct xarray {
	pthread_mutex_t lock; /* recursive, for loads under xa_lock() */
	unsigned long first; /* first index for xa_alloc() */
	unsigned int shift; /* bits of an index below a slot of the root */
	struct xa_node *root;
};

struct xa_limit {
	u32 max;
};

/* The lowest index is the array's first. */
#define XA_LIMIT(low, high) ((struct xa_limit){ high })
#define xa_limit_31b ((struct xa_limit){ INT32_MAX })
#define XA_PRESENT 0
#define XA_FLAGS_ACCOUNT 0
#define XA_FLAGS_ALLOC 0
#define XA_FLAGS_ALLOC1 1

/* Numbers as entries. */
#define xa_mk_value(v) ((void *)((unsigned long)(v) << 1 | 1))
#define xa_to_value(entry) ((unsigned long)(entry) >> 1)

#define INPROC_XARRAY_INIT(begin)                                              \
	{                                                                      \
		.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .first = begin \
	}
#define DEFINE_XARRAY(name) struct xarray name = INPROC_XARRAY_INIT(0)
#define DEFINE_XARRAY_FLAGS(name, flags) \
	struct xarray name = INPROC_XARRAY_INIT(flags)

static inline void xa_init_flags(struct xarray *xa, unsigned long first)
{
	*xa = (struct xarray)INPROC_XARRAY_INIT(first);
}

#define xa_lock(xa) pthread_mutex_lock(&(xa)->lock)
#define xa_unlock(xa) pthread_mutex_unlock(&(xa)->lock)
#define xa_empty(xa) (!(xa)->root)

void xa_destroy(struct xarray *xa);
/* Call it with xa_lock() held. */
void *__xa_load(struct xarray *xa, unsigned long index);
void *xa_load(struct xarray *xa, unsigned long index);
void *xa_store(struct xarray *xa, unsigned long index, void *entry, int gfp);
int xa_insert(struct xarray *xa, unsigned long index, void *entry, int gfp);
void *xa_erase(struct xarray *xa, unsigned long index);
#define __xa_insert(xa, index, entry, gfp) xa_insert(xa, index, entry, gfp)
#define __xa_erase(xa, index) xa_erase(xa, index)
#define __xa_store(xa, index, entry, gfp) xa_store(xa, index, entry, gfp)
void *xa_cmpxchg(struct xarray *xa, unsigned long index, void *old, void *entry,
		 int gfp);
int xa_alloc(struct xarray *xa, u32 *index, void *entry, struct xa_limit limit,
	     int gfp);
int xa_alloc_cyclic(struct xarray *xa, u32 *index, void *entry,
		    struct xa_limit limit, u32 *next, int gfp);
/* Find the first entry from *index on. */
void *xa_find(struct xarray *xa, unsigned long *index, unsigned long max,
	      int filter);

#define xa_for_each_start(xa, i, entry, start)                                \
	for ((i) = (start), entry = xa_find(xa, &(i), ULONG_MAX, XA_PRESENT); \
	     entry; (i)++, entry = xa_find(xa, &(i), ULONG_MAX, XA_PRESENT))

#endif
