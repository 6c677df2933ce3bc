// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Send queues: unsupported functions, and capabilities. */
#include "txq_bed.h"

/* A setter, a refused value, and an accepted one. */
#define SETTERS(X)                                       \
	X(doca_eth_txq_set_type, 1, 0)                   \
	X(doca_eth_txq_set_max_burst_size, 0, 16)        \
	X(doca_eth_txq_set_max_send_buf_list_len, 33, 3) \
	X(doca_eth_txq_set_max_lso_header_size, 257, 25) \
	X(doca_eth_txq_set_metadata_num, 2, 1)           \
	X(doca_eth_txq_set_mss, 0, 1)                    \
	X(doca_eth_txq_set_l3_chksum_offload, 2, 1)      \
	X(doca_eth_txq_set_l4_chksum_offload, 2, 1)

#define REFUSES(set, bad, good) ERR(set(txq, bad), INVALID_VALUE);
#define TAKES(set, bad, good) OK(set(txq, good));
#define IS_LATE(set, bad, good) ERR(set(txq, good), BAD_STATE);

TEST(settings_are_refused)
{
	struct doca_gpu_eth_txq *gpu;
	struct doca_eth_txq *other;
	uint64_t value;
	uint16_t id = 9;

	tx_set_up(8);
	ERR(doca_eth_txq_create(&fake_dev, 0, &other), INVALID_VALUE);
	EXPECT_FAULTS(FAULT_ALLOC, doca_eth_txq_create(&fake_dev, 1, &other), NO_MEMORY,
		      OK(doca_eth_txq_destroy(other)));
	SETTERS(REFUSES)
	SETTERS(TAKES)
	ERR(doca_eth_txq_set_wait_on_time_offload(txq), NOT_SUPPORTED);
	ERR(doca_eth_txq_calculate_timestamp(txq, 1, &value), NOT_SUPPORTED);
	ERR(doca_eth_txq_get_gpu_handle(txq, &gpu), NOT_SUPPORTED);
	OK(doca_eth_txq_apply_queue_id(txq, 7));
	OK(doca_eth_txq_get_flow_queue_id(txq, &id));
	EXPECT_EQ(id, 7);
	start();
	SETTERS(IS_LATE)
	ERR(doca_eth_txq_set_wait_on_time_offload(txq), BAD_STATE);
	ERR(doca_eth_txq_destroy(txq), IN_USE);
	stop_and_end();
}

/* Calls that configure a kind of task, refused and accepted, and its expansion. */
#define KINDS(X)                                                                                \
	X(doca_eth_txq_task_send_set_conf(txq, sent, sent, 0),                                  \
	  doca_eth_txq_task_send_set_conf(txq, sent, sent, 128),                                \
	  doca_eth_txq_task_send_num_expand)                                                    \
	X(doca_eth_txq_task_lso_send_set_conf(txq, lso_sent, NULL, 1),                          \
	  doca_eth_txq_task_lso_send_set_conf(txq, lso_sent, lso_sent, 1),                      \
	  doca_eth_txq_task_lso_send_num_expand)                                                \
	X(doca_eth_txq_task_batch_send_set_conf(txq, 9, 1, batch_sent, batch_sent),             \
	  doca_eth_txq_task_batch_send_set_conf(txq, 0, 1, batch_sent, batch_sent),             \
	  doca_eth_txq_task_batch_send_num_expand)                                              \
	X(doca_eth_txq_task_batch_lso_send_set_conf(txq, 9, 1, lso_batch_sent, lso_batch_sent), \
	  doca_eth_txq_task_batch_lso_send_set_conf(txq, 0, 1, lso_batch_sent, lso_batch_sent), \
	  doca_eth_txq_task_batch_lso_send_num_expand)

#define NONE_TO_EXPAND(bad, good, expand) ERR(expand(txq, 1), BAD_STATE);
#define IS_CONFIGURED(bad, good, expand)    \
	ERR(bad, INVALID_VALUE);            \
	OK(good);                           \
	OK(expand(txq, 1));                 \
	ERR(expand(txq, 0), INVALID_VALUE); \
	ERR(expand(txq, 4096), INVALID_VALUE);
#define IS_MADE(bad, good, expand) \
	ERR(good, BAD_STATE);      \
	ERR(expand(txq, 1), NOT_SUPPORTED);

TEST(kinds_of_tasks_are_configured_before_the_start)
{
	eth_set_up();
	OK(doca_eth_txq_create(&fake_dev, 8, &txq));
	use_queue(&txq->ctx);
	OK(doca_eth_txq_set_type(txq, DOCA_ETH_TXQ_TYPE_REGULAR));
	KINDS(NONE_TO_EXPAND)
	KINDS(IS_CONFIGURED)
	start();
	KINDS(IS_MADE)
	stop_and_end();
}

TEST(what_tasks_have)
{
	struct doca_eth_txq_task_lso_send *lso;
	struct doca_eth_txq_task_send *task;
	struct doca_gather_list *list;
	struct doca_buf *buf;
	uint32_t *metadata;

	tx_set_up(8);
	start();
	task = new_send(NULL);
	OK(doca_eth_txq_task_send_get_pkt(task, &buf));
	EXPECT(!buf);
	OK(doca_eth_txq_task_send_get_metadata_array(task, &metadata));
	doca_eth_txq_task_send_set_pkt(task, NULL);
	release(doca_eth_txq_task_send_as_doca_task(task));
	lso = new_lso(NULL, NULL);
	OK(doca_eth_txq_task_lso_send_get_pkt_payload(lso, &buf));
	doca_eth_txq_task_lso_send_set_headers(lso, NULL);
	doca_eth_txq_task_lso_send_set_ol_flags(lso, 0);
	doca_eth_txq_task_lso_send_set_pkt_payload(lso, NULL);
	OK(doca_eth_txq_task_lso_send_get_headers(lso, &list));
	EXPECT(!list);
	OK(doca_eth_txq_task_lso_send_get_metadata_array(lso, &metadata));
	release(doca_eth_txq_task_lso_send_as_doca_task(lso));
	stop_and_end();
}

/* Allocate a batch of @n tasks. */
static doca_error_t alloc_batch(uint16_t n, struct doca_task_batch **batch)
{
	union doca_data *data;
	struct doca_buf **pkts;

	return doca_eth_txq_task_batch_send_allocate(txq, n, no_data, &pkts, &data, batch);
}

static doca_error_t alloc_lso_batch(uint16_t n, struct doca_task_batch **batch)
{
	struct doca_gather_list **headers;
	union doca_data *data;
	struct doca_buf **pkts;

	return doca_eth_txq_task_batch_lso_send_allocate(txq, n, no_data, &pkts, &headers, &data,
							 batch);
}

static doca_error_t alloc_send(struct doca_eth_txq_task_send **task)
{
	return doca_eth_txq_task_send_allocate_init(txq, NULL, no_data, task);
}

static doca_error_t alloc_lso(struct doca_eth_txq_task_lso_send **task)
{
	return doca_eth_txq_task_lso_send_allocate_init(txq, NULL, NULL, no_data, task);
}

TEST(tasks_run_out)
{
	struct doca_eth_txq_task_lso_send *lso, *no_lso;
	struct doca_eth_txq_task_send *task, *none;
	struct doca_task_batch *batch, *more;

	tx_set_up(8);
	OK(doca_eth_txq_task_send_set_conf(txq, sent, sent, 1));
	OK(doca_eth_txq_task_lso_send_set_conf(txq, lso_sent, lso_sent, 1));
	OK(doca_eth_txq_task_batch_send_set_conf(txq, 0, 1, batch_sent, batch_sent));
	OK(doca_eth_txq_task_batch_lso_send_set_conf(txq, 0, 1, lso_batch_sent, lso_batch_sent));
	ERR(alloc_send(&none), BAD_STATE);
	ERR(alloc_lso(&no_lso), BAD_STATE);
	ERR(alloc_batch(1, &batch), BAD_STATE);
	ERR(alloc_lso_batch(1, &batch), BAD_STATE);
	start();
	ERR(alloc_batch(17, &batch), INVALID_VALUE);
	ERR(alloc_lso_batch(0, &batch), INVALID_VALUE);
	task = new_send(NULL);
	ERR(alloc_send(&none), NO_MEMORY);
	release(doca_eth_txq_task_send_as_doca_task(task));
	lso = new_lso(NULL, NULL);
	ERR(alloc_lso(&no_lso), NO_MEMORY);
	release(doca_eth_txq_task_lso_send_as_doca_task(lso));
	OK(alloc_batch(1, &batch));
	ERR(alloc_batch(1, &more), NO_MEMORY);
	doca_task_batch_free(batch);
	stop();
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_start(&txq->ctx), INITIALIZATION, stop());
	eth_tear_down();
}

TEST(a_start_that_fails_leaves_nothing)
{
	eth_set_up();
	OK(doca_eth_txq_create(&fake_dev, 8, &txq));
	use_queue(&txq->ctx);
	ERR(doca_ctx_start(&txq->ctx), BAD_STATE);
	OK(doca_eth_txq_set_type(txq, DOCA_ETH_TXQ_TYPE_REGULAR));
	/* The ring's frames are not longer than the kernel allows. */
	wire.mtu = INT32_MAX;
	start();
	EXPECT_EQ(txq->packet.max_frame, 65536 - PACKET_DATA);
	stop();
	logged();
	wire.packet_err = -EPERM;
	ERR(doca_ctx_start(&txq->ctx), NOT_PERMITTED);
	EXPECT_LOGGED("CAP_NET_RAW");
	wire.packet_err = -ENOMEM;
	ERR(doca_ctx_start(&txq->ctx), INITIALIZATION);
	wire.mtu_err = -ENODEV;
	ERR(doca_ctx_start(&txq->ctx), INITIALIZATION);
	netdev_fails.named_err = -ENODEV;
	FAILS(doca_ctx_start(&txq->ctx), NOT_SUPPORTED,
	      "there is no fake0 in this network namespace");
	netdev_fails.named_err = -EMFILE;
	FAILS(doca_ctx_start(&txq->ctx), NOT_SUPPORTED,
	      "fake0 cannot be asked for its network interface: the process "
	      "has too many files open (EMFILE); close some");
	netdev_fails.named_err = -EIO;
	FAILS(doca_ctx_start(&txq->ctx), NOT_SUPPORTED,
	      "fake0 cannot be asked for its network interface: Input/output error");
	netdev_fails.named_err = -ELIBACC;
	FAILS(doca_ctx_start(&txq->ctx), NOT_SUPPORTED,
	      "fake0 cannot be asked for its network interface: Can not access");
	eth_tear_down();
}

#define GPU_EVENTS(X)                                        \
	X(doca_eth_txq_gpu_event_error_send_packet_register) \
	X(doca_eth_txq_gpu_event_notify_send_packet_register)

#define GPU_ANSWERS(X)                                                  \
	X(doca_eth_txq_gpu_event_error_send_packet_get_position, &u16)  \
	X(doca_eth_txq_gpu_event_notify_send_packet_get_position, &u16) \
	X(doca_eth_txq_gpu_event_notify_send_packet_get_timestamp, &u64)

#define IS_NOT_REGISTERED(reg)                       \
	ERR(reg(txq, NULL, no_data), INVALID_VALUE); \
	ERR(reg(txq, (void *)abort, no_data), NOT_SUPPORTED);
#define IS_LATE_TO_REGISTER(reg) ERR(reg(txq, (void *)abort, no_data), BAD_STATE);
#define DOES_NOT_ANSWER(get, out) ERR(get((void *)&txq, out), NOT_SUPPORTED);

TEST(nothing_is_done_on_gpus)
{
	uint64_t u64;
	uint16_t u16;

	tx_set_up(8);
	ERR(doca_eth_txq_gpu_set_completion_on_gpu(txq), NOT_SUPPORTED);
	GPU_EVENTS(IS_NOT_REGISTERED)
	GPU_ANSWERS(DOES_NOT_ANSWER)
	start();
	ERR(doca_eth_txq_gpu_set_completion_on_gpu(txq), BAD_STATE);
	GPU_EVENTS(IS_LATE_TO_REGISTER)
	stop_and_end();
}

/* A capability, and its arguments behind the device. */
#define CAPS(X)                                                       \
	X(doca_eth_txq_cap_get_max_burst_size, 1, 1, &u32)            \
	X(doca_eth_txq_cap_get_max_send_buf_list_len, &u32)           \
	X(doca_eth_txq_cap_get_max_lso_msg_size, &u32)                \
	X(doca_eth_txq_cap_get_max_lso_header_size, &u16)             \
	X(doca_eth_txq_cap_get_max_metadata_num, &u8)                 \
	X(doca_eth_txq_cap_get_wait_on_time_offload_supported, &wait) \
	X(doca_eth_txq_cap_is_l3_chksum_offload_supported)            \
	X(doca_eth_txq_cap_is_l4_chksum_offload_supported)            \
	X(doca_eth_txq_cap_is_type_supported, 0, 0)

#define ANSWERS(cap, ...) OK(cap(info, ##__VA_ARGS__));
#define HAS_NO_INTERFACE(cap, ...) ERR(cap(info, ##__VA_ARGS__), NOT_SUPPORTED);

TEST(capabilities_of_send_queues)
{
	const struct doca_devinfo *info = &fake_dev.info;
	enum doca_eth_wait_on_time_type wait = 9;
	uint32_t u32 = 0;
	uint16_t u16 = 0;
	uint8_t u8 = 0;

	eth_set_up();
	CAPS(ANSWERS)
	EXPECT_EQ(wait, DOCA_ETH_WAIT_ON_TIME_TYPE_NONE);
	EXPECT_EQ(u16, 256);
	ERR(doca_eth_txq_cap_get_max_burst_size(info, 33, 1, &u32), INVALID_VALUE);
	ERR(doca_eth_txq_cap_get_max_burst_size(info, 1, 257, &u32), INVALID_VALUE);
	ERR(doca_eth_txq_cap_is_type_supported(info, 3, 0), INVALID_VALUE);
	fake_dev.info.iface_made_up = true;
	CAPS(HAS_NO_INTERFACE)
	FAILS(doca_eth_txq_create(&fake_dev, 1, &txq), NOT_SUPPORTED,
	      "in software, and no profile names one");
	txq = NULL;
	fake_dev.info.iface_made_up = false;
	netdev_fails.named_err = -ENODEV;
	CAPS(HAS_NO_INTERFACE)
	netdev_fails.named_err = 0;
	CAPS(ANSWERS)
	eth_tear_down();
}
