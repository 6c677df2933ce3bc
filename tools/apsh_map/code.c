// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The image of a kernel as the library reads it (lib/apsh/code/file.c): a line of what it is, a line
 * for each symbol, an empty one, and the image, with what is in memory. It is not kept, and only the
 * release that wrote it reads it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

#define MAGIC "open-doca-code-1\n"

enum { ADDRESS = 17 }; /* its digits, and a space */

struct bytes code_make(const struct kernel *kernel)
{
	const struct symbols *symbols = &kernel->symbols;
	struct bytes image = code_reduce(&kernel->code), made;
	size_t room = strlen(MAGIC) + 1 + image.size;
	unsigned char *to;

	for (size_t i = 0; i < symbols->nr; i++)
		room += ADDRESS + strlen(symbols->list[i].name) + 1;
	made.data = need(room + 1);
	to = (unsigned char *)stpcpy((char *)made.data, MAGIC);
	for (size_t i = 0; i < symbols->nr; i++) {
		const struct symbol *s = &symbols->list[i];

		/* a name that is hostile would be two lines, or none */
		if (!*s->name || strchr(s->name, '\n'))
			continue;
		to += sprintf((char *)to, "%016" PRIx64 " %s\n", s->address,
			      s->name);
	}
	*to++ = '\n';
	memcpy(to, image.data, image.size);
	made.size = (size_t)(to - made.data) + image.size;
	free(image.data);
	return made;
}
