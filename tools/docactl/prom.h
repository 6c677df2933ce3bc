/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Write Prometheus's text format to stdout. */
#ifndef DOCACTL_PROM_H
#define DOCACTL_PROM_H

#include <stdint.h>

/* Begin a metric: its samples follow at once. A counter's name ends in "_total". */
void prom_gauge(const char *name, const char *help);
void prom_counter(const char *name, const char *help);

/*
 * Write a sample of the metric that has begun. Names of labels and their values follow in
 * turn, and NULL is the last of them. No two samples of a metric may have the same labels.
 */
__attribute__((sentinel)) void prom_sample(uint64_t value, ...);

#endif /* DOCACTL_PROM_H */
