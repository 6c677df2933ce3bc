/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The objects of the levels 1.3 and 1.5, and everything that files of this library
 * share.
 *
 * The levels are built on the public functions of level 3.0, which v3.h lists, and their
 * objects are in its registry of debug mode. A device is the same object at all levels; all others are of these levels and hold
 * those of level 3.0:
 *
 *  buffer      a buffer, with cached facts about it
 *  inventory   an inventory, and a structure for each of its buffers
 *  mmap        an mmap for each chunk, with all devices
 *  work queue  a progress engine
 *  lane        a DMA context, for each work queue of a context
 *
 * level15.c has everything that differs at level 1.5; the objects are the same.
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

/* A buffer of an inventory. The program owns it while its length is not 0. */
struct doca_buf {
	struct v3_buf *v3;
	void *head;
	size_t len;

	/*
	 * The buffer of level 3.0 is ready as a source, with this many bytes of
	 * data from its head on, or it is NOT_READY; or it is ready as a
	 * destination, without data and with room for this many bytes from its
	 * head on, or 0. Never both.
	 */
	size_t source_len;
	size_t room;
	uint32_t holds; /* references of the program and of jobs in flight */

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
	uintptr_t reach; /* last byte of all chunks up to it, by address */
	struct v3_mmap *v3; /* NULL: the chunk lies within another one */
	doca_mmap_memrange_free_cb_t *free_cb;
	void *opaque;
	struct chunk *next; /* in the order of addition */
};

struct doca_mmap {
	char name[NAME_SIZE];
	struct chunk **chunks; /* by address, without those within others */
	struct chunk *first, **last; /* all chunks */
	uint32_t nr_chunks, nr_ranges, max_chunks, room;
	struct doca_dev **devs;
	struct v3_mmap *holder; /* holds the devices */
	uint32_t nr_devs, max_devs;
	uint32_t access; /* enum doca_mmap_access_flags */
	uint32_t nr_bufs;
	bool started;
	bool ever_started;
	bool exported;
	bool from_export;
};

struct doca_ctx {
	pthread_mutex_t lock; /* protects all below */
	struct doca_dev *dev;
	struct v3_mmap *holder; /* holds the device */
	struct lane *lanes;
	bool started;
};

struct doca_dma {
	struct doca_ctx ctx;
};

enum attention {
	ATTEND_LANES = 1, /* a lane has stopped, or its failed jobs wait */
	ATTEND_DEBUG = 2, /* always set in debug mode */
};

struct doca_workq {
	struct v3_pe *pe;
	struct doca_event *ev; /* to be filled; NULL: it was filled */

	/*
	 * The context of the last job, if its lane is up, otherwise no context at
	 * all. Debug mode never sets it, so that jobs take the slow path.
	 */
	const void *current_ctx;
	struct lane *current; /* its lane */

	int64_t room; /* number of jobs that still fit */
	uint32_t depth;
	struct lane *lanes;
	int attention; /* enum attention; 0: events take the short path */
};

#define PUBLIC DOCA_STABLE

/* Copy a name, and truncate it if necessary. */
void api13_set_name(char *to, const char *name);

/*
 * Make an mmap of level 3.0 that only keeps devices open. A device that was
 * removed cannot be held.
 */
doca_error_t api13_devs_hold(struct doca_dev *const *devs, uint32_t nr,
			     struct v3_mmap **holder);
doca_error_t api13_dev_check(struct doca_dev *dev);

/* Common parts of both levels. */
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

/* Make a buffer ready for nothing: the program has set its data, or it was released. */
static inline void buf_unready(struct doca_buf *buf)
{
	buf->source_len = NOT_READY;
	buf->room = 0;
}
doca_error_t api13_devinfo_pci_addr(const struct doca_devinfo *devinfo,
				    struct doca_pci_bdf *bdf);

/* mmap.c, for export.c and buf.c. */
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

/* Drop a reference; the last one returns the buffer. */
void api13_buf_put(struct doca_buf *buf);

/* Drop a job's last reference to its source, and its reference to the destination. */
void api13_drop_bufs(struct doca_buf *src, struct doca_buf *dst);

#endif /* DOCA_API13_API13_H */
