/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Three files of one program, each at a level of its own. Each copies, and returns the
 * number of bytes that were right. This file includes no header of any level.
 */
#ifndef DOCA_SELFTESTS_LEVEL_MIXED_H
#define DOCA_SELFTESTS_LEVEL_MIXED_H

#include <stddef.h>

size_t copy_at_1_3(const char *from, char *to, size_t len);
size_t copy_at_1_5(const char *from, char *to, size_t len);

#endif
