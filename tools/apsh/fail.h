/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef APSH_FAIL_H
#define APSH_FAIL_H

/* Say what has failed about a target, and end the program. */
__attribute__((format(printf, 1, 2))) _Noreturn void
target_fail(const char *fmt, ...);

#endif /* APSH_FAIL_H */
