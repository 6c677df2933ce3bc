// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"

#include "lazy.h"
#include "text.h"

LOG_SOURCE("APSH");

enum { MAX_SECTIONS = 16, MAX_DEPTH = 64 };

/* Position of a member in the text. */
struct part {
	u32 name, name_len;
	u32 value, value_len;
};

struct section {
	struct part self;
	struct part *parts;
	u32 nr, max;
	struct json_object *parsed; /* parts, by name */
};

struct lazy {
	const char *path;
	char *text; /* followed by a NUL */
	size_t len;
	u32 nr;
	struct section sections[MAX_SECTIONS];
};

static const char *skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
		at++;
	return at;
}

/*
 * Each of these returns the position behind what it skips; or NULL, with the position
 * of the error in *wrong.
 */
static const char *skip_string(const char *at, const char **wrong)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && !*++at)
			break;
	if (*at)
		return at + 1;
	*wrong = at;
	return NULL;
}

static const char *skip_scalar(const char *at, const char **wrong)
{
	size_t len = strspn(at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");

	if (len)
		return at + len;
	*wrong = at;
	return NULL;
}

/* Skip an object or an array whose brackets match. */
static const char *skip_nested(const char *at, const char **wrong)
{
	char open[MAX_DEPTH] = { 0 };
	int depth = 0;

	do {
		char c = *at;

		if (c == '"') {
			at = skip_string(at, wrong);
			if (!at)
				return NULL;
			continue;
		}
		if (!c || ((c == '{' || c == '[') && depth == MAX_DEPTH) ||
		    ((c == '}' || c == ']') &&
		     (!depth || open[depth - 1] != c - 2))) {
			*wrong = at;
			return NULL;
		}
		if (c == '{' || c == '[')
			open[depth++] = c;
		else if (c == '}' || c == ']')
			depth--;
		at++;
	} while (depth);
	return at;
}

static const char *skip_value(const char *at, const char **wrong)
{
	if (*at == '"')
		return skip_string(at, wrong);
	if (*at == '{' || *at == '[')
		return skip_nested(at, wrong);
	return skip_scalar(at, wrong);
}

static bool is(const struct lazy *l, const struct part *p, const char *name,
	       size_t len)
{
	return p->name_len == len && !memcmp(l->text + p->name, name, len);
}

/* Skip a name, a colon and a value, and the separator or end behind them. */
static const char *next_part(const struct lazy *l, const char *at,
			     struct part *p, const char **wrong)
{
	const char *end;

	*wrong = at;
	if (*at != '"')
		return NULL;
	end = skip_string(at, wrong);
	if (!end)
		return NULL;
	p->name = (u32)(at + 1 - l->text);
	p->name_len = (u32)(end - at - 2);
	at = skip_blanks(end);
	*wrong = at;
	if (*at != ':')
		return NULL;
	at = skip_blanks(at + 1);
	end = skip_value(at, wrong);
	if (!end)
		return NULL;
	p->value = (u32)(at - l->text);
	p->value_len = (u32)(end - at);
	at = skip_blanks(end);
	*wrong = at;
	if (*at == '}')
		return at;
	return *at == ',' ? skip_blanks(at + 1) : NULL;
}

static bool grow(struct section *s)
{
	u32 max = s->max ? 2 * s->max : 256;
	struct part *parts = reallocarray(s->parts, max, sizeof(*parts));

	if (!parts)
		return false;
	s->parts = parts;
	s->max = max;
	return true;
}

static doca_error_t is_wrong(const struct lazy *l, const char *at)
{
	return FAIL(INITIALIZATION, "%s is no JSON: %s at byte %zu", l->path,
		    *at ? "something unexpected is" : "it ends early",
		    (size_t)(at - l->text));
}

static doca_error_t find_parts(struct lazy *l, struct section *s)
{
	const char *at = l->text + s->self.value, *wrong;

	if (*at != '{')
		return DOCA_SUCCESS;
	at = skip_blanks(at + 1);
	while (*at != '}') {
		if (s->nr == s->max && !grow(s))
			return OUT_OF_MEMORY("the index of a file");
		at = next_part(l, at, &s->parts[s->nr], &wrong);
		if (!at)
			return is_wrong(l, wrong);
		s->nr++;
	}
	s->parsed = json_object_new_object();
	return s->parsed ? DOCA_SUCCESS : OUT_OF_MEMORY("JSON");
}

static doca_error_t find_sections(struct lazy *l)
{
	const char *at = skip_blanks(l->text), *wrong;
	doca_error_t ret;

	if (*at != '{')
		return is_wrong(l, at);
	at = skip_blanks(at + 1);
	while (*at != '}') {
		struct section *s = &l->sections[l->nr];

		if (l->nr == MAX_SECTIONS)
			return FAIL(INITIALIZATION,
				    "%s has more than %d members", l->path,
				    MAX_SECTIONS);
		at = next_part(l, at, &s->self, &wrong);
		if (!at)
			return is_wrong(l, wrong);
		l->nr++;
		ret = find_parts(l, s);
		if (ret != DOCA_SUCCESS)
			return ret;
	}
	at = skip_blanks(at + 1);
	return *at ? is_wrong(l, at) : DOCA_SUCCESS;
}

doca_error_t lazy_open(const char *path, struct lazy **lazy)
{
	struct lazy *l = calloc(1, sizeof(*l));
	doca_error_t ret;

	if (!l)
		return OUT_OF_MEMORY("a file of JSON");
	l->path = path;
	ret = text_read(path, &l->text, &l->len);
	if (ret != DOCA_SUCCESS)
		l->text = NULL;
	else
		ret = find_sections(l);
	if (ret == DOCA_SUCCESS)
		*lazy = l;
	else
		lazy_close(l);
	return ret;
}

void lazy_close(struct lazy *l)
{
	for (u32 i = 0; i < l->nr; i++) {
		free(l->sections[i].parts);
		json_object_put(l->sections[i].parsed);
	}
	free(l->text);
	free(l);
}

size_t lazy_length(const struct lazy *l)
{
	return l->len;
}

static const struct section *find(const struct lazy *l, const char *name)
{
	for (u32 i = l->nr; i; i--)
		if (is(l, &l->sections[i - 1].self, name, strlen(name)))
			return &l->sections[i - 1];
	return NULL;
}

bool lazy_has(const struct lazy *l, const char *section)
{
	const struct section *s = find(l, section);

	return s && s->parsed;
}

static struct json_object *parse(const struct lazy *l, const struct part *p)
{
	struct json_tokener *tok = json_tokener_new_ex(MAX_DEPTH);
	struct json_object *json;

	if (!tok)
		return NULL;
	/* a number ends only with the character behind it */
	json = json_tokener_parse_ex(tok, l->text + p->value,
				     (int)p->value_len + 1);
	if (json_tokener_get_error(tok) != json_tokener_success)
		LOG_WARN("%s: \"%.*s\" is no JSON: %s at byte %u", l->path,
			 (int)(p->name_len < 64 ? p->name_len : 64),
			 l->text + p->name,
			 json_tokener_error_desc(json_tokener_get_error(tok)),
			 p->value + (u32)json_tokener_get_parse_end(tok));
	json_tokener_free(tok);
	return json;
}

struct json_object *lazy_get(struct lazy *l, const char *section,
			     const char *name)
{
	const struct section *s = find(l, section);
	size_t len = strlen(name);
	struct json_object *json;

	if (!s || !s->parsed)
		return NULL;
	if (json_object_object_get_ex(s->parsed, name, &json))
		return json;
	for (u32 i = s->nr; i; i--) {
		if (!is(l, &s->parts[i - 1], name, len))
			continue;
		json = parse(l, &s->parts[i - 1]);
		json_object_object_add(s->parsed, name, json);
		return json;
	}
	return NULL;
}

void lazy_visit(const struct lazy *l, const char *section,
		const struct lazy_visit *visit)
{
	const struct section *s = find(l, section);

	for (u32 i = 0; s && i < s->nr; i++) {
		const struct part *p = &s->parts[i];
		struct json_object *member;
		bool on;

		if (!visit->wants(l->text + p->name, p->name_len))
			continue;
		member = parse(l, p);
		on = visit->take(visit->to, l->text + p->name, p->name_len,
				 member);
		json_object_put(member);
		if (!on)
			return;
	}
}
