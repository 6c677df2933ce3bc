// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The driver in the process: the module's own code. It has devices in software, and those for
 * RDMA that the machine has: what moves data over these is verbs, and not the driver.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include <linux/doca.h>

#include "compute.h"
#include "core/base/log.h"
#include "devinfo.h"
#include "driver_choice.h"
#include "driver_ops.h"
#include "function.h"
#include "ibdevs.h"
#include "process/driver/inproc.h"
#include "profile.h"

LOG_SOURCE("COMMON::DRIVER");

/* The names and addresses that public programs have as their defaults. */
static const struct {
	const char *name, *pci, *iface;
} devices[] = {
	{ "software", "0000:03:00.0", "p0" },
	{ "software1", "0000:b1:00.0", "p1" },
};

#define NR_DEVICES (sizeof(devices) / sizeof(devices[0]))
#define IN_SOFTWARE "software" /* the beginning of their names */

static void report(const char *text)
{
	LOG_ERR("%s; please report this", text);
}

/*
 * Add devices, as many as the profile names, for the life of the process. The driver has
 * made the first one itself.
 */
static int add_devices(void)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	uint32_t id = 0, n = 0;
	uint32_t wanted;

	profile_devices(&wanted);
	if (wanted < NR_DEVICES)
		wanted = NR_DEVICES;
	while (inproc_next_device(&id, name, sizeof(name)))
		n++;
	for (; n < wanted; n++) {
		snprintf(name, sizeof(name), IN_SOFTWARE "%u", n);
		if (!inproc_add_device(name))
			return -ENOMEM;
	}
	return 0;
}

/* Return the number of processes that may import from this one. */
static unsigned long importers(void)
{
	const char *value = secure_getenv("DOCA_IMPORTERS");
	unsigned long nr;
	char *end;

	if (!value || !*value)
		return INPROC_IMPORTERS;
	nr = strtoul(value, &end, 10);
	if (!*end && *value != '-' && nr <= INPROC_IMPORTERS_MAX)
		return nr;
	LOG_WARN("DOCA_IMPORTERS=%s is no number from 0 to %d: %d processes "
		 "may import from this one",
		 value, INPROC_IMPORTERS_MAX, INPROC_IMPORTERS);
	return INPROC_IMPORTERS;
}

static int add_pair(uint32_t i, const struct profile_pair *pair,
		    const uint32_t *ids)
{
	const char *why;
	char name[16];

	snprintf(name, sizeof(name), "pair%u", i);
	why = inproc_add_function(name, ids[pair->dpu], ids[pair->host],
				  pair->any_user);
	if (why)
		LOG_ERR("cannot pair two devices: %s", why);
	return why ? -ENOMEM : 0;
}

/* Pairs exist while the driver does. An open goes on where an earlier one ran out of memory. */
static int add_pairs(void)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	struct inproc_function last = { 0 };
	const struct profile_pair *pairs;
	uint32_t ids[PROFILE_MAX_DEVICES];
	uint32_t i, n, id = 0, made = 0;
	int err = 0;

	while (inproc_next_function(&last))
		made++;
	for (i = 0; i < PROFILE_MAX_DEVICES &&
		    inproc_next_device(&id, name, sizeof(name));
	     i++)
		ids[i] = id;
	pairs = profile_pairs(&n);
	for (i = made; i < n && !err; i++)
		err = add_pair(i, &pairs[i], ids);
	return err;
}

static int process_open(void)
{
	int err;

	inproc_set_report(report);
	inproc_set_compute(compute_plugin);
	inproc_set_param("workers", driver_wants_workers());
	/* They take the process's own memory, which has its own limits. */
	inproc_set_param("max_object_bytes", ULONG_MAX);
	inproc_set_importers(importers());
	err = inproc_start();
	if (!err)
		err = add_devices();
	if (!err)
		err = add_pairs();
	return err ? err : inproc_open();
}

static void process_close(int fd)
{
	inproc_close(fd);
}

static int process_call(int fd, unsigned long request, void *arg)
{
	return inproc_call(fd, request, arg);
}

static int process_map(int fd, uint64_t offset, size_t size, int prot,
		       void **addr)
{
	return inproc_map(fd, offset, size, prot, true, addr);
}

static void process_unmap(void *addr, size_t size)
{
	inproc_unmap(addr, size);
}

static void describe(struct doca_devinfo *info, uint32_t id, const char *name)
{
	uint32_t i;

	*info = (struct doca_devinfo){
		.id = id,
		.type = DOCA_DEV_SOFTWARE,
		.numa_node = -1,
	};
	snprintf(info->name, sizeof(info->name), "%s", name);
	for (i = 0; i < NR_DEVICES; i++) {
		if (strcmp(devices[i].name, name))
			continue;
		strcpy(info->iface, devices[i].iface);
		info->iface_made_up = true;
		strcpy(info->pci, devices[i].pci);
	}
}

static bool is_in_software(const char *name)
{
	return !strncmp(name, IN_SOFTWARE, strlen(IN_SOFTWARE));
}

/*
 * Devices of the machine, as they were when the list was last asked for. The lock of driver.c
 * covers them.
 */
static struct ibdevs machine;

static const struct ibdev *find(const struct ibdevs *list, const char *name)
{
	uint32_t i;

	for (i = 0; i < list->n; i++)
		if (!is_in_software(name) &&
		    !strcmp(list->devs[i].info.name, name))
			return &list->devs[i];
	return NULL;
}

/* Return what a device of the driver is now, whatever its name; NULL if it is not there. */
static const struct ibdev *follow(const char *name, const struct ibdevs *now)
{
	const struct ibdev *before = find(&machine, name);
	uint32_t i;

	for (i = 0; before && i < now->n; i++)
		if (now->devs[i].identity == before->identity)
			return &now->devs[i];
	return NULL;
}

static bool driver_has(const char *wanted)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	uint32_t id = 0;

	while (inproc_next_device(&id, name, sizeof(name)))
		if (!strcmp(name, wanted))
			return true;
	return false;
}

static void follow_all(const struct ibdevs *now)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	const struct ibdev *its;
	uint32_t id = 0;

	while (inproc_next_device(&id, name, sizeof(name))) {
		if (is_in_software(name))
			continue;
		its = follow(name, now);
		if (!its || is_in_software(its->info.name))
			inproc_remove_device(id);
		else if (strcmp(its->info.name, name) != 0)
			inproc_rename_device(id, its->info.name);
	}
}

static int add_new(void)
{
	const char *name;
	uint32_t i;

	for (i = 0; i < machine.n; i++) {
		name = machine.devs[i].info.name;
		if (machine.devs[i].usable && !is_in_software(name) &&
		    !driver_has(name) && !inproc_add_device(name))
			return -ENOMEM;
	}
	return 0;
}

/* Devices may still be there, although the process has no sysfs any more. */
static int follow_machine(void)
{
	struct ibdevs now;
	int err = ibdevs_list(&now);

	if (err == -ENOENT || err == -EACCES)
		return 0;
	if (err)
		return err;
	follow_all(&now);
	free(machine.devs);
	machine = now;
	return add_new();
}

/* Return false if it is not to be shown: it would be chosen, and fail. */
static bool show(struct doca_devinfo *info, uint32_t id, const char *name)
{
	const struct ibdev *its = find(&machine, name);

	if (its)
		*info = its->info;
	else
		describe(info, id, name);
	info->id = id;
	return !its || its->usable;
}

/* Those in software come first: they were there before. */
static int process_list(struct doca_devinfo **infos, uint32_t *n)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	struct doca_devinfo *list = NULL, *more;
	uint32_t id = 0, nr = 0;
	int err = follow_machine();

	if (err)
		return err;
	while (inproc_next_device(&id, name, sizeof(name))) {
		more = reallocarray(list, nr + 1, sizeof(*list));
		if (!more) {
			free(list);
			return -ENOMEM;
		}
		list = more;
		if (show(&list[nr], id, name))
			nr++;
	}
	*infos = list;
	*n = nr;
	return 0;
}

static int process_functions(struct driver_function **functions, uint32_t *n)
{
	struct inproc_function next = { 0 };
	struct driver_function *list = NULL, *more;
	uint32_t nr = 0;

	while (inproc_next_function(&next)) {
		more = reallocarray(list, nr + 1, sizeof(*list));
		if (!more) {
			free(list);
			return -ENOMEM;
		}
		list = more;
		list[nr] = (struct driver_function){
			.id = next.id,
			.dpu = next.dpu,
			.host = next.host,
		};
		strcpy(list[nr++].vuid, next.vuid);
	}
	*functions = list;
	*n = nr;
	return 0;
}

static int process_check(uint32_t id)
{
	char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
	uint32_t found = id - 1;

	if (!inproc_next_device(&found, name, sizeof(name)) || found != id)
		return -ENODEV;
	return 0;
}

const struct driver_ops driver_process = {
	.name = "process",
	.open = process_open,
	.close = process_close,
	.call = process_call,
	.map = process_map,
	.unmap = process_unmap,
	.rearm = inproc_rearm,
	.list = process_list,
	.functions = process_functions,
	.check = process_check,
};
