/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The image of the kernel of apsh_code.h, as "doca_apsh_map code" writes it: symbols, and an ELF file
 * with the code that is in memory, a build id, the banner, and tables of what the kernel changes.
 */
#ifndef DOCA_TESTS_APSH_VMLINUX_H
#define DOCA_TESTS_APSH_VMLINUX_H

#include <elf.h>

#include "apsh_findings.h"

#define CODE doca_priv_apsh_code_check

/* Offsets from _text: where the build id and tables are, and code that tests write. */
enum {
	NOTES_AT = 0x4000,
	TABLES_AT = 0x200000,
	REPLACEMENT_AT = 0x220000,
	PLACE = 0x141000,
	CODE_AT = 0x100000,
	CODE_SIZE = 0x80000,
	TABLES_SIZE = 0x2000,
	REPLACEMENT_SIZE = 0x400,
};

static const u8 build_id[] = { 4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 1, 2, 3, 4 };

static struct {
	u8 code[CODE_SIZE], tables[TABLES_SIZE], replacement[REPLACEMENT_SIZE];
	u32 tables_size;
	char symbols[8192]; /* lines of them */
	u32 words[32], nr_words; /* lists of addresses */
	u16 machine;
	u8 file[1 << 20];
	size_t size;
} vmlinux;

typedef const u8 bytes_of[];
#define BYTES(...) (bytes_of){ __VA_ARGS__ }, sizeof((bytes_of){ __VA_ARGS__ })

static void name_at(const char *name, u64 at)
{
	size_t len = strlen(vmlinux.symbols);

	snprintf(vmlinux.symbols + len, sizeof(vmlinux.symbols) - len, "%016llx %s\n",
		 MAP_TEXT + at, name);
}

/* Put bytes into the image, or into memory. */
static void image_has(u32 at, const u8 *bytes, size_t len)
{
	u8 *to = at >= REPLACEMENT_AT ? vmlinux.replacement + at - REPLACEMENT_AT :
					vmlinux.code + at - CODE_AT;

	memcpy(to, bytes, len);
}

static void memory_has(u32 at, const u8 *bytes, size_t len)
{
	memcpy(at_va(image.text_va + at), bytes, len);
}

static inline void both_have(u32 at, const u8 *bytes, size_t len)
{
	image_has(at, bytes, len);
	memory_has(at, bytes, len);
}

typedef void has_fn(u32 at, const u8 *bytes, size_t len);

/* A branch, with the code of its instruction in front. */
static inline void branch_at(has_fn *has, u32 at, u8 code, u32 target)
{
	int32_t by = (int32_t)(target - (at + 5));
	u8 bytes[5] = { code };

	memcpy(bytes + 1, &by, 4);
	has(at, bytes, 5);
}

static inline void memory_branches(u32 at, u8 code, u64 target)
{
	emit_va = image.text_va + at;
	emit_jump(code, target);
}

/* A table between two symbols. */
static inline void begin_table(const char *begin)
{
	vmlinux.tables_size = (vmlinux.tables_size + 7) & ~7U;
	name_at(begin, TABLES_AT + vmlinux.tables_size);
}

static inline void end_table(const char *end)
{
	name_at(end, TABLES_AT + vmlinux.tables_size);
}

static void put(const void *value, size_t len)
{
	memcpy(vmlinux.tables + vmlinux.tables_size, value, len);
	vmlinux.tables_size += (u32)len;
}

/* An address that is relative to itself. */
static inline void put_place(u32 at)
{
	int32_t by = (int32_t)(at - (TABLES_AT + vmlinux.tables_size));

	put(&by, sizeof(by));
}

static inline void put_long(u64 value)
{
	put(&value, sizeof(value));
}

static inline void one_place(const char *begin, const char *end, u32 at)
{
	begin_table(begin);
	put_place(at);
	end_table(end);
}

static void set_up_vmlinux(void)
{
	set_up_sound(4);
	new_evil_module();
	memset(&vmlinux, 0, sizeof(vmlinux));
	vmlinux.machine = EM_X86_64;
	memset(at_va(image.text_va + PLACE), 0x90, 0x1000);
	memcpy(vmlinux.code, at_va(image.text_va + CODE_AT), CODE_SIZE);
	memcpy(at_va(image.text_va + NOTES_AT), build_id, sizeof(build_id));
	vmlinux.nr_words = 2; /* empty lists */
	name_at("_text", 0);
	name_at("_stext", CODE_AT);
	name_at("_etext", CODE_AT + CODE_SIZE);
	name_at("_end", 0x400000);
	name_at("linux_banner", image_at[S_linux_banner]);
	name_at("some_function", PLACE);
}

static Elf64_Shdr section_of(u32 name, u64 at, u64 size, u64 flags, const void *bytes)
{
	Elf64_Shdr s = { .sh_name = name,
			 .sh_type = SHT_PROGBITS,
			 .sh_flags = flags,
			 .sh_addr = flags ? MAP_TEXT + at : 0,
			 .sh_offset = vmlinux.size,
			 .sh_size = size };

	memcpy(vmlinux.file + vmlinux.size, bytes, size);
	vmlinux.size += size;
	return s;
}

/* The ELF file is aligned to 4 bytes, as lists behind it are. */
static void make_vmlinux(void)
{
	static const char names[] = "\0.text\0.notes\0.rodata\0.init.data\0.shstrtab";
	Elf64_Ehdr e;
	Elf64_Shdr s[7] = { 0 };
	size_t start;

	vmlinux.size =
		(size_t)sprintf((char *)vmlinux.file, "open-doca-code-1\n%s\n", vmlinux.symbols);
	start = vmlinux.size;
	vmlinux.size += sizeof(e);
	s[1] = section_of(1, CODE_AT, CODE_SIZE, SHF_ALLOC | SHF_EXECINSTR, vmlinux.code);
	s[2] = section_of(7, NOTES_AT, sizeof(build_id), SHF_ALLOC, build_id);
	s[3] = section_of(14, image_at[S_linux_banner], sizeof(BANNER), SHF_ALLOC, BANNER);
	s[4] = section_of(22, TABLES_AT, TABLES_SIZE, SHF_ALLOC, vmlinux.tables);
	s[5] = section_of(22, REPLACEMENT_AT, REPLACEMENT_SIZE, SHF_ALLOC, vmlinux.replacement);
	s[6] = section_of(33, 0, sizeof(names), 0, names);
	for (int i = 1; i < 7; i++)
		s[i].sh_offset -= start;
	vmlinux.size += -(vmlinux.size - start) & 3;
	e = (Elf64_Ehdr){ .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB },
			  .e_machine = vmlinux.machine,
			  .e_shoff = vmlinux.size - start,
			  .e_shentsize = sizeof(s[0]),
			  .e_shnum = 7,
			  .e_shstrndx = 6 };
	memcpy(vmlinux.file + start, &e, sizeof(e));
	memcpy(vmlinux.file + vmlinux.size, s, sizeof(s));
	vmlinux.size += sizeof(s);
	memcpy(vmlinux.file + vmlinux.size, vmlinux.words, 4UL * vmlinux.nr_words);
	vmlinux.size += 4UL * vmlinux.nr_words;
}

/* Let the system compare with what was made, or with a part of it. */
static void use_vmlinux(struct doca_apsh_system *s, size_t size)
{
	char path[96];
	int fd;

	snprintf(path, sizeof(path), "%s/code", image.dir);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || pwrite(fd, vmlinux.file, size, 0) != (ssize_t)size)
		abort();
	OK(doca_priv_apsh_code_set(s, fd, NULL));
	close(fd);
}

static struct doca_apsh_system *system_with_image(void)
{
	struct doca_apsh_system *s = started_system();

	make_vmlinux();
	use_vmlinux(s, vmlinux.size);
	return s;
}

static inline void code_is_clean(void)
{
	struct doca_apsh_system *s = system_with_image();

	is_clean_of(s, CODE);
	doca_apsh_system_destroy(s);
}

static inline void code_is_suspicious(const char *where, u64 address, const char *what)
{
	struct doca_apsh_system *s = system_with_image();

	one_finding_of(s, CODE, APSH_SUSPICIOUS, where, address, what);
	doca_apsh_system_destroy(s);
}

/* Changes at the place of tests are found there. */
static inline void place_is_suspicious(const char *what)
{
	code_is_suspicious("some_function+0x0", image.text_va + PLACE, what);
}

static inline void code_is_unknown(const char *where, const char *what)
{
	struct doca_apsh_system *s = system_with_image();

	cannot_tell_of(s, CODE, where, what);
	doca_apsh_system_destroy(s);
}

#endif /* DOCA_TESTS_APSH_VMLINUX_H */
