// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"

#include "../arch/arch.h"
#include "../lazy.h"
#include "isf.h"
#include "map_cache.h"

LOG_SOURCE("APSH");

enum { MAX_NESTING = 8 };

struct isf {
	const char *path;
	struct lazy *file;
};

static struct json_object *base(const struct isf *isf, const char *name)
{
	return lazy_get(isf->file, "base_types", name);
}

static struct json_object *user(const struct isf *isf, const char *name)
{
	return lazy_get(isf->file, "user_types", name);
}

static struct json_object *symbol(const struct isf *isf, const char *name)
{
	return lazy_get(isf->file, "symbols", name);
}

static struct json_object *member(struct json_object *of, const char *name)
{
	struct json_object *found;

	if (!json_object_is_type(of, json_type_object) ||
	    !json_object_object_get_ex(of, name, &found))
		return NULL;
	return found;
}

static const char *string(struct json_object *of, const char *name)
{
	struct json_object *found = member(of, name);

	return json_object_is_type(found, json_type_string) ?
		       json_object_get_string(found) :
		       "";
}

/* Return a number from 0 to max, or -1. */
static int64_t number(struct json_object *of, const char *name, int64_t max)
{
	struct json_object *found = member(of, name);
	int64_t value;

	if (!json_object_is_type(found, json_type_int))
		return -1;
	value = json_object_get_int64(found);
	return value < 0 || value > max ? -1 : value;
}

/* Return the size of a type in bytes, or -1 if the map does not say. */
static int64_t size_of(const struct isf *isf, struct json_object *type)
{
	int64_t times = 1, size;

	for (int i = 0; i < MAX_NESTING; i++) {
		const char *kind = string(type, "kind");
		const char *name = string(type, "name");

		if (!strcmp(kind, "array")) {
			int64_t count = number(type, "count", MAX_TYPE);

			if (count < 0 || times * count > MAX_TYPE)
				return -1;
			times *= count;
			type = member(type, "subtype");
			continue;
		}
		if (!strcmp(kind, "bitfield")) {
			type = member(type, "type");
			continue;
		}
		if (!strcmp(kind, "pointer"))
			size = 8;
		else if (!strcmp(kind, "base"))
			size = number(base(isf, name), "size", 16);
		else if (!strcmp(kind, "enum"))
			size = number(lazy_get(isf->file, "enums", name),
				      "size", 8);
		else
			size = number(user(isf, name), "size", MAX_TYPE);
		return size < 0 || times * size > MAX_TYPE ? -1 : times * size;
	}
	return -1;
}

static struct json_object *field_of(const struct isf *isf,
				    struct json_object *type, const char *name,
				    int depth, int64_t *offset);

/* Look in the unnamed structures that a structure has as members. */
static struct json_object *field_within(const struct isf *isf,
					struct json_object *fields,
					const char *name, int depth,
					int64_t *offset)
{
	json_object_object_foreach(fields, key, field)
	{
		struct json_object *type, *found;
		int64_t at, inner = 0;

		(void)key;
		if (!json_object_get_boolean(member(field, "anonymous")))
			continue;
		at = number(field, "offset", MAX_TYPE);
		type = user(isf, string(member(field, "type"), "name"));
		found = at < 0 || !type ?
				NULL :
				field_of(isf, type, name, depth + 1, &inner);
		if (found) {
			*offset = at + inner;
			return found;
		}
	}
	return NULL;
}

static struct json_object *field_of(const struct isf *isf,
				    struct json_object *type, const char *name,
				    int depth, int64_t *offset)
{
	struct json_object *fields = member(type, "fields");
	struct json_object *field = member(fields, name);

	if (depth > MAX_NESTING || !fields ||
	    !json_object_is_type(fields, json_type_object))
		return NULL;
	if (!field)
		return field_within(isf, fields, name, depth, offset);
	*offset = number(field, "offset", MAX_TYPE);
	return *offset < 0 ? NULL : field;
}

/* Bits are a number of their own if they are whole bytes, or within one. */
static bool narrow(struct json_object *type, int64_t *offset, int64_t *size,
		   struct field_at *bits)
{
	int64_t at = number(type, "bit_position", 63);
	int64_t len = number(type, "bit_length", 64);

	if (at < 0 || len <= 0)
		return false;
	*offset += at / 8;
	*size = (len + 7) / 8;
	if (at % 8 == 0 && len % 8 == 0)
		return true;
	bits->shift = (u8)(at % 8);
	bits->bits = (u8)len;
	return at % 8 + len <= 8;
}

/*
 * Resolve one alternative: names with dots between them. Of an array take the first
 * element.
 */
static bool resolve(const struct isf *isf, struct json_object *of, char *path,
		    struct field_at *at)
{
	int64_t offset = 0, size = 0, step = 0;
	struct field_at found = { .there = true };
	char *save, *name;

	for (name = strtok_r(path, ".", &save); name;
	     name = strtok_r(NULL, ".", &save)) {
		struct json_object *field =
			of ? field_of(isf, of, name, 0, &step) : NULL;
		struct json_object *type = member(field, "type");

		if (!field)
			return false;
		offset += step;
		size = size_of(isf, type);
		if (!strcmp(string(type, "kind"), "bitfield") &&
		    !narrow(type, &offset, &size, &found))
			return false;
		if (!strcmp(string(type, "kind"), "array"))
			type = member(type, "subtype");
		of = user(isf, string(type, "name"));
	}
	if (size < 0 || offset > MAX_TYPE)
		return false;
	found.offset = (u32)offset;
	found.size = (u32)size;
	*at = found;
	return true;
}

/* One of several paths is it that has the size. If none has, at is what was found. */
static bool find_in_type(const struct isf *isf, struct json_object *type,
			 const struct field_spec *spec, struct field_at *at)
{
	char paths[128], *save, *path;
	int64_t size;

	if (!type)
		return false;
	if (!*spec->path) {
		size = number(type, "size", MAX_TYPE);
		*at = (struct field_at){ .size = (u32)size, .there = size > 0 };
		return size > 0 && field_fits(spec, at);
	}
	snprintf(paths, sizeof(paths), "%s", spec->path);
	for (path = strtok_r(paths, "|", &save); path;
	     path = strtok_r(NULL, "|", &save))
		if (resolve(isf, type, path, at) && field_fits(spec, at))
			return true;
	return false;
}

static bool find_field(const struct isf *isf, const struct field_spec *spec,
		       struct field_at *at)
{
	char types[64], *save, *type;

	snprintf(types, sizeof(types), "%s", spec->type);
	for (type = strtok_r(types, "|", &save); type;
	     type = strtok_r(NULL, "|", &save))
		if (find_in_type(isf, user(isf, type), spec, at))
			return true;
	return false;
}

static doca_error_t lacks(const struct isf *isf, const struct field_spec *spec)
{
	return FAIL(INITIALIZATION,
		    "%s: struct %s has no %s; make the map with "
		    "doca_apsh_map, or with dwarf2json",
		    isf->path, spec->type, *spec->path ? spec->path : "size");
}

static doca_error_t find_fields(const struct isf *isf, struct map *map)
{
	int lacking;

	for (int i = 0; i < NR_FIELDS; i++) {
		const struct field_spec *spec = &field_specs[i];
		struct field_at *at = &map->fields[i];

		if (find_field(isf, spec, at))
			continue;
		if (spec->needed && at->there)
			return FAIL(INITIALIZATION,
				    "%s: %s of struct %s has %u bytes, not %u",
				    isf->path, spec->path, spec->type, at->size,
				    spec->size);
		if (spec->needed)
			return lacks(isf, spec);
		/* one of another size is another field */
		memset(at, 0, sizeof(*at));
	}
	lacking = map_lacks(map);
	return lacking < NR_FIELDS ? lacks(isf, &field_specs[lacking]) :
				     DOCA_SUCCESS;
}

/* Return the address as the 64 bits that it is: beyond 2^63 json-c holds it as unsigned. */
static u64 address_of(struct json_object *symbol)
{
	struct json_object *found = member(symbol, "address");

	return json_object_is_type(found, json_type_int) ?
		       json_object_get_uint64(found) :
		       0;
}

static doca_error_t has_no(const struct isf *isf, const char *what)
{
	return FAIL(INITIALIZATION,
		    "%s: %s is not there, or is 0; make the map as root, or "
		    "see kptr_restrict",
		    isf->path, what);
}

static doca_error_t find_symbols(const struct isf *isf, struct map *map)
{
	const struct arch *arch;
	char what[128];

	for (int i = 0; i < NR_SYMBOLS; i++) {
		const struct symbol_spec *spec = &symbol_specs[i];

		struct json_object *found = symbol(isf, spec->name);
		int64_t size = size_of(isf, member(found, "type"));

		map->symbols[i] = address_of(found);
		map->sizes[i] = size > 0 ? (u32)size : 0;
		if (!map->symbols[i] && spec->needed) {
			snprintf(what, sizeof(what), "symbol %s", spec->name);
			return has_no(isf, what);
		}
	}
	arch = arch_of(map);
	if (!arch)
		return has_no(isf, "init_top_pgt (x86-64) or swapper_pg_dir "
				   "(arm64)");
	return map_lacks_of(map, &arch->needs, what) ? has_no(isf, what) :
						       DOCA_SUCCESS;
}

static bool take_entry(void *to, const char *name, size_t len,
		       struct json_object *symbol)
{
	struct map *map = to;
	struct map_entry *e = &map->entries[map->nr_entries];

	e->address = address_of(symbol);
	snprintf(e->name, sizeof(e->name), "%.*s", (int)len, name);
	map->nr_entries += e->address != 0;
	return map->nr_entries < MAX_ENTRIES;
}

/* A function may have several names; take the first. */
static int by_address(const void *a, const void *b)
{
	const struct map_entry *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* If there are more than fit, none are known: one that was left out would look foreign. */
static void find_entries(const struct isf *isf, struct map *map)
{
	const struct lazy_visit visit = { map_is_entry, take_entry, map };
	struct map_entry *e = map->entries;
	u32 nr = 0;

	lazy_visit(isf->file, "symbols", &visit);
	if (map->nr_entries == MAX_ENTRIES)
		map->nr_entries = 0;
	if (map->nr_entries)
		qsort(e, map->nr_entries, sizeof(*e), by_address);
	for (u32 i = 0; i < map->nr_entries; i++)
		if (!nr || e[nr - 1].address != e[i].address)
			e[nr++] = e[i];
	map->nr_entries = nr;
}

static int base64_digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Decode up to the first character that is not a digit, such as the padding. */
static void decode(const char *from, char *to, size_t size)
{
	u32 bits = 0, nr = 0;
	size_t n = 0;
	int digit;

	while ((digit = base64_digit(*from++)) >= 0 && n + 1 < size) {
		bits = bits << 6 | (u32)digit;
		nr += 6;
		if (nr >= 8) {
			nr -= 8;
			to[n++] = (char)(bits >> nr);
		}
	}
	to[n] = '\0';
}

static doca_error_t check_format(const struct isf *isf)
{
	struct json_object *found = lazy_get(isf->file, "metadata", "format");
	const char *format = json_object_is_type(found, json_type_string) ?
				     json_object_get_string(found) :
				     "";

	if (!lazy_has(isf->file, "user_types") ||
	    !lazy_has(isf->file, "symbols"))
		return FAIL(INITIALIZATION,
			    "%s is no map of symbols: it has no user_types or "
			    "symbols",
			    isf->path);
	if (strncmp(format, "4.", 2) && strncmp(format, "5.", 2) &&
	    strncmp(format, "6.", 2))
		return FAIL(INITIALIZATION,
			    "%s: a map of format \"%s\", not of 4.1 to 6.2",
			    isf->path, format);
	return DOCA_SUCCESS;
}

static doca_error_t read_map(const char *path, struct map *map, size_t *length)
{
	struct isf isf = { .path = path };
	doca_error_t ret;

	memset(map, 0, sizeof(*map));
	ret = lazy_open(path, &isf.file);
	if (ret != DOCA_SUCCESS)
		return ret;
	*length = lazy_length(isf.file);
	decode(string(symbol(&isf, "linux_banner"), "constant_data"),
	       map->banner, MAX_BANNER);
	ret = check_format(&isf);
	if (ret == DOCA_SUCCESS)
		ret = find_fields(&isf, map);
	if (ret == DOCA_SUCCESS)
		ret = find_symbols(&isf, map);
	if (ret == DOCA_SUCCESS)
		find_entries(&isf, map);
	if (ret == DOCA_SUCCESS && !*map->banner)
		ret = FAIL(INITIALIZATION,
			   "%s: its linux_banner has no constant_data, so that "
			   "the kernel cannot be told",
			   path);
	lazy_close(isf.file);
	return ret;
}

doca_error_t isf_read(const char *path, struct map *map)
{
	struct map_stamp stamp = map_stamp(path);
	doca_error_t ret;
	size_t length;

	if (map_cache_get(path, &stamp, map))
		return DOCA_SUCCESS;
	ret = read_map(path, map, &length);
	if (ret == DOCA_SUCCESS)
		map_cache_put(path, &stamp, map, length);
	return ret;
}
