/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Limits on what one user may hold, however many files it opens, so that no user exhausts
 * the kernel with objects: one limit for each kind, and one for the memory of all of
 * them. Pinned memory has its own, in locked.h.
 *
 * Everything that the kernel keeps because of a call is charged before it is made, and
 * uncharged when it is freed, wherever the last reference was.
 */
#ifndef DOCA_USER_H
#define DOCA_USER_H

#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/xarray.h>

enum doca_quota {
	DOCA_QUOTA_OBJECT_BYTES,
	DOCA_QUOTA_FILES,
	DOCA_QUOTA_MEMORIES,
	DOCA_QUOTA_MAPPINGS,
	DOCA_QUOTA_WORKERS,
	DOCA_QUOTA_QUEUES,
	DOCA_QUOTA_RING_BYTES,
	DOCA_QUOTA_WAITS,
	DOCA_QUOTA_EXPORTS,
	DOCA_QUOTA_IMPORTS,
	DOCA_QUOTA_DM_BYTES,
	DOCA_QUOTA_DMAMAP_BYTES,
	DOCA_QUOTA_CONNECTIONS,
	DOCA_QUOTA_OBJECTS,
	DOCA_QUOTA_NR,
};

struct doca_locked;
struct doca_user;
struct seq_file;

/**
 * struct doca_usage - one kind of which a user has some, and its limit
 * @name: name of the kind; it ends in "bytes" if these are counted
 * @used: how much the user has
 * @limit: how much a user may have; ULONG_MAX if that is not one for all
 */
struct doca_usage {
	const char *name;
	u64 used;
	u64 limit;
};

/*
 * Bytes of an object with @ids ids. Each id may need a node of its table for itself, if
 * all its former neighbours are gone.
 */
#define DOCA_OBJECT_BYTES(type, ids) \
	(doca_user_bytes(sizeof(type)) + (ids) * sizeof(struct xa_node))

/* Return the account of the caller's real user id; ERR_PTR on failure. */
struct doca_user *doca_user_get_current(void);
struct doca_user *doca_user_get(struct doca_user *user);
void doca_user_put(struct doca_user *user);
/*
 * Return the first account of a user id from *@uid to @last, with a reference, and set *@uid;
 * NULL if there is none.
 */
struct doca_user *doca_user_next(u32 *uid, u32 last);
/* Return a number, never 0, that is another one after accounts came or went. */
u32 doca_users_generation(void);
kuid_t doca_user_uid(const struct doca_user *user);
struct doca_locked *doca_user_locked(struct doca_user *user);

/* Return what the allocator takes for @size bytes, with its bookkeeping. */
size_t doca_user_bytes(size_t size);

/* Charge @nr more of a kind, which take @bytes in all. Returns 0 or -EDQUOT. */
int doca_user_charge(struct doca_user *user, enum doca_quota what, u64 nr,
		     u64 bytes);
/* Charge @nr more of a kind, below @limit. */
int doca_user_charge_below(struct doca_user *user, enum doca_quota what, u64 nr,
			   u64 limit);
void doca_user_uncharge(struct doca_user *user, enum doca_quota what, u64 nr,
			u64 bytes);
/* Return what a user may have; 0 of DOCA_QUOTA_DMAMAP_BYTES if each engine has a limit. */
u64 doca_user_limit(enum doca_quota what);
struct doca_usage doca_user_usage(const struct doca_user *user,
				  enum doca_quota what);
void doca_user_show_fdinfo(struct seq_file *m, const struct doca_user *user);

#endif
