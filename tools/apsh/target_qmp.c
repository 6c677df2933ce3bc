// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Find the memory of QEMU's machine: the monitor (QMP) lists the parts of the address space with
 * their backends, and the file of a backend. One without a path is found by where QEMU has it
 * mapped.
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

/* Ask about a backend; @more are further arguments. */
static struct json_object *ask_about(struct qmp *qmp, const char *command,
				     const char *id, const char *more)
{
	char question[512];

	if (snprintf(question, sizeof(question),
		     "{\"execute\": \"%s\", \"arguments\": {\"path\": "
		     "\"/objects/%s\"%s}}",
		     command, id, more) >= (int)sizeof(question))
		target_fail("the memory backend has a name that is too long");
	return qmp_ask(qmp, question);
}

/* Return a property of a backend, NULL if it is no text. */
static char *property(struct qmp *qmp, const char *id, const char *more)
{
	struct json_object *value = ask_about(qmp, "qom-get", id, more);
	char *text = NULL;

	if (json_object_is_type(value, json_type_string))
		text = strdup(json_object_get_string(value));
	json_object_put(value);
	return text;
}

#define PROPERTY(name) ", \"property\": \"" name "\""

/* Return where in its file the memory of a backend begins, which QEMU can choose since 8.1. */
static uint64_t file_offset(struct qmp *qmp, const char *id)
{
	struct json_object *list = ask_about(qmp, "qom-list", id, ""), *value;
	size_t nr = json_object_is_type(list, json_type_array) ?
			    json_object_array_length(list) :
			    0;
	uint64_t offset = 0;

	for (size_t i = 0; i < nr; i++) {
		struct json_object *one = json_object_array_get_idx(list, i);

		if (!json_object_object_get_ex(one, "name", &value) ||
		    !json_object_is_type(value, json_type_string) ||
		    strcmp(json_object_get_string(value), "offset") != 0)
			continue;
		value = ask_about(qmp, "qom-get", id, PROPERTY("offset"));
		offset = json_object_get_uint64(value);
		json_object_put(value);
	}
	json_object_put(list);
	return offset;
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

static uint64_t number_of(struct json_object *region, const char *key)
{
	return json_object_get_uint64(json_object_object_get(region, key));
}

static void add_region(struct json_object *regions, uint64_t start,
		       uint64_t end, uint64_t offset, size_t part)
{
	struct json_object *region = json_object_new_object();

	add(region, "gpa", start);
	add(region, "offset", offset);
	add(region, "length", end - start + 1);
	add(region, "part", part);
	json_object_array_add(regions, region);
}

/* Add the regions of a backend in the address space that CPUs see first. */
static void add_regions(struct json_object *regions, const char *tree,
			const char *id, size_t part)
{
	const char *line = strstr(tree, "AS \"memory\"");
	uint64_t start, end, offset;
	char name[128];

	for (; line && strncmp(line, "FlatView", strlen("FlatView"));
	     line = strchr(line, '\n'), line = line ? line + 1 : NULL)
		if (parse_region(line, name, &start, &end, &offset) &&
		    is_of(name, id))
			add_region(regions, start, end, offset, part);
}

/* Add an offset to that of all regions from index @from on. */
static void move_regions(struct json_object *regions, size_t from,
			 uint64_t offset)
{
	for (size_t i = from; i < json_object_array_length(regions); i++) {
		struct json_object *its = json_object_array_get_idx(regions, i);

		add(its, "offset", number_of(its, "offset") + offset);
	}
}

static struct json_object *ask_human(struct qmp *qmp, const char *command)
{
	struct json_object *answer;
	char question[256];

	snprintf(question, sizeof(question),
		 "{\"execute\": \"human-monitor-command\", "
		 "\"arguments\": {\"command-line\": \"%s\"}}",
		 command);
	answer = qmp_ask(qmp, question);
	if (!json_object_is_type(answer, json_type_string))
		target_fail("QEMU's monitor does not answer '%s' by a text",
			    command);
	return answer;
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

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* "Host virtual address for 0x0 (ram) is 0x7f0000000000" */
static uint64_t where_mapped(struct qmp *qmp, uint64_t gpa)
{
	struct json_object *answer;
	const char *is;
	char command[64];
	uint64_t va;

	snprintf(command, sizeof(command), "gpa2hva %#" PRIx64, gpa);
	answer = ask_human(qmp, command);
	is = strstr(json_object_get_string(answer), " is 0x");
	if (!is || sscanf(is, " is %" SCNx64, &va) != 1)
		target_fail("QEMU does not tell where it has %#" PRIx64
			    " of the machine's memory: it answers '%s'",
			    gpa, json_object_get_string(answer));
	json_object_put(answer);
	return va;
}

/* Return QEMU's descriptor of the file that has a region. */
static int find_open(struct qmp *qmp, struct json_object *region)
{
	uint64_t va = where_mapped(qmp, number_of(region, "gpa"));

	return open_file_mapped(qmp_pid(qmp), va, number_of(region, "offset"));
}

/* Libvirt may be on another machine, or QEMU see other files than the caller. */
static void check_file(struct qmp *qmp, const char *path,
		       struct json_object *region)
{
	char opened[64];
	struct stat ours, its;

	snprintf(opened, sizeof(opened), "/proc/%d/fd/%d", qmp_pid(qmp),
		 find_open(qmp, region));
	if (stat(path, &ours))
		target_fail("%s: %s", path, strerror(errno));
	if (stat(opened, &its))
		target_fail("%s: %s", opened, strerror(errno));
	if (ours.st_dev != its.st_dev || ours.st_ino != its.st_ino)
		target_fail("%s is not the file of that name which process %d "
			    "has as memory",
			    path, qmp_pid(qmp));
}

static struct json_object *open_part(struct qmp *qmp,
				     struct json_object *region)
{
	struct json_object *part = json_object_new_object();
	struct json_object *memfd = json_object_new_object();
	int fd = find_open(qmp, region);

	json_object_object_add(memfd, "pid", json_object_new_int(qmp_pid(qmp)));
	json_object_object_add(memfd, "fd", json_object_new_int(fd));
	json_object_object_add(part, "memfd", memfd);
	return part;
}

static struct json_object *file_part(const char *path)
{
	struct json_object *part = json_object_new_object();
	char *absolute = realpath(path, NULL);

	if (!absolute)
		target_fail("%s: %s", path, strerror(errno));
	json_object_object_add(part, "file", json_object_new_string(absolute));
	free(absolute);
	return part;
}

/* Describe the file of a backend, whose first region is @region. */
static struct json_object *part_of(struct qmp *qmp, const char *id,
				   struct json_object *region)
{
	char *type = property(qmp, id, PROPERTY("type")), *path = NULL;
	struct json_object *part;

	if (type && !strcmp(type, "memory-backend-file"))
		path = where_qemu_is(qmp,
				     property(qmp, id, PROPERTY("mem-path")));
	else if (!type || strcmp(type, "memory-backend-memfd") != 0)
		target_fail("memory backend %s is of type %s; it must be "
			    "memory-backend-file or memory-backend-memfd",
			    id, type ? type : "?");
	if (path && is_folder(path)) {
		free(path);
		path = NULL;
	}
	if (path && qmp->domain)
		check_file(qmp, path, region);
	part = path ? file_part(path) : open_part(qmp, region);
	free(path);
	free(type);
	return part;
}

/* Add a backend from which the machine has memory, and which must be shared. */
static void add_backend(struct qmp *qmp, const char *tree,
			struct json_object *dev, struct qmp_memory *memory)
{
	size_t before = json_object_array_length(memory->regions);
	size_t part = json_object_array_length(memory->parts);
	struct json_object *id, *share;

	if (!json_object_object_get_ex(dev, "id", &id) ||
	    !json_object_is_type(id, json_type_string) ||
	    !json_object_object_get_ex(dev, "share", &share))
		return;
	add_regions(memory->regions, tree, json_object_get_string(id), part);
	if (json_object_array_length(memory->regions) == before)
		return;
	if (!json_object_get_boolean(share))
		target_fail("memory backend %s is not shared: start QEMU with "
			    "share=on",
			    json_object_get_string(id));
	move_regions(memory->regions, before,
		     file_offset(qmp, json_object_get_string(id)));
	json_object_array_add(
		memory->parts,
		part_of(qmp, json_object_get_string(id),
			json_object_array_get_idx(memory->regions, before)));
}

void qmp_memory(struct qmp *qmp, struct qmp_memory *memory)
{
	struct json_object *list, *tree;

	memory->parts = json_object_new_array();
	memory->regions = json_object_new_array();
	list = qmp_ask(qmp, "{\"execute\": \"query-memdev\"}");
	if (!json_object_is_type(list, json_type_array))
		target_fail("QEMU's monitor does not answer query-memdev by a "
			    "list");
	tree = ask_human(qmp, "info mtree -f");
	for (size_t i = 0; i < json_object_array_length(list); i++)
		add_backend(qmp, json_object_get_string(tree),
			    json_object_array_get_idx(list, i), memory);
	json_object_put(tree);
	json_object_put(list);
	if (!json_object_array_length(memory->parts))
		target_fail(
			"the machine has no memory backend: start QEMU "
			"with -object memory-backend-file,id=ram,share=on,"
			"size=...,mem-path=... -machine memory-backend=ram");
	qmp_close(qmp);
}
