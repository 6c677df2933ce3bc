// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* AES-GCM in debug mode: vectors that seal more than one message with a key. */
#include "aes_gcm/aes_gcm.h"
#include "debug_mode.h"
#include "gcm_bed.h"

/* Once for a key: another one, and who opens it, may have the same vector. */
TEST(a_vector_that_seals_twice_is_told)
{
	struct doca_aes_gcm_task_encrypt *seal;
	struct doca_aes_gcm_task_decrypt *open;
	struct doca_aes_gcm_key *other = NULL;
	struct doca_buf *src, *dst, *back;

	begin_tasks();
	OK(doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_128, &other));
	src = source(0, 100);
	dst = room(0, 1000);
	back = room(1000, 100);
	seal = new_encrypt(src, dst);
	open = new_decrypt(dst, back);
	logged();
	run_task(doca_aes_gcm_task_encrypt_as_task(seal), "S");
	run_task(doca_aes_gcm_task_decrypt_as_task(open), "S");
	doca_aes_gcm_task_encrypt_set_key(seal, other);
	run_task(doca_aes_gcm_task_encrypt_as_task(seal), "S");
	EXPECT_SILENT();
	run_task(doca_aes_gcm_task_encrypt_as_task(seal), "S");
	EXPECT_LOGGED("has sealed a message with this initialization vector");
	run_task(doca_aes_gcm_task_encrypt_as_task(seal), "S");
	EXPECT_SILENT();
	free_encrypt(seal);
	free_decrypt(open);
	put(src);
	put(dst);
	put(back);
	OK(doca_aes_gcm_key_destroy(other));
	end_tasks();
}

/* Seal messages with as many vectors, and one with the first of them. True if that is told. */
static bool is_told_after(uint16_t nr)
{
	struct doca_aes_gcm_task_encrypt *seal;
	uint8_t counter[12] = { 0 };
	struct doca_buf *src, *dst;
	uint16_t i;
	bool told;

	begin_tasks();
	src = source(0, 100);
	dst = room(0, 200);
	seal = new_encrypt(src, dst);
	logged();
	for (i = 0; i <= nr; i++) {
		counter[0] = i % nr;
		counter[11] = i % nr >> 8;
		OK(doca_buf_reset_data_len(dst));
		doca_aes_gcm_task_encrypt_set_iv(seal, counter, 12);
		run_task(doca_aes_gcm_task_encrypt_as_task(seal), "S");
	}
	told = strstr(logged(), "has sealed a message with this initialization vector");
	free_encrypt(seal);
	put(src);
	put(dst);
	end_tasks();
	return told;
}

TEST(vectors_of_the_last_1024_messages_are_known)
{
	EXPECT(is_told_after(GCM_SEEN));
	EXPECT(!is_told_after(GCM_SEEN + 1));
}

TEST(a_vector_that_has_sealed_nothing_is_not_told)
{
	struct doca_aes_gcm_task_encrypt *seal;
	struct doca_buf *src, *dst;

	begin_tasks();
	src = source(0, 100);
	dst = room(0, 200);
	seal = new_encrypt(src, dst);
	fake.status = DOCA_STATUS_NO_SPACE;
	run_task(doca_aes_gcm_task_encrypt_as_task(seal), "E");
	logged();
	run_task(doca_aes_gcm_task_encrypt_as_task(seal), "S");
	EXPECT_SILENT();
	free_encrypt(seal);
	put(src);
	put(dst);
	end_tasks();
}

/* The memory of what was destroyed is kept: the registry must know how much that is. */
TEST(what_a_key_has_sealed_is_wiped_with_it)
{
	struct doca_aes_gcm_task_encrypt *seal;
	struct doca_buf *src, *dst;
	const uint8_t *seen;
	size_t i;

	begin_tasks();
	src = source(0, 100);
	dst = room(0, 200);
	seal = new_encrypt(src, dst);
	run_task(doca_aes_gcm_task_encrypt_as_task(seal), "S");
	free_encrypt(seal);
	put(src);
	put(dst);
	seen = (const uint8_t *)key->seen;
	OK(doca_aes_gcm_key_destroy(key));
	for (i = 1; i < sizeof(key->seen[0]); i++)
		EXPECT_EQ(seen[i], seen[0]);
	OK(doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_256, &key));
	end_tasks();
}
