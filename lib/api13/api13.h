/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The objects of the levels 1.3 and 1.5, and what the files of this library share.
 *
 * The levels are built on the public functions of level 3.0, which v3.h lists, and their
 * objects are in its registry of debug mode. A device is the same object at all levels; all others are of these levels and hold
 * those of level 3.0:
 *
 *	buffer		a buffer, with what is known of it
 *	inventory	an inventory, and a structure for each of its buffers
 *	mmap		an mmap for each chunk, with all devices
 *	work queue	a progress engine
 *	lane		a DMA context, for each work queue of a context
 *
 * What level 1.5 has changed is in level15.c; the objects are the same.
 */
#ifndef DOCA_API13_API13_H
#define DOCA_API13_API13_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_common_defines.h>
#include <doca_ctx.h>
#include <doca_dma.h>

#include "v3.h"

#define NAME_SIZE 128

struct chunk;
struct lane;

/* In an inventory; the program's while it has a length. */
struct doca_buf {
	struct v3_buf *v3;
	void *head;
	size_t len;

	/*
	 * For what it is ready at level 3.0: its data are so many bytes from its
	 * head, or NOT_READY; and it has no data, so room for so many bytes from
	 * its head, or 0. Never both.
	 */
	size_t source_len;
	size_t room;
	uint32_t holds; /* the program's, and those of jobs in flight */

	struct doca_mmap *mmap;
	struct chunk *chunk;
	struct doca_buf_inventory *inventory;
	struct doca_buf *next_free;
};

#define NOT_READY SIZE_MAX

struct doca_buf_inventory {
	char name[NAME_SIZE];
	struct v3_buf_inventory *v3;
	struct doca_buf *bufs;
	struct doca_buf *free, *last_free;
	uint32_t nr, nr_free;
	uint32_t extensions;
	bool started;
};

struct chunk {
	void *addr;
	size_t len;
	uintptr_t reach; /* the last byte of any up to it, by address */
	struct v3_mmap *v3; /* NULL: it lies within another one */
	doca_mmap_memrange_free_cb_t *free_cb;
	void *opaque;
	struct chunk *next; /* in the order in which they were added */
};

struct doca_mmap {
	char name[NAME_SIZE];
	struct chunk **chunks; /* by address, but for those within others */
	struct chunk *first, **last; /* all */
	uint32_t nr_chunks, nr_ranges, max_chunks, room;
	struct doca_dev **devs;
	struct v3_mmap *holder; /* of these */
	uint32_t nr_devs, max_devs;
	uint32_t access; /* enum doca_mmap_access_flags */
	uint32_t nr_bufs;
	bool started;
	bool ever_started;
	bool exported;
	bool from_export;
};

struct doca_ctx {
	pthread_mutex_t lock; /* of all below */
	struct doca_dev *dev;
	struct v3_mmap *holder; /* of the device */
	struct lane *lanes;
	bool started;
};

struct doca_dma {
	struct doca_ctx ctx;
};

enum attention {
	ATTEND_LANES = 1, /* one has stopped, or its failed jobs wait */
	ATTEND_DEBUG = 2, /* always in debug mode */
};

struct doca_workq {
	struct v3_pe *pe;
	struct doca_event *ev; /* to be filled; NULL: it was */

	/*
	 * That of the last job, if its lane is up, else something that is no
	 * context. In debug mode it never is one, so that jobs take the slow way.
	 */
	const void *current_ctx;
	struct lane *current; /* its lane */

	int64_t room; /* for so many jobs more */
	uint32_t depth;
	struct lane *lanes;
	int attention; /* enum attention; 0: events come quickly */
};

#define PUBLIC DOCA_STABLE

/* What is longer is cut off. */
void api13_set_name(char *to, const char *name);

/*
 * A memory map of level 3.0 that has devices, so that they stay open, and nothing
 * else. One that was removed cannot be held.
 */
doca_error_t api13_devs_hold(struct doca_dev *const *devs, uint32_t nr,
			     struct v3_mmap **holder);
doca_error_t api13_dev_check(struct doca_dev *dev);

/* The parts that both levels have. */
doca_error_t api13_mmap_new(const char *name, struct doca_mmap **mmap,
			    const char *func);
doca_error_t api13_mmap_set_max_chunks(struct doca_mmap *mmap, uint32_t max,
				       const char *func);
doca_error_t api13_mmap_import(const char *name, const void *desc, size_t len,
			       struct doca_dev *dev, struct doca_mmap **mmap,
			       const char *func);
doca_error_t api13_inventory_new(const char *name, size_t nr,
				 uint32_t extensions,
				 struct doca_buf_inventory **inventory,
				 const char *func);
doca_error_t api13_buf_take(struct doca_buf_inventory *inventory,
			    struct doca_mmap *mmap, void *addr, size_t len,
			    void *data, size_t data_len, struct doca_buf **out,
			    const char *func);

/* For nothing: its data are what the program wants, or it was released. */
static inline void buf_unready(struct doca_buf *buf)
{
	buf->source_len = NOT_READY;
	buf->room = 0;
}
doca_error_t api13_devinfo_pci_addr(const struct doca_devinfo *devinfo,
				    struct doca_pci_bdf *bdf);

/* mmap.c, for export.c and buf.c */
void api13_mmap_free(struct doca_mmap *mmap);
struct chunk *api13_chunk_new(struct doca_mmap *mmap, void *addr, size_t len,
			      doca_error_t *ret);
doca_error_t api13_mmap_insert(struct doca_mmap *mmap, struct chunk *chunk);
struct chunk *api13_mmap_find(const struct doca_mmap *mmap, const void *addr,
			      size_t len);
doca_error_t api13_mmap_may_change(const struct doca_mmap *mmap,
				   const char *what);
bool api13_mmap_has_dev(const struct doca_mmap *mmap,
			const struct doca_dev *dev);

/* A buffer goes back with its last reference. */
void api13_buf_put(struct doca_buf *buf);

/* The same of a job's source; and its destination, which the job lets go of. */
void api13_drop_bufs(struct doca_buf *src, struct doca_buf *dst);

#endif /* DOCA_API13_API13_H */
