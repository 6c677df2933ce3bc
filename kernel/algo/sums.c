// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Checksums: CRC-32 by the kernel, with the instructions that the CPU has for it. */
#include <crypto/hash.h>
#include <linux/crc32.h>
#include <linux/err.h>
#include <linux/init.h>

#include "algo.h"
#include "algo/adler32.h"

/* Constant once the module is loaded; NULL if it is no faster than the library. */
static struct crypto_shash *doca_crc32;

void __init doca_sums_init(void)
{
	struct crypto_shash *shash;

	shash = crypto_alloc_shash("crc32", 0, CRYPTO_ALG_ALLOCATES_MEMORY);
	if (IS_ERR(shash))
		return;
	if (crypto_shash_descsize(shash) == sizeof(u32))
		doca_crc32 = shash;
	else
		crypto_free_shash(shash);
}

void doca_sums_exit(void)
{
	if (doca_crc32)
		crypto_free_shash(doca_crc32);
}

bool doca_algo_has_sums(void)
{
	return true;
}

u32 doca_algo_crc32(u32 sum, const void *bytes, u32 length)
{
	SHASH_DESC_ON_STACK(desc, doca_crc32);
	u32 *state;

	if (!doca_crc32)
		return ~crc32_le(~sum, bytes, length);
	/* All that it keeps is the register, so an update goes on from any sum. */
	state = shash_desc_ctx(desc);
	*state = ~sum;
	desc->tfm = doca_crc32;
	crypto_shash_update(desc, bytes, length);
	return ~*state;
}

u32 doca_algo_adler32(u32 sum, const void *bytes, u32 length)
{
	return doca_adler32(sum, bytes, length);
}
