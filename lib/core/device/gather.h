/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Reading the physical memory of this machine, by GATHER of the driver: many small pieces
 * in one round.
 */
#ifndef DOCA_CORE_GATHER_H
#define DOCA_CORE_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

struct doca_dev;
struct gather;

struct gather_piece {
	uint64_t pa;
	uint32_t len; /* any */
	bool absent; /* some of it is not to be read; then all of @to is zeroed */
	void *to;
};

struct gather_stats {
	uint64_t rounds; /* that were waited for */
	uint64_t bytes;
};

/*
 * @dev NULL: the first device of the driver. NOT_SUPPORTED if the driver offers no
 * physical memory, NOT_PERMITTED, NO_MEMORY, or INITIALIZATION; with a line in the log that
 * names the remedy.
 */
DOCA_STABLE doca_error_t doca_priv_gather_open(struct doca_dev *dev,
					       struct gather **gather);
DOCA_STABLE void doca_priv_gather_close(struct gather *gather);

/*
 * All pieces, in no order. -EIO, with a line in the log, if none can be read any more. One
 * thread at a time.
 */
DOCA_STABLE int doca_priv_gather_read(struct gather *gather,
				      struct gather_piece *pieces,
				      unsigned int nr);

DOCA_STABLE struct gather_stats
doca_priv_gather_stats(const struct gather *gather);

#endif /* DOCA_CORE_GATHER_H */
