/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Ethernet queues: declarations shared by the library's files. */
#ifndef DOCA_ETH_ETH_H
#define DOCA_ETH_ETH_H

#include <stdbool.h>
#include <stdint.h>

#include <doca_dev.h>

#include "core/device/dev.h"
#include "core/device/iface.h"
#include "core/exec/lane.h"
#include "core/exec/library.h"
#include "xsk/xsk.h"

extern const struct object_type doca_eth_rxq_object;
extern const struct object_type doca_eth_txq_object;
extern const struct object_type eth_rxq_event_object;
extern const struct object_type eth_rxq_batch_object;
extern const struct object_type eth_rxq_array_object;

#undef OBJECT_TYPES
#define OBJECT_TYPES                                               \
	CORE_OBJECT_TYPES,                                         \
		OBJECT_TYPE(doca_eth_rxq_event_managed_recv,       \
			    eth_rxq_event_object),                 \
		OBJECT_TYPE(doca_eth_rxq_event_batch_managed_recv, \
			    eth_rxq_batch_object),                 \
		OBJECT_TYPE(rx_array, eth_rxq_array_object)

#define ETH_MAX_BURST 4096
#define ETH_MAX_PACKET \
	3328 /* a chunk of 4096 without the room before and after */
#define ETH_MAX_HEADROOM 256
#define ETH_MAX_TAILROOM 256
#define ETH_MAX_SEND_LIST 32
#define ETH_MAX_LSO_HEADER 256
#define ETH_MAX_LSO_MESSAGE 65535
#define ETH_MAX_METADATA 1
#define ETH_CHUNK 4096

/* Check the arguments of a capability query; log in the name of its function. */
bool eth_devinfo_is(const struct doca_devinfo *devinfo, const void *out,
		    const struct log_site *site);

/*
 * Get the network interface of a device. NOT_SUPPORTED, without a line in the log, if it
 * has none; doca_priv_iface_none() says why.
 */
#define ETH_IFNAME 16
doca_error_t eth_ifname(const struct doca_devinfo *devinfo,
			char ifname[ETH_IFNAME]);

/* Return NOT_SUPPORTED, with a line in the log, if the device has no interface. */
DOCA_STABLE doca_error_t doca_priv_eth_has_interface(
	const struct doca_dev *dev, const struct log_site *site);

/* Get the limits of tasks on a device with an interface. */
doca_error_t eth_ask(const struct doca_devinfo *devinfo,
		     struct task_limits *limits);

/* Return the error code of a refusal by the kernel; and for a start, log it. */
doca_error_t eth_error(const struct xsk_why *why);
doca_error_t eth_start_refused(const struct doca_ctx *ctx,
			       const struct xsk_why *why);

/* Refuse the start of a context whose device has no interface. */
doca_error_t eth_start_without(const struct doca_ctx *ctx);

/*
 * Check that a value of the object may be set; if not, log it and return INVALID_VALUE
 * or BAD_STATE.
 */
doca_error_t eth_may_set(const struct doca_ctx *ctx,
			 const struct object_type *object,
			 const struct log_site *site);

/* Return true if this process can reach the memory of a buffer. */
bool eth_is_local(const struct doca_buf *buf);

#define ETH_CAP(name, value_t, what, number)                                 \
	doca_error_t name(const struct doca_devinfo *devinfo, value_t *what) \
	{                                                                    \
		static const struct log_site site = LOG_SITE;                \
                                                                             \
		return eth_cap(devinfo, what, sizeof(*what), number, &site); \
	}

/* Values are unsigned numbers of @size bytes. */
doca_error_t eth_cap(const struct doca_devinfo *devinfo, void *value,
		     size_t size, uint32_t number, const struct log_site *site);

#endif /* DOCA_ETH_ETH_H */
