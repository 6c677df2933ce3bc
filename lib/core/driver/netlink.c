// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "devinfo.h"
#include "device_id.h"
#include "function.h"
#include "genetlink.h"
#include "netlink.h"
#include "pci.h"

/* Number of tries for a dump that changes interrupt. */
#define MAX_TRIES 8

_Static_assert(DOCA_GENL_A_MAX <= GENETLINK_MAX_ATTR, "all attributes fit");

/* The objects of a dump, each of @size bytes */
struct list {
	size_t size;
	char *all;
	uint32_t n;
	uint32_t room;
};

/* Make room for one more, or return NULL. */
static void *list_add(struct list *list)
{
	uint32_t room = list->room * 2 + 8;
	char *all;

	if (list->n == list->room) {
		all = reallocarray(list->all, room, list->size);
		if (!all)
			return NULL;
		list->all = all;
		list->room = room;
	}
	return list->all + list->size * list->n++;
}

static void parse_device(struct doca_devinfo *info, struct nlattr *const *attrs)
{
	uint32_t node;

	if (genetlink_u32(attrs[DOCA_GENL_A_DEV_NUMA_NODE], &node))
		info->numa_node = (int32_t)node;
	genetlink_u64(attrs[DOCA_GENL_A_DEV_GUID], &info->guid);
	genetlink_u32(attrs[DOCA_GENL_A_DEV_PORTS], &info->nr_ports);
	genetlink_string(attrs[DOCA_GENL_A_DEV_NAME], info->name,
			 sizeof(info->name));
	genetlink_string(attrs[DOCA_GENL_A_ENGINE_NAME], info->engine,
			 sizeof(info->engine));
	genetlink_string(attrs[DOCA_GENL_A_DEV_PCI], info->pci,
			 sizeof(info->pci));
	/* Addresses in domains above ffff are too long for the interface. */
	if (!pci_has_form(info->pci, PCI_ADDR_FORM))
		info->pci[0] = '\0';
	info->placed = info->type == DOCA_DEV_SOFTWARE && info->pci[0];
}

static int add_device(struct nlattr *const *attrs, void *list)
{
	struct doca_devinfo *info;
	uint32_t id, type;

	if (!genetlink_u32(attrs[DOCA_GENL_A_DEV_ID], &id) ||
	    !genetlink_u32(attrs[DOCA_GENL_A_DEV_TYPE], &type))
		return 0;
	info = list_add(list);
	if (!info)
		return -ENOMEM;
	*info = (struct doca_devinfo){
		.id = id,
		.type = type,
		.numa_node = -1,
	};
	parse_device(info, attrs);
	return 0;
}

static int add_function(struct nlattr *const *attrs, void *list)
{
	struct driver_function *function;
	uint32_t id, dpu, host;

	if (!genetlink_u32(attrs[DOCA_GENL_A_FUNCTION_ID], &id) ||
	    !genetlink_u32(attrs[DOCA_GENL_A_DPU_ID], &dpu) ||
	    !genetlink_u32(attrs[DOCA_GENL_A_HOST_ID], &host) ||
	    !attrs[DOCA_GENL_A_FUNCTION_VUID])
		return 0;
	function = list_add(list);
	if (!function)
		return -ENOMEM;
	*function = (struct driver_function){
		.id = id,
		.dpu = dpu,
		.host = host,
	};
	genetlink_string(attrs[DOCA_GENL_A_FUNCTION_VUID], function->vuid,
			 sizeof(function->vuid));
	return 0;
}

static int dump(uint8_t command,
		int (*add)(struct nlattr *const *attrs, void *list),
		struct list *list)
{
	const struct genetlink_request request = {
		.command = command,
		.version = DOCA_GENL_VERSION,
		.dump = true,
		.max_attr = DOCA_GENL_A_MAX,
		.take = add,
		.to = list,
	};
	struct genetlink netlink;
	int tries = MAX_TRIES;
	int err;

	err = genetlink_open(&netlink, DOCA_GENL_NAME);
	if (err)
		return err;
	do {
		list->n = 0;
		err = genetlink_ask(&netlink, &request);
	} while (err == -EINTR && --tries);
	genetlink_close(&netlink);
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

static int take_none(struct nlattr *const *attrs, void *to)
{
	(void)attrs;
	(void)to;
	return 0;
}

int netlink_check_device(uint32_t id)
{
	const struct genetlink_request request = {
		.command = DOCA_GENL_CMD_DEV_GET,
		.version = DOCA_GENL_VERSION,
		.id_attr = DOCA_GENL_A_DEV_ID,
		.id = id,
		.take = take_none,
	};
	struct genetlink netlink;
	int err;

	err = genetlink_open(&netlink, DOCA_GENL_NAME);
	if (err)
		return err;
	err = genetlink_ask(&netlink, &request);
	genetlink_close(&netlink);
	return err;
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
