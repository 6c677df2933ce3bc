// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "commands.h"

int command_revoke(struct family *family, const struct options *opts)
{
	int i, ret = 0;

	/* One that is gone is no reason to leave the others. */
	for (i = 0; i < opts->nr_exports; i++)
		if (family_revoke(family, options_export_id(opts->exports[i])))
			ret = -1;
	return ret;
}
