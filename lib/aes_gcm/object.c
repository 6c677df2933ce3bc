// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Types of the context and of keys, as debug mode knows them. */
#include "aes_gcm.h"

CTX_OBJECT_TYPE(doca_aes_gcm);

const struct object_type gcm_key_object = { .name = "AES-GCM key" };
