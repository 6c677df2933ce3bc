/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Device memory for verbs devices that have none.
 *
 * The library is loaded before libibverbs, whose own functions are in real.c. device.c
 * puts our functions, memory.c and mr.c, into the contexts of devices without device
 * memory. backend.c chooses the source of the memory: kernel.c, the pools of doca.ko, or
 * process.c, the process itself.
 *
 * One lock covers contexts, allocations and registrations. Copies take none: as with all
 * of verbs, the caller must keep them apart from ibv_free_dm().
 */
#ifndef DOCA_DM_DM_H
#define DOCA_DM_DM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <infiniband/verbs.h>

#include "core/base/list.h"

#define EXPORT __attribute__((visibility("default")))

/* State of a pool, for the program and for the log. */
struct pool {
	uint64_t size;
	uint64_t free;
	uint32_t nr; /* number of allocations that have the rest */
};

/* Memory of a backend, mapped. */
struct chunk {
	void *addr;
	size_t length; /* as requested */
	uint32_t id;
	uint32_t handle;
};

/*
 * Functions return 0 or a negative errno. ENOSPC: the pool does not have enough.
 * device_id() finds the number of a device.
 */
struct backend {
	const char *name;
	const char *others; /* how to find the users of the rest, for the log */
	int (*device_id)(const char *name, uint32_t *id);
	int (*query)(uint32_t device, struct pool *pool);
	/*
	 * @align: a power of two, at least a page
	 */
	int (*alloc)(uint32_t device, size_t length, size_t align,
		     struct chunk *chunk);
	int (*import)(uint32_t device, uint32_t handle, struct chunk *chunk);
	/* EBUSY if it is imported; nothing has changed then. */
	int (*free)(struct chunk *chunk);
};

extern const struct backend kernel_backend;
extern const struct backend process_backend;

/*
 * Return the backend of the process, always the same; NULL if there is none, with the
 * reason in *err.
 */
const struct backend *backend_get(int *err);
/* Call it once, first. EPROTO: the module does not know device memory. */
int kernel_open(void);

/*
 * @vctx: the device's context, with our functions in it
 * @query_device_ex: the provider's function
 * @backend: NULL if there is none, because of @err
 * @dms: list of struct dm.link
 */
struct context {
	struct list link;
	struct verbs_context *vctx;
	int (*query_device_ex)(struct ibv_context *context,
			       const struct ibv_query_device_ex_input *input,
			       struct ibv_device_attr_ex *attr, size_t size);
	const struct backend *backend;
	int err;
	uint32_t device;
	struct list dms;
};

/*
 * An allocation.
 *
 * @forks: forks_seen when it was made; with another number it is a parent's
 * @nr_mrs: number of its registrations
 */
struct dm {
	struct ibv_dm verbs; /* must be first */
	struct list link;
	const struct backend *backend;
	struct chunk chunk;
	unsigned int forks;
	unsigned int nr_mrs;
	bool imported;
};

extern unsigned int forks_seen;

extern pthread_mutex_t dm_lock;

/* Reserve a range of pages at a multiple of @align, without memory. Returns NULL and errno. */
void *reserve(size_t length, size_t align);
size_t whole_pages(size_t length);

/* context.c; call these with the lock held. */
void context_add(struct context *ctx);
struct context *context_of(struct ibv_context *verbs);

/* memory.c; these implement their namesakes of verbs. */
struct ibv_dm *dm_alloc(struct ibv_context *verbs,
			struct ibv_alloc_dm_attr *attr);
int dm_free(struct ibv_dm *verbs);
struct ibv_dm *dm_import(struct context *ctx, uint32_t handle);
bool dm_is_ours(const struct ibv_dm *verbs);
/* Free everything of a context. Call it with the lock held. */
void dm_free_all(struct context *ctx);

/* mr.c */
struct ibv_mr *dm_reg_mr(struct ibv_pd *pd, struct ibv_dm *verbs,
			 uint64_t offset, size_t length, unsigned int access);

#endif /* DOCA_DM_DM_H */
