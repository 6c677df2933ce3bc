// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>

#include <doca_comch.h>

#include "side.h"

enum { MAX_FLAGS = 8 };

static enum side side;
static char rep_addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE]; /* empty: any host */

static doca_error_t be_dpu(void *config)
{
	(void)config;
	side = SIDE_DPU;
	return DOCA_SUCCESS;
}

static doca_error_t be_host(void *config)
{
	(void)config;
	side = SIDE_HOST;
	return DOCA_SUCCESS;
}

static const struct sample_command commands[] = {
	{ "dpu", "be the program on the DPU, with the server", be_dpu },
	{ "host", "be the program on the host, with the client", be_host },
	{},
};

static doca_error_t set_rep_addr(void *value, void *config)
{
	(void)config;
	if (snprintf(rep_addr, sizeof(rep_addr), "%s", (char *)value) >=
	    (int)sizeof(rep_addr))
		return DOCA_ERROR_INVALID_VALUE;
	return DOCA_SUCCESS;
}

static const struct sample_flag rep_flag = {
	"r", "rep-pci", "<address>",
	"PCI address of the host, for the DPU's side (default: the first)",
	set_rep_addr
};

enum side side_start(const char *name, int argc, char **argv,
		     const struct sample_flag *flags)
{
	struct sample_flag all[MAX_FLAGS + 1] = { rep_flag };
	int nr;

	for (nr = 1; flags && flags->set && nr < MAX_FLAGS; flags++)
		all[nr++] = *flags;
	sample_start_command(name, argc, argv, all, commands);
	if (!side)
		give_up(DOCA_ERROR_INVALID_VALUE,
			"the arguments: name a side, dpu or host");
	return side;
}

struct doca_dev *side_open_device(enum side of)
{
	struct doca_dev *dev;

	if (!sample_try_devices(of == SIDE_DPU ?
					doca_comch_cap_server_is_supported :
					doca_comch_cap_client_is_supported,
				&dev, 1))
		give_up(DOCA_ERROR_NOT_FOUND,
			"a pair of devices, which 'docactl pair add' makes");
	return dev;
}

static bool is_wanted(const struct doca_devinfo_rep *rep)
{
	uint8_t equal = 1;

	if (rep_addr[0])
		check(doca_devinfo_rep_is_equal_pci_addr(rep, rep_addr, &equal),
		      rep_addr);
	return equal;
}

struct doca_dev_rep *side_open_representor(struct doca_dev *dev)
{
	struct doca_devinfo_rep **list;
	struct doca_dev_rep *rep = NULL;
	uint32_t nr, i;

	check(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET,
					   &list, &nr),
	      "the list of representors");
	for (i = 0; i < nr && !rep; i++)
		if (is_wanted(list[i]))
			check(doca_dev_rep_open(list[i], &rep),
			      "a representor");
	check(doca_devinfo_rep_destroy_list(list), "the list of representors");
	if (!rep)
		give_up(DOCA_ERROR_NOT_FOUND, "a representor of the host");
	return rep;
}

void side_progress(struct doca_pe *pe)
{
	struct pollfd readable = { .events = POLLIN };

	if (doca_pe_progress(pe))
		return;
	check(doca_pe_get_notification_handle(pe, &readable.fd), "the handle");
	check(doca_pe_request_notification(pe), "a request");
	if (poll(&readable, 1, -1) < 0 && errno != EINTR)
		give_up(DOCA_ERROR_OPERATING_SYSTEM, "poll");
	check(doca_pe_clear_notification(pe, readable.fd), "clearing");
}
