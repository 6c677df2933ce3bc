// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "commands.h"

int command_engine(struct family *family, const struct options *opts)
{
	int i, ret = 0;

	if (opts->engine_command == ENGINE_LIST)
		return command_show(family, opts);
	/* One that cannot be had is no reason to leave the others. */
	for (i = 0; i < opts->nr_engines; i++)
		if (opts->engine_command == ENGINE_ADD ?
			    family_add_engine(family, opts->engines[i]) :
			    family_remove_engine(family, opts->engines[i]))
			ret = -1;
	return ret;
}
