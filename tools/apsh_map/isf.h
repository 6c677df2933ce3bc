/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Symbol files in volatility's format (ISF 6.2.0): an object of base types, user
 * types, enums, symbols, and their origin.
 */
#ifndef APSH_MAP_ISF_H
#define APSH_MAP_ISF_H

#include <stdbool.h>

#include <json-c/json.h>

#include "kernel.h"
#include "machine.h"

/* Wanted types, by name, and wanted symbols with their types. */
struct wanted_symbol {
	const char *name;
	bool needed; /* a map is useless without it */
	/*
	 * BTF has no types of symbols: a struct, a text, a pointer, a table of pointers that
	 * ends where the next symbol begins, a number, or nothing known.
	 */
	const char *type;
	const struct machine *of; /* the only one that has it; NULL: all have */
};

extern const char *const wanted_types[]; /* ends with NULL */
extern const struct wanted_symbol wanted_symbols[]; /* ends with name NULL */
/* Beginnings of names of functions that are all wanted; ends with NULL. */
extern const char *const wanted_functions[];

/* Make the symbol file, of all types and symbols, or of the wanted ones. */
struct json_object *isf_make(const struct kernel *kernel, bool full);

/* Its three objects of types. */
struct isf_types {
	struct json_object *base, *user, *enums;
};

void isf_add_types(struct isf_types *types, const struct bytes *btf, bool full);

/* Make parts of type descriptions. */
struct json_object *isf_named(const char *kind, const char *name);
void isf_add(struct json_object *to, const char *key,
	     struct json_object *value);
struct json_object *isf_text(const char *text);
struct json_object *isf_number(uint64_t number);
struct json_object *isf_object(void);
struct json_object *isf_array(void);

#endif /* APSH_MAP_ISF_H */
