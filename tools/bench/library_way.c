// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>

#include <openssl/evp.h>
#include <zlib.h>

#include "library_way.h"
#include "loop.h"
#include "msg.h"

#define RAW (-MAX_WBITS)
#define MEMORY 8

static int hash_once(struct library_way *lw, const EVP_MD *md)
{
	return EVP_Digest(lw->src, lw->src_size, lw->dst, NULL, md, NULL) ? 0 :
									    -1;
}

static int sha256_once(struct library_way *lw)
{
	return hash_once(lw, EVP_sha256());
}

static int sha512_once(struct library_way *lw)
{
	return hash_once(lw, EVP_sha512());
}

static int gcm_once(struct library_way *lw)
{
	static const uint8_t key[32], iv[12];
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int len, ret = -1;

	if (ctx && EVP_EncryptInit_ex(ctx, EVP_aes_256_gcm(), NULL, key, iv) &&
	    EVP_EncryptUpdate(ctx, lw->dst, &len, lw->src, lw->src_size) &&
	    EVP_EncryptFinal_ex(ctx, lw->dst + len, &len) &&
	    EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16,
				lw->dst + lw->src_size))
		ret = 0;
	EVP_CIPHER_CTX_free(ctx);
	return ret;
}

/* The compiler keeps what nothing uses. */
static void sum(const uint8_t *data, size_t size)
{
	volatile uLong sums;

	sums = crc32(0, data, size);
	sums = adler32(1, data, size);
	(void)sums;
}

static int deflate_once(struct library_way *lw)
{
	z_stream z = {
		.next_in = lw->src,
		.avail_in = lw->src_size,
		.next_out = lw->dst,
		.avail_out = lw->dst_size,
	};
	int rc;

	if (deflateInit2(&z, 1, Z_DEFLATED, RAW, MEMORY, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		return -1;
	rc = deflate(&z, Z_FINISH);
	deflateEnd(&z);
	sum(lw->src, lw->src_size);
	return rc == Z_STREAM_END ? 0 : -1;
}

static int inflate_once(struct library_way *lw)
{
	z_stream z = {
		.next_in = lw->src,
		.avail_in = lw->src_size,
		.next_out = lw->dst,
		.avail_out = lw->dst_size,
	};
	int rc;

	if (inflateInit2(&z, RAW) != Z_OK)
		return -1;
	rc = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	sum(lw->dst, z.total_out);
	return rc == Z_STREAM_END ? 0 : -1;
}

static void library_close(struct way *way)
{
	struct library_way *lw = container_of(way, struct library_way, way);

	unsigned int i;

	for (i = 0; i < SAMPLES; i++) {
		free(lw->samples[i].data);
		lw->samples[i].data = NULL;
	}
	free(lw->dst);
	lw->dst = NULL;
}

static bool fill_samples(struct library_way *lw)
{
	unsigned int i;

	for (i = 0; i < SAMPLES; i++) {
		lw->samples[i].data = malloc(lw->dst_size);
		if (!lw->samples[i].data)
			return false;
		lw->samples[i].size =
			lw->fill(lw->samples[i].data, lw->size, i);
	}
	return true;
}

static int library_open(struct way *way, const struct load *load)
{
	struct library_way *lw = container_of(way, struct library_way, way);

	lw->size = load->size;
	lw->dst_size = load->size + load->size / 1024 + 64;
	lw->dst = malloc(lw->dst_size);
	if (!lw->dst || !fill_samples(lw)) {
		library_close(way);
		return fail("out of memory");
	}
	if (!lw->prepare || !lw->prepare(lw))
		return 0;
	library_close(way);
	return -1;
}

static int submit_once(void *self, unsigned int n)
{
	struct library_way *lw = self;

	while (n--) {
		lw->turn = (lw->turn + 1) % SAMPLES;
		lw->src = lw->samples[lw->turn].data;
		lw->src_size = lw->samples[lw->turn].size;
		if (lw->once(lw))
			return fail("a library has failed");
	}
	return 0;
}

static int reap_once(void *self)
{
	(void)self;
	return 1;
}

static int library_run(struct way *way, struct meter *meter)
{
	struct library_way *lw = container_of(way, struct library_way, way);
	const struct load load = { .size = lw->size, .depth = 1 };

	return loop_rate(lw, &load, meter, submit_once, reap_once);
}

void library_way_init(struct library_way *lw, const char *name,
		      int (*once)(struct library_way *lw),
		      size_t (*fill)(uint8_t *src, size_t size, uint32_t seed))
{
	*lw = (struct library_way){
		.way = {
			.name = name,
			.open = library_open,
			.run = library_run,
			.close = library_close,
			.serial = true,
		},
		.once = once,
		.fill = fill,
	};
}

void sha256_way_init(struct library_way *lw)
{
	library_way_init(lw, "libcrypto", sha256_once, sample_text);
}

void sha512_way_init(struct library_way *lw)
{
	library_way_init(lw, "libcrypto", sha512_once, sample_text);
}

void gcm_way_init(struct library_way *lw)
{
	library_way_init(lw, "libcrypto", gcm_once, sample_text);
}

void deflate_way_init(struct library_way *lw)
{
	library_way_init(lw, "zlib", deflate_once, sample_text);
}

void inflate_way_init(struct library_way *lw)
{
	library_way_init(lw, "zlib", inflate_once, sample_deflate);
}
