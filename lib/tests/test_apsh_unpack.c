// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: decoders of packed pages. */
#include <stdlib.h>
#include <string.h>

#include "apsh/types.h"
#include "apsh/unpack/unpack.h"
#include "ktap.h"

enum { ROOM = 70000 };

typedef ssize_t unpacker(const void *from, size_t len, void *to, size_t room);

/* Exact copies of input and output, so that the sanitizer sees what is read or written beyond. */
static ssize_t unpack(unpacker *f, const void *bytes, size_t len, size_t room, u8 *to)
{
	u8 *from = malloc(len + !len), *made = malloc(room + !room);
	ssize_t n;

	if (!from || !made)
		abort();
	memcpy(from, bytes, len);
	n = f(from, len, made, room);
	if (n > 0)
		memcpy(to, made, (size_t)n);
	free(from);
	free(made);
	return n;
}

static u8 out[ROOM];

#define UNPACKS(f, bytes, text)                                                    \
	do {                                                                       \
		size_t len_ = sizeof(text) - 1;                                    \
		ssize_t n_ = unpack(f, bytes, sizeof(bytes) - 1, len_, out);       \
                                                                                   \
		EXPECT_EQ(n_, (ssize_t)len_);                                      \
		EXPECT(!memcmp(out, text, len_));                                  \
		EXPECT_EQ(unpack(f, bytes, sizeof(bytes) - 1, len_ - 1, out), -1); \
		EXPECT_EQ(unpack(f, bytes, sizeof(bytes) - 2, len_, out), -1);     \
	} while (0)

#define IS_BAD(f, bytes) EXPECT_EQ(unpack(f, bytes, sizeof(bytes) - 1, ROOM, out), -1)

#define END "\x11\0\0"
#define ABC "abcdefghijklmnopqrstuvwxyz"

TEST(each_instruction_of_lzo)
{
	/* one to three literals, and a run of them, may come first */
	UNPACKS(unpack_lzo,
		"\x13"
		"ab" END,
		"ab");
	UNPACKS(unpack_lzo,
		"\x17"
		"abcdef" END,
		"abcdef");
	/* runs: short, of more than 15, and of more than 270 */
	UNPACKS(unpack_lzo,
		"\x03"
		"abcdef" END,
		"abcdef");
	UNPACKS(unpack_lzo, "\0\x08" ABC END, ABC);
	/* two bytes after few literals; the distance is in two bytes */
	UNPACKS(unpack_lzo,
		"\x14"
		"abc"
		"\x08\0" END,
		"abcab");
	UNPACKS(unpack_lzo,
		"\x14"
		"abc"
		"\x09\0"
		"x" END,
		"abcabx");
	/* three and four bytes, and five to eight */
	UNPACKS(unpack_lzo,
		"\x17"
		"abcdef"
		"\x54\0" END,
		"abcdefabc");
	UNPACKS(unpack_lzo,
		"\x17"
		"abcdef"
		"\x74\0" END,
		"abcdefabcd");
	UNPACKS(unpack_lzo,
		"\x17"
		"abcdef"
		"\xf6\0"
		"xy" END,
		"abcdefabcdefabxy");
	/* within 16 KiB; copies overlap what they make */
	UNPACKS(unpack_lzo,
		"\x12"
		"a"
		"\x3f\0\0" END,
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
	UNPACKS(unpack_lzo,
		"\x12"
		"a"
		"\x20\x01\x03\0"
		"xyz" END,
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaxyz");
}

/* Instructions with long distances need as much before them. */
TEST(far_copies_of_lzo)
{
	static u8 bytes[40000];
	size_t at = 0;

	/* 20000 literals: 18, 78 * 255, and the rest */
	bytes[at++] = 0;
	at += 78;
	bytes[at++] = 20000 - 18 - 78 * 255;
	for (u32 i = 0; i < 20000; i++)
		bytes[at++] = (u8)(i * 7 + i / 256);
	/* after a run: three bytes, from 2049 on */
	memcpy(bytes + at, "\x04\x01", 2);
	at += 2;
	/* from 16385 on: three bytes */
	memcpy(bytes + at, "\x11\x04\0", 3);
	at += 3;
	memcpy(bytes + at, END, 3);
	EXPECT_EQ(unpack(unpack_lzo, bytes, at + 3, ROOM, out), 20006);
	EXPECT(!memcmp(out + 20000, out + 20000 - 2049 - 5, 3));
	EXPECT(!memcmp(out + 20003, out + 20003 - 16385, 3));
}

TEST(damaged_lzo)
{
	IS_BAD(unpack_lzo, "");
	IS_BAD(unpack_lzo, "\x17");
	IS_BAD(unpack_lzo, "\x17"
			   "abcdef" END "x"); /* something follows */
	IS_BAD(unpack_lzo, "\x12"
			   "a"
			   "\x12\0\0"); /* an end of another length */
	IS_BAD(unpack_lzo, "\x13"
			   "ab"
			   "\x08\0" END); /* from before the beginning */
	IS_BAD(unpack_lzo, "\x13"
			   "ab"
			   "\x20\0\0\0\0\0\0\0\0\0\0\0\0"); /* a length without end */
	IS_BAD(unpack_lzo, "\0\0\0\0\0\0\0\0\0\0\0\0\xff"
			   "abc" END);
}

TEST(each_element_of_snappy)
{
	UNPACKS(unpack_snappy,
		"\x02\x04"
		"ab",
		"ab");
	UNPACKS(unpack_snappy, "\x1a\x64" ABC, ABC);
	/* the length of literals in one byte, and in two */
	UNPACKS(unpack_snappy, "\x1a\xf0\x19" ABC, ABC);
	UNPACKS(unpack_snappy, "\x1a\xf4\x19\0" ABC, ABC);
	UNPACKS(unpack_snappy, "\x1a\xfc\x19\0\0\0" ABC, ABC);
	/* copies, with distances of 11, 16 and 32 bits; the second overlaps what it makes */
	UNPACKS(unpack_snappy,
		"\x07\x08"
		"abc"
		"\x01\x03",
		"abcabca");
	UNPACKS(unpack_snappy,
		"\x09\x08"
		"abc"
		"\x16\x01\0",
		"abccccccc");
	UNPACKS(unpack_snappy,
		"\x06\x08"
		"abc"
		"\x0b\x03\0\0\0",
		"abcabc");
}

TEST(damaged_snappy)
{
	IS_BAD(unpack_snappy, "");
	IS_BAD(unpack_snappy, "\x80\x80\x80\x80\x80\x01");
	IS_BAD(unpack_snappy, "\x04\x04"
			      "ab"); /* it lacks two bytes */
	IS_BAD(unpack_snappy, "\x01\x04"
			      "ab"); /* it has one more */
	IS_BAD(unpack_snappy, "\x06\x08"
			      "abc"
			      "\x0b\x04\0\0\0"); /* from before the beginning */
	IS_BAD(unpack_snappy, "\x06\x08"
			      "abc"
			      "\x0b\0\0\0\0"); /* from where it writes */
	IS_BAD(unpack_snappy, "\x06\xfc\xff\xff\xff\xff"); /* longer than the file */
}

/* Whatever the bytes are, nothing beyond them is touched. */
static void change_bytes(unpacker *f, const char *sound, size_t len)
{
	u32 seed = 1, done = 0;
	u8 bytes[64];

	for (int round = 0; round < 20000; round++) {
		memcpy(bytes, sound, len);
		for (int i = 0; i <= round % 3; i++) {
			seed = seed * 1664525 + 1013904223;
			bytes[(seed >> 8) % len] = (u8)(seed >> 24);
		}
		done += unpack(f, bytes, len - round % 2, 4096, out) > 0;
	}
	EXPECT(done > 0 && done < 20000);
}

TEST(any_bytes)
{
	static const char lzo[] = "\x17"
				  "abcdef"
				  "\xf6\0"
				  "xy"
				  "\x20\x01\x03\0"
				  "xyz" END;
	static const char snappy[] = "\x0c\x08"
				     "abc"
				     "\x16\x01\0"
				     "\x0b\x03\0\0\0";

	change_bytes(unpack_lzo, lzo, sizeof(lzo) - 1);
	change_bytes(unpack_snappy, snappy, sizeof(snappy) - 1);
}
