/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* How the addresses of PCI functions are written. */
#ifndef DOCA_CORE_PCI_H
#define DOCA_CORE_PCI_H

#include <ctype.h>
#include <stdbool.h>

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

#endif /* DOCA_CORE_PCI_H */
