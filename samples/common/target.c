// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <string.h>

#include "target.h"

enum { MAX_FLAGS = 8 };

static char vuid[DOCA_DEVINFO_REP_VUID_SIZE];
static const char *map = "/tmp/symbols.json";
static const char *regions = "/tmp/mem_regions.json";

static doca_error_t set_vuid(void *value, void *config)
{
	(void)config;
	snprintf(vuid, sizeof(vuid), "%s", (char *)value);
	return DOCA_SUCCESS;
}

static doca_error_t set_map(void *value, void *config)
{
	(void)config;
	map = strdup(value);
	return map ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

static doca_error_t set_regions(void *value, void *config)
{
	(void)config;
	regions = strdup(value);
	return regions ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

static const struct sample_flag own_flags[] = {
	{ "u", "vuid", "<vuid>", "VUID of the target (default: the first)",
	  set_vuid },
	{ "o", "map", "<file>",
	  "symbols of its kernel (default: /tmp/symbols.json)", set_map },
	{ "m", "regions", "<file>",
	  "memory that may be read (default: /tmp/mem_regions.json)",
	  set_regions },
};

/* Any device with representors will do: all list the targets. */
static doca_error_t has_representors(const struct doca_devinfo *devinfo)
{
	uint8_t yes = 0;
	doca_error_t ret =
		doca_devinfo_rep_cap_is_filter_net_supported(devinfo, &yes);

	return ret == DOCA_SUCCESS && !yes ? DOCA_ERROR_NOT_SUPPORTED : ret;
}

static struct doca_dev_rep *open_representor(struct doca_dev *dev)
{
	char found[DOCA_DEVINFO_REP_VUID_SIZE];
	struct doca_devinfo_rep **list;
	struct doca_dev_rep *rep = NULL;
	uint32_t nr;

	check(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET,
					   &list, &nr),
	      "the list of targets");
	for (uint32_t i = 0; i < nr && !rep; i++) {
		check(doca_devinfo_rep_get_vuid(list[i], found, sizeof(found)),
		      "a VUID");
		if (!*vuid || !strcmp(found, vuid))
			check(doca_dev_rep_open(list[i], &rep), found);
	}
	check(doca_devinfo_rep_destroy_list(list), "the list of targets");
	if (!rep)
		give_up(DOCA_ERROR_NOT_FOUND,
			*vuid ? vuid :
				"a target, which 'doca_apsh target add' makes");
	return rep;
}

static void read_flags(const char *name, int argc, char **argv,
		       const struct sample_flag *flags)
{
	struct sample_flag all[MAX_FLAGS + 1] = { 0 };
	int nr = 0;

	for (; nr < (int)(sizeof(own_flags) / sizeof(own_flags[0])); nr++)
		all[nr] = own_flags[nr];
	for (; flags && flags->set && nr < MAX_FLAGS; flags++)
		all[nr++] = *flags;
	sample_start(name, argc, argv, all);
}

void target_start(struct target *target, const char *name, int argc,
		  char **argv, const struct sample_flag *flags)
{
	read_flags(name, argc, argv, flags);
	target->dev = sample_open_device(has_representors);
	target->rep = open_representor(target->dev);
	target->ctx = doca_apsh_create();
	if (!target->ctx)
		give_up(DOCA_ERROR_NO_MEMORY, "a context");
	check(doca_apsh_dma_dev_set(target->ctx, target->dev), "the device");
	check(doca_apsh_start(target->ctx), "the context");
	target->system = doca_apsh_system_create(target->ctx);
	if (!target->system)
		give_up(DOCA_ERROR_NO_MEMORY, "a system");
	check(doca_apsh_sys_dev_set(target->system, target->rep), "the target");
	check(doca_apsh_sys_os_symbol_map_set(target->system, map), map);
	check(doca_apsh_sys_mem_region_set(target->system, regions), regions);
	check(doca_apsh_system_start(target->system), "the system");
}

struct doca_apsh_process *target_find_process(struct target *target,
					      unsigned int pid,
					      struct doca_apsh_process ***list)
{
	int nr;

	check(doca_apsh_processes_get(target->system, list, &nr), "processes");
	for (int i = 0; i < nr; i++)
		if (doca_apsh_process_info_get((*list)[i],
					       DOCA_APSH_PROCESS_PID) == pid)
			return (*list)[i];
	give_up(DOCA_ERROR_NOT_FOUND, "the process");
}

void target_end(struct target *target)
{
	doca_apsh_system_destroy(target->system);
	doca_apsh_destroy(target->ctx);
	check(doca_dev_rep_close(target->rep), "the representor");
	check(doca_dev_close(target->dev), "the device");
}
