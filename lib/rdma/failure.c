// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stddef.h>

#include "failure.h"

static const struct rdma_failure failures[] = {
	[IBV_WC_LOC_LEN_ERR] = { DOCA_ERROR_INVALID_VALUE,
				 "it is longer than the buffer or than the "
				 "device moves" },
	[IBV_WC_LOC_QP_OP_ERR] = { DOCA_ERROR_IO_FAILED,
				   "the link is down or, where a message was "
				   "received, that is longer than the buffer" },
	[IBV_WC_LOC_PROT_ERR] = { DOCA_ERROR_NOT_PERMITTED,
				  "the device must not reach the local memory; "
				  "its mmap may have been stopped" },
	[IBV_WC_WR_FLUSH_ERR] = { DOCA_ERROR_IO_FAILED,
				  "the connection was broken; the link may be "
				  "down, or the peer has made an error" },
	[IBV_WC_BAD_RESP_ERR] = { DOCA_ERROR_IO_FAILED,
				  "the peer has answered something else" },
	[IBV_WC_LOC_ACCESS_ERR] = { DOCA_ERROR_NOT_PERMITTED,
				    "the peer must not write to the local "
				    "memory" },
	[IBV_WC_REM_INV_REQ_ERR] = { DOCA_ERROR_INVALID_VALUE,
				     "the peer refuses that operation: see its "
				     "doca_rdma_set_permissions()" },
	[IBV_WC_REM_ACCESS_ERR] = { DOCA_ERROR_NOT_PERMITTED,
				    "the peer does not let it reach that "
				    "memory: its mmap may have been stopped, or "
				    "see its doca_rdma_set_permissions()" },
	[IBV_WC_REM_OP_ERR] = { DOCA_ERROR_IO_FAILED,
				"the peer could not do it; where a message was "
				"sent, that may be longer than the buffer "
				"there" },
	[IBV_WC_RETRY_EXC_ERR] = { DOCA_ERROR_CONNECTION_RESET,
				   "the peer does not answer" },
	[IBV_WC_RNR_RETRY_EXC_ERR] = { DOCA_ERROR_TIME_OUT,
				       "the peer has no receive task in time; "
				       "see doca_rdma_set_rnr_retry_count()" },
	[IBV_WC_REM_ABORT_ERR] = { DOCA_ERROR_DRIVER, "the peer has given up" },
	[IBV_WC_FATAL_ERR] = { DOCA_ERROR_DRIVER, "the device has failed" },
	[IBV_WC_GENERAL_ERR] = { DOCA_ERROR_IO_FAILED,
				 "the device does not say why" },
};

struct rdma_failure rdma_failure_of(enum ibv_wc_status status, bool flushes)
{
	static const struct rdma_failure unknown = {
		DOCA_ERROR_IO_FAILED, "the device has an unknown reason"
	};

	if (status == IBV_WC_SUCCESS)
		return (struct rdma_failure){ DOCA_SUCCESS, "" };
	if (status == IBV_WC_WR_FLUSH_ERR && flushes)
		return (struct rdma_failure){ DOCA_ERROR_SHUTDOWN,
					      "its connection has ended" };
	if ((size_t)status >= sizeof(failures) / sizeof(failures[0]) ||
	    !failures[status].why)
		return unknown;
	return failures[status];
}
