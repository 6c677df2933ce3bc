/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Bursts of datagrams. Each datagram begins with its number. */
#ifndef BENCH_BURST_H
#define BENCH_BURST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "bench/way.h"

#define BURST_MAX 64
#define BURST_MIN_SIZE sizeof(uint32_t)
#define BURST_MAX_SIZE 1472 /* with headers, an Ethernet frame */

struct burst {
	struct load load;
	uint32_t first; /* number of the first datagram */
	uint64_t seen; /* bits of the datagrams that have arrived */
};

void burst_begin(struct burst *burst, const struct load *load);
/* Begin a burst with the next numbers. */
void burst_next(struct burst *burst);

/* Record a datagram. Returns -1 if it is not of this burst, or was recorded already. */
int burst_note(struct burst *burst, const void *data, size_t length);
bool burst_whole(const struct burst *burst);

/* Arguments of sendmmsg() and recvmmsg(). */
struct burst_messages {
	struct mmsghdr headers[BURST_MAX];
	struct iovec iov[BURST_MAX];
	uint8_t data[BURST_MAX][BURST_MAX_SIZE +
				1]; /* one byte more, to notice a longer one */
};

void burst_messages_init(struct burst_messages *messages, size_t size);
/* Send a burst on a connected socket. */
int burst_send(const struct burst *burst, struct burst_messages *messages,
	       int fd);
/* Record the datagrams that have arrived. Returns how many, or -1. */
int burst_receive(struct burst *burst, struct burst_messages *messages, int fd);

#endif /* BENCH_BURST_H */
