// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* JSON of symbol files. Every value is made, or the program ends. */
#include "isf.h"

void isf_add(struct json_object *to, const char *key, struct json_object *value)
{
	if (!value || json_object_object_add(to, key, value))
		fail("out of memory");
}

static struct json_object *made(struct json_object *json)
{
	if (!json)
		fail("out of memory");
	return json;
}

struct json_object *isf_object(void)
{
	return made(json_object_new_object());
}

struct json_object *isf_array(void)
{
	return made(json_object_new_array());
}

struct json_object *isf_text(const char *text)
{
	return made(json_object_new_string(text));
}

struct json_object *isf_number(uint64_t number)
{
	return made(json_object_new_uint64(number));
}

struct json_object *isf_named(const char *kind, const char *name)
{
	struct json_object *type = isf_object();

	isf_add(type, "kind", isf_text(kind));
	isf_add(type, "name", isf_text(name));
	return type;
}
