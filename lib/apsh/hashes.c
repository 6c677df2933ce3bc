// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"

#include "hashes.h"
#include "text.h"

LOG_SOURCE("APSH");

#define FORMAT "open-doca-hash-1"

struct part {
	char *path;
	u64 first, nr; /* in pages */
	u8 *hashes;
};

struct hashes {
	u32 refs;
	u32 nr;
	struct part parts[];
};

static struct json_object *member(struct json_object *of, const char *name,
				  enum json_type type)
{
	struct json_object *found;

	if (!json_object_is_type(of, json_type_object) ||
	    !json_object_object_get_ex(of, name, &found) ||
	    !json_object_is_type(found, type))
		return NULL;
	return found;
}

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static bool decode(const char *text, u8 *to, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		int high = digit(text[2 * i]), low;

		low = high < 0 ? -1 : digit(text[2 * i + 1]);
		if (low < 0)
			return false;
		to[i] = (u8)(high << 4 | low);
	}
	return true;
}

static doca_error_t read_part(const char *file, size_t i,
			      struct json_object *json, struct part *part)
{
	struct json_object *path = member(json, "path", json_type_string);
	struct json_object *first = member(json, "first_page", json_type_int);
	struct json_object *page = member(json, "page", json_type_int);
	struct json_object *sums = member(json, "sha256", json_type_string);
	size_t len = sums ? (size_t)json_object_get_string_len(sums) : 1;

	if (!path || !first || json_object_get_int64(first) < 0 || !page ||
	    json_object_get_int64(page) != 4096 || len % (2 * SHA256_LEN))
		return FAIL(INITIALIZATION,
			    "%s: file %zu lacks its path, first_page, page "
			    "(4096) or sha256, or has another form of them",
			    file, i);
	part->path = strdup(json_object_get_string(path));
	part->first = (u64)json_object_get_int64(first);
	part->nr = len / (2 * SHA256_LEN);
	part->hashes = malloc(len / 2 + 1);
	if (!part->path || !part->hashes)
		return OUT_OF_MEMORY("hashes");
	if (!decode(json_object_get_string(sums), part->hashes, len / 2))
		return FAIL(INITIALIZATION,
			    "%s: sha256 of file %zu, %s, is no hexadecimal "
			    "number",
			    file, i, part->path);
	return DOCA_SUCCESS;
}

static doca_error_t read_parts(const char *path, struct json_object *list,
			       struct hashes **hashes)
{
	size_t nr = json_object_array_length(list);
	struct hashes *h = calloc(1, sizeof(*h) + nr * sizeof(h->parts[0]));
	doca_error_t ret = DOCA_SUCCESS;

	if (!h)
		return OUT_OF_MEMORY("hashes");
	h->refs = 1;
	h->nr = (u32)nr;
	for (size_t i = 0; i < nr && ret == DOCA_SUCCESS; i++)
		ret = read_part(path, i, json_object_array_get_idx(list, i),
				&h->parts[i]);
	if (ret == DOCA_SUCCESS)
		*hashes = h;
	else
		hashes_put(h);
	return ret;
}

/* Other tools keep hashes in a zip archive, on which the reader of JSON would stumble. */
static doca_error_t refuse_zip(const char *path)
{
	doca_error_t ret;
	char *text;
	size_t len;

	ret = text_read(path, &text, &len);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (!strncmp(text, "PK", 2))
		ret = FAIL(INITIALIZATION,
			   "%s is an archive, and is no file of "
			   "\"doca_apsh_map hash\"",
			   path);
	free(text);
	return ret;
}

doca_error_t hashes_read(const char *path, struct hashes **hashes)
{
	struct json_object *json, *format, *files;
	doca_error_t ret = refuse_zip(path);

	if (ret == DOCA_SUCCESS)
		ret = text_read_json(path, &json);
	if (ret != DOCA_SUCCESS)
		return ret;
	format = member(json, "format", json_type_string);
	files = member(json, "files", json_type_array);
	if (!format || strcmp(json_object_get_string(format), FORMAT) != 0 ||
	    !files)
		ret = FAIL(
			INITIALIZATION,
			"%s is no file of \"doca_apsh_map hash\": its format "
			"is not \"" FORMAT "\", or it has no files",
			path);
	else
		ret = read_parts(path, files, hashes);
	json_object_put(json);
	return ret;
}

struct hashes *hashes_get(struct hashes *hashes)
{
	__atomic_add_fetch(&hashes->refs, 1, __ATOMIC_RELAXED);
	return hashes;
}

void hashes_put(struct hashes *hashes)
{
	if (__atomic_sub_fetch(&hashes->refs, 1, __ATOMIC_ACQ_REL))
		return;
	for (u32 i = 0; i < hashes->nr; i++) {
		free(hashes->parts[i].path);
		free(hashes->parts[i].hashes);
	}
	free(hashes);
}

bool hashes_have(const struct hashes *hashes, const char *path)
{
	for (u32 i = 0; i < hashes->nr; i++)
		if (!strcmp(hashes->parts[i].path, path))
			return true;
	return false;
}

const u8 *hashes_of_page(const struct hashes *hashes, const char *path,
			 u64 page)
{
	for (u32 i = 0; i < hashes->nr; i++) {
		const struct part *p = &hashes->parts[i];

		if (page >= p->first && page - p->first < p->nr &&
		    !strcmp(p->path, path))
			return p->hashes + (page - p->first) * SHA256_LEN;
	}
	return NULL;
}
