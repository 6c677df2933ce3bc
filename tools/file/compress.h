/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef FILE_COMPRESS_H
#define FILE_COMPRESS_H

#include "gzip.h"

/* Bytes that become one member, and bytes of that: what cannot be compressed grows so. */
#define GZIP_PIECE (512 << 10)
#define GZIP_MEMBER_MAX \
	(GZIP_HEADER + GZIP_PIECE + GZIP_PIECE / 1024 + 64 + GZIP_TRAILER)

#endif /* FILE_COMPRESS_H */
