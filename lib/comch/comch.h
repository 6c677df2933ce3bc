/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The communication channel: declarations for all files of the library. A
 * *party* is a server or a client; consumers and producers are *attached* to a
 * party's connection.
 */
#ifndef DOCA_COMCH_COMCH_H
#define DOCA_COMCH_COMCH_H

#include <doca_comch.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "core/device/dev.h"
#include "core/device/rep.h"
#include "core/exec/library.h"

extern const struct object_type doca_comch_server_object;
extern const struct object_type doca_comch_client_object;
extern const struct object_type doca_comch_consumer_object;
extern const struct object_type doca_comch_producer_object;
extern const struct object_type comch_connection_object;

#undef OBJECT_TYPES
#define OBJECT_TYPES       \
	CORE_OBJECT_TYPES, \
		OBJECT_TYPE(doca_comch_connection, comch_connection_object)

#define COMCH_MAX_NAME DOCA_SERVER_NAME_SIZE
#define COMCH_MAX_MSG 4080
#define COMCH_MAX_RECV 8192
#define COMCH_MAX_CLIENTS 512
#define COMCH_MAX_TASKS 8192
#define COMCH_MAX_ATTACHED DOCA_MAX_ATTACHED
#define COMCH_MAX_BUF (128 << 20)
#define COMCH_MAX_SEND_LIST 64
#define COMCH_MAX_IMM DOCA_MAX_IMM

/* Check that both were given and, in debug mode, that @devinfo is valid. Logs an error. */
bool comch_devinfo_is(const struct doca_devinfo *devinfo, const void *out,
		      const struct log_site *site);

/*
 * Check that a device is the DPU's side of the pair with this id, or of any
 * pair if it is 0; or the host's side of any pair. Return NOT_SUPPORTED,
 * without a line in the log, if it is not; NO_MEMORY or DRIVER.
 */
doca_error_t comch_is_dpu(const struct doca_devinfo *devinfo,
			  uint32_t function);
doca_error_t comch_is_host(const struct doca_devinfo *devinfo);

/*
 * Check that a value of the object may be set now. Return INVALID_VALUE or
 * BAD_STATE if not, and log it.
 */
doca_error_t comch_may_set(const struct doca_ctx *ctx,
			   const struct object_type *object,
			   const struct log_site *site);

/* Return the smallest power of two that is not less than @n, at least 2. */
static inline uint32_t comch_power(uint32_t n)
{
	return n < 2 ? 2 : 1U << (32 - __builtin_clz(n - 1));
}

#endif /* DOCA_COMCH_COMCH_H */
