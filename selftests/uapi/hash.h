/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Algorithms of DOCA_OP_HASH, their known answers, and entries for them. */
#ifndef DOCA_HASH_H
#define DOCA_HASH_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <linux/doca.h>

#define DIGEST_MAX 64
#define VECTORS "/usr/lib/python3/dist-packages/cryptography_vectors/hashes/"

static const struct hash {
	uint8_t algorithm;
	uint32_t digest;
	uint32_t block;
	const char *tool; /* one of coreutils */
	const char *vectors[2]; /* below VECTORS */
} hashes[] = {
	{ DOCA_HASH_SHA1, 20, 64, "sha1sum", { "SHA1/SHA1ShortMsg.rsp", "SHA1/SHA1LongMsg.rsp" } },
	{ DOCA_HASH_SHA256,
	  32,
	  64,
	  "sha256sum",
	  { "SHA2/SHA256ShortMsg.rsp", "SHA2/SHA256LongMsg.rsp" } },
	{ DOCA_HASH_SHA512,
	  64,
	  128,
	  "sha512sum",
	  { "SHA2/SHA512ShortMsg.rsp", "SHA2/SHA512LongMsg.rsp" } },
};

#define NR_HASHES (sizeof(hashes) / sizeof(hashes[0]))

/* Examples of FIPS 180 and of NIST; the digest of each algorithm */
static const struct example {
	const char *text;
	uint32_t times; /* it is repeated so often */
	const char *digests[NR_HASHES];
} examples[] = {
	{ "abc",
	  1,
	  { "a9993e364706816aba3e25717850c26c9cd0d89d",
	    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
	    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f" } },
	{ "",
	  1,
	  { "da39a3ee5e6b4b0d3255bfef95601890afd80709",
	    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	    "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
	    "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e" } },
	{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	  1,
	  { "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
	    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
	    "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
	    "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445" } },
	{ "a",
	  1000000,
	  { "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
	    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
	    "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
	    "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b" } },
};

/* Read hexadecimal digits, up to the first other character; return the number of bytes */
static inline size_t from_hex(uint8_t *bytes, size_t room, const char *text)
{
	unsigned int byte;
	size_t n = 0;

	for (; n < room && sscanf(text + 2 * n, "%2x", &byte) == 1; n++)
		bytes[n] = byte;
	return n;
}

static inline bool digest_is(const struct hash *hash, const uint8_t *digest, const char *text)
{
	uint8_t expected[DIGEST_MAX];

	return from_hex(expected, DIGEST_MAX, text) == hash->digest &&
	       !memcmp(expected, digest, hash->digest);
}

#define WHOLE (DOCA_SQE_HASH_FIRST | DOCA_SQE_HASH_LAST)

static inline struct doca_sqe sqe_hash(const struct hash *hash, uint16_t flags, uint16_t session,
				       struct doca_seg src, struct doca_seg dst)
{
	bool last = flags & DOCA_SQE_HASH_LAST;

	return (struct doca_sqe){
		.opcode = DOCA_OP_HASH,
		.flags = flags,
		.aux = session,
		.src = src,
		.dst = last ? dst : (struct doca_seg){},
		.hash.algorithm = hash->algorithm,
	};
}

#endif /* DOCA_HASH_H */
