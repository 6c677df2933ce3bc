// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Secrets, such as keys of AES-GCM and their schedules, are in no page of the process once they have ended. */
#include <sys/mman.h>

#include "gcm_bed.h"

/*
 * Secrets of a key, to be looked for: what is here is inverted, so that it is not found. The
 * first is the key, the others the first and the last key of its rounds.
 */
struct secrets {
	u8 hidden[3][16];
};

static u8 multiply(u8 a, u8 b)
{
	u8 product = 0;

	for (; b; b >>= 1, a = a << 1 ^ (a & 0x80 ? 0x1b : 0))
		product ^= b & 1 ? a : 0;
	return product;
}

static u8 substitute(u8 byte)
{
	u8 inverse = byte, box;
	u32 i;

	/* To the power of 254. */
	for (i = 0; i < 6; i++)
		inverse = multiply(multiply(inverse, inverse), byte);
	inverse = multiply(inverse, inverse);
	for (box = inverse, i = 1; i < 5; i++)
		box ^= inverse << i | inverse >> (8 - i);
	return box ^ 0x63;
}

static void hide(u8 *hidden, const u8 *secret)
{
	u32 i;

	for (i = 0; i < 16; i++)
		hidden[i] = ~secret[i];
}

static noinline void hide_secrets(struct secrets *secrets, const u8 *key)
{
	u8 round[16], last[4], factor = 1;
	u32 i, k;

	memcpy(round, key, 16);
	hide(secrets->hidden[0], round);
	for (i = 0; i < 10; i++, factor = multiply(factor, 2)) {
		for (k = 0; k < 4; k++)
			last[k] = substitute(round[12 + (k + 1) % 4]);
		last[0] ^= factor;
		for (k = 0; k < 16; k++)
			round[k] ^= k < 4 ? last[k] : round[k - 4];
		if (!i)
			hide(secrets->hidden[1], round);
	}
	hide(secrets->hidden[2], round);
	memzero_explicit(round, sizeof(round));
	memzero_explicit(last, sizeof(last));
}

/* Return true if 16 bytes are a secret, or one with its words turned round. */
static bool is_secret(const u8 *at, const u8 *hidden)
{
	bool same = true, turned = true;
	u32 i;

	for (i = 0; i < 16; i++) {
		same = same && at[i] == (u8)~hidden[i];
		turned = turned && at[i] == (u8)~hidden[i ^ 3];
	}
	return same || turned;
}

__attribute__((no_sanitize("address", "thread", "undefined"))) static u32
count_in(const struct secrets *secrets, const u8 *at, const u8 *end)
{
	u32 found = 0, i;

	for (; end - at >= 16; at++)
		for (i = 0; i < 3; i++)
			if ((at[0] == (u8)~secrets->hidden[i][0] ||
			     at[0] == (u8)~secrets->hidden[i][3]) &&
			    is_secret(at, secrets->hidden[i]))
				found++;
	return found;
}

/* Return true if any page of a piece is there; others have never been written to. */
static bool is_there(int pagemap, unsigned long start, unsigned long length)
{
	unsigned long first = start / PAGE_SIZE;
	unsigned long nr = (start + length - 1) / PAGE_SIZE - first + 1, i;
	u64 pages[32];

	if (pread(pagemap, pages, nr * sizeof(u64), first * sizeof(u64)) < 0)
		return true;
	for (i = 0; i < nr; i++)
		if (pages[i] >> 62)
			return true;
	return false;
}

/* Look through all memory of the process, without what a sanitizer has reserved. */
static u32 count_secrets(const struct secrets *secrets)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start, end, length;
	static u8 copy[SZ_64K];
	char line[512], rights[5];
	u32 found = 0;
	ssize_t n;
	int fd = open("/proc/self/mem", O_RDONLY);
	int pagemap = open("/proc/self/pagemap", O_RDONLY);

	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) != 3 || rights[0] != 'r' ||
		    rights[1] != 'w' || end - start > 1UL << 28)
			continue;
		/* Pieces overlap; one that is here already is not looked for in this copy. */
		for (; start + 16 <= end; start += sizeof(copy) - 15) {
			if (start < (uintptr_t)copy + sizeof(copy) &&
			    start + sizeof(copy) > (uintptr_t)copy)
				continue;
			length = min_t(unsigned long, sizeof(copy), end - start);
			if (!is_there(pagemap, start, length))
				continue;
			n = pread(fd, copy, length, start);
			if (n > 0)
				found += count_in(secrets, copy, copy + n);
			memset(copy, 0, sizeof(copy));
		}
	}
	close(pagemap);
	close(fd);
	fclose(maps);
	return found;
}

TEST(nothing_of_a_key_is_left)
{
	struct message m = any_message(16, 20, LONG, 16);
	struct secrets secrets = {};
	struct program p;
	u32 key, i;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
	hide_secrets(&secrets, m.key);
	memzero_explicit(m.key, sizeof(m.key));
	EXPECT_EQ(count_secrets(&secrets), 1);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(seal(&p, &m, key), DOCA_STATUS_SUCCESS);
		EXPECT_EQ(unseal(&p, &m, key), DOCA_STATUS_SUCCESS);
		m.tag[0]++;
		EXPECT_EQ(unseal(&p, &m, key), DOCA_STATUS_TAG);
		m.tag[0]--;
	}
	/* The key alone. */
	EXPECT_EQ(count_secrets(&secrets), 1);
	EXPECT_EQ(object_destroy(p.fd, DOCA_OBJECT_GCM_KEY, key), 0);
	EXPECT_EQ(count_secrets(&secrets), 0);
	gcm_close(&p);
	EXPECT_EQ(count_secrets(&secrets), 0);
}

TEST(a_file_that_is_closed_wipes_its_keys)
{
	struct message m = any_message(16, 20, 1000, 12);
	struct secrets secrets = {};
	struct program p;
	u32 key;

	gcm_open(&p);
	EXPECT_EQ(make_key(&p, m.key, 16, &key), 0);
	hide_secrets(&secrets, m.key);
	memzero_explicit(m.key, sizeof(m.key));
	EXPECT_EQ(seal(&p, &m, key), DOCA_STATUS_SUCCESS);
	gcm_close(&p);
	EXPECT_EQ(count_secrets(&secrets), 0);
}

/* As the secrets of exports are. */
TEST(what_is_freed_as_sensitive_is_wiped)
{
	u8 *block = kmalloc(256, GFP_KERNEL);
	struct secrets secrets = {};
	u32 i;

	get_random_bytes(block + 128, 16);
	for (i = 0; i < 3; i++)
		hide(secrets.hidden[i], block + 128);
	EXPECT_EQ(count_secrets(&secrets), 3);
	kfree_sensitive(block);
	EXPECT_EQ(count_secrets(&secrets), 0);
}
