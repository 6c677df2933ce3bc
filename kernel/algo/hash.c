// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Hashes: the kernel's, which takes the fastest code that is loaded. udev loads what fits the CPU
 * when the system starts; with MODULE_SOFTDEP(), "modprobe -r doca" would fail where others use it.
 */
#include <crypto/hash.h>
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/init.h>

#include "algo.h"
#include "algo/gcm.h"

static const char *const doca_hash_names[] = {
	[DOCA_HASH_SHA1] = "sha1",
	[DOCA_HASH_SHA256] = "sha256",
	[DOCA_HASH_SHA512] = "sha512",
};

/* Constant once the module is loaded. All queues share them: the state is elsewhere. */
static struct crypto_shash *doca_hashes[ARRAY_SIZE(doca_hash_names)];

static struct crypto_shash *doca_hash_alloc(const char *name)
{
	struct crypto_shash *shash;

	shash = crypto_alloc_shash(name, 0, CRYPTO_ALG_ALLOCATES_MEMORY);
	if (IS_ERR(shash))
		return NULL;
	if (sizeof(struct shash_desc) + crypto_shash_descsize(shash) <=
		    DOCA_HASH_RUN &&
	    crypto_shash_statesize(shash) <= DOCA_HASH_STATE)
		return shash;
	crypto_free_shash(shash);
	return NULL;
}

void __init doca_algo_init(void)
{
	u32 i;

	for (i = DOCA_HASH_SHA1; i < ARRAY_SIZE(doca_hashes); i++)
		doca_hashes[i] = doca_hash_alloc(doca_hash_names[i]);
	doca_sums_init();
	doca_gcm_init();
}

void doca_algo_exit(void)
{
	u32 i;

	for (i = DOCA_HASH_SHA1; i < ARRAY_SIZE(doca_hashes); i++)
		if (doca_hashes[i])
			crypto_free_shash(doca_hashes[i]);
	doca_sums_exit();
}

u64 doca_algo_hashes(void)
{
	u64 there = 0;
	u32 i;

	for (i = DOCA_HASH_SHA1; i < ARRAY_SIZE(doca_hashes); i++)
		if (doca_hashes[i])
			there |= BIT_ULL(i);
	return there;
}

static struct shash_desc *doca_hash_desc(void *run, u32 algorithm)
{
	struct shash_desc *desc = run;

	desc->tfm = doca_hashes[algorithm];
	return desc->tfm ? desc : NULL;
}

int doca_algo_hash_begin(void *run, u32 algorithm)
{
	struct shash_desc *desc = doca_hash_desc(run, algorithm);

	return desc ? crypto_shash_init(desc) : -EOPNOTSUPP;
}

int doca_algo_hash_load(void *run, u32 algorithm, const void *state)
{
	struct shash_desc *desc = doca_hash_desc(run, algorithm);

	return desc ? crypto_shash_import(desc, state) : -EOPNOTSUPP;
}

int doca_algo_hash_update(void *run, const void *bytes, u32 length)
{
	return crypto_shash_update(run, bytes, length);
}

int doca_algo_hash_final(void *run, u8 *digest)
{
	return crypto_shash_final(run, digest);
}

int doca_algo_hash_save(void *run, void *state)
{
	return crypto_shash_export(run, state);
}
