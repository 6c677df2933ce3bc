/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Files of settings, which are JSON: the objects in them are described by tables of their
 * keys, and nothing in a file is ignored. What is wrong is a warning that names file and
 * key. All functions return 0 or a negative errno: EINVAL, which was logged, or ENOMEM.
 */
#ifndef DOCA_CORE_SETTINGS_H
#define DOCA_CORE_SETTINGS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "log.h"

/* Where in which file something is, for lines of the log. */
struct settings_place {
	const char *path;
	const char *key;
};

/* A value that an object has by the name @key; @into is what the reader fills. */
struct settings_field {
	const char *key;
	bool required;
	int (*read)(const struct settings_place *place,
		    struct json_object *value, void *into);
};

enum { SETTINGS_MAX_FILE = 1 << 20 }; /* bytes */

/* All of a file that is open at its beginning, to be freed. Or what reading it fails with. */
int settings_load(const char *path, int fd, char **text, size_t *len);

/* The value that a text is, to be put. */
int settings_parse(const char *path, const char *text, size_t len,
		   struct json_object **json);

/* An object with these fields, in their order, and no others. @place is where it is. */
int settings_object(const struct settings_place *place,
		    struct json_object *json,
		    const struct settings_field *fields, size_t n, void *into);

#define SETTINGS_READ(place, json, fields, into) \
	settings_object(place, json, fields,     \
			sizeof(fields) / sizeof((fields)[0]), into)

/* Not empty, and without what would be taken for its end. It lives as the value does. */
int settings_text(const struct settings_place *place, struct json_object *value,
		  const char **text);

/* A text without blanks and without what would spoil a terminal, of less than @size bytes. */
int settings_name(const struct settings_place *place, struct json_object *value,
		  char *name, size_t size);

/* An absolute path, to be freed. */
int settings_path(const struct settings_place *place, struct json_object *value,
		  char **path);

/* A whole number from 0 to @max. */
int settings_number(const struct settings_place *place,
		    struct json_object *value, uint64_t max, uint64_t *number);

/* Log that the value at @place is wrong, in words that go on behind its key. */
#define SETTINGS_WRONG(place, words, ...)                           \
	(LOG_WARN("%s: \"%s\" " words, (place)->path, (place)->key, \
		  ##__VA_ARGS__),                                   \
	 -EINVAL)

#endif /* DOCA_CORE_SETTINGS_H */
