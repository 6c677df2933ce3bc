/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Memory of this process for a device. */
#ifndef DATA_REGION_H
#define DATA_REGION_H

#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>
#include <doca_mmap.h>

struct region {
	uint8_t *addr;
	size_t len;
	struct doca_mmap *mmap; /* NULL before region_open() */
};

/* Allocate zeroed memory; len must not be 0. */
int region_alloc(struct region *region, size_t len);

/* Let a device reach it, with bits of enum doca_access_flag. */
int region_open(struct region *region, struct doca_dev *dev, uint32_t access);

/* Undo both functions; a zeroed struct region is allowed. */
void region_free(struct region *region);

#endif /* DATA_REGION_H */
