// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_aes_gcm.h>

#include "lib.h"

static doca_error_t encrypt_128(const struct doca_devinfo *info)
{
	return doca_aes_gcm_cap_task_encrypt_is_key_type_supported(
		info, DOCA_AES_GCM_KEY_128);
}

static doca_error_t encrypt_256(const struct doca_devinfo *info)
{
	return doca_aes_gcm_cap_task_encrypt_is_key_type_supported(
		info, DOCA_AES_GCM_KEY_256);
}

static doca_error_t decrypt_128(const struct doca_devinfo *info)
{
	return doca_aes_gcm_cap_task_decrypt_is_key_type_supported(
		info, DOCA_AES_GCM_KEY_128);
}

static doca_error_t decrypt_256(const struct doca_devinfo *info)
{
	return doca_aes_gcm_cap_task_decrypt_is_key_type_supported(
		info, DOCA_AES_GCM_KEY_256);
}

const struct cap aes_gcm_caps[] = {
	{ .name = "task_encrypt_key_128", .is_supported = encrypt_128 },
	{ .name = "task_encrypt_key_256", .is_supported = encrypt_256 },
	{ .name = "task_encrypt_tag_96",
	  .is_supported = doca_aes_gcm_cap_task_encrypt_is_tag_96_supported },
	{ .name = "task_encrypt_tag_128",
	  .is_supported = doca_aes_gcm_cap_task_encrypt_is_tag_128_supported },
	{ .name = "task_encrypt_max_iv_len",
	  .get_u32 = doca_aes_gcm_cap_task_encrypt_get_max_iv_len },
	{ .name = "task_encrypt_max_buf_size",
	  .get_u64 = doca_aes_gcm_cap_task_encrypt_get_max_buf_size },
	{ .name = "task_encrypt_max_list_buf_num_elem",
	  .get_u32 = doca_aes_gcm_cap_task_encrypt_get_max_list_buf_num_elem },
	{ .name = "task_decrypt_key_128", .is_supported = decrypt_128 },
	{ .name = "task_decrypt_key_256", .is_supported = decrypt_256 },
	{ .name = "task_decrypt_tag_96",
	  .is_supported = doca_aes_gcm_cap_task_decrypt_is_tag_96_supported },
	{ .name = "task_decrypt_tag_128",
	  .is_supported = doca_aes_gcm_cap_task_decrypt_is_tag_128_supported },
	{ .name = "task_decrypt_max_iv_len",
	  .get_u32 = doca_aes_gcm_cap_task_decrypt_get_max_iv_len },
	{ .name = "task_decrypt_max_buf_size",
	  .get_u64 = doca_aes_gcm_cap_task_decrypt_get_max_buf_size },
	{ .name = "task_decrypt_max_list_buf_num_elem",
	  .get_u32 = doca_aes_gcm_cap_task_decrypt_get_max_list_buf_num_elem },
	{},
};
