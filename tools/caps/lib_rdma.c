// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_rdma.h>

#include "lib.h"

#define GIDS_SIZE 1024 /* bytes of the text, for about twenty of them */

static doca_error_t receive_list(const struct doca_devinfo *devinfo,
				 uint32_t *list_len)
{
	return doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
		devinfo, DOCA_RDMA_TRANSPORT_TYPE_RC, list_len);
}

static doca_error_t transport_rc(const struct doca_devinfo *devinfo)
{
	return doca_rdma_cap_transport_type_is_supported(
		devinfo, DOCA_RDMA_TRANSPORT_TYPE_RC);
}

static doca_error_t transport_dc(const struct doca_devinfo *devinfo)
{
	return doca_rdma_cap_transport_type_is_supported(
		devinfo, DOCA_RDMA_TRANSPORT_TYPE_DC);
}

/* Add a GID with its number, unless it is empty, as long as there is room. */
static size_t add_gid(char *text, size_t used, uint32_t i,
		      const struct doca_rdma_gid *gid)
{
	static const struct doca_rdma_gid none;
	char addr[INET6_ADDRSTRLEN];
	int n;

	if (!memcmp(gid, &none, sizeof(none)) ||
	    !inet_ntop(AF_INET6, gid->raw, addr, sizeof(addr)))
		return used;
	n = snprintf(text + used, GIDS_SIZE - used, "%s%u %s", used ? ", " : "",
		     i, addr);
	if (n < (int)(GIDS_SIZE - used))
		return used + n;
	text[used] = '\0';
	return used;
}

static const char *gids(const struct doca_devinfo *devinfo)
{
	static char text[GIDS_SIZE];
	struct doca_rdma_gid *table = NULL;
	size_t used = 0;
	uint32_t size, i;

	if (doca_rdma_cap_get_gid_table_size(devinfo, &size) == DOCA_SUCCESS)
		table = calloc(size, sizeof(*table));
	if (table &&
	    doca_rdma_cap_get_gid(devinfo, 0, size, table) == DOCA_SUCCESS)
		for (i = 0; i < size; i++)
			used = add_gid(text, used, i, &table[i]);
	free(table);
	return used ? text : NULL;
}

#define TASK(kind)                                                       \
	{                                                                \
		.name = "task_" #kind,                                   \
		.is_supported = doca_rdma_cap_task_##kind##_is_supported \
	}

const struct cap rdma_caps[] = {
	TASK(receive),
	TASK(send),
	TASK(send_imm),
	TASK(read),
	TASK(write),
	TASK(write_imm),
	TASK(atomic_cmp_swp),
	TASK(atomic_fetch_add),
	TASK(remote_net_sync_event_get),
	TASK(remote_net_sync_event_notify_set),
	TASK(remote_net_sync_event_notify_add),
	{ .name = "transport_type_rc", .is_supported = transport_rc },
	{ .name = "transport_type_dc", .is_supported = transport_dc },
	{ .name = "max_message_size",
	  .get_u32 = doca_rdma_cap_get_max_message_size },
	{ .name = "max_send_queue_size",
	  .get_u32 = doca_rdma_cap_get_max_send_queue_size },
	{ .name = "max_recv_queue_size",
	  .get_u32 = doca_rdma_cap_get_max_recv_queue_size },
	{ .name = "max_send_buf_list_len",
	  .get_u32 = doca_rdma_cap_get_max_send_buf_list_len },
	{ .name = "receive_max_dst_buf_list_len", .get_u32 = receive_list },
	{ .name = "gid_table_size",
	  .get_u32 = doca_rdma_cap_get_gid_table_size },
	{ .name = "gids", .get_text = gids },
	{},
};
