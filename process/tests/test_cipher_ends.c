// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Ciphers while there is no memory for what they all need, and while the process ends, when libcrypto
 * has ended: threads of the driver may still run.
 */
#include <openssl/crypto.h>

#include "ktap.h"
#include "process/compute/compute.h"

extern const struct compute open_doca_compute;

#define TAG 16

static void seal(void *context, uint8_t tag[TAG])
{
	const struct compute_gcm *gcm = open_doca_compute.gcm;
	static const uint8_t key[32], iv[12], text[100];
	uint8_t out[sizeof(text)];

	ASSERT(gcm->begin(context, key, sizeof(key), iv, 1));
	ASSERT(gcm->update(context, out, text, sizeof(text)));
	ASSERT(gcm->get_tag(context, tag, TAG));
	gcm->wipe(context);
}

static struct {
	bool fails;
	bool is_overtaken;
	void *other; /* opened meanwhile */
	int nr; /* number of library contexts */
} library;

OSSL_LIB_CTX *__real_OSSL_LIB_CTX_new(void);
OSSL_LIB_CTX *__wrap_OSSL_LIB_CTX_new(void);
void __real_OSSL_LIB_CTX_free(OSSL_LIB_CTX *made);
void __wrap_OSSL_LIB_CTX_free(OSSL_LIB_CTX *made);

OSSL_LIB_CTX *__wrap_OSSL_LIB_CTX_new(void)
{
	if (library.fails)
		return NULL;
	if (library.is_overtaken) {
		library.is_overtaken = false;
		library.other = open_doca_compute.gcm->open();
	}
	library.nr++;
	return __real_OSSL_LIB_CTX_new();
}

void __wrap_OSSL_LIB_CTX_free(OSSL_LIB_CTX *made)
{
	library.nr--;
	__real_OSSL_LIB_CTX_free(made);
}

TEST(ciphers_can_be_had_when_there_is_memory_again)
{
	const struct compute_gcm *gcm = open_doca_compute.gcm;
	uint8_t one[TAG], other[TAG];
	void *context;

	library.fails = true;
	EXPECT(!gcm->open());
	EXPECT(!gcm->open());
	library.fails = false;
	library.is_overtaken = true;
	context = gcm->open();
	ASSERT(context && library.other);
	EXPECT_EQ(library.nr, 1);
	seal(context, one);
	seal(library.other, other);
	EXPECT(!memcmp(one, other, TAG));
	gcm->close(context);
	gcm->close(library.other);
}

TEST(ciphers_do_not_end_with_libcrypto)
{
	const struct compute_gcm *gcm = open_doca_compute.gcm;
	uint8_t before[TAG], after[TAG], late[TAG];
	void *old, *new;

	old = gcm->open();
	ASSERT(old);
	seal(old, before);
	OPENSSL_cleanup();
	seal(old, after);
	new = gcm->open();
	ASSERT(new);
	seal(new, late);
	EXPECT(!memcmp(before, after, TAG));
	EXPECT(!memcmp(before, late, TAG));
	gcm->close(old);
	gcm->close(new);
}
