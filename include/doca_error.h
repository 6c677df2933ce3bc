/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_error.h
 * @brief The error codes that all functions return.
 */
#ifndef DOCA_ERROR_H
#define DOCA_ERROR_H

#include <doca_common_defines.h>
#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief Result of a function. The values never change.
 * @since DOCA 2.5; from DOCA_ERROR_AUTHENTICATION on DOCA 3.0
 */
enum doca_error {
	/** Success. */
	DOCA_SUCCESS = 0,
	/** An error of which no more is known. */
	DOCA_ERROR_UNKNOWN = 1,
	/** The operation is not allowed on this object or to this user. */
	DOCA_ERROR_NOT_PERMITTED = 2,
	/** The object is in use. */
	DOCA_ERROR_IN_USE = 3,
	/** The operation is not supported here. */
	DOCA_ERROR_NOT_SUPPORTED = 4,
	/** No resources just now: try again later. */
	DOCA_ERROR_AGAIN = 5,
	/** An argument is not valid. */
	DOCA_ERROR_INVALID_VALUE = 6,
	/** No memory, or a pool is empty. */
	DOCA_ERROR_NO_MEMORY = 7,
	/** Resources could not be set up. */
	DOCA_ERROR_INITIALIZATION = 8,
	/** The time is over. */
	DOCA_ERROR_TIME_OUT = 9,
	/** The process or connection is shutting down. */
	DOCA_ERROR_SHUTDOWN = 10,
	/** The peer reset the connection. */
	DOCA_ERROR_CONNECTION_RESET = 11,
	/** The connection was aborted. */
	DOCA_ERROR_CONNECTION_ABORTED = 12,
	/** The connection is being made. */
	DOCA_ERROR_CONNECTION_INPROGRESS = 13,
	/** There is no connection. */
	DOCA_ERROR_NOT_CONNECTED = 14,
	/** The lock could not be taken. */
	DOCA_ERROR_NO_LOCK = 15,
	/** There is no such thing. */
	DOCA_ERROR_NOT_FOUND = 16,
	/** Input or output failed. */
	DOCA_ERROR_IO_FAILED = 17,
	/** The object is in a wrong state for the operation. */
	DOCA_ERROR_BAD_STATE = 18,
	/** The version is not supported. */
	DOCA_ERROR_UNSUPPORTED_VERSION = 19,
	/** A call of the operating system failed. */
	DOCA_ERROR_OPERATING_SYSTEM = 20,
	/** The driver failed. */
	DOCA_ERROR_DRIVER = 21,
	/** Something happened that cannot: an object is corrupt. */
	DOCA_ERROR_UNEXPECTED = 22,
	/** There is already such a thing. */
	DOCA_ERROR_ALREADY_EXIST = 23,
	/** There is no more room. */
	DOCA_ERROR_FULL = 24,
	/** There is nothing in it. */
	DOCA_ERROR_EMPTY = 25,
	/** The operation has begun and ends later. */
	DOCA_ERROR_IN_PROGRESS = 26,
	/** A value is over its limit. */
	DOCA_ERROR_TOO_BIG = 27,
	/** Authentication failed: data was altered or a key is wrong. */
	DOCA_ERROR_AUTHENTICATION = 28,
	/** The configuration is not valid. */
	DOCA_ERROR_BAD_CONFIG = 29,
	/** The operation was skipped. */
	DOCA_ERROR_SKIPPED = 30,
};

/** @brief Result of a function. */
typedef enum doca_error doca_error_t;

/**
 * @brief Keep the first error.
 *
 * Sets @p r, a variable of type doca_error_t, to @p t if @p r is still
 * DOCA_SUCCESS. For clean-up that goes on after an error. @p t is evaluated
 * only if @p r is DOCA_SUCCESS: call the function first and pass its result.
 * @since DOCA 2.5
 */
#define DOCA_ERROR_PROPAGATE(r, t)       \
	do {                             \
		if ((r) == DOCA_SUCCESS) \
			(r) = (t);       \
	} while (0)

/**
 * @brief True if the result is an error; the compiler is told that this is
 * rare.
 * @since DOCA 2.5
 */
#define DOCA_IS_ERROR(r) doca_unlikely((r) != DOCA_SUCCESS)

/**
 * @brief Name of an error code.
 *
 * @param[in] error  Any value.
 *
 * @return The name of the enumerator, such as "DOCA_ERROR_IN_USE"; for a value
 * that is none, "unrecognized error code". Never NULL, never to be freed.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_STABLE
const char *doca_error_get_name(doca_error_t error);

/**
 * @brief Description of an error code, for people.
 *
 * @param[in] error  Any value.
 *
 * @return A short text without a full stop; for a value that is no error code,
 * "unrecognized error code". Never NULL, never to be freed.
 *
 * Thread safety: safe.
 * @since DOCA 2.5
 */
DOCA_STABLE
const char *doca_error_get_descr(doca_error_t error);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_ERROR_H */
