// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* doca_copy: copies a file by DOCA DMA, within a process or between two. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "data/msg.h"
#include "data/stop.h"
#include "options.h"

int main(int argc, char **argv)
{
	static int (*const run[])(const struct options *opts) = {
		[CMD_LOCAL] = command_local,
		[CMD_EXPORT] = command_export,
		[CMD_IMPORT] = command_import,
	};
	struct options opts;

	setlocale(LC_CTYPE, "");
	options_parse(&opts, argc, argv);
	stop_init();
	if (msg_init(opts.verbose) || run[opts.command](&opts))
		return EXIT_FAILURE;
	if (fflush(stdout)) {
		fail_errno("cannot write to standard output");
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
