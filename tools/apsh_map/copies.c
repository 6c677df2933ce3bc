// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Reads a kernel from copies of the files in /proc and /sys that describe it. */
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

static void set_banner(struct kernel *kernel, const char *path,
		       const struct bytes *text)
{
	if (strncmp((char *)text->data, KERNEL_BANNER, strlen(KERNEL_BANNER)) ||
	    strlen((char *)text->data) != text->size ||
	    strchr((char *)text->data, '\n') !=
		    (char *)text->data + text->size - 1)
		fail("%s is not one line that begins with \"%s\"", path,
		     KERNEL_BANNER);
	kernel->banner = (char *)text->data;
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
