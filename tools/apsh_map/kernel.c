// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Kernels by their parts. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

void symbols_add(struct symbols *symbols, const char *name, size_t len,
		 uint64_t address)
{
	if (symbols->nr == symbols->room) {
		symbols->room = symbols->room ? 2 * symbols->room : 1 << 16;
		symbols->list = need_more(symbols->list, symbols->room,
					  sizeof(*symbols->list));
	}
	symbols->list[symbols->nr++] = (struct symbol){
		.name = need_text("%.*s", (int)len, name),
		.address = address,
	};
}

void symbols_clear(struct symbols *symbols)
{
	for (size_t i = 0; i < symbols->nr; i++)
		free(symbols->list[i].name);
	symbols->nr = 0;
}

const struct symbol *symbols_find(const struct symbols *symbols,
				  const char *name)
{
	for (size_t i = 0; i < symbols->nr; i++)
		if (!strcmp(symbols->list[i].name, name))
			return &symbols->list[i];
	return NULL;
}

#define BANNER "Linux version "

char *kernel_release(const struct kernel *kernel)
{
	const char *release = kernel->banner + strlen(BANNER);
	int len = (int)strcspn(release, " \n/");

	for (int i = 0; i < len; i++)
		if (release[i] < ' ' || release[i] > '~')
			fail("the release of the kernel has bytes that are not "
			     "printable; name the file by --output");
	return need_text("%.*s", len, release);
}

static void set_banner(struct kernel *kernel, const char *path,
		       const struct bytes *text)
{
	if (strncmp((char *)text->data, BANNER, strlen(BANNER)) ||
	    strlen((char *)text->data) != text->size ||
	    strchr((char *)text->data, '\n') !=
		    (char *)text->data + text->size - 1)
		fail("%s is not one line that begins with \"%s\"", path,
		     BANNER);
	kernel->banner = (char *)text->data;
}

/* Sizes in notes are rounded up to 4. */
void kernel_set_build_id(struct kernel *kernel, const struct bytes *notes)
{
	size_t at = 0, name, desc;
	Elf64_Nhdr note;

	while (notes->size - at >= sizeof(note)) {
		memcpy(&note, notes->data + at, sizeof(note));
		name = at + sizeof(note);
		desc = name + (((size_t)note.n_namesz + 3) & ~3UL);
		at = desc + (((size_t)note.n_descsz + 3) & ~3UL);
		if (at > notes->size)
			return;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    memcmp(notes->data + name, "GNU", 4) ||
		    note.n_descsz >= sizeof(kernel->build_id) / 2)
			continue;
		for (size_t i = 0; i < note.n_descsz; i++)
			sprintf(&kernel->build_id[2 * i], "%02x",
				notes->data[desc + i]);
		return;
	}
}

void kernel_of_files(struct kernel *kernel, const char *btf,
		     const char *kallsyms, const char *banner,
		     const char *notes)
{
	struct bytes text;

	kernel->btf = file_read(btf);
	text = file_read(kallsyms);
	kallsyms_read_text(&kernel->symbols, kallsyms, &text);
	free(text.data);
	text = file_read(banner);
	set_banner(kernel, banner, &text);
	if (notes) {
		text = file_read(notes);
		kernel_set_build_id(kernel, &text);
		free(text.data);
	}
}
