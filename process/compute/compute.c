// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
#include "compute.h"

extern const struct compute open_doca_compute
	__attribute__((visibility("default")));

const struct compute open_doca_compute = {
	.version = COMPUTE_VERSION,
	.sha1 = &compute_sha1,
	.sha256 = &compute_sha256,
	.sha512 = &compute_sha512,
	.crc32 = compute_crc32,
	.adler32 = compute_adler32,
	.deflate = &compute_deflate,
	.inflate = &compute_inflate,
	.gcm = &compute_gcm,
};
