// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: images of AVML, sound and broken ones. */
#include "core/base/crc32c.h"

#include "apsh_image.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)

enum { CHUNK = 65536, HEADER = 32, SPLIT = 12 << 20, ROOM = 2 * IMAGE_SIZE };

static struct {
	u8 *at;
	size_t len;
	size_t first; /* place of the first chunk with memory */
} file;

static void put(const void *what, size_t len)
{
	memcpy(file.at + file.len, what, len);
	file.len += len;
}

/* Most chunks are zeros: compute their sum once. */
static u32 sum_of(const u8 *memory, u32 bytes)
{
	static const u8 zeros[CHUNK];
	static u32 of_zeros;

	if (bytes != CHUNK || memcmp(memory, zeros, CHUNK))
		return crc32c(memory, bytes);
	if (!of_zeros)
		of_zeros = crc32c(zeros, CHUNK);
	return of_zeros;
}

/* A kind, a length of 3 bytes, and the CRC-32C of the memory in it, masked. */
static void put_chunk(u8 kind, const void *what, u32 len, const u8 *memory, u32 bytes)
{
	const u8 head[4] = { kind, (u8)(len + 4), (u8)((len + 4) >> 8), (u8)((len + 4) >> 16) };
	u32 sum = sum_of(memory, bytes);

	sum = (sum >> 15 | sum << 17) + 0xa282ead8;
	put(head, sizeof(head));
	put(&sum, sizeof(sum));
	put(what, len);
}

/* Pack zeroes by copying them, and all else as it is. */
static u32 pack(u8 *to, const u8 *from, u32 len)
{
	u32 at = 3;

	to[0] = (u8)len | 0x80;
	to[1] = (u8)(len >> 7) | 0x80;
	to[2] = (u8)(len >> 14);
	for (u32 i = 0, n; i < len; i += n) {
		for (n = 0; n < 64 && i + n < len && !from[i + n] && i && !from[i - 1];)
			n++;
		if (n) {
			to[at++] = (u8)((n - 1) << 2 | 2);
			to[at++] = 1;
			to[at++] = 0;
			continue;
		}
		n = len - i < 60 ? len - i : 60;
		to[at++] = (u8)((n - 1) << 2);
		memcpy(to + at, from + i, n);
		at += n;
	}
	return at;
}

static void put_range(u64 start, u64 end)
{
	const struct {
		u32 magic, version;
		u64 start, last, reserved;
	} h = { 0x4c4d5641, 2, start, end - 1, 0 };
	static u8 packed[2 * CHUNK];
	size_t begin;

	put(&h, sizeof(h));
	begin = file.len;
	put("\xff\x06\0\0sNaPpY", 10);
	if (!file.first)
		file.first = file.len;
	for (u64 at = start, i = 0; at < end; at += CHUNK, i++) {
		u32 len = end - at < CHUNK ? (u32)(end - at) : CHUNK;

		/* chunks that do not become shorter are left as they are */
		if (i % 5 == 2)
			put_chunk(1, image.mem + at, len, image.mem + at, len);
		else
			put_chunk(0, packed, pack(packed, image.mem + at, len), image.mem + at,
				  len);
		if (i == 2)
			put_chunk(0xfe, "padding", 7, NULL, 0);
	}
	begin = file.len - begin;
	put(&begin, 8);
}

static void write_file(void)
{
	int fd = open(image.ram, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (write(fd, file.at, file.len) != (ssize_t)file.len)
		abort();
	close(fd);
}

/* Two ranges, with a hole of a page between them. */
static void set_up_file(void)
{
	set_up_image(4);
	new_task(1, 1, "init");
	memset(&file, 0, sizeof(file));
	file.at = calloc(1, ROOM);
	if (!file.at)
		abort();
	put_range(0, SPLIT - PAGE);
	put_range(SPLIT, IMAGE_SIZE);
	write_file();
}

static void tear_down_file(void)
{
	free(file.at);
	tear_down_image();
}

static void is_read(const char *words)
{
	struct doca_apsh_system *s = new_system();
	const char *text;

	logged();
	OK(doca_apsh_system_start(s));
	text = logged();
	EXPECT(words ? !!strstr(text, words) : !strstr(text, "cut off"));
	EXPECT_EQ(process_of(s, 1)->uid, 10);
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
}

TEST(an_image_of_avml_is_read)
{
	set_up_file();
	is_read(NULL);
	tear_down_file();
}

/* Ranges of both versions may follow each other. */
TEST(ranges_that_are_not_packed_may_be_among_them)
{
	const struct {
		u32 magic, version;
		u64 start, last, reserved;
	} h = { 0x4c694d45, 1, 0, SPLIT - 1, 0 };

	set_up_file();
	file.len = 0;
	put(&h, sizeof(h));
	put(image.mem, SPLIT);
	put_range(SPLIT, IMAGE_SIZE);
	write_file();
	is_read(NULL);
	tear_down_file();
}

/* All of it, across chunks and up to holes. */
TEST(each_byte_is_that_of_the_memory)
{
	static u8 bytes[3 * CHUNK];
	struct doca_apsh_system *s;
	u64 pa = 0, len;

	set_up_file();
	for (u64 i = 1 << 20; i < 2 << 20; i++)
		image.mem[i] |= (u8)(i / 3 & i >> 9);
	file.len = 0;
	put_range(0, SPLIT - PAGE);
	put_range(SPLIT, IMAGE_SIZE);
	write_file();
	s = new_system();
	OK(doca_apsh_system_start(s));
	for (u64 at = 0; at + sizeof(bytes) < SPLIT - PAGE; at += 3 * CHUNK - 1000) {
		struct source_range r = { .pa = at, .len = sizeof(bytes), .to = bytes };

		EXPECT(!source_read(&s->source, &r, 1) && !r.absent);
		EXPECT(!memcmp(bytes, image.mem + at, sizeof(bytes)));
	}
	for (u64 at = SPLIT - PAGE - 8; at < SPLIT; at += PAGE) {
		struct source_range r = { .pa = at, .len = 16, .to = bytes };

		EXPECT(!source_read(&s->source, &r, 1) && r.absent);
	}
	EXPECT(s->source.ops->next_data(&s->source, &pa, &len));
	EXPECT(pa == 0 && len == SPLIT - PAGE);
	pa = SPLIT - 1;
	EXPECT(s->source.ops->next_data(&s->source, &pa, &len));
	EXPECT(pa == SPLIT && len == IMAGE_SIZE - SPLIT);
	pa = IMAGE_SIZE;
	EXPECT(!s->source.ops->next_data(&s->source, &pa, &len));
	doca_apsh_system_destroy(s);
	tear_down_file();
}

static void is_refused(const char *words)
{
	struct doca_apsh_system *s = new_system();

	write_file();
	logged();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	EXPECT(strstr(logged(), words));
	doca_apsh_system_destroy(s);
}

static void wrong(size_t at, u8 value, const char *words)
{
	u8 was = file.at[at];

	file.at[at] = value;
	is_refused(words);
	file.at[at] = was;
}

TEST(chunks_that_cannot_be_are_refused)
{
	set_up_file();
	wrong(0, 'X', "is not in the memory that may be read"); /* a raw file */
	wrong(4, 3, "no header of LiME 1 or AVML 2 at byte 0");
	wrong(file.first, 2, "is no chunk of Snappy");
	wrong(file.first, 127, "is no chunk of Snappy");
	wrong(file.first + 10, 0xff, "is no chunk of Snappy"); /* more than 64 KiB */
	/* no memory, and more than the range has */
	memset(file.at + file.first + 1, 0, 3);
	is_refused("is no chunk of Snappy");
	tear_down_file();
	set_up_file();
	file.at[17] = 0x0f; /* the last byte of the range */
	file.at[18] = 0;
	is_refused("with at most 4096 bytes");
	tear_down_file();
}

static struct segment segment_of(u64 pa)
{
	struct doca_apsh_system *s = new_system();
	struct segment seg;

	OK(doca_apsh_system_start(s));
	seg = *source_segment(&s->source, pa);
	doca_apsh_system_destroy(s);
	return seg;
}

/* A kernel that is not found in what is left may be the one that runs. */
TEST(a_chunk_that_is_damaged_is_absent)
{
	struct segment banner;

	set_up_file();
	banner = segment_of(TEXT_PA + image_at[S_linux_banner]);
	EXPECT(!banner.plain);
	wrong(banner.offset + 3, 0xfe, "are not in the image"); /* a copy of nothing */
	/* the packed bytes, and their sum */
	wrong(banner.offset + 4, (u8)~file.at[banner.offset + 4], "are not in the image");
	wrong(banner.offset - 1, (u8)~file.at[banner.offset - 1], "are not in the image");
	write_file();
	is_read(NULL);
	tear_down_file();
}

TEST(a_chunk_that_is_not_packed_may_be_damaged_too)
{
	struct segment seg;
	u64 pa = 2 * CHUNK;
	struct doca_apsh_system *s;
	u8 byte;

	set_up_file();
	seg = segment_of(pa);
	EXPECT(seg.plain);
	for (int damaged = 0; damaged < 2; damaged++) {
		struct source_range r = { .pa = pa + 5, .len = 1, .to = &byte };

		file.at[seg.offset + 7] ^= (u8)damaged;
		write_file();
		s = new_system();
		OK(doca_apsh_system_start(s));
		logged();
		EXPECT(!source_read(&s->source, &r, 1));
		EXPECT_EQ(r.absent, damaged);
		EXPECT_EQ(!!strstr(logged(), "packed memory of the file is damaged"), damaged);
		doca_apsh_system_destroy(s);
	}
	tear_down_file();
}

TEST(an_image_of_avml_may_end_anywhere)
{
	set_up_file();
	/* in what is behind the last chunk: more ranges may have followed */
	file.len -= 8;
	write_file();
	is_read("it was cut off between two parts");
	file.len -= 5;
	write_file();
	is_read("65536 bytes would be behind its end");
	for (size_t len = 1; len < file.len; len += 1 + len / 3) {
		struct doca_apsh_system *s = new_system();

		if (truncate(image.ram, (off_t)len))
			abort();
		/* an eighth does not reach the kernel */
		EXPECT(doca_apsh_system_start(s) != DOCA_SUCCESS || len > file.len / 8);
		doca_apsh_system_destroy(s);
		write_file();
	}
	tear_down_file();
}

/* In the beginning of a chunk its length cannot be told. */
TEST(an_image_of_avml_may_end_in_a_chunk_s_beginning)
{
	struct segment seg;
	size_t chunk;

	set_up_file();
	seg = segment_of(IMAGE_SIZE - CHUNK);
	EXPECT(!seg.plain);
	chunk = seg.offset - 8;
	for (size_t len = chunk + 12; len > chunk; len--) {
		if (truncate(image.ram, (off_t)len))
			abort();
		is_read("65536 bytes would be behind its end");
	}
	tear_down_file();
}

/* Then it cannot be told what runs. */
TEST(an_image_of_avml_may_end_before_the_kernel)
{
	struct doca_apsh_system *s;
	struct view_stats stats;

	set_up_file();
	file.len = 0;
	put_range(0, TEXT_PA);
	put("EMiL\1", 5);
	write_file();
	s = new_system();
	logged();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	EXPECT(strstr(logged(), "are not in the image"));
	doca_priv_apsh_stats(s, &stats);
	EXPECT(stats.absent > 0);
	doca_apsh_system_destroy(s);
	tear_down_file();
}

TEST(an_image_of_avml_without_memory_leaves_nothing)
{
	struct doca_apsh_system *s;

	set_up_file();
	s = new_system();
	EXPECT_FAULTS(FAULT_ALLOC, doca_apsh_system_start(s), NO_MEMORY, );
	doca_apsh_system_destroy(s);
	tear_down_file();
}
