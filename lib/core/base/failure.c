// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <linux/doca_ring.h>

#include "failure.h"

struct row {
	doca_error_t error;
	const char *why;
};

static const struct row hard[] = {
	[DOCA_STATUS_CANCELED] = { DOCA_ERROR_SHUTDOWN,
				   "canceled, for the context is stopping or its device was removed" },
	[DOCA_STATUS_BAD_OPCODE] = { DOCA_ERROR_INVALID_VALUE,
				     "the kernel does not know the operation" },
	[DOCA_STATUS_BAD_ENTRY] = { DOCA_ERROR_INVALID_VALUE,
				    "a list of buffers is too long" },
	[DOCA_STATUS_BAD_KEY] = { DOCA_ERROR_IO_FAILED,
				  "the memory of a buffer was revoked: its mmap was stopped, here or by its exporter" },
	[DOCA_STATUS_BAD_RANGE] = { DOCA_ERROR_INVALID_VALUE,
				    "a buffer is not within its mmap" },
	[DOCA_STATUS_BAD_ACCESS] = { DOCA_ERROR_NOT_PERMITTED,
				     "the permissions of an mmap do not allow it, or it maps a file, shared, that is only read (doca_mmap(3))" },
	[DOCA_STATUS_BAD_LENGTH] = { DOCA_ERROR_INVALID_VALUE,
				     "the destination is shorter than the source or the result, or the source has another length than it may have" },
	[DOCA_STATUS_BAD_ALIGN] = { DOCA_ERROR_INVALID_VALUE,
				    "the address of a value is not a multiple of 8" },
	[DOCA_STATUS_BAD_WAIT] = { DOCA_ERROR_DRIVER,
				   "the kernel has no room for a wait" },
	[DOCA_STATUS_BAD_MEMORY] = { DOCA_ERROR_IO_FAILED,
				     "memory of a buffer has an error that cannot be corrected, or its file has lost it, for it was truncated" },
	[DOCA_STATUS_BAD_OBJECT] = { DOCA_ERROR_BAD_STATE,
				     "the key or matrix that it names is not there any more" },
	[DOCA_STATUS_BAD_SESSION] = { DOCA_ERROR_BAD_STATE,
				      "the operation that it goes on with was not begun, has ended, or has failed before" },
	[DOCA_STATUS_FAILED] = { DOCA_ERROR_DRIVER,
				 "what executes it could not: see the log of the kernel" },
	[DOCA_STATUS_NOT_SUPPORTED] = { DOCA_ERROR_NOT_SUPPORTED,
					"the driver does not do this with this memory or with this value" },
	[DOCA_STATUS_RESET] = { DOCA_ERROR_CONNECTION_RESET,
				"the link to the peer was lost" },
};

static const struct row soft[] = {
	[DOCA_STATUS_DATA -
	 DOCA_STATUS_SOFT] = { DOCA_ERROR_IO_FAILED,
			       "the data is malformed, or ends too early" },
	[DOCA_STATUS_CHECKSUM -
		DOCA_STATUS_SOFT] = { DOCA_ERROR_IO_FAILED,
				      "a checksum in the data is wrong" },
	[DOCA_STATUS_TAG - DOCA_STATUS_SOFT] = { DOCA_ERROR_IO_FAILED,
						 "the data is not authentic" },
	[DOCA_STATUS_NO_SPACE -
		DOCA_STATUS_SOFT] = { DOCA_ERROR_INVALID_VALUE,
				      "the destination has less room than the result takes" },
	[DOCA_STATUS_NOT_CONNECTED -
		DOCA_STATUS_SOFT] = { DOCA_ERROR_NOT_CONNECTED,
				      "the connection is closed" },
	[DOCA_STATUS_NO_CONSUMER -
		DOCA_STATUS_SOFT] = { DOCA_ERROR_NOT_CONNECTED,
				      "there is no such consumer any more" },
};

struct failure failure_of(uint32_t status)
{
	bool is_soft = status & DOCA_STATUS_SOFT;
	const struct row *rows = is_soft ? soft : hard;
	size_t nr = is_soft ? sizeof(soft) / sizeof(soft[0]) :
			      sizeof(hard) / sizeof(hard[0]);
	uint32_t i = is_soft ? status - DOCA_STATUS_SOFT : status;
	struct failure failure = { DOCA_ERROR_DRIVER, "unknown status",
				   is_soft };

	if (i < nr) {
		failure.error = rows[i].error;
		failure.why = rows[i].why;
	}
	return failure;
}
