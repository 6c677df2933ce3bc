/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_config.h
 * @brief Choices that were made when DOCA was built.
 */
#ifndef DOCA_CONFIG_H
#define DOCA_CONFIG_H

/* In angle brackets, so that the search path selects the variant. */
#include <doca_build_config.h>

/** @brief The DOCA_STRUCT_* macros of doca_compat.h exist. */
#define DOCA_COMPAT_HELPERS

#endif /* DOCA_CONFIG_H */
