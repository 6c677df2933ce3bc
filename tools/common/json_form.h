/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The form of JSON that all tools write, see doca(7). In the header, as not all have json-c. */
#ifndef COMMON_JSON_FORM_H
#define COMMON_JSON_FORM_H

#include <assert.h>
#include <string.h>

#include <json-c/json.h>

#include "json_version.h"

/*
 * Make a document of an array, whose elements are its rows, or of an object, whose members become
 * its own, of which none is called "version"; NULL without memory, for which @content may be NULL,
 * too. Takes over the reference.
 */
static inline struct json_object *json_document(struct json_object *content)
{
	struct json_object *document = json_object_new_object();
	int err =
		!content || !document ||
		json_object_object_add(document, "version",
				       json_object_new_int(JSON_FORM_VERSION));

	if (!err && json_object_is_type(content, json_type_array)) {
		err = json_object_object_add(document, "rows",
					     json_object_get(content));
	} else if (!err) {
		json_object_object_foreach(content, name, value)
		{
			assert(strcmp(name, "version") != 0);
			err |= json_object_object_add(document, name,
						      json_object_get(value));
		}
	}
	json_object_put(content);
	if (!err)
		return document;
	json_object_put(document);
	return NULL;
}

#endif /* COMMON_JSON_FORM_H */
