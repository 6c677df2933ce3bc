// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * AES-GCM: the kernel's, of those that run on the CPU. A transform has one size of tag, so a key
 * has two.
 */
#include <crypto/aead.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/string.h>

#include "algo.h"
#include "algo/gcm.h"

/* Both sides have the additional data, the pieces and the tag. */
#define DOCA_GCM_ENTRIES (DOCA_GCM_MAX_PIECES + 2)

struct doca_gcm_key {
	struct crypto_aead *whole;
	struct crypto_aead *cut; /* for DOCA_GCM_TAG_SHORT */
};

struct doca_gcm_run {
	struct scatterlist src[DOCA_GCM_ENTRIES];
	struct scatterlist dst[DOCA_GCM_ENTRIES];
};

/* Constant once the module is loaded. */
static bool doca_gcm_is_there;

static struct crypto_aead *doca_gcm_alloc(void)
{
	struct crypto_aead *aead;

	aead = crypto_alloc_aead("gcm(aes)", 0, CRYPTO_ALG_KERN_DRIVER_ONLY);
	if (IS_ERR(aead) ||
	    sizeof(struct aead_request) + crypto_aead_reqsize(aead) <=
		    DOCA_GCM_REQUEST)
		return aead;
	crypto_free_aead(aead);
	return ERR_PTR(-EOPNOTSUPP);
}

void __init doca_gcm_init(void)
{
	struct crypto_aead *aead = doca_gcm_alloc();

	if (IS_ERR(aead))
		return;
	doca_gcm_is_there = true;
	crypto_free_aead(aead);
}

bool doca_algo_has_gcm(void)
{
	return doca_gcm_is_there;
}

static struct crypto_aead *doca_gcm_make(const u8 *key, u32 length,
					 u32 tag_length)
{
	struct crypto_aead *aead = doca_gcm_alloc();
	int rc;

	if (IS_ERR(aead))
		return aead;
	rc = crypto_aead_setkey(aead, key, length) ?:
		     crypto_aead_setauthsize(aead, tag_length);
	if (!rc)
		return aead;
	crypto_free_aead(aead);
	return ERR_PTR(rc);
}

int doca_algo_gcm_key_create(void *at, const u8 *bytes, u32 length)
{
	struct doca_gcm_key *key = at;

	static_assert(sizeof(*key) <= DOCA_GCM_KEY);
	key->whole = doca_gcm_make(bytes, length, DOCA_GCM_TAG);
	if (IS_ERR(key->whole))
		return PTR_ERR(key->whole);
	key->cut = doca_gcm_make(bytes, length, DOCA_GCM_TAG_SHORT);
	if (!IS_ERR(key->cut))
		return 0;
	crypto_free_aead(key->whole);
	return PTR_ERR(key->cut);
}

/* Their memory is wiped as it is freed. */
void doca_algo_gcm_key_destroy(void *at)
{
	struct doca_gcm_key *key = at;

	crypto_free_aead(key->whole);
	crypto_free_aead(key->cut);
}

/* A message has all that it needs in its own memory. */
int doca_algo_gcm_open(void *space)
{
	return 0;
}

void doca_algo_gcm_close(void *space)
{
}

/* Add a range within a page, or one that is contiguous in the linear map. */
static struct scatterlist *doca_gcm_add_page(struct scatterlist *sg,
					     struct page *page, u32 length,
					     u32 offset)
{
	sg_init_table(sg, 1);
	sg_unmark_end(sg);
	sg_set_page(sg, page, length, offset);
	return sg + 1;
}

/* Return the end of a table to which memory was added; NULL if it has no pages. */
static struct scatterlist *doca_gcm_add(struct scatterlist *sg, void *at,
					u32 length)
{
	u32 part;

	if (!is_vmalloc_addr(at))
		return doca_gcm_add_page(sg, virt_to_page(at), length,
					 offset_in_page(at));
	for (; length; length -= part, at += part) {
		part = min_t(u32, length, PAGE_SIZE - offset_in_page(at));
		if (!pfn_valid(vmalloc_to_pfn(at)))
			return NULL;
		sg = doca_gcm_add_page(sg, vmalloc_to_page(at), part,
				       offset_in_page(at));
	}
	return sg;
}

/* Fill the table of one side; false if some of its memory has no pages. */
static bool doca_gcm_fill(struct scatterlist *sg, const struct doca_gcm *gcm,
			  const struct doca_gcm_piece *piece, u32 nr)
{
	if (gcm->aad_length)
		sg = doca_gcm_add(sg, gcm->aad, gcm->aad_length);
	for (; nr && sg; nr--, piece++)
		sg = doca_gcm_add(sg, piece->side.at, piece->length);
	if (sg)
		sg = doca_gcm_add(sg, gcm->tag, gcm->tag_length);
	if (sg)
		sg_mark_end(sg - 1);
	return sg;
}

/* Ciphers make scatterlists of what is in the request, so it is in the linear map. */
static struct aead_request *doca_gcm_request(struct doca_gcm_run *run,
					     const struct doca_gcm *gcm)
{
	const struct doca_gcm_key *key = gcm->key;
	struct aead_request *request = gcm->request;

	if (!doca_gcm_fill(run->src, gcm, gcm->src, gcm->nr_src) ||
	    !doca_gcm_fill(run->dst, gcm, gcm->dst, gcm->nr_dst))
		return NULL;
	aead_request_set_tfm(request, gcm->tag_length == DOCA_GCM_TAG ?
					      key->whole :
					      key->cut);
	aead_request_set_ad(request, gcm->aad_length);
	return request;
}

static int doca_gcm_do(struct doca_gcm_run *run, struct doca_gcm *gcm,
		       u32 length, int (*crypt)(struct aead_request *request))
{
	struct aead_request *request = doca_gcm_request(run, gcm);
	DECLARE_CRYPTO_WAIT(wait);
	int rc;

	static_assert(sizeof(*run) <= DOCA_GCM_RUN);
	if (!request)
		return -EOPNOTSUPP;
	aead_request_set_callback(request, CRYPTO_TFM_REQ_MAY_BACKLOG,
				  crypto_req_done, &wait);
	aead_request_set_crypt(request, run->src, run->dst, length, gcm->iv);
	gcm->ran = true;
	rc = crypto_wait_req(crypt(request), &wait);
	memzero_explicit(request, DOCA_GCM_REQUEST);
	return rc;
}

int doca_algo_gcm_encrypt(void *space, void *run, struct doca_gcm *gcm)
{
	return doca_gcm_do(run, gcm, gcm->length, crypto_aead_encrypt);
}

int doca_algo_gcm_decrypt(void *space, void *run, struct doca_gcm *gcm)
{
	return doca_gcm_do(run, gcm, gcm->length + gcm->tag_length,
			   crypto_aead_decrypt);
}
