/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef FILE_KEY_H
#define FILE_KEY_H

#include <doca_aes_gcm.h>

/*
 * Create the key that a file has: 16 or 32 bytes, or as many in hexadecimal digits. Nothing
 * of it is left in this process but what the driver has.
 */
int key_load(struct doca_aes_gcm *aes_gcm, const char *path,
	     struct doca_aes_gcm_key **key);

#endif /* FILE_KEY_H */
