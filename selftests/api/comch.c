// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The communication channel between processes, and SIGKILL of either side at each step.
 * The other side hears of it, nothing of either is left, and a third pair of processes
 * does not notice.
 */
#include <fcntl.h>
#include <sys/socket.h>

#include "../lib/own_name.h"
#include "channel.h"

#define NAME own_name("selftest")
#define MESSAGES 8

static bool made; /* the pair is ours */

static int docactl(const char *arguments)
{
	char command[64];

	snprintf(command, sizeof(command), "docactl pair %s >/dev/null 2>&1",
		 arguments);
	return system(command);
}

/* In process there is a pair. No test depends on how fast a server is there. */
__attribute__((constructor)) static void make_pair(void)
{
	setenv("DOCA_COMCH_CONNECT_MS", "600000", 1);
	made = !bed_in_process() && !docactl("add selftest");
}

__attribute__((destructor)) static void end_pair(void)
{
	if (made)
		docactl("del selftest");
}

/* A child, which begins when it is told to, and tells when it has come somewhere */
struct child {
	pid_t pid;
	int fd;
};

static void tell(int fd)
{
	MUST(write(fd, "", 1) == 1);
}

static bool told(int fd)
{
	char byte;

	return read(fd, &byte, 1) == 1;
}

/* Fork a child that will start as a side, take a step, and stay there. */
static void child_fork(struct child *child, bool dpu, void (*step)(void))
{
	int fds[2];

	MUST(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
	child->pid = quiet_fork();
	MUST(child->pid >= 0);
	if (!child->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		MUST(told(fds[1]));
		side_start(dpu, NAME);
		step();
		tell(fds[1]);
		for (;;)
			pause();
	}
	close(fds[1]);
	child->fd = fds[0];
	fcntl(child->fd, F_SETFL, O_NONBLOCK);
}

static void child_kill(struct child *child)
{
	kill(child->pid, SIGKILL);
	MUST(waitpid(child->pid, NULL, 0) == child->pid);
	close(child->fd);
}

/* The third pair: two processes that send each other a number, and sleep between. */
struct third {
	bool stop;
	uint32_t messages; /* that have gone to the server and back */
};

static struct third *third;
static bool third_ends; /* the client knows that it is to stop */

static void send_back(const void *message, uint32_t length)
{
	side_send(message, length);
}

static int third_server(void *unused)
{
	(void)unused;
	side_start(true, "third");
	side.on_message = send_back;
	while (!side.disconnects)
		side_sleep();
	side_end();
	return side.connects != 1;
}

static void send_next(const void *message, uint32_t length)
{
	MUST(length == sizeof(third->messages));
	MUST(!memcmp(message, &third->messages, length));
	__atomic_add_fetch(&third->messages, 1, __ATOMIC_RELEASE);
	third_ends = __atomic_load_n(&third->stop, __ATOMIC_ACQUIRE);
	if (!third_ends)
		side_send(&third->messages, sizeof(third->messages));
}

static int third_client(void *unused)
{
	(void)unused;
	side_connect(false, "third");
	side.on_message = send_next;
	side_send(&third->messages, sizeof(third->messages));
	while (!third_ends)
		side_sleep();
	side_end();
	return side.unsent;
}

static pid_t start(int (*program)(void *))
{
	pid_t pid = quiet_fork();

	MUST(pid >= 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(program(NULL));
	}
	return pid;
}

static uint32_t third_messages(void)
{
	return __atomic_load_n(&third->messages, __ATOMIC_ACQUIRE);
}

/* They go on. */
static bool third_goes_on(void)
{
	uint32_t before = third_messages();

	return AWAIT(third_messages() - before > 3);
}

FIXTURE(killed)
{
	struct child victim;
	pid_t server, client;
	long pins;
};

FIXTURE_VARIANT(killed)
{
	bool dpu; /* is the side that is killed */
};

FIXTURE_VARIANT_ADD(killed, server){
	.dpu = true,
};

FIXTURE_VARIANT_ADD(killed, client){
	.dpu = false,
};

FIXTURE_SETUP(killed)
{
	struct doca_dev *dev = open_side(true);

	if (!dev)
		SKIP_SETUP("needs a pair of devices");
	MUST_OK(doca_dev_close(dev));
	self->pins = pins_held();
	third = mmap(NULL, sizeof(*third), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, third);
	self->server = start(third_server);
	self->client = start(third_client);
	ASSERT_TRUE(third_goes_on());
}

FIXTURE_TEARDOWN(killed)
{
	EXPECT_TRUE(third_goes_on());
	__atomic_store_n(&third->stop, true, __ATOMIC_RELEASE);
	EXPECT_EQ(0, bed_wait(self->client));
	EXPECT_EQ(0, bed_wait(self->server));
	EXPECT_EQ(self->pins, pins_settle(self->pins));
}

/* The victim takes a step, which this side watches. A server is there before its client. */
static void begin(FIXTURE_DATA(killed) * self, bool dpu, void (*step)(void))
{
	child_fork(&self->victim, dpu, step);
	if (dpu)
		tell(self->victim.fd);
	side_start(!dpu, NAME);
	if (!dpu)
		tell(self->victim.fd);
	MUST(SIDE_UNTIL(side_is_connected()));
}

#define BEGIN(step) begin(self, variant->dpu, step)
#define UNTIL_TOLD() ASSERT_TRUE(SIDE_UNTIL(told(self->victim.fd)))

#define KILL_AND_HEAR()                                \
	do {                                           \
		child_kill(&self->victim);             \
		EXPECT_TRUE(SIDE_UNTIL(side_heard())); \
	} while (0)

/* Nothing more than the start */
static void do_nothing(void)
{
}

static void be_connected(void)
{
	MUST(SIDE_UNTIL(side_is_connected()));
}

/* Its name is free, and its connection was none. */
TEST_F(killed, before_the_other_side_is_there)
{
	child_fork(&self->victim, variant->dpu, do_nothing);
	tell(self->victim.fd);
	ASSERT_TRUE(AWAIT(told(self->victim.fd)));
	child_kill(&self->victim);
	side_start(variant->dpu, NAME);
	side_end();
}

TEST_F(killed, in_the_handshake)
{
	BEGIN(do_nothing);
	UNTIL_TOLD();
	KILL_AND_HEAR();
	side_end();
}

TEST_F(killed, when_connected)
{
	BEGIN(be_connected);
	UNTIL_TOLD();
	KILL_AND_HEAR();
	side_end();
}

static void send_messages(void)
{
	uint32_t i;

	be_connected();
	for (i = 0; i < MESSAGES; i++)
		side_send(&i, sizeof(i));
	MUST(SIDE_UNTIL(side.sent == MESSAGES));
}

/* All that were sent come, and then its end. */
TEST_F(killed, with_messages_on_their_way)
{
	uint32_t last;

	BEGIN(send_messages);
	ASSERT_TRUE(AWAIT(told(self->victim.fd)));
	KILL_AND_HEAR();
	EXPECT_EQ(MESSAGES, side.received);
	memcpy(&last, side.message, sizeof(last));
	EXPECT_EQ(MESSAGES - 1, last);
	side_end();
}

/* Messages that have no room at the other side fail, and the sender goes on. */
TEST_F(killed, with_a_full_receive_queue)
{
	uint32_t i;

	BEGIN(be_connected);
	UNTIL_TOLD();
	for (i = 0; i < 2 * RECV_QUEUE; i++)
		side_send(&i, sizeof(i));
	ASSERT_TRUE(SIDE_UNTIL(side.sent == RECV_QUEUE));
	KILL_AND_HEAR();
	EXPECT_TRUE(SIDE_UNTIL(side.unsent == RECV_QUEUE));
	EXPECT_EQ(RECV_QUEUE, side.sent);
	EXPECT_ERR(NOT_CONNECTED, side.status);
	side_end();
}

static void wait_for_a_buffer(void)
{
	be_connected();
	side_produce();
	side_put(0, PIECE);
}

TEST_F(killed, as_producer_that_waits_for_a_buffer)
{
	BEGIN(wait_for_a_buffer);
	side_consume();
	UNTIL_TOLD();
	KILL_AND_HEAR();
	EXPECT_TRUE(
		SIDE_UNTIL(bed_is_idle(doca_comch_consumer_as_ctx(side.consumer))));
	EXPECT_EQ(0, side.filled);
	side_end();
}

static void put_twice(void)
{
	be_connected();
	side_produce();
	side_put(0, PIECE);
	side_put(1, 1);
	MUST(SIDE_UNTIL(side.delivered == 2));
}

/* Data that was delivered is there, and the other buffers come back. */
TEST_F(killed, as_producer_that_has_delivered)
{
	unsigned int i;

	BEGIN(put_twice);
	side_consume();
	for (i = 0; i < BUFFERS; i++)
		side_post(i);
	UNTIL_TOLD();
	KILL_AND_HEAR();
	EXPECT_TRUE(
		SIDE_UNTIL(bed_is_idle(doca_comch_consumer_as_ctx(side.consumer))));
	EXPECT_EQ(2, side.filled);
	EXPECT_TRUE(side_has(0, PIECE));
	EXPECT_TRUE(side_has(1, 1));
	EXPECT_EQ(BUFFERS - 2, side.unfilled);
	side_end();
}

static void offer_buffers(void)
{
	unsigned int i;

	be_connected();
	side_consume();
	for (i = 0; i < BUFFERS; i++)
		side_post(i);
	MUST(SIDE_UNTIL(side.filled == 1));
}

TEST_F(killed, as_consumer_with_buffers)
{
	BEGIN(offer_buffers);
	side_produce();
	side_put(0, PIECE);
	UNTIL_TOLD();
	EXPECT_TRUE(SIDE_UNTIL(side.delivered == 1));
	KILL_AND_HEAR();
	EXPECT_TRUE(
		SIDE_UNTIL(bed_is_idle(doca_comch_producer_as_ctx(side.producer))));
	side_end();
}

static void offer_none(void)
{
	be_connected();
	side_consume();
}

TEST_F(killed, as_consumer_that_a_producer_waits_for)
{
	BEGIN(offer_none);
	side_produce();
	side_put(0, PIECE);
	side_put(1, PIECE);
	UNTIL_TOLD();
	KILL_AND_HEAR();
	EXPECT_TRUE(SIDE_UNTIL(side.undelivered == 2));
	EXPECT_EQ(0, side.delivered);
	side_end();
}

static void receive_and_stop(void)
{
	be_connected();
	side_consume();
	side_post(0);
	MUST(SIDE_UNTIL(side.filled == 1));
	side_end();
}

/* The producer has delivered, though it may hear of that after the end. */
TEST_F(killed, as_consumer_that_has_received_and_stopped)
{
	BEGIN(receive_and_stop);
	side_produce();
	side_put(0, 1);
	ASSERT_TRUE(AWAIT(told(self->victim.fd)));
	KILL_AND_HEAR();
	EXPECT_TRUE(SIDE_UNTIL(side.delivered + side.undelivered == 1));
	EXPECT_EQ(1, side.delivered);
	side_end();
}

/* An export as a message */
struct blob {
	uint64_t address;
	size_t length;
	char bytes[512];
};

static void send_export(void)
{
	struct blob blob = {};
	const void *bytes;

	side_map();
	MUST_OK(doca_mmap_export_pci(side.mmap, side.dev, &bytes,
				     &blob.length));
	MUST(blob.length <= sizeof(blob.bytes));
	memcpy(blob.bytes, bytes, blob.length);
	blob.address = (uintptr_t)side.memory;
	side_send(&blob, sizeof(blob));
}

/* Copy from the export that has come, again and again. */
struct copies {
	struct bed bed;
	struct doca_mmap *theirs;
};

static void copy_from_export(struct copies *copies)
{
	struct blob blob;

	MUST(SIDE_UNTIL(side.received == 1));
	memcpy(&blob, side.message, sizeof(blob));
	side_map();
	MUST_OK(doca_mmap_create_from_export(NULL, blob.bytes, blob.length,
					     side.dev, &copies->theirs));
	MUST_OK(bed_create(&copies->bed, side.dev, side.pe));
	MUST_OK(doca_ctx_start(copies->bed.ctx));
	copies->bed.resubmit = true;
	MUST_OK(bed_copy(&copies->bed, copies->theirs,
			 (void *)(uintptr_t)blob.address, side.mmap,
			 side.memory + BUFFERS * PIECE, BUFFERS * PIECE));
	MUST(SIDE_UNTIL(copies->bed.succeeded > 2));
}

static void export(void)
{
	be_connected();
	send_export();
}

TEST_F(killed, as_exporter)
{
	struct copies copies;

	BEGIN(export);
	copy_from_export(&copies);
	EXPECT_TRUE(side_has(0, BUFFERS * PIECE));
	UNTIL_TOLD();
	KILL_AND_HEAR();
	EXPECT_TRUE(SIDE_UNTIL(copies.bed.to_idle));
	EXPECT_ERR(IO_FAILED, copies.bed.status);
	EXPECT_OK(bed_destroy(&copies.bed));
	EXPECT_OK(doca_mmap_destroy(copies.theirs));
	side_end();
}

static void import(void)
{
	struct copies copies;

	be_connected();
	copy_from_export(&copies);
}

/* A copy is under way. */
TEST_F(killed, as_importer)
{
	BEGIN(import);
	send_export();
	UNTIL_TOLD();
	KILL_AND_HEAR();
	EXPECT_OK(doca_mmap_stop(side.mmap));
	side_end();
}

/* The child sends back what has come, by its own producer. */
static void return_data(void)
{
	be_connected();
	side_consume();
	side_produce();
	side_post(0);
	side_post(1);
	MUST(SIDE_UNTIL(side.filled == 2));
	MUST(side_has(0, PIECE) && side_has(1, 1));
	side_put(2, PIECE);
	side_put(3, 3);
	MUST(SIDE_UNTIL(side.delivered == 2));
}

TEST_F(killed, when_data_has_gone_both_ways)
{
	BEGIN(return_data);
	side_consume();
	side_produce();
	side_post(2);
	side_post(3);
	side_put(0, PIECE);
	side_put(1, 1);
	UNTIL_TOLD();
	EXPECT_TRUE(SIDE_UNTIL(side.filled == 2 && side.delivered == 2));
	EXPECT_TRUE(side_has(2, PIECE));
	EXPECT_TRUE(side_has(3, 3));
	EXPECT_EQ(0, side.memory[(BUFFERS + 3) * PIECE + 3]);
	KILL_AND_HEAR();
	side_end();
}

TEST_HARNESS_MAIN
