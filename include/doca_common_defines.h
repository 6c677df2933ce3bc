/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_common_defines.h
 * @brief Hints for the compiler.
 */
#ifndef DOCA_COMMON_DEFINES_H
#define DOCA_COMMON_DEFINES_H

/**
 * @brief Tell the compiler that a condition is nearly always true.
 * @since DOCA 2.5
 */
#define doca_likely(x) __builtin_expect(!!(x), 1)

/**
 * @brief Tell the compiler that a condition is nearly always false.
 * @since DOCA 2.5
 */
#define doca_unlikely(x) __builtin_expect(!!(x), 0)

#endif /* DOCA_COMMON_DEFINES_H */
