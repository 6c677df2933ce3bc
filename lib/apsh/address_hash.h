/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Where a table has an address, virtual or physical, that the target has chosen. */
#ifndef DOCA_APSH_ADDRESS_HASH_H
#define DOCA_APSH_ADDRESS_HASH_H

#include "types.h"

u32 address_hash(u64 address);
/* Done when the library is loaded; again for tests. */
void address_hash_draw_key(void);

#endif /* DOCA_APSH_ADDRESS_HASH_H */
