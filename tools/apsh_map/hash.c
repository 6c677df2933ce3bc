// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Hashes of code: one for each page of each part of a file that a loader maps for
 * execution. A page is hashed as it is mapped, with zeroes behind the end of the file.
 */
#include <errno.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "host.h"
#include "isf.h"
#include "process.h"

#define FORMAT "open-doca-hash-1"
#define PAGE 4096ULL

/* Hash a page of the file, filled up with zeroes. */
static void hash_page(const struct bytes *file, uint64_t page,
		      char digits[SHA256_DIGITS + 1])
{
	unsigned char buf[PAGE] = { 0 };
	uint64_t left = file->size - page * PAGE;

	memcpy(buf, file->data + page * PAGE, left < PAGE ? left : PAGE);
	sha256(buf, sizeof(buf), digits);
}

static struct json_object *hash_part(const struct bytes *file, uint64_t first,
				     uint64_t end)
{
	struct json_object *json;
	char *digits;

	if (end > (file->size + PAGE - 1) / PAGE)
		end = (file->size + PAGE - 1) / PAGE;
	if (first > end)
		first = end;
	digits = need((end - first) * SHA256_DIGITS + 1);
	for (uint64_t page = first; page < end; page++)
		hash_page(file, page, digits + (page - first) * SHA256_DIGITS);
	json = isf_text(digits);
	free(digits);
	return json;
}

/* Look in loaded notes, but at no more bytes than the file has. "" if there is none. */
static void find_build_id(const struct bytes *file, const Elf64_Phdr *ph,
			  size_t nr, struct kernel *id)
{
	uint64_t left = file->size;

	for (size_t i = 0; i < nr && !*id->build_id; i++) {
		struct bytes notes;

		if (ph[i].p_type != PT_NOTE || ph[i].p_offset > file->size ||
		    ph[i].p_filesz > file->size - ph[i].p_offset ||
		    ph[i].p_filesz > left)
			continue;
		left -= ph[i].p_filesz;
		notes.data = file->data + ph[i].p_offset;
		notes.size = ph[i].p_filesz;
		kernel_set_build_id(id, &notes);
	}
}

/* Pages of a kernel may be larger: it maps all of those that a part begins and ends in. */
static uint64_t largest_page(const struct bytes *file)
{
	Elf64_Ehdr e;

	memcpy(&e, file->data, sizeof(e));
	return e.e_machine == EM_AARCH64 ? 64 << 10 : PAGE;
}

static void add_part(struct json_object *files, const char *path,
		     const struct bytes *file, const char *build_id,
		     const Elf64_Phdr *ph)
{
	struct json_object *part = isf_object();
	uint64_t large = largest_page(file), more = large / PAGE;
	uint64_t first = ph->p_offset / large * more, end;

	if (__builtin_add_overflow(ph->p_offset, ph->p_filesz, &end))
		fail("%s is damaged: a part of it ends before it begins", path);
	isf_add(part, "path", isf_text(path));
	isf_add(part, "build_id", isf_text(build_id));
	isf_add(part, "size", isf_number(file->size));
	isf_add(part, "page", isf_number(PAGE));
	isf_add(part, "first_page", isf_number(first));
	isf_add(part, "sha256",
		hash_part(file, first, (end / large + !!(end % large)) * more));
	json_object_array_add(files, part);
}

/* Limit the pages hashed in all to the file's: each of 65535 parts could name all of it. */
static void add_parts(struct json_object *files, const char *path,
		      const struct bytes *file, const Elf64_Phdr *ph, size_t nr)
{
	struct kernel id = { 0 };
	uint64_t left = file->size;

	find_build_id(file, ph, nr, &id);
	for (size_t i = 0; i < nr; i++) {
		if (ph[i].p_type != PT_LOAD || !(ph[i].p_flags & PF_X))
			continue;
		if (ph[i].p_filesz > left)
			fail("%s is damaged: its parts overlap, or end behind "
			     "its end",
			     path);
		left -= ph[i].p_filesz;
		add_part(files, path, file, id.build_id, &ph[i]);
	}
}

/* Returns false if it is no ELF file. */
static bool add_file(struct json_object *files, const char *path,
		     const struct bytes *file)
{
	const Elf64_Phdr *ph;
	size_t nr = 0;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)file->data, file->size);
	ph = elf && elf_kind(elf) == ELF_K_ELF ? elf64_getphdr(elf) : NULL;
	if (ph && !elf_getphdrnum(elf, &nr))
		add_parts(files, path, file, ph, nr);
	elf_end(elf);
	return nr;
}

static struct json_object *new_files(void)
{
	struct json_object *files = json_object_new_array();

	if (!files)
		fail("out of memory");
	return files;
}

static char *finish(struct json_object *files)
{
	struct json_object *json = isf_object();
	char *text;

	isf_add(json, "format", isf_text(FORMAT));
	isf_add(json, "files", files);
	text = need_text("%s\n", json_object_to_json_string_ext(
					 json, JSON_C_TO_STRING_PRETTY));
	json_object_put(json);
	return text;
}

char *hash_of_files(char *const paths[], int nr)
{
	struct json_object *files = new_files();

	for (int i = 0; i < nr; i++) {
		char *path = realpath(paths[i], NULL);
		struct bytes file;

		if (!path)
			fail("cannot open %s: %s", paths[i], strerror(errno));
		file = file_read(path);
		if (!add_file(files, path, &file))
			fail("%s is no ELF file of 64 bit", paths[i]);
		free(file.data);
		free(path);
	}
	return finish(files);
}

char *hash_of_process(pid_t pid)
{
	struct json_object *files = new_files();
	struct bytes file;
	struct process p;
	const char *path;

	process_open(&p, pid);
	while ((path = process_next_file(&p, &file))) {
		if (!add_file(files, path, &file))
			fail("%s, which process %d executes, is no ELF file",
			     path, pid);
		free(file.data);
	}
	if (!p.nr)
		fail("process %d executes no file", pid);
	process_close(&p);
	return finish(files);
}
