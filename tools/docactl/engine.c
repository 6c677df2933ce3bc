// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* DMA engines: which there are, and what they copy for */
#include <string.h>

#include "commands.h"
#include "msg.h"

/* The device's number, 0 if there is none of this name here */
static uint32_t find_device(const struct records *devices, const char *name)
{
	size_t i;

	for (i = 0; i < devices->n; i++)
		if (!strcmp(record_string(&devices->all[i],
					  DOCA_GENL_A_DEV_NAME),
			    name))
			return record_value(&devices->all[i],
					    DOCA_GENL_A_DEV_ID);
	fail("there is no device %s", name);
	hint("'docactl device' lists devices.");
	return 0;
}

/* @engine is NULL to have none */
static int attach(struct family *family, const char *engine, char **names,
		  int n)
{
	struct records devices = { 0 };
	int ret = family_list(family, kind_device.cmd, &devices);
	bool listed = !ret;
	int i;

	for (i = 0; i < n && listed; i++) {
		uint32_t id = find_device(&devices, names[i]);

		if (!id ||
		    (engine ? family_attach_engine(family, engine, id) :
			      family_detach_engine(family, names[i], id)))
			ret = -1;
	}
	records_free(&devices);
	return ret;
}

/* One that cannot be had is no reason to leave the others. */
static int change(struct family *family,
		  int (*one)(struct family *family, const char *name),
		  char **names, int n)
{
	int i, ret = 0;

	for (i = 0; i < n; i++)
		if (one(family, names[i]))
			ret = -1;
	return ret;
}

int command_engine(struct family *family, const struct options *opts)
{
	char **names = opts->names;
	int n = opts->nr_names;

	switch (opts->engine_command) {
	case ENGINE_ADD:
		return change(family, family_add_engine, names, n);
	case ENGINE_REMOVE:
		return change(family, family_remove_engine, names, n);
	case ENGINE_ATTACH:
		return attach(family, names[0], names + 1, n - 1);
	case ENGINE_DETACH:
		return attach(family, NULL, names, n);
	default:
		return command_show(family, opts);
	}
}
