/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The format of LZ4 frames, 1.6.x of its description, and their checksums. */
#ifndef FILE_LZ4_FRAME_H
#define FILE_LZ4_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LZ4_MAGIC 0x184d2204
#define LZ4_LEGACY 0x184c2102
#define LZ4_WORD 4
#define LZ4_STORED 0x80000000U
#define LZ4_HEADER_MAX 19
#define LZ4_BLOCK_MAX (4 << 20)

struct lz4_frame {
	size_t header; /* its bytes */
	size_t block_max; /* bytes of a block, compressed or not */
	bool are_independent;
	bool has_block_sums;
	bool has_sum;
	bool has_length;
	uint64_t length;
};

uint32_t lz4_get_word(const uint8_t *at);
void lz4_put_word(uint8_t *at, uint32_t word);
bool lz4_is_skippable(uint32_t magic);

/* False, with a reason, if it is none, or none that can be decompressed. */
bool lz4_read_header(const uint8_t *data, size_t len, struct lz4_frame *frame,
		     const char **why);

/* XXH32. NULL: out of memory. It is freed with free(). */
struct lz4_sum;
struct lz4_sum *lz4_sum_new(void);
void lz4_sum_begin(struct lz4_sum *sum);
void lz4_sum_add(struct lz4_sum *sum, const void *data, size_t len);
uint32_t lz4_sum_value(const struct lz4_sum *sum);
uint32_t lz4_sum_of(const void *data, size_t len);

#endif /* FILE_LZ4_FRAME_H */
