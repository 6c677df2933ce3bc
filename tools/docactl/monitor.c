// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Devices that come and go, until it is ended */
#include <stdio.h>

#include <netlink/genl/genl.h>

#include "commands.h"

static const char *event_name(const struct record *record)
{
	const struct genlmsghdr *hdr = nlmsg_data(record->hdr);

	switch (hdr->cmd) {
	case DOCA_GENL_CMD_DEV_ADD:
		return "add";
	case DOCA_GENL_CMD_DEV_DEL:
		return "delete";
	case DOCA_GENL_CMD_DEV_CHANGE:
		return "change";
	case DOCA_GENL_CMD_ENGINE_DEAD:
		return "dead";
	}
	return NULL;
}

static void print_event(const char *name, const struct record *record)
{
	const struct field *field;
	char text[FIELD_TEXT_MAX];

	printf("%s", name);
	for (field = kind_device.fields; field->name; field++) {
		if (field_is_absent(field, record))
			continue;
		field_text(field, record, text);
		printf(" %s %s", field->name, text);
	}
	putchar('\n');
}

static int print_event_json(const char *name, const struct record *record)
{
	json_object *object = fields_json(kind_device.fields, record);

	json_object_object_add(object, "event", json_object_new_string(name));
	return json_print(object, true);
}

int command_monitor(struct family *family, const struct options *opts)
{
	struct records records = { 0 };
	int ret;
	size_t i;

	ret = family_subscribe(family);
	while (!ret) {
		ret = family_wait(family, &records);
		for (i = 0; !ret && i < records.n; i++) {
			const char *name = event_name(&records.all[i]);

			if (!name)
				continue;
			if (opts->json)
				ret = print_event_json(name, &records.all[i]);
			else
				print_event(name, &records.all[i]);
		}
		if (fflush(stdout))
			ret = -1;
	}
	records_free(&records);
	return ret;
}
