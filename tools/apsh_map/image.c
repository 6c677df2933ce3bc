// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The kernel's image: a bzImage is a program that unpacks an ELF file. In Debian's
 * kernels that file has sections, but no symbols.
 */
#include <libelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static bool begins_with(const struct bytes *b, const char *magic, size_t len)
{
	return b->size >= len && !memcmp(b->data, magic, len);
}

/* Return the ELF image in a bzImage, or the file itself if it is ELF. */
static struct bytes unpack_file(const char *path, struct bytes file)
{
	struct bytes payload, image;
	uint64_t offset, length;

	if (begins_with(&file, ELFMAG, SELFMAG))
		return file;
	if (file.size < HEADER_END || memcmp(file.data + MAGIC, "HdrS", 4))
		fail("%s is neither a bzImage nor an ELF file", path);
	offset = (file.data[SETUP_SECTS] + 1) * SECTOR +
		 (uint64_t)get32(file.data + PAYLOAD_OFFSET);
	length = get32(file.data + PAYLOAD_LENGTH);
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

void kernel_of_bytes(struct kernel *kernel, const char *path, struct bytes file)
{
	struct bytes image, found;
	uint64_t address = 0;
	Elf *elf;

	limits_begin(path, LIMITS_SECONDS);
	image = unpack_file(path, file);
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)image.data, image.size);
	if (!elf || !elf64_getehdr(elf))
		fail("the kernel in %s is no ELF file of 64 bit", path);
	found = section(elf, path, ".BTF", &address);
	if (!found.size)
		fail("%s has no types (CONFIG_DEBUG_INFO_BTF)", path);
	kernel->btf.data = memcpy(need(found.size), found.data, found.size);
	kernel->btf.size = found.size;
	found = section(elf, path, ".notes", &address);
	kernel_set_build_id(kernel, &found);
	found = section(elf, path, ".rodata", &address);
	kallsyms_read_image(kernel, path, &found, address);
	elf_end(elf);
	free(image.data);
}

void kernel_of_image(struct kernel *kernel, const char *path)
{
	kernel_of_bytes(kernel, path, file_read(path));
}
