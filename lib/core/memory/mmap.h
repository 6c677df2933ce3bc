/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Memory maps: a range of memory, the devices that may reach it, and a key for
 * each of them, which entries of rings carry.
 *
 * The data path needs the first fields only, and takes no lock. The kernel
 * refuses a key that was retired meanwhile, so a stale one is harmless.
 */
#ifndef DOCA_CORE_MMAP_H
#define DOCA_CORE_MMAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_mmap.h>

#include "core/base/symver.h"

struct ibv_mr;

/*
 * An owner of an mmap's memory that needs to know which parts are in use. Its
 * functions are called for each buffer that is made of the memory or released, with
 * the buffer's first byte.
 */
struct mmap_owner {
	void (*get)(const struct mmap_owner *owner, void *head);
	void (*put)(const struct mmap_owner *owner, void *head);
};

/* Kinds of exports: each has a descriptor of its own. */
enum mmap_kind { MMAP_PCI, MMAP_RDMA, MMAP_KINDS };

/* Programs keep descriptors in buffers of this size. */
#define MMAP_MAX_BLOB 512

struct mmap_blob {
	void *bytes; /* NULL until exported */
	uint32_t len;
};

/*
 * The access of one device to the memory. A device without the driver, and an import without
 * the driver's help, have no key; a device without verbs has no memory region.
 */
struct mmap_key {
	struct doca_dev *dev; /* referenced */
	uint32_t key; /* 0: none; the kernel always refuses it */
	uint32_t lkey; /* key of the memory region */
	uint32_t rkey; /* peers' key of it; in an import of a peer's, the key to name there */
	struct ibv_mr *mr; /* NULL until its key is asked for */
	struct mmap_blob blobs[MMAP_KINDS];
};

struct doca_mmap {
	/*
	 * The owner's address. The address of an import belongs to the
	 * exporter, and is never dereferenced.
	 */
	void *addr;
	size_t len;
	struct mmap_key *keys; /* &one unless there were several devices */
	uint32_t nr_devs;
	uint32_t num_bufs;
	bool started;
	bool writable; /* the keys allow local writes */
	bool thread_safe;
	uint32_t access; /* DOCA_ACCESS_FLAG_* */
	/* The device of one.lkey; NULL: there is no region yet, or there are several devices. */
	const struct doca_dev *lkey_dev;
	/* The device of one.rkey, in an import of a peer's. */
	const struct doca_dev *rkey_dev;
	const struct mmap_owner *owner; /* NULL for most */
	struct mmap_key one;

	bool has_range;
	bool from_export;
	bool exported;
	bool was_started; /* at any time */
	bool free_armed; /* started since free_cb was set */
	bool has_mem; /* mem_id is registered */
	uint32_t mem_id;
	int dmabuf_fd; /* our own; -1: memory of the process */
	size_t dmabuf_offset;
	uint32_t max_devs;
	union doca_data user_data;
	doca_mmap_memrange_free_cb_t *free_cb;
	void *free_opaque;
	/* Protects all the above if thread_safe, and the making of regions always. */
	pthread_mutex_t lock;
	int cancel_state; /* the old state of the thread that holds the lock */
};

#define MMAP_PCI_ACCESS \
	(DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)
#define MMAP_RDMA_ACCESS                                            \
	(DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | \
	 DOCA_ACCESS_FLAG_RDMA_ATOMIC)

/* Return the key for a device, or 0. */
static inline uint32_t doca_priv_mmap_key(const struct doca_mmap *mmap,
					  const struct doca_dev *dev)
{
	uint32_t i;

	for (i = 0; i < mmap->nr_devs; i++)
		if (mmap->keys[i].dev == dev)
			return __atomic_load_n(&mmap->keys[i].key,
					       __ATOMIC_RELAXED);
	return 0;
}

/* Return the key of the only device, or 0. It stays as long as there are buffers. */
static inline uint32_t doca_priv_mmap_only_key(const struct doca_mmap *mmap)
{
	if (doca_unlikely(mmap->nr_devs != 1))
		return 0;
	return __atomic_load_n(&mmap->keys->key, __ATOMIC_RELAXED);
}

static inline void mmap_set_key(struct mmap_key *key, uint32_t value)
{
	__atomic_store_n(&key->key, value, __ATOMIC_RELAXED);
}

static inline bool doca_priv_mmap_writable(const struct doca_mmap *mmap)
{
	return mmap->writable;
}

/* Set the owner, for good. Call it before the mmap is started. */
DOCA_STABLE void doca_priv_mmap_set_owner(struct doca_mmap *mmap,
					  const struct mmap_owner *owner);

/* The memory is a peer's, which is reached by its address and its rkey alone. */
static inline bool doca_priv_mmap_is_peers(const struct doca_mmap *mmap)
{
	return mmap->from_export && (mmap->access & MMAP_RDMA_ACCESS);
}

/* Write the mmap's permissions to @s, by their flags' names behind DOCA_ACCESS_FLAG_; return @s. */
const char *mmap_access_names(const struct doca_mmap *mmap, char *s,
			      size_t size);

struct doca_mmap *mmap_new(void);
void mmap_free(struct doca_mmap *mmap);

/* Return NOT_PERMITTED, and log @what cannot be done, because the mmap is started or an import. */
doca_error_t mmap_fixed(const struct doca_mmap *mmap, const char *what);

/* The lock costs nothing unless the program has asked for it. */
void mmap_lock(const struct doca_mmap *mmap);
void mmap_unlock(const struct doca_mmap *mmap);

DOCA_STABLE struct mmap_key *mmap_find(const struct doca_mmap *mmap,
				       const struct doca_dev *dev)
	DOCA_PRIVATE(mmap_find);
doca_error_t mmap_add(struct doca_mmap *mmap, struct doca_dev *dev);

/* Make and remove the keys of all devices. Call it with the lock held. */
doca_error_t mmap_register(struct doca_mmap *mmap);
doca_error_t mmap_unregister(struct doca_mmap *mmap);

/*
 * Get the key of a device's memory region, which is made at the first call and lives
 * until the mmap stops. Except in mmap_register(), the mmap must be started and kept
 * so, by a buffer of it or by the caller's promise.
 */
DOCA_STABLE doca_error_t mmap_get_lkey(struct doca_mmap *mmap,
				       struct mmap_key *key, uint32_t *lkey)
	DOCA_PRIVATE(mmap_get_lkey);
doca_error_t mmap_make_mr(struct doca_mmap *mmap, struct mmap_key *key);

/* Drop all memory regions. Call it with the lock held. */
doca_error_t mmap_drop_mrs(struct doca_mmap *mmap);

/*
 * Count @n buffers that lie in a range of the memory. Returns BAD_STATE if the
 * mmap is not started, INVALID_VALUE if the range is not within it.
 */
DOCA_STABLE doca_error_t mmap_bufs_get(struct doca_mmap *mmap, const void *addr,
				       size_t len, uint32_t n)
	DOCA_PRIVATE(mmap_bufs_get);
DOCA_STABLE void mmap_bufs_put(struct doca_mmap *mmap, uint32_t n)
	DOCA_PRIVATE(mmap_bufs_put);

/* Log why mmap_buf_get() has failed, and return @why. */
doca_error_t mmap_buf_refused(const struct doca_mmap *mmap, const void *addr,
			      size_t len, doca_error_t why);

static inline doca_error_t mmap_buf_get(struct doca_mmap *mmap,
					const void *addr, size_t len)
{
	return mmap_bufs_get(mmap, addr, len, 1);
}

static inline void mmap_buf_put(struct doca_mmap *mmap)
{
	mmap_bufs_put(mmap, 1);
}

/*
 * Check the conditions of all kinds of export; the mmap must have one of these permissions.
 * Call it with the lock held.
 */
doca_error_t mmap_may_export(const struct doca_mmap *mmap,
			     const struct doca_dev *dev, uint32_t access);

/* The descriptor of memory for peers in a network; see mmap_rdma.c. */
#define MMAP_RDMA_MAGIC 0x4d4d5244 /* "DRMM" */
#define MMAP_RDMA_VERSION 1

/* Set the range, the key and the permissions of an import. */
doca_error_t mmap_import_rdma(struct doca_mmap *mmap, struct doca_dev *dev,
			      const void *blob, size_t len);

#endif /* DOCA_CORE_MMAP_H */
