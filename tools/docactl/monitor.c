// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Show devices and pairs that come and go, until the program is ended */
#include <stdio.h>

#include <netlink/genl/genl.h>

#include "commands.h"

struct event {
	const char *name;
	const struct kind *kind; /* kind of its object */
};

/* Return NULL if it is not an event */
static const struct event *event_of(const struct record *record)
{
	static const struct event events[DOCA_GENL_CMD_MAX + 1] = {
		[DOCA_GENL_CMD_DEV_ADD] = { "add", &kind_device },
		[DOCA_GENL_CMD_DEV_DEL] = { "delete", &kind_device },
		[DOCA_GENL_CMD_DEV_CHANGE] = { "change", &kind_device },
		[DOCA_GENL_CMD_ENGINE_DEAD] = { "dead", &kind_device },
		[DOCA_GENL_CMD_FUNCTION_ADD] = { "pair-add", &kind_pair },
		[DOCA_GENL_CMD_FUNCTION_DEL] = { "pair-delete", &kind_pair },
	};
	const struct genlmsghdr *hdr = nlmsg_data(record->hdr);

	if (hdr->cmd > DOCA_GENL_CMD_MAX || !events[hdr->cmd].name)
		return NULL;
	return &events[hdr->cmd];
}

static void print_event(const struct event *event, const struct record *record)
{
	const struct field *field;
	char text[FIELD_TEXT_MAX];

	printf("%s", event->name);
	for (field = event->kind->fields; field->name; field++) {
		if (field_is_absent(field, record))
			continue;
		field_text(field, record, text);
		printf(" %s %s", field->name, text);
	}
	putchar('\n');
}

static int print_event_json(const struct event *event,
			    const struct record *record)
{
	json_object *object = fields_json(event->kind->fields, record);

	json_object_object_add(object, "event",
			       json_object_new_string(event->name));
	return json_print_line(object);
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
			const struct event *event = event_of(&records.all[i]);

			if (!event)
				continue;
			if (opts->json)
				ret = print_event_json(event, &records.all[i]);
			else
				print_event(event, &records.all[i]);
		}
		if (fflush(stdout))
			ret = -1;
	}
	records_free(&records);
	return ret;
}
