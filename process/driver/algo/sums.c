// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Checksums: those of ISA-L, or of zlib. */
#include "shim/kernel.h"

#include "algo.h"
#include "compute.h"

bool doca_algo_has_sums(void)
{
	return compute_load();
}

u32 doca_algo_crc32(u32 sum, const void *bytes, u32 length)
{
	return compute_get()->crc32(sum, bytes, length);
}

u32 doca_algo_adler32(u32 sum, const void *bytes, u32 length)
{
	return compute_get()->adler32(sum, bytes, length);
}
