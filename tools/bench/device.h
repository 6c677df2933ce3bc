/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

struct doca_dev;

/* By its name */
int device_open(const char *wanted, struct doca_dev **dev);

#endif /* BENCH_DEVICE_H */
