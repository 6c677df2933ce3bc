/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* How the values of a record are written, for people and as JSON. */
#ifndef DOCACTL_FIELD_H
#define DOCACTL_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "family.h"

enum field_type {
	FIELD_NUMBER,
	FIELD_SIGNED,
	FIELD_NAME,
	FIELD_HEX,
	FIELD_GUID,
	FIELD_SIZE, /* bytes */
	FIELD_TIME, /* nanoseconds */
	FIELD_IDLE, /* likewise, or for ever */
	FIELD_ACCESS,
	FIELD_DEV_TYPE,
	FIELD_PCI,
	FIELD_SIDE_PCI, /* of one side of a pair */
	FIELD_USERS, /* who may connect through a pair */
	FIELD_QUEUE_STATE,
	FIELD_EXPORT_STATE,
	FIELD_ENGINE_STATE,
	FIELD_ENGINE_IOMMU,
	FIELD_ENGINE, /* what copies for a device, and from which length on */
	FIELD_FLAG,
	FIELD_PENDING, /* entries submitted and not consumed */
};

struct field {
	const char *name; /* in JSON */
	const char *title; /* over the column; NULL: none, only in JSON */
	int attr;
	enum field_type type;
};

#define FIELD_TEXT_MAX 80

bool field_is_absent(const struct field *field, const struct record *record);
/* "-" for what is absent */
void field_text(const struct field *field, const struct record *record,
		char text[FIELD_TEXT_MAX]);
bool field_is_number(const struct field *field);

/* NULL for what is absent */
json_object *field_json(const struct field *field, const struct record *record);
/* All fields up to one without a name */
json_object *fields_json(const struct field *fields,
			 const struct record *record);

/* "512", "4.0K", "1.5M" */
void size_text(double value, char *text, size_t size);
/* Any name of others, without what steers a terminal or is not ASCII */
void safe_text(const char *name, char *text, size_t size);

#endif /* DOCACTL_FIELD_H */
