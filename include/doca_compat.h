/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_compat.h
 * @brief Attributes of public symbols and versioned structures.
 */
#ifndef DOCA_COMPAT_H
#define DOCA_COMPAT_H

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <doca_config.h>

/**
 * @def DOCA_STABLE
 * @brief Marks a function that keeps its form in later releases.
 *
 * @def DOCA_EXPERIMENTAL
 * @brief Marks a function that may change or go in a later release.
 *
 * Its use gives a warning, unless the program defines
 * DOCA_ALLOW_EXPERIMENTAL_API before it includes a header of DOCA.
 *
 * @def DOCA_DEPRECATED
 * @brief Marks a function that will go in a later release.
 *
 * Its use gives a warning, unless the program defines
 * DOCA_ALLOW_DEPRECATED_API before it includes a header of DOCA. A program that
 * defines DOCA_API_COMPAT_2_5 gets no warning either, for DOCA 2.5 deprecated none
 * of them.
 */
#define DOCA_STABLE __attribute__((visibility("default")))

#ifdef DOCA_ALLOW_EXPERIMENTAL_API
#define DOCA_EXPERIMENTAL __attribute__((visibility("default")))
#else
#define DOCA_EXPERIMENTAL                                       \
	__attribute__((visibility("default"),                   \
		       deprecated("it is experimental: define " \
				  "DOCA_ALLOW_EXPERIMENTAL_API to use it")))
#endif

#if defined(DOCA_ALLOW_DEPRECATED_API) || defined(DOCA_API_COMPAT_2_5)
#define DOCA_DEPRECATED __attribute__((visibility("default")))
#else
#define DOCA_DEPRECATED                                         \
	__attribute__((visibility("default"),                   \
		       deprecated("it will be removed: define " \
				  "DOCA_ALLOW_DEPRECATED_API to use it")))
#endif

/**
 * @def DOCA_API_COMPAT_2_5
 * @brief Defined by a program that wants functions in the form of DOCA 2.5.
 *
 * It matters for the few functions that DOCA 3.0 has changed, in
 * doca_buf_array.h and doca_apsh_attr.h, and for those that it has deprecated, of
 * which nothing is said. It must be defined before a header of DOCA is included.
 * The default is the form of DOCA 3.0.
 *
 * @def DOCA_SYMBOL_2_5
 * @brief Have a function linked in its form of DOCA 2.5. For headers of DOCA.
 */
#define DOCA_SYMBOL_2_5(name) __asm__(".symver " #name ", " #name "@DOCA_2.5")

/* After the attributes, which it needs: the two headers include each other. */
#include <doca_version.h>

/**
 * @brief First member of a structure that may grow in later releases.
 *
 * It records the release that the program was compiled for, so that the library
 * knows which members the program knows.
 */
#define DOCA_STRUCT_START size_t __doca_api_version

/** @brief Set the version of a structure. */
#define DOCA_STRUCT_CTOR(_X_) (_X_).__doca_api_version = DOCA_VERSION_EXACT

/** @brief Set the version of a structure that a pointer points at. */
#define DOCA_STRUCT_PTR_CTOR(_X_) DOCA_STRUCT_CTOR(*(_X_))

/** @brief Clear a structure and set its version. */
#define DOCA_STRUCT_MEMSET_CTOR(_X_)            \
	do {                                    \
		memset(&(_X_), 0, sizeof(_X_)); \
		DOCA_STRUCT_CTOR(_X_);          \
	} while (0)

/** @brief Clear a structure that a pointer points at and set its version. */
#define DOCA_STRUCT_PTR_MEMSET_CTOR(_X_) DOCA_STRUCT_MEMSET_CTOR(*(_X_))

/** @brief First part of an initializer, which sets the version. */
#define DOCA_STRUCT_CTOR_LIST_START .__doca_api_version = DOCA_VERSION_EXACT

/** @brief Define a structure with its version set and all else clear. */
#define DOCA_STRUCT_DEF(__st__, __name__) \
	struct __st__ __name__ = { .__doca_api_version = DOCA_VERSION_EXACT }

/** @brief The version of a structure that a pointer points at. */
#define DOCA_STRUCT_GET_VERSION(_X_) (_X_)->__doca_api_version

#endif /* DOCA_COMPAT_H */
