/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Algorithms that other libraries have, for the driver in a process. They are a plug-in,
 * open-doca/compute.so beside libdoca_common, so that programs which do not need them do
 * not need those libraries either. Programs that are linked statically have it in
 * libdoca_common.a.
 *
 * No function allocates, and those that return nothing do not fail. The state of a hash is
 * plain bytes: it may be copied, and wiped. That of a stream stays where it is.
 */
#ifndef COMPUTE_H
#define COMPUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Changes with the structures below. */
#define COMPUTE_VERSION 3

struct compute_hash {
	size_t size; /* bytes of the state, which is aligned to 8 */
	void (*init)(void *state);
	void (*update)(void *state, const void *bytes, size_t length);
	void (*final)(void *state, uint8_t *digest);
};

/* As struct doca_algo_io and enum doca_algo_result of kernel/algo.h. */
struct compute_io {
	const uint8_t *in;
	size_t in_left;
	uint8_t *out;
	size_t out_left;
};

enum compute_result {
	COMPUTE_MORE,
	COMPUTE_FULL,
	COMPUTE_END,
	COMPUTE_BAD,
};

/* A direction of DEFLATE, without a header. */
struct compute_stream {
	size_t size; /* needed for the state, which is aligned to 8 and may have more */
	bool (*begin)(void *state, size_t size, unsigned int level);
	enum compute_result (*run)(void *state, struct compute_io *io,
				   bool last);
};

struct compute {
	unsigned int version; /* COMPUTE_VERSION */
	const struct compute_hash *sha1;
	const struct compute_hash *sha256;
	const struct compute_hash *sha512;
	/* Go on from @sum with the bytes that follow; CRC-32 begins with 0, Adler-32 with 1. */
	uint32_t (*crc32)(uint32_t sum, const void *bytes, size_t length);
	uint32_t (*adler32)(uint32_t sum, const void *bytes, size_t length);
	const struct compute_stream *deflate;
	const struct compute_stream *inflate;
};

#define COMPUTE_TABLE "open_doca_compute"
extern const struct compute open_doca_compute
	__attribute__((visibility("default")));

/* hash.c */
extern const struct compute_hash compute_sha1;
extern const struct compute_hash compute_sha256;
extern const struct compute_hash compute_sha512;

/* deflate.c */
extern const struct compute_stream compute_deflate;
extern const struct compute_stream compute_inflate;

/* sums.c */
uint32_t compute_crc32(uint32_t sum, const void *bytes, size_t length);
uint32_t compute_adler32(uint32_t sum, const void *bytes, size_t length);

#endif
