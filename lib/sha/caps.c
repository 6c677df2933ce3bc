// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Capabilities of devices. */
#include <doca_error.h>

#include "sha.h"

LOG_SOURCE("SHA");

/* @out is the program's pointer for the answer. */
static doca_error_t ask(const struct doca_devinfo *devinfo,
			const struct task_type *type,
			enum doca_sha_algorithm algorithm, const void *out,
			const struct log_site *site)
{
	struct task_limits limits;
	doca_error_t ret;

	ret = doca_priv_task_cap(devinfo, out, type, &limits, site);
	if (ret != DOCA_SUCCESS)
		return ret;
	return sha_check_algorithm(&limits, algorithm, DOCA_LOG_LEVEL_DEBUG,
				   site);
}

doca_error_t
doca_sha_cap_task_hash_get_supported(const struct doca_devinfo *devinfo,
				     enum doca_sha_algorithm algorithm)
{
	static const struct log_site site = LOG_SITE;

	return ask(devinfo, &sha_hash, algorithm, devinfo, &site);
}

doca_error_t
doca_sha_cap_task_partial_hash_get_supported(const struct doca_devinfo *devinfo,
					     enum doca_sha_algorithm algorithm)
{
	static const struct log_site site = LOG_SITE;

	return ask(devinfo, &sha_partial_hash, algorithm, devinfo, &site);
}

doca_error_t
doca_sha_cap_get_min_dst_buf_size(const struct doca_devinfo *devinfo,
				  enum doca_sha_algorithm algorithm,
				  uint32_t *min_dst_buf_size)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = ask(devinfo, &sha_hash, algorithm, min_dst_buf_size, &site);
	if (ret == DOCA_SUCCESS)
		*min_dst_buf_size = sha_algorithms[algorithm].digest;
	return ret;
}

doca_error_t
doca_sha_cap_get_partial_hash_block_size(const struct doca_devinfo *devinfo,
					 enum doca_sha_algorithm algorithm,
					 uint32_t *partial_block_size)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = ask(devinfo, &sha_partial_hash, algorithm, partial_block_size,
		  &site);
	if (ret == DOCA_SUCCESS)
		*partial_block_size = sha_algorithms[algorithm].block;
	return ret;
}

DEFINE_CAP_LIMIT(doca_sha_cap_get_max_list_buf_num_elem, sha_hash, uint32_t,
		 list_len)
DEFINE_CAP_LIMIT(doca_sha_cap_get_max_src_buf_size, sha_hash, uint64_t, length)
