/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Algorithms that other libraries have, for the driver in a process. They are a plug-in,
 * open-doca-2/compute.so beside libdoca_common, so that programs which do not need them do
 * not need those libraries either. Programs that are linked statically have it in
 * libdoca_common.a.
 *
 * No function allocates or fails, unless it says so. The state of a hash is plain bytes: it
 * may be copied, and wiped. That of a stream stays where it is.
 */
#ifndef COMPUTE_H
#define COMPUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Changes with the structures below. */
#define COMPUTE_VERSION 5

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
	/* The state of @size bytes is aligned to 8; false if the stream needs more. */
	bool (*begin)(void *state, size_t size, unsigned int level);
	enum compute_result (*run)(void *state, struct compute_io *io,
				   bool last);
};

/*
 * AES-GCM. A context takes one message after the other, each from begin() to wipe(). Functions
 * that return int return 0 if they fail, which they do only if libcrypto is out of order, and
 * check_tag() if the tag is wrong.
 */
struct compute_gcm {
	/* NULL: out of memory. */
	void *(*open)(void);
	void (*close)(void *context);
	/* The key has 16 or 32 bytes, the vector 12. */
	int (*begin)(void *context, const uint8_t *key, size_t length,
		     const uint8_t *iv, int encrypt);
	/* With additional data first, which has no @out. The two may be the same. */
	int (*update)(void *context, void *out, const void *in, size_t length);
	int (*get_tag)(void *context, uint8_t *tag, size_t length);
	int (*check_tag)(void *context, uint8_t *tag, size_t length);
	/* Keep nothing of the key. */
	void (*wipe)(void *context);
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
	const struct compute_gcm *gcm;
};

#define COMPUTE_TABLE "open_doca_compute"

/* hash.c */
extern const struct compute_hash compute_sha1;
extern const struct compute_hash compute_sha256;
extern const struct compute_hash compute_sha512;

/* deflate.c */
extern const struct compute_stream compute_deflate;
extern const struct compute_stream compute_inflate;

/* gcm.c */
extern const struct compute_gcm compute_gcm;

/* sums.c */
uint32_t compute_crc32(uint32_t sum, const void *bytes, size_t length);
uint32_t compute_adler32(uint32_t sum, const void *bytes, size_t length);

#endif
