// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_rdma.h>

#include "lib.h"

static doca_error_t receive_list(const struct doca_devinfo *devinfo,
				 uint32_t *list_len)
{
	return doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
		devinfo, DOCA_RDMA_TRANSPORT_TYPE_RC, list_len);
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
	{},
};
