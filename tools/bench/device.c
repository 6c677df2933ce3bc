// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include <doca_dev.h>
#include <doca_error.h>
#include <open_doca.h>

#include "cpu.h"
#include "device.h"
#include "msg.h"

int device_first(char *name, size_t size)
{
	struct doca_devinfo **list;
	doca_error_t err;
	uint32_t nr;

	err = doca_devinfo_create_list(&list, &nr);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot list devices");
	if (!nr) {
		fail("there is no DOCA device");
		hint("Load the driver with 'modprobe doca', or go without one: DOCA_DRIVER=process.");
	} else {
		err = doca_devinfo_get_ibdev_name(list[0], name, size);
	}
	doca_devinfo_destroy_list(list);
	return nr && err == DOCA_SUCCESS ? 0 : -1;
}

static bool has_engine(const struct doca_devinfo *info)
{
	char engine[OPEN_DOCA_ENGINE_NAME_SIZE] = "";

	open_doca_devinfo_get_engine(info, engine, sizeof(engine));
	return *engine;
}

int device_by_engine(bool engine, unsigned int n, char *name, size_t size)
{
	struct doca_devinfo **list;
	uint32_t i, nr;
	int ret = -1;

	if (doca_devinfo_create_list(&list, &nr) != DOCA_SUCCESS)
		return -1;
	for (i = 0; i < nr; i++) {
		if (has_engine(list[i]) != engine || n--)
			continue;
		if (doca_devinfo_get_ibdev_name(list[i], name, size) ==
		    DOCA_SUCCESS)
			ret = 0;
		break;
	}
	doca_devinfo_destroy_list(list);
	return ret;
}

static doca_error_t find_and_open(const char *wanted, struct doca_dev **dev)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	struct doca_devinfo **list;
	doca_error_t err;
	uint32_t i, nr;

	err = doca_devinfo_create_list(&list, &nr);
	if (err != DOCA_SUCCESS)
		return err;
	err = DOCA_ERROR_NOT_FOUND;
	for (i = 0; i < nr; i++) {
		if (doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)) !=
			    DOCA_SUCCESS ||
		    strcmp(name, wanted) != 0)
			continue;
		err = doca_dev_open(list[i], dev);
		break;
	}
	doca_devinfo_destroy_list(list);
	return err;
}

/* The driver in the process has workers only if the thread that opens it has CPUs for them. */
int device_open(const char *wanted, struct doca_dev **dev)
{
	doca_error_t err;
	cpu_set_t was;

	cpus_widen(&was);
	err = find_and_open(wanted, dev);
	cpus_narrow(&was);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot open device %s", wanted);
	return 0;
}
