// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include <doca_error.h>

#include "connection.h"
#include "core/base/errno_text.h"
#include "core/device/dev.h"
#include "settings.h"

LOG_SOURCE("RDMA");

#define PERMISSIONS                                                       \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | \
	 DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

void rdma_settings_init(struct doca_rdma *rdma)
{
	rdma->set = (struct rdma_settings){
		.send_queue = RDMA_DEFAULT_SEND_QUEUE,
		.send_list = rdma->hca.send_list,
		.receive_list = rdma->hca.receive_list,
		.max_connections = RDMA_DEFAULT_CONNECTIONS,
		.rnr_retry = RDMA_MAX_RNR_RETRY,
		.grh = rdma->hca.ethernet,
		.timeout_ms = RDMA_DEFAULT_TIMEOUT_MS,
	};
	if (rdma->set.send_queue > rdma->hca.max_send_queue)
		rdma->set.send_queue = rdma->hca.max_send_queue;
}

static doca_error_t may_set(const struct doca_rdma *rdma,
			    const struct log_site *site)
{
	if (!ctx_is(CTX_OF(rdma), &doca_rdma_object, site))
		return DOCA_ERROR_INVALID_VALUE;
	if (doca_priv_ctx_idle(&rdma->ctx))
		return DOCA_SUCCESS;
	return FAIL_AT(site, BAD_STATE, "%s(): %s %p is started", site->func,
		       rdma->ctx.type->name, (const void *)rdma);
}

/* Return @error, with a line in the log, unless the value is in its range. */
static doca_error_t in_range(uint32_t value, uint32_t min, uint32_t max,
			     doca_error_t error, const struct log_site *site)
{
	if (value >= min && value <= max)
		return DOCA_SUCCESS;
	LOG_AT(site, DOCA_LOG_LEVEL_ERROR,
	       "%s(): the value may be %u to %u, not %u", site->func, min, max,
	       value);
	return error;
}

/* NAME(rdma, value): a number from @min to @max */
#define RDMA_SET(name, value_t, what, min, max, error, member)             \
	doca_error_t name(struct doca_rdma *rdma, value_t what)            \
	{                                                                  \
		static const struct log_site site = LOG_SITE;              \
		doca_error_t ret = may_set(rdma, &site);                   \
                                                                           \
		if (ret == DOCA_SUCCESS)                                   \
			ret = in_range(what, min, max, DOCA_ERROR_##error, \
				       &site);                             \
		if (ret == DOCA_SUCCESS)                                   \
			rdma->set.member = what;                           \
		return ret;                                                \
	}

/* NAME(rdma, &value) */
#define RDMA_GET(name, rdma_t, value_t, what, member)    \
	doca_error_t name(rdma_t *rdma, value_t *what)   \
	{                                                \
		if (!rdma_valid(rdma) || !given(what))   \
			return DOCA_ERROR_INVALID_VALUE; \
		*what = rdma->set.member;                \
		return DOCA_SUCCESS;                     \
	}

RDMA_SET(doca_rdma_set_max_num_connections, uint16_t, max_num_connections, 1,
	 RDMA_MAX_CONNECTIONS, NOT_SUPPORTED, max_connections)
RDMA_GET(doca_rdma_get_max_num_connections, struct doca_rdma, uint16_t,
	 max_num_connections, max_connections)
RDMA_SET(doca_rdma_set_rnr_retry_count, uint8_t, rnr_retry_count, 0,
	 RDMA_MAX_RNR_RETRY, INVALID_VALUE, rnr_retry)
RDMA_GET(doca_rdma_get_rnr_retry_count, const struct doca_rdma, uint8_t,
	 rnr_retry_count, rnr_retry)
RDMA_SET(doca_rdma_set_sl, uint32_t, sl, 0, RDMA_MAX_SL, INVALID_VALUE, sl)
RDMA_GET(doca_rdma_get_sl, const struct doca_rdma, uint32_t, sl, sl)
RDMA_SET(doca_rdma_set_max_send_buf_list_len, uint32_t, max_send_buf_list_len,
	 1, rdma->hca.send_list, INVALID_VALUE, send_list)
RDMA_GET(doca_rdma_get_max_send_buf_list_len, const struct doca_rdma, uint32_t,
	 max_send_buf_list_len, send_list)
RDMA_SET(doca_rdma_task_receive_set_dst_buf_list_len, uint32_t, buf_list_len, 1,
	 rdma->hca.receive_list, INVALID_VALUE, receive_list)
RDMA_GET(doca_rdma_task_receive_get_dst_buf_list_len, const struct doca_rdma,
	 uint32_t, buf_list_len, receive_list)
RDMA_SET(doca_rdma_set_connection_request_timeout, uint16_t, timeout, 1,
	 UINT16_MAX, INVALID_VALUE, timeout_ms)
RDMA_GET(doca_rdma_get_connection_request_timeout, const struct doca_rdma,
	 uint16_t, timeout, timeout_ms)
RDMA_GET(doca_rdma_get_permissions, struct doca_rdma, uint32_t, permissions,
	 permissions)
RDMA_GET(doca_rdma_get_send_queue_size, const struct doca_rdma, uint32_t,
	 send_queue_size, send_queue)
RDMA_GET(doca_rdma_get_grh_enabled, const struct doca_rdma, uint8_t,
	 grh_enabled, grh)

/* Check the size of a queue: too many is more than the device supports. */
static doca_error_t may_set_size(const struct doca_rdma *rdma, uint32_t size,
				 bool sends, const struct log_site *site)
{
	doca_error_t ret = may_set(rdma, site);
	uint32_t max;

	if (ret != DOCA_SUCCESS)
		return ret;
	max = sends ? rdma->hca.max_send_queue : rdma->hca.max_receive_queue;
	return in_range(size, 1, max,
			size ? DOCA_ERROR_NOT_SUPPORTED :
			       DOCA_ERROR_INVALID_VALUE,
			site);
}

/* The device has a power of two of entries; the getter tells it. */
doca_error_t doca_rdma_set_send_queue_size(struct doca_rdma *rdma,
					   uint32_t send_queue_size)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret = may_set_size(rdma, send_queue_size, true, &site);
	uint32_t size = 1;

	if (ret != DOCA_SUCCESS)
		return ret;
	while (size < send_queue_size)
		size *= 2;
	rdma->set.send_queue = size;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_recv_queue_size(struct doca_rdma *rdma,
					   uint32_t recv_queue_size)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret = may_set_size(rdma, recv_queue_size, false, &site);

	if (ret == DOCA_SUCCESS)
		rdma->set.receive_queue = recv_queue_size;
	return ret;
}

doca_error_t doca_rdma_get_recv_queue_size(const struct doca_rdma *rdma,
					   uint32_t *recv_queue_size)
{
	if (!rdma_valid(rdma) || !given(recv_queue_size))
		return DOCA_ERROR_INVALID_VALUE;
	*recv_queue_size = rdma->set.receive_queue;
	if (*recv_queue_size < rdma->pools[RDMA_RECEIVE].num)
		*recv_queue_size = rdma->pools[RDMA_RECEIVE].num;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_permissions(struct doca_rdma *rdma,
				       uint32_t permissions)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret = may_set(rdma, &site);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (permissions & ~(uint32_t)PERMISSIONS)
		return FAIL(
			INVALID_VALUE,
			"permissions of peers are RDMA_READ, RDMA_WRITE and "
			"RDMA_ATOMIC of enum doca_access_flag, not %#x",
			permissions);
	rdma->set.permissions = permissions;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_connection_state_callbacks(
	struct doca_rdma *rdma,
	doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
	doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
	doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
	doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!rdma_valid(rdma) || !given(doca_rdma_connect_established_cb) ||
	    !given(doca_rdma_connect_failure_cb) ||
	    !given(doca_rdma_disconnect_cb))
		return DOCA_ERROR_INVALID_VALUE;
	ret = may_set(rdma, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	rdma->set.on.request = doca_rdma_connect_request_cb;
	rdma->set.on.established = doca_rdma_connect_established_cb;
	rdma->set.on.failure = doca_rdma_connect_failure_cb;
	rdma->set.on.disconnect = doca_rdma_disconnect_cb;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_grh_enabled(struct doca_rdma *rdma,
				       uint8_t grh_enabled)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret = may_set(rdma, &site);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (!grh_enabled && rdma->hca.ethernet)
		return FAIL(NOT_SUPPORTED,
			    "every packet on Ethernet has a global header");
	rdma->set.grh = !!grh_enabled;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_set_gid_index(struct doca_rdma *rdma, uint32_t gid_index)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret = may_set(rdma, &site);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (gid_index >= rdma->hca.gids)
		return FAIL(
			INVALID_VALUE,
			"%s has no entry %u in its table of GIDs: it has %u",
			rdma->ctx.dev->info.name, gid_index, rdma->hca.gids);
	rdma->set.has_gid = true;
	rdma->set.gid_index = gid_index;
	return DOCA_SUCCESS;
}

static doca_error_t not_told(const struct doca_rdma *rdma, int err)
{
	return FAIL(DRIVER, "%s does not tell what its port has: %s",
		    rdma->ctx.dev->info.name, errno_text(err));
}

/* Ask the device for its port, and for the GID that is chosen by itself. */
static doca_error_t ask_port(const struct doca_rdma *rdma,
			     struct rdma_port *port)
{
	struct ibv_context *context = dev_open_verbs(&rdma->ctx.dev->info);
	int err;

	if (!context)
		return not_told(rdma, errno);
	err = rdma_port_ask(context, port);
	if (!err)
		err = rdma_gid_choose(context, &port->gid_index);
	ibv_close_device(context);
	return err ? not_told(rdma, err) : DOCA_SUCCESS;
}

doca_error_t doca_rdma_get_gid_index(const struct doca_rdma *rdma,
				     uint32_t *gid_index)
{
	struct rdma_port port;
	doca_error_t ret = DOCA_SUCCESS;

	if (!rdma_valid(rdma) || !given(gid_index))
		return DOCA_ERROR_INVALID_VALUE;
	port.gid_index = rdma->set.gid_index;
	if (!rdma->set.has_gid)
		ret = ask_port(rdma, &port);
	if (ret == DOCA_SUCCESS)
		*gid_index = port.gid_index;
	return ret;
}

doca_error_t doca_rdma_set_mtu(struct doca_rdma *rdma, enum doca_mtu_size mtu)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret = may_set(rdma, &site);
	struct rdma_port port;

	if (ret != DOCA_SUCCESS)
		return ret;
	if (refused((unsigned int)mtu > DOCA_MTU_SIZE_RAW_ETHERNET))
		return DOCA_ERROR_INVALID_VALUE;
	ret = ask_port(rdma, &port);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (mtu == DOCA_MTU_SIZE_RAW_ETHERNET || rdma_mtu_of(mtu) > port.mtu)
		return FAIL(NOT_SUPPORTED,
			    "the port of %s has an MTU of %u, no larger one",
			    rdma->ctx.dev->info.name, 128u << port.mtu);
	rdma->set.has_mtu = true;
	rdma->set.mtu = mtu;
	return DOCA_SUCCESS;
}

/* Tell the smallest of all paths, if there is a connection. */
static enum ibv_mtu of_paths(const struct doca_rdma *rdma, enum ibv_mtu mtu)
{
	const struct doca_rdma_connection *connection;
	uint32_t i;

	for (i = 0; i < rdma->nr_connections; i++) {
		connection = rdma->slots[i];
		if (connection->state == RDMA_READY && connection->mtu < mtu)
			mtu = connection->mtu;
	}
	return mtu;
}

doca_error_t doca_rdma_get_mtu(const struct doca_rdma *rdma,
			       enum doca_mtu_size *mtu)
{
	struct rdma_port port;
	doca_error_t ret;

	if (!rdma_valid(rdma) || !given(mtu))
		return DOCA_ERROR_INVALID_VALUE;
	if (!rdma->set.has_mtu) {
		ret = ask_port(rdma, &port);
		if (ret != DOCA_SUCCESS)
			return ret;
	} else {
		port.mtu = rdma_mtu_of(rdma->set.mtu);
	}
	*mtu = rdma_mtu_from(of_paths(rdma, port.mtu));
	return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_set_transport_type(struct doca_rdma *rdma,
			     enum doca_rdma_transport_type transport_type)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret = may_set(rdma, &site);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (refused((unsigned int)transport_type > DOCA_RDMA_TRANSPORT_TYPE_DC))
		return DOCA_ERROR_INVALID_VALUE;
	if (transport_type == DOCA_RDMA_TRANSPORT_TYPE_DC)
		return FAIL(NOT_SUPPORTED,
			    "dynamically connected transport is one vendor's: "
			    "verbs have no such queue pairs");
	return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_get_transport_type(const struct doca_rdma *rdma,
			     enum doca_rdma_transport_type *transport_type)
{
	if (!rdma_valid(rdma) || !given(transport_type))
		return DOCA_ERROR_INVALID_VALUE;
	*transport_type = DOCA_RDMA_TRANSPORT_TYPE_RC;
	return DOCA_SUCCESS;
}
