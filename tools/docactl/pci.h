/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The PCI addresses of devices, as the libraries report them. */
#ifndef DOCACTL_PCI_H
#define DOCACTL_PCI_H

#include <doca_dev.h>

/* Get the address of a device by name; "" if it has none, or if that is unknown. */
void pci_of(const char *name, char pci[DOCA_DEVINFO_PCI_ADDR_SIZE]);

#endif /* DOCACTL_PCI_H */
