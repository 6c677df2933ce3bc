// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_log.h>

#include "log_other.h"

DOCA_LOG_REGISTER(SELFTEST::OTHER::FILE);

static int traced;

void log_other(const char *text)
{
	DOCA_LOG_INFO("%s", text);
}

void log_other_trace(const char *text)
{
	DOCA_LOG_TRC("%s %d", text, ++traced);
}

int log_other_traced(void)
{
	return traced;
}
