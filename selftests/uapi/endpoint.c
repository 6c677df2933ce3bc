// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Servers and clients of several processes and users, and buffers that one fills for the other.
 * The rules of each call are tested in process (test_endpoints, test_consumers).
 */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include "doca_ring.h"
#include "kselftest_harness.h"
#include "pair.h"

#define NAME "selftest server" /* blanks are legal */
#define SLOT 64
#define SOMEBODY 65534

/* A queue with an inbox */
struct end {
	struct doca d;
	struct queue q;
	uint32_t ev_head;
	uint32_t connection;
};

FIXTURE(endpoint) {
	struct pair pair;
	struct end server;
};

FIXTURE_VARIANT(endpoint) {
	struct mode mode;
};

FIXTURE_VARIANT_ADD(endpoint, worker) { .mode = { .worker = true, .idle_us = 1000 } };
FIXTURE_VARIANT_ADD(endpoint, enter) {};

static struct doca_queue_create geometry(uint64_t opcodes, uint32_t worker)
{
	return (struct doca_queue_create){
		.worker_id = worker,
		.sq_entries = 8,
		.cq_entries = 8,
		.opcodes = opcodes,
		.nr_ops = 1,
		.inbox_entries = 32,
		.recv_slots = 4,
		.send_slots = 4,
		.slot_size = SLOT,
	};
}

static int end_open(struct end *e, uint32_t device, const struct mode *mode)
{
	uint32_t worker = 0;
	int err;

	*e = (struct end){ .d = { .device = device }, .q = { .fd = -1 } };
	e->d.fd = open(DOCA_NODE, O_RDWR | O_CLOEXEC);
	if (e->d.fd < 0)
		return -errno;
	err = mode_worker(&e->d, mode, &worker);
	return err ?: queue_create(&e->q, &e->d, geometry(1 << DOCA_OP_MSG_SEND, worker));
}

static void end_close(struct end *e)
{
	queue_close(&e->q);
	close(e->d.fd);
}

static const struct doca_event *event_peek(struct end *e)
{
	const struct doca_event *events = (void *)((char *)e->q.kernel + e->q.geo.out_event_off);
	const struct doca_event *event = &events[e->ev_head & (e->q.geo.inbox_entries - 1)];
	bool there = ring_load(&event->phase) == ring_phase(e->ev_head, e->q.geo.inbox_entries);

	return there ? event : NULL;
}

static int event_release(struct end *e)
{
	ring_store(&e->q.user->ev_head, ++e->ev_head);
	ring_barrier();
	return ring_load(&e->q.kernel->ev_starved) ? queue_enter(e->q.fd, 1, NULL) : 0;
}

/* Sleep until an event comes; type 0 if none does */
static struct doca_event event_wait(struct end *e)
{
	const struct doca_event *there;
	struct doca_event event = {};

	ring_store(&e->q.user->ev_notify_at, e->ev_head + 1);
	ring_barrier();
	if (!event_peek(e))
		queue_revents(&e->q, POLLIN, 10000);
	there = event_peek(e);
	if (!there)
		return event;
	event = *there;
	if (event.type == DOCA_EVENT_MESSAGE)
		memcpy(event.imm, (char *)e->q.kernel + e->q.geo.out_recv_off + event.slot * SLOT,
		       sizeof(event.imm));
	event_release(e);
	return event;
}

static int message_send(struct end *e, const char *text)
{
	memcpy((char *)e->q.user + e->q.geo.out_send_off, text, strlen(text) + 1);
	return queue_status(&e->q, (struct doca_sqe){
		.opcode = DOCA_OP_MSG_SEND,
		.src = { .length = strlen(text) + 1 },
		.op = { e->connection },
	});
}

FIXTURE_SETUP(endpoint)
{
	int err;

	ASSERT_EQ(0, pair_make(&self->pair, false));
	err = end_open(&self->server, self->pair.dpu, &variant->mode);
	if (err == -EOPNOTSUPP) {
		pair_end();
		SKIP_SETUP("workers are switched off");
	}
	ASSERT_EQ(0, err);
	ASSERT_EQ(0, queue_listen(self->server.q.fd, self->pair.function, NAME, SLOT));
}

FIXTURE_TEARDOWN(endpoint)
{
	end_close(&self->server);
	EXPECT_EQ(0, pair_end());
}

/* Run a client in another process, which acts when it is connected */
static pid_t client(const struct pair *pair, const struct mode *mode, int (*act)(struct end *e))
{
	struct end e;
	pid_t pid = fork();
	int err;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	err = end_open(&e, pair->host, mode) ?:
	      queue_connect(e.q.fd, NAME, SLOT, &e.connection);
	if (!err && event_wait(&e).type == DOCA_EVENT_CONNECTED)
		err = act(&e);
	_exit(err ? 1 : 0);
}

static int ask_and_go(struct end *e)
{
	int err = message_send(e, "question");
	struct doca_event event = event_wait(e);

	return err ?: strcmp((char *)event.imm, "answer") ?: message_send(e, "thanks");
}

static int send_and_wait(struct end *e)
{
	int err = message_send(e, "question");

	pause();
	return err;
}

TEST_F(endpoint, two_processes)
{
	struct end *e = &self->server;
	struct doca_event event;
	pid_t pid = client(&self->pair, &variant->mode, ask_and_go);

	event = event_wait(e);
	ASSERT_EQ(DOCA_EVENT_CONNECTED, event.type);
	e->connection = event.connection;
	event = event_wait(e);
	EXPECT_EQ(DOCA_EVENT_MESSAGE, event.type);
	EXPECT_STREQ("question", (char *)event.imm);
	EXPECT_EQ(DOCA_STATUS_SUCCESS, message_send(e, "answer"));
	/* The last message survives its sender */
	event = event_wait(e);
	EXPECT_EQ(DOCA_EVENT_MESSAGE, event.type);
	EXPECT_STREQ("thanks", (char *)event.imm);
	EXPECT_EQ(DOCA_EVENT_DISCONNECTED, event_wait(e).type);
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_EQ(NULL, event_peek(e));
	EXPECT_EQ(DOCA_STATUS_NOT_CONNECTED, message_send(e, "too late"));
}

TEST_F(endpoint, a_client_is_killed)
{
	struct end *e = &self->server;
	pid_t pid = client(&self->pair, &variant->mode, send_and_wait);

	EXPECT_EQ(DOCA_EVENT_CONNECTED, event_wait(e).type);
	EXPECT_EQ(DOCA_EVENT_MESSAGE, event_wait(e).type);
	kill(pid, SIGKILL);
	EXPECT_EQ(DOCA_EVENT_DISCONNECTED, event_wait(e).type);
	EXPECT_EQ(1000 + SIGKILL, child_wait(pid));
	EXPECT_EQ(NULL, event_peek(e));
}

static uint16_t refused_with(const struct pair *pair, uid_t uid)
{
	const struct mode mode = {};
	struct doca_event event;
	struct end e;
	pid_t pid = fork();

	if (pid)
		return child_wait(pid);
	if (become_user(uid) || end_open(&e, pair->host, &mode) ||
	    queue_connect(e.q.fd, NAME, SLOT, &e.connection))
		_exit(255);
	event = event_wait(&e);
	_exit(event.type == DOCA_EVENT_REFUSED ? event.status : 254);
}

TEST_F(endpoint, of_another_user)
{
	EXPECT_EQ(DOCA_STATUS_BAD_ACCESS, refused_with(&self->pair, SOMEBODY));
	EXPECT_EQ(NULL, event_peek(&self->server));
}

TEST_F(endpoint, the_pair_ends)
{
	struct end *e = &self->server, c;
	struct pair pair;

	ASSERT_EQ(0, end_open(&c, self->pair.host, &variant->mode));
	ASSERT_EQ(0, queue_connect(c.q.fd, NAME, SLOT, &c.connection));
	EXPECT_EQ(DOCA_EVENT_CONNECTED, event_wait(&c).type);
	EXPECT_EQ(DOCA_EVENT_CONNECTED, event_wait(e).type);
	ASSERT_EQ(0, pair_end());
	EXPECT_EQ(DOCA_EVENT_DISCONNECTED, event_wait(&c).type);
	EXPECT_EQ(DOCA_EVENT_DISCONNECTED, event_wait(e).type);
	EXPECT_EQ(1, ring_load(&e->q.kernel->dead));
	end_close(&c);
	ASSERT_EQ(0, pair_make(&pair, false));
}

/* The client fills a buffer of the server; both are in this process */
TEST_F(endpoint, a_producer)
{
	struct doca_queue_create geo = geometry(1 << DOCA_OP_POST_RECV, 0);
	struct end *e = &self->server, c, consumer = {}, producer = {};
	struct buf to, from;
	uint32_t id;

	ASSERT_EQ(0, end_open(&c, self->pair.host, &variant->mode));
	ASSERT_EQ(0, queue_connect(c.q.fd, NAME, SLOT, &c.connection));
	EXPECT_EQ(DOCA_EVENT_CONNECTED, event_wait(&c).type);
	e->connection = event_wait(e).connection;
	ASSERT_EQ(0, buf_make(&e->d, &to, 64 * PAGE, ACCESS_LOCAL));
	ASSERT_EQ(0, buf_make(&c.d, &from, 64 * PAGE, ACCESS_LOCAL));
	ASSERT_EQ(0, queue_create(&consumer.q, &e->d, geo));
	ASSERT_EQ(0, queue_attach(consumer.q.fd, e->q.fd, e->connection, DOCA_ATTACH_CONSUMER,
				  to.key, 0, &id));
	ASSERT_EQ(0, consumer_announce(consumer.q.fd));
	EXPECT_EQ(DOCA_EVENT_CONSUMER_NEW, event_wait(&c).type);
	geo = geometry(1 << DOCA_OP_SEND_TO, 0);
	ASSERT_EQ(0, queue_create(&producer.q, &c.d, geo));
	ASSERT_EQ(0, queue_attach(producer.q.fd, c.q.fd, c.connection, DOCA_ATTACH_PRODUCER, 0, 0,
				  NULL));
	memset(from.addr, 7, from.length);
	queue_push(&producer.q, (struct doca_sqe){
		.opcode = DOCA_OP_SEND_TO,
		.aux = id,
		.src = seg_of(&from, 0, from.length),
	});
	ASSERT_EQ(0, queue_publish(&producer.q));
	queue_push(&consumer.q, (struct doca_sqe){
		.opcode = DOCA_OP_POST_RECV,
		.user_data = 5,
		.dst = seg_of(&to, 0, to.length),
	});
	ASSERT_EQ(0, queue_publish(&consumer.q));
	EXPECT_EQ(5, event_wait(&consumer).user_data);
	EXPECT_EQ(0, memcmp(to.addr, from.addr, from.length));
	/* The memory goes, and the consumer with it, while its queue is open */
	EXPECT_EQ(0, mem_dereg(e->d.fd, to.mem));
	EXPECT_EQ(DOCA_STATUS_BAD_KEY, event_wait(&consumer).status);
	EXPECT_EQ(DOCA_EVENT_CONSUMER_GONE, event_wait(&c).type);
	queue_close(&producer.q);
	queue_close(&consumer.q);
	end_close(&c);
}

static uint32_t file_of(const struct end *e)
{
	return fdinfo_value(e->d.fd, "doca-file");
}

/* Find the entry of the file's only endpoint, or of its only connection */
static const struct entry *list_one(struct family *nl, int cmd, struct listing *l, uint32_t file)
{
	listing_free(l);
	return family_list(nl, cmd, l) ? NULL : listing_find(l, DOCA_GENL_A_FILE_ID, file);
}

TEST_F(endpoint, is_listed_with_its_connection)
{
	struct end *e = &self->server, c;
	const struct entry *one;
	struct listing l = {};
	struct family nl;

	ASSERT_EQ(0, family_open(&nl));
	ASSERT_EQ(0, end_open(&c, self->pair.host, &variant->mode));
	one = list_one(&nl, DOCA_GENL_CMD_ENDPOINT_GET, &l, file_of(&c));
	ASSERT_NE(NULL, one);
	EXPECT_EQ(DOCA_GENL_ROLE_NONE, one->v[DOCA_GENL_A_ROLE]);
	EXPECT_EQ(NULL, list_one(&nl, DOCA_GENL_CMD_CONNECTION_GET, &l, file_of(e)));
	ASSERT_EQ(0, queue_connect(c.q.fd, NAME, SLOT, &c.connection));
	one = list_one(&nl, DOCA_GENL_CMD_ENDPOINT_GET, &l, file_of(e));
	ASSERT_NE(NULL, one);
	EXPECT_EQ(DOCA_GENL_ROLE_SERVER, one->v[DOCA_GENL_A_ROLE]);
	EXPECT_STREQ(NAME, one->server);
	EXPECT_EQ(self->pair.function, one->v[DOCA_GENL_A_FUNCTION_ID]);
	EXPECT_EQ(self->pair.dpu, one->v[DOCA_GENL_A_DEV_ID]);
	EXPECT_EQ(1, one->v[DOCA_GENL_A_CONNECTIONS]);
	EXPECT_EQ(1, one->v[DOCA_GENL_A_EV_TAIL] - one->v[DOCA_GENL_A_EV_HEAD]);
	EXPECT_EQ(4, one->v[DOCA_GENL_A_RECV_SLOTS]);
	one = list_one(&nl, DOCA_GENL_CMD_CONNECTION_GET, &l, file_of(&c));
	ASSERT_NE(NULL, one);
	EXPECT_EQ(DOCA_GENL_ROLE_CLIENT, one->v[DOCA_GENL_A_ROLE]);
	EXPECT_EQ(c.connection, one->v[DOCA_GENL_A_CONNECTION_ID]);
	EXPECT_EQ(file_of(e), one->v[DOCA_GENL_A_PEER_FILE_ID]);
	EXPECT_EQ(event_wait(e).connection, one->v[DOCA_GENL_A_PEER_CONNECTION_ID]);
	end_close(&c);
	EXPECT_EQ(NULL, list_one(&nl, DOCA_GENL_CMD_CONNECTION_GET, &l, file_of(e)));
	listing_free(&l);
	family_close(&nl);
}

/* Connected to root's server, somebody sees only this end */
static int see_own(const struct pair *pair)
{
	const struct mode mode = {};
	const struct entry *one;
	struct listing l = {};
	struct family nl;
	struct end c;
	int i;

	if (become_user(SOMEBODY) || end_open(&c, pair->host, &mode) ||
	    queue_connect(c.q.fd, NAME, SLOT, &c.connection) ||
	    event_wait(&c).type != DOCA_EVENT_CONNECTED || family_open(&nl))
		return 1;
	one = list_one(&nl, DOCA_GENL_CMD_CONNECTION_GET, &l, file_of(&c));
	if (!one || l.n != 1 || one->has[DOCA_GENL_A_PEER_FILE_ID] ||
	    one->has[DOCA_GENL_A_PEER_QUEUE_ID] || one->has[DOCA_GENL_A_PEER_CONNECTION_ID])
		return 2;
	if (!list_one(&nl, DOCA_GENL_CMD_ENDPOINT_GET, &l, file_of(&c)))
		return 3;
	for (i = 0; i < l.n; i++)
		if (l.e[i].v[DOCA_GENL_A_UID] != SOMEBODY || *l.e[i].server)
			return 4;
	return 0;
}

TEST_F(endpoint, of_others_is_not_listed)
{
	struct end *e = &self->server;
	struct pair pair;
	pid_t pid;

	end_close(e);
	ASSERT_EQ(0, pair_end());
	ASSERT_EQ(0, pair_make(&pair, true));
	ASSERT_EQ(0, end_open(e, pair.dpu, &variant->mode));
	ASSERT_EQ(0, queue_listen(e->q.fd, pair.function, NAME, SLOT));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(see_own(&pair));
	EXPECT_EQ(0, child_wait(pid));
}

/* Clients that come and go */
struct visitors {
	uint32_t device, stop, visits, failures;
};

static void *come_and_go(void *arg)
{
	const struct mode mode = {};
	struct visitors *v = arg;
	struct end e;
	bool bad;

	while (!ring_load(&v->stop)) {
		bad = end_open(&e, v->device, &mode) ||
		      queue_connect(e.q.fd, NAME, SLOT, &e.connection);
		end_close(&e);
		__atomic_add_fetch(&v->failures, bad, __ATOMIC_RELAXED);
		__atomic_add_fetch(&v->visits, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

/* Look at both listings: the server is there, and whatever else is has what it must have */
static bool sees_server(struct family *nl, uint32_t file)
{
	struct listing l = {};
	const struct entry *one = list_one(nl, DOCA_GENL_CMD_ENDPOINT_GET, &l, file);
	bool seen = one && one->v[DOCA_GENL_A_ROLE] == DOCA_GENL_ROLE_SERVER;
	int i;

	listing_free(&l);
	seen &= !family_list(nl, DOCA_GENL_CMD_CONNECTION_GET, &l);
	for (i = 0; i < l.n; i++)
		seen &= l.e[i].has[DOCA_GENL_A_PEER_FILE_ID] &&
			(l.e[i].v[DOCA_GENL_A_FILE_ID] == file ||
			 l.e[i].v[DOCA_GENL_A_PEER_FILE_ID] == file);
	listing_free(&l);
	return seen;
}

TEST_F(endpoint, is_listed_while_others_come_and_go)
{
	struct visitors v = { .device = self->pair.host };
	struct end *e = &self->server;
	pthread_t threads[2];
	struct family nl;
	uint32_t i;

	ASSERT_EQ(0, family_open(&nl));
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, come_and_go, &v));
	for (i = 0; i < rounds(50) || ring_load(&v.visits) < rounds(50); i++) {
		EXPECT_TRUE(sees_server(&nl, file_of(e)));
		while (event_peek(e))
			EXPECT_EQ(0, event_release(e));
	}
	ring_store(&v.stop, 1);
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		ASSERT_EQ(0, pthread_join(threads[i], NULL));
	EXPECT_EQ(0, v.failures);
	family_close(&nl);
}

/* A listing in several messages has each of them once */
TEST_F(endpoint, many_connections_are_listed)
{
	enum { NR = 400 };
	struct doca_queue_create geo = geometry(1 << DOCA_OP_MSG_SEND, 0);
	struct listing l = {};
	struct queue many, client;
	struct family nl;
	uint32_t id;
	int i;

	geo.inbox_entries = 4 * NR;
	while (geo.inbox_entries & (geo.inbox_entries - 1))
		geo.inbox_entries += geo.inbox_entries & -geo.inbox_entries;
	ASSERT_EQ(0, queue_create(&many, &self->server.d, geo));
	ASSERT_EQ(0, queue_listen(many.fd, self->pair.function, "many", SLOT));
	self->server.d.device = self->pair.host;
	ASSERT_EQ(0, queue_create(&client, &self->server.d, geo));
	for (i = 0; i < NR; i++)
		ASSERT_EQ(0, queue_connect(client.fd, "many", SLOT, &id));
	ASSERT_EQ(0, family_open(&nl));
	ASSERT_EQ(0, family_list(&nl, DOCA_GENL_CMD_CONNECTION_GET, &l));
	EXPECT_EQ(2 * NR, l.n);
	for (i = 1; i <= NR; i++)
		EXPECT_EQ(2, listing_count(&l, DOCA_GENL_A_CONNECTION_ID, i));
	listing_free(&l);
	family_close(&nl);
	queue_close(&client);
	queue_close(&many);
}

TEST_HARNESS_MAIN
