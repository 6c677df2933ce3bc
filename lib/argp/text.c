// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Names and texts of flags and commands. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "argp.h"

void argp_set_text(char **field, bool *broken, const char *text)
{
	free(*field);
	*field = text ? strdup(text) : NULL;
	if (text && !*field)
		*broken = true;
}

bool argp_name_valid(const char *name)
{
	if (!*name || *name == '-')
		return false;
	for (; *name; name++)
		if (*name == '=' || isspace((unsigned char)*name))
			return false;
	return true;
}

struct argp_label argp_label(const struct doca_argp_param *param)
{
	struct argp_label label;

	if (param->long_name)
		snprintf(label.text, sizeof(label.text), "--%s",
			 param->long_name);
	else if (param->short_name)
		snprintf(label.text, sizeof(label.text), "-%s",
			 param->short_name);
	else
		snprintf(label.text, sizeof(label.text), "without a name");
	return label;
}
