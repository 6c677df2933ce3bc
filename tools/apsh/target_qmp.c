// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Find the memory of QEMU's machine: the monitor (QMP) lists the parts of the
 * address space with their backends, and the file of a backend.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "open_file.h"
#include "qmp.h"
#include "target.h"

/* Return a property of a backend, NULL if it has none. */
static char *property(struct qmp *qmp, const char *id, const char *name)
{
	struct json_object *value;
	char question[512], *text = NULL;

	if (snprintf(question, sizeof(question),
		     "{\"execute\": \"qom-get\", \"arguments\": {\"path\": "
		     "\"/objects/%s\", \"property\": \"%s\"}}",
		     id, name) >= (int)sizeof(question))
		target_fail("the memory backend has a name that is too long");
	value = qmp_ask(qmp, question);
	if (json_object_is_type(value, json_type_string))
		text = strdup(json_object_get_string(value));
	json_object_put(value);
	return text;
}

/*
 * Parse a line of the form below.
 *
 * "  0000000000100000-000000003fffffff (prio 0, ram): ram @0000000000100000"
 */
static bool parse_region(const char *line, char *name, uint64_t *start,
			 uint64_t *end, uint64_t *offset)
{
	char kind[16];

	*offset = 0;
	if (sscanf(line,
		   " %" SCNx64 "-%" SCNx64
		   " (prio %*d, %15[a-z]): %127s @%" SCNx64,
		   start, end, kind, name, offset) < 4)
		return false;
	return (!strcmp(kind, "ram") || !strcmp(kind, "rom")) && *start < *end;
}

/* Old machines name a backend by its path. */
static bool is_of(const char *name, const char *id)
{
	static const char path[] = "/objects/";

	if (!strncmp(name, path, strlen(path)))
		name += strlen(path);
	return !strcmp(name, id);
}

static void add(struct json_object *to, const char *key, uint64_t number)
{
	json_object_object_add(to, key, json_object_new_uint64(number));
}

static void add_region(struct json_object *regions, uint64_t start,
		       uint64_t end, uint64_t offset)
{
	struct json_object *region = json_object_new_object();

	add(region, "gpa", start);
	add(region, "offset", offset);
	add(region, "length", end - start + 1);
	json_object_array_add(regions, region);
}

/* Collect the regions of a backend in the address space that CPUs see first. */
static struct json_object *parse_tree(const char *tree, const char *id)
{
	const char *line = strstr(tree, "AS \"memory\"");
	struct json_object *regions = json_object_new_array();
	uint64_t start, end, offset;
	char name[128];

	for (; line && strncmp(line, "FlatView", strlen("FlatView"));
	     line = strchr(line, '\n'), line = line ? line + 1 : NULL)
		if (parse_region(line, name, &start, &end, &offset) &&
		    is_of(name, id))
			add_region(regions, start, end, offset);
	return regions;
}

static struct json_object *regions_of(struct qmp *qmp, const char *id)
{
	struct json_object *tree, *regions;

	tree = qmp_ask(qmp,
		       "{\"execute\": \"human-monitor-command\", "
		       "\"arguments\": {\"command-line\": \"info mtree -f\"}}");
	regions = parse_tree(json_object_get_string(tree), id);
	json_object_put(tree);
	return regions;
}

/* Find the only shared backend from which the machine has memory. */
static char *find_backend(struct qmp *qmp, struct json_object **regions)
{
	struct json_object *list, *id, *share;
	char *found = NULL;

	*regions = NULL;
	list = qmp_ask(qmp, "{\"execute\": \"query-memdev\"}");
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *dev = json_object_array_get_idx(list, i);
		struct json_object *its;

		if (!json_object_object_get_ex(dev, "id", &id) ||
		    !json_object_object_get_ex(dev, "share", &share))
			continue;
		its = regions_of(qmp, json_object_get_string(id));
		if (!json_object_array_length(its)) {
			json_object_put(its);
			continue;
		}
		if (!json_object_get_boolean(share))
			target_fail("memory backend %s is not shared: start "
				    "QEMU with share=on",
				    json_object_get_string(id));
		if (found)
			target_fail("the machine has memory of several "
				    "backends; one is supported");
		found = strdup(json_object_get_string(id));
		*regions = its;
	}
	json_object_put(list);
	if (!found)
		target_fail(
			"the machine has no memory backend: start QEMU "
			"with -object memory-backend-file,id=ram,share=on,"
			"size=...,mem-path=... -machine memory-backend=ram");
	return found;
}

/* A path that does not begin at the root begins where QEMU is. */
static char *where_qemu_is(struct qmp *qmp, char *path)
{
	char link[64], folder[PATH_MAX], *whole;
	ssize_t n;

	if (!path || *path == '/')
		return path;
	snprintf(link, sizeof(link), "/proc/%d/cwd", qmp_pid(qmp));
	n = readlink(link, folder, sizeof(folder) - 1);
	if (n >= 0)
		folder[n] = '\0';
	else
		target_fail("mem-path %s is not absolute, and %s cannot be "
			    "read: %s; become root, or the user of QEMU",
			    path, link, strerror(errno));
	if (asprintf(&whole, "%s/%s", folder, path) < 0)
		target_fail("out of memory");
	free(path);
	return whole;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return path && !stat(path, &st) && S_ISDIR(st.st_mode);
}

void qmp_memory(struct qmp *qmp, struct qmp_memory *memory)
{
	char *id, *type;

	*memory = (struct qmp_memory){ 0 };
	id = find_backend(qmp, &memory->regions);
	type = property(qmp, id, "type");
	if (type && !strcmp(type, "memory-backend-file")) {
		memory->path =
			where_qemu_is(qmp, property(qmp, id, "mem-path"));
		if (is_folder(memory->path)) {
			memory->pid = qmp_pid(qmp);
			memory->fd = open_file_in_folder(memory->pid,
							 memory->path, id);
			free(memory->path);
			memory->path = NULL;
		}
	} else if (type && !strcmp(type, "memory-backend-memfd")) {
		memory->pid = qmp_pid(qmp);
		memory->fd = open_file_memfd(memory->pid);
	} else {
		target_fail("memory backend %s is of type %s; it must be "
			    "memory-backend-file or memory-backend-memfd",
			    id, type ? type : "?");
	}
	free(type);
	free(id);
	qmp_close(qmp);
}
