// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/doca.h>

#include "field.h"
#include "pci.h"

static const struct {
	uint32_t bit;
	const char *name;
} access_names[] = {
	{ DOCA_ACCESS_LOCAL_READ, "local-read" },
	{ DOCA_ACCESS_LOCAL_WRITE, "local-write" },
	{ DOCA_ACCESS_PCI_READ, "pci-read" },
	{ DOCA_ACCESS_PCI_WRITE, "pci-write" },
	{ DOCA_ACCESS_RDMA_READ, "rdma-read" },
	{ DOCA_ACCESS_RDMA_WRITE, "rdma-write" },
	{ DOCA_ACCESS_RDMA_ATOMIC, "rdma-atomic" },
};
#define NR_ACCESS_NAMES (sizeof(access_names) / sizeof(access_names[0]))

void size_text(double value, char *text, size_t size)
{
	static const char units[] = "KMGTPE";
	int unit = -1;

	for (; value >= 1024 && unit < 5; unit++)
		value /= 1024;
	if (unit < 0)
		snprintf(text, size, "%.0f", value);
	else
		snprintf(text, size, "%.1f%c", value, units[unit]);
}

void safe_text(const char *name, char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size - 1 && name[i]; i++)
		text[i] = name[i] >= ' ' && name[i] <= '~' ? name[i] : '?';
	text[i] = '\0';
}

static const char *dev_type(uint64_t type)
{
	switch (type) {
	case DOCA_DEV_SOFTWARE:
		return "software";
	case DOCA_DEV_RDMA:
		return "rdma";
	case DOCA_DEV_ENGINE:
		return "engine";
	}
	return "unknown";
}

const char *queue_state(const struct record *record)
{
	if (record->attrs[DOCA_GENL_A_CLOSED])
		return "closed";
	if (record->attrs[DOCA_GENL_A_REMOVED])
		return "removed";
	switch (record_value(record, DOCA_GENL_A_QUEUE_STATE)) {
	case DOCA_QUEUE_RUN:
		return "run";
	case DOCA_QUEUE_FLUSH:
		return "flush";
	case DOCA_QUEUE_BROKEN:
		return "broken";
	}
	return "unknown";
}

static const char *export_state(const struct record *record)
{
	return record->attrs[DOCA_GENL_A_REVOKED] ? "revoked" : "live";
}

static const char *engine_state(uint64_t state)
{
	switch (state) {
	case DOCA_ENGINE_LIVE:
		return "live";
	case DOCA_ENGINE_SUSPECT:
		return "suspect";
	case DOCA_ENGINE_DYING:
		return "dying";
	case DOCA_ENGINE_DEAD:
		return "dead";
	case DOCA_ENGINE_FREE:
		return "free";
	}
	return "unknown";
}

static const char *engine_iommu(uint64_t iommu)
{
	switch (iommu) {
	case DOCA_ENGINE_IOMMU_NONE:
		return "none";
	case DOCA_ENGINE_IOMMU_IDENTITY:
		return "identity";
	case DOCA_ENGINE_IOMMU_TRANSLATED:
		return "translated";
	}
	return "unknown";
}

/* Return its name, or its driver if the device has the same name */
static const char *engine_name(const struct record *record)
{
	const char *name = record_string(record, DOCA_GENL_A_ENGINE_NAME);

	if (!*name ||
	    !strcmp(name, record_string(record, DOCA_GENL_A_DEV_NAME)))
		return record_string(record, DOCA_GENL_A_ENGINE_DRIVER);
	return name;
}

static void engine_text(const struct record *record, char text[FIELD_TEXT_MAX])
{
	char name[FIELD_TEXT_MAX / 2], length[FIELD_TEXT_MAX / 4];

	safe_text(engine_name(record), name, sizeof(name));
	size_text(record_value(record, DOCA_GENL_A_ENGINE_MIN_LENGTH), length,
		  sizeof(length));
	snprintf(text, FIELD_TEXT_MAX, "%s,%s,%s,%s", name,
		 engine_state(record_value(record, DOCA_GENL_A_ENGINE_STATE)),
		 engine_iommu(record_value(record, DOCA_GENL_A_ENGINE_IOMMU)),
		 length);
}

static const char *role(uint64_t role)
{
	switch (role) {
	case DOCA_GENL_ROLE_NONE:
		return "none";
	case DOCA_GENL_ROLE_SERVER:
		return "server";
	case DOCA_GENL_ROLE_CLIENT:
		return "client";
	case DOCA_GENL_ROLE_PRODUCER:
		return "producer";
	case DOCA_GENL_ROLE_CONSUMER:
		return "consumer";
	}
	return "unknown";
}

/* User space writes one of the two indices, and may write anything. */
static uint32_t between(const struct record *record, int tail, int head,
			int entries)
{
	uint32_t nr = record_value(record, tail) - record_value(record, head);
	uint32_t max = record_value(record, entries);

	return nr < max ? nr : max;
}

uint32_t queue_pending(const struct record *record)
{
	return between(record, DOCA_GENL_A_SQ_TAIL, DOCA_GENL_A_SQ_HEAD,
		       DOCA_GENL_A_SQ_ENTRIES);
}

static uint32_t unread(const struct record *record)
{
	return between(record, DOCA_GENL_A_EV_TAIL, DOCA_GENL_A_EV_HEAD,
		       DOCA_GENL_A_EV_ENTRIES);
}

/* Names of resources that are counted in bytes say so. */
static bool is_in_bytes(const struct record *record)
{
	const char *name = record_string(record, DOCA_GENL_A_RESOURCE);
	const size_t length = strlen(name), end = strlen("bytes");

	return length >= end && !strcmp(name + length - end, "bytes");
}

static void amount_text(const struct record *record, uint64_t amount,
			char text[FIELD_TEXT_MAX])
{
	if (is_in_bytes(record))
		size_text(amount, text, FIELD_TEXT_MAX);
	else
		snprintf(text, FIELD_TEXT_MAX, "%" PRIu64, amount);
}

/* As df does, it rounds up: what is used at all is not 0. */
static uint64_t used_percent(const struct record *record, uint64_t limit)
{
	unsigned __int128 used = record_value(record, DOCA_GENL_A_USED);

	return (used * 100 + limit - 1) / limit;
}

static void access_text(uint32_t access, char text[FIELD_TEXT_MAX])
{
	size_t i, len = 0;

	text[0] = '\0';
	for (i = 0; i < NR_ACCESS_NAMES; i++)
		if (access & access_names[i].bit)
			len += snprintf(text + len, FIELD_TEXT_MAX - len,
					"%s%s", len ? "," : "",
					access_names[i].name);
}

/* Return "" if there is none */
static const char *pci_text(const struct field *field,
			    const struct record *record)
{
	static char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];

	if (record->attrs[field->attr])
		return record_string(record, field->attr);
	/* The attribute before a side's address is its name. */
	if (field->type == FIELD_SIDE_PCI && record->attrs[field->attr - 1])
		pci_of(record_string(record, field->attr - 1), pci);
	else if (record_value(record, DOCA_GENL_A_DEV_TYPE) == DOCA_DEV_RDMA)
		pci_of(record_string(record, DOCA_GENL_A_DEV_NAME), pci);
	else
		return "";
	return pci;
}

bool field_is_absent(const struct field *field, const struct record *record)
{
	switch (field->type) {
	case FIELD_PCI:
	case FIELD_SIDE_PCI:
		return !*pci_text(field, record);
	case FIELD_USERS:
		/* A pair that has ended only has a name. */
		return !record->attrs[DOCA_GENL_A_FUNCTION_VUID];
	case FIELD_PERCENT:
		return !record_value(record, field->attr);
	case FIELD_QUEUE_STATE:
	case FIELD_EXPORT_STATE:
	case FIELD_PENDING:
	case FIELD_UNREAD:
	case FIELD_FLAG:
		return false;
	default:
		return !record->attrs[field->attr];
	}
}

void field_text(const struct field *field, const struct record *record,
		char text[FIELD_TEXT_MAX])
{
	uint64_t value = record_value(record, field->attr);
	const size_t size = FIELD_TEXT_MAX;

	if (field_is_absent(field, record)) {
		snprintf(text, size, "-");
		return;
	}
	switch (field->type) {
	case FIELD_NUMBER:
		snprintf(text, size, "%" PRIu64, value);
		break;
	case FIELD_SIGNED:
		snprintf(text, size, "%" PRId32, (int32_t)value);
		break;
	case FIELD_NAME:
		safe_text(record_string(record, field->attr), text, size);
		break;
	case FIELD_HEX:
		snprintf(text, size, "0x%" PRIx64, value);
		break;
	case FIELD_GUID:
		snprintf(text, size, "%016" PRIx64, value);
		break;
	case FIELD_SIZE:
		size_text(value, text, size);
		break;
	case FIELD_AMOUNT:
		amount_text(record, value, text);
		break;
	case FIELD_PERCENT:
		snprintf(text, size, "%" PRIu64, used_percent(record, value));
		break;
	case FIELD_TIME:
		snprintf(text, size, "%.3fs", value / 1e9);
		break;
	case FIELD_IDLE:
		if (value == UINT64_MAX)
			snprintf(text, size, "never");
		else
			snprintf(text, size, "%" PRIu64 "us", value / 1000);
		break;
	case FIELD_ACCESS:
		access_text(value, text);
		break;
	case FIELD_DEV_TYPE:
		snprintf(text, size, "%s", dev_type(value));
		break;
	case FIELD_PCI:
	case FIELD_SIDE_PCI:
		safe_text(pci_text(field, record), text, size);
		break;
	case FIELD_USERS:
		snprintf(text, size, "%s", value ? "any" : "same");
		break;
	case FIELD_QUEUE_STATE:
		snprintf(text, size, "%s", queue_state(record));
		break;
	case FIELD_EXPORT_STATE:
		snprintf(text, size, "%s", export_state(record));
		break;
	case FIELD_ENGINE_STATE:
		snprintf(text, size, "%s", engine_state(value));
		break;
	case FIELD_ENGINE_IOMMU:
		snprintf(text, size, "%s", engine_iommu(value));
		break;
	case FIELD_ENGINE:
		engine_text(record, text);
		break;
	case FIELD_FLAG:
		snprintf(text, size, "%s", value ? "yes" : "no");
		break;
	case FIELD_PENDING:
		snprintf(text, size, "%" PRIu32, queue_pending(record));
		break;
	case FIELD_UNREAD:
		snprintf(text, size, "%" PRIu32, unread(record));
		break;
	case FIELD_ROLE:
		snprintf(text, size, "%s", role(value));
		break;
	}
}

bool field_is_number(const struct field *field)
{
	switch (field->type) {
	case FIELD_NUMBER:
	case FIELD_SIGNED:
	case FIELD_SIZE:
	case FIELD_AMOUNT:
	case FIELD_PERCENT:
	case FIELD_TIME:
	case FIELD_IDLE:
	case FIELD_PENDING:
	case FIELD_UNREAD:
		return true;
	default:
		return false;
	}
}

static json_object *access_json(uint32_t access)
{
	json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < NR_ACCESS_NAMES; i++)
		if (access & access_names[i].bit)
			json_object_array_add(
				array,
				json_object_new_string(access_names[i].name));
	return array;
}

json_object *field_json(const struct field *field, const struct record *record)
{
	uint64_t value = record_value(record, field->attr);
	char text[FIELD_TEXT_MAX];

	if (field_is_absent(field, record))
		return NULL;
	switch (field->type) {
	case FIELD_NUMBER:
	case FIELD_HEX:
	case FIELD_SIZE:
	case FIELD_AMOUNT:
	case FIELD_TIME:
		return json_object_new_uint64(value);
	case FIELD_PERCENT:
		return json_object_new_uint64(used_percent(record, value));
	case FIELD_SIGNED:
		return json_object_new_int((int32_t)value);
	case FIELD_PENDING:
		return json_object_new_uint64(queue_pending(record));
	case FIELD_UNREAD:
		return json_object_new_uint64(unread(record));
	case FIELD_IDLE:
		/* null: it never sleeps */
		return value == UINT64_MAX ? NULL :
					     json_object_new_uint64(value);
	case FIELD_ACCESS:
		return access_json(value);
	case FIELD_FLAG:
		return json_object_new_boolean(value);
	case FIELD_NAME:
	case FIELD_GUID:
	case FIELD_DEV_TYPE:
	case FIELD_PCI:
	case FIELD_SIDE_PCI:
	case FIELD_USERS:
	case FIELD_QUEUE_STATE:
	case FIELD_EXPORT_STATE:
	case FIELD_ENGINE_STATE:
	case FIELD_ENGINE_IOMMU:
	case FIELD_ENGINE:
	case FIELD_ROLE:
		break;
	}
	field_text(field, record, text);
	return json_object_new_string(text);
}

json_object *fields_json(const struct field *fields,
			 const struct record *record)
{
	json_object *object = json_object_new_object();
	const struct field *field;

	for (field = fields; field->name; field++)
		if (!field_is_absent(field, record))
			json_object_object_add(object, field->name,
					       field_json(field, record));
	return object;
}
