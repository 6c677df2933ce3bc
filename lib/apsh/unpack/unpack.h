/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Decoders of two simple formats. What they read is hostile: neither reads behind @from nor
 * writes behind @to, whatever the bytes are. They return the number of bytes written, or -1 if
 * the input is damaged or does not fit.
 */
#ifndef DOCA_APSH_UNPACK_H
#define DOCA_APSH_UNPACK_H

#include <stddef.h>
#include <sys/types.h>

#include "../types.h"

/* A block of LZO1X. */
ssize_t unpack_lzo(const void *from, size_t len, void *to, size_t room);
/* A block of Snappy, without a frame. */
ssize_t unpack_snappy(const void *from, size_t len, void *to, size_t room);

/* The checksum of a chunk in Snappy's frames: the CRC-32C of its memory, masked. */
struct snappy_sum {
	u32 of_byte[256];
};

void snappy_sum_init(struct snappy_sum *s);
u32 snappy_sum(const struct snappy_sum *s, const void *data, size_t len);

#endif /* DOCA_APSH_UNPACK_H */
