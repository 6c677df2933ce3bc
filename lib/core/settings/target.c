// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Target files. Unknown keys are errors. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/target.h"
#include "settings.h"
#include "table.h"

LOG_SOURCE("COMMON::TARGET");

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
	return settings_path(place, value, &target->file.path);
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
	return SETTINGS_WRONG(place,
			      "is not auto, raw, lime, elf, kdump or qevm");
}

static int read_pid(const struct settings_place *place,
		    struct json_object *value, void *into)
{
	struct target_part *part = into;
	uint64_t n = 0;
	int err = settings_number(place, value, INT_MAX, &n);

	if (!err && !n)
		err = SETTINGS_WRONG(place, "is 0");
	part->pid = n;
	return err;
}

static int read_fd(const struct settings_place *place,
		   struct json_object *value, void *into)
{
	struct target_part *part = into;
	uint64_t n = 0;
	int err = settings_number(place, value, INT_MAX, &n);

	part->fd = n;
	return err;
}

static int read_open_file(const struct settings_place *place,
			  struct json_object *value, void *into)
{
	static const struct settings_field fields[] = {
		{ "pid", true, read_pid },
		{ "fd", true, read_fd },
	};

	return SETTINGS_READ(place, value, fields, into);
}

static int read_memfd(const struct settings_place *place,
		      struct json_object *value, void *into)
{
	struct target *target = into;

	target->memory = TARGET_MEMFD;
	return read_open_file(place, value, &target->file);
}

static int read_path(const struct settings_place *place,
		     struct json_object *value, void *into)
{
	struct target_part *part = into;

	return settings_path(place, value, &part->path);
}

static int read_part(const struct settings_place *place,
		     struct json_object *value, struct target_part *part)
{
	static const struct settings_field fields[] = {
		{ "file", false, read_path },
		{ "memfd", false, read_open_file },
	};
	int err = SETTINGS_READ(place, value, fields, part);

	if (!err && json_object_object_length(value) != 1)
		err = SETTINGS_WRONG(place, "is not one of file and memfd");
	return err;
}

static int read_parts(const struct settings_place *place,
		      struct json_object *value, void *into)
{
	struct target *target = into;
	size_t n;
	int err = 0;

	target->memory = TARGET_PARTS;
	if (!json_object_is_type(value, json_type_array))
		return SETTINGS_WRONG(place, "is no array");
	n = json_object_array_length(value);
	if (!n || n > TARGET_MAX_PARTS)
		return SETTINGS_WRONG(place, "has %zu elements, not 1 to %d", n,
				      TARGET_MAX_PARTS);
	target->parts = calloc(n, sizeof(*target->parts));
	if (!target->parts)
		return -ENOMEM;
	while (!err && target->nr_parts < n) {
		struct json_object *part =
			json_object_array_get_idx(value, target->nr_parts);

		err = read_part(place, part,
				&target->parts[target->nr_parts++]);
	}
	return err;
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
		{ "parts", false, read_parts },
		{ "function", false, read_function },
		{ "kcore", false, read_kcore },
	};
	int err = SETTINGS_READ(place, value, fields, target);
	int kinds;

	if (err)
		return err;
	kinds = json_object_object_length(value);
	if (json_object_object_get(value, "format")) {
		if (!target->file.path)
			return SETTINGS_WRONG(place,
					      "has a format, but no file");
		kinds--;
	}
	if (kinds != 1)
		return SETTINGS_WRONG(place,
				      "is not one of file, memfd, parts, "
				      "function and kcore");
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

static int read_part_of(const struct settings_place *place,
			struct json_object *value, void *into)
{
	struct target *target = into;
	uint64_t n = 0;
	int err = settings_number(place, value, TARGET_MAX_PARTS, &n);

	if (!err && n >= target->nr_parts)
		err = SETTINGS_WRONG(place,
				     "is %u, but the memory has %u parts",
				     (unsigned int)n, target->nr_parts);
	region(target)->part = n;
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
	const struct settings_field fields[] = {
		{ "gpa", true, read_gpa },
		{ "offset", true, read_offset },
		{ "length", true, read_length },
		{ "part", target->memory == TARGET_PARTS, read_part_of },
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

	if (err)
		return err;
	place.key = "regions";
	if (target->nr_regions && (target->memory == TARGET_FUNCTION ||
				   target->memory == TARGET_KCORE))
		return SETTINGS_WRONG(&place, "are of a file or a memfd only");
	if (!target->nr_regions && target->memory == TARGET_PARTS)
		return SETTINGS_WRONG(
			&place, "are missing, and say where each part is");
	return 0;
}

int settings_read_target(const char *path, const char *text, size_t len,
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
