// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A kernel's image with no more sections than are in the kernel's memory, for those with debug
 * information have ten times as many bytes. One that is no kernel for x86-64, or is damaged, becomes
 * its header alone, of which App Shield says that.
 */
#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

struct reduction {
	const struct bytes *image;
	Elf64_Ehdr header;
	Elf64_Shdr *sections; /* those that are kept */
	unsigned int nr, names; /* which of them has their names */
	size_t size; /* all bytes of these */
	size_t end; /* where the ELF file ends: lists of addresses are behind it */
};

static bool is_within(const struct reduction *r, uint64_t offset, uint64_t size)
{
	return offset <= r->image->size && size <= r->image->size - offset;
}

static void behind(struct reduction *r, size_t end)
{
	if (end > r->end)
		r->end = end;
}

/* Per-CPU data has no address, and is elsewhere in memory. */
static bool is_in_memory(const Elf64_Shdr *s)
{
	return s->sh_flags & SHF_ALLOC && s->sh_addr;
}

/* Several sections of the same bytes, as no kernel has them, would be more than the image. */
static bool take(struct reduction *r, unsigned int i)
{
	const unsigned char *from = r->image->data + r->header.e_shoff;
	bool is_names = i == r->header.e_shstrndx;
	Elf64_Shdr s;

	memcpy(&s, from + i * sizeof(s), sizeof(s));
	if (s.sh_type == SHT_NULL || s.sh_type == SHT_NOBITS || !s.sh_size)
		return true;
	if (!is_within(r, s.sh_offset, s.sh_size))
		return false;
	behind(r, s.sh_offset + s.sh_size);
	if (!is_names && !is_in_memory(&s))
		return true;
	if (s.sh_size > r->image->size - r->size)
		return false;
	r->size += s.sh_size;
	if (is_names)
		r->names = r->nr;
	r->sections[r->nr++] = s;
	return true;
}

static bool take_all(struct reduction *r)
{
	const Elf64_Ehdr *e = &r->header;

	if (r->image->size < sizeof(*e))
		return false;
	memcpy(&r->header, r->image->data, sizeof(*e));
	if (memcmp(e->e_ident, ELFMAG, SELFMAG) ||
	    e->e_ident[EI_CLASS] != ELFCLASS64 ||
	    e->e_ident[EI_DATA] != ELFDATA2LSB || e->e_machine != EM_X86_64 ||
	    e->e_shentsize != sizeof(*r->sections) || !e->e_shnum ||
	    !is_within(r, e->e_shoff, e->e_shnum * sizeof(*r->sections)))
		return false;
	behind(r, e->e_shoff + e->e_shnum * sizeof(*r->sections));
	r->sections = need(e->e_shnum * sizeof(*r->sections));
	r->names = e->e_shnum;
	for (unsigned int i = 0; i < e->e_shnum; i++)
		if (!take(r, i))
			return false;
	return r->names < r->nr;
}

static struct bytes header_of(const struct bytes *image)
{
	struct bytes made = { need(sizeof(Elf64_Ehdr)), image->size };

	if (made.size > sizeof(Elf64_Ehdr))
		made.size = sizeof(Elf64_Ehdr);
	memcpy(made.data, image->data, made.size);
	return made;
}

static void put(struct bytes *made, const void *bytes, size_t size)
{
	memcpy(made->data + made->size, bytes, size);
	made->size += size;
}

/* Headers come last, and lists of addresses behind them. */
static struct bytes put_all(struct reduction *r)
{
	size_t headers = r->nr * sizeof(*r->sections);
	size_t lists = r->image->size - r->end;
	struct bytes made = { need(sizeof(r->header) + r->size + headers +
				   lists),
			      sizeof(r->header) };

	for (unsigned int i = 0; i < r->nr; i++) {
		Elf64_Shdr *s = &r->sections[i];
		const unsigned char *from = r->image->data + s->sh_offset;

		s->sh_offset = made.size;
		put(&made, from, s->sh_size);
	}
	r->header.e_phoff = 0;
	r->header.e_phnum = 0;
	r->header.e_shoff = made.size;
	r->header.e_shnum = (Elf64_Half)r->nr;
	r->header.e_shstrndx = (Elf64_Half)r->names;
	memcpy(made.data, &r->header, sizeof(r->header));
	put(&made, r->sections, headers);
	put(&made, r->image->data + r->end, lists);
	return made;
}

struct bytes code_reduce(const struct bytes *image)
{
	struct reduction r = { .image = image };
	struct bytes made = take_all(&r) ? put_all(&r) : header_of(image);

	free(r.sections);
	return made;
}
