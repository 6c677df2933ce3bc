// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Replaces the library's netlink.c: lists the devices of the driver in this process. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/device/dev.h"
#include "core/driver/function.h"
#include "core/driver/netlink.h"
#include "inproc.h"

static struct doca_devinfo *append(struct doca_devinfo *infos, uint32_t n,
				   uint32_t id, const char *name)
{
	struct doca_devinfo *more = reallocarray(infos, n + 1, sizeof(*infos));

	if (!more) {
		free(infos);
		return NULL;
	}
	more[n] = (struct doca_devinfo){
		.id = id,
		.type = DOCA_DEV_SOFTWARE,
		.numa_node = -1,
	};
	snprintf(more[n].name, sizeof(more[n].name), "%s", name);
	return more;
}

int netlink_list_devices(struct doca_devinfo **infos, uint32_t *n)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	uint32_t id = 0;

	*infos = NULL;
	for (*n = 0; inproc_next_device(&id, name, sizeof(name)); ++*n) {
		*infos = append(*infos, *n, id, name);
		if (!*infos)
			return -ENOMEM;
	}
	return 0;
}

int netlink_list_functions(struct driver_function **functions, uint32_t *n)
{
	*functions = NULL;
	*n = 0;
	return 0;
}

int netlink_check_device(uint32_t id)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	uint32_t found = id - 1;

	if (!inproc_next_device(&found, name, sizeof(name)) || found != id)
		return -ENODEV;
	return 0;
}
