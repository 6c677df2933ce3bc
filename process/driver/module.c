// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The devices of the module. */
#include "shim/kernel.h"

#include "device.h"
#include "function.h"
#include "inproc.h"
#include "netlink.h"

/* A process has no netlink. */
int doca_netlink_init(void)
{
	return 0;
}

void doca_netlink_exit(void)
{
}

uint32_t inproc_add_device(const char *name)
{
	struct doca_device *device;

	if (inproc_start())
		return 0;
	device = doca_device_add_software(name, "");
	return IS_ERR(device) ? 0 : device->id;
}

void inproc_remove_device(uint32_t id)
{
	struct doca_device *device = doca_device_find(id, NULL);

	BUG_ON(IS_ERR(device));
	doca_device_unregister(device);
	doca_device_put(device);
	doca_device_put(device); /* the provider's reference */
}

void inproc_rename_device(uint32_t id, const char *name)
{
	struct doca_device *device = doca_device_find(id, NULL);

	BUG_ON(IS_ERR(device));
	doca_device_rename(device, name);
	doca_device_put(device);
}

bool inproc_next_device(uint32_t *id, char *name, unsigned int size)
{
	char text[DOCA_DEVICE_NAME_MAX];
	struct doca_device *device;

	if (inproc_start())
		return false;
	device = doca_device_next(*id, DOCA_DEV_SOFTWARE, NULL);
	if (!device)
		return false;
	*id = device->id;
	doca_device_name(device, text);
	strscpy(name, text, size);
	doca_device_put(device);
	return true;
}

const char *inproc_add_function(const char *name, uint32_t dpu, uint32_t host,
				bool any_user)
{
	struct doca_function_attr attr = {
		.name = name,
		.any_user = any_user,
	};
	struct doca_function *function;
	const char *why = NULL;

	attr.dpu = doca_device_find(dpu, NULL);
	attr.host = doca_device_find(host, NULL);
	BUG_ON(IS_ERR(attr.dpu) || IS_ERR(attr.host));
	function = doca_function_add(&attr, &why);
	doca_device_put(attr.dpu);
	doca_device_put(attr.host);
	if (IS_ERR(function))
		return why;
	doca_function_put(function);
	return NULL;
}

bool inproc_next_function(struct inproc_function *next)
{
	struct doca_function *function;

	_Static_assert(sizeof(next->vuid) == DOCA_FUNCTION_VUID_MAX, "VUID");
	if (inproc_start())
		return false;
	function = doca_function_next(next->id, NULL);
	if (!function)
		return false;
	next->id = function->id;
	next->dpu = function->dpu.device->id;
	next->host = function->host.device->id;
	doca_function_vuid(function, next->vuid);
	doca_function_put(function);
	return true;
}

/* Remove the devices of inproc_add_device(); the first is the driver's own. */
void inproc_end_devices(void)
{
	char name[DOCA_DEVICE_NAME_MAX];
	uint32_t id = 0;

	inproc_next_device(&id, name, sizeof(name));
	while (inproc_next_device(&id, name, sizeof(name)))
		inproc_remove_device(id);
}
