// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>

#include "text.h"

/* Choose a unit, one for every factor of 1000. */
static struct text scaled(double value, const char *const *units)
{
	struct text text;
	int digits = 0; /* digits behind the point */

	while (value >= 999.5 && units[1]) {
		value /= 1000;
		units++;
	}
	if (value < 9.995)
		digits = 2;
	else if (value < 99.95)
		digits = 1;
	snprintf(text.s, sizeof(text.s), "%.*f %s", digits, value, *units);
	return text;
}

struct text rate_text(double rate)
{
	static const char *const units[] = { "/s", "k/s", "M/s", "G/s", NULL };

	return scaled(rate, units);
}

struct text bytes_text(double rate)
{
	static const char *const units[] = { "B/s",  "kB/s", "MB/s",
					     "GB/s", "TB/s", NULL };

	return scaled(rate, units);
}

struct text time_text(double seconds)
{
	static const char *const units[] = { "ns", "us", "ms", "s", NULL };

	return scaled(seconds * 1e9, units);
}

struct text size_text(size_t size)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", NULL };
	const char *const *unit = units;
	struct text text = { "" };

	while (size && size % 1024 == 0 && unit[1]) {
		size /= 1024;
		unit++;
	}
	if (size)
		snprintf(text.s, sizeof(text.s), "%zu %s", size, *unit);
	return text;
}

struct text memory_text(double bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", NULL };
	struct text unknown = { "-" };

	return bytes ? scaled(bytes, units) : unknown;
}

struct text ratio_text(double ratio)
{
	struct text text = { "-" };

	if (ratio)
		snprintf(text.s, sizeof(text.s), "%.2f", ratio);
	return text;
}
