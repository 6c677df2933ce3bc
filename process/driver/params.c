// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The module's parameters. */
#include "shim/kernel.h"

#include "inproc.h"

static struct inproc_param *params;

void inproc_param_add(struct inproc_param *param)
{
	param->next = params;
	params = param;
}

bool inproc_set_param(const char *name, unsigned long value)
{
	struct inproc_param *param;

	for (param = params; param; param = param->next) {
		if (strcmp(param->name, name))
			continue;
		if (param->type == INPROC_PARAM_bool)
			WRITE_ONCE(*(bool *)param->value, value);
		else
			WRITE_ONCE(*(unsigned long *)param->value, value);
		return true;
	}
	return false;
}
