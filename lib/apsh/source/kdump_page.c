// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The content of a page in a compressed dump. */
#include <errno.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "../unpack/unpack.h"
#include "kdump_page.h"

enum { ZLIB = 1, LZO = 2, SNAPPY = 4, ZSTD = 0x20 };

bool kdump_page_is_known(u32 how)
{
	return how == ZLIB || how == LZO || how == SNAPPY || how == ZSTD;
}

static int unpack_zlib(const void *packed, u32 len, u8 *page, u32 size)
{
	uLongf done = size;
	int ret = uncompress(page, &done, packed, len);

	if (ret == Z_MEM_ERROR)
		return -ENOMEM;
	return ret == Z_OK && done == size;
}

static int unpack_zstd(const void *packed, u32 len, u8 *page, u32 size)
{
	size_t done = ZSTD_decompress(page, size, packed, len);

	if (ZSTD_getErrorCode(done) == ZSTD_error_memory_allocation)
		return -ENOMEM;
	return done == size;
}

int kdump_page_unpack(u32 how, const void *packed, u32 len, u8 *page, u32 size)
{
	switch (how) {
	case ZLIB:
		return unpack_zlib(packed, len, page, size);
	case LZO:
		return unpack_lzo(packed, len, page, size) == (ssize_t)size;
	case SNAPPY:
		return unpack_snappy(packed, len, page, size) == (ssize_t)size;
	case ZSTD:
		return unpack_zstd(packed, len, page, size);
	default:
		return 0;
	}
}
