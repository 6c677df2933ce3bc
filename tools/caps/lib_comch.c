// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_comch.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>

#include "lib.h"

const struct cap comch_caps[] = {
	{ .name = "server",
	  .is_supported = doca_comch_cap_server_is_supported },
	{ .name = "client",
	  .is_supported = doca_comch_cap_client_is_supported },
	{ .name = "max_name_len", .get_u32 = doca_comch_cap_get_max_name_len },
	{ .name = "max_msg_size", .get_u32 = doca_comch_cap_get_max_msg_size },
	{ .name = "max_recv_queue_size",
	  .get_u32 = doca_comch_cap_get_max_recv_queue_size },
	{ .name = "max_send_tasks",
	  .get_u32 = doca_comch_cap_get_max_send_tasks },
	{ .name = "max_clients", .get_u32 = doca_comch_cap_get_max_clients },
	{ .name = "consumer",
	  .is_supported = doca_comch_consumer_cap_is_supported },
	{ .name = "consumer_max_consumers",
	  .get_u32 = doca_comch_consumer_cap_get_max_consumers },
	{ .name = "consumer_max_num_tasks",
	  .get_u32 = doca_comch_consumer_cap_get_max_num_tasks },
	{ .name = "consumer_max_buf_size",
	  .get_u32 = doca_comch_consumer_cap_get_max_buf_size },
	{ .name = "consumer_max_buf_list_len",
	  .get_u32 = doca_comch_consumer_cap_get_max_buf_list_len },
	{ .name = "consumer_max_imm_data_len",
	  .get_u32 = doca_comch_consumer_cap_get_max_imm_data_len },
	{ .name = "producer",
	  .is_supported = doca_comch_producer_cap_is_supported },
	{ .name = "producer_max_producers",
	  .get_u32 = doca_comch_producer_cap_get_max_producers },
	{ .name = "producer_max_num_tasks",
	  .get_u32 = doca_comch_producer_cap_get_max_num_tasks },
	{ .name = "producer_max_buf_size",
	  .get_u32 = doca_comch_producer_cap_get_max_buf_size },
	{ .name = "producer_max_buf_list_len",
	  .get_u32 = doca_comch_producer_cap_get_max_buf_list_len },
	{},
};
