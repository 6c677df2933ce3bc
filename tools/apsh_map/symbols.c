// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The list of a kernel's symbols. */
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
