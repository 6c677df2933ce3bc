/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_compat.h
 * @brief Attributes of public symbols, at the levels 1.3 and 1.5.
 *
 * Functions of later releases that these levels share, such as those of
 * doca_log.h, are no experiment here: programs use them without asking.
 */
#ifndef DOCA_1_3_COMPAT_H
#define DOCA_1_3_COMPAT_H

#include <doca_level.h>

#ifdef DOCA_ALLOW_EXPERIMENTAL_API
#include "../doca_compat.h"
#else
#define DOCA_ALLOW_EXPERIMENTAL_API
#include "../doca_compat.h"
#undef DOCA_ALLOW_EXPERIMENTAL_API
#endif

/**
 * @brief Symbol to which a function of level 1.3 is linked. For these headers.
 *
 * Functions of the levels have the names of later ones, with other parameters.
 * Symbols of their own let objects of several levels be in one program.
 */
#define DOCA_1_3(name) __asm__("doca13_" #name)

/** @brief Like DOCA_1_3, for functions that level 1.5 has changed or added. */
#define DOCA_1_5(name) __asm__("doca15_" #name)

#endif /* DOCA_1_3_COMPAT_H */
