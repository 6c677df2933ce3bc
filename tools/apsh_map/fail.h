/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef APSH_MAP_FAIL_H
#define APSH_MAP_FAIL_H

#include <stddef.h>

/* Print an error, and end the program. Bytes that are not printable ASCII are shown as \xNN. */
__attribute__((format(printf, 1, 2))) _Noreturn void fail(const char *fmt, ...);

/* Allocate memory, or end the program. */
void *need(size_t size);
void *need_more(void *p, size_t nr, size_t size);
__attribute__((format(printf, 1, 2))) char *need_text(const char *fmt, ...);

#endif /* APSH_MAP_FAIL_H */
