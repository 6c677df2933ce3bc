/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* How far a copy is: a line that is rewritten in place, on a terminal only */
#ifndef COPY_PROGRESS_H
#define COPY_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	uint64_t total;
	double start; /* seconds */
	double shown;
	bool on_terminal;
};

void progress_start(struct progress *progress, uint64_t total);
void progress_show(struct progress *progress, uint64_t done);

/* Take the line away; returns the seconds since the start. */
double progress_end(struct progress *progress);

/* "1.5 GiB", and the same a second */
struct size_text {
	char s[32];
};
struct size_text size_text(uint64_t bytes);
struct size_text rate_text(uint64_t bytes, double seconds);

#endif /* COPY_PROGRESS_H */
