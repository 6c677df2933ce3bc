/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_APSH_HALVE_H
#define DOCA_APSH_HALVE_H

#include "../types.h"

/* Return the first of a sorted list of which this is false; their number if there is none. */
static inline u32 first_not(u32 nr, bool (*is_before)(const void *key, u32 i),
			    const void *key)
{
	u32 low = 0, high = nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (is_before(key, mid))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

#endif /* DOCA_APSH_HALVE_H */
