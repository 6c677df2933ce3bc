/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Algorithms that other libraries have, for the driver in a process. They are a plug-in,
 * open-doca/compute.so beside libdoca_common, so that programs which do not need them do
 * not need those libraries either. Programs that are linked statically have it in
 * libdoca_common.a.
 *
 * No function allocates or fails. A state is plain bytes: it may be copied, and wiped.
 */
#ifndef COMPUTE_H
#define COMPUTE_H

#include <stddef.h>
#include <stdint.h>

/* Changes with the structures below. */
#define COMPUTE_VERSION 2

struct compute_hash {
	size_t size; /* bytes of the state, which is aligned to 8 */
	void (*init)(void *state);
	void (*update)(void *state, const void *bytes, size_t length);
	void (*final)(void *state, uint8_t *digest);
};

struct compute {
	unsigned int version; /* COMPUTE_VERSION */
	const struct compute_hash *sha1;
	const struct compute_hash *sha256;
	const struct compute_hash *sha512;
	/* Go on from @sum with the bytes that follow; CRC-32 begins with 0, Adler-32 with 1. */
	uint32_t (*crc32)(uint32_t sum, const void *bytes, size_t length);
	uint32_t (*adler32)(uint32_t sum, const void *bytes, size_t length);
};

#define COMPUTE_TABLE "open_doca_compute"
extern const struct compute open_doca_compute
	__attribute__((visibility("default")));

/* hash.c */
extern const struct compute_hash compute_sha1;
extern const struct compute_hash compute_sha256;
extern const struct compute_hash compute_sha512;

/* sums.c */
uint32_t compute_crc32(uint32_t sum, const void *bytes, size_t length);
uint32_t compute_adler32(uint32_t sum, const void *bytes, size_t length);

#endif
