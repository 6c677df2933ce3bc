// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* An ELF core of QEMU's dump-guest-memory or of kdump: PT_LOAD segments by physical address. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/device/target.h"

#include "../kernel/kernel.h"
#include "../vmcoreinfo.h"
#include "source.h"

LOG_SOURCE("APSH");

#define MAX_NOTES (16 << 20) /* bytes of a file */

/* Look for the note named VMCOREINFO. */
void source_notes(struct source *s, const char *notes, size_t len)
{
	static const char name[] = "VMCOREINFO";

	while (len >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr h;
		size_t skip_name, skip_desc;

		memcpy(&h, notes, sizeof(h));
		notes += sizeof(h);
		len -= sizeof(h);
		skip_name = ((size_t)h.n_namesz + 3) & ~(size_t)3;
		skip_desc = ((size_t)h.n_descsz + 3) & ~(size_t)3;
		if (skip_name > len || skip_desc > len - skip_name)
			return;
		if (h.n_namesz == sizeof(name) &&
		    !memcmp(notes, name, sizeof(name)) && !s->vmcoreinfo) {
			s->vmcoreinfo = strndup(notes + skip_name, h.n_descsz);
			return;
		}
		notes += skip_name + skip_desc;
		len -= skip_name + skip_desc;
	}
}

/* Headers are many, and may name the same bytes: limit what is read in all. */
static void read_notes(struct source *s, const Elf64_Phdr *p, u64 *total)
{
	char *notes;

	if (!p->p_filesz || s->vmcoreinfo || *total > MAX_NOTES)
		return;
	if (p->p_filesz > MAX_NOTES - *total) {
		LOG_WARN("the ELF core has more than %d MiB of notes; the rest "
			 "is not searched for VMCOREINFO",
			 MAX_NOTES >> 20);
		*total = MAX_NOTES + 1;
		return;
	}
	*total += p->p_filesz;
	notes = malloc(p->p_filesz);
	if (notes && source_pread(s, notes, p->p_filesz, p->p_offset))
		source_notes(s, notes, p->p_filesz);
	free(notes);
}

/* Return true if the kernel has its image, and no other memory, mapped there. */
static bool is_image(const struct source *s, u64 va, u64 pa)
{
	u64 offset;

	if (s->machine == EM_X86_64)
		return va >= START_KERNEL_MAP;
	return s->vmcoreinfo &&
	       vmcoreinfo_line(s->vmcoreinfo, VMCOREINFO_IMAGE_OFFSET, 16,
			       &offset) &&
	       va - pa == offset;
}

/*
 * The kernel's image has a segment of its own in /proc/vmcore and /proc/kcore, and is in one
 * of the others as well. Memory that is mapped by pages is not at one physical address.
 */
static doca_error_t add_memory(struct source *s, const char *path,
			       const Elf64_Phdr *p)
{
	if (p->p_paddr == UINT64_MAX)
		return DOCA_SUCCESS;
	return source_add(s, path,
			  (struct segment){ .pa = p->p_paddr,
					    .offset = p->p_offset,
					    .len = p->p_filesz,
					    .copy = is_image(s, p->p_vaddr,
							     p->p_paddr) });
}

/* The first section has the number if it is too large for the header. */
static bool nr_headers(struct source *s, const Elf64_Ehdr *e, u32 *nr)
{
	Elf64_Shdr sh;

	*nr = e->e_phnum;
	if (e->e_phnum != PN_XNUM)
		return true;
	if (e->e_shentsize != sizeof(sh) || e->e_shoff > s->file_size ||
	    !source_pread(s, &sh, sizeof(sh), e->e_shoff))
		return false;
	*nr = sh.sh_info;
	return *nr <= SOURCE_MAX_PARTS;
}

/* Xen has the memory of a machine in a section, without segments. */
static bool is_xen(struct source *s, const Elf64_Ehdr *e)
{
	static const char name[] = "\0.xen_pages";
	char names[512] = "";
	Elf64_Shdr sh;
	u64 at;

	if (e->e_shentsize != sizeof(sh) ||
	    __builtin_add_overflow(e->e_shoff, (u64)e->e_shstrndx * sizeof(sh),
				   &at) ||
	    at > s->file_size || !source_pread(s, &sh, sizeof(sh), at) ||
	    sh.sh_offset > s->file_size)
		return false;
	if (sh.sh_size > sizeof(names))
		sh.sh_size = sizeof(names);
	return source_pread(s, names, sh.sh_size, sh.sh_offset) &&
	       memmem(names, sizeof(names), name, sizeof(name));
}

static doca_error_t no_memory_in(struct source *s, const Elf64_Ehdr *e,
				 const char *path)
{
	if (is_xen(s, e))
		return FAIL(NOT_SUPPORTED,
			    "%s is a core of Xen, which is not read: "
			    "volatility3's layerwriter makes a raw image of it",
			    path);
	return FAIL(INITIALIZATION, "%s: no memory is in it", path);
}

doca_error_t source_elf(struct source *s, const char *path)
{
	doca_error_t ret = DOCA_SUCCESS;
	Elf64_Ehdr e;
	u64 notes = 0;
	Elf64_Phdr p;
	u32 nr;

	if (!source_pread(s, &e, sizeof(e), 0) ||
	    e.e_ident[EI_CLASS] != ELFCLASS64 ||
	    e.e_ident[EI_DATA] != ELFDATA2LSB || e.e_type != ET_CORE ||
	    e.e_phentsize != sizeof(p))
		return FAIL(INITIALIZATION, "%s is no ELF core of 64 bits",
			    path);
	s->machine = e.e_machine;
	if (s->machine != EM_X86_64 && s->machine != EM_AARCH64)
		return FAIL(NOT_SUPPORTED,
			    "%s is of machine %u; only x86-64 and arm64 are "
			    "supported",
			    path, e.e_machine);
	if (!nr_headers(s, &e, &nr))
		return FAIL(INITIALIZATION,
			    "%s: it has too many program headers, or does not "
			    "say how many; is it truncated?",
			    path);
	for (u32 i = 0; i < nr && ret == DOCA_SUCCESS; i++) {
		u64 at;

		if (__builtin_add_overflow(e.e_phoff, (u64)i * sizeof(p),
					   &at) ||
		    at > s->file_size || !source_pread(s, &p, sizeof(p), at))
			return FAIL(
				INITIALIZATION,
				"%s: program header %u is beyond its end; is "
				"it truncated?",
				path, i);
		if (p.p_type == PT_NOTE)
			read_notes(s, &p, &notes);
		else if (p.p_type == PT_LOAD)
			ret = add_memory(s, path, &p);
	}
	if (ret == DOCA_SUCCESS && !s->nr_segs && !s->cut)
		return no_memory_in(s, &e, path);
	return ret;
}
