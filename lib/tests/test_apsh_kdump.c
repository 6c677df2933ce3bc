// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: compressed dumps, sound and broken ones. */
#include <endian.h>
#include <zlib.h>
#include <zstd.h>

#include "apsh_image.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)

enum { MAX_BLOCK = 64 << 10 };

static u32 block = PAGE; /* bytes of a page of the dump */

#define PAGES ((u32)IMAGE_SIZE / block)
/* Blocks: header, sub-header, two bitmaps, descriptors. */
#define SUB block
#define NOTE (block + 512)
#define BITMAP (2 * block)
#define DESCS (4 * block)

static struct {
	u8 *at;
	size_t len;
} dump;

static void put32(size_t at, u32 value)
{
	memcpy(dump.at + at, &value, sizeof(value));
}

static void put64(size_t at, u64 value)
{
	memcpy(dump.at + at, &value, sizeof(value));
}

enum { PLAIN, ZLIB, LZO, SNAPPY = 4, ZSTD = 0x20 };

static int in_turn = ZLIB; /* compression of two pages of three */

/* Literals alone are a sound block, of which the beginning says how many there are. */
static size_t pack_lzo(u8 *to, const u8 *page)
{
	size_t at = 1, left = PAGE - 18;

	*to = 0;
	for (; left > 255; left -= 255)
		to[at++] = 0;
	to[at++] = (u8)left;
	memcpy(to + at, page, PAGE);
	memcpy(to + at + PAGE, "\x11\0\0", 3);
	return at + PAGE + 3;
}

static size_t pack_snappy(u8 *to, const u8 *page)
{
	memcpy(to, "\x80\x20\xf4\xff\x0f", 5);
	memcpy(to + 5, page, PAGE);
	return PAGE + 5;
}

static size_t pack(int how, u8 *to, const u8 *page)
{
	uLongf len = 2 * block;

	switch (how) {
	case PLAIN:
		memcpy(to, page, block);
		return block;
	case LZO:
		return pack_lzo(to, page);
	case SNAPPY:
		return pack_snappy(to, page);
	case ZSTD:
		return ZSTD_compress(to, 2 * block, page, block, 1);
	default:
		if (compress(to, &len, page, block))
			abort();
		return len;
	}
}

static size_t put_page(size_t desc, const u8 *page, bool packed)
{
	int how = packed ? in_turn : PLAIN;
	size_t len = pack(how, dump.at + dump.len, page);

	put64(desc, dump.len);
	put32(desc + 8, (u32)len);
	put32(desc + 12, (u32)how);
	dump.len += len;
	return desc + 24;
}

/* Make a dump of the pages that are not zero, every third one uncompressed. */
static void make_dump(void)
{
	static const u8 zeros[MAX_BLOCK];
	size_t desc = DESCS;
	u32 nr = 0;

	dump.at = calloc(1, 2 * IMAGE_SIZE);
	if (!dump.at)
		abort();
	memcpy(dump.at, "KDUMP   ", 8);
	put32(8, 6);
	put32(428, block);
	put32(432, 1); /* blocks of the sub-header */
	put32(436, 2); /* blocks of the bitmaps */
	put32(440, PAGES);
	put64(SUB + 96, PAGES);
	dump.len = DESCS + PAGES * 24;
	for (u32 i = 0; i < PAGES; i++) {
		const u8 *page = image.mem + (u64)i * block;

		if (!memcmp(page, zeros, block))
			continue;
		dump.at[BITMAP + block + i / 8] |= (u8)(1 << i % 8);
		desc = put_page(desc, page, nr++ % 3);
	}
}

static void write_bytes(const void *bytes, size_t len)
{
	int fd = open(image.ram, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (write(fd, bytes, len) != (ssize_t)len)
		abort();
	close(fd);
}

enum { PIECE = 10000 };

/* Write it in pieces of some pages, the last one first unless it is to be in order. */
static void write_flat(bool in_order)
{
	u8 *flat = calloc(1, 3 * IMAGE_SIZE), *to;
	size_t nr = (dump.len + PIECE - 1) / PIECE;

	if (!flat)
		abort();
	to = flat + 4096;
	memcpy(flat, "makedumpfile", 12);
	for (size_t i = 0; i < nr; i++) {
		size_t at = (in_order ? i : nr - 1 - i) * PIECE;
		size_t n = dump.len - at < PIECE ? dump.len - at : PIECE;
		u64 h[2] = { htobe64(at), htobe64(n) };

		memcpy(to, h, sizeof(h));
		memcpy(to + sizeof(h), dump.at + at, n);
		to += sizeof(h) + n;
	}
	memset(to, 0xff, 16);
	write_bytes(flat, (size_t)(to + 16 - flat));
	free(flat);
}

/* Write it as one piece that has that many bytes, and the beginning of the next header. */
static void write_piece(size_t len, size_t more)
{
	u64 h[2] = { 0, htobe64(len) };
	int fd;

	write_bytes("makedumpfile", 12);
	fd = open(image.ram, O_WRONLY);
	if (pwrite(fd, h, sizeof(h), 4096) != sizeof(h) ||
	    pwrite(fd, dump.at, dump.len, 4112) != (ssize_t)dump.len ||
	    ftruncate(fd, (off_t)(4112 + dump.len + more)))
		abort();
	close(fd);
}

static void set_up_dump(void)
{
	set_up_image(4);
	new_task(1, 1, "init");
	make_dump();
}

static void tear_down_dump(void)
{
	free(dump.at);
	tear_down_image();
}

static void is_read(void)
{
	struct doca_apsh_system *s = new_system();

	OK(doca_apsh_system_start(s));
	EXPECT_EQ(process_of(s, 1)->uid, 10);
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
	logged();
}

static void is_refused(doca_error_t error, const char *words)
{
	struct doca_apsh_system *s = new_system();

	EXPECT_EQ(doca_apsh_system_start(s), error);
	EXPECT_LOGGED(words);
	doca_apsh_system_destroy(s);
}

TEST(a_dump_is_read_as_it_is_and_flattened)
{
	struct doca_apsh_system *s;
	const char *text;

	set_up_dump();
	write_bytes(dump.at, dump.len);
	is_read();
	write_flat(false);
	is_read();
	if (truncate(image.ram, 4096 + 10000))
		abort();
	s = new_system();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	text = logged();
	EXPECT(strstr(text, "it was cut off") &&
	       strstr(text, "is no dump of kdump; is it truncated?"));
	doca_apsh_system_destroy(s);
	tear_down_dump();
}

/* The page of the second process is the last one. */
TEST(a_flattened_dump_that_was_cut_off_shows_what_it_has)
{
	struct doca_apsh_system *s;
	struct view_stats stats;
	const char *cut;
	struct stat st;

	set_up_image(4);
	new_task(1, 1, "init");
	image.next = 12 << 20;
	new_task(2, 2, "far");
	make_dump();
	write_flat(true);
	if (stat(image.ram, &st) || truncate(image.ram, st.st_size - 16 - 8))
		abort();
	s = new_system();
	logged();
	OK(doca_apsh_system_start(s));
	cut = strstr(logged(), "it was cut off: 8 bytes");
	EXPECT(cut && !strstr(strchr(cut, ':'), "cut off"));
	EXPECT_EQ(process_of(s, 1)->uid, 10);
	doca_priv_apsh_stats(s, &stats);
	EXPECT(stats.absent > 0);
	doca_apsh_processes_free(processes);
	doca_apsh_system_destroy(s);
	tear_down_dump();
}

static size_t desc_of(u64 pa)
{
	size_t desc = DESCS;

	for (u64 i = 0; i < pa / block; i++)
		desc += 24 * (dump.at[BITMAP + block + i / 8] >> i % 8 & 1);
	return desc;
}

static u32 lines_with(const char *text, const char *words)
{
	u32 nr = 0;

	while ((text = strstr(text, words))) {
		text += strlen(words);
		nr++;
	}
	return nr;
}

/* Descriptors of pages are there, and the page of the banner is not. */
static void ends_before_the_kernel(const char *warning)
{
	struct doca_apsh_system *s = new_system();
	struct view_stats stats;
	const char *text;

	logged();
	EXPECT_EQ(doca_apsh_system_start(s), DOCA_ERROR_INITIALIZATION);
	text = logged();
	EXPECT(strstr(text, "are not in the image"));
	EXPECT(strstr(text, warning));
	EXPECT_EQ(lines_with(text, "it was cut off") + lines_with(text, "behind its end, or"), 1);
	doca_priv_apsh_stats(s, &stats);
	EXPECT(stats.absent > 0);
	doca_apsh_system_destroy(s);
}

TEST(a_dump_that_was_cut_off_does_not_tell_what_runs)
{
	u64 end;

	set_up_dump();
	memcpy(&end, dump.at + desc_of(image.text_pa + image_at[S_linux_banner]), sizeof(end));
	dump.len = end;
	write_bytes(dump.at, dump.len);
	ends_before_the_kernel("pages of the dump are behind its end");
	write_piece(dump.len, 9);
	ends_before_the_kernel("it was cut off between two parts");
	write_piece(dump.len + 100, 0);
	ends_before_the_kernel("it was cut off: 100 bytes would be behind its end");
	tear_down_dump();
}

/* makedumpfile compresses pages with one of these. */
/* As QEMU writes dumps of arm64, and kernels with large pages. */
TEST(pages_of_a_dump_may_be_large)
{
	for (block = 16 << 10; block <= MAX_BLOCK; block *= 4) {
		for (in_turn = ZLIB; in_turn <= ZSTD; in_turn += ZSTD - ZLIB) {
			set_up_dump();
			write_bytes(dump.at, dump.len);
			is_read();
			tear_down_dump();
		}
	}
	block = PAGE;
	in_turn = ZLIB;
}

TEST(pages_may_be_packed_in_four_ways)
{
	static const int all[] = { LZO, SNAPPY, ZSTD };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		in_turn = all[i];
		set_up_dump();
		write_bytes(dump.at, dump.len);
		is_read();
		tear_down_dump();
	}
	in_turn = ZLIB;
}

TEST(a_dump_names_its_kernel)
{
	struct doca_apsh_system *s;
	char note[256];

	set_up_dump();
	snprintf(note, sizeof(note),
		 "SYMBOL(swapper_pg_dir)=%lx\n"
		 "NUMBER(phys_base)=%ld\n"
		 "KERNELOFFSET=%lx\n",
		 symbol(S_init_top_pgt), (long)(image.text_pa - (image.text_va - START_KERNEL_MAP)),
		 (u64)0x6000000);
	strcpy((char *)dump.at + NOTE, note);
	put64(SUB + 32, NOTE);
	put64(SUB + 40, strlen(note));
	write_bytes(dump.at, dump.len);
	s = new_system();
	OK(doca_apsh_system_start(s));
	EXPECT_STR(s->kernel.found, "VMCOREINFO of the file");
	doca_apsh_system_destroy(s);
	tear_down_dump();
}

static void wrong(size_t at, u32 value, doca_error_t error, const char *words)
{
	u32 was;

	memcpy(&was, dump.at + at, sizeof(was));
	put32(at, value);
	write_bytes(dump.at, dump.len);
	is_refused(error, words);
	put32(at, was);
}

TEST(dumps_that_cannot_be_are_refused)
{
	const doca_error_t no = DOCA_ERROR_INITIALIZATION;

	set_up_dump();
	wrong(8, 0, DOCA_ERROR_NOT_SUPPORTED, "only whole dumps of x86-64 and arm64");
	wrong(428, 8192, DOCA_ERROR_NOT_SUPPORTED, "pages of 8192 bytes");
	wrong(SUB + 12, 1, DOCA_ERROR_NOT_SUPPORTED, "makedumpfile --reassemble");
	wrong(432, UINT32_MAX, no, "is it truncated?");
	wrong(436, 0, no, "cannot be");
	wrong(436, UINT32_MAX, no, "cannot be");
	wrong(436, 32768, no, "is it truncated?");
	wrong(SUB + 96, 0, no, "cannot be");
	wrong(SUB + 100, UINT32_MAX, no, "cannot be");
	wrong(0, 0, no, "is not in the memory"); /* read as a raw file */
	memset(dump.at + BITMAP + block, 0, block);
	write_bytes(dump.at, dump.len);
	is_refused(no, "no memory is in it");
	memcpy(dump.at, "\177ELF", 4);
	write_flat(true);
	is_refused(DOCA_ERROR_NOT_SUPPORTED, "makedumpfile -R");
	tear_down_dump();
}

/* A wrong page counts as absent. */
static void lost_page(size_t at, u32 value)
{
	struct doca_apsh_system *s;
	u32 was;

	memcpy(&was, dump.at + at, sizeof(was));
	put32(at, value);
	write_bytes(dump.at, dump.len);
	s = new_system();
	EXPECT(doca_apsh_system_start(s) != DOCA_SUCCESS);
	doca_apsh_system_destroy(s);
	put32(at, was);
}

TEST(a_page_that_is_damaged_is_absent)
{
	size_t desc;
	u64 at;

	set_up_dump();
	/* the compressed page of the banner, which is needed */
	desc = desc_of(image.text_pa + image_at[S_linux_banner]);
	if (!dump.at[desc + 12])
		desc += 24;
	memcpy(&at, dump.at + desc, sizeof(at));
	lost_page(desc, UINT32_MAX);
	lost_page(desc + 4, UINT32_MAX);
	lost_page(desc + 8, 0);
	lost_page(desc + 8, UINT32_MAX);
	lost_page(desc + 8, 5);
	lost_page(desc + 12, 0);
	lost_page(at, 0x12345678);
	logged();
	lost_page(desc + 12, LZO);
	lost_page(desc + 12, SNAPPY);
	lost_page(desc + 12, ZSTD);
	EXPECT(!strstr(logged(), "compressed by none"));
	lost_page(desc + 12, ZLIB | LZO);
	EXPECT(strstr(logged(), "compressed by none of zlib"));
	write_bytes(dump.at, dump.len);
	is_read();
	tear_down_dump();
}

TEST(a_dump_may_end_anywhere)
{
	const size_t ends[] = {
		1, 7, 463, PAGE, PAGE + 103, BITMAP, 3 * PAGE + 9, DESCS, DESCS + 25
	};

	set_up_dump();
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		struct doca_apsh_system *s;

		write_bytes(dump.at, ends[i]);
		s = new_system();
		EXPECT(doca_apsh_system_start(s) != DOCA_SUCCESS);
		doca_apsh_system_destroy(s);
	}
	tear_down_dump();
}

TEST(a_dump_without_memory_leaves_nothing)
{
	struct doca_apsh_system *s;

	set_up_dump();
	write_bytes(dump.at, dump.len);
	s = new_system();
	EXPECT_FAULTS(FAULT_ALLOC, doca_apsh_system_start(s), NO_MEMORY, );
	doca_apsh_system_destroy(s);
	tear_down_dump();
}
