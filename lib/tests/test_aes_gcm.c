// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* AES-GCM on the fake driver: keys, what tasks ask of the driver, and what they refuse. */
#include <errno.h>

#include "fault.h"
#include "gcm_bed.h"

#define INFO (&fake_dev.info)
#define UNKNOWN 3

static const uint8_t *bytes_of(const struct doca_buf *buf)
{
	void *data = NULL;

	OK(doca_buf_get_data(buf, &data));
	return data;
}

TEST(a_message_is_sealed_and_opened)
{
	struct doca_aes_gcm_task_encrypt *seal;
	struct doca_aes_gcm_task_decrypt *open;
	struct doca_buf *src, *dst, *back;
	uint32_t tag;

	begin_tasks();
	EXPECT_EQ(fake.attr.opcodes, OPS);
	src = source(0, 100);
	for (tag = 12; tag <= 16; tag += 4) {
		dst = room(0, 200);
		back = room(1000, 100);
		seal = new_encrypt(src, dst);
		doca_aes_gcm_task_encrypt_set_tag_size(seal, tag);
		OK(doca_task_try_submit(doca_aes_gcm_task_encrypt_as_task(seal)));
		drain(bed.pe);
		EXPECT_STR(took(), "S");
		EXPECT_EQ(data_len(dst), 100 + tag);
		EXPECT_EQ(fake.sealed.aux, 1);
		EXPECT_EQ(fake.sealed.gcm.aad_length, AAD);
		EXPECT(!memcmp(fake.sealed.gcm.iv, iv, 12));
		EXPECT_EQ(fake.sealed.flags,
			  12 << DOCA_SQE_GCM_IV_SHIFT | (tag == 12 ? DOCA_SQE_GCM_TAG_12 : 0));
		EXPECT_EQ(bytes_of(dst)[AAD], (uint8_t)(bed.mem[AAD] + 9));
		open = new_decrypt(dst, back);
		doca_aes_gcm_task_decrypt_set_tag_size(open, tag);
		OK(doca_task_try_submit(doca_aes_gcm_task_decrypt_as_task(open)));
		drain(bed.pe);
		EXPECT_STR(took(), "S");
		EXPECT_EQ(data_len(back), 100);
		EXPECT(!memcmp(bytes_of(back), bed.mem, 100));
		free_encrypt(seal);
		free_decrypt(open);
		put(dst);
		put(back);
	}
	put(src);
	end_tasks();
}

TEST(sides_may_be_lists_and_messages_empty)
{
	struct doca_aes_gcm_task_encrypt *task;
	struct doca_buf *src, *more, *dst, *rest;

	begin_tasks();
	src = source(0, 20);
	more = source(50, 30);
	dst = room(0, 7);
	rest = room(100, 100);
	OK(doca_buf_chain_list(src, more));
	OK(doca_buf_chain_list(dst, rest));
	task = new_encrypt(src, dst);
	OK(doca_task_try_submit(doca_aes_gcm_task_encrypt_as_task(task)));
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	EXPECT_EQ(data_len(dst), 7);
	EXPECT_EQ(data_len(rest), 59);
	put(src);
	put(dst);
	src = source(0, 0);
	dst = room(0, 16);
	doca_aes_gcm_task_encrypt_set_src(task, src);
	doca_aes_gcm_task_encrypt_set_dst(task, dst);
	doca_aes_gcm_task_encrypt_set_aad_size(task, 0);
	OK(doca_task_try_submit(doca_aes_gcm_task_encrypt_as_task(task)));
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	EXPECT_EQ(data_len(dst), 16);
	put(src);
	put(dst);
	free_encrypt(task);
	end_tasks();
}

TEST(a_message_that_is_not_authentic_leaves_the_context_running)
{
	static const size_t lengths[] = { 100, 28, 0 };
	struct doca_aes_gcm_task_decrypt *task;
	struct doca_buf *src, *dst;
	size_t i;

	begin_tasks();
	dst = room(0, 100);
	for (i = 0; i < 3; i++) {
		src = source(0, lengths[i]);
		task = new_decrypt(src, dst);
		OK(doca_task_try_submit(doca_aes_gcm_task_decrypt_as_task(task)));
		drain(bed.pe);
		EXPECT_STR(took(), "E");
		EXPECT_EQ(bed.status, DOCA_ERROR_IO_FAILED);
		EXPECT_EQ(state(), DOCA_CTX_STATE_RUNNING);
		EXPECT_EQ(data_len(dst), 0);
		free_decrypt(task);
		put(src);
	}
	put(dst);
	end_tasks();
}

TEST(values_stay_until_they_are_set)
{
	struct doca_aes_gcm_task_encrypt *seal;
	struct doca_aes_gcm_task_decrypt *open;
	struct doca_buf *src, *dst;
	uint32_t length = 0;

	begin_tasks();
	src = source(0, 10);
	dst = room(0, 100);
	seal = new_encrypt(src, dst);
	open = new_decrypt(src, dst);
	EXPECT(doca_aes_gcm_task_encrypt_get_src(seal) == src);
	EXPECT(doca_aes_gcm_task_encrypt_get_dst(seal) == dst);
	EXPECT(doca_aes_gcm_task_encrypt_get_key(seal) == key);
	EXPECT_EQ(doca_aes_gcm_task_encrypt_get_tag_size(seal), 16);
	EXPECT_EQ(doca_aes_gcm_task_encrypt_get_aad_size(seal), AAD);
	EXPECT(!memcmp(doca_aes_gcm_task_encrypt_get_iv(seal, &length), iv, 12));
	EXPECT_EQ(length, 12);
	EXPECT(doca_aes_gcm_task_decrypt_get_src(open) == src);
	EXPECT(doca_aes_gcm_task_decrypt_get_dst(open) == dst);
	EXPECT(doca_aes_gcm_task_decrypt_get_key(open) == key);
	EXPECT_EQ(doca_aes_gcm_task_decrypt_get_tag_size(open), 16);
	EXPECT_EQ(doca_aes_gcm_task_decrypt_get_aad_size(open), AAD);
	doca_aes_gcm_task_decrypt_set_iv(open, raw, 3);
	EXPECT(!memcmp(doca_aes_gcm_task_decrypt_get_iv(open, &length), raw, 3));
	EXPECT_EQ(length, 3);
	logged();
	doca_aes_gcm_task_encrypt_set_iv(seal, iv, 13);
	EXPECT_LOGGED("it has 12");
	doca_aes_gcm_task_encrypt_set_iv(seal, NULL, 12);
	EXPECT_LOGGED("iv is NULL");
	EXPECT(!memcmp(doca_aes_gcm_task_encrypt_get_iv(seal, &length), iv, 12));
	EXPECT(!doca_aes_gcm_task_encrypt_get_iv(seal, NULL));
	EXPECT_LOGGED("is NULL");
	doca_aes_gcm_task_encrypt_set_key(seal, NULL);
	doca_aes_gcm_task_decrypt_set_key(open, NULL);
	doca_aes_gcm_task_decrypt_set_src(open, NULL);
	doca_aes_gcm_task_decrypt_set_dst(open, NULL);
	EXPECT(!doca_aes_gcm_task_encrypt_get_key(seal));
	EXPECT(!doca_aes_gcm_task_decrypt_get_key(open));
	EXPECT(!doca_aes_gcm_task_decrypt_get_src(open));
	EXPECT(!doca_aes_gcm_task_decrypt_get_dst(open));
	doca_aes_gcm_task_decrypt_set_aad_size(open, 5);
	EXPECT_EQ(doca_aes_gcm_task_decrypt_get_aad_size(open), 5);
	put(src);
	put(dst);
	free_encrypt(seal);
	free_decrypt(open);
	end_tasks();
}

/* A context lasts for one such failure. */
static void expect_refused(struct doca_aes_gcm_task_encrypt *seal, const char *why)
{
	FAILS(doca_task_try_submit(doca_aes_gcm_task_encrypt_as_task(seal)), INVALID_VALUE, why);
	run_task(doca_aes_gcm_task_encrypt_as_task(seal), "Es");
	EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
	free_encrypt(seal);
	drain(bed.pe);
	EXPECT_STR(took(), "i");
	OK(doca_ctx_start(bed.ctx));
	EXPECT_STR(took(), "r");
	logged();
}

TEST(what_a_task_refuses)
{
	struct doca_aes_gcm_key *mine, *other;
	struct doca_aes_gcm_task_encrypt *seal;
	struct doca_aes_gcm *second;
	struct doca_buf *src, *dst, *small;

	begin_tasks();
	OK(doca_aes_gcm_create(&fake_dev, &second));
	OK(doca_aes_gcm_key_create(second, raw, DOCA_AES_GCM_KEY_128, &other));
	src = source(0, 100);
	dst = room(0, 200);
	small = room(0, 115);
	expect_refused(new_encrypt(NULL, dst), "the source is missing");
	expect_refused(new_encrypt(src, NULL), "the destination is missing");
	expect_refused(new_encrypt(src, small), "the result has 116");
	mine = key;
	key = NULL;
	expect_refused(new_encrypt(src, dst), "the key is missing");
	key = other;
	expect_refused(new_encrypt(src, dst), "for another context");
	key = mine;
	seal = new_encrypt(src, dst);
	doca_aes_gcm_task_encrypt_set_iv(seal, iv, 11);
	expect_refused(seal, "must have 12 bytes");
	seal = new_encrypt(src, dst);
	doca_aes_gcm_task_encrypt_set_tag_size(seal, 13);
	expect_refused(seal, "12 or 16 bytes");
	seal = new_encrypt(src, dst);
	doca_aes_gcm_task_encrypt_set_aad_size(seal, 65537);
	expect_refused(seal, "more than 65536");
	seal = new_encrypt(src, dst);
	doca_aes_gcm_task_encrypt_set_aad_size(seal, 101);
	expect_refused(seal, "less than its additional data");
	put(src);
	put(dst);
	put(small);
	OK(doca_aes_gcm_key_destroy(other));
	OK(doca_aes_gcm_destroy(second));
	end_tasks();
}

TEST(a_destination_that_is_too_short_for_what_is_opened)
{
	struct doca_aes_gcm_task_decrypt *open;
	struct doca_buf *src, *dst;

	begin_tasks();
	src = source(0, 100);
	dst = room(0, 83);
	open = new_decrypt(src, dst);
	FAILS(doca_task_try_submit(doca_aes_gcm_task_decrypt_as_task(open)), INVALID_VALUE,
	      "the result has 84");
	run_task(doca_aes_gcm_task_decrypt_as_task(open), "Es");
	EXPECT_EQ(bed.status, DOCA_ERROR_INVALID_VALUE);
	free_decrypt(open);
	put(src);
	put(dst);
	drain(bed.pe);
	EXPECT_STR(took(), "i");
	OK(doca_aes_gcm_key_destroy(key));
	end();
}

TEST(a_key_in_flight_cannot_be_destroyed)
{
	struct doca_aes_gcm_task_encrypt *seal;
	struct doca_buf *src, *dst;

	begin_tasks();
	src = source(0, 100);
	dst = room(0, 200);
	seal = new_encrypt(src, dst);
	OK(doca_task_submit(doca_aes_gcm_task_encrypt_as_task(seal)));
	FAILS(doca_aes_gcm_key_destroy(key), IN_USE, "1 tasks in flight");
	doca_aes_gcm_task_encrypt_set_key(seal, NULL);
	EXPECT_LOGGED("in flight");
	doca_aes_gcm_task_encrypt_set_iv(seal, iv, 12);
	EXPECT_LOGGED("in flight");
	drain(bed.pe);
	EXPECT_STR(took(), "S");
	EXPECT_EQ(fake.objects, 1);
	put(src);
	put(dst);
	free_encrypt(seal);
	end_tasks();
}

/* The driver's words, of a key that it does not have. */
TEST(a_key_that_the_driver_has_lost)
{
	struct doca_aes_gcm_task_encrypt *seal;
	struct doca_buf *src, *dst;

	begin_tasks();
	src = source(0, 100);
	dst = room(0, 200);
	seal = new_encrypt(src, dst);
	fake_objects[1].type = 0;
	run_task(doca_aes_gcm_task_encrypt_as_task(seal), "Es");
	EXPECT_EQ(bed.status, DOCA_ERROR_BAD_STATE);
	put(src);
	put(dst);
	free_encrypt(seal);
	drain(bed.pe);
	EXPECT_STR(took(), "i");
	OK(doca_aes_gcm_key_destroy(key));
	end();
}

TEST(the_context_has_the_codes_that_are_documented)
{
	uint32_t value;

	begin(ALL);
	ERR(doca_ctx_start(bed.ctx), INVALID_VALUE);
	OK(doca_aes_gcm_cap_get_max_num_tasks(gcm, &value));
	EXPECT(value > 0);
	ERR(doca_aes_gcm_cap_get_max_num_tasks(gcm, NULL), INVALID_VALUE);
	OK(doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_128, &key));
	FAILS(doca_aes_gcm_destroy(gcm), IN_USE, "1 keys are left");
	OK(doca_aes_gcm_key_destroy(key));
	ERR(doca_aes_gcm_destroy(NULL), INVALID_VALUE);
	OK(doca_aes_gcm_destroy(gcm));
	ERR(doca_aes_gcm_create(NULL, &gcm), INVALID_VALUE);
	EXPECT_FAULTS(FAULT_ALLOC, doca_aes_gcm_create(&fake_dev, &gcm), NO_MEMORY,
		      OK(doca_aes_gcm_destroy(gcm)));
	fake.copies = 0;
	ERR(doca_aes_gcm_create(&fake_dev, &gcm), NOT_SUPPORTED);
	fake.get_error = -ENOENT;
	ERR(doca_aes_gcm_create(&fake_dev, &gcm), DRIVER);
	tear_down();
}

TEST(keys_have_the_codes_that_are_documented)
{
	begin(1 << 2);
	ERR(doca_aes_gcm_key_create(NULL, raw, DOCA_AES_GCM_KEY_256, &key), INVALID_VALUE);
	ERR(doca_aes_gcm_key_create(gcm, NULL, DOCA_AES_GCM_KEY_256, &key), INVALID_VALUE);
	ERR(doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_256, NULL), INVALID_VALUE);
	ERR(doca_aes_gcm_key_create(gcm, raw, 0, &key), INVALID_VALUE);
	ERR(doca_aes_gcm_key_create(gcm, raw, UNKNOWN, &key), INVALID_VALUE);
	ERR(doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_128, &key), NOT_SUPPORTED);
	EXPECT_FAULTS(FAULT_ALLOC, doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_256, &key),
		      NO_MEMORY, OK(doca_aes_gcm_key_destroy(key)));
	fake.object_error = -EDQUOT;
	FAILS(doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_256, &key), NO_MEMORY,
	      "max_objects");
	fake.object_error = -ENOSPC;
	ERR(doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_256, &key), NO_MEMORY);
	fake.object_error = -ENODEV;
	ERR(doca_aes_gcm_key_create(gcm, raw, DOCA_AES_GCM_KEY_256, &key), DRIVER);
	ERR(doca_aes_gcm_key_destroy(NULL), INVALID_VALUE);
	end();
}

#define ASK(kind)                                                                                  \
	static void ask_##kind(doca_error_t expected)                                              \
	{                                                                                          \
		uint32_t value = 0;                                                                \
		uint64_t size = 0;                                                                 \
                                                                                                   \
		EXPECT_EQ(doca_aes_gcm_cap_task_##kind##_is_supported(INFO), expected);            \
		EXPECT_EQ(doca_aes_gcm_cap_task_##kind##_is_tag_96_supported(INFO), expected);     \
		EXPECT_EQ(doca_aes_gcm_cap_task_##kind##_is_tag_128_supported(INFO), expected);    \
		EXPECT_EQ(doca_aes_gcm_cap_task_##kind##_is_key_type_supported(                    \
				  INFO, DOCA_AES_GCM_KEY_128),                                     \
			  expected);                                                               \
		EXPECT_EQ(doca_aes_gcm_cap_task_##kind##_get_max_iv_len(INFO, &value), expected);  \
		EXPECT_EQ(value, expected ? 0 : 12);                                               \
		EXPECT_EQ(doca_aes_gcm_cap_task_##kind##_get_max_buf_size(INFO, &size), expected); \
		EXPECT_EQ(doca_aes_gcm_cap_task_##kind##_get_max_list_buf_num_elem(INFO, &value),  \
			  expected);                                                               \
		if (expected)                                                                      \
			return;                                                                    \
		EXPECT_EQ(value, FAKE_LIST_MAX);                                                   \
		EXPECT_EQ(size, FAKE_MAX_LENGTH - (#kind[0] == 'd' ? 16 : 0));                     \
		ERR(doca_aes_gcm_cap_task_##kind##_is_supported(NULL), INVALID_VALUE);             \
		ERR(doca_aes_gcm_cap_task_##kind##_is_tag_96_supported(NULL), INVALID_VALUE);      \
		ERR(doca_aes_gcm_cap_task_##kind##_is_tag_128_supported(NULL), INVALID_VALUE);     \
		ERR(doca_aes_gcm_cap_task_##kind##_is_key_type_supported(INFO, UNKNOWN),           \
		    INVALID_VALUE);                                                                \
		ERR(doca_aes_gcm_cap_task_##kind##_get_max_iv_len(INFO, NULL), INVALID_VALUE);     \
		ERR(doca_aes_gcm_cap_task_##kind##_get_max_buf_size(INFO, NULL), INVALID_VALUE);   \
		ERR(doca_aes_gcm_cap_task_##kind##_get_max_list_buf_num_elem(INFO, NULL),          \
		    INVALID_VALUE);                                                                \
	}

ASK(encrypt)
ASK(decrypt)

TEST(the_capabilities_have_the_codes_that_are_documented)
{
	begin(ALL);
	ask_encrypt(DOCA_SUCCESS);
	ask_decrypt(DOCA_SUCCESS);
	fake.variants = 1 << 2 | 1 << 16;
	ERR(doca_aes_gcm_cap_task_encrypt_is_key_type_supported(INFO, DOCA_AES_GCM_KEY_128),
	    NOT_SUPPORTED);
	ERR(doca_aes_gcm_cap_task_decrypt_is_tag_96_supported(INFO), NOT_SUPPORTED);
	OK(doca_aes_gcm_cap_task_decrypt_is_tag_128_supported(INFO));
	OK(doca_aes_gcm_cap_task_encrypt_is_key_type_supported(INFO, DOCA_AES_GCM_KEY_256));
	fake.copies = 0;
	ask_encrypt(DOCA_ERROR_NOT_SUPPORTED);
	ask_decrypt(DOCA_ERROR_NOT_SUPPORTED);
	fake.get_error = -ENOENT;
	ask_encrypt(DOCA_ERROR_DRIVER);
	ask_decrypt(DOCA_ERROR_DRIVER);
	logged();
	end();
}

#define CODES(kind)                                                                              \
	static void check_##kind(void)                                                           \
	{                                                                                        \
		struct doca_aes_gcm_task_##kind *task = new_##kind(NULL, NULL), *more;           \
                                                                                                 \
		ERR(doca_aes_gcm_task_##kind##_alloc_init(gcm, NULL, NULL, key, iv, 12, 16, 0,   \
							  seven, &more),                         \
		    NO_MEMORY);                                                                  \
		ERR(doca_aes_gcm_task_##kind##_alloc_init(NULL, NULL, NULL, key, iv, 12, 16, 0,  \
							  seven, &more),                         \
		    INVALID_VALUE);                                                              \
		ERR(doca_aes_gcm_task_##kind##_alloc_init(gcm, NULL, NULL, key, NULL, 12, 16, 0, \
							  seven, &more),                         \
		    INVALID_VALUE);                                                              \
		ERR(doca_aes_gcm_task_##kind##_alloc_init(gcm, NULL, NULL, key, iv, 13, 16, 0,   \
							  seven, &more),                         \
		    INVALID_VALUE);                                                              \
		ERR(doca_aes_gcm_task_##kind##_set_conf(gcm, kind##_done, kind##_failed, 1),     \
		    BAD_STATE);                                                                  \
		ERR(doca_aes_gcm_destroy(gcm), IN_USE);                                          \
		free_##kind(task);                                                               \
		OK(doca_aes_gcm_task_##kind##_alloc_init(gcm, NULL, NULL, NULL, NULL, 0, 16, 0,  \
							 seven, &task));                         \
		free_##kind(task);                                                               \
	}                                                                                        \
                                                                                                 \
	static void check_idle_##kind(void)                                                      \
	{                                                                                        \
		struct doca_aes_gcm_task_##kind *task;                                           \
                                                                                                 \
		ERR(doca_aes_gcm_task_##kind##_set_conf(gcm, kind##_done, kind##_failed, 0),     \
		    INVALID_VALUE);                                                              \
		ERR(doca_aes_gcm_task_##kind##_set_conf(gcm, NULL, kind##_failed, 1),            \
		    INVALID_VALUE);                                                              \
		ERR(doca_aes_gcm_task_##kind##_alloc_init(gcm, NULL, NULL, NULL, iv, 12, 16, 0,  \
							  seven, &task),                         \
		    BAD_STATE);                                                                  \
	}

CODES(encrypt)
CODES(decrypt)

TEST(tasks_have_the_codes_that_are_documented)
{
	begin(ALL);
	check_idle_encrypt();
	check_idle_decrypt();
	end();
	begin_tasks();
	check_encrypt();
	check_decrypt();
	end_tasks();
}
