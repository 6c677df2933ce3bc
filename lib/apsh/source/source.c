// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/device/target.h"

#include "../record.h"
#include "file.h"

LOG_SOURCE("APSH");

doca_error_t source_open(struct source *s, const struct target *t)
{
	doca_error_t ret;

	memset(s, 0, sizeof(*s));
	s->fd = -1;
	switch (t->memory) {
	case TARGET_FILE:
	case TARGET_MEMFD:
		s->ops = &source_file_ops;
		break;
	case TARGET_PARTS:
		s->ops = &source_parts_ops;
		break;
	case TARGET_KCORE:
		s->ops = &source_kcore_ops;
		break;
	case TARGET_FUNCTION:
		if (!strcmp(t->function, "local")) {
			s->ops = &source_kcore_ops;
			break;
		}
		return FAIL(NOT_SUPPORTED,
			    "the memory of target %s is that of function %s, "
			    "which cannot be read here; name \"local\", which "
			    "is this machine, or a file instead",
			    t->name, t->function);
	}
	if (!s->ops)
		return FAIL(NOT_SUPPORTED, "target %s has memory of kind %d",
			    t->name, t->memory);
	ret = s->ops->open(s, t);
	if (ret != DOCA_SUCCESS)
		source_close(s);
	return ret;
}

int source_read(struct source *s, struct source_range *r, unsigned int nr)
{
	int err = s->ops->read(s, r, nr);

	if (!err && s->record)
		record_add(s->record, r, nr);
	return err;
}

void source_close(struct source *s)
{
	record_free(s->record);
	if (s->ops)
		s->ops->close(s);
	memset(s, 0, sizeof(*s));
	s->fd = -1;
}
