// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The end of a command. */
#include <stdio.h>

#include "commands.h"

bool command_differs, command_incomplete;

/* As in the manual, findings come before failures and missing memory. */
int command_verdict(doca_error_t ret, const char *command)
{
	if (command_incomplete)
		fprintf(stderr,
			"doca_apsh: %s: cannot tell: something is missing\n",
			command);
	if (ret != DOCA_SUCCESS)
		fprintf(stderr, "doca_apsh: %s: %s\n", command,
			doca_error_get_descr(ret));
	if (command_differs)
		return 2;
	if (ret != DOCA_SUCCESS)
		return 1;
	return command_incomplete ? 3 : 0;
}
