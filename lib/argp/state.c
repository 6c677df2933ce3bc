// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The parser of the process, and its log. */
#include <stdlib.h>

#include "argp.h"
#include "core/base/log.h"

LOG_SOURCE("ARGP");

struct argp *argp;

void argp_log(uint32_t level, const char *file, int line, const char *func,
	      const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (argp && argp->logger)
		argp->logger(level, format, args);
	else if (vasprintf(&text, format, args) >= 0)
		doca_priv_log(level, log_source_name, file, line, func, "%s",
			      text);
	va_end(args);
	free(text);
}

bool argp_described(void)
{
	return argp && argp->state == ARGP_DESCRIBED;
}

doca_error_t argp_not_there(void)
{
	return ARGP_FAIL(BAD_STATE,
			 "there is no parser: call doca_argp_init() first");
}
