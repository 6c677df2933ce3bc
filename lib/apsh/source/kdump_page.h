/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_APSH_SOURCE_KDUMP_PAGE_H
#define DOCA_APSH_SOURCE_KDUMP_PAGE_H

#include "../types.h"

/* Bits of the flags that say nothing of a page. All others say how it is packed: one is set, or none. */
#define KDUMP_STATUS 0x18U

bool kdump_page_is_known(u32 how);
/* Return 1; 0 if it is damaged or no page of @size bytes; or -ENOMEM. */
int kdump_page_unpack(u32 how, const void *packed, u32 len, u8 *page, u32 size);

#endif /* DOCA_APSH_SOURCE_KDUMP_PAGE_H */
