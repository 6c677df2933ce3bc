// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Servers and clients: their capabilities and configuration, and how they find each other. */
#include "comch/connection.h"
#include "comch_bed.h"

typedef doca_error_t is_supported_t(const struct doca_devinfo *devinfo);
typedef doca_error_t number_t(const struct doca_devinfo *devinfo, uint32_t *number);

static const struct {
	is_supported_t *is_supported;
	bool dpu, host;
} sides[] = {
	{ doca_comch_cap_server_is_supported, true, false },
	{ doca_comch_cap_client_is_supported, false, true },
	{ doca_comch_consumer_cap_is_supported, true, true },
	{ doca_comch_producer_cap_is_supported, true, true },
};

static const struct {
	number_t *get;
	uint32_t number;
} numbers[] = {
	{ doca_comch_cap_get_max_name_len, 120 },
	{ doca_comch_cap_get_max_msg_size, MAX_MSG },
	{ doca_comch_cap_get_max_recv_queue_size, 8192 },
	{ doca_comch_cap_get_max_send_tasks, 8192 },
	{ doca_comch_cap_get_max_clients, 512 },
	{ doca_comch_consumer_cap_get_max_consumers, 128 },
	{ doca_comch_consumer_cap_get_max_num_tasks, 8192 },
	{ doca_comch_consumer_cap_get_max_buf_size, 128 << 20 },
	{ doca_comch_consumer_cap_get_max_buf_list_len, 1 },
	{ doca_comch_consumer_cap_get_max_imm_data_len, 32 },
	{ doca_comch_producer_cap_get_max_producers, 128 },
	{ doca_comch_producer_cap_get_max_num_tasks, 8192 },
	{ doca_comch_producer_cap_get_max_buf_size, 128 << 20 },
	{ doca_comch_producer_cap_get_max_buf_list_len, 64 },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void expect_side(is_supported_t *is_supported, const struct doca_dev *dev, bool is)
{
	if (is)
		OK(is_supported(&dev->info));
	else
		ERR(is_supported(&dev->info), NOT_SUPPORTED);
}

TEST(capabilities)
{
	uint32_t number;
	size_t i;

	comch_set_up(false);
	for (i = 0; i < COUNT(sides); i++) {
		expect_side(sides[i].is_supported, &fake_dev, sides[i].dpu);
		expect_side(sides[i].is_supported, comch.host, sides[i].host);
		expect_side(sides[i].is_supported, comch.third, false);
	}
	for (i = 0; i < COUNT(numbers); i++) {
		OK(numbers[i].get(&fake_dev.info, &number));
		EXPECT_EQ(number, numbers[i].number);
		OK(numbers[i].get(&comch.host->info, &number));
		EXPECT_EQ(number, numbers[i].number);
		ERR(numbers[i].get(&comch.third->info, &number), NOT_SUPPORTED);
	}
	EXPECT_SILENT();
	fake.functions_error = -EIO;
	for (i = 0; i < COUNT(sides); i++)
		FAILS(sides[i].is_supported(&fake_dev.info), DRIVER, "cannot list the pairs");
	fake.functions_error = 0;
	fake.get_error = -ENOENT;
	for (i = 0; i < COUNT(numbers); i++)
		FAILS(numbers[i].get(&fake_dev.info, &number), DRIVER, "cannot ask");
	fake.get_error = 0;
	comch_tear_down();
}

/* No device has a DPA. */
TEST(what_is_of_dpas_is_not_supported)
{
	struct doca_comch_consumer_completion *completion = (void *)&rep;
	struct doca_comch_msgq *msgq = (void *)&rep;
	struct doca_dpa *dpa = (void *)&rep;
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	uint32_t number;
	uint64_t handle;

	comch_set_up(false);
	FAILS(doca_comch_consumer_completion_create(&completion), NOT_SUPPORTED, "DPA");
	ERR(doca_comch_consumer_completion_destroy(completion), NOT_SUPPORTED);
	ERR(doca_comch_consumer_completion_set_max_num_consumers(completion, 1), NOT_SUPPORTED);
	ERR(doca_comch_consumer_completion_get_max_num_consumers(completion, &number),
	    NOT_SUPPORTED);
	ERR(doca_comch_consumer_completion_set_max_num_recv(completion, 1), NOT_SUPPORTED);
	ERR(doca_comch_consumer_completion_get_max_num_recv(completion, &number), NOT_SUPPORTED);
	ERR(doca_comch_consumer_completion_set_imm_data_len(completion, 1), NOT_SUPPORTED);
	ERR(doca_comch_consumer_completion_get_imm_data_len(completion, &number), NOT_SUPPORTED);
	ERR(doca_comch_consumer_completion_set_dpa_thread(completion, (void *)&rep), NOT_SUPPORTED);
	ERR(doca_comch_consumer_completion_get_dpa_handle(completion, &handle), NOT_SUPPORTED);
	ERR(doca_comch_consumer_completion_start(completion), NOT_SUPPORTED);
	ERR(doca_comch_consumer_completion_stop(completion), NOT_SUPPORTED);
	FAILS(doca_comch_msgq_create(&fake_dev, &msgq), NOT_SUPPORTED, "DPA");
	ERR(doca_comch_msgq_destroy(msgq), NOT_SUPPORTED);
	ERR(doca_comch_msgq_start(msgq), NOT_SUPPORTED);
	ERR(doca_comch_msgq_stop(msgq), NOT_SUPPORTED);
	ERR(doca_comch_msgq_set_max_num_consumers(msgq, 1), NOT_SUPPORTED);
	ERR(doca_comch_msgq_set_max_num_producers(msgq, 1), NOT_SUPPORTED);
	ERR(doca_comch_msgq_set_dpa_consumer(msgq, dpa), NOT_SUPPORTED);
	ERR(doca_comch_msgq_set_dpa_producer(msgq, dpa), NOT_SUPPORTED);
	ERR(doca_comch_msgq_consumer_create(msgq, &consumer), NOT_SUPPORTED);
	ERR(doca_comch_msgq_producer_create(msgq, &producer), NOT_SUPPORTED);
	comch_tear_down();
}

TEST(servers_are_created_on_the_side_of_the_dpu)
{
	struct doca_dev_rep target = { .info = { .vuid = "TARGET" } };
	struct doca_dev_rep other = { .info = { .vuid = "OTHER", .function = FUNCTION_ID + 1 } };
	struct doca_comch_server *server;
	char name[121] = "";

	comch_set_up(false);
	doca_priv_debug_add(&target, &doca_priv_dev_rep_object, sizeof(target), 1);
	doca_priv_debug_add(&other, &doca_priv_dev_rep_object, sizeof(other), 1);
	FAILS(doca_comch_server_create(&fake_dev, &rep, name, &server), INVALID_VALUE, "name");
	memset(name, 0xff, 120);
	FAILS(doca_comch_server_create(&fake_dev, &rep, name, &server), INVALID_VALUE, "name");
	FAILS(doca_comch_server_create(&fake_dev, &target, "x", &server), INVALID_VALUE, "TARGET");
	FAILS(doca_comch_server_create(&fake_dev, &other, "x", &server), INVALID_VALUE, "OTHER");
	FAILS(doca_comch_server_create(comch.host, &rep, "x", &server), NOT_SUPPORTED,
	      "not the DPU's side");
	fake.functions_error = -EIO;
	FAILS(doca_comch_server_create(&fake_dev, &rep, "x", &server), DRIVER, "pairs");
	fake.functions_error = 0;
	EXPECT_FAULTS(FAULT_ALLOC, doca_comch_server_create(&fake_dev, &rep, "x", &server),
		      NO_MEMORY, OK(doca_comch_server_destroy(server)));
	name[119] = '\0';
	OK(doca_comch_server_create(&fake_dev, &rep, name, &comch.server));
	doca_priv_debug_del(&target);
	doca_priv_debug_del(&other);
	comch_tear_down();
}

TEST(clients_are_created_on_the_side_of_the_host)
{
	struct doca_comch_client *client;
	char name[121] = "";

	comch_set_up(false);
	FAILS(doca_comch_client_create(comch.host, name, &client), INVALID_VALUE, "name");
	memset(name, 'x', 120);
	FAILS(doca_comch_client_create(comch.host, name, &client), INVALID_VALUE, "name");
	FAILS(doca_comch_client_create(&fake_dev, "x", &client), NOT_SUPPORTED,
	      "not the host's side");
	FAILS(doca_comch_client_create(comch.third, "x", &client), NOT_SUPPORTED,
	      "not the host's side");
	fake.functions_error = -EIO;
	FAILS(doca_comch_client_create(comch.host, "x", &client), DRIVER, "pairs");
	fake.functions_error = 0;
	EXPECT_FAULTS(FAULT_ALLOC, doca_comch_client_create(comch.host, "x", &client), NO_MEMORY,
		      OK(doca_comch_client_destroy(client)));
	comch_tear_down();
}

TEST(values_of_servers)
{
	struct doca_dev_rep *its_rep;
	struct doca_dev *dev;
	uint32_t size;

	comch_set_up(false);
	make_server();
	OK(doca_comch_server_get_device(comch.server, &dev));
	EXPECT(dev == &fake_dev);
	OK(doca_comch_server_get_device_rep(comch.server, &its_rep));
	EXPECT(its_rep == &rep);
	OK(doca_comch_server_get_max_msg_size(comch.server, &size));
	EXPECT_EQ(size, MAX_MSG);
	OK(doca_comch_server_get_recv_queue_size(comch.server, &size));
	EXPECT_EQ(size, 64);
	ERR(doca_comch_server_set_max_msg_size(comch.server, 0), INVALID_VALUE);
	ERR(doca_comch_server_set_max_msg_size(comch.server, MAX_MSG + 1), INVALID_VALUE);
	ERR(doca_comch_server_set_recv_queue_size(comch.server, 8193), INVALID_VALUE);
	OK(doca_comch_server_set_max_msg_size(comch.server, 65));
	OK(doca_comch_server_set_recv_queue_size(comch.server, 3));
	ERR(doca_comch_server_task_send_set_conf(comch.server, on_sent, on_sent, 8193),
	    INVALID_VALUE);
	OK(doca_ctx_start(comch.ctx));
	EXPECT_EQ(fake_inbox.listen.function_id, FUNCTION_ID);
	EXPECT_EQ(fake_inbox.listen.max_message, 65);
	EXPECT_STR(fake_inbox.listen.name, "a server");
	EXPECT_EQ(fake.attr.recv_slots, 3);
	EXPECT_EQ(fake.attr.slot_size, 128);
	EXPECT_EQ(fake.attr.send_slots, 256);
	EXPECT_EQ(fake.attr.ops, 256);
	EXPECT(fake.attr.inbox >= 2 * 512 + 3);
	ERR(doca_comch_server_set_max_msg_size(comch.server, 1), BAD_STATE);
	ERR(doca_comch_server_set_recv_queue_size(comch.server, 1), BAD_STATE);
	ERR(doca_comch_server_event_msg_recv_register(comch.server, on_message), BAD_STATE);
	ERR(doca_comch_server_event_consumer_register(comch.server, on_consumer, on_consumer_gone),
	    BAD_STATE);
	ERR(doca_comch_server_event_connection_status_changed_register(comch.server, on_connect,
								       on_disconnect),
	    BAD_STATE);
	ERR(doca_comch_server_task_send_set_conf(comch.server, on_sent, on_sent, 1), BAD_STATE);
	ERR(doca_comch_server_destroy(comch.server), IN_USE);
	/* Unlike in other contexts, the user data can be set after the start. */
	OK(doca_ctx_set_user_data(comch.ctx, (union doca_data){ .u64 = 3 }));
	comch_tear_down();
}

TEST(values_of_clients)
{
	struct doca_comch_connection *connection;
	struct doca_dev *dev;
	uint32_t size;

	comch_set_up(false);
	make_client();
	OK(doca_comch_client_get_device(comch.client, &dev));
	EXPECT(dev == comch.host);
	OK(doca_comch_client_set_max_msg_size(comch.client, 64));
	OK(doca_comch_client_set_recv_queue_size(comch.client, 8192));
	OK(doca_comch_client_get_max_msg_size(comch.client, &size));
	EXPECT_EQ(size, 64);
	OK(doca_comch_client_get_recv_queue_size(comch.client, &size));
	EXPECT_EQ(size, 8192);
	ERR(doca_comch_client_set_max_msg_size(comch.client, MAX_MSG + 1), INVALID_VALUE);
	ERR(doca_comch_client_set_recv_queue_size(comch.client, 8193), INVALID_VALUE);
	ERR(doca_comch_client_task_send_set_conf(comch.client, on_sent, on_sent, 8193),
	    INVALID_VALUE);
	FAILS(doca_comch_client_get_connection(comch.client, &connection), BAD_STATE,
	      "not connected");
	ERR(doca_ctx_start(comch.ctx), IN_PROGRESS);
	EXPECT_EQ(fake_inbox.connect.max_message, 64);
	EXPECT_STR(fake_inbox.connect.name, "a server");
	ERR(doca_comch_client_get_connection(comch.client, &connection), BAD_STATE);
	ERR(doca_comch_client_set_max_msg_size(comch.client, 1), BAD_STATE);
	ERR(doca_comch_client_set_recv_queue_size(comch.client, 1), BAD_STATE);
	ERR(doca_comch_client_event_msg_recv_register(comch.client, on_message), BAD_STATE);
	ERR(doca_comch_client_event_consumer_register(comch.client, on_consumer, on_consumer_gone),
	    BAD_STATE);
	ERR(doca_comch_client_task_send_set_conf(comch.client, on_sent, on_sent, 1), BAD_STATE);
	ERR(doca_comch_client_destroy(comch.client), IN_USE);
	comch_tear_down();
}

TEST(starts_without_callbacks)
{
	comch_set_up(false);
	OK(doca_comch_server_create(&fake_dev, &rep, "x", &comch.server));
	comch_use(doca_comch_server_as_ctx(comch.server));
	FAILS(doca_ctx_start(comch.ctx), INVALID_VALUE, "connection_status_changed_register()");
	OK(doca_comch_server_event_connection_status_changed_register(comch.server, on_connect,
								      on_disconnect));
	FAILS(doca_ctx_start(comch.ctx), INVALID_VALUE, "msg_recv_register()");
	OK(doca_comch_server_event_msg_recv_register(comch.server, on_message));
	FAILS(doca_ctx_start(comch.ctx), INVALID_VALUE, "set_conf()");
	comch_tear_down();
	comch_set_up(false);
	OK(doca_comch_client_create(comch.host, "x", &comch.client));
	comch_use(doca_comch_client_as_ctx(comch.client));
	FAILS(doca_ctx_start(comch.ctx), INVALID_VALUE, "msg_recv_register()");
	comch_tear_down();
}

TEST(a_server_that_cannot_listen)
{
	comch_set_up(false);
	make_server();
	fake_inbox.listen_error = -EADDRINUSE;
	FAILS(doca_ctx_start(comch.ctx), IN_USE, "has a server of this name");
	fake_inbox.listen_error = -ENXIO;
	FAILS(doca_ctx_start(comch.ctx), INITIALIZATION, "is gone");
	fake_inbox.listen_error = -EDQUOT;
	FAILS(doca_ctx_start(comch.ctx), INITIALIZATION, "max_object_bytes");
	fake_inbox.listen_error = -EIO;
	FAILS(doca_ctx_start(comch.ctx), INITIALIZATION, "Input/output error");
	fake_inbox.listen_error = 0;
	EXPECT_FAULTS(FAULT_ALLOC, doca_ctx_start(comch.ctx), INITIALIZATION,
		      (doca_ctx_stop(comch.ctx), drain(bed.pe)));
	comch_tear_down();
}

/* A name that steers terminals, or forges a line, must not get through. */
TEST(names_are_escaped_in_the_log)
{
	comch_set_up(false);
	OK(doca_comch_client_create(comch.host, "a b\n\x1b[2J\xff\"\\", &comch.client));
	OK(doca_comch_client_event_msg_recv_register(comch.client, on_message));
	OK(doca_comch_client_task_send_set_conf(comch.client, on_sent, on_unsent, 1));
	comch_use(doca_comch_client_as_ctx(comch.client));
	fake_inbox.connect_error = -EIO;
	FAILS(doca_ctx_start(comch.ctx), INITIALIZATION, "\"a b\\x0a\\x1b[2J\\xff\\x22\\x5c\"");
	EXPECT(!strcmp(fake_inbox.connect.name, "a b\n\x1b[2J\xff\"\\"));
	comch_tear_down();
}

/* A thread of the parent was starting a consumer when another one has forked. */
TEST(the_child_of_a_fork_has_no_connection_and_takes_no_lock)
{
	start_server(false);
	EXPECT_EQ(connection_hold_fd(comch.connection), comch.ctx->queue.fd);
	driver_forks++;
	EXPECT_EQ(connection_hold_fd(comch.connection), -1);
	connection_release_fd(comch.connection);
	connection_set_fd(comch.connection, -1);
	driver_forks--;
	connection_release_fd(comch.connection);
	comch_tear_down();
}

static void refuse(uint16_t status)
{
	fake_event(fake_inbox.connector,
		   (struct doca_event){ .type = DOCA_EVENT_REFUSED,
					.connection = fake_inbox.last_id,
					.status = status },
		   NULL);
}

/* It asks again until its time is over, and logs one line. */
TEST(a_client_waits_for_its_server)
{
	comch_set_up(false);
	make_client();
	clock_stop(0);
	ERR(doca_ctx_start(comch.ctx), IN_PROGRESS);
	EXPECT_EQ(fake_inbox.connects, 1);
	for (int i = 0; i < 300; i++) {
		refuse(DOCA_STATUS_NOT_CONNECTED);
		drain(bed.pe);
		EXPECT_EQ(fake_inbox.connects, 1 + i);
		EXPECT_SILENT();
		clock_advance(10000000);
		drain(bed.pe);
	}
	EXPECT_EQ(fake_inbox.connects, 301);
	EXPECT_STR(took(), ".");
	refuse(DOCA_STATUS_NOT_CONNECTED);
	drain(bed.pe);
	EXPECT_STR(took(), "si");
	EXPECT_LOGGED("3000 ms there was no server \"a server\" for fake9, pair PAIR; start it "
		      "before, or have clients wait longer with DOCA_COMCH_CONNECT_MS");
	/* It can be started again. */
	ERR(doca_ctx_start(comch.ctx), IN_PROGRESS);
	refuse(DOCA_STATUS_NOT_CONNECTED);
	drain(bed.pe);
	clock_advance(10000000);
	drain(bed.pe);
	fake_connected(fake_inbox.connector, fake_inbox.last_id, MAX_MSG);
	drain(bed.pe);
	EXPECT_STR(took(), ".r");
	clock_go_on();
	comch_tear_down();
}

TEST(the_patience_of_clients_is_set_by_the_environment)
{
	comch_set_up(false);
	make_client();
	clock_stop(0);
	setenv("DOCA_COMCH_CONNECT_MS", "0", 1);
	ERR(doca_ctx_start(comch.ctx), IN_PROGRESS);
	refuse(DOCA_STATUS_NOT_CONNECTED);
	drain(bed.pe);
	EXPECT_STR(took(), ".si");
	EXPECT_EQ(fake_inbox.connects, 1);
	setenv("DOCA_COMCH_CONNECT_MS", "5x", 1);
	logged();
	ERR(doca_ctx_start(comch.ctx), IN_PROGRESS);
	EXPECT_LOGGED("\"5x\"");
	refuse(DOCA_STATUS_NOT_CONNECTED);
	drain(bed.pe);
	EXPECT_STR(took(), ".");
	unsetenv("DOCA_COMCH_CONNECT_MS");
	clock_go_on();
	comch_tear_down();
}

TEST(a_client_that_is_refused)
{
	comch_set_up(false);
	make_client();
	ERR(doca_ctx_start(comch.ctx), IN_PROGRESS);
	refuse(DOCA_STATUS_BAD_ACCESS);
	drain(bed.pe);
	EXPECT_LOGGED("another user's");
	EXPECT_STR(took(), ".si");
	ERR(doca_ctx_start(comch.ctx), IN_PROGRESS);
	refuse(DOCA_STATUS_NO_SPACE);
	drain(bed.pe);
	EXPECT_LOGGED("no room");
	EXPECT_STR(took(), ".si");
	fake_inbox.connect_error = -ENXIO;
	FAILS(doca_ctx_start(comch.ctx), INITIALIZATION, "gone");
	fake_inbox.connect_error = -EDQUOT;
	FAILS(doca_ctx_start(comch.ctx), INITIALIZATION, "max_connections");
	fake_inbox.connect_error = -EIO;
	FAILS(doca_ctx_start(comch.ctx), INITIALIZATION, "Input/output error");
	/* An error at a later try ends the start. */
	fake_inbox.connect_error = 0;
	clock_stop(0);
	ERR(doca_ctx_start(comch.ctx), IN_PROGRESS);
	refuse(DOCA_STATUS_NOT_CONNECTED);
	drain(bed.pe);
	fake_inbox.connect_error = -ENXIO;
	clock_advance(10000000);
	drain(bed.pe);
	EXPECT_STR(took(), ".si");
	clock_go_on();
	comch_tear_down();
}

TEST(a_client_that_is_stopped_while_it_waits)
{
	comch_set_up(false);
	make_client();
	ERR(doca_ctx_start(comch.ctx), IN_PROGRESS);
	/* The answer comes at the last moment. */
	fake_connected(&comch.ctx->queue, fake_inbox.last_id, MAX_MSG);
	ERR(doca_ctx_stop(comch.ctx), IN_PROGRESS);
	drain(bed.pe);
	EXPECT_STR(took(), ".si");
	EXPECT_EQ(fake_inbox.disconnected, fake_inbox.last_id);
	comch_tear_down();
}
