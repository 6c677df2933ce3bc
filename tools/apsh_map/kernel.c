// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Facts of a kernel in its banner and notes. */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "kernel.h"

char *kernel_release(const struct kernel *kernel)
{
	const char *release = kernel->banner + strlen(KERNEL_BANNER);
	int len = (int)strcspn(release, " \n/");

	for (int i = 0; i < len; i++)
		if (release[i] < ' ' || release[i] > '~')
			fail("the release of the kernel has bytes that are not "
			     "printable; name the file by --output");
	return need_text("%.*s", len, release);
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
