// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "data/msg.h"
#include "data/stop.h"
#include "digest.h"

#define READ_SIZE (256 * 1024)
/* Bytes between two checks whether the program shall end. */
#define ADD_MAX (64 * 1024 * 1024)

struct digest {
	EVP_MD_CTX *ctx;
};

struct digest *digest_new(void)
{
	struct digest *digest = malloc(sizeof(*digest));

	if (!digest)
		goto err;
	digest->ctx = EVP_MD_CTX_new();
	if (!digest->ctx)
		goto err_free;
	if (!EVP_DigestInit_ex(digest->ctx, EVP_sha256(), NULL))
		goto err_ctx;
	return digest;

err_ctx:
	EVP_MD_CTX_free(digest->ctx);
err_free:
	free(digest);
err:
	fail("SHA-256 is not available");
	return NULL;
}

void digest_free(struct digest *digest)
{
	if (!digest)
		return;
	EVP_MD_CTX_free(digest->ctx);
	free(digest);
}

int digest_add(struct digest *digest, const void *data, size_t len)
{
	if (!EVP_DigestUpdate(digest->ctx, data, len))
		return fail("SHA-256 failed");
	return 0;
}

int digest_end(struct digest *digest, struct digest_text *text)
{
	uint8_t value[DIGEST_TEXT_LEN / 2];
	size_t i;

	if (!EVP_DigestFinal_ex(digest->ctx, value, NULL))
		return fail("SHA-256 failed");
	for (i = 0; i < sizeof(value); i++)
		snprintf(text->hex + 2 * i, 3, "%02x", value[i]);
	return 0;
}

static int add_memory(struct digest *digest, const uint8_t *data, size_t len)
{
	size_t n;

	for (; len; data += n, len -= n) {
		if (stop_requested())
			return fail("interrupted");
		n = len < ADD_MAX ? len : ADD_MAX;
		if (digest_add(digest, data, n))
			return -1;
	}
	return 0;
}

int digest_memory(const void *data, size_t len, struct digest_text *text)
{
	struct digest *digest = digest_new();
	int ret = -1;

	if (!digest)
		return -1;
	if (!add_memory(digest, data, len))
		ret = digest_end(digest, text);
	digest_free(digest);
	return ret;
}

static int add_file(struct digest *digest, int fd, uint8_t *buf)
{
	off_t off = 0;
	ssize_t n;

	for (;;) {
		if (stop_requested())
			return fail("interrupted");
		n = pread(fd, buf, READ_SIZE, off);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_errno("cannot read the copy back");
		if (!n)
			return 0;
		if (digest_add(digest, buf, n))
			return -1;
		off += n;
	}
}

int digest_file(int fd, struct digest_text *text)
{
	struct digest *digest = digest_new();
	uint8_t *buf = malloc(READ_SIZE);
	int ret = -1;

	if (!buf)
		fail("out of memory");
	else if (digest && !add_file(digest, fd, buf))
		ret = digest_end(digest, text);
	free(buf);
	digest_free(digest);
	return ret;
}
