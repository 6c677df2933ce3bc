// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Capabilities of devices. */
#include <doca_error.h>

#include "aes_gcm.h"

LOG_SOURCE("AES_GCM");

/* Ask whether a device has a variant: a type of keys, or a size of tags. */
static doca_error_t ask_variant(const struct doca_devinfo *devinfo,
				const struct task_type *type, uint32_t variant,
				const struct log_site *site)
{
	struct task_limits limits;
	doca_error_t ret;

	ret = doca_priv_task_cap(devinfo, devinfo, type, &limits, site);
	if (ret != DOCA_SUCCESS || limits.variants >> variant & 1)
		return ret;
	return ANSWER_AT(site, NOT_SUPPORTED,
			 "%s(): the device does not have that", site->func);
}

static doca_error_t ask_key(const struct doca_devinfo *devinfo,
			    const struct task_type *type,
			    enum doca_aes_gcm_key_type key_type,
			    const struct log_site *site)
{
	if (key_type == DOCA_AES_GCM_KEY_128 ||
	    key_type == DOCA_AES_GCM_KEY_256)
		return ask_variant(devinfo, type, key_type, site);
	return FAIL_AT(site, INVALID_VALUE,
		       "%s(): invalid argument: there is no type %d of keys",
		       site->func, (int)key_type);
}

/* The tag is not counted: it is behind what the program encrypts. */
static doca_error_t ask_max_buf_size(const struct doca_devinfo *devinfo,
				     const struct task_type *type, uint32_t tag,
				     uint64_t *size,
				     const struct log_site *site)
{
	struct task_limits limits;
	doca_error_t ret;

	ret = doca_priv_task_cap(devinfo, size, type, &limits, site);
	if (ret == DOCA_SUCCESS)
		*size = limits.length - tag;
	return ret;
}

static doca_error_t ask_max_iv_len(const struct doca_devinfo *devinfo,
				   const struct task_type *type,
				   uint32_t *length,
				   const struct log_site *site)
{
	struct task_limits limits;
	doca_error_t ret;

	ret = doca_priv_task_cap(devinfo, length, type, &limits, site);
	if (ret == DOCA_SUCCESS)
		*length = GCM_IV;
	return ret;
}

DEFINE_CAP_SUPPORTED(doca_aes_gcm_cap_task_encrypt_is_supported, gcm_encrypt)
DEFINE_CAP_LIMIT(doca_aes_gcm_cap_task_encrypt_get_max_list_buf_num_elem,
		 gcm_encrypt, uint32_t, list_len)
DEFINE_CAP_TAG(doca_aes_gcm_cap_task_encrypt_is_tag_96_supported, gcm_encrypt,
	       GCM_TAG_SHORT)
DEFINE_CAP_TAG(doca_aes_gcm_cap_task_encrypt_is_tag_128_supported, gcm_encrypt,
	       GCM_TAG)
DEFINE_CAP_KEY(doca_aes_gcm_cap_task_encrypt_is_key_type_supported, gcm_encrypt)
DEFINE_CAP_IV(doca_aes_gcm_cap_task_encrypt_get_max_iv_len, gcm_encrypt)

DEFINE_CAP_SIZE(doca_aes_gcm_cap_task_encrypt_get_max_buf_size, gcm_encrypt, 0)

DEFINE_CAP_SUPPORTED(doca_aes_gcm_cap_task_decrypt_is_supported, gcm_decrypt)
DEFINE_CAP_LIMIT(doca_aes_gcm_cap_task_decrypt_get_max_list_buf_num_elem,
		 gcm_decrypt, uint32_t, list_len)
DEFINE_CAP_TAG(doca_aes_gcm_cap_task_decrypt_is_tag_96_supported, gcm_decrypt,
	       GCM_TAG_SHORT)
DEFINE_CAP_TAG(doca_aes_gcm_cap_task_decrypt_is_tag_128_supported, gcm_decrypt,
	       GCM_TAG)
DEFINE_CAP_KEY(doca_aes_gcm_cap_task_decrypt_is_key_type_supported, gcm_decrypt)
DEFINE_CAP_IV(doca_aes_gcm_cap_task_decrypt_get_max_iv_len, gcm_decrypt)

DEFINE_CAP_SIZE(doca_aes_gcm_cap_task_decrypt_get_max_buf_size, gcm_decrypt,
		GCM_TAG)
