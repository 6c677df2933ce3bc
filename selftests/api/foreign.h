/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Descriptors for peers that do not have Open DOCA, of what such a peer has
 * told. The layouts are those of lib/core/memory/mmap_rdma.c and
 * lib/rdma/desc.c.
 */
#ifndef SELFTESTS_API_FOREIGN_H
#define SELFTESTS_API_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

#include <doca_mmap.h>

struct foreign_memory {
	uint32_t magic;
	uint16_t version, length;
	uint64_t address, bytes;
	uint32_t key, access;
	uint8_t reserved[24];
	uint32_t sum, zero;
};

static inline uint32_t foreign_sum(const void *data, size_t len)
{
	const uint8_t *at = data;
	uint32_t sum = ~0u;
	int bit;

	while (len--)
		for (sum ^= *at++, bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? 0x82f63b78 : 0);
	return ~sum;
}

/* Make a map of memory of the peer. */
static inline doca_error_t foreign_mmap(struct doca_dev *dev, uint64_t address, uint64_t bytes,
					uint32_t key, uint32_t access, struct doca_mmap **mmap)
{
	struct foreign_memory desc = {
		.magic = 0x4d4d5244, /* DRMM */
		.version = 1,
		.length = sizeof(desc),
		.address = address,
		.bytes = bytes,
		.key = key,
		.access = access,
	};

	desc.sum = foreign_sum(&desc, offsetof(struct foreign_memory, sum));
	return doca_mmap_create_from_export(NULL, &desc, sizeof(desc), dev, mmap);
}

#endif /* SELFTESTS_API_FOREIGN_H */
