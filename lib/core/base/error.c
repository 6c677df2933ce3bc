// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stddef.h>

#include <doca_error.h>

struct error_text {
	const char *name;
	const char *descr;
};

#define ERROR(code, descr) [code] = { #code, descr }

static const struct error_text errors[] = {
	ERROR(DOCA_SUCCESS, "success"),
	ERROR(DOCA_ERROR_UNKNOWN, "unknown error"),
	ERROR(DOCA_ERROR_NOT_PERMITTED, "operation not permitted"),
	ERROR(DOCA_ERROR_IN_USE, "object is in use"),
	ERROR(DOCA_ERROR_NOT_SUPPORTED, "operation not supported"),
	ERROR(DOCA_ERROR_AGAIN, "no resources now, try again"),
	ERROR(DOCA_ERROR_INVALID_VALUE, "invalid value"),
	ERROR(DOCA_ERROR_NO_MEMORY, "out of memory"),
	ERROR(DOCA_ERROR_INITIALIZATION, "initialization failed"),
	ERROR(DOCA_ERROR_TIME_OUT, "timed out"),
	ERROR(DOCA_ERROR_SHUTDOWN, "shutting down"),
	ERROR(DOCA_ERROR_CONNECTION_RESET, "connection reset by the peer"),
	ERROR(DOCA_ERROR_CONNECTION_ABORTED, "connection aborted"),
	ERROR(DOCA_ERROR_CONNECTION_INPROGRESS, "connection in progress"),
	ERROR(DOCA_ERROR_NOT_CONNECTED, "not connected"),
	ERROR(DOCA_ERROR_NO_LOCK, "lock not available"),
	ERROR(DOCA_ERROR_NOT_FOUND, "not found"),
	ERROR(DOCA_ERROR_IO_FAILED, "input or output failed"),
	ERROR(DOCA_ERROR_BAD_STATE, "wrong state for the operation"),
	ERROR(DOCA_ERROR_UNSUPPORTED_VERSION, "unsupported version"),
	ERROR(DOCA_ERROR_OPERATING_SYSTEM,
	      "call of the operating system failed"),
	ERROR(DOCA_ERROR_DRIVER, "driver failed"),
	ERROR(DOCA_ERROR_UNEXPECTED,
	      "unexpected condition, an object may be corrupt"),
	ERROR(DOCA_ERROR_ALREADY_EXIST, "already exists"),
	ERROR(DOCA_ERROR_FULL, "full"),
	ERROR(DOCA_ERROR_EMPTY, "empty"),
	ERROR(DOCA_ERROR_IN_PROGRESS, "operation in progress"),
	ERROR(DOCA_ERROR_TOO_BIG, "value too big"),
	ERROR(DOCA_ERROR_AUTHENTICATION, "authentication failed"),
	ERROR(DOCA_ERROR_BAD_CONFIG, "bad configuration"),
	ERROR(DOCA_ERROR_SKIPPED, "operation skipped"),
};

static const struct error_text unrecognized = {
	"unrecognized error code",
	"unrecognized error code",
};

static const struct error_text *error_text(doca_error_t error)
{
	/* Unsigned, because a program may pass negative values. */
	unsigned int i = (unsigned int)error;

	return i < sizeof(errors) / sizeof(errors[0]) ? &errors[i] :
							&unrecognized;
}

const char *doca_error_get_name(doca_error_t error)
{
	return error_text(error)->name;
}

const char *doca_error_get_descr(doca_error_t error)
{
	return error_text(error)->descr;
}
