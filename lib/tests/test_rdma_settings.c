// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* RDMA contexts on a fake device: capabilities and settings. */
#include "rdma_bed.h"

static struct doca_devinfo *info(void)
{
	return doca_dev_as_devinfo(rb.dev);
}

static uint32_t a_number;

/* Each task, by what comes behind doca_rdma_cap_task_ and doca_rdma_task_. */
#define EACH_TASK(x)                                                                   \
	x(receive) x(send) x(send_imm) x(read) x(write) x(write_imm) x(atomic_cmp_swp) \
		x(atomic_fetch_add) x(remote_net_sync_event_get)                       \
			x(remote_net_sync_event_notify_set) x(remote_net_sync_event_notify_add)
#define EACH_NUMBER(x)                                                                             \
	x(max_send_queue_size) x(max_recv_queue_size) x(max_send_buf_list_len) x(max_message_size) \
		x(gid_table_size)

TEST(a_device_has_what_verbs_say)
{
	static const uint8_t v4[16] = { [10] = 0xff, 0xff, 192, 0, 2, 1 };
	struct doca_rdma_gid gids[2];

	rdma_set_up();
#define SUPPORTED(kind) OK(doca_rdma_cap_task_##kind##_is_supported(info()));
	EACH_TASK(SUPPORTED)
#define IS(what, number)                                         \
	do {                                                     \
		OK(doca_rdma_cap_get_##what(info(), &a_number)); \
		EXPECT_EQ(a_number, number);                     \
	} while (0)
	IS(max_send_queue_size, 256);
	IS(max_recv_queue_size, 256);
	IS(max_send_buf_list_len, 32);
	IS(max_message_size, 1 << 20);
	IS(gid_table_size, HCA_GIDS);
	OK(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(info(), DOCA_RDMA_TRANSPORT_TYPE_RC,
							       &a_number));
	EXPECT_EQ(a_number, 27);
	OK(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(info(), DOCA_RDMA_TRANSPORT_TYPE_DC,
							       &a_number));
	EXPECT_EQ(a_number, 0);
	ERR(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(info(), 2, &a_number),
	    INVALID_VALUE);
	OK(doca_rdma_cap_transport_type_is_supported(info(), DOCA_RDMA_TRANSPORT_TYPE_RC));
	ERR(doca_rdma_cap_transport_type_is_supported(info(), DOCA_RDMA_TRANSPORT_TYPE_DC),
	    NOT_SUPPORTED);
	ERR(doca_rdma_cap_transport_type_is_supported(info(), 2), INVALID_VALUE);
	OK(doca_rdma_cap_get_gid(info(), 3, 2, gids));
	EXPECT(!memcmp(gids[0].raw, v4, 16));
	EXPECT(!gids[1].raw[11]);
	logged();
	FAILS(doca_rdma_cap_get_gid(info(), 4, 2, gids), INVALID_VALUE, "it has 5");
	FAILS(doca_rdma_cap_get_gid(info(), 5, 1, gids), INVALID_VALUE, "it has 5");
	FAILS(doca_rdma_cap_get_gid(info(), 0, 0, gids), INVALID_VALUE, "it has 5");
	hca.open_error = EMFILE;
	FAILS(doca_rdma_cap_get_gid(info(), 0, 1, gids), DRIVER, "EMFILE");
	hca.open_error = 0;
	rdma_end();
}

static void added(struct doca_rdma_task_remote_net_sync_event_notify_add *task,
		  union doca_data task_data, union doca_data ctx_data)
{
	(void)task, (void)task_data, (void)ctx_data;
}

/* Ask a device that was not asked before. */
static void all_caps(doca_error_t error, doca_error_t of_atomics)
{
	struct doca_rdma_gid gid;

#define NOT_SUPPORTED_BY(kind)                                      \
	EXPECT_EQ(doca_rdma_cap_task_##kind##_is_supported(info()), \
		  strstr(#kind, "atomic") || strstr(#kind, "notify_add") ? of_atomics : error);
	EACH_TASK(NOT_SUPPORTED_BY)
	if (error == DOCA_SUCCESS)
		return;
#define NO_NUMBER(what) EXPECT_EQ(doca_rdma_cap_get_##what(info(), &a_number), error);
	EACH_NUMBER(NO_NUMBER)
	EXPECT_EQ(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
			  info(), DOCA_RDMA_TRANSPORT_TYPE_RC, &a_number),
		  error);
	EXPECT_EQ(doca_rdma_cap_transport_type_is_supported(info(), DOCA_RDMA_TRANSPORT_TYPE_RC),
		  error);
	EXPECT_EQ(doca_rdma_cap_get_gid(info(), 0, 1, &gid), error);
}

TEST(devices_that_cannot)
{
	struct doca_rdma *rdma = NULL;

	rdma_set_up();
	rdma_renumber(2000);
	rb.dev->info.type = DOCA_DEV_SOFTWARE;
	all_caps(DOCA_ERROR_NOT_SUPPORTED, DOCA_ERROR_NOT_SUPPORTED);
	EXPECT_SILENT();
	FAILS(doca_rdma_create(rb.dev, &rdma), NOT_SUPPORTED, "has no receive tasks");
	rb.dev->info.type = DOCA_DEV_RDMA;
	hca_device.transport_type = IBV_TRANSPORT_IWARP;
	all_caps(DOCA_ERROR_NOT_SUPPORTED, DOCA_ERROR_NOT_SUPPORTED);
	hca_device.transport_type = IBV_TRANSPORT_IB;
	hca.attr.max_srq_wr = 0;
	all_caps(DOCA_ERROR_NOT_SUPPORTED, DOCA_ERROR_NOT_SUPPORTED);
	hca.attr.max_srq_wr = 500;
	hca.query_error = EIO;
	all_caps(DOCA_ERROR_DRIVER, DOCA_ERROR_DRIVER);
	ERR(doca_rdma_create(rb.dev, &rdma), DRIVER);
	hca.query_error = 0;
	hca.port_error = EIO;
	all_caps(DOCA_ERROR_DRIVER, DOCA_ERROR_DRIVER);
	hca.port_error = 0;
	hca.open_error = EACCES;
	all_caps(DOCA_ERROR_DRIVER, DOCA_ERROR_DRIVER);
	hca.open_error = 0;
	hca.attr.atomic_cap = IBV_ATOMIC_NONE;
	all_caps(DOCA_SUCCESS, DOCA_ERROR_NOT_SUPPORTED);
	OK(doca_rdma_create(rb.dev, &rdma));
	ERR(doca_rdma_task_atomic_cmp_swp_set_conf(rdma, atomic_cmp_swp_done, atomic_cmp_swp_failed,
						   1),
	    NOT_SUPPORTED);
	ERR(doca_rdma_task_remote_net_sync_event_notify_add_set_conf(rdma, added, added, 1),
	    NOT_SUPPORTED);
	ERR(doca_rdma_task_atomic_fetch_add_set_conf(rdma, atomic_fetch_add_done,
						     atomic_fetch_add_failed, 1),
	    NOT_SUPPORTED);
	OK(doca_rdma_destroy(rdma));
	rdma_renumber(-2000);
	logged();
	rdma_end();
}

/* NAME(rdma, value), and what the getter says then. */
#define SETTING(name, type, value, gets)                     \
	do {                                                 \
		type got_ = 99;                              \
                                                             \
		OK(doca_rdma_set_##name(rb.rdma[0], value)); \
		OK(doca_rdma_get_##name(rb.rdma[0], &got_)); \
		EXPECT_EQ(got_, gets);                       \
	} while (0)
#define DEFAULT(name, type, value)                           \
	do {                                                 \
		type got_ = 99;                              \
                                                             \
		OK(doca_rdma_get_##name(rb.rdma[0], &got_)); \
		EXPECT_EQ(got_, value);                      \
	} while (0)
#define UNSETTABLE(name, value, error) ERR(doca_rdma_set_##name(rb.rdma[0], value), error)

TEST(settings)
{
	rdma_set_up();
	DEFAULT(transport_type, enum doca_rdma_transport_type, DOCA_RDMA_TRANSPORT_TYPE_RC);
	DEFAULT(max_num_connections, uint16_t, 64);
	DEFAULT(send_queue_size, uint32_t, 128);
	DEFAULT(recv_queue_size, uint32_t, RDMA_NR);
	DEFAULT(max_send_buf_list_len, uint32_t, 32);
	DEFAULT(gid_index, uint32_t, 3);
	DEFAULT(mtu, enum doca_mtu_size, DOCA_MTU_SIZE_1K_BYTES);
	DEFAULT(grh_enabled, uint8_t, 1);
	DEFAULT(sl, uint32_t, 0);
	DEFAULT(rnr_retry_count, uint8_t, 7);
	DEFAULT(permissions, uint32_t, RDMA_ALL);
	SETTING(transport_type, enum doca_rdma_transport_type, DOCA_RDMA_TRANSPORT_TYPE_RC,
		DOCA_RDMA_TRANSPORT_TYPE_RC);
	SETTING(max_num_connections, uint16_t, 3, 3);
	SETTING(send_queue_size, uint32_t, 100, 128);
	SETTING(recv_queue_size, uint32_t, 100, 100);
	SETTING(max_send_buf_list_len, uint32_t, 2, 2);
	SETTING(gid_index, uint32_t, 2, 2);
	SETTING(mtu, enum doca_mtu_size, DOCA_MTU_SIZE_512_BYTES, DOCA_MTU_SIZE_512_BYTES);
	SETTING(grh_enabled, uint8_t, 5, 1);
	SETTING(sl, uint32_t, 15, 15);
	SETTING(rnr_retry_count, uint8_t, 0, 0);
	SETTING(permissions, uint32_t, DOCA_ACCESS_FLAG_RDMA_WRITE, DOCA_ACCESS_FLAG_RDMA_WRITE);
	OK(doca_rdma_task_receive_set_dst_buf_list_len(rb.rdma[0], 9));
	OK(doca_rdma_task_receive_get_dst_buf_list_len(rb.rdma[0], &a_number));
	EXPECT_EQ(a_number, 9);
	EXPECT_SILENT();
	UNSETTABLE(transport_type, DOCA_RDMA_TRANSPORT_TYPE_DC, NOT_SUPPORTED);
	UNSETTABLE(transport_type, 2, INVALID_VALUE);
	UNSETTABLE(max_num_connections, 0, NOT_SUPPORTED);
	UNSETTABLE(send_queue_size, 0, INVALID_VALUE);
	UNSETTABLE(send_queue_size, 257, NOT_SUPPORTED);
	UNSETTABLE(recv_queue_size, 0, INVALID_VALUE);
	UNSETTABLE(recv_queue_size, 257, NOT_SUPPORTED);
	UNSETTABLE(max_send_buf_list_len, 0, INVALID_VALUE);
	UNSETTABLE(max_send_buf_list_len, 33, INVALID_VALUE);
	UNSETTABLE(gid_index, 5, INVALID_VALUE);
	UNSETTABLE(mtu, DOCA_MTU_SIZE_2K_BYTES, NOT_SUPPORTED);
	UNSETTABLE(mtu, DOCA_MTU_SIZE_RAW_ETHERNET, NOT_SUPPORTED);
	UNSETTABLE(mtu, 6, INVALID_VALUE);
	UNSETTABLE(grh_enabled, 0, NOT_SUPPORTED);
	UNSETTABLE(sl, 16, INVALID_VALUE);
	UNSETTABLE(rnr_retry_count, 8, INVALID_VALUE);
	UNSETTABLE(permissions, DOCA_ACCESS_FLAG_PCI_READ_ONLY, INVALID_VALUE);
	ERR(doca_rdma_task_receive_set_dst_buf_list_len(rb.rdma[0], 28), INVALID_VALUE);
	logged();
	rdma_end();
}

/* Another one may have its name of before. */
TEST(a_device_that_was_renamed_is_asked_by_its_name)
{
	struct doca_devinfo now;

	rdma_set_up();
	now = rb.dev->info;
	strcpy(now.name, "renamed");
	hca.name = "renamed";
	rb.dev->info.id += 2000;
	all_caps(DOCA_ERROR_NOT_SUPPORTED, DOCA_ERROR_NOT_SUPPORTED); /* it was removed */
	now.id = rb.dev->info.id;
	fake_list_dev(&now);
	all_caps(DOCA_SUCCESS, DOCA_SUCCESS);
	rdma_renumber(-2000);
	rdma_end();
}

TEST(a_port_that_does_not_answer)
{
	enum doca_mtu_size mtu;

	rdma_set_up();
	hca.port_error = EIO;
	ERR(doca_rdma_get_mtu(rb.rdma[0], &mtu), DRIVER);
	ERR(doca_rdma_set_mtu(rb.rdma[0], DOCA_MTU_SIZE_256_BYTES), DRIVER);
	hca.port_error = 0;
	hca.gid_error = EIO;
	ERR(doca_rdma_get_gid_index(rb.rdma[0], &a_number), DRIVER);
	hca.gid_error = 0;
	hca.open_error = EACCES;
	ERR(doca_rdma_get_gid_index(rb.rdma[0], &a_number), DRIVER);
	hca.open_error = 0;
	logged();
	rdma_end();
}

TEST(what_is_started_keeps_its_settings)
{
	rdma_set_up();
	rdma_start();
	UNSETTABLE(transport_type, DOCA_RDMA_TRANSPORT_TYPE_RC, BAD_STATE);
	UNSETTABLE(max_num_connections, 3, BAD_STATE);
	UNSETTABLE(send_queue_size, 3, BAD_STATE);
	UNSETTABLE(recv_queue_size, 3, BAD_STATE);
	UNSETTABLE(max_send_buf_list_len, 3, BAD_STATE);
	UNSETTABLE(gid_index, 3, BAD_STATE);
	UNSETTABLE(mtu, DOCA_MTU_SIZE_512_BYTES, BAD_STATE);
	UNSETTABLE(grh_enabled, 1, BAD_STATE);
	UNSETTABLE(sl, 1, BAD_STATE);
	UNSETTABLE(rnr_retry_count, 1, BAD_STATE);
	UNSETTABLE(permissions, 0, BAD_STATE);
	ERR(doca_rdma_task_receive_set_dst_buf_list_len(rb.rdma[0], 1), BAD_STATE);
	ERR(doca_rdma_task_receive_set_conf(rb.rdma[0], received, not_received, 1), BAD_STATE);
#define NO_CONF(kind) \
	ERR(doca_rdma_task_##kind##_set_conf(rb.rdma[0], kind##_done, kind##_failed, 1), BAD_STATE);
	NO_CONF(send)
	NO_CONF(send_imm)
	NO_CONF(read)
	NO_CONF(write)
	NO_CONF(write_imm)
	NO_CONF(atomic_cmp_swp)
	NO_CONF(atomic_fetch_add)
	ERR(doca_rdma_destroy(rb.rdma[0]), BAD_STATE);
	logged();
	rdma_end();
}

/* The device takes fewer buffers of a read's list than of others. */
TEST(a_list_too_long_to_be_read)
{
	const struct doca_devinfo other = { .id = 1, .type = DOCA_DEV_RDMA, .name = "other" };
	struct doca_buf *first, *second;
	struct rdma_hca its;
	struct doca_task *task;

	rdma_set_up();
	OK(doca_rdma_destroy(rb.rdma[0]));
	hca.attr.max_sge_rd = 1;
	hca.name = "other";
	fake_list_dev(&other);
	OK(rdma_hca_ask(&other, &its)); /* the last answer is kept */
	hca.name = rb.dev->info.name;
	new_context(0);
	rdma_start();
	connect_both();
	connect_both();
	first = local_room(0, 4);
	second = local_room(4, 4);
	OK(doca_buf_chain_list(first, second));
	task = a_read(a_buf(rb.peers, 64, 8, 0), first);
	EXPECT_STR(run_one(task), "E");
	EXPECT_EQ(rb.status, DOCA_ERROR_INVALID_VALUE);
	EXPECT(strstr(logged(), "more than 1 buffers"));
	drop(task);
	rdma_end();
}

/* The interface has got a smaller MTU since the setting. */
TEST(an_mtu_that_the_port_has_lost)
{
	rdma_set_up();
	OK(doca_rdma_set_mtu(rb.rdma[0], DOCA_MTU_SIZE_1K_BYTES));
	hca.port.active_mtu = IBV_MTU_512;
	ERR(doca_ctx_start(ctx_of(0)), INVALID_VALUE);
	EXPECT_LOGGED("an MTU of 512 by now");
	OK(doca_rdma_set_mtu(rb.rdma[0], DOCA_MTU_SIZE_512_BYTES));
	rdma_start();
	rdma_end();
}
