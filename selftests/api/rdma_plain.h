/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The protocol of rdma_plain, for both sides. */
#ifndef SELFTESTS_API_RDMA_PLAIN_H
#define SELFTESTS_API_RDMA_PLAIN_H

#include <stdint.h>

#define PLAIN_MESSAGE 4096
#define PLAIN_MEMORY 8192
#define PLAIN_WORD 37 /* at the beginning of the memory, before the other side adds */
#define PLAIN_ADDS 5

/* Immediate data, in the order of the messages. */
enum {
	PLAIN_PING = 0x1234,
	PLAIN_PONG, /* brings the same bytes back */
	PLAIN_SHARE, /* a struct plain_memory */
	PLAIN_DONE, /* its second half was overwritten */
};

struct plain_memory {
	uint64_t address;
	uint32_t key;
	uint32_t length;
};

/* Bytes of each round differ. */
static inline unsigned char plain_byte(int i, int round)
{
	return (i * 7 + round * 31) & 0xff;
}

#endif /* SELFTESTS_API_RDMA_PLAIN_H */
