// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"

LOG_SOURCE("COMMON::SETTINGS");

#define MAX_DEPTH 8

static const struct settings_field *
find_field(const struct settings_field *fields, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(fields[i].key, key))
			return &fields[i];
	return NULL;
}

int settings_object(const struct settings_place *place,
		    struct json_object *json,
		    const struct settings_field *fields, size_t n, void *into)
{
	const struct settings_field *field;
	struct json_object *value;
	int err;

	if (!json_object_is_type(json, json_type_object))
		return SETTINGS_WRONG(place, "is no object");
	json_object_object_foreach(json, name, any)
	{
		struct settings_place at = { place->path, name };

		(void)any;
		if (!find_field(fields, n, name))
			return SETTINGS_WRONG(&at, "is no key of \"%s\"",
					      place->key);
	}
	for (field = fields; field < fields + n; field++) {
		struct settings_place at = { place->path, field->key };

		if (!json_object_object_get_ex(json, field->key, &value)) {
			if (field->required)
				return SETTINGS_WRONG(place, "has no \"%s\"",
						      field->key);
			continue;
		}
		err = field->read(&at, value, into);
		if (err)
			return err;
	}
	return 0;
}

int settings_text(const struct settings_place *place, struct json_object *value,
		  const char **text)
{
	if (!json_object_is_type(value, json_type_string))
		return SETTINGS_WRONG(place, "is no string");
	*text = json_object_get_string(value);
	if (!**text)
		return SETTINGS_WRONG(place, "is empty");
	if (strlen(*text) != (size_t)json_object_get_string_len(value))
		return SETTINGS_WRONG(place, "has a NUL in it");
	return 0;
}

int settings_name(const struct settings_place *place, struct json_object *value,
		  char *name, size_t size)
{
	const char *text, *c;
	int err = settings_text(place, value, &text);

	if (err)
		return err;
	if (strlen(text) >= size)
		return SETTINGS_WRONG(place, "has more than %zu bytes",
				      size - 1);
	for (c = text; *c; c++)
		if (*c <= ' ' || *c > '~')
			return SETTINGS_WRONG(place,
					      "has a blank or a byte that "
					      "does not print");
	strcpy(name, text);
	return 0;
}

int settings_path(const struct settings_place *place, struct json_object *value,
		  char **path)
{
	const char *text;
	int err = settings_text(place, value, &text);

	if (err)
		return err;
	if (*text != '/')
		return SETTINGS_WRONG(place, "is no absolute path");
	if (strlen(text) >= PATH_MAX)
		return SETTINGS_WRONG(place, "has more than %d bytes",
				      PATH_MAX - 1);
	*path = strdup(text);
	return *path ? 0 : -ENOMEM;
}

int settings_number(const struct settings_place *place,
		    struct json_object *value, uint64_t max, uint64_t *number)
{
	int64_t n;

	if (!json_object_is_type(value, json_type_int))
		return SETTINGS_WRONG(place, "is no whole number");
	n = json_object_get_int64(value);
	if (n < 0 || (uint64_t)n > max)
		return SETTINGS_WRONG(place, "is not between 0 and %llu",
				      (unsigned long long)max);
	*number = n;
	return 0;
}

int settings_parse(const char *path, const char *text, size_t len,
		   struct json_object **json)
{
	struct json_tokener *tokener = json_tokener_new_ex(MAX_DEPTH);
	enum json_tokener_error error;

	if (!tokener)
		return -ENOMEM;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT |
						JSON_TOKENER_VALIDATE_UTF8);
	*json = json_tokener_parse_ex(tokener, text, len);
	error = json_tokener_get_error(tokener);
	/* The tokener stops at a byte of 0 and ignores the rest. */
	if (error == json_tokener_success &&
	    json_tokener_get_parse_end(tokener) != len)
		error = json_tokener_error_parse_unexpected;
	json_tokener_free(tokener);
	if (error == json_tokener_success)
		return 0;
	json_object_put(*json);
	LOG_WARN("%s: %s", path,
		 error == json_tokener_continue ?
			 "it is empty, or ends too early" :
			 json_tokener_error_desc(error));
	return -EINVAL;
}
