// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "halve.h"

/* So many names of one address are looked at. */
enum { MOST_NAMES = 64 };

struct wanted {
	const struct code *code;
	const char *name;
	u64 address;
};

/* The lowest address of a name comes first. */
static int by_name(const void *a, const void *b)
{
	const struct code_symbol *const *x = a, *const *y = b;
	int order = strcmp((*x)->name, (*y)->name);

	return order ? order : (*x > *y) - (*x < *y);
}

bool code_sort_names(struct code *code)
{
	code->by_name = calloc(code->nr_symbols, sizeof(*code->by_name));
	if (!code->by_name)
		return false;
	for (u32 i = 0; i < code->nr_symbols; i++)
		code->by_name[i] = &code->symbols[i];
	qsort(code->by_name, code->nr_symbols, sizeof(*code->by_name), by_name);
	return true;
}

static bool name_is_before(const void *key, u32 i)
{
	const struct wanted *w = key;

	return strcmp(w->code->by_name[i]->name, w->name) < 0;
}

u32 code_find_name(const struct code *code, const char *name)
{
	struct wanted w = { .code = code, .name = name };

	return first_not(code->nr_symbols, name_is_before, &w);
}

u64 code_symbol(const struct code *code, const char *name)
{
	u32 i = code_find_name(code, name);

	return i < code->nr_symbols && !strcmp(code->by_name[i]->name, name) ?
		       code->by_name[i]->address :
		       0;
}

static bool is_not_behind(const void *key, u32 i)
{
	const struct wanted *w = key;

	return w->code->symbols[i].address <= w->address;
}

const struct code_symbol *code_symbol_at(const struct code *code, u64 address)
{
	struct wanted w = { .code = code, .address = address };
	u32 i = first_not(code->nr_symbols, is_not_behind, &w);

	return i ? &code->symbols[i - 1] : NULL;
}

/* Return the next of an address's names; NULL if there is no more. Begin with the last one. */
static const struct code_symbol *next_name(const struct code *code, u64 address,
					   const struct code_symbol *s, u32 n)
{
	s = n ? s - 1 : code_symbol_at(code, address);
	return n < MOST_NAMES && s && s >= code->symbols &&
			       s->address == address ?
		       s :
		       NULL;
}

const char *code_named(const struct code *code, u64 address, const char *words)
{
	const struct code_symbol *s = NULL;

	for (u32 n = 0; (s = next_name(code, address, s, n)); n++)
		if (strstr(s->name, words))
			return s->name;
	return NULL;
}

bool code_is_named(const struct code *code, u64 address, const char *name)
{
	const struct code_symbol *s = NULL;

	for (u32 n = 0; (s = next_name(code, address, s, n)); n++)
		if (!strcmp(s->name, name))
			return true;
	return false;
}
