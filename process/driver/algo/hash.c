// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Hashes: those of libcrypto, whose states can be copied. */
#include "shim/kernel.h"

#include "algo.h"
#include "compute.h"

struct hash_run {
	const struct compute_hash *hash;
	u64 state[(DOCA_HASH_RUN - sizeof(void *)) / sizeof(u64)];
};

/* NULL if there is none such. */
static const struct compute_hash *find_hash(const struct compute *compute,
					    u32 algorithm)
{
	const struct compute_hash *hash = NULL;

	if (!compute)
		return NULL;
	switch (algorithm) {
	case DOCA_HASH_SHA1:
		hash = compute->sha1;
		break;
	case DOCA_HASH_SHA256:
		hash = compute->sha256;
		break;
	case DOCA_HASH_SHA512:
		hash = compute->sha512;
		break;
	}
	return hash && hash->size <= DOCA_HASH_STATE ? hash : NULL;
}

/* The libraries are loaded when they are needed. */
void doca_algo_init(void)
{
}

void doca_algo_exit(void)
{
}

u64 doca_algo_hashes(void)
{
	const struct compute *compute = compute_load();
	u64 there = 0;
	u32 i;

	for (i = DOCA_HASH_SHA1; i <= DOCA_HASH_SHA512; i++)
		if (find_hash(compute, i))
			there |= BIT_ULL(i);
	return there;
}

int doca_algo_hash_begin(void *at, u32 algorithm)
{
	struct hash_run *run = at;

	static_assert(sizeof(*run) <= DOCA_HASH_RUN);
	run->hash = find_hash(compute_get(), algorithm);
	if (!run->hash)
		return -EOPNOTSUPP;
	run->hash->init(run->state);
	return 0;
}

int doca_algo_hash_load(void *at, u32 algorithm, const void *state)
{
	struct hash_run *run = at;

	run->hash = find_hash(compute_get(), algorithm);
	if (!run->hash)
		return -EOPNOTSUPP;
	memcpy(run->state, state, run->hash->size);
	return 0;
}

int doca_algo_hash_update(void *at, const void *bytes, u32 length)
{
	struct hash_run *run = at;

	run->hash->update(run->state, bytes, length);
	return 0;
}

int doca_algo_hash_final(void *at, u8 *digest)
{
	struct hash_run *run = at;

	run->hash->final(run->state, digest);
	return 0;
}

int doca_algo_hash_save(void *at, void *state)
{
	const struct hash_run *run = at;

	memcpy(state, run->state, run->hash->size);
	return 0;
}
