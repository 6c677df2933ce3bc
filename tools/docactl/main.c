// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* docactl: show the objects of the DOCA driver and its users, and make changes that need root. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "msg.h"

int main(int argc, char **argv)
{
	static int (*const run[])(struct family * family,
				  const struct options *opts) = {
		[CMD_SHOW] = command_show,
		[CMD_SUMMARY] = command_summary,
		[CMD_TOP] = command_top,
		[CMD_MONITOR] = command_monitor,
		[CMD_METRICS] = command_metrics,
		[CMD_REVOKE] = command_revoke,
		[CMD_ENGINE] = command_engine,
		[CMD_PAIR] = command_pair,
	};
	struct options opts;
	struct family family;
	int ret;

	options_parse(&opts, argc, argv);
	if (family_open(&family))
		return EXIT_FAILURE;
	ret = run[opts.command](&family, &opts);
	family_close(&family);
	if (fflush(stdout) || ferror(stdout))
		ret = fail("cannot write: %s", strerror(errno));
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
