// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Ciphers while the process ends, and libcrypto has ended: threads of the driver may still run. */
#include <openssl/crypto.h>

#include "ktap.h"
#include "process/compute/compute.h"

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
