// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Memory maps of peers in a network: descriptors and imports, with a fake verbs library. */
#include <endian.h>

#include "rdma_bridge_bed.h"
#include "core/base/crc32c.h"

#define DESC 64
#define CRC_AT 56
#define ALL (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE)

static const void *desc;
static size_t len;

static doca_error_t export(void)
{
	return doca_mmap_export_rdma(bed.mmap, bed.dev, &desc, &len);
}

static doca_error_t import(const void *bytes, size_t size, struct doca_mmap **mmap)
{
	return doca_mmap_create_from_export(NULL, bytes, size, bed.dev, mmap);
}

/* Change a copy of the descriptor, and give it the right sum. */
static const uint8_t *forged(unsigned int at, const void *bytes, size_t size)
{
	static uint8_t copy[DESC];
	uint32_t crc;

	memcpy(copy, desc, DESC);
	memcpy(copy + at, bytes, size);
	crc = htole32(crc32c(copy, CRC_AT));
	memcpy(copy + CRC_AT, &crc, sizeof(crc));
	return copy;
}

TEST(the_sum_is_that_of_castagnoli)
{
	EXPECT_EQ(crc32c("123456789", 9), 0xe3069283);
}

TEST(a_descriptor_makes_a_map_of_the_peers_memory)
{
	struct doca_mmap *mmap = NULL;
	struct doca_buf *buf = NULL;
	const void *again;
	uint32_t mkey;
	void *addr = NULL;
	size_t size = 0;

	set_up(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | ALL);
	OK(export());
	EXPECT_EQ(len, DESC);
	OK(doca_mmap_export_rdma(bed.mmap, bed.dev, &again, &len));
	EXPECT(again == desc);
	EXPECT_EQ(verbs.registered, 1);
	OK(import(desc, len, &mmap));
	ASSERT(mmap);
	OK(doca_mmap_get_memrange(mmap, &addr, &size));
	EXPECT(addr == mem);
	EXPECT_EQ(size, sizeof(mem));
	EXPECT_EQ(mmap->access, ALL);
	EXPECT_EQ(mmap->one.rkey, 1001);
	EXPECT_EQ(mmap->one.key, 0);
	OK(doca_buf_inventory_buf_get_by_data(bed.inv, mmap, mem, 8, &buf));
	FAILS(doca_rdma_bridge_get_buf_mkey(buf, bed.dev, &mkey), NOT_SUPPORTED, "another process");
	OK(doca_buf_dec_refcount(buf, NULL));
	ERR(doca_mmap_export_rdma(mmap, bed.dev, &again, &len), NOT_PERMITTED);
	OK(doca_mmap_stop(mmap));
	OK(doca_mmap_destroy(mmap));
	tear_down();
}

TEST(stop_ends_a_descriptor)
{
	set_up(ALL);
	OK(export());
	OK(doca_buf_dec_refcount(bed.buf, NULL));
	bed.buf = NULL;
	OK(doca_mmap_stop(bed.mmap));
	EXPECT_EQ(verbs.mrs, 0);
	ERR(export(), NOT_PERMITTED);
	OK(doca_mmap_start(bed.mmap));
	OK(export());
	EXPECT_EQ(verbs.registered, 2);
	tear_down();
}

TEST(memory_that_is_only_read_is_exported_so)
{
	struct doca_mmap *mmap = NULL;

	for (int i = 0; i < 2; i++) {
		set_up(i ? ALL : DOCA_ACCESS_FLAG_RDMA_WRITE);
		OK(doca_buf_dec_refcount(bed.buf, NULL));
		bed.buf = NULL;
		OK(doca_mmap_stop(bed.mmap));
		fake.reg_refuse = DOCA_ACCESS_LOCAL_WRITE | DOCA_ACCESS_RDMA_WRITE;
		OK(doca_mmap_start(bed.mmap));
		if (!i)
			FAILS(export(), NOT_PERMITTED, "only read");
		else
			OK(export());
		if (i) {
			OK(import(desc, len, &mmap));
			EXPECT_EQ(mmap->access, DOCA_ACCESS_FLAG_RDMA_READ);
			OK(doca_mmap_destroy(mmap));
		}
		tear_down();
	}
}

TEST(export_tells_why_it_failed)
{
	static const struct refusal cases[] = {
		{ -ENOMEM, DOCA_ERROR_NO_MEMORY, "RLIMIT_MEMLOCK" },
		{ -EOPNOTSUPP, DOCA_ERROR_NOT_SUPPORTED, "permissions" },
		{ -EFAULT, DOCA_ERROR_INVALID_VALUE, "not mapped" },
		{ -EIO, DOCA_ERROR_DRIVER, "fake1" },
	};

	set_up(ALL);
	EXPECT_REFUSALS(cases, verbs.reg_err, export());
	OK(export());
	driver_forks++;
	FAILS(export(), INVALID_VALUE, "forked");
	driver_forks--;
	bed.dev->info.type = DOCA_DEV_SOFTWARE;
	FAILS(export(), NOT_SUPPORTED, "no RDMA device");
	bed.dev->info.type = DOCA_DEV_RDMA;
	ERR(doca_mmap_export_rdma(bed.mmap, bed.dev, NULL, &len), INVALID_VALUE);
	logged();
	tear_down();
}

TEST(no_import_of_what_was_cut_or_altered)
{
	const uint64_t wraps = ~0ULL, none = 0;
	const uint32_t unknown = htole32(1 << 30);
	const uint16_t other = htole16(2);
	struct doca_mmap *mmap = NULL;
	uint8_t copy[DESC + 1] = { 0 };
	doca_error_t ret;

	set_up(ALL);
	OK(export());
	memcpy(copy, desc, DESC);
	for (size_t n = 1; n <= sizeof(copy); n++)
		if (n != DESC)
			ERR(import(copy, n, &mmap), INVALID_VALUE);
	for (int bit = 0; bit < DESC * 8; bit++) {
		copy[bit / 8] ^= 1 << bit % 8;
		ret = import(copy, DESC, &mmap);
		EXPECT(ret == DOCA_ERROR_INVALID_VALUE ||
		       (bit / 16 == 2 && ret == DOCA_ERROR_NOT_SUPPORTED));
		copy[bit / 8] ^= 1 << bit % 8;
	}
	logged();
	FAILS(import(forged(4, &other, 2), DESC, &mmap), NOT_SUPPORTED, "version 2");
	FAILS(import(forged(6, &other, 2), DESC, &mmap), INVALID_VALUE, "altered");
	FAILS(import(forged(8, &wraps, 8), DESC, &mmap), INVALID_VALUE, "altered");
	FAILS(import(forged(16, &none, 8), DESC, &mmap), INVALID_VALUE, "altered");
	FAILS(import(forged(28, &unknown, 4), DESC, &mmap), INVALID_VALUE, "altered");
	FAILS(import(forged(28, &none, 4), DESC, &mmap), INVALID_VALUE, "altered");
	bed.dev->info.type = DOCA_DEV_SOFTWARE;
	FAILS(import(desc, DESC, &mmap), NOT_SUPPORTED, "no RDMA device");
	bed.dev->info.type = DOCA_DEV_RDMA;
	EXPECT(!mmap);
	tear_down();
}
