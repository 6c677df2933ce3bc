// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <zlib.h>

#include "library_way.h"
#include "loop.h"
#include "msg.h"

#define RAW (-MAX_WBITS)
#define MEMORY 8

static int out_of_memory(void)
{
	return fail("out of memory");
}

static int hash_prepare(struct library_way *lw)
{
	lw->state = EVP_MD_CTX_new();
	return lw->state ? 0 : out_of_memory();
}

static void hash_finish(void *state)
{
	EVP_MD_CTX_free(state);
}

static int hash_once(struct library_way *lw, const EVP_MD *md)
{
	return EVP_DigestInit_ex(lw->state, md, NULL) &&
			       EVP_DigestUpdate(lw->state, lw->src,
						lw->src_size) &&
			       EVP_DigestFinal_ex(lw->state, lw->dst, NULL) ?
		       0 :
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

static int gcm_prepare(struct library_way *lw)
{
	static const uint8_t key[32];

	lw->state = EVP_CIPHER_CTX_new();
	if (!lw->state)
		return out_of_memory();
	if (!EVP_EncryptInit_ex(lw->state, EVP_aes_256_gcm(), NULL, key, NULL))
		return fail("libcrypto has no AES-GCM");
	return 0;
}

static void gcm_finish(void *state)
{
	EVP_CIPHER_CTX_free(state);
}

static int gcm_once(struct library_way *lw)
{
	static const uint8_t iv[12];
	EVP_CIPHER_CTX *ctx = lw->state;
	int len;

	return EVP_EncryptInit_ex(ctx, NULL, NULL, NULL, iv) &&
			       EVP_EncryptUpdate(ctx, lw->dst, &len, lw->src,
						 lw->src_size) &&
			       EVP_EncryptFinal_ex(ctx, lw->dst + len, &len) &&
			       EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG,
						   16, lw->dst + lw->src_size) ?
		       0 :
		       -1;
}

/* The compiler keeps what nothing uses. */
static void sum(const uint8_t *data, size_t size)
{
	volatile uLong sums;

	sums = crc32(0, data, size);
	sums = adler32(1, data, size);
	(void)sums;
}

static int deflate_prepare(struct library_way *lw)
{
	lw->state = calloc(1, sizeof(z_stream));
	return lw->state && deflateInit2(lw->state, 1, Z_DEFLATED, RAW, MEMORY,
					 Z_DEFAULT_STRATEGY) == Z_OK ?
		       0 :
		       out_of_memory();
}

static void deflate_finish(void *state)
{
	if (state)
		deflateEnd(state);
	free(state);
}

static void set_message(z_stream *z, const struct library_way *lw)
{
	z->next_in = lw->src;
	z->avail_in = lw->src_size;
	z->next_out = lw->dst;
	z->avail_out = lw->dst_size;
}

static int deflate_once(struct library_way *lw)
{
	z_stream *z = lw->state;

	if (deflateReset(z) != Z_OK)
		return -1;
	set_message(z, lw);
	if (deflate(z, Z_FINISH) != Z_STREAM_END)
		return -1;
	sum(lw->src, lw->src_size);
	return 0;
}

static int inflate_prepare(struct library_way *lw)
{
	lw->state = calloc(1, sizeof(z_stream));
	return lw->state && inflateInit2(lw->state, RAW) == Z_OK ?
		       0 :
		       out_of_memory();
}

static void inflate_finish(void *state)
{
	if (state)
		inflateEnd(state);
	free(state);
}

static int inflate_once(struct library_way *lw)
{
	z_stream *z = lw->state;

	if (inflateReset(z) != Z_OK)
		return -1;
	set_message(z, lw);
	if (inflate(z, Z_FINISH) != Z_STREAM_END)
		return -1;
	sum(lw->dst, z->total_out);
	return 0;
}

static void library_close(struct way *way)
{
	struct library_way *lw = container_of(way, struct library_way, way);
	unsigned int i;

	for (i = 0; i < SAMPLES; i++) {
		free(lw->samples[i].data);
		free(lw->samples[i].dst);
	}
	memset(lw->samples, 0, sizeof(lw->samples));
	if (lw->finish)
		lw->finish(lw->state);
	else
		free(lw->state);
	lw->state = NULL;
}

static bool fill_samples(struct library_way *lw)
{
	unsigned int i;

	for (i = 0; i < SAMPLES; i++) {
		lw->samples[i].data = malloc(lw->dst_size);
		lw->samples[i].dst = malloc(lw->dst_size);
		if (!lw->samples[i].data || !lw->samples[i].dst)
			return false;
		lw->samples[i].size =
			lw->fill(lw->samples[i].data, lw->size, i);
	}
	return true;
}

static int library_open(struct way *way, const struct load *load)
{
	struct library_way *lw = container_of(way, struct library_way, way);
	int ret;

	lw->size = load->size;
	lw->dst_size = load->size + load->size / 1024 + 64;
	ret = fill_samples(lw) ? 0 : out_of_memory();
	if (!ret && lw->prepare)
		ret = lw->prepare(lw);
	if (ret)
		library_close(way);
	return ret;
}

static int submit_once(void *self, unsigned int n)
{
	struct library_way *lw = self;

	while (n--) {
		lw->turn = (lw->turn + 1) % SAMPLES;
		lw->src = lw->samples[lw->turn].data;
		lw->src_size = lw->samples[lw->turn].size;
		lw->dst = lw->samples[lw->turn].dst;
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

static void with_state(struct library_way *lw,
		       int (*prepare)(struct library_way *lw),
		       void (*finish)(void *state))
{
	lw->prepare = prepare;
	lw->finish = finish;
}

void sha256_way_init(struct library_way *lw)
{
	library_way_init(lw, "libcrypto", sha256_once, sample_text);
	with_state(lw, hash_prepare, hash_finish);
}

void sha512_way_init(struct library_way *lw)
{
	library_way_init(lw, "libcrypto", sha512_once, sample_text);
	with_state(lw, hash_prepare, hash_finish);
}

void gcm_way_init(struct library_way *lw)
{
	library_way_init(lw, "libcrypto", gcm_once, sample_text);
	with_state(lw, gcm_prepare, gcm_finish);
}

void deflate_way_init(struct library_way *lw)
{
	library_way_init(lw, "zlib", deflate_once, sample_text);
	with_state(lw, deflate_prepare, deflate_finish);
}

void inflate_way_init(struct library_way *lw)
{
	library_way_init(lw, "zlib", inflate_once, sample_deflate);
	with_state(lw, inflate_prepare, inflate_finish);
}
