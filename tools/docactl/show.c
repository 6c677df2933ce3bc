// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Listings of one kind of objects, and counts of all kinds */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/json_form.h"
#include "msg.h"
#include "table.h"

static int print_as(json_object *value, int flags)
{
	const char *text =
		value ? json_object_to_json_string_ext(value, flags) : NULL;
	int ret = text ? 0 : fail("out of memory");

	if (text)
		puts(text);
	json_object_put(value);
	return ret;
}

int json_print(json_object *value)
{
	return print_as(json_document(value), JSON_C_TO_STRING_PRETTY);
}

int json_print_line(json_object *value)
{
	return print_as(value, JSON_C_TO_STRING_SPACED);
}

static int show_json(const struct records *records, const struct options *opts)
{
	json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < records->n; i++)
		if (filter_passes(&opts->filter, &records->all[i]))
			json_object_array_add(array,
					      fields_json(opts->kind->fields,
							  &records->all[i]));
	return json_print(array);
}

static void add_row(struct table *table, const struct field *fields,
		    const struct record *record)
{
	char text[FIELD_TEXT_MAX];

	for (; fields->name; fields++) {
		if (!fields->title)
			continue;
		field_text(fields, record, text);
		table_cell(table, text);
	}
}

static int show_text(const struct records *records, const struct options *opts)
{
	const struct field *field, *fields = opts->kind->fields;
	struct table table;
	size_t i, n = 0;

	for (field = fields; field->name; field++)
		n += !!field->title;
	if (table_init(&table, n))
		return -1;
	for (field = fields; field->name; field++)
		if (field->title)
			table_title(&table, field->title,
				    field_is_number(field));
	for (i = 0; i < records->n; i++)
		if (filter_passes(&opts->filter, &records->all[i]))
			add_row(&table, fields, &records->all[i]);
	return table_print(&table);
}

/* Return the first object of the device; NULL if there is none */
static const struct record *names_device(const struct records *records,
					 const char *name)
{
	size_t i;

	for (i = 0; i < records->n; i++)
		if (!strcmp(record_string(&records->all[i],
					  DOCA_GENL_A_DEV_NAME),
			    name))
			return &records->all[i];
	return NULL;
}

uint32_t find_device(const struct records *devices, const char *name)
{
	const struct record *device = names_device(devices, name);

	if (device)
		return record_value(device, DOCA_GENL_A_DEV_ID);
	fail("there is no device '%s'", name);
	hint("'docactl device' lists devices.");
	return 0;
}

/* Objects of a device that was removed are listed until their owners release them. */
int check_device(struct family *family, const struct records *shown,
		 const char *name)
{
	struct records devices = { 0 };
	int ret;

	if (!name || names_device(shown, name))
		return 0;
	ret = family_list(family, kind_device.cmd, &devices);
	if (!ret && !find_device(&devices, name))
		ret = -1;
	records_free(&devices);
	return ret;
}

int command_show(struct family *family, const struct options *opts)
{
	struct records records = { 0 };
	int ret;

	ret = family_list(family, opts->kind->cmd, &records);
	if (!ret)
		ret = check_device(family, &records, opts->filter.dev);
	if (!ret)
		ret = opts->json ? show_json(&records, opts) :
				   show_text(&records, opts);
	records_free(&records);
	return ret;
}

struct sums {
	uint64_t devices;
	uint64_t pairs;
	uint64_t files;
	uint64_t memories;
	uint64_t pinned_bytes;
	uint64_t mappings;
	uint64_t exports;
	uint64_t workers;
	uint64_t queues;
	uint64_t ring_bytes;
};

static void add_file(struct sums *sums, const struct record *record)
{
	sums->memories += record_value(record, DOCA_GENL_A_MEMORIES);
	sums->pinned_bytes += record_value(record, DOCA_GENL_A_PINNED_BYTES);
	sums->mappings += record_value(record, DOCA_GENL_A_MAPPINGS);
	sums->exports += record_value(record, DOCA_GENL_A_EXPORTS);
	sums->workers += record_value(record, DOCA_GENL_A_WORKERS);
	sums->queues += record_value(record, DOCA_GENL_A_QUEUES);
	sums->ring_bytes += record_value(record, DOCA_GENL_A_RING_BYTES);
}

static int summary_json(const struct sums *sums)
{
	const struct {
		const char *name;
		uint64_t value;
	} all[] = {
		{ "devices", sums->devices },
		{ "pairs", sums->pairs },
		{ "files", sums->files },
		{ "memories", sums->memories },
		{ "pinned_bytes", sums->pinned_bytes },
		{ "mappings", sums->mappings },
		{ "exports", sums->exports },
		{ "workers", sums->workers },
		{ "queues", sums->queues },
		{ "ring_bytes", sums->ring_bytes },
	};
	json_object *object = json_object_new_object();
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		json_object_object_add(object, all[i].name,
				       json_object_new_uint64(all[i].value));
	return json_print(object);
}

static int summary_text(const struct sums *sums)
{
	char pinned[32], rings[32];

	size_text(sums->pinned_bytes, pinned, sizeof(pinned));
	size_text(sums->ring_bytes, rings, sizeof(rings));
	printf("devices:  %" PRIu64 "\n", sums->devices);
	printf("pairs:    %" PRIu64 "\n", sums->pairs);
	printf("files:    %" PRIu64 "\n", sums->files);
	printf("memories: %" PRIu64 ", %s pinned\n", sums->memories, pinned);
	printf("mappings: %" PRIu64 "\n", sums->mappings);
	printf("exports:  %" PRIu64 "\n", sums->exports);
	printf("workers:  %" PRIu64 "\n", sums->workers);
	printf("queues:   %" PRIu64 ", %s of rings\n", sums->queues, rings);
	return 0;
}

/* Count the objects of a kind, each of which is given to a function, if there is one. */
static int sum_up(struct family *family, const struct kind *kind,
		  uint64_t *count, struct sums *sums,
		  void (*add)(struct sums *sums, const struct record *record))
{
	struct records records = { 0 };
	int ret = family_list(family, kind->cmd, &records);
	size_t i;

	for (i = 0; add && !ret && i < records.n; i++)
		add(sums, &records.all[i]);
	*count = records.n;
	records_free(&records);
	return ret;
}

int command_summary(struct family *family, const struct options *opts)
{
	struct sums sums = { 0 };
	int ret;

	ret = sum_up(family, &kind_device, &sums.devices, &sums, NULL);
	if (!ret)
		ret = sum_up(family, &kind_pair, &sums.pairs, &sums, NULL);
	if (!ret)
		ret = sum_up(family, &kind_file, &sums.files, &sums, add_file);
	if (ret)
		return ret;
	return opts->json ? summary_json(&sums) : summary_text(&sums);
}
