// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sample.h"

static char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE]; /* empty: any device */

void give_up(doca_error_t err, const char *what)
{
	fprintf(stderr, "%s: %s (%s)\n", what, doca_error_get_descr(err),
		doca_error_get_name(err));
	exit(EXIT_FAILURE);
}

static doca_error_t set_pci_addr(void *value, void *config)
{
	(void)config;
	if (snprintf(pci_addr, sizeof(pci_addr), "%s", (char *)value) >=
	    (int)sizeof(pci_addr))
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}

static const struct sample_flag pci_flag = {
	"p", "pci-addr", "<address>",
	"PCI address of the device, such as 03:00.0 (default: the first)",
	set_pci_addr
};

static void add_flag(const struct sample_flag *flag, bool inherited)
{
	struct doca_argp_param *param;

	check(doca_argp_param_create(&param), "a flag");
	doca_argp_param_set_short_name(param, flag->short_name);
	doca_argp_param_set_long_name(param, flag->long_name);
	doca_argp_param_set_arguments(param, flag->arguments);
	doca_argp_param_set_description(param, flag->description);
	doca_argp_param_set_type(param, DOCA_ARGP_TYPE_STRING);
	doca_argp_param_set_callback(param, flag->set);
	if (inherited)
		doca_argp_param_set_inherited(param);
	check(doca_argp_register_param(param), "a flag");
}

static void add_command(const struct sample_command *command)
{
	struct doca_argp_cmd *cmd;

	check(doca_argp_cmd_create(&cmd), "a command");
	doca_argp_cmd_set_name(cmd, command->name);
	doca_argp_cmd_set_description(cmd, command->description);
	doca_argp_cmd_set_callback(cmd, command->run);
	check(doca_argp_register_cmd(cmd), "a command");
}

void sample_start(const char *name, int argc, char **argv,
		  const struct sample_flag *flags)
{
	sample_start_command(name, argc, argv, flags, NULL);
}

/* Flags may stand before the command or behind it. */
void sample_start_command(const char *name, int argc, char **argv,
			  const struct sample_flag *flags,
			  const struct sample_command *commands)
{
	check(doca_argp_init(name, NULL), "the parser of arguments");
	add_flag(&pci_flag, commands);
	for (; flags && flags->set; flags++)
		add_flag(flags, commands);
	for (; commands && commands->run; commands++)
		add_command(commands);
	check(doca_argp_start(argc, argv), "the arguments");
	check(doca_argp_destroy(), "the parser of arguments");
}

static bool may_use(struct doca_devinfo *devinfo, sample_capability can)
{
	uint8_t equal = 1;

	if (pci_addr[0])
		check(doca_devinfo_is_equal_pci_addr(devinfo, pci_addr, &equal),
		      pci_addr);
	return equal && can(devinfo) == DOCA_SUCCESS;
}

unsigned int sample_try_devices(sample_capability can, struct doca_dev **devs,
				unsigned int max)
{
	struct doca_devinfo **list;
	unsigned int opened = 0;
	uint32_t nr, i;

	check(doca_devinfo_create_list(&list, &nr), "the list of devices");
	for (i = 0; i < nr && opened < max; i++)
		if (may_use(list[i], can))
			check(doca_dev_open(list[i], &devs[opened++]),
			      "a device");
	check(doca_devinfo_destroy_list(list), "the list of devices");
	return opened;
}

unsigned int sample_open_devices(sample_capability can, struct doca_dev **devs,
				 unsigned int max)
{
	unsigned int opened = sample_try_devices(can, devs, max);

	if (!opened)
		give_up(DOCA_ERROR_NOT_FOUND, "a device that can do this");
	return opened;
}

struct doca_dev *sample_open_device(sample_capability can)
{
	struct doca_dev *dev;

	sample_open_devices(can, &dev, 1);
	return dev;
}
