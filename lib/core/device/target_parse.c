// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Parses target files. Unknown keys are errors. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/settings.h"
#include "target.h"

LOG_SOURCE("COMMON::TARGET");

struct target *doca_priv_target_get(struct target *target)
{
	if (target)
		__atomic_fetch_add(&target->refs, 1, __ATOMIC_RELAXED);
	return target;
}

void doca_priv_target_put(struct target *target)
{
	if (!target || __atomic_sub_fetch(&target->refs, 1, __ATOMIC_ACQ_REL))
		return;
	free(target->path);
	free(target->qmp);
	free(target->regions);
	free(target);
}

const char *const doca_priv_target_formats[TARGET_FORMATS] = {
	[TARGET_AUTO] = "auto",	  [TARGET_RAW] = "raw",
	[TARGET_LIME] = "lime",	  [TARGET_ELF] = "elf",
	[TARGET_KDUMP] = "kdump",
};

static int read_vuid(const struct settings_place *place,
		     struct json_object *value, void *into)
{
	struct target *target = into;
	return settings_name(place, value, target->vuid, sizeof(target->vuid));
}

static int read_device(const struct settings_place *place,
		       struct json_object *value, void *into)
{
	struct target *target = into;
	return settings_name(place, value, target->device,
			     sizeof(target->device));
}

static int read_qmp(const struct settings_place *place,
		    struct json_object *value, void *into)
{
	struct target *target = into;
	return settings_path(place, value, &target->qmp);
}

static int read_file(const struct settings_place *place,
		     struct json_object *value, void *into)
{
	struct target *target = into;
	target->memory = TARGET_FILE;
	return settings_path(place, value, &target->path);
}

static int read_format(const struct settings_place *place,
		       struct json_object *value, void *into)
{
	struct target *target = into;
	const char *text;
	int err = settings_text(place, value, &text);

	if (err)
		return err;
	for (size_t i = 0; i < TARGET_FORMATS; i++)
		if (!strcmp(doca_priv_target_formats[i], text)) {
			target->format = i;
			return 0;
		}
	return SETTINGS_WRONG(place, "is not auto, raw, lime, elf or kdump");
}

static int read_pid(const struct settings_place *place,
		    struct json_object *value, void *into)
{
	struct target *target = into;
	uint64_t n = 0;
	int err = settings_number(place, value, INT_MAX, &n);

	if (!err && !n)
		err = SETTINGS_WRONG(place, "is 0");
	target->pid = n;
	return err;
}

static int read_fd(const struct settings_place *place,
		   struct json_object *value, void *into)
{
	struct target *target = into;
	uint64_t n = 0;
	int err = settings_number(place, value, INT_MAX, &n);

	target->fd = n;
	return err;
}

static int read_memfd(const struct settings_place *place,
		      struct json_object *value, void *into)
{
	struct target *target = into;
	static const struct settings_field fields[] = {
		{ "pid", true, read_pid },
		{ "fd", true, read_fd },
	};

	target->memory = TARGET_MEMFD;
	return SETTINGS_READ(place, value, fields, target);
}

static int read_function(const struct settings_place *place,
			 struct json_object *value, void *into)
{
	struct target *target = into;
	target->memory = TARGET_FUNCTION;
	return settings_name(place, value, target->function,
			     sizeof(target->function));
}

static int read_kcore(const struct settings_place *place,
		      struct json_object *value, void *into)
{
	struct target *target = into;
	if (!json_object_is_type(value, json_type_boolean) ||
	    !json_object_get_boolean(value))
		return SETTINGS_WRONG(place, "is not true");
	target->memory = TARGET_KCORE;
	return 0;
}

static int read_memory(const struct settings_place *place,
		       struct json_object *value, void *into)
{
	struct target *target = into;
	static const struct settings_field fields[] = {
		{ "file", false, read_file },
		{ "format", false, read_format },
		{ "memfd", false, read_memfd },
		{ "function", false, read_function },
		{ "kcore", false, read_kcore },
	};
	int err = SETTINGS_READ(place, value, fields, target);
	int kinds;

	if (err)
		return err;
	kinds = json_object_object_length(value);
	if (json_object_object_get(value, "format")) {
		if (!target->path)
			return SETTINGS_WRONG(place,
					      "has a format, but no file");
		kinds--;
	}
	if (kinds != 1)
		return SETTINGS_WRONG(place,
				      "is not one of file, memfd, function "
				      "and kcore");
	return 0;
}

/* Return the region that is being read, the last one. */
static struct target_region *region(struct target *target)
{
	return &target->regions[target->nr_regions - 1];
}

static int read_gpa(const struct settings_place *place,
		    struct json_object *value, void *into)
{
	struct target *target = into;
	return settings_number(place, value, TARGET_MAX_ADDRESS,
			       &region(target)->gpa);
}

static int read_offset(const struct settings_place *place,
		       struct json_object *value, void *into)
{
	struct target *target = into;
	return settings_number(place, value, TARGET_MAX_ADDRESS,
			       &region(target)->offset);
}

static int read_length(const struct settings_place *place,
		       struct json_object *value, void *into)
{
	struct target *target = into;
	int err = settings_number(place, value, TARGET_MAX_ADDRESS,
				  &region(target)->length);

	if (!err && !region(target)->length)
		err = SETTINGS_WRONG(place, "is 0");
	return err;
}

static int by_address(const void *left, const void *right)
{
	const struct target_region *a = left, *b = right;

	return a->gpa < b->gpa ? -1 : a->gpa > b->gpa;
}

/* Sums of two numbers cannot wrap: both are far below 2^63. */
static int check_regions(const struct settings_place *place,
			 struct target *target)
{
	const struct target_region *r = target->regions;

	qsort(target->regions, target->nr_regions, sizeof(*r), by_address);
	for (uint32_t i = 0; i < target->nr_regions; i++) {
		if (r[i].gpa + r[i].length > TARGET_MAX_ADDRESS ||
		    r[i].offset + r[i].length > TARGET_MAX_ADDRESS)
			return SETTINGS_WRONG(place,
					      "go beyond 2^52 at gpa %llu",
					      (unsigned long long)r[i].gpa);
		if (i && r[i - 1].gpa + r[i - 1].length > r[i].gpa)
			return SETTINGS_WRONG(place, "overlap at gpa %llu",
					      (unsigned long long)r[i].gpa);
	}
	return 0;
}

static int read_regions(const struct settings_place *place,
			struct json_object *value, void *into)
{
	struct target *target = into;
	static const struct settings_field fields[] = {
		{ "gpa", true, read_gpa },
		{ "offset", true, read_offset },
		{ "length", true, read_length },
	};
	size_t n;
	int err;

	if (!json_object_is_type(value, json_type_array))
		return SETTINGS_WRONG(place, "is no array");
	n = json_object_array_length(value);
	if (!n || n > TARGET_MAX_REGIONS)
		return SETTINGS_WRONG(place, "has %zu elements, not 1 to %d", n,
				      TARGET_MAX_REGIONS);
	target->regions = calloc(n, sizeof(*target->regions));
	if (!target->regions)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		target->nr_regions++;
		err = SETTINGS_READ(place, json_object_array_get_idx(value, i),
				    fields, target);
		if (err)
			return err;
	}
	return check_regions(place, target);
}

static int read_target(const char *path, struct json_object *json,
		       struct target *target)
{
	static const struct settings_field fields[] = {
		{ "vuid", true, read_vuid },
		{ "device", true, read_device },
		{ "memory", true, read_memory },
		{ "regions", false, read_regions },
		{ "qmp", false, read_qmp },
	};
	struct settings_place place = { path, "target" };
	int err = SETTINGS_READ(&place, json, fields, target);

	if (!err && target->nr_regions && target->memory != TARGET_FILE &&
	    target->memory != TARGET_MEMFD) {
		place.key = "regions";
		err = SETTINGS_WRONG(&place, "are of a file or a memfd only");
	}
	return err;
}

int target_parse(const char *path, const char *text, size_t len,
		 struct target **target)
{
	struct json_object *json = NULL;
	struct target *new;
	int err;

	err = settings_parse(path, text, len, &json);
	if (err)
		return err;
	new = calloc(1, sizeof(*new));
	if (new) {
		new->refs = 1;
		err = read_target(path, json, new);
	} else {
		err = -ENOMEM;
	}
	json_object_put(json);
	if (err)
		doca_priv_target_put(new);
	else
		*target = new;
	return err;
}
