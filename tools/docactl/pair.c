// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Pairs of a host's device and its DPU's */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "commands.h"
#include "msg.h"
#include "pci.h"

#define DEFAULT_NAME "pair0"
#define HOW_TO_LIST "'docactl device' lists devices."

/* One side: the user's name for it, and the address at which programs look for it */
struct side {
	const char *name;
	const char *given; /* NULL if not given */
	const char *pci;
	int id_attr, pci_attr;
	uint32_t id; /* device; 0 if the address has none */
};

/* Compare with the programs' default address, of either length, or with any other one */
static bool is_at(const struct record *device, const char *address)
{
	struct field field = { .attr = DOCA_GENL_A_DEV_PCI, .type = FIELD_PCI };
	char pci[FIELD_TEXT_MAX];
	const char *bdf;

	field_text(&field, device, pci);
	bdf = strchr(pci, ':');
	return !strcasecmp(pci, address) ||
	       (bdf && !strcasecmp(bdf + 1, address));
}

static uint32_t device_at(const struct records *devices, const char *address)
{
	size_t i;

	for (i = 0; i < devices->n; i++)
		if (is_at(&devices->all[i], address))
			return record_value(&devices->all[i],
					    DOCA_GENL_A_DEV_ID);
	return 0;
}

/* Find the device; if none is at the default address, this is not a failure. */
static int find_side(struct side *side, const struct records *devices)
{
	side->id = device_at(devices, side->given ? side->given : side->pci);
	if (side->given && !side->id)
		side->id = find_device(devices, side->given);
	return side->given && !side->id ? -1 : 0;
}

static int say_missing(const struct side *missing, const struct side *other)
{
	if (other->given)
		fail("there is no device at %s for the %s's side", missing->pci,
		     missing->name);
	else
		fail("there is a device at %s, but none at %s", other->pci,
		     missing->pci);
	hint("Say which is the %s's with '%s DEVICE'; " HOW_TO_LIST,
	     missing->name, missing->name);
	return -1;
}

static int check_sides(const struct side *dpu, const struct side *host)
{
	if (!dpu->id && (host->id || host->given))
		return say_missing(dpu, host);
	if (!host->id && (dpu->id || dpu->given))
		return say_missing(host, dpu);
	return 0;
}

static struct argument argument_of(const struct side *side)
{
	if (side->id)
		return (struct argument){ .attr = side->id_attr,
					  .value = side->id };
	return (struct argument){ .attr = side->pci_attr, .text = side->pci };
}

static int send_add(struct family *family, const struct pair_options *pair,
		    const struct side *dpu, const struct side *host)
{
	const char *name = pair->name ? pair->name : DEFAULT_NAME;
	const struct argument args[] = {
		{ .attr = DOCA_GENL_A_FUNCTION_NAME, .text = name },
		argument_of(dpu),
		argument_of(host),
		{ .attr = pair->any_user ? DOCA_GENL_A_ANY_USER : 0,
		  .flag = true },
		{ 0 },
	};
	int ret = family_change(family, DOCA_GENL_CMD_FUNCTION_ADD, args,
				"add pair", name);

	if (ret && (family->error == -EEXIST || family->error == -EBUSY))
		hint("'docactl pair show' lists pairs; 'docactl pair del' ends "
		     "one, and 'docactl pair add NAME dpu DEVICE host DEVICE' "
		     "adds another.");
	else if (ret && family->error == -ENODEV)
		hint(HOW_TO_LIST);
	return ret;
}

static int add(struct family *family, const struct pair_options *pair)
{
	struct side dpu = { .name = "dpu",
			    .given = pair->dpu,
			    .pci = "0000:03:00.0",
			    .id_attr = DOCA_GENL_A_DPU_ID,
			    .pci_attr = DOCA_GENL_A_DPU_PCI };
	struct side host = { .name = "host",
			     .given = pair->host,
			     .pci = "0000:b1:00.0",
			     .id_attr = DOCA_GENL_A_HOST_ID,
			     .pci_attr = DOCA_GENL_A_HOST_PCI };
	struct records devices = { 0 };
	int ret;

	ret = family_list(family, kind_device.cmd, &devices);
	if (!ret)
		ret = find_side(&dpu, &devices);
	if (!ret)
		ret = find_side(&host, &devices);
	records_free(&devices);
	if (!ret)
		ret = check_sides(&dpu, &host);
	return ret ? ret : send_add(family, pair, &dpu, &host);
}

static int del(struct family *family, const char *name)
{
	const struct argument args[] = {
		{ .attr = DOCA_GENL_A_FUNCTION_NAME, .text = name },
		{ 0 },
	};
	int ret = family_change(family, DOCA_GENL_CMD_FUNCTION_DEL, args,
				"end pair", name);

	if (ret && family->error == -ENOENT)
		hint("'docactl pair show' lists pairs.");
	return ret;
}

int command_pair(struct family *family, const struct options *opts)
{
	int i, ret = 0;

	switch (opts->pair.command) {
	case PAIR_ADD:
		return add(family, &opts->pair);
	case PAIR_DEL:
		/* If one is gone, go on with the others. */
		for (i = 0; i < opts->nr_names; i++)
			if (del(family, opts->names[i]))
				ret = -1;
		return ret;
	default:
		return command_show(family, opts);
	}
}
