// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"

#include "regions.h"
#include "text.h"

LOG_SOURCE("APSH");

#define MAX_REGIONS 4096
#define MAX_ADDRESS ((u64)1 << 52)

static bool value(struct json_object *of, const char *name, u64 *to)
{
	struct json_object *found;

	if (!json_object_object_get_ex(of, name, &found))
		return false;
	if (json_object_is_type(found, json_type_string))
		return text_number(json_object_get_string(found), to);
	if (!json_object_is_type(found, json_type_int) ||
	    json_object_get_int64(found) < 0)
		return false;
	*to = json_object_get_uint64(found);
	return true;
}

static doca_error_t add(struct regions *r, const char *path, const char *key,
			struct json_object *json)
{
	struct region new;
	u64 length;
	u32 i;

	if (!json_object_is_type(json, json_type_object) ||
	    !value(json, "start", &new.start))
		return FAIL(INITIALIZATION, "%s: region %s has no start", path,
			    key);
	if (value(json, "length", &length)) {
		if (__builtin_add_overflow(new.start, length, &new.end))
			new.end = 0;
	} else if (value(json, "end", &new.end)) {
		new.end++;
	} else {
		return FAIL(INITIALIZATION,
			    "%s: region %s has no length and no end", path,
			    key);
	}
	if (new.end <= new.start || new.end > MAX_ADDRESS)
		return FAIL(INITIALIZATION,
			    "%s: region %s is empty, or ends beyond 2^52", path,
			    key);
	for (i = r->nr; i && r->list[i - 1].start > new.start; i--)
		;
	if ((i && r->list[i - 1].end > new.start) ||
	    (i < r->nr && r->list[i].start < new.end))
		return FAIL(INITIALIZATION, "%s: region %s overlaps another",
			    path, key);
	memmove(r->list + i + 1, r->list + i, (r->nr - i) * sizeof(new));
	r->list[i] = new;
	r->nr++;
	return DOCA_SUCCESS;
}

static doca_error_t add_all(struct regions *r, const char *path,
			    struct json_object *json)
{
	doca_error_t ret = DOCA_SUCCESS;
	char key[24];

	if (json_object_is_type(json, json_type_array)) {
		size_t n = json_object_array_length(json);

		for (size_t i = 0; i < n && i < MAX_REGIONS; i++) {
			snprintf(key, sizeof(key), "%zu", i);
			ret = add(r, path, key,
				  json_object_array_get_idx(json, i));
			if (ret != DOCA_SUCCESS)
				break;
		}
		return ret;
	}
	json_object_object_foreach(json, name, region)
	{
		ret = add(r, path, name, region);
		if (ret != DOCA_SUCCESS || r->nr == MAX_REGIONS)
			break;
	}
	return ret;
}

doca_error_t regions_read(const char *path, struct regions *r)
{
	struct json_object *json, *list;
	doca_error_t ret;

	memset(r, 0, sizeof(*r));
	ret = text_read_json(path, &json);
	if (ret != DOCA_SUCCESS)
		return ret;
	list = json;
	if (json_object_is_type(json, json_type_object))
		json_object_object_get_ex(json, "allowed_regions", &list);
	r->list = calloc(MAX_REGIONS + 1, sizeof(*r->list));
	if (!r->list)
		ret = OUT_OF_MEMORY("memory regions");
	else if (!json_object_is_type(list, json_type_object) &&
		 !json_object_is_type(list, json_type_array))
		ret = FAIL(INITIALIZATION,
			   "%s: allowed_regions is no object and no array",
			   path);
	else
		ret = add_all(r, path, list);
	if (ret == DOCA_SUCCESS && !r->nr)
		ret = FAIL(INITIALIZATION, "%s has no region", path);
	json_object_put(json);
	if (ret != DOCA_SUCCESS)
		regions_free(r);
	return ret;
}

void regions_free(struct regions *r)
{
	free(r->list);
	memset(r, 0, sizeof(*r));
}

bool regions_have(const struct regions *r, u64 pa, u64 len)
{
	u32 low = 0, high = r->nr;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (r->list[mid].end <= pa)
			low = mid + 1;
		else
			high = mid;
	}
	return low < r->nr && pa >= r->list[low].start &&
	       len <= r->list[low].end - pa;
}
