// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A kernel's image as it is in memory: without sections, but its symbols say where its types are. Its
 * banner leads to its tables of symbols.
 */
#include <string.h>

#include "kernel.h"

/* Return the bytes between two symbols, size 0 if they are not in the image. */
static struct bytes between(const struct kernel *kernel,
			    const struct bytes *image, uint64_t address,
			    const char *first, const char *last)
{
	const struct symbol *from = symbols_find(&kernel->symbols, first);
	const struct symbol *to = symbols_find(&kernel->symbols, last);

	if (!from || !to || from->address < address ||
	    to->address < from->address || to->address - address > image->size)
		return (struct bytes){ NULL, 0 };
	return (struct bytes){ image->data + (from->address - address),
			       to->address - from->address };
}

bool kernel_at_banner(struct kernel *kernel, const char *path,
		      const struct bytes *image, size_t banner)
{
	struct bytes btf, notes;
	uint64_t address;

	if (!kallsyms_read_memory(kernel, image, banner, &address))
		return false;
	btf = between(kernel, image, address, "__start_BTF", "__stop_BTF");
	if (!btf.size)
		fail("the kernel in %s has no types (CONFIG_DEBUG_INFO_BTF)",
		     path);
	kernel->btf.data = memcpy(need(btf.size), btf.data, btf.size);
	kernel->btf.size = btf.size;
	notes = between(kernel, image, address, "__start_notes",
			"__stop_notes");
	kernel_set_build_id(kernel, &notes);
	symbols_move_back(&kernel->symbols, path);
	return true;
}

bool banner_next(const struct bytes *in, size_t *at)
{
	unsigned char *found = NULL, *end;

	while (*at < in->size) {
		found = memmem(in->data + *at, in->size - *at, KERNEL_BANNER,
			       strlen(KERNEL_BANNER));
		if (!found)
			return false;
		*at = (size_t)(found - in->data);
		end = memchr(found, '\0', in->size - *at);
		if (end &&
		    memchr(found, '\n', (size_t)(end - found)) == end - 1)
			return true;
		++*at;
	}
	return false;
}

void kernel_of_flat(struct kernel *kernel, const char *path,
		    const struct bytes *image)
{
	for (size_t at = 0; banner_next(image, &at); at++)
		if (kernel_at_banner(kernel, path, image, at))
			return;
	kallsyms_fail(kernel, path);
}
