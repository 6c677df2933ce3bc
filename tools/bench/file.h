/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Files of results, each in a format. */
#ifndef BENCH_FILE_H
#define BENCH_FILE_H

#include <stdio.h>

#include "result.h"

typedef void (*file_format)(FILE *f, const struct results *results);

void json_print(FILE *f, const struct results *results);
void csv_print(FILE *f, const struct results *results);

struct file {
	const char *path; /* "-" is stdout; NULL: write nothing */
	FILE *f;
};

/* Open before measuring, so that nothing is measured in vain. */
int file_open(struct file *file);
int file_write(struct file *file, file_format format,
	       const struct results *results);

#endif /* BENCH_FILE_H */
