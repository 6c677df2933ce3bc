// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Hashes of libcrypto, by its older functions: EVP allocates in each init, and does not
 * give the state away.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "compute.h"

static void sha1_init(void *state)
{
	SHA1_Init(state);
}

static void sha1_update(void *state, const void *bytes, size_t length)
{
	SHA1_Update(state, bytes, length);
}

static void sha1_final(void *state, uint8_t *digest)
{
	SHA1_Final(digest, state);
}

static void sha256_init(void *state)
{
	SHA256_Init(state);
}

static void sha256_update(void *state, const void *bytes, size_t length)
{
	SHA256_Update(state, bytes, length);
}

static void sha256_final(void *state, uint8_t *digest)
{
	SHA256_Final(digest, state);
}

static void sha512_init(void *state)
{
	SHA512_Init(state);
}

static void sha512_update(void *state, const void *bytes, size_t length)
{
	SHA512_Update(state, bytes, length);
}

static void sha512_final(void *state, uint8_t *digest)
{
	SHA512_Final(digest, state);
}

const struct compute_hash compute_sha1 = {
	.size = sizeof(SHA_CTX),
	.init = sha1_init,
	.update = sha1_update,
	.final = sha1_final,
};

const struct compute_hash compute_sha256 = {
	.size = sizeof(SHA256_CTX),
	.init = sha256_init,
	.update = sha256_update,
	.final = sha256_final,
};

const struct compute_hash compute_sha512 = {
	.size = sizeof(SHA512_CTX),
	.init = sha512_init,
	.update = sha512_update,
	.final = sha512_final,
};
