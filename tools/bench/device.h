/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

struct doca_dev;

/* The name of the one that programs find first. */
int device_first(char *name, size_t size);
/*
 * The name of the nth device for which a DMA engine copies, or the CPU; -1, without a word,
 * if there are not so many.
 */
int device_by_engine(bool engine, unsigned int n, char *name, size_t size);
/* By its name */
int device_open(const char *wanted, struct doca_dev **dev);

#endif /* BENCH_DEVICE_H */
