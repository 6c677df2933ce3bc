/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * AES-GCM of messages in pieces of memory. A message is encrypted or decrypted as a whole, or
 * fails; what is at its destination then is undefined.
 */
#ifndef DOCA_ALGO_GCM_H
#define DOCA_ALGO_GCM_H

#include <linux/types.h>

#include "backed.h"

/* Bytes of the IV, and of the longest tag, which is cut to make a shorter one. */
#define DOCA_GCM_IV 12
#define DOCA_GCM_TAG 16
#define DOCA_GCM_TAG_SHORT 12

/* Maximum bytes of a message's additional data, and pieces of either side of its data. */
#define DOCA_GCM_MAX_AAD (64 * 1024)
#define DOCA_GCM_MAX_PIECES 640

/* Maximum bytes of a key where it is kept, of what a queue has, and of what a message needs. */
#define DOCA_GCM_KEY 32
#define DOCA_GCM_SPACE 32
#define DOCA_GCM_RUN (42 * 1024)

/* Bytes of a request of any of the kernel's ciphers. */
#define DOCA_GCM_REQUEST 2048

/**
 * struct doca_gcm_piece - contiguous memory
 * @side: where it is
 * @length: bytes, not 0, nowhere more than one segment
 */
struct doca_gcm_piece {
	struct doca_backed_side side;
	u32 length;
};

/**
 * struct doca_gcm - a message; it is in the linear map
 * @key: made by doca_algo_gcm_key_create()
 * @iv: initialization vector, DOCA_GCM_IV bytes
 * @request: DOCA_GCM_REQUEST bytes, aligned to 64, in the linear map; for the kernel alone
 * @aad: additional data; likewise in the linear map, as ciphers take it at once there
 * @aad_length: bytes of that
 * @tag: tag, which encryption writes and decryption compares; in the linear map
 * @tag_length: DOCA_GCM_TAG or DOCA_GCM_TAG_SHORT
 * @length: bytes of data; both sides have as many
 * @src: pieces of the data
 * @nr_src: number of those
 * @dst: pieces for the result; they may be those of the source
 * @nr_dst: number of those
 * @ran: set by decryption when it begins: only then it has written to @dst
 */
struct doca_gcm {
	const void *key;
	u8 iv[DOCA_GCM_TAG];
	void *request;
	u8 *aad;
	u32 aad_length;
	u8 *tag;
	u32 tag_length;
	u32 length;
	const struct doca_gcm_piece *src;
	u32 nr_src;
	const struct doca_gcm_piece *dst;
	u32 nr_dst;
	bool ran;
};

/* Return whether there is AES-GCM. May sleep, and load something. */
bool doca_algo_has_gcm(void);

/*
 * Make a key of 16 or 32 bytes at @at, of DOCA_GCM_KEY bytes that are 0; and wipe it. May sleep
 * and allocate.
 */
int doca_algo_gcm_key_create(void *at, const u8 *key, u32 length);
void doca_algo_gcm_key_destroy(void *at);

/* Make what a queue needs, in DOCA_GCM_SPACE bytes that are 0; and undo it. May sleep. */
int doca_algo_gcm_open(void *space);
void doca_algo_gcm_close(void *space);

/*
 * Encrypt or decrypt. Nothing of the key is left in @run, which is aligned to 64. The kernel's
 * ciphers may allocate a few bytes, without waiting for them. -EBADMSG: the tag is wrong;
 * -EOPNOTSUPP: some memory has no pages; -EFAULT: a file has lost some.
 */
int doca_algo_gcm_encrypt(void *space, void *run, struct doca_gcm *gcm);
int doca_algo_gcm_decrypt(void *space, void *run, struct doca_gcm *gcm);

/* A part of doca_algo_init(). */
void doca_gcm_init(void);

#endif
