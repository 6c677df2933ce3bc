/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Format the values of a record, for people and as JSON. */
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
	FIELD_AMOUNT, /* bytes, if the resource is counted in them */
	FIELD_PERCENT, /* share of a limit that is used */
	FIELD_TIME, /* nanoseconds */
	FIELD_IDLE, /* likewise, or for ever */
	FIELD_ACCESS,
	FIELD_DEV_TYPE,
	FIELD_PCI,
	FIELD_SIDE_PCI, /* address of one side of a pair */
	FIELD_USERS, /* users that may connect through a pair */
	FIELD_QUEUE_STATE,
	FIELD_EXPORT_STATE,
	FIELD_ENGINE_STATE,
	FIELD_ENGINE_IOMMU,
	FIELD_ENGINE, /* engine for a device, and its least length */
	FIELD_FLAG,
	FIELD_PENDING, /* entries submitted and not consumed */
	FIELD_UNREAD, /* events written and not reaped */
	FIELD_ROLE,
};

struct field {
	const char *name; /* in JSON */
	const char *title; /* head of the column; NULL: only in JSON */
	int attr;
	enum field_type type;
};

#define FIELD_TEXT_MAX 128 /* the name of a server and a zero fit */

bool field_is_absent(const struct field *field, const struct record *record);
/* Write "-" for an absent value */
void field_text(const struct field *field, const struct record *record,
		char text[FIELD_TEXT_MAX]);
bool field_is_number(const struct field *field);

/* Return NULL for an absent value */
json_object *field_json(const struct field *field, const struct record *record);
/* Make JSON of all fields; the last one has no name */
json_object *fields_json(const struct field *fields,
			 const struct record *record);

/* Return the worst of a queue's states */
const char *queue_state(const struct record *record);
/* Return the number of entries that are submitted and not consumed */
uint32_t queue_pending(const struct record *record);

/* Write "512", "4.0K", "1.5M" */
void size_text(double value, char *text, size_t size);
/* Copy a name from others, without terminal controls or other bytes that are not ASCII */
void safe_text(const char *name, char *text, size_t size);

#endif /* DOCACTL_FIELD_H */
