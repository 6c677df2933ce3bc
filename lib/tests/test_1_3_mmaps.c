// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory maps of level 1.3: chunks, devices, properties and exports. */
#include <errno.h>

#include <json-c/json.h>

#include "fault.h"
#include "level.h"

static struct doca_mmap *new_mmap(uint32_t chunks, uint32_t devs)
{
	struct doca_mmap *mmap = NULL;

	OK(doca_mmap_create("some", &mmap));
	OK(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &chunks, 4));
	OK(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_DEVICES, &devs, 4));
	OK(doca_mmap_start(mmap));
	return mmap;
}

static doca_error_t populate(struct doca_mmap *mmap, void *addr, size_t len)
{
	return doca_mmap_populate(mmap, addr, len, PAGE, NULL, NULL);
}

TEST(maps_change_while_they_are_started)
{
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	size_t len;
	void *desc;

	level_fake_reset(true);
	dev = open_dev(0);
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_create("x", &mmap), NO_MEMORY,
		      OK(doca_mmap_destroy(mmap)));
	OK(doca_mmap_create(NULL, &mmap));
	ERR(populate(mmap, mem, 100), NOT_PERMITTED);
	EXPECT_LOGGED("it is not started");
	ERR(doca_mmap_dev_add(mmap, dev), NOT_PERMITTED);
	ERR(doca_mmap_dev_rm(mmap, dev), NOT_PERMITTED);
	ERR(doca_mmap_export(mmap, dev, &desc, &len), NOT_PERMITTED);
	OK(doca_mmap_start(mmap));
	OK(doca_mmap_start(mmap));
	ERR(doca_mmap_dev_rm(mmap, dev), NOT_FOUND);
	EXPECT_LOGGED("does not have");
	OK(populate(mmap, mem, 100));
	OK(doca_mmap_dev_add(mmap, dev));
	ERR(doca_mmap_dev_add(mmap, dev), ALREADY_EXIST);
	OK(doca_mmap_stop(mmap));
	OK(doca_mmap_stop(mmap));
	ERR(doca_mmap_dev_rm(mmap, dev), NOT_PERMITTED);
	ERR(doca_mmap_export(mmap, dev, &desc, &len), NOT_PERMITTED);
	OK(doca_mmap_start(mmap));
	OK(doca_mmap_dev_rm(mmap, dev));
	OK(doca_mmap_destroy(mmap));
	OK(doca_dev_close(dev));
}

/* The guide's flow adds each expected buffer, whatever was added before. */
TEST(chunks_may_overlap_and_be_there_already)
{
	static const struct {
		size_t off, len;
	} ranges[] = { { 1000, 1000 }, { 1000, 1000 }, { 1999, 1 },   { 0, 1001 },
		       { 0, 5000 },    { 100, 10 },    { 4000, 2000 } };
	struct doca_mmap *mmap;
	struct doca_buf *buf;

	set_up(1, true);
	mmap = new_mmap(8, 1);
	OK(doca_mmap_dev_add(mmap, lv.dev));
	for (int i = 0; i < 7; i++) {
		OK(populate(mmap, mem + ranges[i].off, ranges[i].len));
		OK(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem + ranges[i].off, ranges[i].len,
						  &buf));
		put(buf);
	}
	/* In a chunk that begins earlier than a shorter one; not across two. */
	OK(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem + 3000, 2000, &buf));
	put(buf);
	ERR(doca_buf_inventory_buf_by_addr(lv.inv, mmap, mem + 3000, 2001, &buf), NOT_FOUND);
	/* Repetition needs no memory. */
	fault_at(FAULT_ALLOC, 1);
	OK(populate(mmap, mem + 1000, 1000));
	fault_at(FAULT_ALLOC, 0);
	ERR(populate(mmap, mem, 1), NO_MEMORY);
	EXPECT_LOGGED("it may have 8");
	OK(doca_mmap_destroy(mmap));
	tear_down();
}

TEST(chunks_have_an_address_a_length_and_a_page_size)
{
	static const size_t bad[] = { 0, 1, 2048, 4095, 4097, 12288 };
	struct doca_mmap *mmap = new_mmap(2, 1);
	unsigned int i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		INVALID(doca_mmap_populate(mmap, mem, 1, bad[i], NULL, NULL));
		EXPECT_LOGGED("power of two");
	}
	INVALID(populate(mmap, mem, 0));
	INVALID(populate(mmap, mem, SIZE_MAX));
	EXPECT_LOGGED("end of the address space");
	OK(doca_mmap_populate(mmap, mem + 1, 1, 1 << 21, NULL, NULL));
	OK(doca_mmap_destroy(mmap));
}

static unsigned int freed[3], nr_freed;

static void on_free(void *addr, size_t len, void *opaque)
{
	unsigned int *number = opaque;

	EXPECT(addr == mem + 100 * *number);
	EXPECT_EQ(len, 10);
	freed[nr_freed++] = *number;
}

TEST(memory_is_freed_in_the_order_of_its_chunks)
{
	static unsigned int numbers[] = { 2, 0, 1 };
	struct doca_buf *buf;
	unsigned int i;

	set_up(1, true);
	OK(doca_mmap_destroy(lv.mmap));
	lv.mmap = new_mmap(3, 1);
	nr_freed = 0;
	for (i = 0; i < 3; i++)
		OK(doca_mmap_populate(lv.mmap, mem + 100 * numbers[i], 10, PAGE, on_free,
				      &numbers[i]));
	buf = take(200, 10);
	ERR(doca_mmap_destroy(lv.mmap), IN_USE);
	EXPECT_EQ(nr_freed, 0);
	put(buf);
	OK(doca_mmap_destroy(lv.mmap));
	EXPECT_EQ(nr_freed, 3);
	EXPECT(freed[0] == 2 && freed[1] == 0 && freed[2] == 1);
	OK(doca_mmap_create(NULL, &lv.mmap));
	tear_down();
}

static const struct {
	int err;
	doca_error_t code;
} refusals[] = {
	{ -EFAULT, DOCA_ERROR_INVALID_VALUE },
	{ -EPERM, DOCA_ERROR_NOT_PERMITTED },
	{ -ENOMEM, DOCA_ERROR_NO_MEMORY },
	{ -EIO, DOCA_ERROR_DRIVER },
};

/* However it fails, nothing has changed. */
TEST(a_refused_change_changes_nothing)
{
	struct doca_dev *dev = open_dev(0), *other = open_dev(1);
	struct doca_mmap *mmap = new_mmap(2, 2);
	unsigned int i;

	level_fake_reset(true);
	OK(populate(mmap, mem, 100));
	for (i = 0; i < 4; i++) {
		level_fake_error(LEVEL_MEMORY, refusals[i].err);
		EXPECT_EQ(doca_mmap_dev_add(mmap, dev), refusals[i].code);
		level_fake_error(LEVEL_MEMORY, 0);
	}
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_dev_add(mmap, dev), NO_MEMORY,
		      OK(doca_mmap_dev_rm(mmap, dev)));
	OK(doca_mmap_dev_add(mmap, dev));
	OK(doca_mmap_dev_add(mmap, other));
	for (i = 0; i < 4; i++) {
		level_fake_error(LEVEL_MEMORY, refusals[i].err);
		EXPECT_EQ(populate(mmap, mem + 100, 1), refusals[i].code);
		EXPECT_EQ(doca_mmap_dev_rm(mmap, dev), refusals[i].code);
		level_fake_error(LEVEL_MEMORY, 0);
	}
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_dev_rm(mmap, dev), NO_MEMORY,
		      OK(doca_mmap_dev_add(mmap, dev)));
	level_fake_error(LEVEL_RELEASE, -EBUSY);
	ERR(doca_mmap_destroy(mmap), NOT_PERMITTED);
	level_fake_error(LEVEL_RELEASE, 0);
	OK(doca_mmap_destroy(mmap));

	mmap = new_mmap(100, 1);
	for (i = 0; i < 20; i++) {
		fault_at(FAULT_ALLOC, 1);
		do {
			doca_error_t ret = populate(mmap, mem + 100 * i, 100);

			if (ret == DOCA_SUCCESS)
				break;
			ERR(ret, NO_MEMORY);
		} while (fault_next(FAULT_ALLOC));
		fault_at(FAULT_ALLOC, 0);
	}
	OK(doca_mmap_destroy(mmap));
	OK(doca_dev_close(dev));
	OK(doca_dev_close(other));
}

TEST(devices_are_not_changed_under_buffers)
{
	struct doca_dev *other;
	struct doca_buf *buf;

	set_up(1, true);
	other = open_dev(1);
	ERR(doca_mmap_dev_add(lv.mmap, other), NO_MEMORY);
	EXPECT_LOGGED("it may have 1");
	buf = take(0, 1);
	ERR(doca_mmap_dev_add(lv.mmap, other), IN_USE);
	ERR(doca_mmap_dev_rm(lv.mmap, lv.dev), IN_USE);
	EXPECT_LOGGED("release them first");
	put(buf);
	OK(doca_mmap_dev_rm(lv.mmap, lv.dev));
	OK(doca_mmap_dev_add(lv.mmap, other));
	OK(doca_dev_close(other));
	tear_down();
}

TEST(properties_are_set_before_the_first_start)
{
	static const uint32_t sizes[] = { 128, 4, 4, 4, 1, 1, 4 };
	static const bool can_set[] = { 0, 1, 1, 0, 0, 0, 1 };
	struct doca_mmap *mmap;
	char value[256] = { 1 };
	uint32_t word;
	unsigned int p;

	OK(doca_mmap_create("a name", &mmap));
	for (p = 0; p < 7; p++) {
		CHECKS_PROPERTY(doca_mmap_property_set, mmap, p, value, sizes[p]);
		CHECKS_PROPERTY(doca_mmap_property_get, mmap, p, value, sizes[p]);
		EXPECT_EQ(doca_mmap_property_set(mmap, p, value, sizes[p]),
			  can_set[p] ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED);
	}
	INVALID(doca_mmap_property_set(mmap, p, value, 4));
	INVALID(doca_mmap_property_get(mmap, p, value, 4));
	word = 0;
	INVALID(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &word, 4));
	INVALID(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_DEVICES, &word, 4));
	OK(doca_mmap_property_set(mmap, DOCA_MMAP_ACCESS_FLAGS, &word, 4));
	for (word = 6; word < 9; word++)
		EXPECT_EQ(doca_mmap_property_set(mmap, DOCA_MMAP_ACCESS_FLAGS, &word, 4),
			  DOCA_ERROR_INVALID_VALUE);
	OK(doca_mmap_property_get(mmap, DOCA_MMAP_NAME, value, 128));
	EXPECT_STR(value, "a name");
	OK(doca_mmap_start(mmap));
	OK(doca_mmap_stop(mmap));
	word = 2;
	for (p = 0; p < 7; p++)
		ERR(doca_mmap_property_set(mmap, p, value, sizes[p]), NOT_PERMITTED);
	OK(doca_mmap_property_get(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &word, 4));
	EXPECT_EQ(word, 1);
	OK(doca_mmap_destroy(mmap));
}

/* The descriptor is JSON: public programs read address and length in it. */
static void expect_json(const char *desc)
{
	json_object *root = json_tokener_parse(desc), *addr = NULL, *len = NULL;

	ASSERT(root);
	EXPECT(json_object_object_get_ex(root, "addr", &addr));
	EXPECT(json_object_object_get_ex(root, "len", &len));
	EXPECT_EQ(json_object_get_uint64(addr), (uintptr_t)mem);
	EXPECT_EQ(json_object_get_uint64(len), MEM_SIZE);
	json_object_put(root);
}

TEST(exports_and_imports_cannot_be_changed)
{
	struct doca_mmap *import;
	uint8_t flag = 0;
	size_t len = 0;
	char *desc = NULL;
	void *again;

	set_up(1, true);
	OK(doca_mmap_export(lv.mmap, lv.dev, (void **)&desc, &len));
	EXPECT_EQ(len, strlen(desc) + 1);
	EXPECT(len <= 1000);
	expect_json(desc);
	OK(doca_mmap_property_get(lv.mmap, DOCA_MMAP_EXPORTED, &flag, 1));
	EXPECT_EQ(flag, 1);
	ERR(doca_mmap_export(lv.mmap, lv.dev, &again, &len), NOT_PERMITTED);
	EXPECT_LOGGED("it was exported");
	ERR(populate(lv.mmap, mem, 1), NOT_PERMITTED);
	ERR(doca_mmap_dev_add(lv.mmap, lv.dev), NOT_PERMITTED);
	ERR(doca_mmap_dev_rm(lv.mmap, lv.dev), NOT_PERMITTED);

	OK(doca_mmap_create_from_export("import", desc, len, lv.dev, &import));
	OK(doca_mmap_property_get(import, DOCA_MMAP_FROM_EXPORT, &flag, 1));
	EXPECT_EQ(flag, 1);
	ERR(doca_mmap_export(import, lv.dev, &again, &len), NOT_PERMITTED);
	EXPECT_LOGGED("made from an export");
	ERR(populate(import, mem, 1), NOT_PERMITTED);
	ERR(doca_mmap_dev_add(import, lv.dev), NOT_PERMITTED);
	ERR(doca_mmap_dev_rm(import, lv.dev), NOT_PERMITTED);
	OK(doca_mmap_destroy(import));
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_create_from_export("i", desc, len, lv.dev, &import),
		      NO_MEMORY, OK(doca_mmap_destroy(import)));
	free(desc);
	tear_down();
}

TEST(what_cannot_be_exported)
{
	uint32_t access = DOCA_MMAP_ACCESS_LOCAL_READ_WRITE;
	struct doca_dev *other;
	struct doca_mmap *mmap;
	size_t len;
	void *desc;

	set_up(1, true);
	other = open_dev(1);
	ERR(doca_mmap_export(lv.mmap, other, &desc, &len), NOT_FOUND);
	EXPECT_LOGGED("a device that it does not have");
	mmap = new_mmap(2, 1);
	OK(doca_mmap_dev_add(mmap, lv.dev));
	ERR(doca_mmap_export(mmap, lv.dev, &desc, &len), NOT_SUPPORTED);
	OK(populate(mmap, mem, 1));
	OK(populate(mmap, mem + 1, 1));
	ERR(doca_mmap_export(mmap, lv.dev, &desc, &len), NOT_SUPPORTED);
	EXPECT_LOGGED("2 chunks");
	OK(doca_mmap_destroy(mmap));
	OK(doca_mmap_create(NULL, &mmap));
	OK(doca_mmap_property_set(mmap, DOCA_MMAP_ACCESS_FLAGS, &access, 4));
	OK(doca_mmap_start(mmap));
	OK(doca_mmap_dev_add(mmap, lv.dev));
	OK(populate(mmap, mem, 1));
	ERR(doca_mmap_export(mmap, lv.dev, &desc, &len), NOT_PERMITTED);
	OK(doca_mmap_destroy(mmap));
	EXPECT_FAULTS(FAULT_ALLOC, doca_mmap_export(lv.mmap, lv.dev, &desc, &len), NO_MEMORY,
		      free(desc));
	OK(doca_dev_close(other));
	tear_down();
	set_up(1, true);
	level_fake_error(LEVEL_EXPORT, -ENODEV);
	ERR(doca_mmap_export(lv.mmap, lv.dev, &desc, &len), DRIVER);
	level_fake_error(LEVEL_EXPORT, 0);
	tear_down();
}

/* A changed text is never imported as another map. */
TEST(a_descriptor_that_was_touched_is_refused)
{
	struct doca_mmap *import;
	size_t len = 0, cut, i;
	char *desc = NULL, *copy;
	unsigned int change;

	set_up(1, true);
	OK(doca_mmap_export(lv.mmap, lv.dev, (void **)&desc, &len));
	for (cut = 0; cut < len; cut++) {
		copy = malloc(cut ? cut : 1);
		memcpy(copy, desc, cut);
		INVALID(doca_mmap_create_from_export(NULL, copy, cut, lv.dev, &import));
		free(copy);
	}
	EXPECT_LOGGED("no whole descriptor");
	/* The fake driver checks magic and number only. */
	for (i = 0; i < len; i++) {
		if (i > 40 && desc[i] == '0')
			continue;
		for (change = 1; change < 256; change += change) {
			doca_error_t ret;

			desc[i] ^= change;
			ret = doca_mmap_create_from_export(NULL, desc, len, lv.dev, &import);
			EXPECT(ret == DOCA_ERROR_INVALID_VALUE || ret == DOCA_ERROR_NOT_PERMITTED);
			desc[i] ^= change;
		}
	}
	logged();
	desc[9]++;
	ERR(doca_mmap_create_from_export(NULL, desc, len, lv.dev, &import), NOT_PERMITTED);
	EXPECT_LOGGED("was altered");
	desc[9]--;
	OK(doca_mmap_create_from_export(NULL, desc, len, lv.dev, &import));
	OK(doca_mmap_destroy(import));
	free(desc);
	tear_down();
}

TEST(imports_that_the_driver_refuses)
{
	static const struct {
		int err;
		doca_error_t code;
	} cases[] = {
		{ -ENOKEY, DOCA_ERROR_NOT_PERMITTED },
		{ -EACCES, DOCA_ERROR_NOT_PERMITTED },
		{ -EPROTONOSUPPORT, DOCA_ERROR_NOT_SUPPORTED },
		{ -ENOSPC, DOCA_ERROR_NO_MEMORY },
		{ -EIO, DOCA_ERROR_DRIVER },
	};
	struct doca_mmap *import;
	char *desc = NULL;
	size_t len = 0;
	unsigned int i;

	set_up(1, true);
	OK(doca_mmap_export(lv.mmap, lv.dev, (void **)&desc, &len));
	for (i = 0; i < 5; i++) {
		level_fake_error(LEVEL_IMPORT, cases[i].err);
		EXPECT_EQ(doca_mmap_create_from_export(NULL, desc, len, lv.dev, &import),
			  cases[i].code);
	}
	level_fake_error(LEVEL_IMPORT, 0);
	free(desc);
	tear_down();
}
