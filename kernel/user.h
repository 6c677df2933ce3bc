/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits on what one user may hold, whatever number of files he opens. They are
 * there so that nobody can exhaust the kernel by making objects; memory itself
 * is charged where it is allocated or pinned.
 */
#ifndef DOCA_USER_H
#define DOCA_USER_H

#include <linux/types.h>
#include <linux/uidgid.h>

enum doca_quota {
	DOCA_QUOTA_FILES,
	DOCA_QUOTA_WORKERS,
	DOCA_QUOTA_QUEUES,
	DOCA_QUOTA_RING_BYTES,
	DOCA_QUOTA_WAITS,
	DOCA_QUOTA_EXPORTS,
	DOCA_QUOTA_IMPORTS,
	DOCA_QUOTA_NR,
};

struct doca_user;
struct seq_file;

/* The account of the caller's real user id; ERR_PTR on failure. */
struct doca_user *doca_user_get_current(void);
void doca_user_put(struct doca_user *user);
kuid_t doca_user_uid(const struct doca_user *user);

int doca_user_charge(struct doca_user *user, enum doca_quota what, u64 nr);
void doca_user_uncharge(struct doca_user *user, enum doca_quota what, u64 nr);
void doca_user_show_fdinfo(struct seq_file *m, const struct doca_user *user);

#endif
