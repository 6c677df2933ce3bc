// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_sha.h>

#include "lib.h"

static doca_error_t sha1(const struct doca_devinfo *info)
{
	return doca_sha_cap_task_hash_get_supported(info,
						    DOCA_SHA_ALGORITHM_SHA1);
}

static doca_error_t sha256(const struct doca_devinfo *info)
{
	return doca_sha_cap_task_hash_get_supported(info,
						    DOCA_SHA_ALGORITHM_SHA256);
}

static doca_error_t sha512(const struct doca_devinfo *info)
{
	return doca_sha_cap_task_hash_get_supported(info,
						    DOCA_SHA_ALGORITHM_SHA512);
}

static doca_error_t part_sha1(const struct doca_devinfo *info)
{
	return doca_sha_cap_task_partial_hash_get_supported(
		info, DOCA_SHA_ALGORITHM_SHA1);
}

static doca_error_t part_sha256(const struct doca_devinfo *info)
{
	return doca_sha_cap_task_partial_hash_get_supported(
		info, DOCA_SHA_ALGORITHM_SHA256);
}

static doca_error_t part_sha512(const struct doca_devinfo *info)
{
	return doca_sha_cap_task_partial_hash_get_supported(
		info, DOCA_SHA_ALGORITHM_SHA512);
}

const struct cap sha_caps[] = {
	{ .name = "task_hash_sha1", .is_supported = sha1 },
	{ .name = "task_hash_sha256", .is_supported = sha256 },
	{ .name = "task_hash_sha512", .is_supported = sha512 },
	{ .name = "task_partial_hash_sha1", .is_supported = part_sha1 },
	{ .name = "task_partial_hash_sha256", .is_supported = part_sha256 },
	{ .name = "task_partial_hash_sha512", .is_supported = part_sha512 },
	{ .name = "max_src_buf_size",
	  .get_u64 = doca_sha_cap_get_max_src_buf_size },
	{ .name = "max_list_buf_num_elem",
	  .get_u32 = doca_sha_cap_get_max_list_buf_num_elem },
	{},
};
