// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "devinfo.h"
#include "device_id.h"
#include "function.h"
#include "netlink.h"
#include "pci.h"

/* Number of tries for a dump that changes interrupt. */
#define MAX_TRIES 8

/* The objects of a dump, each of @size bytes */
struct list {
	size_t size;
	char *all;
	uint32_t n;
	uint32_t room;
	int err;
};

static int to_errno(int err)
{
	switch (-err) {
	case NLE_SUCCESS:
		return 0;
	case NLE_NOMEM:
		return -ENOMEM;
	case NLE_OBJ_NOTFOUND:
		return -ENOENT;
	case NLE_NODEV:
		return -ENODEV;
	default:
		return -EIO;
	}
}

static void copy_string(char *to, size_t size, struct nlattr *attr)
{
	if (attr)
		snprintf(to, size, "%.*s", nla_len(attr),
			 (const char *)nla_data(attr));
}

/* Make room for one more, or return NULL. */
static void *list_add(struct list *list)
{
	char *all;

	if (list->n == list->room) {
		list->room = list->room * 2 + 8;
		all = reallocarray(list->all, list->room, list->size);
		if (!all) {
			list->err = -ENOMEM;
			return NULL;
		}
		list->all = all;
	}
	return list->all + list->size * list->n++;
}

static void parse_device(struct doca_devinfo *info, struct nlattr **attrs)
{
	*info = (struct doca_devinfo){
		.id = nla_get_u32(attrs[DOCA_GENL_A_DEV_ID]),
		.type = nla_get_u32(attrs[DOCA_GENL_A_DEV_TYPE]),
		.numa_node = -1,
	};
	if (attrs[DOCA_GENL_A_DEV_GUID])
		info->guid = nla_get_u64(attrs[DOCA_GENL_A_DEV_GUID]);
	if (attrs[DOCA_GENL_A_DEV_NUMA_NODE])
		info->numa_node = nla_get_s32(attrs[DOCA_GENL_A_DEV_NUMA_NODE]);
	if (attrs[DOCA_GENL_A_DEV_PORTS])
		info->nr_ports = nla_get_u32(attrs[DOCA_GENL_A_DEV_PORTS]);
	copy_string(info->name, sizeof(info->name),
		    attrs[DOCA_GENL_A_DEV_NAME]);
	copy_string(info->engine, sizeof(info->engine),
		    attrs[DOCA_GENL_A_ENGINE_NAME]);
	copy_string(info->pci, sizeof(info->pci), attrs[DOCA_GENL_A_DEV_PCI]);
	/* Addresses in domains above ffff are too long for the interface. */
	if (!pci_has_form(info->pci, PCI_ADDR_FORM))
		info->pci[0] = '\0';
	info->placed = info->type == DOCA_DEV_SOFTWARE && info->pci[0];
}

static int add_device(struct nl_msg *msg, void *arg)
{
	static struct nla_policy policy[DOCA_GENL_A_MAX + 1] = {
		[DOCA_GENL_A_DEV_ID] = { .type = NLA_U32 },
		[DOCA_GENL_A_DEV_TYPE] = { .type = NLA_U32 },
		[DOCA_GENL_A_DEV_NAME] = { .type = NLA_STRING },
		[DOCA_GENL_A_DEV_GUID] = { .type = NLA_U64 },
		[DOCA_GENL_A_DEV_PCI] = { .type = NLA_STRING },
		[DOCA_GENL_A_DEV_NUMA_NODE] = { .type = NLA_S32 },
		[DOCA_GENL_A_DEV_PORTS] = { .type = NLA_U32 },
		[DOCA_GENL_A_ENGINE_NAME] = { .type = NLA_STRING },
	};
	struct nlattr *attrs[DOCA_GENL_A_MAX + 1];
	struct doca_devinfo *info;

	if (genlmsg_parse(nlmsg_hdr(msg), 0, attrs, DOCA_GENL_A_MAX, policy) ||
	    !attrs[DOCA_GENL_A_DEV_ID] || !attrs[DOCA_GENL_A_DEV_TYPE])
		return NL_SKIP;
	info = list_add(arg);
	if (!info)
		return NL_STOP;
	parse_device(info, attrs);
	return NL_OK;
}

static int add_function(struct nl_msg *msg, void *arg)
{
	static struct nla_policy policy[DOCA_GENL_A_MAX + 1] = {
		[DOCA_GENL_A_FUNCTION_ID] = { .type = NLA_U32 },
		[DOCA_GENL_A_FUNCTION_VUID] = { .type = NLA_STRING },
		[DOCA_GENL_A_DPU_ID] = { .type = NLA_U32 },
		[DOCA_GENL_A_HOST_ID] = { .type = NLA_U32 },
	};
	struct nlattr *attrs[DOCA_GENL_A_MAX + 1];
	struct driver_function *function;

	if (genlmsg_parse(nlmsg_hdr(msg), 0, attrs, DOCA_GENL_A_MAX, policy) ||
	    !attrs[DOCA_GENL_A_FUNCTION_ID] || !attrs[DOCA_GENL_A_DPU_ID] ||
	    !attrs[DOCA_GENL_A_HOST_ID] || !attrs[DOCA_GENL_A_FUNCTION_VUID])
		return NL_SKIP;
	function = list_add(arg);
	if (!function)
		return NL_STOP;
	*function = (struct driver_function){
		.id = nla_get_u32(attrs[DOCA_GENL_A_FUNCTION_ID]),
		.dpu = nla_get_u32(attrs[DOCA_GENL_A_DPU_ID]),
		.host = nla_get_u32(attrs[DOCA_GENL_A_HOST_ID]),
	};
	copy_string(function->vuid, sizeof(function->vuid),
		    attrs[DOCA_GENL_A_FUNCTION_VUID]);
	return NL_OK;
}

static int send_get(struct nl_sock *sock, int family, int cmd, int flags,
		    const uint32_t *id)
{
	struct nl_msg *msg = nlmsg_alloc();
	int err = -NLE_NOMEM;

	if (!msg)
		return err;
	if (genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0, flags, cmd,
			DOCA_GENL_VERSION) &&
	    (!id || !nla_put_u32(msg, DOCA_GENL_A_DEV_ID, *id)))
		err = nl_send_auto(sock, msg);
	nlmsg_free(msg);
	return err < 0 ? err : 0;
}

/* libnl has no error code for too many open files, but it leaves errno. */
static int connect_family(struct nl_sock **sock, int *family)
{
	int err;

	*sock = nl_socket_alloc();
	if (!*sock)
		return -ENOMEM;
	nl_socket_disable_auto_ack(*sock);
	errno = 0;
	err = genl_connect(*sock);
	if (err) {
		err = errno ? -errno : to_errno(err);
	} else {
		*family = genl_ctrl_resolve(*sock, DOCA_GENL_NAME);
		err = *family < 0 ? to_errno(*family) : 0;
	}
	if (err)
		nl_socket_free(*sock);
	return err;
}

static int dump(int cmd, nl_recvmsg_msg_cb_t add, struct list *list)
{
	int tries = MAX_TRIES;
	struct nl_sock *sock;
	int family = 0;
	int err;

	err = connect_family(&sock, &family);
	if (err)
		return err;
	nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, add, list);
	do {
		list->n = 0;
		err = send_get(sock, family, cmd, NLM_F_DUMP, NULL);
		if (!err)
			err = nl_recvmsgs_default(sock);
	} while (err == -NLE_DUMP_INTR && --tries);
	nl_socket_free(sock);

	err = list->err ? list->err : to_errno(err);
	if (err)
		free(list->all);
	return err;
}

int netlink_list_devices(struct doca_devinfo **infos, uint32_t *n)
{
	struct list list = { .size = sizeof(**infos) };
	int err = dump(DOCA_GENL_CMD_DEV_GET, add_device, &list);

	if (!err) {
		*infos = (struct doca_devinfo *)(void *)list.all;
		*n = list.n;
	}
	return err;
}

int netlink_list_functions(struct driver_function **functions, uint32_t *n)
{
	struct list list = { .size = sizeof(**functions) };
	int err = dump(DOCA_GENL_CMD_FUNCTION_GET, add_function, &list);

	if (!err) {
		*functions = (struct driver_function *)(void *)list.all;
		*n = list.n;
	}
	return err;
}

int netlink_check_device(uint32_t id)
{
	struct nl_sock *sock;
	int family = 0;
	int err;

	err = connect_family(&sock, &family);
	if (err)
		return err;
	err = send_get(sock, family, DOCA_GENL_CMD_DEV_GET, 0, &id);
	if (!err)
		err = nl_recvmsgs_default(sock);
	nl_socket_free(sock);
	return to_errno(err);
}

int doca_priv_device_id(const char *name, uint32_t *id)
{
	struct doca_devinfo *infos = NULL;
	uint32_t i, n = 0;
	int err;

	err = netlink_list_devices(&infos, &n);
	if (err)
		return err;
	err = -ENODEV;
	for (i = 0; i < n && err; i++) {
		if (infos[i].type != DOCA_DEV_RDMA ||
		    strcmp(infos[i].name, name))
			continue;
		*id = infos[i].id;
		err = 0;
	}
	free(infos);
	return err;
}
