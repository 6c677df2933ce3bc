// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "vmcoreinfo.h"

#include <stdlib.h>
#include <string.h>

bool vmcoreinfo_line(const char *info, const char *name, int base, u64 *value)
{
	const char *at = strstr(info, name);

	if (!at)
		return false;
	*value = (u64)strtoll(at + strlen(name), NULL, base);
	if (base == 16)
		*value = strtoull(at + strlen(name), NULL, base);
	return true;
}
