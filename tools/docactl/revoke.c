// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "commands.h"
#include "msg.h"

static int revoke(struct family *family, const char *number)
{
	const struct argument args[] = {
		{ .attr = DOCA_GENL_A_EXPORT_ID,
		  .value = strtoul(number, NULL, 10) },
		{ 0 },
	};
	int ret = family_change(family, DOCA_GENL_CMD_EXPORT_REVOKE, args,
				"revoke export", number);

	if (ret && family->error == -ENOENT)
		hint("'docactl export show' lists the exports that there are.");
	return ret;
}

int command_revoke(struct family *family, const struct options *opts)
{
	int i, ret = 0;

	/* If one is gone, go on with the others. */
	for (i = 0; i < opts->nr_names; i++)
		if (revoke(family, opts->names[i]))
			ret = -1;
	return ret;
}
