// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Peers that break the rules of the communication channel: clients, of which the server must end
 * each and serve the others, and servers, from which a client must get away.
 */
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "channel_flow.h"

#define SERVED "a channel" /* in a folder of its own */
#define MAGIC 0x48434f44
#define WINDOW 64
#define FEW 4096
#define CHUNK 32768

/* Values of enum channel_type. */
enum { MESSAGE = 1, NEW, GONE, CREDIT, SEND, GRANT, DATA, DONE, LEAVE, TYPES };

struct hello {
	uint32_t magic, version, status, max_message;
	char pair[32], name[120];
};

struct frame {
	uint32_t type, id, seq, value, length, imm_length;
	uint8_t imm[32];
	uint64_t zero;
};

/* One packet, with a frame and bytes behind it. */
struct packet {
	struct frame frame;
	uint8_t bytes[2 * CHUNK];
};

static const struct hello good_hello = {
	.magic = MAGIC,
	.version = 2,
	.max_message = MAX_MSG,
	.pair = "pair0",
	.name = SERVED,
};

FIXTURE(hostile)
{
	struct shared *shared;
	struct side side;
	struct flow flow;
	char dir[32];
	int fd;
};

FIXTURE_SETUP(hostile)
{
	self->shared = map(sizeof(*self->shared));
	strcpy(self->dir, "/tmp/doca-channel.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->dir));
	setenv("DOCA_RUNTIME_DIR", self->dir, 1);
	self->fd = -1;
	ASSERT_EQ(0, server_open(&self->side, SERVED));
}

FIXTURE_TEARDOWN(hostile)
{
	EXPECT_EQ(0, side_destroy(&self->side));
	EXPECT_EQ(0, rmdir(self->dir));
	close(self->fd);
}

/* Find the server's socket, the only one in the directory. */
static void find_server(const char *dir, struct sockaddr_un *address)
{
	struct dirent *entry;
	DIR *list = opendir(dir);

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	while (list && (entry = readdir(list)))
		if (strstr(entry->d_name, ".sock") && !strstr(entry->d_name, ".lock"))
			snprintf(address->sun_path, sizeof(address->sun_path), "%s/%.60s", dir,
				 entry->d_name);
	if (list)
		closedir(list);
}

static int dial_server(const char *dir)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct sockaddr_un address;

	find_server(dir, &address);
	if (connect(fd, (void *)&address, sizeof(address))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Connect, and be accepted. */
static bool enter(FIXTURE_DATA(hostile) *self)
{
	unsigned int connects = self->side.connects;
	struct hello answer;

	close(self->fd);
	self->fd = dial_server(self->dir);
	return self->fd >= 0 &&
	       send(self->fd, &good_hello, sizeof(good_hello), 0) == sizeof(good_hello) &&
	       SIDE_UNTIL(&self->side, self->side.connects == connects + 1) &&
	       recv(self->fd, &answer, sizeof(answer), 0) == sizeof(answer) && !answer.status;
}

static void say(int fd, struct frame frame, size_t size)
{
	static struct packet packet;

	packet.frame = frame;
	send(fd, &packet, sizeof(frame) + size, MSG_NOSIGNAL);
}

/* Receive a frame of a kind, past others. */
static bool hear(struct side *side, int fd, uint32_t type, struct frame *frame)
{
	static struct packet packet;
	ssize_t got = -1;

	do {
		if (!SIDE_UNTIL(side, (got = recv(fd, &packet, sizeof(packet), MSG_DONTWAIT)) >= 0))
			return false;
	} while (got > 0 && packet.frame.type != type);
	*frame = packet.frame;
	return got > 0;
}

static bool hung_up(struct side *side, int fd)
{
	static struct packet packet;
	ssize_t got = -1;

	do {
		if (!SIDE_UNTIL(side, (got = recv(fd, &packet, sizeof(packet), MSG_DONTWAIT)) >= 0 ||
						errno != EAGAIN))
			return false;
	} while (got > 0);
	return true;
}

static int visit(void)
{
	struct side side = {};
	unsigned int i;

	if (client_make(&side, "b1:00.0", SERVED) || !client_connect(&side))
		return 1;
	for (i = 0; i < 10; i++)
		if (side_send(&side, i, MAX_MSG))
			return 2;
	if (!SIDE_UNTIL(&side, side.received == 10) || side.wrong)
		return 3;
	return side_destroy(&side);
}

/* Another client is served. */
static void serve(struct __test_metadata *_metadata, struct side *side)
{
	unsigned int disconnects = side->disconnects;
	pid_t pid;
	int status;

	side->next = 0;
	side->wrong = false;
	side->echoes = true;
	pid = quiet_fork();
	if (!pid)
		_exit(visit());
	ASSERT_TRUE(SIDE_UNTIL(side, waitpid(pid, &status, WNOHANG) == pid));
	EXPECT_EQ(0, status);
	EXPECT_TRUE(SIDE_UNTIL(side, side->disconnects > disconnects));
	EXPECT_FALSE(side->wrong);
	side->echoes = false;
}

TEST_F(hostile, what_is_no_hello)
{
	struct hello hellos[8];
	size_t sizes[8];
	unsigned int i;
	int fd;

	for (i = 0; i < 8; i++) {
		hellos[i] = good_hello;
		sizes[i] = sizeof(struct hello);
	}
	hellos[0].magic++;
	hellos[1].version++;
	hellos[2].max_message = 0;
	hellos[3].name[0]++;
	hellos[4].pair[4]++;
	sizes[5]--;
	sizes[6] = 1;
	memset(hellos[7].name, 'a', sizeof(hellos[7].name));
	for (i = 0; i < 8; i++) {
		fd = dial_server(self->dir);
		ASSERT_LE(0, fd);
		send(fd, &hellos[i], sizes[i], MSG_NOSIGNAL);
		EXPECT_TRUE(hung_up(&self->side, fd)) TH_LOG("hello %u", i);
		close(fd);
	}
	EXPECT_EQ(0, self->side.connects);
	serve(_metadata, &self->side);
}

TEST_F(hostile, silence_ends)
{
	int fd = dial_server(self->dir);

	ASSERT_LE(0, fd);
	EXPECT_TRUE(hung_up(&self->side, fd));
	close(fd);
	serve(_metadata, &self->side);
}

/* Each of these ends its connection. */
static const struct wrong {
	struct frame frame;
	size_t size;
} wrongs[] = {
	{ { .type = 0 }, 0 },
	{ { .type = TYPES }, 0 },
	{ { .type = ~0u }, 0 },
	{ { .type = MESSAGE }, 0 },
	{ { .type = MESSAGE }, MAX_MSG + 1 },
	{ { .type = MESSAGE }, CHUNK },
	{ { .type = MESSAGE }, CHUNK + 1 },
	{ { .type = CREDIT, .value = 1 }, 0 },
	{ { .type = CREDIT, .value = ~0u }, 0 },
	{ { .type = CREDIT, .value = 0 }, 1 },
	{ { .type = CREDIT, .length = 1 }, 0 },
	{ { .type = CREDIT, .value = 1, .length = ~0u }, 0 },
	{ { .type = NEW, .id = 0 }, 0 },
	{ { .type = NEW, .id = 65535 }, 0 },
	{ { .type = NEW, .id = ~0u }, 0 },
	{ { .type = NEW, .id = 1, .imm_length = 33 }, 0 },
	{ { .type = NEW, .id = 1 }, 1 },
	{ { .type = GONE, .id = 1 }, 0 },
	{ { .type = SEND, .id = 0 }, 0 },
	{ { .type = SEND, .id = 65535 }, 0 },
	{ { .type = SEND, .id = 1, .length = 1 }, 0 },
	{ { .type = SEND, .id = 1, .length = 1 }, 2 },
	{ { .type = SEND, .id = 1, .length = FEW + 1 }, FEW + 1 },
	{ { .type = SEND, .id = 1, .length = ~0u }, 0 },
	{ { .type = SEND, .id = 1, .imm_length = 33 }, 0 },
	{ { .type = SEND, .id = 1, .imm_length = ~0u }, 0 },
	{ { .type = LEAVE, .id = 1 }, 1 },
	{ { .type = DONE, .id = 1 }, 1 },
};

TEST_F(hostile, frames_that_cannot_be)
{
	struct side *side = &self->side;
	unsigned int i;

	for (i = 0; i < sizeof(wrongs) / sizeof(*wrongs); i++) {
		ASSERT_TRUE(enter(self));
		say(self->fd, wrongs[i].frame, wrongs[i].size);
		EXPECT_TRUE(hung_up(side, self->fd)) TH_LOG("frame %u", i);
		EXPECT_TRUE(SIDE_UNTIL(side, side->disconnects == i + 1));
	}
	EXPECT_EQ(0, side->received);
	serve(_metadata, side);
}

TEST_F(hostile, frames_that_are_too_short)
{
	ASSERT_TRUE(enter(self));
	send(self->fd, &(struct frame){ .type = MESSAGE }, sizeof(struct frame) - 1, MSG_NOSIGNAL);
	EXPECT_TRUE(hung_up(&self->side, self->fd));
}

static void send_fd(int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = {};
	struct frame frame = { .type = LEAVE };
	struct iovec iov = { &frame, sizeof(frame) };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	if (sendmsg(fd, &msg, MSG_NOSIGNAL) < 0)
		shutdown(fd, SHUT_RDWR);
}

TEST_F(hostile, descriptors_are_not_taken)
{
	int fds = nr_fds();

	ASSERT_TRUE(enter(self));
	send_fd(self->fd);
	EXPECT_TRUE(hung_up(&self->side, self->fd));
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(fds, SETTLES(fds, nr_fds()));
	serve(_metadata, &self->side);
}

/*
 * More than the window, while nobody reads: those within it arrive. Where the driver's thread
 * came to them only when they were read, there were credits for all.
 */
TEST_F(hostile, messages_without_credits)
{
	struct side *side = &self->side;
	unsigned int sent = 0;
	int i, burst;

	ASSERT_TRUE(enter(self));
	for (burst = 0; burst < 100 && !side->disconnects; burst++) {
		for (i = 0; i < 64 + 2 * WINDOW + 1; i++, sent++)
			say(self->fd, (struct frame){ .type = MESSAGE }, 1);
		EXPECT_TRUE(SIDE_UNTIL(side, side->disconnects || side->received == sent));
	}
	EXPECT_EQ(1, side->disconnects);
	EXPECT_LE(WINDOW, side->received);
	EXPECT_GT(sent, side->received);
	serve(_metadata, side);
}

TEST_F(hostile, too_many_producers)
{
	struct frame frame;
	int i;

	ASSERT_TRUE(enter(self));
	for (i = 1; i <= 128; i++)
		say(self->fd, (struct frame){ .type = SEND, .id = i, .seq = i, .value = 77 }, 0);
	for (i = 1; i <= 128; i++)
		ASSERT_TRUE(hear(&self->side, self->fd, DONE, &frame));
	say(self->fd, (struct frame){ .type = SEND, .id = 129 }, 0);
	EXPECT_TRUE(hung_up(&self->side, self->fd));
}

TEST_F(hostile, too_many_consumers)
{
	int i;

	ASSERT_TRUE(enter(self));
	for (i = 1; i <= 128; i++) {
		say(self->fd, (struct frame){ .type = NEW, .id = i }, 0);
		ASSERT_TRUE(SIDE_UNTIL(&self->side, self->side.new_consumers == (unsigned int)i));
	}
	say(self->fd, (struct frame){ .type = NEW, .id = 129 }, 0);
	EXPECT_TRUE(hung_up(&self->side, self->fd));
	EXPECT_TRUE(SIDE_UNTIL(&self->side, self->side.disconnects == 1));
}

/* These belong to nothing, and do nothing. */
TEST_F(hostile, answers_to_no_question)
{
	struct frame frame;

	ASSERT_TRUE(enter(self));
	say(self->fd, (struct frame){ .type = GRANT, .id = 1, .seq = 1 }, 0);
	say(self->fd, (struct frame){ .type = DONE, .id = 1, .seq = 1 }, 0);
	say(self->fd, (struct frame){ .type = DATA, .id = 1, .seq = 1 }, CHUNK);
	say(self->fd, (struct frame){ .type = LEAVE, .id = 1 }, 0);
	say(self->fd, (struct frame){ .type = SEND, .id = 1, .seq = 9, .value = 1 }, 0);
	ASSERT_TRUE(hear(&self->side, self->fd, DONE, &frame));
	EXPECT_EQ(9, frame.seq);
	EXPECT_NE(0, frame.value);
	EXPECT_EQ(0, self->side.disconnects);
	shutdown(self->fd, SHUT_RDWR);
	EXPECT_TRUE(SIDE_UNTIL(&self->side, self->side.disconnects == 1));
}

/* A producer that gets a buffer, and sends more than it said, or goes away. */
static void take_buffer(struct __test_metadata *_metadata, FIXTURE_DATA(hostile) *self,
			uint32_t length)
{
	struct flow *flow = &self->flow;
	struct frame frame;

	ASSERT_TRUE(enter(self));
	ASSERT_EQ(0, flow_open(flow, &self->side));
	memset(flow->mem + HALF, 0x55, 2 * MIRROR_BUF);
	ASSERT_OK(flow_post(flow, 0, MIRROR_BUF));
	say(self->fd,
	    (struct frame){ .type = SEND, .id = 1, .seq = 1, .value = flow->id, .length = length },
	    0);
	ASSERT_TRUE(hear(&self->side, self->fd, GRANT, &frame));
}

TEST_F(hostile, a_producer_that_sends_more_than_it_said)
{
	struct flow *flow = &self->flow;

	take_buffer(_metadata, self, CHUNK + 1);
	say(self->fd, (struct frame){ .type = DATA, .id = 1, .seq = 1 }, CHUNK);
	say(self->fd, (struct frame){ .type = DATA, .id = 1, .seq = 1 }, 2);
	EXPECT_TRUE(hung_up(&self->side, self->fd));
	EXPECT_TRUE(SIDE_UNTIL(&self->side, flow->recv_failed == 1));
	EXPECT_EQ(0x55, flow->mem[HALF + CHUNK]);
	EXPECT_EQ(0, flow_close(flow));
}

TEST_F(hostile, a_producer_that_begins_again_and_again)
{
	struct flow *flow = &self->flow;
	struct frame frame;
	int i;

	take_buffer(_metadata, self, MIRROR_BUF);
	for (i = 2; i < 20; i++) {
		/* Either gives the buffer back, and it is offered again. */
		say(self->fd, (struct frame){ .type = i % 2 ? SEND : LEAVE, .id = 1 }, 0);
		say(self->fd,
		    (struct frame){
			    .type = SEND, .id = 1, .seq = i, .value = flow->id, .length = FEW + 1 },
		    0);
		ASSERT_TRUE(hear(&self->side, self->fd, GRANT, &frame));
		ASSERT_EQ(i, frame.seq);
	}
	shutdown(self->fd, SHUT_RDWR);
	EXPECT_EQ(0, flow_close(flow));
}

/* A buffer longer than the memory's half is not reached by any of these. */
static struct frame random_frame(void)
{
	static const uint32_t odd[] = { 0, 1, 2, 32, 33, 64, 4096, 4097, 65534, 65535, ~0u };
	uint32_t nr = sizeof(odd) / sizeof(*odd);
	struct frame frame = {
		.type = rand() % (TYPES + 1),
		.id = rand() % 4,
		.seq = rand() % 4,
		.value = rand() % 4,
		.length = odd[rand() % nr],
		.imm_length = rand() % 34,
	};

	if (!(rand() % 8))
		frame.id = odd[rand() % nr];
	return frame;
}

TEST_F_TIMEOUT(hostile, whatever_comes, 120)
{
	struct flow *flow = &self->flow;
	unsigned int round, i;

	srand(1);
	for (round = 0; round < rounds(300); round++) {
		ASSERT_TRUE(enter(self));
		ASSERT_EQ(0, flow_open(flow, &self->side));
		for (i = 0; i < 4; i++)
			ASSERT_OK(flow_post(flow, i * MIRROR_BUF, MIRROR_BUF));
		for (i = 0; i < 32; i++) {
			struct frame frame = random_frame();

			say(self->fd, frame,
			    frame.type == SEND && frame.length <= FEW ? frame.length :
								      rand() % 3 * 100);
			doca_pe_progress(self->side.pe);
		}
		shutdown(self->fd, SHUT_RDWR);
		ASSERT_TRUE(SIDE_UNTIL(&self->side, self->side.disconnects == round + 1));
		EXPECT_EQ(0, flow_close(flow));
	}
	serve(_metadata, &self->side);
}

/* A client whose server is none: it gets to idle, or runs and can stop. */
static int lie(const char *dir, const struct hello *hello, size_t size, bool talks)
{
	int listening = socket(AF_UNIX, SOCK_SEQPACKET, 0), fd, i;
	struct sockaddr_un address;
	struct hello question;

	find_server(dir, &address);
	unlink(address.sun_path);
	if (bind(listening, (void *)&address, sizeof(address)) || listen(listening, 8))
		return -1;
	if (fork())
		return listening;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while ((fd = accept(listening, NULL, NULL)) >= 0) {
		recv(fd, &question, sizeof(question), 0);
		send(fd, hello, size, MSG_NOSIGNAL);
		for (i = 0; talks && i < 1000; i++)
			say(fd, random_frame(), rand() % 3 * 100);
		close(fd);
	}
	_exit(0);
}

static int ask_liar(const char *dir, const struct hello *hello, size_t size, bool talks)
{
	int listening = lie(dir, hello, size, talks), rc;
	struct side client = {};

	if (listening < 0 || client_make(&client, "b1:00.0", SERVED))
		return 1;
	client_connect(&client);
	rc = side_destroy(&client);
	shutdown(listening, SHUT_RDWR);
	close(listening);
	while (wait(NULL) > 0)
		;
	return rc;
}

static int run_liars(const char *dir)
{
	struct hello hello = good_hello;
	int rc;

	setenv("DOCA_COMCH_CONNECT_MS", "50", 1);
	rc = ask_liar(dir, &hello, sizeof(hello), true) ?: ask_liar(dir, &hello, 5, false);
	hello.max_message = 0;
	rc = rc ?: ask_liar(dir, &hello, sizeof(hello), true);
	hello.max_message = ~0u;
	rc = rc ?: ask_liar(dir, &hello, sizeof(hello), true);
	hello.status = ~0u;
	rc = rc ?: ask_liar(dir, &hello, sizeof(hello), true);
	hello.magic = 0;
	return rc ?: ask_liar(dir, &hello, sizeof(hello), true);
}

TEST_F(hostile, servers_that_lie)
{
	pid_t pid = quiet_fork();

	if (!pid)
		_exit(run_liars(self->dir));
	EXPECT_EQ(0, bed_wait(pid));
}

TEST_HARNESS_MAIN
