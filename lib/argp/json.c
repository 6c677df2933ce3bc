// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Parses the text of the JSON file. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "argp.h"
#include "core/base/errno_text.h"

/* Append a newline: without one json-c takes a comment for unfinished. */
static doca_error_t end_line(char **text, size_t *len)
{
	char *longer;

	if ((*text)[*len - 1] == '\n')
		return DOCA_SUCCESS;
	longer = realloc(*text, *len + 1);
	if (!longer)
		return ARGP_NO_MEMORY("a JSON file");
	longer[(*len)++] = '\n';
	*text = longer;
	return DOCA_SUCCESS;
}

static doca_error_t read_text(const char *path, char **text, size_t *len)
{
	doca_error_t ret = DOCA_ERROR_IO_FAILED;
	size_t capacity = 0;
	ssize_t n;
	FILE *file;

	*text = NULL;
	file = fopen(path, "re");
	if (!file) {
		ARGP_ERR("cannot open %s: %s", path, errno_text(errno));
		return DOCA_ERROR_IO_FAILED;
	}
	n = getdelim(text, &capacity, '\0', file);
	if (n > 0 && (*text)[n - 1]) {
		*len = n;
		ret = end_line(text, len);
	} else if (n > 0 || feof(file)) {
		ARGP_ERR("%s %s", path, n > 0 ? "has a NUL in it" : "is empty");
		ret = DOCA_ERROR_INVALID_VALUE;
	} else {
		ARGP_ERR("cannot read %s: %s", path, errno_text(errno));
	}
	fclose(file);
	return ret;
}

static doca_error_t syntax_error(const char *path, const char *text,
				 const char *where, const char *what)
{
	unsigned int line = 1;

	for (; text < where; text++)
		line += *text == '\n';
	ARGP_ERR("%s: line %u: %s", path, line, what);
	return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t parse_text(const char *path, const char *text, size_t len,
			       struct json_object **json)
{
	enum json_tokener_error error;
	struct json_tokener *tokener;
	const char *end;

	if (len > INT_MAX)
		return syntax_error(path, text, text, "too much text");
	tokener = json_tokener_new();
	if (!tokener)
		return ARGP_NO_MEMORY("a JSON file");
	*json = json_tokener_parse_ex(tokener, text, (int)len);
	error = json_tokener_get_error(tokener);
	end = text + json_tokener_get_parse_end(tokener);
	json_tokener_free(tokener);

	if (error == json_tokener_continue)
		return syntax_error(path, text, text + len - 1,
				    "it ends too early");
	if (error != json_tokener_success)
		return syntax_error(path, text, end,
				    json_tokener_error_desc(error));
	if (end != text + len)
		return syntax_error(path, text, end,
				    "there is more behind the object");
	return DOCA_SUCCESS;
}

doca_error_t argp_load_json(const char *path, struct json_object **json)
{
	doca_error_t ret;
	size_t len = 0;
	char *text;

	ret = read_text(path, &text, &len);
	if (ret == DOCA_SUCCESS)
		ret = parse_text(path, text, len, json);
	free(text);
	return ret;
}

const char *argp_json_text(struct json_object *json)
{
	const char *text;

	if (!json_object_is_type(json, json_type_string))
		return NULL;
	text = json_object_get_string(json);
	return strlen(text) == (size_t)json_object_get_string_len(json) ? text :
									  NULL;
}
