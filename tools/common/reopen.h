/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Files of others, which are looked at by O_PATH before they are opened. */
#ifndef COMMON_REOPEN_H
#define COMMON_REOPEN_H

/* For reading, without waiting for a lease. -1 and errno; the first stays open. */
int reopen(int fd);

#endif /* COMMON_REOPEN_H */
