// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The permissions of a memory map as text for the log. */
#include <stdio.h>

#include "mmap.h"

const char *mmap_access_names(const struct doca_mmap *mmap, char *s,
			      size_t size)
{
	static const char *const names[] = {
		"LOCAL_READ_WRITE", "RDMA_READ",     "RDMA_WRITE",
		"RDMA_ATOMIC",	    "PCI_READ_ONLY", "PCI_READ_WRITE",
	};
	static const uint32_t flags[] = {
		DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
		DOCA_ACCESS_FLAG_RDMA_READ,
		DOCA_ACCESS_FLAG_RDMA_WRITE,
		DOCA_ACCESS_FLAG_RDMA_ATOMIC,
		DOCA_ACCESS_FLAG_PCI_READ_ONLY,
		DOCA_ACCESS_FLAG_PCI_READ_WRITE,
	};
	size_t i, n = 0;

	snprintf(s, size, "LOCAL_READ_ONLY");
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]) && n < size; i++)
		if (mmap->access & flags[i])
			n += snprintf(s + n, size - n, "%s%s", n ? " | " : "",
				      names[i]);
	return s;
}
