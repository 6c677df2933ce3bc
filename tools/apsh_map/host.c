// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "host.h"
#include "isf.h"

#define MAX_NOTES (1 << 20)

void kernel_of_host(struct kernel *kernel)
{
	kernel_of_files(kernel, "/sys/kernel/btf/vmlinux", "/proc/kallsyms",
			"/proc/version", "/sys/kernel/notes");
}

/* Parses "00100000-bffdffff : System RAM". Leading blanks mark a part of another range. */
static bool is_ram(const char *line, uint64_t *start, uint64_t *end)
{
	char *rest;

	if (!isxdigit((unsigned char)*line))
		return false;
	*start = strtoull(line, &rest, 16);
	if (*rest != '-')
		return false;
	*end = strtoull(rest + 1, &rest, 16);
	return !strncmp(rest, " : System RAM\n", strlen(" : System RAM\n"));
}

static void add_region(struct json_object *regions, int nr, uint64_t start,
		       uint64_t length)
{
	struct json_object *region = isf_object();
	char key[16];

	snprintf(key, sizeof(key), "%d", nr);
	isf_add(region, "start", isf_number(start));
	isf_add(region, "length", isf_number(length));
	isf_add(regions, key, region);
}

char *regions_make(const char *iomem)
{
	struct json_object *json = isf_object(), *regions = isf_object();
	struct bytes text = file_read(iomem);
	const char *line = (const char *)text.data;
	uint64_t start, end;
	char *made;
	int nr = 0;

	for (; line && *line; line = strchr(line, '\n') + 1) {
		if (!strchr(line, '\n'))
			break;
		if (!is_ram(line, &start, &end))
			continue;
		if (!end)
			fail("all addresses in %s are 0: become root, for it "
			     "shows them with CAP_SYS_ADMIN alone",
			     iomem);
		if (end < start)
			fail("%s: memory ends at %#llx, before it begins",
			     iomem, (unsigned long long)end);
		add_region(regions, nr++, start, end - start + 1);
	}
	if (!nr)
		fail("%s has no System RAM", iomem);
	isf_add(json, "allowed_regions", regions);
	made = need_text("%s\n", json_object_to_json_string_ext(
					 json, JSON_C_TO_STRING_PRETTY));
	json_object_put(json);
	free(text.data);
	return made;
}

static void read_at(const char *path, int fd, void *to, size_t len,
		    uint64_t offset)
{
	ssize_t n = pread(fd, to, len, offset);

	if (n < 0)
		fail("cannot read %s: %s", path, strerror(errno));
	if ((size_t)n < len)
		fail("%s ends too early", path);
}

/* Find the note VMCOREINFO, as text. Returns NULL if there is none. */
static char *vmcoreinfo_in(const struct bytes *notes)
{
	size_t at = 0, name, desc;
	Elf64_Nhdr note;

	while (notes->size - at >= sizeof(note)) {
		memcpy(&note, notes->data + at, sizeof(note));
		name = at + sizeof(note);
		desc = name + (((size_t)note.n_namesz + 3) & ~3UL);
		at = desc + (((size_t)note.n_descsz + 3) & ~3UL);
		if (at > notes->size)
			break;
		if (note.n_namesz == sizeof("VMCOREINFO") &&
		    !memcmp(notes->data + name, "VMCOREINFO", note.n_namesz))
			return need_text("%.*s", (int)note.n_descsz,
					 notes->data + desc);
	}
	return NULL;
}

static char *read_vmcoreinfo(const char *path, int fd)
{
	struct bytes notes = { NULL, 0 };
	Elf64_Ehdr header;
	Elf64_Phdr ph;
	char *text;

	read_at(path, fd, &header, sizeof(header), 0);
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) ||
	    header.e_phentsize != sizeof(ph))
		fail("%s is no ELF file of 64 bit", path);
	for (int i = 0; i < header.e_phnum; i++) {
		read_at(path, fd, &ph, sizeof(ph),
			header.e_phoff + i * sizeof(ph));
		if (ph.p_type != PT_NOTE || ph.p_filesz > MAX_NOTES)
			continue;
		notes.size = ph.p_filesz;
		notes.data = need(notes.size + 1);
		read_at(path, fd, notes.data, notes.size, ph.p_offset);
		text = vmcoreinfo_in(&notes);
		free(notes.data);
		if (text)
			return text;
	}
	fail("%s has no VMCOREINFO", path);
}

/* Lines are "KEY=VALUE". */
static uint64_t value_of(const char *path, const char *info, const char *key,
			 int base)
{
	const char *found = info;

	while (found && strncmp(found, key, strlen(key))) {
		found = strchr(found, '\n');
		found = found ? found + 1 : NULL;
	}
	if (!found)
		fail("VMCOREINFO of %s has no %s", path, key);
	return strtoull(found + strlen(key), NULL, base);
}

/* Return what an address of the image is to be reduced by: arm64 says it, x86-64 the rest of it. */
static uint64_t start_of(const char *path, const char *info)
{
	if (strstr(info, "NUMBER(kimage_voffset)="))
		return value_of(path, info, "NUMBER(kimage_voffset)=", 16);
	return START_KERNEL_MAP -
	       value_of(path, info, "NUMBER(phys_base)=", 10);
}

char *kpgd_make(const char *kcore)
{
	int fd = open(kcore, O_RDONLY | O_CLOEXEC);
	uint64_t table, start, offset;
	char *info;

	if (fd < 0)
		fail("cannot open %s: %s%s", kcore, strerror(errno),
		     errno == EPERM || errno == EACCES ?
			     "; become root: it needs CAP_SYS_RAWIO, "
			     "permission to read the file, and a kernel that "
			     "is not locked down" :
			     "");
	info = read_vmcoreinfo(kcore, fd);
	close(fd);
	table = value_of(kcore, info, "SYMBOL(swapper_pg_dir)=", 16);
	start = start_of(kcore, info);
	offset = value_of(kcore, info, "KERNELOFFSET=", 16);
	free(info);
	if (table < start)
		fail("VMCOREINFO of %s has no page table of the kernel", kcore);
	return need_text("0x%llx\nkaslr=0x%llx\n",
			 (unsigned long long)(table - start),
			 (unsigned long long)offset);
}
