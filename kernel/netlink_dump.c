// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The generic netlink family: listings of files and objects, revocation, and the table of
 * its commands.
 *
 * A listing goes through the files by id, and in each through its objects by id, with a
 * reference to one at a time, and no lock: the reader may lose its CPU. Between two messages
 * it keeps ids to go on from: so nothing lives longer because a reader does not read on.
 */
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <net/genetlink.h>

#include "dm.h"
#include "memory.h"
#include "netlink.h"
#include "netlink_endpoint.h"
#include "netlink_engine.h"
#include "netlink_function.h"
#include "netlink_put.h"
#include "netlink_user.h"
#include "queue.h"
#include "user.h"
#include "worker.h"

/**
 * struct doca_nl_dump - position of a listing, and the reader's rights
 * @file: id of the file; if it is gone, the next one follows
 * @object: id of the object in it, likewise
 * @part: place in the object, of listings of parts
 * @all: files of all users, with addresses
 * @uid: user of the files, if not @all
 */
struct doca_nl_dump {
	u32 file;
	u32 object;
	u32 part;
	bool all;
	kuid_t uid;
};

/* List the objects of one file from *object on, and set *object to the first that did not fit. */
typedef int (*doca_nl_list_t)(const struct doca_nl_out *out,
			      struct doca_file *file, u32 *object);

static int doca_nl_list_file(const struct doca_nl_out *out,
			     struct doca_file *file, u32 *object)
{
	return doca_nl_put_file(out, file);
}

static int doca_nl_put_object(const struct doca_nl_out *out,
			      struct doca_file *file, struct doca_object *obj)
{
	switch (obj->type) {
	case DOCA_OBJECT_MEMORY:
		return doca_nl_put_memory(out, file,
			container_of(obj, struct doca_memory, obj));
	case DOCA_OBJECT_EXPORT:
		return doca_nl_put_export(out, file,
			container_of(obj, struct doca_export, obj));
	case DOCA_OBJECT_WORKER:
		return doca_nl_put_worker(out, file,
			container_of(obj, struct doca_worker, obj));
	case DOCA_OBJECT_DM:
		return doca_nl_put_dm(out, file,
			container_of(obj, struct doca_dm_holder, obj));
	default:
		return 0;
	}
}

static int doca_nl_list_objects(const struct doca_nl_out *out,
				struct doca_file *file, u32 *object,
				enum doca_object_type type)
{
	struct doca_object *obj;
	unsigned long id;
	int rc;

	for (id = *object; (obj = doca_object_next(file, &id, type)); id++) {
		rc = doca_nl_put_object(out, file, obj);
		doca_object_put(obj);
		if (rc) {
			*object = id;
			return rc;
		}
	}
	return 0;
}

static int doca_nl_list_memories(const struct doca_nl_out *out,
				 struct doca_file *file, u32 *object)
{
	return doca_nl_list_objects(out, file, object, DOCA_OBJECT_MEMORY);
}

static int doca_nl_list_exports(const struct doca_nl_out *out,
				struct doca_file *file, u32 *object)
{
	return doca_nl_list_objects(out, file, object, DOCA_OBJECT_EXPORT);
}

static int doca_nl_list_workers(const struct doca_nl_out *out,
				struct doca_file *file, u32 *object)
{
	return doca_nl_list_objects(out, file, object, DOCA_OBJECT_WORKER);
}

static int doca_nl_list_dms(const struct doca_nl_out *out,
			    struct doca_file *file, u32 *object)
{
	return doca_nl_list_objects(out, file, object, DOCA_OBJECT_DM);
}

/* For mappings, *object is the index of the last key that was listed. */
static int doca_nl_list_mappings(const struct doca_nl_out *out,
				 struct doca_file *file, u32 *object)
{
	struct doca_mapping *mapping;
	u32 index = *object;
	int rc;

	while ((mapping = doca_mapping_next(file, &index))) {
		rc = doca_nl_put_mapping(out, file, mapping);
		doca_mapping_put(mapping);
		if (rc)
			return rc;
		*object = index;
	}
	return 0;
}

static int doca_nl_list_queues(const struct doca_nl_out *out,
			       struct doca_file *file, u32 *object)
{
	struct doca_queue *queue;
	unsigned long id;
	int rc;

	for (id = *object; (queue = doca_queue_next(file, &id)); id++) {
		rc = doca_nl_put_queue(out, file, queue);
		doca_queue_put(queue);
		if (rc) {
			*object = id;
			return rc;
		}
	}
	return 0;
}

static const doca_nl_list_t doca_nl_lists[] = {
	[DOCA_GENL_CMD_FILE_GET] = doca_nl_list_file,
	[DOCA_GENL_CMD_MEMORY_GET] = doca_nl_list_memories,
	[DOCA_GENL_CMD_MAPPING_GET] = doca_nl_list_mappings,
	[DOCA_GENL_CMD_EXPORT_GET] = doca_nl_list_exports,
	[DOCA_GENL_CMD_WORKER_GET] = doca_nl_list_workers,
	[DOCA_GENL_CMD_QUEUE_GET] = doca_nl_list_queues,
	[DOCA_GENL_CMD_DM_GET] = doca_nl_list_dms,
	[DOCA_GENL_CMD_ENDPOINT_GET] = doca_nl_list_endpoints,
	[DOCA_GENL_CMD_CONNECTION_GET] = doca_nl_list_connections,
};

/* The sender's rights decide what is listed, even if another process reads the answer. */
static int doca_nl_start(struct netlink_callback *cb)
{
	struct doca_nl_dump *dump = (struct doca_nl_dump *)cb->ctx;

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));

	dump->all = netlink_capable(cb->skb, CAP_SYS_ADMIN);
	dump->uid = NETLINK_CB(cb->skb).creds.uid;
	return 0;
}

static bool doca_nl_may_list(const struct doca_nl_dump *dump,
			     const struct doca_file *file)
{
	return dump->all || uid_eq(dump->uid, doca_user_uid(file->user));
}

static int doca_nl_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct doca_nl_dump *dump = (struct doca_nl_dump *)cb->ctx;
	const struct genlmsghdr *hdr = nlmsg_data(cb->nlh);
	struct doca_nl_out out = {
		.skb = skb,
		.cb = cb,
		.cmd = hdr->cmd,
		.privileged = dump->all,
		.part = &dump->part,
	};
	int rc = 0;

	cb->seq = doca_files_generation();
	while (!rc) {
		u32 id = dump->file;
		struct doca_file *file = doca_file_next(&id);

		if (!file)
			break;
		if (id != dump->file) {
			dump->file = id;
			dump->object = 0;
			dump->part = 0;
		}
		if (doca_nl_may_list(dump, file))
			rc = doca_nl_lists[hdr->cmd](&out, file, &dump->object);
		doca_file_put(file);
		if (!rc) {
			dump->file++;
			dump->object = 0;
			dump->part = 0;
		}
		cond_resched();
	}
	/* Objects that did not fit go into the next message. */
	return skb->len ?: rc;
}

static const struct nla_policy doca_nl_revoke_policy[] = {
	[DOCA_GENL_A_EXPORT_ID] = { .type = NLA_U32 },
};

static int doca_nl_revoke_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *attr = info->attrs[DOCA_GENL_A_EXPORT_ID];
	int rc;

	if (!netlink_capable(skb, CAP_SYS_ADMIN)) {
		NL_SET_ERR_MSG(info->extack,
			       "Revoking needs CAP_SYS_ADMIN in the initial user namespace");
		return -EPERM;
	}
	if (GENL_REQ_ATTR_CHECK(info, DOCA_GENL_A_EXPORT_ID)) {
		NL_SET_ERR_MSG(info->extack, "Which export is not said");
		return -EINVAL;
	}
	rc = doca_export_revoke_id(nla_get_u32(attr));
	if (rc)
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "No export with this id, or it has ended");
	return rc;
}

#define DOCA_NL_LISTING(_cmd)                                                  \
	{                                                                      \
		.cmd = DOCA_GENL_CMD_##_cmd,                                   \
		.start = doca_nl_start,                                        \
		.dumpit = doca_nl_dumpit,                                      \
	}

static const struct genl_ops doca_nl_ops[] = {
	{
		.cmd = DOCA_GENL_CMD_DEV_GET,
		.doit = doca_nl_device_doit,
		.start = doca_nl_start_plain,
		.dumpit = doca_nl_device_dumpit,
		.policy = doca_nl_device_policy,
		.maxattr = ARRAY_SIZE(doca_nl_device_policy) - 1,
	},
	DOCA_NL_LISTING(FILE_GET),
	DOCA_NL_LISTING(MEMORY_GET),
	DOCA_NL_LISTING(MAPPING_GET),
	DOCA_NL_LISTING(EXPORT_GET),
	DOCA_NL_LISTING(WORKER_GET),
	DOCA_NL_LISTING(QUEUE_GET),
	DOCA_NL_LISTING(DM_GET),
	DOCA_NL_LISTING(ENDPOINT_GET),
	DOCA_NL_LISTING(CONNECTION_GET),
	{
		.cmd = DOCA_GENL_CMD_USER_GET,
		.start = doca_nl_user_start,
		.dumpit = doca_nl_user_dumpit,
	},
	{
		.cmd = DOCA_GENL_CMD_EXPORT_REVOKE,
		.doit = doca_nl_revoke_doit,
		.policy = doca_nl_revoke_policy,
		.maxattr = ARRAY_SIZE(doca_nl_revoke_policy) - 1,
	},
	{
		.cmd = DOCA_GENL_CMD_ENGINE_GET,
		.start = doca_nl_start_plain,
		.dumpit = doca_nl_engine_dumpit,
	},
	{
		.cmd = DOCA_GENL_CMD_ENGINE_ADD,
		.doit = doca_nl_engine_add_doit,
		.policy = doca_nl_engine_policy,
		.maxattr = DOCA_GENL_A_ENGINE_NAME,
	},
	{
		.cmd = DOCA_GENL_CMD_ENGINE_DEL,
		.doit = doca_nl_engine_del_doit,
		.policy = doca_nl_engine_policy,
		.maxattr = DOCA_GENL_A_ENGINE_NAME,
	},
	{
		.cmd = DOCA_GENL_CMD_ENGINE_ATTACH,
		.doit = doca_nl_engine_attach_doit,
		.policy = doca_nl_attach_policy,
		.maxattr = DOCA_GENL_A_ENGINE_NAME,
	},
	{
		.cmd = DOCA_GENL_CMD_ENGINE_DETACH,
		.doit = doca_nl_engine_detach_doit,
		.policy = doca_nl_device_policy,
		.maxattr = DOCA_GENL_A_DEV_ID,
	},
	{
		.cmd = DOCA_GENL_CMD_FUNCTION_GET,
		.doit = doca_nl_function_doit,
		.start = doca_nl_start_plain,
		.dumpit = doca_nl_function_dumpit,
		.policy = doca_nl_function_policy,
		.maxattr = DOCA_GENL_A_HOST_PCI,
	},
	{
		.cmd = DOCA_GENL_CMD_FUNCTION_ADD,
		.doit = doca_nl_function_add_doit,
		.policy = doca_nl_function_policy,
		.maxattr = DOCA_GENL_A_HOST_PCI,
	},
	{
		.cmd = DOCA_GENL_CMD_FUNCTION_DEL,
		.doit = doca_nl_function_del_doit,
		.policy = doca_nl_function_policy,
		.maxattr = DOCA_GENL_A_HOST_PCI,
	},
};

int __init doca_netlink_init(void)
{
	doca_nl_family.ops = doca_nl_ops;
	doca_nl_family.n_ops = ARRAY_SIZE(doca_nl_ops);
	return genl_register_family(&doca_nl_family);
}

void doca_netlink_exit(void)
{
	genl_unregister_family(&doca_nl_family);
}
