// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_form.h"
#include "report.h"

#define INDENT 4
#define COLUMN 40 /* column of values, from the margin */

static void *needed(void *p)
{
	if (p)
		return p;
	fputs("doca_caps: out of memory\n", stderr);
	exit(EXIT_FAILURE);
}

void report_add(struct json_object *to, const char *name,
		struct json_object *value)
{
	if (json_object_object_add(to, name, value))
		needed(NULL);
}

void report_add_text(struct json_object *to, const char *name, const char *text)
{
	report_add(to, name, needed(json_object_new_string(text)));
}

void report_add_number(struct json_object *to, const char *name,
		       uint64_t number)
{
	report_add(to, name, needed(json_object_new_uint64(number)));
}

struct json_object *report_new_object(void)
{
	return needed(json_object_new_object());
}

struct json_object *report_new_array(void)
{
	return needed(json_object_new_array());
}

void report_append(struct json_object *to, struct json_object *value)
{
	if (json_object_array_add(to, value))
		needed(NULL);
}

static int flush(void)
{
	return fflush(stdout) || ferror(stdout) ? -1 : 0;
}

int report_print_json(struct json_object *report)
{
	struct json_object *document = needed(json_document(report));

	puts(needed((void *)json_object_to_json_string_ext(
		document,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE)));
	json_object_put(document);
	return flush();
}

static const char *text_of(struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_null:
		return "unknown";
	case json_type_boolean:
		return json_object_get_boolean(value) ? "supported" :
							"unsupported";
	default:
		return json_object_get_string(value);
	}
}

static void print_object(struct json_object *object, int depth);

static void print_section(const char *name, struct json_object *object,
			  int depth)
{
	printf("%*s%s\n", depth * INDENT, "", name);
	print_object(object, depth + 1);
}

/* Print one section for each element. */
static void print_array(const char *name, struct json_object *array, int depth)
{
	size_t n = json_object_array_length(array);
	char heading[64];

	if (!n)
		printf("%*s%-*s none\n", depth * INDENT, "",
		       COLUMN - depth * INDENT, name);
	for (size_t i = 0; i < n; i++) {
		snprintf(heading, sizeof(heading), "%s[%zu]", name, i);
		print_section(heading, json_object_array_get_idx(array, i),
			      depth);
	}
}

/* The address of a device heads what follows. */
static void print_object(struct json_object *object, int depth)
{
	json_object_object_foreach(object, name, value)
	{
		int margin = depth * INDENT;

		if (json_object_is_type(value, json_type_object))
			print_section(name, value, depth);
		else if (json_object_is_type(value, json_type_array))
			print_array(name, value, depth);
		else if (depth == 1 && !strcmp(name, "pci_addr"))
			printf("PCI: %s\n",
			       value ? json_object_get_string(value) : "none");
		else
			printf("%*s%-*s %s\n", margin, "", COLUMN - margin,
			       name, text_of(value));
	}
}

static void print_array_of_devices(struct json_object *report)
{
	for (size_t i = 0; i < json_object_array_length(report); i++) {
		if (i)
			putchar('\n');
		print_object(json_object_array_get_idx(report, i), 1);
	}
}

int report_print_text(struct json_object *report)
{
	if (json_object_is_type(report, json_type_object))
		print_object(report, 0);
	else
		print_array_of_devices(report);
	json_object_put(report);
	return flush();
}
