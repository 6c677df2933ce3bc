// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <doca_error.h>

#include "common/device_name.h"
#include "data/device.h"
#include "data/msg.h"

/* For example "rxe0 (0000:03:00.0)". */
static void describe(const struct doca_devinfo *info, char *text, size_t size)
{
	char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "";
	char pci[2 * DOCA_DEVINFO_PCI_ADDR_SIZE] = "";

	if (doca_devinfo_get_ibdev_name(info, ibdev, sizeof(ibdev)) !=
		    DOCA_SUCCESS ||
	    !ibdev[0])
		snprintf(ibdev, sizeof(ibdev), "software device");
	if (doca_devinfo_get_pci_addr_str(info, pci) != DOCA_SUCCESS || !pci[0])
		snprintf(pci, sizeof(pci), "no PCI address");
	snprintf(text, size, "%s (%s)", ibdev, pci);
}

static void say_not_found(struct doca_devinfo **list, uint32_t nr,
			  const char *name)
{
	char text[128];
	uint32_t i;

	if (!nr) {
		fail("there is no DOCA device");
		hint("Load the driver with 'modprobe doca', and be a member of group doca; see doca(4).");
		return;
	}
	if (name)
		fail("there is no device '%s'", name);
	else
		fail("no device can do this");
	hint("These devices exist:");
	for (i = 0; i < nr; i++) {
		describe(list[i], text, sizeof(text));
		hint("  %s", text);
	}
}

static int open_listed(struct doca_devinfo **list, uint32_t nr,
		       const char *name, device_fits fits,
		       struct doca_dev **dev)
{
	char text[128];
	doca_error_t err;
	uint32_t i;

	for (i = 0; i < nr; i++)
		if (name ? device_is_named(list[i], name) : fits(list[i]))
			break;
	if (i == nr) {
		say_not_found(list, nr, name);
		return -1;
	}
	describe(list[i], text, sizeof(text));
	if (!fits(list[i]))
		return fail("device %s cannot do this", text);
	err = doca_dev_open(list[i], dev);
	if (err != DOCA_SUCCESS) {
		fail_doca(err, "cannot open device %s", text);
		hint("Is the driver loaded (modprobe doca), and are you a member of group doca? See doca(4).");
		return -1;
	}
	detail("device: %s", text);
	return 0;
}

int device_open(const char *name, device_fits fits, struct doca_dev **dev)
{
	struct doca_devinfo **list;
	doca_error_t err;
	uint32_t nr;
	int ret;

	err = doca_devinfo_create_list(&list, &nr);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot list devices");
	ret = open_listed(list, nr, name, fits, dev);
	doca_devinfo_destroy_list(list);
	return ret;
}
