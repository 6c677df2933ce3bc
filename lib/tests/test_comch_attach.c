// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Consumers and producers: how they are made, started, and parted from their connection. */
#include "comch_data.h"

TEST(consumers_are_created_for_memory_that_they_may_write)
{
	struct doca_comch_consumer *consumer;
	struct doca_mmap *mmap;

	data_set_up(false);
	OK(doca_mmap_stop(bed.mmap));
	FAILS(doca_comch_consumer_create(comch.connection, bed.mmap, &consumer), INVALID_VALUE,
	      "not started");
	OK(doca_mmap_set_permissions(bed.mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	OK(doca_mmap_start(bed.mmap));
	EXPECT_FAULTS(FAULT_ALLOC,
		      doca_comch_consumer_create(comch.connection, bed.mmap, &consumer), NO_MEMORY,
		      OK(doca_comch_consumer_destroy(consumer)));
	fake.query_error = -EIO;
	ERR(doca_comch_consumer_create(comch.connection, bed.mmap, &consumer), DRIVER);
	fake.query_error = -ENOENT;
	ERR(doca_comch_consumer_create(comch.connection, bed.mmap, &consumer), NOT_SUPPORTED);
	fake.query_error = 0;
	fake_imports(DOCA_ACCESS_PCI_WRITE);
	OK(doca_mmap_create_from_export(NULL, &fake_blob, sizeof(fake_blob), &fake_dev, &mmap));
	FAILS(doca_comch_consumer_create(comch.connection, mmap, &consumer), NOT_PERMITTED,
	      "from an export");
	OK(doca_mmap_destroy(mmap));
	data_tear_down();
}

TEST(consumers_of_memory_that_is_only_read)
{
	struct doca_comch_consumer *consumer;

	start_server(false);
	memset(&data, 0, sizeof(data));
	fake.write_error = -EFAULT;
	make_memory(DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	fake.write_error = 0;
	FAILS(doca_comch_consumer_create(comch.connection, bed.mmap, &consumer), NOT_PERMITTED,
	      "cannot be written");
	data_tear_down();
}

TEST(values_of_consumers)
{
	uint32_t value = 99;

	data_set_up(true);
	make_consumer();
	OK(doca_comch_consumer_get_imm_data_len(data.consumer, &value));
	EXPECT_EQ(value, 0);
	ERR(doca_comch_consumer_set_imm_data_len(data.consumer, 33), INVALID_VALUE);
	OK(doca_comch_consumer_set_imm_data_len(data.consumer, 32));
	OK(doca_comch_consumer_get_imm_data_len(data.consumer, &value));
	EXPECT_EQ(value, 32);
	ERR(doca_comch_consumer_task_post_recv_set_conf(data.consumer, on_received, on_received,
							8193),
	    INVALID_VALUE);
	ERR(doca_comch_consumer_set_dev_max_num_recv(data.consumer, 1), NOT_SUPPORTED);
	ERR(doca_comch_consumer_set_completion(data.consumer, (void *)&rep, 1), NOT_SUPPORTED);
	ERR(doca_comch_consumer_get_dpa_handle(data.consumer, (void *)&value), NOT_SUPPORTED);
	FAILS(doca_comch_consumer_get_id(data.consumer, &value), BAD_STATE, "not started");
	/* the other side learns of it although nobody makes progress here */
	ERR(doca_ctx_start(data.ctx), IN_PROGRESS);
	EXPECT_EQ(fake_inbox.announces, 1);
	drain(bed.pe);
	EXPECT_EQ(fake_inbox.announces, 1);
	OK(doca_comch_consumer_get_id(data.consumer, &value));
	EXPECT_EQ(value, fake_inbox.attach.out_id);
	EXPECT_EQ(fake_inbox.attach.role, DOCA_ATTACH_CONSUMER);
	EXPECT_EQ(fake_inbox.attach.parent_fd, comch.ctx->queue.fd);
	EXPECT_EQ(fake_inbox.attach.connection, 1);
	EXPECT_EQ(fake_inbox.attach.imm_length, 32);
	EXPECT_EQ(fake_inbox.attach.key, doca_priv_mmap_key(bed.mmap, &fake_dev));
	/* Producers read its ring, so it has no worker. */
	EXPECT_EQ(fake.attr.worker_id, 0);
	EXPECT_EQ(fake.attr.opcodes, 1ULL << DOCA_OP_POST_RECV);
	EXPECT(fake.attr.inbox >= DATA_TASKS + 2);
	ERR(doca_comch_consumer_set_imm_data_len(data.consumer, 1), BAD_STATE);
	ERR(doca_comch_consumer_task_post_recv_set_conf(data.consumer, on_received, on_received, 1),
	    BAD_STATE);
	ERR(doca_comch_consumer_destroy(data.consumer), IN_USE);
	data_tear_down();
}

static const struct {
	int err;
	doca_error_t code;
} refusals[] = {
	{ -ENOTCONN, DOCA_ERROR_NOT_CONNECTED }, { -ENOSPC, DOCA_ERROR_INITIALIZATION },
	{ -ENOENT, DOCA_ERROR_INITIALIZATION },	 { -EACCES, DOCA_ERROR_INITIALIZATION },
	{ -EDQUOT, DOCA_ERROR_INITIALIZATION },	 { -EIO, DOCA_ERROR_INITIALIZATION },
};

static void expect_refusals(void)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		fake_inbox.attach_error = refusals[i].err;
		logged();
		EXPECT_EQ(doca_ctx_start(data.ctx), refusals[i].code);
		EXPECT_LOGGED("cannot start");
	}
	fake_inbox.attach_error = 0;
}

static void expect_unannounced(int err, const char *words)
{
	fake_inbox.announce_error = err;
	ERR(doca_ctx_start(data.ctx), IN_PROGRESS);
	drain(bed.pe);
	if (words)
		EXPECT_LOGGED(words);
	EXPECT_STR(took(), ".si");
}

TEST(what_could_not_be_announced_is_tried_again)
{
	data_set_up(false);
	make_consumer();
	fake_inbox.announce_error = -ENOSPC;
	ERR(doca_ctx_start(data.ctx), IN_PROGRESS);
	fake_inbox.announce_error = 0;
	EXPECT_STR(logged(), "");
	drain(bed.pe);
	EXPECT_EQ(fake_inbox.announces, 2);
	EXPECT_STR(took(), ".r");
	data_tear_down();
}

TEST(what_cannot_be_attached)
{
	uint32_t id;

	data_set_up(false);
	make_consumer();
	expect_refusals();
	ERR(doca_comch_consumer_get_id(data.consumer, &id), BAD_STATE);
	EXPECT_LOGGED("has no id");
	expect_unannounced(-ENOSPC, "no room");
	expect_unannounced(-EIO, "Input/output error");
	expect_unannounced(-ENOTCONN, NULL);
	data_tear_down();
	data_set_up(false);
	make_producer();
	expect_refusals();
	ERR(doca_comch_producer_get_id(data.producer, &id), BAD_STATE);
	data_tear_down();
}

static void keep_connection(void)
{
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;

	comch.on_event = NULL;
	ERR(doca_comch_consumer_create(comch.connection, bed.mmap, &consumer), NOT_CONNECTED);
	ERR(doca_comch_producer_create(comch.connection, &producer), NOT_CONNECTED);
}

/* It lives on for its consumers and producers, which cannot be started any more. */
TEST(connections_end_before_what_is_attached)
{
	struct doca_comch_connection *connection;
	union doca_data user = { .u64 = 5 };

	start_producer(true);
	connection = comch.connection;
	comch.on_event = keep_connection;
	fake_disconnected(&comch.ctx->queue, 1);
	drain(bed.pe);
	EXPECT_STR(took(), "D");
	EXPECT(!comch.on_event);
	OK(doca_comch_connection_set_user_data(connection, user));
	EXPECT(!doca_comch_server_get_server_ctx(connection));
	logged();
	fake_disconnected(&data.ctx->queue, 1);
	drain(bed.pe);
	EXPECT_STR(took(), "si");
	EXPECT_SILENT();
	FAILS(doca_ctx_start(data.ctx), NOT_CONNECTED, "is closed");
	data_tear_down();
}
