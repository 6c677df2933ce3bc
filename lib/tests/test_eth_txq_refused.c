// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Send queues: what they do not do, and what they say they can. */
#include "txq_bed.h"

TEST(settings_are_refused)
{
	struct doca_eth_txq_task_lso_send *lso;
	struct doca_eth_txq_task_send *task;
	struct doca_gather_list **headers, *list;
	struct doca_task_batch *batch;
	struct doca_gpu_eth_txq *gpu;
	struct doca_eth_txq *other;
	union doca_data *data;
	struct doca_buf **pkts, *buf;
	uint32_t *metadata;
	uint64_t value;
	uint16_t id = 9;

	tx_set_up(8);
	ERR(doca_eth_txq_create(&fake_dev, 0, &other), INVALID_VALUE);
	EXPECT_FAULTS(FAULT_ALLOC, doca_eth_txq_create(&fake_dev, 1, &other),
		      NO_MEMORY, OK(doca_eth_txq_destroy(other)));
	ERR(doca_eth_txq_destroy(NULL), INVALID_VALUE);
	EXPECT(!doca_eth_txq_as_doca_ctx(NULL));
	ERR(doca_eth_txq_set_type(txq, 1), INVALID_VALUE);
	ERR(doca_eth_txq_set_max_burst_size(txq, 0), INVALID_VALUE);
	OK(doca_eth_txq_set_max_burst_size(txq, 16));
	ERR(doca_eth_txq_set_max_send_buf_list_len(txq, 33), INVALID_VALUE);
	ERR(doca_eth_txq_set_max_lso_header_size(txq, 257), INVALID_VALUE);
	ERR(doca_eth_txq_set_metadata_num(txq, 2), INVALID_VALUE);
	OK(doca_eth_txq_set_metadata_num(txq, 1));
	ERR(doca_eth_txq_set_mss(txq, 0), INVALID_VALUE);
	ERR(doca_eth_txq_set_l3_chksum_offload(txq, 2), INVALID_VALUE);
	ERR(doca_eth_txq_set_l4_chksum_offload(txq, 2), INVALID_VALUE);
	ERR(doca_eth_txq_set_wait_on_time_offload(NULL), INVALID_VALUE);
	ERR(doca_eth_txq_set_wait_on_time_offload(txq), NOT_SUPPORTED);
	ERR(doca_eth_txq_calculate_timestamp(txq, 1, NULL), INVALID_VALUE);
	ERR(doca_eth_txq_calculate_timestamp(txq, 1, &value), NOT_SUPPORTED);
	ERR(doca_eth_txq_get_gpu_handle(txq, &gpu), NOT_SUPPORTED);
	ERR(doca_eth_txq_get_gpu_handle(txq, NULL), INVALID_VALUE);
	ERR(doca_eth_txq_get_flow_queue_id(txq, NULL), INVALID_VALUE);
	ERR(doca_eth_txq_apply_queue_id(NULL, 1), INVALID_VALUE);
	OK(doca_eth_txq_apply_queue_id(txq, 7));
	OK(doca_eth_txq_get_flow_queue_id(txq, &id));
	EXPECT_EQ(id, 7);
	ERR(doca_eth_txq_task_send_set_conf(txq, sent, sent, 0), INVALID_VALUE);
	ERR(doca_eth_txq_task_lso_send_set_conf(txq, lso_sent, NULL, 1),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_send_set_conf(txq, 9, 1, batch_sent,
						  batch_sent),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_lso_send_set_conf(txq, 9, 1, lso_batch_sent,
						      lso_batch_sent),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_send_num_expand(txq, 1), BAD_STATE);
	ERR(doca_eth_txq_task_batch_lso_send_num_expand(txq, 1), BAD_STATE);
	OK(doca_eth_txq_task_send_num_expand(txq, 1));
	ERR(doca_eth_txq_task_send_num_expand(txq, 4096), INVALID_VALUE);
	OK(doca_eth_txq_task_lso_send_num_expand(txq, 1));
	ERR(doca_eth_txq_task_lso_send_num_expand(txq, 0), INVALID_VALUE);
	OK(doca_eth_txq_task_batch_send_set_conf(txq, 0, 1, batch_sent,
						 batch_sent));
	OK(doca_eth_txq_task_batch_send_num_expand(txq, 1));
	ERR(doca_eth_txq_task_batch_send_num_expand(txq, 0), INVALID_VALUE);
	OK(doca_eth_txq_task_batch_lso_send_set_conf(txq, 0, 1, lso_batch_sent,
						     lso_batch_sent));
	ERR(doca_eth_txq_task_batch_lso_send_num_expand(txq, 0), INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_send_allocate(txq, 1, no_data, &pkts, &data,
						  &batch),
	    BAD_STATE);
	ERR(doca_eth_txq_task_batch_lso_send_allocate(txq, 1, no_data, &pkts,
						      &headers, &data, &batch),
	    BAD_STATE);
	start();
	ERR(doca_eth_txq_set_type(txq, 0), BAD_STATE);
	ERR(doca_eth_txq_set_max_burst_size(txq, 16), BAD_STATE);
	ERR(doca_eth_txq_set_max_send_buf_list_len(txq, 3), BAD_STATE);
	ERR(doca_eth_txq_set_max_lso_header_size(txq, 25), BAD_STATE);
	ERR(doca_eth_txq_set_metadata_num(txq, 1), BAD_STATE);
	ERR(doca_eth_txq_set_mss(txq, 1), BAD_STATE);
	ERR(doca_eth_txq_set_l3_chksum_offload(txq, 1), BAD_STATE);
	ERR(doca_eth_txq_set_l4_chksum_offload(txq, 1), BAD_STATE);
	ERR(doca_eth_txq_set_wait_on_time_offload(txq), BAD_STATE);
	ERR(doca_eth_txq_task_send_set_conf(txq, sent, sent, 1), BAD_STATE);
	ERR(doca_eth_txq_task_lso_send_set_conf(txq, lso_sent, lso_sent, 1),
	    BAD_STATE);
	ERR(doca_eth_txq_task_batch_send_set_conf(txq, 0, 1, batch_sent,
						  batch_sent),
	    BAD_STATE);
	ERR(doca_eth_txq_task_batch_lso_send_set_conf(txq, 0, 1, lso_batch_sent,
						      lso_batch_sent),
	    BAD_STATE);
	ERR(doca_eth_txq_task_send_num_expand(txq, 1), NOT_SUPPORTED);
	ERR(doca_eth_txq_task_lso_send_num_expand(txq, 1), NOT_SUPPORTED);
	ERR(doca_eth_txq_task_batch_send_num_expand(txq, 1), NOT_SUPPORTED);
	ERR(doca_eth_txq_task_batch_lso_send_num_expand(txq, 1), NOT_SUPPORTED);
	ERR(doca_eth_txq_destroy(txq), IN_USE);
	ERR(doca_eth_txq_task_send_allocate_init(txq, NULL, no_data, NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_lso_send_allocate_init(txq, NULL, NULL, no_data,
						     NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_send_allocate(txq, 17, no_data, &pkts,
						  &data, &batch),
	    INVALID_VALUE);
	ERR(doca_eth_txq_task_batch_lso_send_allocate(txq, 0, no_data, &pkts,
						      &headers, &data, &batch),
	    INVALID_VALUE);
	task = new_send(NULL);
	ERR(doca_eth_txq_task_send_get_pkt(task, NULL), INVALID_VALUE);
	OK(doca_eth_txq_task_send_get_pkt(task, &buf));
	EXPECT(!buf);
	ERR(doca_eth_txq_task_send_get_metadata_array(task, NULL),
	    INVALID_VALUE);
	OK(doca_eth_txq_task_send_get_metadata_array(task, &metadata));
	doca_eth_txq_task_send_set_pkt(task, NULL);
	release(doca_eth_txq_task_send_as_doca_task(task));
	lso = new_lso(NULL, NULL);
	ERR(doca_eth_txq_task_lso_send_get_pkt_payload(lso, NULL),
	    INVALID_VALUE);
	OK(doca_eth_txq_task_lso_send_get_pkt_payload(lso, &buf));
	ERR(doca_eth_txq_task_lso_send_get_headers(lso, NULL), INVALID_VALUE);
	doca_eth_txq_task_lso_send_set_headers(lso, NULL);
	doca_eth_txq_task_lso_send_set_ol_flags(lso, 0);
	doca_eth_txq_task_lso_send_set_pkt_payload(lso, NULL);
	OK(doca_eth_txq_task_lso_send_get_headers(lso, &list));
	EXPECT(!list);
	ERR(doca_eth_txq_task_lso_send_get_metadata_array(lso, NULL),
	    INVALID_VALUE);
	OK(doca_eth_txq_task_lso_send_get_metadata_array(lso, &metadata));
	release(doca_eth_txq_task_lso_send_as_doca_task(lso));
	EXPECT(!doca_eth_txq_task_send_as_doca_task(NULL));
	EXPECT(!doca_eth_txq_task_lso_send_as_doca_task(NULL));
	stop();
	ERR(doca_eth_txq_task_send_allocate_init(txq, NULL, no_data, &task),
	    BAD_STATE);
	ERR(doca_eth_txq_task_lso_send_allocate_init(txq, NULL, NULL, no_data,
						     &lso),
	    BAD_STATE);
	eth_tear_down();
}

TEST(tasks_run_out)
{
	struct doca_eth_txq_task_lso_send *lso;
	struct doca_eth_txq_task_send *task, *none;
	struct doca_task_batch *batch, *more;
	union doca_data *data;
	struct doca_buf **pkts;

	tx_set_up(8);
	OK(doca_eth_txq_task_send_set_conf(txq, sent, sent, 1));
	OK(doca_eth_txq_task_lso_send_set_conf(txq, lso_sent, lso_sent, 1));
	OK(doca_eth_txq_task_batch_send_set_conf(txq, 0, 1, batch_sent,
						 batch_sent));
	start();
	task = new_send(NULL);
	ERR(doca_eth_txq_task_send_allocate_init(txq, NULL, no_data, &none),
	    NO_MEMORY);
	release(doca_eth_txq_task_send_as_doca_task(task));
	lso = new_lso(NULL, NULL);
	ERR(doca_eth_txq_task_lso_send_allocate_init(
		    txq, NULL, NULL, no_data,
		    &(struct doca_eth_txq_task_lso_send *){ NULL }),
	    NO_MEMORY);
	release(doca_eth_txq_task_lso_send_as_doca_task(lso));
	OK(doca_eth_txq_task_batch_send_allocate(txq, 1, no_data, &pkts, &data,
						 &batch));
	ERR(doca_eth_txq_task_batch_send_allocate(txq, 1, no_data, &pkts, &data,
						  &more),
	    NO_MEMORY);
	doca_task_batch_free(batch);
	stop();
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_start(&txq->ctx), INITIALIZATION,
		      stop());
	eth_tear_down();
}

TEST(a_start_that_fails_leaves_nothing)
{
	eth_set_up();
	OK(doca_eth_txq_create(&fake_dev, 8, &txq));
	OK(doca_pe_connect_ctx(bed.pe, &txq->ctx));
	ERR(doca_eth_txq_task_send_num_expand(txq, 1), BAD_STATE);
	ERR(doca_eth_txq_task_lso_send_num_expand(txq, 1), BAD_STATE);
	ERR(doca_ctx_start(&txq->ctx), BAD_STATE);
	OK(doca_eth_txq_set_type(txq, DOCA_ETH_TXQ_TYPE_REGULAR));
	logged();
	wire.packet_err = -EPERM;
	ERR(doca_ctx_start(&txq->ctx), NOT_PERMITTED);
	EXPECT_LOGGED("CAP_NET_RAW");
	wire.packet_err = -ENOMEM;
	ERR(doca_ctx_start(&txq->ctx), INITIALIZATION);
	wire.mtu_err = -ENODEV;
	ERR(doca_ctx_start(&txq->ctx), INITIALIZATION);
	fake_dev.info.iface[0] = '\0';
	ERR(doca_ctx_start(&txq->ctx), NOT_SUPPORTED);
	eth_tear_down();
}

/* No frame of the ring is longer than the kernel lets it be. */
TEST(an_interface_without_a_limit)
{
	tx_set_up(8);
	wire.mtu = INT32_MAX;
	start();
	EXPECT_EQ(txq->packet.max_frame, 65536 - PACKET_DATA);
	stop();
	eth_tear_down();
}

static void gpu_error(struct doca_eth_txq_gpu_event_error_send_packet *event,
		      union doca_data data)
{
	(void)event;
	(void)data;
}

static void gpu_notify(struct doca_eth_txq_gpu_event_notify_send_packet *event,
		       union doca_data data)
{
	(void)event;
	(void)data;
}

TEST(nothing_is_done_on_gpus)
{
	char none[8];
	uint64_t time;
	uint16_t at;

	tx_set_up(8);
	ERR(doca_eth_txq_gpu_set_completion_on_gpu(NULL), INVALID_VALUE);
	ERR(doca_eth_txq_gpu_set_completion_on_gpu(txq), NOT_SUPPORTED);
	ERR(doca_eth_txq_gpu_event_error_send_packet_register(txq, NULL,
							      no_data),
	    INVALID_VALUE);
	ERR(doca_eth_txq_gpu_event_error_send_packet_register(txq, gpu_error,
							      no_data),
	    NOT_SUPPORTED);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_register(txq, NULL,
							       no_data),
	    INVALID_VALUE);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_register(txq, gpu_notify,
							       no_data),
	    NOT_SUPPORTED);
	ERR(doca_eth_txq_gpu_event_error_send_packet_get_position((void *)none,
								  NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_gpu_event_error_send_packet_get_position((void *)none,
								  &at),
	    NOT_SUPPORTED);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_get_position((void *)none,
								   NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_get_position((void *)none,
								   &at),
	    NOT_SUPPORTED);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_get_timestamp(
		    (void *)none, NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_get_timestamp(
		    (void *)none, &time),
	    NOT_SUPPORTED);
	start();
	ERR(doca_eth_txq_gpu_set_completion_on_gpu(txq), BAD_STATE);
	ERR(doca_eth_txq_gpu_event_error_send_packet_register(txq, gpu_error,
							      no_data),
	    BAD_STATE);
	ERR(doca_eth_txq_gpu_event_notify_send_packet_register(txq, gpu_notify,
							       no_data),
	    BAD_STATE);
	stop();
	eth_tear_down();
}

TEST(capabilities_of_send_queues)
{
	const struct doca_devinfo *info = &fake_dev.info;
	enum doca_eth_wait_on_time_type wait = 9;
	uint32_t u32 = 0;
	uint16_t u16 = 0;
	uint8_t u8 = 0;

	eth_set_up();
	for (int has = 1; has >= 0; has--) {
		doca_error_t code = has ? DOCA_SUCCESS :
					  DOCA_ERROR_NOT_SUPPORTED;

		if (!has)
			fake_dev.info.iface[0] = '\0';
		EXPECT_EQ(doca_eth_txq_cap_get_max_burst_size(info, 1, 1, &u32),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_get_max_send_buf_list_len(info,
								     &u32),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_get_max_lso_msg_size(info, &u32),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_get_max_lso_header_size(info, &u16),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_get_max_metadata_num(info, &u8),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_get_wait_on_time_offload_supported(
				  info, &wait),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_is_l3_chksum_offload_supported(info),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_is_l4_chksum_offload_supported(info),
			  code);
		EXPECT_EQ(doca_eth_txq_cap_is_type_supported(info, 0, 0), code);
	}
	EXPECT_EQ(wait, DOCA_ETH_WAIT_ON_TIME_TYPE_NONE);
	EXPECT_EQ(u16, 256);
	ERR(doca_eth_txq_create(&fake_dev, 1, &txq), NOT_SUPPORTED);
	txq = NULL;
	ERR(doca_eth_txq_cap_get_max_burst_size(info, 33, 1, &u32),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_max_burst_size(info, 1, 257, &u32),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_max_send_buf_list_len(NULL, &u32),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_max_lso_msg_size(NULL, &u32), INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_max_lso_header_size(NULL, &u16),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_max_metadata_num(NULL, &u8), INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_wait_on_time_offload_supported(NULL, &wait),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_is_l3_chksum_offload_supported(NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_is_l4_chksum_offload_supported(NULL),
	    INVALID_VALUE);
	ERR(doca_eth_txq_cap_is_type_supported(info, 3, 0), INVALID_VALUE);
	eth_tear_down();
}
