/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_APSH_NOP_H
#define DOCA_APSH_NOP_H

#include "../types.h"

/*
 * Return true if these bytes do nothing, and what is behind them is executed next. Only what the
 * kernel and its assembler write does: others may be longer than they look.
 */
bool are_nops(const u8 *p, u32 len);

/*
 * Return true for the 4 bytes of an endbr64, or of what the kernel writes in its place, where no
 * indirect call may lead, or FineIBT jumps into it.
 */
enum { LANDING = 4 };
bool is_landing(const u8 *p);

/* Return true for nothing but breakpoints, as behind what is not left by its end. */
bool are_breakpoints(const u8 *p, u32 len);

#endif /* DOCA_APSH_NOP_H */
