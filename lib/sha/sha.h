/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_SHA_SHA_H
#define DOCA_SHA_SHA_H

#include <doca_sha.h>

#include "core/exec/library.h"
#include "core/exec/task_bufs.h"

/* Partial hashes come first: the session of one is its index, and one. */
enum {
	SHA_PARTIAL_HASH,
	SHA_HASH,
	SHA_TASKS,
};

struct doca_sha {
	struct doca_ctx ctx;
	struct task_pool pools[SHA_TASKS];
};

extern const struct object_type doca_sha_object;

extern const struct task_type sha_hash;
extern const struct task_type sha_partial_hash;

/* algorithm.c: by enum doca_sha_algorithm */
extern const struct sha_algorithm {
	uint32_t number; /* enum doca_hash */
	uint32_t digest; /* bytes */
	uint32_t block; /* bytes */
} sha_algorithms[];

/*
 * Return SUCCESS if tasks may have the algorithm. Otherwise log why not; at @level if it is
 * known.
 */
doca_error_t sha_check_algorithm(const struct task_limits *limits,
				 enum doca_sha_algorithm algorithm,
				 uint32_t level, const struct log_site *site);

/* Check the destination of a task that writes a digest, for its validate(). */
doca_error_t sha_check_room(const struct doca_task *task,
			    enum doca_sha_algorithm algorithm, uint64_t room);

/* Fill in all of an entry but the destination; holds the source. */
void sha_prepare_src(struct doca_task *task, enum doca_sha_algorithm algorithm,
		     struct doca_sqe *sqe, struct doca_seg *run,
		     uint32_t first);

/* Likewise the destination, for a digest, with the flag of the last part. */
void sha_prepare_dst(const struct doca_task *task, const struct doca_buf *dst,
		     struct doca_sqe *sqe);

/* Check what both functions that set an algorithm do; log why not. */
doca_error_t sha_try_set_algorithm(const struct doca_task *task,
				   const struct object_type *object,
				   enum doca_sha_algorithm algorithm,
				   const struct log_site *site);

#endif /* DOCA_SHA_SHA_H */
