/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Files of other users: they are opened by O_PATH and checked before they are really opened. */
#ifndef COMMON_REOPEN_H
#define COMMON_REOPEN_H

/*
 * Open for reading, without waiting for a lease. Returns -1 and errno; the first
 * descriptor stays open.
 */
int reopen(int fd);

#endif /* COMMON_REOPEN_H */
