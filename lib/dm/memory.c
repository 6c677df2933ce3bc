// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Device memory: allocation, import, and copies by the CPU. */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <open_doca_dm.h>

#include "core/base/errno_text.h"
#include "core/base/log.h"
#include "core/base/uncancelled.h"
#include "dm.h"
#include "real.h"

LOG_SOURCE("DM");

/* Maximum that devices with their own memory allow: 2 MiB. */
#define MAX_LOG_ALIGN 21

/*
 * Bytes of a word: a word that is copied alone is written at once. Devices with memory of
 * their own copy nothing less, and the tests of rdma-core want less to be refused.
 */
#define WORD 4

/* Allocations that were not freed, by address. */
static void *alive;

/* In debug mode: the last allocations that were freed. */
#define MOST_DEAD 4096
static struct dm *dead[MOST_DEAD];
static unsigned int next_dead;

static int compare(const void *a, const void *b)
{
	return a < b ? -1 : a > b;
}

static struct dm *of_verbs(struct ibv_dm *verbs)
{
	return (struct dm *)verbs;
}

static bool is_alive(const void *dm)
{
	return tfind(dm, &alive, compare);
}

/*
 * In DOCA's debug mode the last freed allocations keep their addresses, so that their use
 * is detected.
 */
static void dispose(struct dm *dm)
{
	const char *debug = secure_getenv("DOCA_DEBUG");

	if (!debug || !*debug || !strcmp(debug, "0")) {
		free(dm);
		return;
	}
	free(dead[next_dead]);
	dead[next_dead] = dm;
	next_dead = (next_dead + 1) % MOST_DEAD;
}

static int check_range(const char *call, const struct dm *dm, uint64_t offset,
		       size_t length)
{
	if (dm->forks != forks_seen) {
		LOG_ERR("%s(): it is the parent's, and not mapped here", call);
		return EFAULT;
	}
	if (offset > dm->chunk.length || length > dm->chunk.length - offset) {
		LOG_ERR("%s(): %zu bytes at %llu are not within the memory's %zu",
			call, length, (unsigned long long)offset,
			dm->chunk.length);
		return EFAULT;
	}
	if ((offset | length) % WORD) {
		LOG_ERR("%s(): %zu bytes at %llu: both must be multiples of %d, or use the address that open_doca_dm_get_addr() returns",
			call, length, (unsigned long long)offset, WORD);
		return EINVAL;
	}
	return 0;
}

/* An aligned word is one store or load. Longer copies are memcpy()'s. */
static void copy(void *to, const void *from, size_t length)
{
	if (length == 8 && !((uintptr_t)to % 8) && !((uintptr_t)from % 8))
		__atomic_store_n((uint64_t *)to,
				 __atomic_load_n((const uint64_t *)from,
						 __ATOMIC_RELAXED),
				 __ATOMIC_RELAXED);
	else if (length == 4 && !((uintptr_t)to % 4) && !((uintptr_t)from % 4))
		__atomic_store_n((uint32_t *)to,
				 __atomic_load_n((const uint32_t *)from,
						 __ATOMIC_RELAXED),
				 __ATOMIC_RELAXED);
	else if (length)
		memcpy(to, from, length);
}

static int memcpy_to(struct ibv_dm *verbs, uint64_t offset, const void *from,
		     size_t length)
{
	const struct dm *dm = of_verbs(verbs);
	int err = check_range("ibv_memcpy_to_dm", dm, offset, length);

	if (!err)
		copy((char *)dm->chunk.addr + offset, from, length);
	return err;
}

static int memcpy_from(void *to, struct ibv_dm *verbs, uint64_t offset,
		       size_t length)
{
	const struct dm *dm = of_verbs(verbs);
	int err = check_range("ibv_memcpy_from_dm", dm, offset, length);

	if (!err)
		copy(to, (const char *)dm->chunk.addr + offset, length);
	return err;
}

bool dm_is_ours(const struct ibv_dm *verbs)
{
	return verbs->memcpy_to_dm == memcpy_to;
}

static bool is_legal(const struct ibv_alloc_dm_attr *attr)
{
	if (attr->comp_mask)
		LOG_ERR("ibv_alloc_dm(): comp_mask %#x: no bit of it is known",
			attr->comp_mask);
	else if (!attr->length)
		LOG_ERR("ibv_alloc_dm(): length is 0");
	else if (attr->log_align_req > MAX_LOG_ALIGN)
		LOG_ERR("ibv_alloc_dm(): log_align_req %u: at most %u",
			attr->log_align_req, MAX_LOG_ALIGN);
	else
		return true;
	return false;
}

static void tell_why_not(const struct context *ctx, size_t length, int err)
{
	const char *name = ibv_get_device_name(ctx->vctx->context.device);
	struct pool pool;

	if (err == -ENOSPC && !ctx->backend->query(ctx->device, &pool))
		LOG_ERR("ibv_alloc_dm(): %zu bytes on %s: of its %llu bytes %llu are free, %u allocations have the rest; %s",
			length, name, (unsigned long long)pool.size,
			(unsigned long long)pool.free, pool.nr,
			ctx->backend->others);
	else if (err == -EDQUOT)
		LOG_ERR("ibv_alloc_dm(): %zu bytes on %s: more than one user may have; see max_dm_bytes in doca(4)",
			length, name);
	else
		LOG_ERR("ibv_alloc_dm(): %zu bytes on %s: %s", length, name,
			errno_text(err));
}

/* Verbs have one error for all lacks of memory. */
static int to_verbs(int err)
{
	return err == -ENOSPC || err == -EDQUOT ? ENOMEM : -err;
}

/* Returns NULL and errno; the caller keeps the chunk then. */
static struct ibv_dm *make(struct context *ctx, const struct chunk *chunk,
			   bool imported)
{
	struct dm *dm = calloc(1, sizeof(*dm));

	if (!dm || !tsearch(dm, &alive, compare)) {
		LOG_ERR("out of memory for device memory's description");
		free(dm);
		errno = ENOMEM;
		return NULL;
	}
	dm->verbs = (struct ibv_dm){
		.context = &ctx->vctx->context,
		.memcpy_to_dm = memcpy_to,
		.memcpy_from_dm = memcpy_from,
		.comp_mask = IBV_DM_MASK_HANDLE,
		.handle = chunk->handle,
	};
	dm->backend = ctx->backend;
	dm->chunk = *chunk;
	dm->forks = forks_seen;
	dm->imported = imported;
	list_add_tail(&ctx->dms, &dm->link);
	return &dm->verbs;
}

static struct ibv_dm *alloc_locked(struct context *ctx,
				   const struct ibv_alloc_dm_attr *attr)
{
	size_t page = sysconf(_SC_PAGESIZE);
	size_t align = (size_t)1 << attr->log_align_req;
	struct ibv_dm *dm;
	struct chunk chunk;
	int err = ctx->err;

	if (!err)
		err = ctx->backend->alloc(ctx->device, attr->length,
					  align < page ? page : align, &chunk);
	if (err) {
		tell_why_not(ctx, attr->length, err);
		errno = to_verbs(err);
		return NULL;
	}
	dm = make(ctx, &chunk, false);
	if (!dm)
		ctx->backend->free(&chunk);
	return dm;
}

struct ibv_dm *dm_alloc(struct ibv_context *verbs,
			struct ibv_alloc_dm_attr *attr)
{
	struct ibv_dm *dm;
	int state;

	if (!is_legal(attr)) {
		errno = EINVAL;
		return NULL;
	}
	state = lock_uncancelled(&dm_lock);
	dm = alloc_locked(context_of(verbs), attr);
	unlock_uncancelled(&dm_lock, state);
	return dm;
}

struct ibv_dm *dm_import(struct context *ctx, uint32_t handle)
{
	struct chunk chunk;
	struct ibv_dm *dm;
	int err = ctx->err;

	if (!err)
		err = ctx->backend->import(ctx->device, handle, &chunk);
	if (err) {
		LOG_ERR("ibv_import_dm(): handle %u on %s: %s", handle,
			ibv_get_device_name(ctx->vctx->context.device),
			err == -EACCES ? "another user's" : errno_text(err));
		errno = to_verbs(err);
		return NULL;
	}
	dm = make(ctx, &chunk, true);
	if (!dm)
		ctx->backend->free(&chunk);
	return dm;
}

static void forget(struct dm *dm)
{
	list_del(&dm->link);
	tdelete(dm, &alive, compare);
	dispose(dm);
}

static int free_locked(struct dm *dm)
{
	int err = 0;

	if (!is_alive(dm)) {
		LOG_ERR("ibv_free_dm(): this was freed before, or never allocated");
		return EINVAL;
	}
	if (dm->nr_mrs) {
		LOG_ERR("ibv_free_dm(): %u memory regions are on it; ibv_dereg_mr() them first",
			dm->nr_mrs);
		return EBUSY;
	}
	/* A child has this description only. */
	if (dm->forks == forks_seen)
		err = dm->backend->free(&dm->chunk);
	if (err) {
		LOG_ERR("ibv_free_dm(): %s",
			err == -EBUSY ?
				"it is imported; ibv_unimport_dm() first" :
				errno_text(err));
		return -err;
	}
	forget(dm);
	return 0;
}

int dm_free(struct ibv_dm *verbs)
{
	int err, state;

	state = lock_uncancelled(&dm_lock);
	err = free_locked(of_verbs(verbs));
	unlock_uncancelled(&dm_lock, state);
	return err;
}

/*
 * Free all. Imports elsewhere stay, if the backend can do that; otherwise the memory is
 * lost for all. Last first, because an import follows the allocation that it imports.
 */
void dm_free_all(struct context *ctx)
{
	struct list *pos = ctx->dms.prev;

	while (pos != &ctx->dms) {
		struct dm *dm = list_entry(pos, struct dm, link);

		pos = pos->prev;
		if (dm->forks == forks_seen)
			dm->backend->free(&dm->chunk);
		forget(dm);
	}
}

EXPORT int open_doca_dm_get_addr(struct ibv_dm *verbs, void **addr, size_t *len)
{
	struct dm *dm = of_verbs(verbs);
	int err = 0, state;

	if (!verbs || !addr || !len) {
		LOG_ERR("open_doca_dm_get_addr(): an argument is NULL");
		return EINVAL;
	}
	state = lock_uncancelled(&dm_lock);
	if (!is_alive(dm)) {
		err = dm_is_ours(verbs) ? EINVAL : EOPNOTSUPP;
		LOG_ERR("open_doca_dm_get_addr(): %s",
			err == EINVAL ?
				"it was freed" :
				"the device's own memory has no address");
	} else if (dm->forks != forks_seen) {
		err = EFAULT;
		LOG_ERR("open_doca_dm_get_addr(): it is the parent's, and not mapped here");
	} else {
		*addr = dm->chunk.addr;
		*len = dm->chunk.length;
	}
	unlock_uncancelled(&dm_lock, state);
	return err;
}

EXPORT struct ibv_dm *ibv_import_dm(struct ibv_context *verbs, uint32_t handle)
{
	struct ibv_dm *dm = NULL;
	struct context *ctx;
	int state;

	state = lock_uncancelled(&dm_lock);
	ctx = context_of(verbs);
	if (ctx)
		dm = dm_import(ctx, handle);
	unlock_uncancelled(&dm_lock, state);
	return ctx ? dm : real.import_dm(verbs, handle);
}

EXPORT void ibv_unimport_dm(struct ibv_dm *dm)
{
	if (dm_is_ours(dm))
		dm_free(dm);
	else
		real.unimport_dm(dm);
}
