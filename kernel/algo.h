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

/* A part of doca_algo_init() and of doca_algo_exit(). */
void doca_sums_init(void);
void doca_sums_exit(void);

#endif
