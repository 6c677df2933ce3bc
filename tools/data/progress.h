/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The progress of work on a file: a line that is rewritten in place, on terminals only. */
#ifndef DATA_PROGRESS_H
#define DATA_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	uint64_t total;
	double start; /* seconds */
	double shown;
	bool on_terminal;
};

/* @total is in bytes; 0: it is not known. */
void progress_start(struct progress *progress, uint64_t total);
void progress_show(struct progress *progress, uint64_t done);

/* Remove the line. Returns the seconds since the start. */
double progress_end(struct progress *progress);

/* For example "1.5 GiB"; rate_text() adds "/s". */
struct size_text {
	char s[32];
};
struct size_text size_text(uint64_t bytes);
struct size_text rate_text(uint64_t bytes, double seconds);

#endif /* DATA_PROGRESS_H */
