// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Exports and imports, and everything that must be refused. */
#include <grp.h>

#include "bed.h"

#define LEN 65536

FIXTURE(import)
{
	struct doca_dev *dev;
	struct doca_mmap *mmap;
	char *mem;
	const void *desc;
	size_t len;
	char copy[512];
	long pins;
};

FIXTURE_SETUP(import)
{
	self->pins = pins_held();
	self->dev = bed_open_dev(NULL);
	if (!self->dev)
		SKIP_SETUP("no device");
	self->mem = mmap(NULL, LEN, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bed_fill(self->mem, LEN, 9);
	ASSERT_OK(bed_mmap(self->mem, LEN, DOCA_ACCESS_FLAG_PCI_READ_ONLY,
			   self->dev, NULL, &self->mmap));
	ASSERT_OK(doca_mmap_export_pci(self->mmap, self->dev, &self->desc,
				       &self->len));
	ASSERT_LE(self->len, sizeof(self->copy));
	memcpy(self->copy, self->desc, self->len);
}

FIXTURE_TEARDOWN(import)
{
	if (self->mmap)
		EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->dev));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

static doca_error_t import(FIXTURE_DATA(import) *self, size_t len,
			   struct doca_mmap **mmap)
{
	union doca_data data = { .u64 = 42 };

	return doca_mmap_create_from_export(&data, self->copy, len, self->dev,
					    mmap);
}

TEST_F(import, what_an_import_knows)
{
	struct doca_mmap *imported;
	union doca_data data;
	const void *again;
	size_t size;
	uint8_t flag;
	void *addr;

	ASSERT_OK(import(self, self->len, &imported));
	EXPECT_OK(doca_mmap_get_memrange(imported, &addr, &size));
	EXPECT_EQ(self->mem, addr);
	EXPECT_EQ(LEN, size);
	EXPECT_OK(doca_mmap_get_user_data(imported, &data));
	EXPECT_EQ(42, data.u64);
	EXPECT_OK(doca_mmap_get_from_export(imported, &flag));
	EXPECT_EQ(1, flag);
	EXPECT_ERR(NOT_PERMITTED, doca_mmap_export_pci(imported, self->dev,
						       &again, &size));
	EXPECT_OK(doca_mmap_destroy(imported));
}

TEST_F(import, truncated)
{
	struct doca_mmap *imported;
	size_t len;

	for (len = 0; len < self->len; len++)
		EXPECT_ERR(INVALID_VALUE, import(self, len, &imported));
}

/* Any bit that is changed, in identity, address, length, access or secret. */
TEST_F(import, forged)
{
	struct doca_mmap *imported;
	unsigned int bit;

	for (bit = 0; bit < self->len * 8; bit += 7) {
		doca_error_t rc;

		self->copy[bit / 8] ^= 1 << bit % 8;
		rc = import(self, self->len, &imported);
		EXPECT_NE(DOCA_SUCCESS, rc)
		{
			TH_LOG("bit %u", bit);
		}
		self->copy[bit / 8] ^= 1 << bit % 8;
	}
	ASSERT_OK(import(self, self->len, &imported));
	EXPECT_OK(doca_mmap_destroy(imported));
}

TEST_F(import, replayed_after_stop)
{
	struct doca_mmap *imported;

	ASSERT_OK(doca_mmap_stop(self->mmap));
	EXPECT_ERR(INVALID_VALUE, import(self, self->len, &imported));
	/* A new start is a new export; the old blob stays worthless. */
	ASSERT_OK(doca_mmap_start(self->mmap));
	ASSERT_OK(doca_mmap_export_pci(self->mmap, self->dev, &self->desc,
				       &self->len));
	EXPECT_ERR(INVALID_VALUE, import(self, self->len, &imported));
}

/* The importer opens the device itself: a child of another user. */
static int import_as_somebody(void *arg)
{
	FIXTURE_DATA(import) *self = arg;
	struct doca_mmap *imported;
	struct doca_dev *dev;
	doca_error_t rc;

	dev = bed_open_dev(NULL);
	if (!dev)
		return 99;
	if (setgroups(0, NULL) || setresgid(1234, 1234, 1234) ||
	    setresuid(1234, 1234, 1234))
		return 98;
	rc = doca_mmap_create_from_export(NULL, self->copy, self->len, dev,
					  &imported);
	return rc;
}

TEST_F(import, foreign_user)
{
	EXPECT_EQ(DOCA_ERROR_NOT_PERMITTED,
		  bed_in_child(import_as_somebody, self));
}

TEST_F(import, any_user)
{
	ASSERT_OK(doca_mmap_stop(self->mmap));
	ASSERT_OK(doca_mmap_start(self->mmap));
	setenv("DOCA_EXPORT_SCOPE", "any", 1);
	ASSERT_OK(doca_mmap_export_pci(self->mmap, self->dev, &self->desc,
				       &self->len));
	unsetenv("DOCA_EXPORT_SCOPE");
	memcpy(self->copy, self->desc, self->len);
	EXPECT_EQ(DOCA_SUCCESS, bed_in_child(import_as_somebody, self));
}

/* What was exported to be read is not written, whatever the importer says. */
TEST_F(import, read_only)
{
	struct doca_mmap *imported, *local;
	static char mem[LEN];
	struct bed bed;

	ASSERT_OK(import(self, self->len, &imported));
	ASSERT_OK(bed_mmap(mem, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
			   self->dev, NULL, &local));
	ASSERT_OK(bed_create(&bed, self->dev, NULL));
	ASSERT_OK(doca_ctx_start(bed.ctx));
	ASSERT_OK(bed_copy(&bed, imported, self->mem, local, mem, LEN));
	EXPECT_TRUE(BED_UNTIL(&bed, bed.succeeded == 1));
	EXPECT_EQ(0, memcmp(self->mem, mem, LEN));

	memset(mem, 0, LEN);
	ASSERT_OK(bed_copy(&bed, local, mem, imported, self->mem, LEN));
	EXPECT_TRUE(BED_UNTIL(&bed, bed.to_idle));
	EXPECT_EQ(1, bed.failed);
	EXPECT_ERR(NOT_PERMITTED, bed.status);
	EXPECT_NE(0, memcmp(self->mem, mem, LEN));
	EXPECT_OK(bed_destroy(&bed));
	EXPECT_OK(doca_mmap_destroy(local));
	EXPECT_OK(doca_mmap_destroy(imported));
}

/* The exporter stops: the importer's next task fails, and nothing else. */
TEST_F(import, stopped_in_use)
{
	struct doca_mmap *imported, *local;
	static char mem[LEN];
	struct bed bed;

	ASSERT_OK(import(self, self->len, &imported));
	ASSERT_OK(bed_mmap(mem, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
			   self->dev, NULL, &local));
	ASSERT_OK(bed_create(&bed, self->dev, NULL));
	ASSERT_OK(doca_ctx_start(bed.ctx));
	bed.resubmit = true;
	ASSERT_OK(bed_copy(&bed, imported, self->mem, local, mem, LEN));
	EXPECT_TRUE(BED_UNTIL(&bed, bed.succeeded > 100));
	ASSERT_OK(doca_mmap_stop(self->mmap));
	EXPECT_TRUE(BED_UNTIL(&bed, bed.to_idle));
	EXPECT_EQ(1, bed.failed);
	EXPECT_ERR(IO_FAILED, bed.status);
	EXPECT_OK(bed_destroy(&bed));
	EXPECT_OK(doca_mmap_destroy(local));
	EXPECT_OK(doca_mmap_destroy(imported));
}

TEST_HARNESS_MAIN
