/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_error.h
 * @brief Error codes, at the levels 1.3 and 1.5: those of all levels.
 */
#ifndef DOCA_1_3_ERROR_H
#define DOCA_1_3_ERROR_H

#include <doca_compat.h>
#include "../doca_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief Description of an error code, for people.
 *
 * @param[in] error  Any value.
 *
 * @return A short text without a full stop; for a value that is no error code,
 * "unrecognized error code". Never NULL, never to be freed.
 *
 * Thread safety: safe.
 * @since DOCA 1.3
 */
DOCA_STABLE
const char *doca_get_error_string(doca_error_t error)
	DOCA_1_3(get_error_string);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_1_3_ERROR_H */
