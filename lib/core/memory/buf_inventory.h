/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Inventories: buffers for memory that the program chooses. */
#ifndef DOCA_CORE_BUF_INVENTORY_H
#define DOCA_CORE_BUF_INVENTORY_H

#include <doca_buf_inventory.h>

#include "buf_stock.h"

struct inventory_chunk {
	struct inventory_chunk *next;
	struct doca_buf *bufs;
};

struct doca_buf_inventory {
	struct buf_stock stock;
	struct inventory_chunk *chunks; /* several if it was expanded */
};

#endif /* DOCA_CORE_BUF_INVENTORY_H */
