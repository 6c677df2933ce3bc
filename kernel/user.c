// SPDX-License-Identifier: GPL-2.0
/* Per-user accounts: one for each user id that has the device open. */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uidgid.h>
#include <linux/xarray.h>

#include "user.h"

/*
 * A reference is held by each file and each queue. The table and the reference
 * count's way to zero are protected by the table's lock.
 */
struct doca_user {
	kuid_t uid;
	unsigned int refs;
	atomic64_t used[DOCA_QUOTA_NR];
};

/* By user id: whoever has many of them must not make others search. */
static DEFINE_XARRAY_FLAGS(doca_users, XA_FLAGS_ACCOUNT);

static unsigned long doca_quotas[DOCA_QUOTA_NR] = {
	[DOCA_QUOTA_FILES] = 1024,
	[DOCA_QUOTA_WORKERS] = 128,
	[DOCA_QUOTA_QUEUES] = 1024,
	[DOCA_QUOTA_RING_BYTES] = 256 << 20,
	[DOCA_QUOTA_WAITS] = 16384,
	[DOCA_QUOTA_EXPORTS] = 65536,
	[DOCA_QUOTA_IMPORTS] = 65536,
};

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

/* The account that is there, or NULL. */
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

struct doca_user *doca_user_get_current(void)
{
	kuid_t uid = current_uid();
	struct doca_user *user, *new;
	int rc;

	new = kzalloc(sizeof(*new), GFP_KERNEL_ACCOUNT);
	if (!new)
		return ERR_PTR(-ENOMEM);
	new->uid = uid;
	new->refs = 1;

	do {
		user = doca_user_find(uid);
		if (user) {
			kfree(new);
			return user;
		}
		rc = xa_insert(&doca_users, __kuid_val(uid), new,
			       GFP_KERNEL_ACCOUNT);
	} while (rc == -EBUSY);
	if (!rc)
		return new;
	kfree(new);
	return ERR_PTR(rc);
}

void doca_user_put(struct doca_user *user)
{
	xa_lock(&doca_users);
	if (!--user->refs) {
		__xa_erase(&doca_users, __kuid_val(user->uid));
		kfree(user);
	}
	xa_unlock(&doca_users);
}

kuid_t doca_user_uid(const struct doca_user *user)
{
	return user->uid;
}

int doca_user_charge(struct doca_user *user, enum doca_quota what, u64 nr)
{
	u64 limit = READ_ONCE(doca_quotas[what]);

	if (atomic64_add_return(nr, &user->used[what]) > limit) {
		atomic64_sub(nr, &user->used[what]);
		return -EDQUOT;
	}
	return 0;
}

void doca_user_uncharge(struct doca_user *user, enum doca_quota what, u64 nr)
{
	atomic64_sub(nr, &user->used[what]);
}

void doca_user_show_fdinfo(struct seq_file *m, const struct doca_user *user)
{
	static const char *const names[DOCA_QUOTA_NR] = {
		[DOCA_QUOTA_FILES] = "files",
		[DOCA_QUOTA_WORKERS] = "workers",
		[DOCA_QUOTA_QUEUES] = "queues",
		[DOCA_QUOTA_RING_BYTES] = "ring-bytes",
		[DOCA_QUOTA_WAITS] = "waits",
		[DOCA_QUOTA_EXPORTS] = "exports",
		[DOCA_QUOTA_IMPORTS] = "imports",
	};
	unsigned int i;

	for (i = 0; i < DOCA_QUOTA_NR; i++)
		seq_printf(m, "doca-user-%s:\t%lld of %lu\n", names[i],
			   atomic64_read(&user->used[i]),
			   READ_ONCE(doca_quotas[i]));
}
