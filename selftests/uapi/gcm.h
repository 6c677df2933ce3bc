/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Messages of AES-GCM, keys and entries, for tests with rings of any sort. libcrypto and NIST have
 * the answers.
 */
#ifndef DOCA_GCM_H
#define DOCA_GCM_H

#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "doca_calls.h"

#define GCM_VECTORS "/usr/lib/python3/dist-packages/cryptography_vectors/ciphers/AES/GCM/"

static const char *const gcm_vectors[] = {
	GCM_VECTORS "gcmEncryptExtIV128.rsp",
	GCM_VECTORS "gcmEncryptExtIV256.rsp",
	GCM_VECTORS "gcmDecrypt128.rsp",
	GCM_VECTORS "gcmDecrypt256.rsp",
};

struct message {
	uint8_t key[32], iv[12], tag[16];
	uint32_t key_length, aad_length, length, tag_length;
	uint8_t *aad, *plain, *cipher;
};

static inline int key_create(int fd, uint32_t device, const uint8_t *key, uint32_t length,
			     uint32_t *id)
{
	struct doca_object_create create = {
		.size = sizeof(create),
		.device_id = device,
		.type = DOCA_OBJECT_GCM_KEY,
		.data = (uintptr_t)key,
		.length = length,
	};
	int err = doca_call(fd, DOCA_OBJECT_CREATE, &create);

	*id = create.out_object_id;
	return err;
}

/* Have libcrypto make the encrypted message and its tag; false if it does not */
static inline bool message_seal(struct message *m)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	bool right;
	int n;

	right = EVP_EncryptInit_ex(ctx, m->key_length == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm(),
				   NULL, m->key, m->iv) &&
		(!m->aad_length || EVP_EncryptUpdate(ctx, NULL, &n, m->aad, m->aad_length)) &&
		EVP_EncryptUpdate(ctx, m->cipher, &n, m->plain, m->length) &&
		EVP_EncryptFinal_ex(ctx, m->cipher + n, &n) &&
		EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, m->tag_length, m->tag);
	EVP_CIPHER_CTX_free(ctx);
	return right;
}

/* Bytes of a side of it: in the clear, or sealed with its tag */
static inline uint32_t message_size(const struct message *m, bool sealed)
{
	return m->aad_length + m->length + (sealed ? m->tag_length : 0);
}

static inline void message_write(uint8_t *at, const struct message *m, bool sealed)
{
	memcpy(at, m->aad, m->aad_length);
	at += m->aad_length;
	memcpy(at, sealed ? m->cipher : m->plain, m->length);
	if (sealed)
		memcpy(at + m->length, m->tag, m->tag_length);
}

static inline bool message_is(const uint8_t *at, const struct message *m, bool sealed)
{
	const uint8_t *data = at + m->aad_length;

	return !memcmp(at, m->aad, m->aad_length) &&
	       !memcmp(data, sealed ? m->cipher : m->plain, m->length) &&
	       (!sealed || !memcmp(data + m->length, m->tag, m->tag_length));
}

/* An entry that reads a side of the message at @src of a key's memory, and writes the other one */
static inline struct doca_sqe sqe_message(const struct message *m, uint16_t opcode, uint32_t object,
					  uint32_t key, const void *src, const void *dst)
{
	bool seals = opcode == DOCA_OP_GCM_ENCRYPT;
	struct doca_sqe sqe = {
		.opcode = opcode,
		.flags = 12 << DOCA_SQE_GCM_IV_SHIFT |
			 (m->tag_length == 12 ? DOCA_SQE_GCM_TAG_12 : 0),
		.aux = object,
		.src = { key, message_size(m, !seals), (uintptr_t)src },
		.dst = { key, message_size(m, seals), (uintptr_t)dst },
		.gcm.aad_length = m->aad_length,
	};

	memcpy(sqe.gcm.iv, m->iv, sizeof(m->iv));
	return sqe;
}

static inline uint32_t hex_bytes(uint8_t *at, const char *text)
{
	unsigned int byte;
	uint32_t n = 0;

	for (; sscanf(text + 2 * n, "%2x", &byte) == 1; n++)
		at[n] = byte;
	return n;
}

/* A file of vectors, and the last one that was read; its parts have room for a line */
struct vectors {
	FILE *file;
	struct message m;
	uint32_t iv_bits;
	bool fails; /* its tag is wrong */
};

/* Take a line; true if it ends a vector that can be tried */
static inline bool vectors_take(struct vectors *v, const char *line)
{
	struct message *m = &v->m;
	uint32_t bits;

	if (line[0] == '[')
		m->key_length = 0;
	if (sscanf(line, "[IVlen = %u]", &v->iv_bits) == 1)
		return false;
	if (sscanf(line, "[Taglen = %u]", &bits) == 1)
		m->tag_length = bits / 8;
	else if (!strncmp(line, "Count", 5))
		v->fails = false;
	else if (!strncmp(line, "Key = ", 6))
		m->key_length = hex_bytes(m->key, line + 6);
	else if (!strncmp(line, "IV = ", 5) && v->iv_bits == 96)
		hex_bytes(m->iv, line + 5);
	else if (!strncmp(line, "AAD = ", 6))
		m->aad_length = hex_bytes(m->aad, line + 6);
	else if (!strncmp(line, "CT = ", 5))
		m->length = hex_bytes(m->cipher, line + 5);
	else if (!strncmp(line, "Tag = ", 6))
		hex_bytes(m->tag, line + 6);
	else if (!strncmp(line, "PT = ", 5))
		hex_bytes(m->plain, line + 5);
	else if (!strncmp(line, "FAIL", 4))
		v->fails = true;
	else
		return line[0] == '\n' && m->key_length && v->iv_bits == 96 &&
		       (m->tag_length == 16 || m->tag_length == 12);
	return false;
}

/* Read the next vector that can be tried; false if there is none */
static inline bool vectors_next(struct vectors *v)
{
	char line[4096];

	v->m.key_length = 0;
	while (fgets(line, sizeof(line), v->file)) {
		line[strcspn(line, "\r\n")] = '\n';
		if (vectors_take(v, line))
			return true;
	}
	return false;
}

#endif /* DOCA_GCM_H */
