/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Settings files in JSON. Tables of keys describe the objects in them, and every unknown
 * key is an error. An error logs a warning that names file and key. All functions return
 * 0 or a negative errno: EINVAL, which was logged, or ENOMEM.
 */
#ifndef DOCA_CORE_SETTINGS_H
#define DOCA_CORE_SETTINGS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "core/base/log.h"

/* A place in a file, for lines of the log. */
struct settings_place {
	const char *path;
	const char *key;
};

/* A field of an object; the reader fills @into. */
struct settings_field {
	const char *key;
	bool required;
	int (*read)(const struct settings_place *place,
		    struct json_object *value, void *into);
};

/* Parse a text; the caller puts *json. */
int settings_parse(const char *path, const char *text, size_t len,
		   struct json_object **json);

/* Read an object at @place: these fields, in their order, and no others. */
int settings_object(const struct settings_place *place,
		    struct json_object *json,
		    const struct settings_field *fields, size_t n, void *into);

#define SETTINGS_READ(place, json, fields, into) \
	settings_object(place, json, fields,     \
			sizeof(fields) / sizeof((fields)[0]), into)

/* Get a text that is not empty and contains no NUL. It lives as long as the value. */
int settings_text(const struct settings_place *place, struct json_object *value,
		  const char **text);

/* Copy a text of less than @size bytes, without blanks and control characters. */
int settings_name(const struct settings_place *place, struct json_object *value,
		  char *name, size_t size);

/* Get an absolute path; the caller frees it. */
int settings_path(const struct settings_place *place, struct json_object *value,
		  char **path);

/* Get a whole number from 0 to @max. */
int settings_number(const struct settings_place *place,
		    struct json_object *value, uint64_t max, uint64_t *number);

/* Log that the value at @place is wrong; @words continue the line behind its key. */
#define SETTINGS_WRONG(place, words, ...)                           \
	(LOG_WARN("%s: \"%s\" " words, (place)->path, (place)->key, \
		  ##__VA_ARGS__),                                   \
	 -EINVAL)

#endif /* DOCA_CORE_SETTINGS_H */
