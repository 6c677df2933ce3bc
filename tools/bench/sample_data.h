/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Sources of what computes. Each fills memory for a load of @size; returns the bytes. */
#ifndef BENCH_SAMPLE_DATA_H
#define BENCH_SAMPLE_DATA_H

#include <stddef.h>
#include <stdint.h>

/* Words, that can be compressed as texts can. */
size_t sample_text(uint8_t *to, size_t size);

/* A stream of DEFLATE, and a block of LZ4, of that size when they are decompressed. */
size_t sample_deflate(uint8_t *to, size_t size);
size_t sample_lz4(uint8_t *to, size_t size);

#endif /* BENCH_SAMPLE_DATA_H */
