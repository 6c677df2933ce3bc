/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Figures for people: three significant digits, and a unit. */
#ifndef BENCH_TEXT_H
#define BENCH_TEXT_H

#include <stddef.h>

struct text {
	char s[32];
};

struct text rate_text(double rate); /* operations a second */
struct text bytes_text(double rate); /* bytes a second */
struct text time_text(double seconds);
struct text size_text(size_t size); /* 0: none */
struct text memory_text(double bytes); /* 0: unknown */
struct text ratio_text(double ratio); /* 0: none */

#endif /* BENCH_TEXT_H */
