// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include <doca_comch.h>
#include <doca_error.h>

#include "msg.h"
#include "pair.h"

/* Open the device that has this address, as a host's. */
static int open_host(struct pair *pair, struct doca_devinfo **list, uint32_t nr,
		     const char *wanted)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	uint32_t i;

	for (i = 0; i < nr; i++)
		if (doca_comch_cap_client_is_supported(list[i]) ==
			    DOCA_SUCCESS &&
		    doca_devinfo_get_pci_addr_str(list[i], pci) ==
			    DOCA_SUCCESS &&
		    !strcmp(pci, wanted) &&
		    doca_dev_open(list[i], &pair->host) == DOCA_SUCCESS)
			return 0;
	return -1;
}

/* Open the first representor of the DPU's device. */
static int open_rep(struct pair *pair, char pci[DOCA_DEVINFO_REP_PCI_ADDR_SIZE])
{
	struct doca_devinfo_rep **reps;
	doca_error_t err;
	uint32_t nr;

	if (doca_devinfo_rep_create_list(pair->dpu, DOCA_DEVINFO_REP_FILTER_NET,
					 &reps, &nr) != DOCA_SUCCESS)
		return -1;
	err = nr ? doca_devinfo_rep_get_pci_addr_str(reps[0], pci) :
		   DOCA_ERROR_NOT_FOUND;
	if (err == DOCA_SUCCESS)
		err = doca_dev_rep_open(reps[0], &pair->rep);
	doca_devinfo_rep_destroy_list(reps);
	return err == DOCA_SUCCESS ? 0 : -1;
}

static int open_of(struct pair *pair, struct doca_devinfo **list, uint32_t nr)
{
	char pci[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
	uint32_t i;

	for (i = 0; i < nr; i++) {
		*pair = (struct pair){ 0 };
		if (doca_comch_cap_server_is_supported(list[i]) ==
			    DOCA_SUCCESS &&
		    doca_dev_open(list[i], &pair->dpu) == DOCA_SUCCESS &&
		    !open_rep(pair, pci) && !open_host(pair, list, nr, pci))
			return 0;
		pair_close(pair);
	}
	return -1;
}

int pair_open(struct pair *pair)
{
	struct doca_devinfo **list;
	uint32_t nr;
	int ret;

	if (doca_devinfo_create_list(&list, &nr) != DOCA_SUCCESS)
		return fail("cannot list devices");
	ret = open_of(pair, list, nr);
	doca_devinfo_destroy_list(list);
	if (!ret)
		return 0;
	fail("there is no pair of devices");
	hint("Make one with 'docactl pair add', or measure without the module: DOCA_DRIVER=process.");
	return -1;
}

void pair_close(struct pair *pair)
{
	if (pair->rep)
		doca_dev_rep_close(pair->rep);
	if (pair->dpu)
		doca_dev_close(pair->dpu);
	if (pair->host)
		doca_dev_close(pair->host);
	*pair = (struct pair){ 0 };
}
