/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* PCI functions: the form of their addresses, and their entries in sysfs. */
#ifndef DOCA_CORE_PCI_H
#define DOCA_CORE_PCI_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PCI_ADDR_FORM "xxxx:xx:xx.x" /* domain:bus:device.function */
#define PCI_BDF_FORM "xx:xx.x"

/* An x of the form stands for a hexadecimal digit. */
static inline bool pci_has_form(const char *s, const char *form)
{
	for (; *form; s++, form++)
		if (*form == 'x' ? !isxdigit((unsigned char)*s) : *s != *form)
			return false;
	return !*s;
}

/* Functions in a domain above ffff count too, although their address is longer than the form. */
static inline bool pci_is_function(const char *name)
{
	size_t domain = strcspn(name, ":");

	return domain >= 4 && strspn(name, "0123456789abcdef") == domain &&
	       name[domain] && pci_has_form(name + domain + 1, PCI_BDF_FORM);
}

/* The path of sysfs; tests set their own. */
extern const char *pci_sysfs;

/* Return true if the function at this address is a virtual function. */
bool pci_is_vf(const char *pci);

/* Return true if there is an RDMA device of this name. */
bool pci_has_ibdev(const char *ibdev);

/*
 * Get the number of the subfunction of an RDMA device. Returns -ENOENT if it is not
 * on one, or another negative errno.
 */
int pci_get_sf(const char *ibdev, uint32_t *number);

#endif /* DOCA_CORE_PCI_H */
