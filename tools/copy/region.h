/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Memory of this process that a device may reach */
#ifndef COPY_REGION_H
#define COPY_REGION_H

#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>
#include <doca_mmap.h>

struct region {
	uint8_t *addr;
	size_t len;
	struct doca_mmap *mmap; /* NULL until it is opened to the device */
};

/* Zeroed memory; a region of length 0 cannot be. */
int region_alloc(struct region *region, size_t len);

/* Open it to a device with bits of enum doca_access_flag. */
int region_open(struct region *region, struct doca_dev *dev, uint32_t access);

/* The reverse of both; may be called for a zeroed struct region. */
void region_free(struct region *region);

#endif /* COPY_REGION_H */
