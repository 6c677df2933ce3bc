// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * AES-GCM: that of libcrypto. A key has a page of its own, which is in no core file and in no
 * child. What libcrypto makes of it is where libcrypto allocates, so it is there only while a
 * message is at work.
 */
#include "shim/kernel.h"

#include <sys/mman.h>

#include "access.h"
#include "algo.h"
#include "algo/gcm.h"
#include "compute.h"

/* Bytes of memory of a file that are at work at a time. */
#define STAGE 4096

struct gcm_key {
	u8 *page;
	u32 length;
};

struct gcm_space {
	const struct compute_gcm *cipher;
	void *context;
};

/* The library is loaded when it is needed. */
bool doca_algo_has_gcm(void)
{
	const struct compute *compute = compute_load();

	return compute && compute->gcm;
}

int doca_algo_gcm_key_create(void *at, const u8 *bytes, u32 length)
{
	struct gcm_key *key = at;
	void *page;

	static_assert(sizeof(*key) <= DOCA_GCM_KEY);
	page = mmap(NULL, PAGE_SIZE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return -ENOMEM;
	madvise(page, PAGE_SIZE, MADV_DONTDUMP);
	madvise(page, PAGE_SIZE, MADV_WIPEONFORK);
	memcpy(page, bytes, length);
	key->page = page;
	key->length = length;
	return 0;
}

void doca_algo_gcm_key_destroy(void *at)
{
	struct gcm_key *key = at;

	memzero_explicit(key->page, key->length);
	munmap(key->page, PAGE_SIZE);
}

int doca_algo_gcm_open(void *at)
{
	struct gcm_space *space = at;
	const struct compute *compute = compute_get();

	static_assert(sizeof(*space) <= DOCA_GCM_SPACE);
	if (!compute || !compute->gcm)
		return -EOPNOTSUPP;
	space->cipher = compute->gcm;
	space->context = space->cipher->open();
	return space->context ? 0 : -ENOMEM;
}

void doca_algo_gcm_close(void *at)
{
	struct gcm_space *space = at;

	if (space->context)
		space->cipher->close(space->context);
}

/* Where a piece of either side is. */
struct cursor {
	const struct doca_gcm_piece *piece;
	u32 offset;
};

static struct doca_backed_side side_of(const struct cursor *at)
{
	return (struct doca_backed_side){ at->piece->side.at + at->offset,
					  at->piece->side.backed };
}

static void advance(struct cursor *at, u32 length)
{
	at->offset += length;
	if (at->offset == at->piece->length) {
		at->piece++;
		at->offset = 0;
	}
}

static int update(const struct gcm_space *space, void *out, const void *in,
		  u32 length)
{
	return space->cipher->update(space->context, out, in, length) ? 0 :
									-EIO;
}

/* A page that its file has lost must be met by a copy, not by the cipher. */
static int update_copied(const struct gcm_space *space, u8 *stage,
			 struct doca_gcm *gcm, struct doca_backed_side to,
			 struct doca_backed_side from, u32 length)
{
	struct doca_backed_side copy = { stage };
	int rc;

	if (doca_backed_copy(copy, from, length))
		return -EFAULT;
	gcm->ran = true;
	rc = update(space, stage, stage, length);
	if (!rc && doca_backed_copy(to, copy, length))
		rc = -EFAULT;
	return rc;
}

static int update_all(const struct gcm_space *space, u8 *stage,
		      struct doca_gcm *gcm)
{
	struct cursor src = { gcm->src }, dst = { gcm->dst };
	u32 left, length, staged = 0;
	int rc = 0;

	for (left = gcm->length; left && !rc; left -= length) {
		struct doca_backed_side from = side_of(&src);
		struct doca_backed_side to = side_of(&dst);

		length = min3(left, src.piece->length - src.offset,
			      dst.piece->length - dst.offset);
		if (from.backed || to.backed) {
			length = min_t(u32, length, STAGE);
			staged = max(staged, length);
			rc = update_copied(space, stage, gcm, to, from, length);
		} else {
			gcm->ran = true;
			rc = update(space, to.at, from.at, length);
		}
		advance(&src, length);
		advance(&dst, length);
	}
	/* It may be the text of a message that is not authentic. */
	memzero_explicit(stage, staged);
	return rc;
}

static int begin(const struct gcm_space *space, const struct doca_gcm *gcm,
		 bool encrypt)
{
	const struct gcm_key *key = gcm->key;

	if (!space->cipher->begin(space->context, key->page, key->length,
				  gcm->iv, encrypt))
		return -EIO;
	return gcm->aad_length ?
		       update(space, NULL, gcm->aad, gcm->aad_length) :
		       0;
}

int doca_algo_gcm_encrypt(void *at, void *run, struct doca_gcm *gcm)
{
	const struct gcm_space *space = at;
	int rc;

	static_assert(STAGE <= DOCA_GCM_RUN);
	rc = begin(space, gcm, true) ?: update_all(space, run, gcm);
	if (!rc &&
	    !space->cipher->get_tag(space->context, gcm->tag, gcm->tag_length))
		rc = -EIO;
	space->cipher->wipe(space->context);
	return rc;
}

int doca_algo_gcm_decrypt(void *at, void *run, struct doca_gcm *gcm)
{
	const struct gcm_space *space = at;
	int rc;

	rc = begin(space, gcm, false) ?: update_all(space, run, gcm);
	if (!rc) {
		gcm->ran = true;
		if (!space->cipher->check_tag(space->context, gcm->tag,
					      gcm->tag_length))
			rc = -EBADMSG;
	}
	space->cipher->wipe(space->context);
	return rc;
}
