// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sections of the image, each checked to be within it. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "halve.h"

enum { MAX_SECTIONS = 4096 };

static bool is_within(const struct code *code, u64 offset, u64 size)
{
	return offset <= code->image_size && size <= code->image_size - offset;
}

static void behind(struct code *code, u64 end)
{
	if (end > code->elf_size)
		code->elf_size = end;
}

/* Return "" for a name that is not in the section of names, or does not end there. */
static const char *name_of(const struct code *code, const Elf64_Shdr *names,
			   u32 at)
{
	const char *text = (const char *)code->image + names->sh_offset;

	if (at >= names->sh_size ||
	    strnlen(text + at, names->sh_size - at) == names->sh_size - at)
		return "";
	return text + at;
}

static bool take(struct code *code, const Elf64_Shdr *names,
		 const Elf64_Shdr *s)
{
	u64 end;

	if (s->sh_type == SHT_NULL || s->sh_type == SHT_NOBITS || !s->sh_size)
		return true;
	if (!is_within(code, s->sh_offset, s->sh_size))
		return false;
	behind(code, s->sh_offset + s->sh_size);
	if (__builtin_add_overflow(s->sh_addr, s->sh_size, &end))
		return false;
	code->sections[code->nr_sections++] = (struct code_section){
		.name = name_of(code, names, s->sh_name),
		.address = s->sh_flags & SHF_ALLOC ? s->sh_addr : 0,
		.size = s->sh_size,
		.offset = s->sh_offset,
		.executable = s->sh_flags & SHF_EXECINSTR,
	};
	return true;
}

static bool take_all(struct code *code, const Elf64_Ehdr *e)
{
	Elf64_Shdr names, s;
	const u8 *from;

	if (e->e_shentsize != sizeof(s) || !e->e_shnum ||
	    e->e_shnum > MAX_SECTIONS || e->e_shstrndx >= e->e_shnum ||
	    !is_within(code, e->e_shoff, (u64)e->e_shnum * sizeof(s)))
		return false;
	behind(code, e->e_shoff + (u64)e->e_shnum * sizeof(s));
	from = code->image + e->e_shoff;
	memcpy(&names, from + e->e_shstrndx * sizeof(s), sizeof(s));
	if (!is_within(code, names.sh_offset, names.sh_size))
		return false;
	code->sections = calloc(e->e_shnum, sizeof(*code->sections));
	if (!code->sections)
		return false;
	for (u32 i = 0; i < e->e_shnum; i++) {
		memcpy(&s, from + i * sizeof(s), sizeof(s));
		if (!take(code, &names, &s))
			return false;
	}
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct code_section *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* No two may have a byte of memory, or it would be uncertain which the kernel has. */
static bool sort(struct code *code)
{
	const struct code_section *s = code->sections;

	if (code->nr_sections)
		qsort(code->sections, code->nr_sections,
		      sizeof(*code->sections), by_address);
	for (u32 i = 1; i < code->nr_sections; i++)
		if (s[i - 1].address &&
		    s[i].address - s[i - 1].address < s[i - 1].size)
			return false;
	return true;
}

bool code_find_sections(struct code *code)
{
	Elf64_Ehdr e;

	if (code->image_size < sizeof(e))
		return false;
	memcpy(&e, code->image, sizeof(e));
	if (memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 ||
	    e.e_ident[EI_CLASS] != ELFCLASS64 ||
	    e.e_ident[EI_DATA] != ELFDATA2LSB || e.e_machine != EM_X86_64 ||
	    !take_all(code, &e))
		return false;
	return sort(code);
}

const struct code_section *code_section(const struct code *code,
					const char *name)
{
	for (u32 i = 0; i < code->nr_sections; i++)
		if (!strcmp(code->sections[i].name, name))
			return &code->sections[i];
	return NULL;
}

struct wanted {
	const struct code *code;
	u64 address;
};

static bool is_not_behind(const void *key, u32 i)
{
	const struct wanted *w = key;

	return w->code->sections[i].address <= w->address;
}

u8 *code_bytes(const struct code *code, u64 address, size_t len)
{
	struct wanted w = { code, address };
	u32 i = first_not(code->nr_sections, is_not_behind, &w);
	const struct code_section *s;
	u64 into;

	if (!i)
		return NULL;
	s = &code->sections[i - 1];
	into = address - s->address;
	return s->address && into < s->size && len <= s->size - into ?
		       code->image + s->offset + into :
		       NULL;
}
