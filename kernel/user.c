// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Accounts: one for each user id that has the device open. */
#include <linux/atomic.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uidgid.h>
#include <linux/xarray.h>

#include "locked.h"
#include "user.h"

/*
 * Each file, queue and memory holds a reference. The table's lock protects the table and
 * the last put.
 */
struct doca_user {
	kuid_t uid;
	unsigned int refs;
	atomic64_t used[DOCA_QUOTA_NR];
	struct doca_locked locked;
};

/* An array by user id, not a list: a user with many ids must not make others search. */
static DEFINE_XARRAY_FLAGS(doca_users, XA_FLAGS_ACCOUNT);

/* How many accounts have come and gone; written under the table's lock */
static u32 doca_users_changes;

static unsigned long doca_quotas[DOCA_QUOTA_NR] = {
	[DOCA_QUOTA_OBJECT_BYTES] = 56 << 20,
	[DOCA_QUOTA_FILES] = 1024,
	[DOCA_QUOTA_MEMORIES] = 65536,
	[DOCA_QUOTA_MAPPINGS] = 65536,
	[DOCA_QUOTA_WORKERS] = 128,
	[DOCA_QUOTA_QUEUES] = 1024,
	[DOCA_QUOTA_RING_BYTES] = 256 << 20,
	[DOCA_QUOTA_WAITS] = 16384,
	[DOCA_QUOTA_EXPORTS] = 65536,
	[DOCA_QUOTA_IMPORTS] = 65536,
	[DOCA_QUOTA_DM_BYTES] = 1 << 30,
	[DOCA_QUOTA_DMAMAP_BYTES] = 0, /* depends on the DMA engine */
	[DOCA_QUOTA_CONNECTIONS] = 4096,
	[DOCA_QUOTA_OBJECTS] = 1024,
};

module_param_named(max_object_bytes, doca_quotas[DOCA_QUOTA_OBJECT_BYTES], ulong,
		   0644);
MODULE_PARM_DESC(max_object_bytes,
		 "bytes that the kernel keeps for all objects of one user, but rings");
module_param_named(max_memories, doca_quotas[DOCA_QUOTA_MEMORIES], ulong, 0644);
MODULE_PARM_DESC(max_memories, "registered memories of one user");
module_param_named(max_mappings, doca_quotas[DOCA_QUOTA_MAPPINGS], ulong, 0644);
MODULE_PARM_DESC(max_mappings, "mappings of one user's own memories");
module_param_named(max_files, doca_quotas[DOCA_QUOTA_FILES], ulong, 0644);
MODULE_PARM_DESC(max_files, "open files of one user");
module_param_named(max_workers, doca_quotas[DOCA_QUOTA_WORKERS], ulong, 0644);
MODULE_PARM_DESC(max_workers, "workers of one user");
module_param_named(max_queues, doca_quotas[DOCA_QUOTA_QUEUES], ulong, 0644);
MODULE_PARM_DESC(max_queues, "queues of one user");
module_param_named(max_ring_bytes, doca_quotas[DOCA_QUOTA_RING_BYTES], ulong, 0644);
MODULE_PARM_DESC(max_ring_bytes, "bytes of ring memory of one user");
module_param_named(max_waits, doca_quotas[DOCA_QUOTA_WAITS], ulong, 0644);
MODULE_PARM_DESC(max_waits, "waits of the queues of one user");
module_param_named(max_exports, doca_quotas[DOCA_QUOTA_EXPORTS], ulong, 0644);
MODULE_PARM_DESC(max_exports, "exports of one user");
module_param_named(max_imports, doca_quotas[DOCA_QUOTA_IMPORTS], ulong, 0644);
MODULE_PARM_DESC(max_imports, "imports of one user");
module_param_named(max_dm_bytes, doca_quotas[DOCA_QUOTA_DM_BYTES], ulong, 0644);
MODULE_PARM_DESC(max_dm_bytes, "bytes of device memory of one user");
module_param_named(max_connections, doca_quotas[DOCA_QUOTA_CONNECTIONS], ulong,
		   0644);
MODULE_PARM_DESC(max_connections, "ends of connections of one user");
module_param_named(max_objects, doca_quotas[DOCA_QUOTA_OBJECTS], ulong, 0644);
MODULE_PARM_DESC(max_objects, "matrices and keys of one user, for its operations");

#if IS_ENABLED(CONFIG_DMA_ENGINE)
module_param_named(max_dmamap_bytes, doca_quotas[DOCA_QUOTA_DMAMAP_BYTES],
		   ulong, 0644);
MODULE_PARM_DESC(max_dmamap_bytes,
		 "memory mapped for a DMA engine, for each user; 0: a quarter of what it reaches");
#endif

/* Return an existing account, or NULL. */
static struct doca_user *doca_user_find(kuid_t uid)
{
	struct doca_user *user;

	xa_lock(&doca_users);
	user = xa_load(&doca_users, __kuid_val(uid));
	if (user)
		user->refs++;
	xa_unlock(&doca_users);
	return user;
}

static struct doca_user *doca_user_alloc(kuid_t uid)
{
	struct doca_user *user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);

	if (!user)
		return NULL;
	user->uid = uid;
	user->refs = 1;
	doca_locked_init(&user->locked);
	return user;
}

static void doca_user_free(struct doca_user *user)
{
	doca_locked_destroy(&user->locked);
	kfree(user);
}

static int doca_user_insert(struct doca_user *user)
{
	int rc;

	xa_lock(&doca_users);
	rc = __xa_insert(&doca_users, __kuid_val(user->uid), user,
			 GFP_KERNEL_ACCOUNT);
	if (!rc)
		WRITE_ONCE(doca_users_changes, doca_users_changes + 1);
	xa_unlock(&doca_users);
	return rc;
}

struct doca_user *doca_user_get_current(void)
{
	kuid_t uid = current_uid();
	struct doca_user *user, *new;
	int rc;

	user = doca_user_find(uid);
	if (user)
		return user;
	new = doca_user_alloc(uid);
	if (!new)
		return ERR_PTR(-ENOMEM);
	while ((rc = doca_user_insert(new)) == -EBUSY) {
		user = doca_user_find(uid);
		if (user)
			break;
	}
	if (!rc)
		return new;
	doca_user_free(new);
	return user ?: ERR_PTR(rc);
}

struct doca_user *doca_user_get(struct doca_user *user)
{
	xa_lock(&doca_users);
	user->refs++;
	xa_unlock(&doca_users);
	return user;
}

void doca_user_put(struct doca_user *user)
{
	bool last;

	xa_lock(&doca_users);
	last = !--user->refs;
	if (last) {
		__xa_erase(&doca_users, __kuid_val(user->uid));
		WRITE_ONCE(doca_users_changes, doca_users_changes + 1);
	}
	xa_unlock(&doca_users);
	if (last)
		doca_user_free(user);
}

struct doca_user *doca_user_next(u32 *uid, u32 last)
{
	unsigned long index = *uid;
	struct doca_user *user;

	xa_lock(&doca_users);
	user = xa_find(&doca_users, &index, last, XA_PRESENT);
	if (user) {
		user->refs++;
		*uid = index;
	}
	xa_unlock(&doca_users);
	return user;
}

u32 doca_users_generation(void)
{
	return READ_ONCE(doca_users_changes) << 1 | 1;
}

kuid_t doca_user_uid(const struct doca_user *user)
{
	return user->uid;
}

struct doca_locked *doca_user_locked(struct doca_user *user)
{
	return &user->locked;
}

/* Includes the memory control group's pointer for each object. */
size_t doca_user_bytes(size_t size)
{
	return kmalloc_size_roundup(size) + sizeof(void *);
}

int doca_user_charge_below(struct doca_user *user, enum doca_quota what, u64 nr,
			   u64 limit)
{
	if (atomic64_add_return(nr, &user->used[what]) > limit) {
		atomic64_sub(nr, &user->used[what]);
		return -EDQUOT;
	}
	return 0;
}

static int doca_user_add(struct doca_user *user, enum doca_quota what, u64 nr)
{
	return doca_user_charge_below(user, what, nr,
				      READ_ONCE(doca_quotas[what]));
}

int doca_user_charge(struct doca_user *user, enum doca_quota what, u64 nr,
		     u64 bytes)
{
	int rc;

	rc = doca_user_add(user, what, nr);
	if (rc)
		return rc;
	rc = doca_user_add(user, DOCA_QUOTA_OBJECT_BYTES, bytes);
	if (rc)
		atomic64_sub(nr, &user->used[what]);
	return rc;
}

void doca_user_uncharge(struct doca_user *user, enum doca_quota what, u64 nr,
			u64 bytes)
{
	atomic64_sub(nr, &user->used[what]);
	atomic64_sub(bytes, &user->used[DOCA_QUOTA_OBJECT_BYTES]);
}

u64 doca_user_limit(enum doca_quota what)
{
	return READ_ONCE(doca_quotas[what]);
}

struct doca_usage doca_user_usage(const struct doca_user *user,
				  enum doca_quota what)
{
	static const char *const names[DOCA_QUOTA_NR] = {
		[DOCA_QUOTA_OBJECT_BYTES] = "object-bytes",
		[DOCA_QUOTA_FILES] = "files",
		[DOCA_QUOTA_MEMORIES] = "memories",
		[DOCA_QUOTA_MAPPINGS] = "mappings",
		[DOCA_QUOTA_WORKERS] = "workers",
		[DOCA_QUOTA_QUEUES] = "queues",
		[DOCA_QUOTA_RING_BYTES] = "ring-bytes",
		[DOCA_QUOTA_WAITS] = "waits",
		[DOCA_QUOTA_EXPORTS] = "exports",
		[DOCA_QUOTA_IMPORTS] = "imports",
		[DOCA_QUOTA_DM_BYTES] = "dm-bytes",
		[DOCA_QUOTA_DMAMAP_BYTES] = "dmamap-bytes",
		[DOCA_QUOTA_CONNECTIONS] = "connections",
		[DOCA_QUOTA_OBJECTS] = "objects",
	};
	u64 limit = doca_user_limit(what);

	if (what == DOCA_QUOTA_DMAMAP_BYTES && !limit)
		limit = ULONG_MAX;
	return (struct doca_usage){
		.name = names[what],
		.used = atomic64_read(&user->used[what]),
		.limit = limit,
	};
}

void doca_user_show_fdinfo(struct seq_file *m, const struct doca_user *user)
{
	unsigned int i;

	for (i = 0; i < DOCA_QUOTA_NR; i++) {
		struct doca_usage usage = doca_user_usage(user, i);

		seq_printf(m, "doca-user-%s:\t%llu of %llu\n", usage.name,
			   usage.used, usage.limit);
	}
}
