// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* App Shield: saved states of QEMU and of libvirt that are broken, or have what is not read. */
#include "apsh/source/qevm.h"
#include "apsh_qevm.h"

static void is_unknown(const char *machine, const struct block *blocks, const char *words)
{
	file.len = 0;
	put_header(machine);
	if (machine && !strcmp(machine, "virt-7.2"))
		put_page_bits(12);
	put_blocks(blocks);
	is_refused(DOCA_ERROR_NOT_SUPPORTED, words);
}

#define UNKNOWN(machine, words, ...) is_unknown(machine, (struct block[]){ __VA_ARGS__, {} }, words)

TEST(memory_whose_place_is_not_known_is_refused)
{
	set_up_file();
	UNKNOWN("pc-q35-7.2", "(ram shmem)", { "ram", GIB }, { "shmem", GIB });
	UNKNOWN("pc-q35-7.2", "(m1 m2)", { "m1", GIB }, { "m2", GIB });
	UNKNOWN("pc-q35-7.2", "(m1 n0)", { "m1", GIB }, { "n0", GIB });
	UNKNOWN("pc-q35-7.2", "(m1 m0)", { "m1", GIB }, { "m0", GIB });
	UNKNOWN("pc-q35-7.2", "(mem0 mem1)", { "mem0", GIB }, { "mem1", GIB });
	UNKNOWN("pc-q35-7.2", "(guest.ram mem1)", { "guest.ram", GIB }, { "mem1", GIB });
	UNKNOWN("pc-q35-7.2", "(ram-node0 ram-node2)", { "ram-node0", GIB }, { "ram-node2", GIB });
	UNKNOWN("pc-q35-7.2", "(ram-node0 guest.ram)", { "ram-node0", GIB }, { "guest.ram", GIB });
	UNKNOWN("pc-q35-7.2", "(ram-node0 ram-node00)", { "ram-node0", GIB },
		{ "ram-node00", GIB });
	UNKNOWN("pc-q35-7.2", "(none)", { "vga.vram", 16 * MIB }, { "0000:00:02.0/x", GIB });
	UNKNOWN("pc-q35-7.2", "where machine pc-q35-7.2", { "pc.ram", 513 * GIB });
	UNKNOWN("microvm", "where machine microvm", { "ram", GIB });
	UNKNOWN(NULL, "(without a name)", { "pc.ram", 2816 * MIB });
	UNKNOWN("virt-2.7", "it has no target-page-bits", { "mach-virt.ram", GIB });
	UNKNOWN("other", "it has no target-page-bits", { "ram", GIB });
	UNKNOWN(NULL, "it has no target-page-bits", { "mach-virt.ram", GIB });
	UNKNOWN("virt-7.2", "no memory of at most 2 TiB", { "ram", 2048 * GIB + PAGE });
	UNKNOWN("virt-7.2", "no memory of at most 2 TiB", { "ram", MIB + 1 },
		{ "tpm-ppi", PAGE - 1 });
	tear_down_file();
}

static void any_byte(void)
{
	static const u8 values[] = { 0, 2, 0x7f, 0xff };
	size_t all = file.len;

	for (size_t i = 1; i < all; i++) {
		u8 was = file.at[i];

		if (within_a_page(i))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(values); k++) {
			struct source s;

			file.at[i] = values[k];
			if (open_state(&s) == DOCA_SUCCESS)
				byte_at(&s, GIB);
			else
				EXPECT(*logged());
			source_close(&s);
		}
		file.at[i] = was;
	}
}

/* Whatever a byte is, the file is refused or read, within its bounds. */
TEST(any_byte_may_be_wrong)
{
	set_up_file();
	put_small();
	any_byte();
	put_small_maps();
	any_byte();
	tear_down_file();
}

/* Nothing in the file is that block's before both of its places are there, and possible. */
TEST(places_that_were_cut_off_are_not_used)
{
	static const u64 values[] = { 0, 1, 8, PAGE, 1ULL << 52, INT64_MAX, -PAGE, -8, -7, -1 };
	size_t at;

	set_up_file();
	put_small_maps();
	at = (size_t)((u8 *)memmem(file.at, file.len, "mach-virt.ram", 13) - file.at) + 13 + 8 + 12;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		file.len = at;
		put_number(values[i], 8);
		put_number(values[i], 8);
		for (file.len = at; file.len < at + 16; file.len++) {
			struct source s;

			OK(open_state(&s));
			EXPECT_EQ(s.cut, 4 * PAGE);
			for (u64 page = 0; page < 4; page++)
				EXPECT_EQ(byte_at(&s, GIB + page * PAGE), -1);
			source_close(&s);
		}
	}
	tear_down_file();
}

TEST(no_byte_is_at_a_place_that_wraps)
{
	struct source s = { .fd = -1, .file_size = 16 };
	static struct qevm_scan c;
	u8 bytes[16];

	for (u32 len = 1; len <= sizeof(bytes); len++) {
		c.s = &s;
		c.at = -(u64)len;
		c.read_at = 0;
		c.read_len = 16;
		c.cut = false;
		EXPECT(!qevm_get(&c, bytes, len) && c.cut);
		EXPECT(!s.error);
	}
}

static void put_begin(const char *machine)
{
	file.len = 0;
	put_header(machine);
	put_blocks((struct block[]){ { "pc.ram", 4 * PAGE }, {} });
}

static void record_is_refused(u64 record, doca_error_t error, const char *words)
{
	put_begin("pc-q35-7.2");
	begin_part(2);
	put_page("pc.ram", 0, 'a');
	put_number(record, 8);
	put("\0\0\0\0\0\0\0\0", 8);
	end_part();
	is_refused(error, words);
}

TEST(other_forms_of_pages_are_named)
{
	const doca_error_t no = DOCA_ERROR_NOT_SUPPORTED;

	set_up_file();
	record_is_refused(0x60, no, "(xbzrle), which is not read: save the machine without");
	record_is_refused(0x80, no, "by RDMA");
	record_is_refused(0x120, no, "(compress)");
	record_is_refused(0x200, no, "(multifd)");
	record_is_refused(1, DOCA_ERROR_INITIALIZATION, "is no record of memory: 0x1");
	record_is_refused(WHOLE | ZERO, DOCA_ERROR_INITIALIZATION, "is no record of memory");
	record_is_refused((4 * PAGE) | WHOLE | CONTINUE, DOCA_ERROR_INITIALIZATION,
			  "is in no block");
	record_is_refused(-(u64)PAGE | WHOLE | CONTINUE, DOCA_ERROR_INITIALIZATION,
			  "is in no block");
	record_is_refused(WHOLE, DOCA_ERROR_INITIALIZATION, "is in no block");
	record_is_refused(BLOCKS, DOCA_ERROR_INITIALIZATION, "listed twice");
	tear_down_file();
}

static void section_is_refused(u8 kind, const char *name, u32 version, const char *words)
{
	put_begin("pc-q35-7.2");
	begin_section(kind, name, version);
	put_number(END, 8);
	is_refused(DOCA_ERROR_NOT_SUPPORTED, words);
}

TEST(other_sections_are_named)
{
	set_up_file();
	section_is_refused(1, "dirty-bitmap", 1, "the state of dirty-bitmap before");
	section_is_refused(1, "0000:00:03.0/vfio", 1, "the state of 0000:00:03.0/vfio");
	section_is_refused(4, "slirp", 1, "without the capability background-snapshot");
	section_is_refused(1, "ram", 4, "there twice");
	section_is_refused(1, "ram", 3, "of version 3");
	put_begin("pc-q35-7.2");
	put("\x8\0\3\0\x10", 5);
	is_refused(DOCA_ERROR_NOT_SUPPORTED, "postcopy or COLO, command 3");
	put_begin("pc-q35-7.2");
	put_number(0, 1);
	is_refused(DOCA_ERROR_INITIALIZATION, "no section of a saved state begins");
	put_begin("pc-q35-7.2");
	put("\2\0\0\0\1", 5);
	is_refused(DOCA_ERROR_INITIALIZATION, "section 1, in front of byte");
	put_begin("pc-q35-7.2");
	file.at[file.len - 1] ^= 1;
	is_refused(DOCA_ERROR_INITIALIZATION, "does not end section 2");
	file.len = 0;
	put_header("pc-q35-7.2");
	begin_section(1, "ram", 4);
	end_part();
	is_refused(DOCA_ERROR_INITIALIZATION, "without a list of blocks");
	tear_down_file();
}

static void begin_configuration(const char *subsection)
{
	file.len = 0;
	put_header("pc-q35-7.2");
	put_subsection(subsection);
}

TEST(other_headers_are_named)
{
	const doca_error_t no = DOCA_ERROR_NOT_SUPPORTED;

	set_up_file();
	put("QEVM\0\0\0\2-------------", 21);
	is_refused(no, "of version 2; only 3 is read");
	begin_configuration("configuration/other");
	is_refused(no, "its configuration has configuration/other");
	begin_configuration("configuration/target-page-bits");
	put_number(10, 4);
	is_refused(no, "pages of 2^10 bytes");
	begin_configuration("configuration/capabilities");
	put_number(UINT32_MAX, 4);
	is_refused(DOCA_ERROR_INITIALIZATION, "4294967295 capabilities cannot be");
	begin_configuration("configuration/capabilities");
	put_number(1, 4);
	put_name("x-ignore-shared");
	is_refused(no, "the files of the machine's memory backends are its image");
	file.len = 8;
	put("\7\xff\xff\xff\xff---", 8);
	is_refused(DOCA_ERROR_INITIALIZATION, "a machine's name of 4294967295 bytes");
	file.len = 0;
	put("something else but no state", 27);
	is_refused(DOCA_ERROR_INITIALIZATION, "no saved state of QEMU is at byte 0");
	tear_down_file();
}

TEST(other_states_of_libvirt_are_named)
{
	static const char *const programs[] = { "gunzip", "bunzip2", "unxz", "lzop", "unzstd" };
	const doca_error_t no = DOCA_ERROR_NOT_SUPPORTED;
	char words[64];

	set_up_file();
	for (u32 i = 0; i < ARRAY_SIZE(programs); i++) {
		file.len = 0;
		put_libvirt(2, i + 1);
		snprintf(words, sizeof(words), "\"tail -c +%zu FILE | %s -dc\"", file.len + 1,
			 programs[i]);
		is_refused(no, words);
	}
	file.len = 0;
	put_libvirt(2, 7);
	is_refused(no, "compressed in an unknown way (7)");
	file.len = 0;
	put_libvirt(1, 0);
	is_refused(no, "of version 1; only 2 is read");
	file.len = 0;
	put_libvirt(2 << 24, 0);
	is_refused(no, "another byte order");
	file.len = 0;
	put_libvirt(2, 0);
	memcpy(file.at + 12, "Part", 4);
	is_refused(no, "that is not complete, which is not read: save the machine again");
	memcpy(file.at + 12, "Save", 4);
	memset(file.at + 20, 0xff, 4);
	is_refused(DOCA_ERROR_INITIALIZATION, "is it truncated?");
	tear_down_file();
}
