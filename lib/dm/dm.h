/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Device memory for verbs devices that have none.
 *
 * The library stands before libibverbs, whose own functions are in real.c. device.c puts
 * our functions into the contexts of devices without device memory; memory.c and mr.c are
 * these functions. backend.c chooses where the memory comes from: kernel.c, the pools of
 * doca.ko, or process.c, the process itself.
 *
 * One lock covers contexts, allocations and registrations. Copies take none: like all of
 * verbs, they are the caller's to keep apart from ibv_free_dm().
 */
#ifndef DOCA_DM_DM_H
#define DOCA_DM_DM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <infiniband/verbs.h>

#include "core/base/list.h"

#define EXPORT __attribute__((visibility("default")))

/* Of a pool, for the program and for the log. */
struct pool {
	uint64_t size;
	uint64_t free;
	uint32_t nr; /* allocations that have the rest */
};

/* Memory as a backend has given it, mapped. */
struct chunk {
	void *addr;
	size_t length; /* as it was asked for */
	uint32_t id;
	uint32_t handle;
};

/*
 * Functions return 0 or a negative errno. ENOSPC is a pool that has not so much. A device
 * is named by a number that device_id() finds.
 */
struct backend {
	const char *name;
	const char *others; /* how to find whose the rest is, for the log */
	int (*device_id)(const char *name, uint32_t *id);
	int (*query)(uint32_t device, struct pool *pool);
	/* @align: a power of two, a page at least */
	int (*alloc)(uint32_t device, size_t length, size_t align,
		     struct chunk *chunk);
	int (*import)(uint32_t device, uint32_t handle, struct chunk *chunk);
	/* EBUSY if it is imported; nothing has changed then */
	int (*free)(struct chunk *chunk);
};

extern const struct backend kernel_backend;
extern const struct backend process_backend;

/* NULL, with the reason in *err, if there is none. The same for all of the process. */
const struct backend *backend_get(int *err);
/* EPROTO: the module does not know device memory. Once, before all else. */
int kernel_open(void);

/*
 * @vctx: the device's, with our functions in it
 * @query_device_ex: the provider's
 * @backend: NULL if there is none, for the reason @err
 * @dms: of struct dm.link
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
 * An allocation
 *
 * @forks: forks_seen when it was made; another number says that it is the parent's
 * @nr_mrs: registrations of it
 */
struct dm {
	struct ibv_dm verbs; /* first */
	struct list link;
	const struct backend *backend;
	struct chunk chunk;
	unsigned int forks;
	unsigned int nr_mrs;
	bool imported;
};

extern unsigned int forks_seen;

extern pthread_mutex_t dm_lock;

/* A range of pages at a multiple of @align, of nothing yet; NULL, with errno. */
void *reserve(size_t length, size_t align);
size_t whole_pages(size_t length);

/* context.c; the lock is held */
void context_add(struct context *ctx);
struct context *context_of(struct ibv_context *verbs);

/* memory.c; they do what their namesakes of verbs do */
struct ibv_dm *dm_alloc(struct ibv_context *verbs,
			struct ibv_alloc_dm_attr *attr);
int dm_free(struct ibv_dm *verbs);
struct ibv_dm *dm_import(struct context *ctx, uint32_t handle);
bool dm_is_ours(const struct ibv_dm *verbs);
/* With the context; the lock is held. */
void dm_free_all(struct context *ctx);

/* mr.c */
struct ibv_mr *dm_reg_mr(struct ibv_pd *pd, struct ibv_dm *verbs,
			 uint64_t offset, size_t length, unsigned int access);

#endif /* DOCA_DM_DM_H */
