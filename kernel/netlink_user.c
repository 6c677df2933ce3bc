// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Listing of users: a message for each limit, with what the user has of it.
 *
 * It holds a reference to one account at a time, and no lock while it writes. All rows of a user
 * go into one datagram: between two of them the account may end.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/sched.h>
#include <linux/uidgid.h>
#include <net/genetlink.h>

#include "locked.h"
#include "netlink.h"
#include "netlink_put.h"
#include "netlink_user.h"
#include "user.h"

/* The row behind those of quotas; its limit is each process's own. */
#define DOCA_NL_ROW_LOCKED DOCA_QUOTA_NR
#define DOCA_NL_ROWS (DOCA_NL_ROW_LOCKED + 1)

/**
 * struct doca_nl_user_dump - position of the listing
 * @uid: the user whose rows follow, in the initial namespace; if it is gone, the next one's do
 * @last: the last one to be listed
 */
struct doca_nl_user_dump {
	u32 uid;
	u32 last;
};

int doca_nl_user_start(struct netlink_callback *cb)
{
	struct doca_nl_user_dump *dump = (struct doca_nl_user_dump *)cb->ctx;
	uid_t own = __kuid_val(NETLINK_CB(cb->skb).creds.uid);
	bool all = netlink_capable(cb->skb, CAP_SYS_ADMIN);

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));

	dump->uid = all ? 0 : own;
	/* The largest number is no user's. */
	dump->last = all ? U32_MAX - 1 : own;
	return 0;
}

static struct doca_usage doca_nl_usage(struct doca_user *user, u32 row)
{
	if (row < DOCA_NL_ROW_LOCKED)
		return doca_user_usage(user, row);
	return (struct doca_usage){
		.name = "locked-bytes",
		.used = doca_locked_bytes(doca_user_locked(user)),
		.limit = ULONG_MAX,
	};
}

/* The caller removes what does not fit. */
static int doca_nl_put_usage(struct sk_buff *skb, struct netlink_callback *cb,
			     struct doca_user *user, u32 row)
{
	struct doca_usage usage = doca_nl_usage(user, row);
	void *hdr;

	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  &doca_nl_family, NLM_F_MULTI, DOCA_GENL_CMD_USER_GET);
	if (!hdr)
		return -EMSGSIZE;
	genl_dump_check_consistent(cb, hdr);
	if (nla_put_u32(skb, DOCA_GENL_A_UID,
			from_kuid_munged(current_user_ns(),
					 doca_user_uid(user))) ||
	    nla_put_string(skb, DOCA_GENL_A_RESOURCE, usage.name) ||
	    doca_nl_put_u64(skb, DOCA_GENL_A_USED, usage.used) ||
	    (usage.limit != ULONG_MAX &&
	     doca_nl_put_u64(skb, DOCA_GENL_A_LIMIT, usage.limit)))
		return -EMSGSIZE;
	genlmsg_end(skb, hdr);
	return 0;
}

/* List all rows of a user, or none if not all fit. */
static int doca_nl_list_user(struct sk_buff *skb, struct netlink_callback *cb,
			     struct doca_user *user)
{
	void *start = nlmsg_get_pos(skb);
	u32 row;
	int rc;

	for (row = 0; row < DOCA_NL_ROWS; row++) {
		rc = doca_nl_put_usage(skb, cb, user, row);
		if (rc) {
			nlmsg_trim(skb, start);
			return rc;
		}
	}
	return 0;
}

int doca_nl_user_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct doca_nl_user_dump *dump = (struct doca_nl_user_dump *)cb->ctx;
	int rc = 0;

	cb->seq = doca_users_generation();
	while (!rc) {
		u32 uid = dump->uid;
		struct doca_user *user = doca_user_next(&uid, dump->last);

		if (!user)
			break;
		rc = doca_nl_list_user(skb, cb, user);
		doca_user_put(user);
		if (!rc)
			dump->uid = uid + 1;
		cond_resched();
	}
	/* A user that did not fit goes into the next one; alone it always does. */
	return skb->len ?: rc;
}
