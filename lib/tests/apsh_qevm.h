/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Saved states of QEMU and of libvirt, put together. */
#ifndef DOCA_TESTS_APSH_QEVM_H
#define DOCA_TESTS_APSH_QEVM_H

#include "apsh/source/file.h"
#include "apsh_image.h"

#define OK(call) EXPECT_EQ(call, DOCA_SUCCESS)
#define MIB (1ULL << 20)
#define GIB (1ULL << 30)

enum { ROOM = 2 * IMAGE_SIZE, SECTION = 2 };
enum { ZERO = 2, BLOCKS = 4, WHOLE = 8, END = 0x10, CONTINUE = 0x20 };

static struct {
	u8 *at;
	size_t len;
} file;

static void put(const void *what, size_t len)
{
	memcpy(file.at + file.len, what, len);
	file.len += len;
}

static void put_number(u64 value, u32 bytes)
{
	while (bytes--)
		file.at[file.len++] = (u8)(value >> 8 * bytes);
}

static void put_name(const char *name)
{
	put_number(strlen(name), 1);
	put(name, strlen(name));
}

static void put_header(const char *machine)
{
	put("QEVM\0\0\0\3", 8);
	if (!machine)
		return;
	put_number(7, 1);
	put_number(strlen(machine), 4);
	put(machine, strlen(machine));
}

static void put_subsection(const char *name)
{
	put_number(5, 1);
	put_name(name);
	put_number(1, 4);
}

static void put_page_bits(u32 bits)
{
	put_subsection("configuration/target-page-bits");
	put_number(bits, 4);
}

static void begin_section(u8 kind, const char *name, u32 version)
{
	put_number(kind, 1);
	put_number(SECTION, 4);
	put_name(name);
	put_number(0, 4);
	put_number(version, 4);
}

static void begin_part(u8 kind)
{
	put_number(kind, 1);
	put_number(SECTION, 4);
}

static void end_part(void)
{
	put_number(END, 8);
	put_number(0x7e, 1);
	put_number(SECTION, 4);
}

struct block {
	const char *name;
	u64 len;
};

/* A list of blocks that ends with one without a name, in the section that begins memory. */
static void put_blocks(const struct block *blocks)
{
	u64 all = 0;

	for (const struct block *b = blocks; b->name; b++)
		all += b->len;
	begin_section(1, "ram", 4);
	put_number(all | BLOCKS, 8);
	for (const struct block *b = blocks; b->name; b++) {
		put_name(b->name);
		put_number(b->len, 8);
	}
	end_part();
}

/* A page of these bytes; the same block as before if it has no name. */
static void put_page(const char *block, u64 at, u8 byte)
{
	put_number(at | WHOLE | (block ? 0 : CONTINUE), 8);
	if (block)
		put_name(block);
	memset(file.at + file.len, byte, PAGE);
	file.len += PAGE;
}

static void put_fill(const char *block, u64 at, u8 byte)
{
	put_number(at | ZERO | (block ? 0 : CONTINUE), 8);
	if (block)
		put_name(block);
	put_number(byte, 1);
}

static void write_file(void)
{
	int fd = open(image.ram, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (write(fd, file.at, file.len) != (ssize_t)file.len)
		abort();
	close(fd);
}

static void set_up_file(void)
{
	set_up_image(4);
	memset(&file, 0, sizeof(file));
	file.at = calloc(1, ROOM);
	if (!file.at)
		abort();
}

static void tear_down_file(void)
{
	free(file.at);
	tear_down_image();
}

static struct target state = { .memory = TARGET_FILE, .format = TARGET_QEVM };

/* Open the file that was put together; the caller closes it, whatever comes of it. */
static doca_error_t open_state(struct source *s)
{
	state.file.path = image.ram;
	write_file();
	logged();
	return source_open(s, &state);
}

static void is_refused(doca_error_t error, const char *words)
{
	struct source s;
	const char *text;

	EXPECT_EQ(open_state(&s), error);
	text = logged();
	if (!strstr(text, words))
		KTAP_SAY_("logged \"%s\", not \"%s\"", text, words);
	source_close(&s);
}

/* Return the byte at a physical address, or -1 if it is absent. */
static int byte_at(struct source *s, u64 pa)
{
	u8 byte = 0;
	struct source_range r = { .pa = pa, .len = 1, .to = &byte };

	EXPECT(!source_read(s, &r, 1));
	return r.absent ? -1 : byte;
}

static void put_libvirt(u32 version, u32 packed)
{
	static const char text[] = "<domain/>\0<cookie/>";
	u32 numbers[19] = { version, sizeof(text), 0, packed };

	put("LibvirtQemudSave", 16);
	put(numbers, sizeof(numbers));
	put(text, sizeof(text));
}

static void put_small(void)
{
	put_header("virt-7.2");
	put_page_bits(12);
	put_subsection("configuration/capabilities");
	put_number(1, 4);
	put_name("some");
	put_subsection("configuration/uuid");
	put("0123456789abcdef", 16);
	put("\x8\0\1\0\0", 5); /* a command */
	put_blocks((struct block[]){ { "mach-virt.ram", 3 * PAGE }, {} });
	begin_part(2);
	put_page("mach-virt.ram", 0, 'a');
	put_fill(NULL, PAGE, 'b');
	end_part();
	begin_part(3);
	put_page("mach-virt.ram", 2 * PAGE, 'c');
	end_part();
}

/*
 * QEMU 9 can give each page of a block a place: behind a header there is a bitmap, and the
 * pages behind it. It rounds their place up to 1 MiB; here it is up to a page. The first one has
 * that byte, and each other one the next.
 */
static void put_map(const char *block, u8 byte, u32 nr, const u64 *bits)
{
	size_t words = (nr + 63) / 64, pages_at;

	put_name(block);
	put_number((u64)nr * PAGE, 8);
	put_number(1, 4);
	put_number(PAGE, 8);
	put_number(file.len + 16, 8);
	pages_at = (file.len + 8 + words * sizeof(*bits) + PAGE - 1) / PAGE * PAGE;
	put_number(pages_at, 8);
	put(bits, words * sizeof(*bits));
	memset(file.at + file.len, 0, pages_at - file.len);
	file.len = pages_at;
	for (u32 i = 0; i < nr; i++, file.len += PAGE)
		memset(file.at + file.len, (u8)(byte + i), PAGE);
}

static void begin_maps(u32 nr)
{
	file.len = 0;
	put_header("virt-9.0");
	put_page_bits(12);
	put_subsection("configuration/capabilities");
	put_number(1, 4);
	put_name("mapped-ram");
	begin_section(1, "ram", 4);
	put_number(((u64)nr * PAGE) | BLOCKS, 8);
}

static void end_maps(void)
{
	end_part();
	begin_part(3);
	put_number(0x200, 8);
	end_part();
}

/* A page is not there, and is zeros; bits behind those of pages do not count. */
static void put_small_maps(void)
{
	const u64 all = 3, some = 0xb | 1ULL << 63;

	begin_maps(2 + 4);
	put_map("virt.flash0", 'X', 2, &all);
	put_map("mach-virt.ram", 'a', 4, &some);
	end_maps();
}

/* One place in a page, or in a gap, is like another. No number has that many equal bytes. */
static bool within_a_page(size_t at)
{
	for (size_t i = at; i <= at + 64; i++)
		if (file.at[i] != file.at[at - 1])
			return false;
	return true;
}

#endif /* DOCA_TESTS_APSH_QEVM_H */
