// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * AES-GCM of libcrypto. A context keeps what it was made for: it has a cipher for each length of
 * keys, and nothing is allocated when it is given a key.
 *
 * When the program ends, libcrypto frees what it has for all its users, while threads of the
 * driver still use ciphers, and close them. So these are from a library context of their own.
 */
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "compute.h"

struct gcm {
	EVP_CIPHER *cipher[2];
	EVP_CIPHER_CTX *ctx[2]; /* for keys of 16 and of 32 bytes */
	EVP_CIPHER_CTX *now;
	size_t key_length;
};

static OSSL_LIB_CTX *library; /* it ends with the process */

/* The first of two threads that make one has made it for both. */
static OSSL_LIB_CTX *get_library(void)
{
	OSSL_LIB_CTX *first = __atomic_load_n(&library, __ATOMIC_ACQUIRE), *new;

	if (first)
		return first;
	new = OSSL_LIB_CTX_new();
	if (!new)
		return NULL;
	if (__atomic_compare_exchange_n(&library, &first, new, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return new;
	OSSL_LIB_CTX_free(new);
	return first;
}

static int gcm_open_one(struct gcm *gcm, OSSL_LIB_CTX *own, int i,
			const char *name)
{
	gcm->cipher[i] = EVP_CIPHER_fetch(own, name, NULL);
	gcm->ctx[i] = EVP_CIPHER_CTX_new();
	return gcm->cipher[i] && gcm->ctx[i] &&
	       EVP_CipherInit_ex2(gcm->ctx[i], gcm->cipher[i], NULL, NULL, 1,
				  NULL);
}

static void gcm_close(void *context)
{
	struct gcm *gcm = context;

	for (int i = 0; i < 2; i++) {
		EVP_CIPHER_CTX_free(gcm->ctx[i]);
		EVP_CIPHER_free(gcm->cipher[i]);
	}
	OPENSSL_free(gcm);
}

static void *gcm_open(void)
{
	OSSL_LIB_CTX *own = get_library();
	struct gcm *gcm;

	/* NULL would be the context that all have. */
	if (!own)
		return NULL;
	gcm = OPENSSL_zalloc(sizeof(*gcm));
	if (!gcm)
		return NULL;
	if (gcm_open_one(gcm, own, 0, "AES-128-GCM") &&
	    gcm_open_one(gcm, own, 1, "AES-256-GCM"))
		return gcm;
	gcm_close(gcm);
	return NULL;
}

static int gcm_begin(void *context, const uint8_t *key, size_t key_length,
		     const uint8_t *iv, int encrypt)
{
	struct gcm *gcm = context;

	gcm->now = gcm->ctx[key_length == 32];
	gcm->key_length = key_length;
	return EVP_CipherInit_ex2(gcm->now, NULL, key, iv, encrypt, NULL);
}

static int gcm_update(void *context, void *out, const void *in, size_t length)
{
	struct gcm *gcm = context;
	int done;

	return EVP_CipherUpdate(gcm->now, out, &done, in, length);
}

static int gcm_final(struct gcm *gcm)
{
	uint8_t none[16];
	int done;

	return EVP_CipherFinal_ex(gcm->now, none, &done);
}

static int gcm_get_tag(void *context, uint8_t *tag, size_t length)
{
	struct gcm *gcm = context;

	return gcm_final(gcm) &&
	       EVP_CIPHER_CTX_ctrl(gcm->now, EVP_CTRL_AEAD_GET_TAG, length,
				   tag);
}

static int gcm_check_tag(void *context, uint8_t *tag, size_t length)
{
	struct gcm *gcm = context;

	return EVP_CIPHER_CTX_ctrl(gcm->now, EVP_CTRL_AEAD_SET_TAG, length,
				   tag) &&
	       gcm_final(gcm);
}

/* All that was made of the key is replaced by what is made of another one. */
static void gcm_wipe(void *context)
{
	static const uint8_t zeros[32];

	gcm_begin(context, zeros, ((struct gcm *)context)->key_length, zeros,
		  1);
}

const struct compute_gcm compute_gcm = {
	.open = gcm_open,
	.close = gcm_close,
	.begin = gcm_begin,
	.update = gcm_update,
	.get_tag = gcm_get_tag,
	.check_tag = gcm_check_tag,
	.wipe = gcm_wipe,
};
