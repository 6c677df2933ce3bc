/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Sources of what computes. Each fills memory for a load of @size; returns the bytes. A CPU learns
 * the branches of some ten thousand bytes that come again and again, so that a measurement takes
 * sources with seeds from 0 to SAMPLES - 1 in turns.
 */
#ifndef BENCH_SAMPLE_DATA_H
#define BENCH_SAMPLE_DATA_H

#include <stddef.h>
#include <stdint.h>

#define SAMPLES 8

/* Words, that can be compressed as texts can. */
size_t sample_text(uint8_t *to, size_t size, uint32_t seed);

/* A stream of DEFLATE, and a block of LZ4, of that size when they are decompressed. */
size_t sample_deflate(uint8_t *to, size_t size, uint32_t seed);
size_t sample_lz4(uint8_t *to, size_t size, uint32_t seed);

#endif /* BENCH_SAMPLE_DATA_H */
