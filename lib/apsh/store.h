/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Granules that a view has read, by physical address. */
#ifndef DOCA_APSH_STORE_H
#define DOCA_APSH_STORE_H

#include "types.h"

struct granule {
	u64 pa;
	u8 *data;
	bool absent;
	bool missed; /* a caller wanted it, and it is absent */
	bool pending; /* wanted, but not read yet */
};

struct view_store;

struct view_store *store_new(void);
void store_free(struct view_store *s); /* zeroes all; NULL: nothing */

struct granule *store_find(struct view_store *s, u64 pa);
/* Make it pending; NULL if there is no memory. */
struct granule *store_add(struct view_store *s, u64 pa);
u32 store_count(const struct view_store *s);
/* Return the pending granules; they are valid until the next call of store_add(). */
struct granule *store_pending(struct view_store *s, u32 *nr);
void store_settle(struct view_store *s);

#endif /* DOCA_APSH_STORE_H */
