// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Settings of servers and clients. */
#include <doca_error.h>

#include "party.h"

LOG_SOURCE("COMCH");

/* Define NAME(object, &value). */
#define GET(name, lib, arg, value_t, what, value)               \
	doca_error_t name(const struct lib *arg, value_t *what) \
	{                                                       \
		if (!valid_ctx(arg, lib) || !given(what))       \
			return DOCA_ERROR_INVALID_VALUE;        \
		*what = arg->value;                             \
		return DOCA_SUCCESS;                            \
	}

/* Define NAME(object, size), which refuses sizes over @max. */
#define SET(name, lib, arg, member, max)                                \
	doca_error_t name(struct lib *arg, uint32_t size)               \
	{                                                               \
		static const struct log_site site = LOG_SITE;           \
		doca_error_t ret;                                       \
                                                                        \
		ret = comch_may_set(CTX_OF(arg), &lib##_object, &site); \
		if (ret != DOCA_SUCCESS)                                \
			return ret;                                     \
		if (!given(size) || refused(size > (max)))              \
			return DOCA_ERROR_INVALID_VALUE;                \
		arg->party.member = size;                               \
		return DOCA_SUCCESS;                                    \
	}

/* Define NAME(object, callback). */
#define REGISTER_RECV(name, lib, arg)                                   \
	doca_error_t name(struct lib *arg,                              \
			  doca_comch_event_msg_recv_cb_t recv_event_cb) \
	{                                                               \
		static const struct log_site site = LOG_SITE;           \
		doca_error_t ret;                                       \
                                                                        \
		if (!given(recv_event_cb))                              \
			return DOCA_ERROR_INVALID_VALUE;                \
		ret = comch_may_set(CTX_OF(arg), &lib##_object, &site); \
		if (ret == DOCA_SUCCESS)                                \
			arg->party.recv_cb = recv_event_cb;             \
		return ret;                                             \
	}

/* Define NAME(object, callback for new ones, callback for those that are gone). */
#define REGISTER_CONSUMER(name, lib, arg)                                 \
	doca_error_t name(                                                \
		struct lib *arg,                                          \
		doca_comch_event_consumer_cb_t new_consumer_event_cb,     \
		doca_comch_event_consumer_cb_t expired_consumer_event_cb) \
	{                                                                 \
		static const struct log_site site = LOG_SITE;             \
		doca_error_t ret;                                         \
                                                                          \
		if (!given(new_consumer_event_cb) ||                      \
		    !given(expired_consumer_event_cb))                    \
			return DOCA_ERROR_INVALID_VALUE;                  \
		ret = comch_may_set(CTX_OF(arg), &lib##_object, &site);   \
		if (ret != DOCA_SUCCESS)                                  \
			return ret;                                       \
		arg->party.new_consumer_cb = new_consumer_event_cb;       \
		arg->party.gone_consumer_cb = expired_consumer_event_cb;  \
		return DOCA_SUCCESS;                                      \
	}

SET(doca_comch_server_set_max_msg_size, doca_comch_server, comch_server,
    max_msg, COMCH_MAX_MSG)
SET(doca_comch_client_set_max_msg_size, doca_comch_client, comch_client,
    max_msg, COMCH_MAX_MSG)
SET(doca_comch_server_set_recv_queue_size, doca_comch_server, comch_server,
    recv_slots, COMCH_MAX_RECV)
SET(doca_comch_client_set_recv_queue_size, doca_comch_client, comch_client,
    recv_slots, COMCH_MAX_RECV)

GET(doca_comch_server_get_max_msg_size, doca_comch_server, comch_server,
    uint32_t, size, party.max_msg)
GET(doca_comch_client_get_max_msg_size, doca_comch_client, comch_client,
    uint32_t, size, party.max_msg)
GET(doca_comch_server_get_recv_queue_size, doca_comch_server, comch_server,
    uint32_t, size, party.recv_slots)
GET(doca_comch_client_get_recv_queue_size, doca_comch_client, comch_client,
    uint32_t, size, party.recv_slots)
GET(doca_comch_server_get_device, doca_comch_server, comch_server,
    struct doca_dev *, dev, ctx.dev)
GET(doca_comch_client_get_device, doca_comch_client, comch_client,
    struct doca_dev *, dev, ctx.dev)
GET(doca_comch_server_get_device_rep, doca_comch_server, comch_server,
    struct doca_dev_rep *, rep, rep)

REGISTER_RECV(doca_comch_server_event_msg_recv_register, doca_comch_server,
	      comch_server)
REGISTER_RECV(doca_comch_client_event_msg_recv_register, doca_comch_client,
	      comch_client)
REGISTER_CONSUMER(doca_comch_server_event_consumer_register, doca_comch_server,
		  comch_server)
REGISTER_CONSUMER(doca_comch_client_event_consumer_register, doca_comch_client,
		  comch_client)

doca_error_t doca_comch_server_event_connection_status_changed_register(
	struct doca_comch_server *comch_server,
	doca_comch_event_connection_status_changed_cb_t connect_event_cb,
	doca_comch_event_connection_status_changed_cb_t disconnect_event_cb)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!given(connect_event_cb) || !given(disconnect_event_cb))
		return DOCA_ERROR_INVALID_VALUE;
	ret = comch_may_set(CTX_OF(comch_server), &doca_comch_server_object,
			    &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	comch_server->party.connect_cb = connect_event_cb;
	comch_server->party.disconnect_cb = disconnect_event_cb;
	return DOCA_SUCCESS;
}
