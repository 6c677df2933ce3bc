/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_version.h
 * @brief The release of DOCA whose interface this is.
 *
 * A program that works with several releases compares versions in an ordinary
 * if, which the compiler resolves (there is a cast in it, so #if cannot):
 *
 *     if (DOCA_VERSION_LTE_CURRENT(2, 6, 0))
 */
#ifndef DOCA_VERSION_H
#define DOCA_VERSION_H

#include <stddef.h>
#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief Major number of the release that the program is compiled for. */
#define DOCA_VERSION_MAJOR 3
/** @brief Minor number of the release that the program is compiled for. */
#define DOCA_VERSION_MINOR 0
/** @brief Patch number of the release that the program is compiled for. */
#define DOCA_VERSION_PATCH 58
/** @brief The release that the program is compiled for, as a string. */
#define DOCA_VERSION_STRING "3.0.0058"

/** @brief One number for an official release, which grows with the release. */
#define DOCA_VERSION_CALC(major, minor, patch) \
	((size_t)((major) << 24 | (minor) << 16 | (patch * 1000)))

/** @brief One number for any build, which grows with the release. */
#define DOCA_VERSION_CALC_EXACT(major, minor, patch) \
	((size_t)((major) << 24 | (minor) << 16 | (patch)))

/** @brief The number of the official release that this is. */
#define DOCA_VERSION_OFFICIAL                                     \
	DOCA_VERSION_CALC(DOCA_VERSION_MAJOR, DOCA_VERSION_MINOR, \
			  DOCA_VERSION_PATCH)

/** @brief The number of the build that this is. */
#define DOCA_VERSION_EXACT                                              \
	DOCA_VERSION_CALC_EXACT(DOCA_VERSION_MAJOR, DOCA_VERSION_MINOR, \
				DOCA_VERSION_PATCH)

/** @brief True if this release is the given one. */
#define DOCA_VERSION_EQ_CURRENT(major, minor, patch) \
	(DOCA_VERSION_CALC(major, minor, patch) == DOCA_VERSION_OFFICIAL)

/** @brief True if the given release is this one or an earlier one. */
#define DOCA_VERSION_LTE_CURRENT(major, minor, patch) \
	(DOCA_VERSION_CALC(major, minor, patch) <= DOCA_VERSION_OFFICIAL)

/**
 * @brief The release that the program was compiled for.
 *
 * @return DOCA_VERSION_STRING; never NULL.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
static inline const char *doca_version(void)
{
	return DOCA_VERSION_STRING;
}

/**
 * @brief The release of the library that the program runs with.
 *
 * It differs from doca_version() when the library was replaced after the
 * program was compiled.
 *
 * @return A string of the form of DOCA_VERSION_STRING; never NULL.
 *
 * Thread safety: safe.
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
const char *doca_version_runtime(void);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_VERSION_H */
