// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Capabilities of devices. */
#include <errno.h>
#include <string.h>

#include <doca_error.h>

#include "core/base/errno_text.h"
#include "core/device/dev.h"
#include "request.h"

LOG_SOURCE("RDMA");

static bool devinfo_is(const struct doca_devinfo *devinfo, const void *out,
		       const struct log_site *site)
{
	return given_at(devinfo, "devinfo", site) &&
	       (!doca_priv_debug ||
		doca_priv_debug_valid(devinfo, &doca_priv_devinfo_object, true,
				      site->func)) &&
	       given_at(out, "the place for the answer", site);
}

static doca_error_t ask(const struct doca_devinfo *devinfo, const void *out,
			struct rdma_hca *hca, const struct log_site *site)
{
	doca_error_t ret;

	if (!devinfo_is(devinfo, out, site))
		return DOCA_ERROR_INVALID_VALUE;
	ret = rdma_hca_ask(devinfo, hca);
	if (ret == DOCA_ERROR_NOT_SUPPORTED)
		return ANSWER_AT(site, NOT_SUPPORTED,
				 "%s is no RDMA device with reliable "
				 "connections",
				 devinfo->name);
	return ret;
}

/* NAME(devinfo, &value): that member of the device's properties */
#define RDMA_CAP(name, what, member)                                          \
	doca_error_t name(const struct doca_devinfo *devinfo, uint32_t *what) \
	{                                                                     \
		static const struct log_site site = LOG_SITE;                 \
		struct rdma_hca hca;                                          \
		doca_error_t ret = ask(devinfo, what, &hca, &site);           \
                                                                              \
		if (ret == DOCA_SUCCESS)                                      \
			*what = hca.member;                                   \
		return ret;                                                   \
	}

RDMA_CAP(doca_rdma_cap_get_max_send_queue_size, max_send_queue_size,
	 max_send_queue)
RDMA_CAP(doca_rdma_cap_get_max_recv_queue_size, max_recv_queue_size,
	 max_receive_queue)
RDMA_CAP(doca_rdma_cap_get_max_send_buf_list_len, max_send_buf_list_len,
	 send_list)
RDMA_CAP(doca_rdma_cap_get_max_message_size, max_message_size, max_message)
RDMA_CAP(doca_rdma_cap_get_gid_table_size, gid_table_size, gids)

/* NAME(devinfo): whether it has tasks of that kind */
#define RDMA_CAP_TASK(name, kind)                                         \
	doca_error_t name(const struct doca_devinfo *devinfo)             \
	{                                                                 \
		static const struct log_site site = LOG_SITE;             \
		struct task_limits limits;                                \
                                                                          \
		return doca_priv_task_cap(devinfo, devinfo, &(kind).type, \
					  &limits, &site);                \
	}

RDMA_CAP_TASK(doca_rdma_cap_task_receive_is_supported, rdma_receive)
RDMA_CAP_TASK(doca_rdma_cap_task_send_is_supported, rdma_send)
RDMA_CAP_TASK(doca_rdma_cap_task_send_imm_is_supported, rdma_send_imm)
RDMA_CAP_TASK(doca_rdma_cap_task_read_is_supported, rdma_read)
RDMA_CAP_TASK(doca_rdma_cap_task_write_is_supported, rdma_write)
RDMA_CAP_TASK(doca_rdma_cap_task_write_imm_is_supported, rdma_write_imm)
RDMA_CAP_TASK(doca_rdma_cap_task_atomic_cmp_swp_is_supported, rdma_cmp_swp)
RDMA_CAP_TASK(doca_rdma_cap_task_atomic_fetch_add_is_supported, rdma_fetch_add)
RDMA_CAP_TASK(doca_rdma_cap_task_remote_net_sync_event_get_is_supported,
	      rdma_event_get)
RDMA_CAP_TASK(doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported,
	      rdma_event_set)
RDMA_CAP_TASK(doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported,
	      rdma_event_add)

doca_error_t doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
	const struct doca_devinfo *devinfo,
	enum doca_rdma_transport_type transport_type,
	uint32_t *max_buf_list_len)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_hca hca;
	doca_error_t ret;

	if (refused((unsigned int)transport_type > DOCA_RDMA_TRANSPORT_TYPE_DC))
		return DOCA_ERROR_INVALID_VALUE;
	ret = ask(devinfo, max_buf_list_len, &hca, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	*max_buf_list_len = transport_type == DOCA_RDMA_TRANSPORT_TYPE_RC ?
				    hca.receive_list :
				    0;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_cap_transport_type_is_supported(
	const struct doca_devinfo *devinfo,
	enum doca_rdma_transport_type transport_type)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_hca hca;
	doca_error_t ret;

	if (refused((unsigned int)transport_type > DOCA_RDMA_TRANSPORT_TYPE_DC))
		return DOCA_ERROR_INVALID_VALUE;
	ret = ask(devinfo, devinfo, &hca, &site);
	if (ret == DOCA_SUCCESS &&
	    transport_type == DOCA_RDMA_TRANSPORT_TYPE_DC)
		return ANSWER(NOT_SUPPORTED,
			      "%s: verbs have no dynamically connected "
			      "transport",
			      devinfo->name);
	return ret;
}

static doca_error_t query_gids(const struct doca_devinfo *devinfo,
			       uint32_t first, uint32_t n,
			       struct doca_rdma_gid *gids)
{
	struct ibv_context *context = dev_open_verbs(devinfo);
	union ibv_gid gid;
	uint32_t i;

	if (!context)
		return FAIL(DRIVER, "cannot open %s: %s", devinfo->name,
			    errno_text(errno));
	for (i = 0; i < n; i++) {
		if (ibv_query_gid(context, DEV_PORT, first + i, &gid))
			memset(&gid, 0, sizeof(gid));
		memcpy(gids[i].raw, gid.raw, sizeof(gids[i].raw));
	}
	ibv_close_device(context);
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_cap_get_gid(const struct doca_devinfo *devinfo,
				   uint32_t start_index, uint32_t num_entries,
				   struct doca_rdma_gid *gid_array)
{
	static const struct log_site site = LOG_SITE;
	struct rdma_hca hca;
	doca_error_t ret = ask(devinfo, gid_array, &hca, &site);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (!num_entries || start_index >= hca.gids ||
	    num_entries > hca.gids - start_index)
		return FAIL(
			INVALID_VALUE,
			"%s has no entries %u and %u behind it in its table "
			"of GIDs: it has %u",
			devinfo->name, start_index, num_entries, hca.gids);
	return query_gids(devinfo, start_index, num_entries, gid_array);
}
