// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Target files: from their text to a target. Nothing in one is ignored. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "log.h"
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

#define MAX_DEPTH 8

/* What the file says about a target, and where, for lines of the log. */
struct place {
	const char *path;
	const char *key;
};

#define WRONG_AT(place, words, ...)                                 \
	(LOG_WARN("%s: \"%s\" " words, (place)->path, (place)->key, \
		  ##__VA_ARGS__),                                   \
	 -EINVAL)

/* A value that the object @json has by the name @key. */
struct field {
	const char *key;
	bool required;
	int (*read)(const struct place *place, struct json_object *value,
		    struct target *target);
};

static const struct field *find_field(const struct field *fields, size_t n,
				      const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(fields[i].key, key))
			return &fields[i];
	return NULL;
}

/* @place is where the object is. */
static int read_object(const struct place *place, struct json_object *json,
		       const struct field *fields, size_t n,
		       struct target *target)
{
	const struct field *field;
	struct json_object *value;
	int err;

	if (!json_object_is_type(json, json_type_object))
		return WRONG_AT(place, "is no object");
	json_object_object_foreach(json, name, any)
	{
		struct place at = { place->path, name };

		(void)any;
		if (!find_field(fields, n, name))
			return WRONG_AT(&at, "is no key of \"%s\"", place->key);
	}
	for (field = fields; field < fields + n; field++) {
		struct place at = { place->path, field->key };

		if (!json_object_object_get_ex(json, field->key, &value)) {
			if (field->required)
				return WRONG_AT(place, "has no \"%s\"",
						field->key);
			continue;
		}
		err = field->read(&at, value, target);
		if (err)
			return err;
	}
	return 0;
}

#define READ_OBJECT(place, json, fields, target)                               \
	read_object(place, json, fields, sizeof(fields) / sizeof((fields)[0]), \
		    target)

/* Not empty, and without what would be taken for its end. */
static int read_text(const struct place *place, struct json_object *value,
		     const char **text)
{
	if (!json_object_is_type(value, json_type_string))
		return WRONG_AT(place, "is no string");
	*text = json_object_get_string(value);
	if (!**text)
		return WRONG_AT(place, "is empty");
	if (strlen(*text) != (size_t)json_object_get_string_len(value))
		return WRONG_AT(place, "has a NUL in it");
	return 0;
}

/* A name has no blanks, and nothing that would spoil a terminal. */
static int read_name(const struct place *place, struct json_object *value,
		     char *name, size_t size)
{
	const char *text, *c;
	int err = read_text(place, value, &text);

	if (err)
		return err;
	if (strlen(text) >= size)
		return WRONG_AT(place, "has more than %zu bytes", size - 1);
	for (c = text; *c; c++)
		if (*c <= ' ' || *c > '~')
			return WRONG_AT(place, "has a blank or a byte that "
					       "does not print");
	strcpy(name, text);
	return 0;
}

static int read_path(const struct place *place, struct json_object *value,
		     char **path)
{
	const char *text;
	int err = read_text(place, value, &text);

	if (err)
		return err;
	if (*text != '/')
		return WRONG_AT(place, "is no absolute path");
	if (strlen(text) >= PATH_MAX)
		return WRONG_AT(place, "has more than %d bytes", PATH_MAX - 1);
	*path = strdup(text);
	return *path ? 0 : -ENOMEM;
}

static int read_number(const struct place *place, struct json_object *value,
		       uint64_t max, uint64_t *number)
{
	int64_t n;

	if (!json_object_is_type(value, json_type_int))
		return WRONG_AT(place, "is no whole number");
	n = json_object_get_int64(value);
	if (n < 0 || (uint64_t)n > max)
		return WRONG_AT(place, "is not between 0 and %llu",
				(unsigned long long)max);
	*number = n;
	return 0;
}

static int read_vuid(const struct place *place, struct json_object *value,
		     struct target *target)
{
	return read_name(place, value, target->vuid, sizeof(target->vuid));
}

static int read_device(const struct place *place, struct json_object *value,
		       struct target *target)
{
	return read_name(place, value, target->device, sizeof(target->device));
}

static int read_qmp(const struct place *place, struct json_object *value,
		    struct target *target)
{
	return read_path(place, value, &target->qmp);
}

static int read_file(const struct place *place, struct json_object *value,
		     struct target *target)
{
	target->memory = TARGET_FILE;
	return read_path(place, value, &target->path);
}

static int read_format(const struct place *place, struct json_object *value,
		       struct target *target)
{
	static const char *const names[] = {
		[TARGET_AUTO] = "auto",	  [TARGET_RAW] = "raw",
		[TARGET_LIME] = "lime",	  [TARGET_ELF] = "elf",
		[TARGET_KDUMP] = "kdump",
	};
	const char *text;
	int err = read_text(place, value, &text);

	if (err)
		return err;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], text)) {
			target->format = i;
			return 0;
		}
	return WRONG_AT(place, "is not auto, raw, lime, elf or kdump");
}

static int read_pid(const struct place *place, struct json_object *value,
		    struct target *target)
{
	uint64_t n = 0;
	int err = read_number(place, value, INT_MAX, &n);

	if (!err && !n)
		err = WRONG_AT(place, "is 0");
	target->pid = n;
	return err;
}

static int read_fd(const struct place *place, struct json_object *value,
		   struct target *target)
{
	uint64_t n = 0;
	int err = read_number(place, value, INT_MAX, &n);

	target->fd = n;
	return err;
}

static int read_memfd(const struct place *place, struct json_object *value,
		      struct target *target)
{
	static const struct field fields[] = {
		{ "pid", true, read_pid },
		{ "fd", true, read_fd },
	};

	target->memory = TARGET_MEMFD;
	return READ_OBJECT(place, value, fields, target);
}

static int read_function(const struct place *place, struct json_object *value,
			 struct target *target)
{
	target->memory = TARGET_FUNCTION;
	return read_name(place, value, target->function,
			 sizeof(target->function));
}

static int read_kcore(const struct place *place, struct json_object *value,
		      struct target *target)
{
	if (!json_object_is_type(value, json_type_boolean) ||
	    !json_object_get_boolean(value))
		return WRONG_AT(place, "is not true");
	target->memory = TARGET_KCORE;
	return 0;
}

static int read_memory(const struct place *place, struct json_object *value,
		       struct target *target)
{
	static const struct field fields[] = {
		{ "file", false, read_file },
		{ "format", false, read_format },
		{ "memfd", false, read_memfd },
		{ "function", false, read_function },
		{ "kcore", false, read_kcore },
	};
	int err = READ_OBJECT(place, value, fields, target);
	int kinds;

	if (err)
		return err;
	kinds = json_object_object_length(value);
	if (json_object_object_get(value, "format")) {
		if (!target->path)
			return WRONG_AT(place, "has a format, but no file");
		kinds--;
	}
	if (kinds != 1)
		return WRONG_AT(place, "is not one of file, memfd, function "
				       "and kcore");
	return 0;
}

/* The region that is read is the last one. */
static struct target_region *region(struct target *target)
{
	return &target->regions[target->nr_regions - 1];
}

static int read_gpa(const struct place *place, struct json_object *value,
		    struct target *target)
{
	return read_number(place, value, TARGET_MAX_ADDRESS,
			   &region(target)->gpa);
}

static int read_offset(const struct place *place, struct json_object *value,
		       struct target *target)
{
	return read_number(place, value, TARGET_MAX_ADDRESS,
			   &region(target)->offset);
}

static int read_length(const struct place *place, struct json_object *value,
		       struct target *target)
{
	int err = read_number(place, value, TARGET_MAX_ADDRESS,
			      &region(target)->length);

	if (!err && !region(target)->length)
		err = WRONG_AT(place, "is 0");
	return err;
}

static int by_address(const void *left, const void *right)
{
	const struct target_region *a = left, *b = right;

	return a->gpa < b->gpa ? -1 : a->gpa > b->gpa;
}

/* Sums of two numbers do not wrap, for both are far below 2^63. */
static int check_regions(const struct place *place, struct target *target)
{
	const struct target_region *r = target->regions;

	qsort(target->regions, target->nr_regions, sizeof(*r), by_address);
	for (uint32_t i = 0; i < target->nr_regions; i++) {
		if (r[i].gpa + r[i].length > TARGET_MAX_ADDRESS ||
		    r[i].offset + r[i].length > TARGET_MAX_ADDRESS)
			return WRONG_AT(place, "go beyond 2^52 at gpa %llu",
					(unsigned long long)r[i].gpa);
		if (i && r[i - 1].gpa + r[i - 1].length > r[i].gpa)
			return WRONG_AT(place, "overlap at gpa %llu",
					(unsigned long long)r[i].gpa);
	}
	return 0;
}

static int read_regions(const struct place *place, struct json_object *value,
			struct target *target)
{
	static const struct field fields[] = {
		{ "gpa", true, read_gpa },
		{ "offset", true, read_offset },
		{ "length", true, read_length },
	};
	size_t n;
	int err;

	if (!json_object_is_type(value, json_type_array))
		return WRONG_AT(place, "is no array");
	n = json_object_array_length(value);
	if (!n || n > TARGET_MAX_REGIONS)
		return WRONG_AT(place, "has %zu elements, not 1 to %d", n,
				TARGET_MAX_REGIONS);
	target->regions = calloc(n, sizeof(*target->regions));
	if (!target->regions)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		target->nr_regions++;
		err = READ_OBJECT(place, json_object_array_get_idx(value, i),
				  fields, target);
		if (err)
			return err;
	}
	return check_regions(place, target);
}

static int read_target(const char *path, struct json_object *json,
		       struct target *target)
{
	static const struct field fields[] = {
		{ "vuid", true, read_vuid },
		{ "device", true, read_device },
		{ "memory", true, read_memory },
		{ "regions", false, read_regions },
		{ "qmp", false, read_qmp },
	};
	struct place place = { path, "target" };
	int err = READ_OBJECT(&place, json, fields, target);

	if (!err && target->nr_regions && target->memory != TARGET_FILE &&
	    target->memory != TARGET_MEMFD) {
		place.key = "regions";
		err = WRONG_AT(&place, "are of a file or a memfd only");
	}
	return err;
}

static int read_json(const char *path, const char *text, size_t len,
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
	/* It takes a byte of 0 for the end. */
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

int target_parse(const char *path, const char *text, size_t len,
		 struct target **target)
{
	struct json_object *json = NULL;
	struct target *new;
	int err;

	err = read_json(path, text, len, &json);
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
