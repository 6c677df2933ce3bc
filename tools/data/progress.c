// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "data/progress.h"

#define INTERVAL 0.1

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static struct size_text scaled(double value, const char *suffix)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB",
					     "TiB",   "PiB", "EiB" };
	struct size_text text;
	unsigned int unit = 0;

	for (; value >= 1024 && unit < 6; unit++)
		value /= 1024;
	snprintf(text.s, sizeof(text.s), "%.*f %s%s", unit ? 1 : 0, value,
		 units[unit], suffix);
	return text;
}

struct size_text size_text(uint64_t bytes)
{
	return scaled(bytes, "");
}

struct size_text rate_text(uint64_t bytes, double seconds)
{
	return scaled(seconds > 0 ? bytes / seconds : 0, "/s");
}

void progress_start(struct progress *progress, uint64_t total)
{
	progress->total = total;
	progress->start = now();
	progress->shown = progress->start;
	progress->on_terminal = isatty(STDERR_FILENO);
}

void progress_show(struct progress *progress, uint64_t done)
{
	double t, elapsed, left;

	if (!progress->on_terminal || !done)
		return;
	t = now();
	if (t - progress->shown < INTERVAL)
		return;
	progress->shown = t;
	elapsed = t - progress->start;
	if (progress->total < done) {
		fprintf(stderr, "\r%s  %s\033[K", size_text(done).s,
			rate_text(done, elapsed).s);
		return;
	}
	left = elapsed / done * (progress->total - done);
	fprintf(stderr, "\r%3.0f %%  %s of %s  %s  %.0f s left\033[K",
		100.0 * done / progress->total, size_text(done).s,
		size_text(progress->total).s, rate_text(done, elapsed).s, left);
}

double progress_end(struct progress *progress)
{
	if (progress->on_terminal)
		fputs("\r\033[K", stderr);
	return now() - progress->start;
}
