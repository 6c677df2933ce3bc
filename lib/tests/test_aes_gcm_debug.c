// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* AES-GCM in debug mode: vectors that seal more than one message with a key. */
#include "debug_mode.h"
#include "gcm_bed.h"

/* By one key: another one, and who opens it, may have the same vector. */
TEST(a_vector_that_seals_twice_is_told)
{
	struct doca_aes_gcm_task_encrypt *seal;
	struct doca_aes_gcm_task_decrypt *open;
	struct doca_aes_gcm_key *other = NULL;
	struct doca_buf *src, *dst, *back;
	uint8_t counter[12] = { 0 };
	uint32_t i;

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
	for (i = 0; i < 2; i++) {
		run_task(doca_aes_gcm_task_encrypt_as_task(seal), "S");
		EXPECT_LOGGED("has sealed a message with this initialization vector");
	}
	for (counter[11] = 1; counter[11]; counter[11]++) {
		OK(doca_buf_reset_data_len(dst));
		doca_aes_gcm_task_encrypt_set_iv(seal, counter, 12);
		run_task(doca_aes_gcm_task_encrypt_as_task(seal), "S");
	}
	EXPECT_SILENT();
	free_encrypt(seal);
	free_decrypt(open);
	put(src);
	put(dst);
	put(back);
	OK(doca_aes_gcm_key_destroy(other));
	end_tasks();
}
