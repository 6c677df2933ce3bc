/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

struct doca_dev;

/* Get the name of the device that programs find first. */
int device_first(char *name, size_t size);
/*
 * Get the name of the nth device for which a DMA engine or the CPU copies. Returns -1,
 * without a message, if there are not so many.
 */
int device_by_engine(bool engine, unsigned int n, char *name, size_t size);
/* Open a device by its name. */
int device_open(const char *wanted, struct doca_dev **dev);

#endif /* BENCH_DEVICE_H */
