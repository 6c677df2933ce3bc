/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* recvmsg() and recvmmsg() for a live socket (sock_live()), by both paths. */
#ifndef DOCA_ONLOAD_PLAIN_H
#define DOCA_ONLOAD_PLAIN_H

#include "../zc.h"

ssize_t plain_recvmsg(int fd, struct msghdr *msg, int flags);
int plain_recvmmsg(int fd, struct mmsghdr *msgs, unsigned int nr, int flags,
		   const struct timespec *timeout);

#endif /* DOCA_ONLOAD_PLAIN_H */
