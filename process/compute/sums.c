// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Checksums of ISA-L, or of zlib where that is not: the values are the same. */
#include "compute.h"

#ifdef COMPUTE_ISAL
#include <isa-l.h>

uint32_t compute_crc32(uint32_t sum, const void *bytes, size_t length)
{
	return crc32_gzip_refl(sum, bytes, length);
}

uint32_t compute_adler32(uint32_t sum, const void *bytes, size_t length)
{
	return isal_adler32(sum, bytes, length);
}
#else
#include <zlib.h>

uint32_t compute_crc32(uint32_t sum, const void *bytes, size_t length)
{
	return crc32_z(sum, bytes, length);
}

uint32_t compute_adler32(uint32_t sum, const void *bytes, size_t length)
{
	return adler32_z(sum, bytes, length);
}
#endif
