/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * Algorithms for operations, in groups of functions. The kernel's implementations are in
 * algo/. A process has other ones of those that process/driver/algo/ names, from its
 * libraries.
 *
 * No function sleeps, allocates or keeps anything, unless it says so: the memory is the
 * caller's. Those that return int return 0 or a negative errno.
 */
#ifndef DOCA_ALGO_H
#define DOCA_ALGO_H

#include <linux/types.h>

#include <linux/doca.h>

/* Find what the kernel has, when the module is loaded; and release it. May sleep. */
void doca_algo_init(void);
void doca_algo_exit(void);

/* Hashes, by &enum doca_hash: */

/* Bytes of a running hash, aligned to 8; it stays at its address. */
#define DOCA_HASH_RUN 512
/* Bytes of one that is saved: anywhere, and for as long as one likes. */
#define DOCA_HASH_STATE 248
/* Bytes of the longest digest. */
#define DOCA_HASH_DIGEST 64

/* Return a mask of those that there are. May sleep, and load something. */
u64 doca_algo_hashes(void);

/* Begin: -EOPNOTSUPP if there is none such; or go on from what was saved. */
int doca_algo_hash_begin(void *run, u32 algorithm);
int doca_algo_hash_load(void *run, u32 algorithm, const void *state);
int doca_algo_hash_update(void *run, const void *bytes, u32 length);
/* End: with a digest; or save it, to go on later. What is left in @run is not wiped. */
int doca_algo_hash_final(void *run, u8 *digest);
int doca_algo_hash_save(void *run, void *state);

/* Checksums as zlib has them, of what @sum is of and @length bytes behind that. No bytes: */

#define DOCA_CRC32_INIT 0

/* Return whether there are these. May sleep, and load something. */
bool doca_algo_has_sums(void);

u32 doca_algo_crc32(u32 sum, const void *bytes, u32 length);
/* For its beginning, and to combine two, see algo/adler32.h. */
u32 doca_algo_adler32(u32 sum, const void *bytes, u32 length);

/* Streams of DEFLATE, as RFC 1951 has them: without a header. */

/* Bytes of a running stream, aligned to 8; it stays at its address. */
#define DOCA_DEFLATE_RUN (288 * 1024)
#define DOCA_INFLATE_RUN (88 * 1024)

/**
 * struct doca_algo_io - pieces of input and output, which calls move on
 * @in: the next byte to read; nobody else writes to what is read
 * @in_left: bytes that may be read. Where a stream ends, it counts all bytes behind it, also
 *	some of earlier pieces
 * @out: the next byte to write
 * @out_left: bytes that may be written
 */
struct doca_algo_io {
	const u8 *in;
	u32 in_left;
	u8 *out;
	u32 out_left;
};

enum doca_algo_result {
	DOCA_ALGO_MORE, /* all input was read, and some is missing */
	DOCA_ALGO_FULL, /* all output was written, and there may be more */
	DOCA_ALGO_END,
	DOCA_ALGO_BAD, /* the input is malformed; so is any further call */
};

/* Return whether there are these. May sleep, and load something. */
bool doca_algo_has_deflate(void);
bool doca_algo_has_inflate(void);

/* Begin to compress; @level is 1 to 9, or 0 for the fastest. */
int doca_algo_deflate_begin(void *run, u32 level);
/* Go on until a piece ends; @last if all input, of this call and later ones, is in the piece. */
enum doca_algo_result doca_algo_deflate(void *run, struct doca_algo_io *io,
					bool last);

int doca_algo_inflate_begin(void *run);
/* Go on until a piece ends, or the stream. */
enum doca_algo_result doca_algo_inflate(void *run, struct doca_algo_io *io);

/* A part of doca_algo_init() and of doca_algo_exit(). */
void doca_sums_init(void);
void doca_sums_exit(void);

#endif
