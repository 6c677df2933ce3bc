// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The kernel's image: a bzImage is a program that unpacks an ELF file. In Debian's
 * kernels that file has sections, but no symbols. An image of arm64 is as it will be in memory; it may
 * be packed by gzip, or with a program of EFI that unpacks it.
 */
#include <libelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf.h"
#include "kernel.h"
#include "limits.h"
#include "unpack.h"

/* The header of the boot protocol. */
enum {
	SETUP_SECTS = 0x1f1,
	MAGIC = 0x202,
	PAYLOAD_OFFSET = 0x248,
	PAYLOAD_LENGTH = 0x24c,
	HEADER_END = 0x250,
	SECTOR = 512,
};

/* The header of an image of arm64, and that of a program of EFI with one (zboot). */
enum {
	ARM64_MAGIC = 0x38,
	ZBOOT_MAGIC = 4,
	ZBOOT_OFFSET = 8,
	ZBOOT_LENGTH = 12,
	ZBOOT_PACKED_BY = 24,
	ZBOOT_HEADER_END = 32,
};

static bool has_at(const struct bytes *b, size_t at, const char *magic,
		   size_t len)
{
	return b->size >= at + len && !memcmp(b->data + at, magic, len);
}

static bool is_arm64(const struct bytes *b)
{
	return has_at(b, ARM64_MAGIC, "ARM\x64", 4);
}

/* Find what is packed in a file. The size of the image is behind it, and gzip has that itself. */
static void find_payload(const char *path, const struct bytes *file,
			 uint64_t *offset, uint64_t *length)
{
	if (has_at(file, 0, "\x1f\x8b", 2)) {
		*offset = 0;
		*length = file->size;
	} else if (file->size >= ZBOOT_HEADER_END &&
		   has_at(file, ZBOOT_MAGIC, "zimg", 4)) {
		*offset = get32(file->data + ZBOOT_OFFSET);
		*length = get32(file->data + ZBOOT_LENGTH);
		if (!has_at(file, ZBOOT_PACKED_BY, "gzip", 5))
			*length += 4;
	} else if (file->size >= HEADER_END && has_at(file, MAGIC, "HdrS", 4)) {
		*offset = (file->data[SETUP_SECTS] + 1) * SECTOR +
			  (uint64_t)get32(file->data + PAYLOAD_OFFSET);
		*length = get32(file->data + PAYLOAD_LENGTH);
	} else {
		fail("%s is neither a bzImage, an image of arm64, nor an ELF "
		     "file",
		     path);
	}
}

/* Return the image that is in a file, or the file itself if it is one. */
static struct bytes unpack_file(const char *path, struct bytes file)
{
	struct bytes payload, image;
	uint64_t offset, length;

	if (has_at(&file, 0, ELFMAG, SELFMAG) || is_arm64(&file))
		return file;
	find_payload(path, &file, &offset, &length);
	if (length < 16 || offset + length > file.size)
		fail("%s ends before the kernel in it", path);
	payload = (struct bytes){ file.data + offset, length };
	image = unpack(path, &payload);
	free(file.data);
	return image;
}

/* Find the section of that name. Returns size 0 if there is none. */
static struct bytes section(Elf *elf, const char *path, const char *name,
			    uint64_t *address)
{
	struct bytes found = { NULL, 0 };
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		fail("%s: %s", path, elf_errmsg(-1));
	while ((scn = elf_nextscn(elf, scn))) {
		Elf64_Shdr *header = elf64_getshdr(scn);
		Elf_Data *data = elf_rawdata(scn, NULL);
		const char *its =
			header ? elf_strptr(elf, names, header->sh_name) : NULL;

		if (!its || strcmp(its, name) || !data || !data->d_buf)
			continue;
		found = (struct bytes){ data->d_buf, data->d_size };
		*address = header->sh_addr;
		break;
	}
	return found;
}

static struct bytes types_of(Elf *elf, const char *path,
			     const struct bytes *image)
{
	uint64_t address = 0;
	struct bytes found = section(elf, path, ".BTF", &address), types;

	if (found.size) {
		types.data = memcpy(need(found.size), found.data, found.size);
		types.size = found.size;
		return types;
	}
	if (!section(elf, path, ".debug_info", &address).size)
		fail("%s has no types: it was made without BTF "
		     "(CONFIG_DEBUG_INFO_BTF); give the image of its debug "
		     "package by --vmlinux",
		     path);
	return dwarf_to_btf(path, image);
}

/* On arm64 only the banner says at which addresses the data is. */
static void read_symbols(struct kernel *kernel, const char *path,
			 const struct bytes *rodata, uint64_t address,
			 bool moved)
{
	size_t at = 0;

	if (!moved) {
		kallsyms_read_image(kernel, path, rodata, address);
		return;
	}
	for (; banner_next(rodata, &at); at++) {
		if (!kallsyms_read_memory(kernel, rodata, at, &address))
			continue;
		symbols_move_back(&kernel->symbols, path);
		return;
	}
	kallsyms_fail(kernel, path);
}

static void kernel_of_elf(struct kernel *kernel, const char *path,
			  const struct bytes *image)
{
	struct bytes found;
	uint64_t address = 0;
	Elf64_Ehdr *header;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)image->data, image->size);
	header = elf ? elf64_getehdr(elf) : NULL;
	if (!header) {
		fail("the kernel in %s is no ELF file of 64 bit", path);
		return;
	}
	if (!kernel->wants_code)
		kernel->btf = types_of(elf, path, image);
	found = section(elf, path, ".notes", &address);
	kernel_set_build_id(kernel, &found);
	found = section(elf, path, ".rodata", &address);
	read_symbols(kernel, path, &found, address,
		     header->e_machine == EM_AARCH64);
	elf_end(elf);
}

void kernel_of_bytes(struct kernel *kernel, const char *path, struct bytes file)
{
	struct bytes image;

	limits_begin(path, LIMITS_SECONDS);
	image = unpack_file(path, file);
	if (is_arm64(&image))
		kernel_of_flat(kernel, path, &image);
	else
		kernel_of_elf(kernel, path, &image);
	if (kernel->wants_code)
		kernel->code = image;
	else
		free(image.data);
}

void kernel_of_image(struct kernel *kernel, const char *path)
{
	kernel_of_bytes(kernel, path, file_read(path));
}
