// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Checksums, against known values and other libraries, where these are installed. */
#include <dlfcn.h>

#include "algo.h"
#include "algo/adler32.h"
#include "algo/xxh32.h"
#include "any.h"
#include "ktap.h"

#define SIZE 20000

static u8 bytes[SIZE];

static void fill(u32 value)
{
	u32 i;

	for (i = 0; i < SIZE; i++)
		bytes[i] = value < 256 ? value : any(256);
}

static void *of(const char *library, const char *name)
{
	void *found = dlopen(library, RTLD_NOW);

	return found ? dlsym(found, name) : NULL;
}

static u32 xxh32(const void *data, size_t size)
{
	struct doca_xxh32 sum;

	doca_xxh32_init(&sum);
	doca_xxh32_update(&sum, data, size);
	return doca_xxh32_value(&sum);
}

static u32 xxh32_in_pieces(const u8 *data, size_t size)
{
	static const u32 most[] = { 3, 16, 50, 2000 };
	struct doca_xxh32 sum;
	size_t at, n;

	doca_xxh32_init(&sum);
	for (at = 0; at < size; at += n) {
		n = min_t(size_t, size - at, any(most[any(4)]));
		doca_xxh32_update(&sum, data + at, n);
	}
	return doca_xxh32_value(&sum);
}

TEST(XXH32_has_its_known_values)
{
	EXPECT_EQ(xxh32("", 0), 0x02cc5d05);
	EXPECT_EQ(xxh32("abc", 3), 0x32d153ff);
	EXPECT_EQ(xxh32("Nobody inspects the spammish repetition", 39), 0xe2293b2f);
}

TEST(XXH32_is_the_same_in_any_pieces)
{
	size_t size;

	fill(256);
	for (size = 0; size < SIZE; size += 1 + size / 100)
		EXPECT_EQ(xxh32_in_pieces(bytes, size), xxh32(bytes, size));
}

TEST(XXH32_is_that_of_libxxhash)
{
	u32 (*theirs)(const void *data, size_t size, u32 seed) = of("libxxhash.so.0", "XXH32");
	size_t size;

	if (!theirs)
		SKIP("libxxhash0 is not installed");
	fill(256);
	for (size = 0; size < 1000; size++)
		EXPECT_EQ(xxh32(bytes + size % 7, size), theirs(bytes + size % 7, size, 0));
	EXPECT_EQ(xxh32(bytes, SIZE), theirs(bytes, SIZE, 0));
}

/* As RFC 1950 defines it. */
static u32 adler32(u32 sum, const u8 *data, size_t size)
{
	u32 low = sum & 0xffff, high = sum >> 16;

	while (size--) {
		low = (low + *data++) % 65521;
		high = (high + low) % 65521;
	}
	return high << 16 | low;
}

static u32 some_sum(void)
{
	return any(2) ? DOCA_ADLER32_INIT : any(65521) << 16 | any(65521);
}

TEST(Adler_32_has_its_known_values)
{
	EXPECT_EQ(doca_adler32(DOCA_ADLER32_INIT, "", 0), 1);
	EXPECT_EQ(doca_adler32(DOCA_ADLER32_INIT, "Wikipedia", 9), 0x11e60398);
}

TEST(Adler_32_is_that_of_its_definition)
{
	size_t size;
	u32 sum;

	fill(256);
	for (size = 0; size < SIZE; size += 1 + size / 50) {
		sum = some_sum();
		EXPECT_EQ(doca_adler32(sum, bytes + size % 5, size - size % 5),
			  adler32(sum, bytes + size % 5, size - size % 5));
	}
}

TEST(Adler_32_does_not_overflow)
{
	const u32 highest = 65520U << 16 | 65520;

	fill(255);
	EXPECT_EQ(doca_adler32(highest, bytes, SIZE), adler32(highest, bytes, SIZE));
	EXPECT_EQ(doca_adler32(highest, bytes, 5552), adler32(highest, bytes, 5552));
	EXPECT_EQ(doca_adler32(highest, bytes, 5551), adler32(highest, bytes, 5551));
}

/* Bit by bit. */
static u32 crc32(u32 sum, const u8 *data, size_t size)
{
	int bit;

	for (sum = ~sum; size--; data++)
		for (sum ^= *data, bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
	return ~sum;
}

TEST(sums_of_the_library_are_those_of_their_definitions)
{
	size_t size;
	u32 sum;

	ASSERT(doca_algo_has_sums());
	EXPECT_EQ(doca_algo_crc32(DOCA_CRC32_INIT, "123456789", 9), 0xcbf43926);
	EXPECT_EQ(doca_algo_crc32(DOCA_CRC32_INIT, "", 0), 0);
	fill(256);
	for (size = 0; size < SIZE; size += 1 + size / 50) {
		sum = some_sum();
		EXPECT_EQ(doca_algo_crc32(sum, bytes + size % 9, size - size % 9),
			  crc32(sum, bytes + size % 9, size - size % 9));
		EXPECT_EQ(doca_algo_adler32(sum, bytes + size % 9, size - size % 9),
			  adler32(sum, bytes + size % 9, size - size % 9));
	}
	fill(255);
	sum = 65520U << 16 | 65520;
	EXPECT_EQ(doca_algo_adler32(sum, bytes, SIZE), adler32(sum, bytes, SIZE));
}
