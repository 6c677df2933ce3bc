// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Peers that have no DOCA: a program of librdmacm in either role, rping by identifiers of the
 * bridge, and pyverbs by details. Each says by its exit code whether all was right with it.
 */
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>

#include <rdma/rdma_cma.h>

#include <doca_rdma.h>

#include "bed.h"
#include "foreign.h"
#include "rdma_plain.h"
#include "task_bufs.h"

#define ADDRESS "192.0.2.1" /* rxe0 has it, in the machines for tests */
#define PORT "18540"
#define LENGTH 65536
#define NR_TASKS 8
#define ROUNDS 3 /* that rping makes */
#define NO_PYVERBS 77 /* the peer's exit code */
#define ALL                                                               \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | \
	 DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

FIXTURE(rdma_interop)
{
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_buf_inventory *inv;
	struct doca_mmap *mmap, *peers;
	struct doca_rdma *rdma;
	struct doca_ctx *ctx;
	char *mem;
	pid_t peer;
	struct rdma_event_channel *channel; /* for the bridge */
	struct rdma_cm_id *listener;
};

static const union doca_data none;

#define REACHED(condition) AWAIT_BY(doca_pe_progress(self->pe), condition)

/* Callbacks of the one context there is. */
static struct {
	struct doca_rdma_connection *connection;
	unsigned int established, ended, bad;
	unsigned int nr; /* tasks that have ended, but for those that receive */
	struct doca_rdma_task_receive *receive; /* the last one of these that has ended */
} seen;

#define END(kind)                                                                             \
	static void on_##kind(struct doca_rdma_task_##kind *task, union doca_data data,       \
			      union doca_data ctx_data)                                       \
	{                                                                                     \
		(void)data, (void)ctx_data;                                                   \
		seen.nr++;                                                                    \
		seen.bad += doca_task_get_status(doca_rdma_task_##kind##_as_task(task)) != 0; \
	}

END(send_imm)
END(send)
END(read)
END(write)
END(atomic_fetch_add)

static void on_receive(struct doca_rdma_task_receive *task, union doca_data data,
		       union doca_data ctx_data)
{
	(void)data, (void)ctx_data;
	seen.bad += doca_task_get_status(doca_rdma_task_receive_as_task(task)) != 0;
	seen.receive = task;
}

static void on_request(struct doca_rdma_connection *connection, union doca_data ctx_data)
{
	(void)ctx_data;
	seen.bad += doca_rdma_connection_accept(connection, NULL, 0) != 0;
}

static void on_established(struct doca_rdma_connection *connection, union doca_data data,
			   union doca_data ctx_data)
{
	(void)data, (void)ctx_data;
	seen.connection = connection;
	seen.established++;
}

static void on_failure(struct doca_rdma_connection *connection, union doca_data data,
		       union doca_data ctx_data)
{
	(void)connection, (void)data, (void)ctx_data;
	seen.bad++;
}

static void on_disconnect(struct doca_rdma_connection *connection, union doca_data data,
			  union doca_data ctx_data)
{
	(void)connection, (void)data, (void)ctx_data;
	seen.ended++;
}

#define CONF(kind) doca_rdma_task_##kind##_set_conf(rdma, on_##kind, on_##kind, NR_TASKS)

static doca_error_t configure(struct doca_rdma *rdma)
{
	doca_error_t rc;

	if ((rc = CONF(receive)) || (rc = CONF(send)) || (rc = CONF(send_imm)) ||
	    (rc = CONF(read)) || (rc = CONF(write)) || (rc = CONF(atomic_fetch_add)) ||
	    (rc = doca_rdma_set_permissions(rdma, ALL)))
		return rc;
	return doca_rdma_set_connection_state_callbacks(rdma, on_request, on_established,
							on_failure, on_disconnect);
}

FIXTURE_SETUP(rdma_interop)
{
	memset(&seen, 0, sizeof(seen));
	self->dev = bed_open_dev("rxe0");
	if (!self->dev)
		SKIP_SETUP("needs the RDMA device rxe0");
	self->mem = aligned_alloc(4096, LENGTH);
	memset(self->mem, 0, LENGTH);
	ASSERT_OK(doca_pe_create(&self->pe));
	ASSERT_OK(doca_buf_inventory_create(NR_TASKS, &self->inv));
	ASSERT_OK(doca_buf_inventory_start(self->inv));
	ASSERT_OK(bed_mmap(self->mem, LENGTH, ALL, self->dev, NULL, &self->mmap));
	ASSERT_OK(doca_rdma_create(self->dev, &self->rdma));
	ASSERT_OK(configure(self->rdma));
	self->ctx = doca_rdma_as_ctx(self->rdma);
	ASSERT_OK(doca_pe_connect_ctx(self->pe, self->ctx));
	ASSERT_OK(doca_ctx_start(self->ctx));
}

FIXTURE_TEARDOWN(rdma_interop)
{
	if (self->peer > 0) {
		kill(self->peer, SIGKILL);
		waitpid(self->peer, NULL, 0);
	}
	doca_ctx_stop(self->ctx);
	EXPECT_TRUE(REACHED(bed_is_idle(self->ctx)));
	EXPECT_OK(doca_rdma_destroy(self->rdma));
	EXPECT_OK(doca_pe_destroy(self->pe));
	EXPECT_OK(doca_buf_inventory_destroy(self->inv));
	if (self->peers)
		EXPECT_OK(doca_mmap_destroy(self->peers));
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	if (self->listener)
		rdma_destroy_id(self->listener);
	if (self->channel)
		rdma_destroy_event_channel(self->channel);
	EXPECT_OK(doca_dev_close(self->dev));
	free(self->mem);
}

/*
 * Run a program that is in this one's folder or, without a slash, installed.
 * @in and @out become pipes to it, unless they are NULL.
 */
static pid_t run(const char *const argv[], int *in, int *out)
{
	int to[2] = { -1, -1 }, from[2] = { -1, -1 };
	pid_t pid;

	if ((in && pipe2(to, O_CLOEXEC)) || (out && pipe2(from, O_CLOEXEC)))
		return -1;
	pid = quiet_fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (in)
			dup2(to[0], 0);
		if (out)
			dup2(from[1], 1);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	if (in) {
		close(to[0]);
		*in = to[1];
	}
	if (out) {
		close(from[1]);
		*out = from[0];
	}
	return pid;
}

static const char *beside(const char *name)
{
	static char path[4096];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[len < 0 ? 0 : len] = '\0';
	dirname(path);
	strcat(path, "/");
	strcat(path, name);
	return path;
}

static bool peer_has_ended(FIXTURE_DATA(rdma_interop) * self, int *code)
{
	int status;

	if (waitpid(self->peer, &status, WNOHANG) != self->peer)
		return false;
	self->peer = 0;
	*code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return true;
}

/* The peer is done, and this side hears of it. */
#define EXPECT_GOOD_END()                                           \
	do {                                                        \
		int code_ = -1;                                     \
		EXPECT_TRUE(REACHED(peer_has_ended(self, &code_))); \
		EXPECT_EQ(0, code_);                                \
		EXPECT_EQ(0, seen.bad);                             \
	} while (0)

/* Submit a task, and progress until it has ended. */
#define RUN(task)                                        \
	do {                                             \
		unsigned int before_ = seen.nr;          \
		ASSERT_OK(doca_task_submit(task));       \
		ASSERT_TRUE(REACHED(seen.nr > before_)); \
		ASSERT_EQ(0, seen.bad);                  \
	} while (0)

typedef struct __test_metadata meta;

static struct doca_rdma_task_receive *
post_receive(meta *_metadata, FIXTURE_DATA(rdma_interop) * self, char *at, size_t room)
{
	struct doca_rdma_task_receive *receive = NULL;
	struct doca_buf *dst = a_buf(self->inv, self->mmap, at, 0, room);

	EXPECT_OK(doca_rdma_task_receive_allocate_init(self->rdma, dst, none, &receive));
	EXPECT_OK(doca_task_submit(doca_rdma_task_receive_as_task(receive)));
	return receive;
}

static void drop_receive(struct doca_rdma_task_receive *receive)
{
	struct doca_buf *dst = doca_rdma_task_receive_get_dst_buf(receive);

	put(doca_rdma_task_receive_as_task(receive), dst, NULL);
}

static void send_imm(meta *_metadata, FIXTURE_DATA(rdma_interop) * self, char *at, size_t len,
		     uint32_t imm)
{
	struct doca_buf *src = len ? a_buf(self->inv, self->mmap, at, len, 0) : NULL;
	struct doca_rdma_task_send_imm *send;

	ASSERT_OK(doca_rdma_task_send_imm_allocate_init(self->rdma, seen.connection, src,
							htobe32(imm), none, &send));
	RUN(doca_rdma_task_send_imm_as_task(send));
	put(doca_rdma_task_send_imm_as_task(send), src, NULL);
}

static void send_plain(meta *_metadata, FIXTURE_DATA(rdma_interop) * self, char *at, size_t len)
{
	struct doca_buf *src = a_buf(self->inv, self->mmap, at, len, 0);
	struct doca_rdma_task_send *send;

	ASSERT_OK(doca_rdma_task_send_allocate_init(self->rdma, seen.connection, src, none, &send));
	RUN(doca_rdma_task_send_as_task(send));
	put(doca_rdma_task_send_as_task(send), src, NULL);
}

static void read_peer(meta *_metadata, FIXTURE_DATA(rdma_interop) * self, uint64_t from, char *to,
		      size_t len)
{
	struct doca_buf *src = a_buf(self->inv, self->peers, (void *)from, len, 0);
	struct doca_buf *dst = a_buf(self->inv, self->mmap, to, 0, len);
	struct doca_rdma_task_read *read;

	ASSERT_OK(doca_rdma_task_read_allocate_init(self->rdma, seen.connection, src, dst, none,
						    &read));
	RUN(doca_rdma_task_read_as_task(read));
	put(doca_rdma_task_read_as_task(read), src, dst);
}

static void write_peer(meta *_metadata, FIXTURE_DATA(rdma_interop) * self, char *from, uint64_t to,
		       size_t len)
{
	struct doca_buf *src = a_buf(self->inv, self->mmap, from, len, 0);
	struct doca_buf *dst = a_buf(self->inv, self->peers, (void *)to, 0, len);
	struct doca_rdma_task_write *write;

	ASSERT_OK(doca_rdma_task_write_allocate_init(self->rdma, seen.connection, src, dst, none,
						     &write));
	RUN(doca_rdma_task_write_as_task(write));
	put(doca_rdma_task_write_as_task(write), src, dst);
}

static void add_at_peer(meta *_metadata, FIXTURE_DATA(rdma_interop) * self, uint64_t at,
			uint64_t value, char *result)
{
	struct doca_buf *dst = a_buf(self->inv, self->peers, (void *)at, 8, 0);
	struct doca_buf *old = a_buf(self->inv, self->mmap, result, 0, 8);
	struct doca_rdma_task_atomic_fetch_add *add;

	ASSERT_OK(doca_rdma_task_atomic_fetch_add_allocate_init(self->rdma, seen.connection, dst,
								old, value, none, &add));
	RUN(doca_rdma_task_atomic_fetch_add_as_task(add));
	put(doca_rdma_task_atomic_fetch_add_as_task(add), dst, old);
}

/* Give the message back, and use the peer's memory. */
static void talk(meta *_metadata, FIXTURE_DATA(rdma_interop) * self,
		 struct doca_rdma_task_receive *ping, struct doca_rdma_task_receive *share)
{
	char *mine = self->mem + LENGTH / 2;
	struct plain_memory where;
	uint64_t old;
	int i;

	ASSERT_TRUE(REACHED(seen.receive == ping));
	ASSERT_EQ(PLAIN_PING, be32toh(doca_rdma_task_receive_get_result_immediate_data(ping)));
	ASSERT_EQ(PLAIN_MESSAGE, doca_rdma_task_receive_get_result_len(ping));
	for (i = 0; i < PLAIN_MESSAGE; i++)
		ASSERT_EQ(plain_byte(i, 1), (unsigned char)self->mem[i]);
	send_imm(_metadata, self, self->mem, PLAIN_MESSAGE, PLAIN_PONG);
	ASSERT_TRUE(REACHED(seen.receive == share));
	ASSERT_EQ(PLAIN_SHARE, be32toh(doca_rdma_task_receive_get_result_immediate_data(share)));
	memcpy(&where, self->mem + PLAIN_MESSAGE, sizeof(where));
	ASSERT_EQ(PLAIN_MEMORY, where.length);
	ASSERT_OK(foreign_mmap(self->dev, where.address, where.length, where.key,
			       ALL & ~DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, &self->peers));
	read_peer(_metadata, self, where.address, mine, PLAIN_MEMORY);
	for (i = 8; i < PLAIN_MEMORY; i++)
		ASSERT_EQ(plain_byte(i, 2), (unsigned char)mine[i]);
	add_at_peer(_metadata, self, where.address, PLAIN_ADDS, mine);
	memcpy(&old, mine, sizeof(old));
	EXPECT_EQ(PLAIN_WORD, old);
	for (i = PLAIN_MEMORY / 2; i < PLAIN_MEMORY; i++)
		mine[i] = plain_byte(i, 3);
	write_peer(_metadata, self, mine + PLAIN_MEMORY / 2, where.address + PLAIN_MEMORY / 2,
		   PLAIN_MEMORY / 2);
	send_imm(_metadata, self, NULL, 0, PLAIN_DONE);
	EXPECT_GOOD_END();
	EXPECT_TRUE(REACHED(seen.ended == 1));
	drop_receive(ping);
	drop_receive(share);
}

TEST_F(rdma_interop, plain_client)
{
	const char *argv[] = { beside("rdma_plain"), "client", ADDRESS, PORT, NULL };
	struct doca_rdma_task_receive *ping, *share;

	ASSERT_OK(doca_rdma_start_listen_to_port(self->rdma, atoi(PORT)));
	ping = post_receive(_metadata, self, self->mem, PLAIN_MESSAGE);
	share = post_receive(_metadata, self, self->mem + PLAIN_MESSAGE, PLAIN_MESSAGE);
	self->peer = run(argv, NULL, NULL);
	ASSERT_LT(0, self->peer);
	ASSERT_TRUE(REACHED(seen.established == 1));
	talk(_metadata, self, ping, share);
}

TEST_F(rdma_interop, plain_server)
{
	const char *argv[] = { beside("rdma_plain"), "server", ADDRESS, PORT, NULL };
	struct doca_rdma_task_receive *ping, *share;
	struct doca_rdma_addr *addr;
	char line[16] = "";
	int out;

	self->peer = run(argv, NULL, &out);
	ASSERT_LT(0, self->peer);
	ASSERT_LT(0, read(out, line, sizeof(line)));
	close(out);
	ping = post_receive(_metadata, self, self->mem, PLAIN_MESSAGE);
	share = post_receive(_metadata, self, self->mem + PLAIN_MESSAGE, PLAIN_MESSAGE);
	ASSERT_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, ADDRESS, atoi(PORT), &addr));
	ASSERT_OK(doca_rdma_connect_to_addr(self->rdma, addr, none));
	ASSERT_TRUE(REACHED(seen.established == 1));
	talk(_metadata, self, ping, share);
	EXPECT_OK(doca_rdma_addr_destroy(addr));
}

/* Memory as rping tells of it, big endian. */
struct rping {
	uint64_t address;
	uint32_t key;
	uint32_t length;
};

static bool is_installed(const char *command)
{
	char line[64];

	snprintf(line, sizeof(line), "command -v %s >/dev/null", command);
	return !system(line);
}

static bool listen_by_itself(FIXTURE_DATA(rdma_interop) * self)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_port = htons(atoi(PORT)),
	};
	int flags;

	self->channel = rdma_create_event_channel();
	if (!self->channel)
		return false;
	flags = fcntl(self->channel->fd, F_GETFL);
	fcntl(self->channel->fd, F_SETFL, flags | O_NONBLOCK);
	return !rdma_create_id(self->channel, &self->listener, NULL, RDMA_PS_TCP) &&
	       !rdma_bind_addr(self->listener, (struct sockaddr *)&addr) &&
	       !rdma_listen(self->listener, 1);
}

/* Take the program's next event, and hand over what it is of. */
static void look(FIXTURE_DATA(rdma_interop) * self)
{
	static struct doca_rdma_connection *taken;
	struct rdma_cm_event *event;
	struct rdma_cm_id *id;
	int type;

	doca_pe_progress(self->pe);
	if (rdma_get_cm_event(self->channel, &event))
		return;
	type = event->event;
	id = event->id;
	rdma_ack_cm_event(event);
	if (type == RDMA_CM_EVENT_CONNECT_REQUEST)
		seen.bad += doca_rdma_bridge_prepare_connection(self->rdma, id, &taken) ||
			    doca_rdma_bridge_accept(self->rdma, NULL, 0, taken);
	else if (type == RDMA_CM_EVENT_ESTABLISHED)
		seen.bad += doca_rdma_bridge_established(self->rdma, taken) != 0;
	else if (type == RDMA_CM_EVENT_DISCONNECTED)
		seen.bad += doca_rdma_connection_disconnect(taken) != 0;
	else
		seen.bad++;
}

/* Wait until rping names memory, and make a map of it. */
static struct rping take_rping(meta *_metadata, FIXTURE_DATA(rdma_interop) * self,
			       struct doca_rdma_task_receive *receive, uint32_t access)
{
	struct rping info;

	EXPECT_TRUE(AWAIT_BY(look(self), seen.receive == receive));
	EXPECT_EQ(sizeof(info), doca_rdma_task_receive_get_result_len(receive));
	memcpy(&info, self->mem, sizeof(info));
	info = (struct rping){ be64toh(info.address), be32toh(info.key), be32toh(info.length) };
	seen.receive = NULL;
	if (self->peers)
		EXPECT_OK(doca_mmap_destroy(self->peers));
	self->peers = NULL;
	EXPECT_OK(
		foreign_mmap(self->dev, info.address, info.length, info.key, access, &self->peers));
	return info;
}

static void next_rping(meta *_metadata, struct doca_rdma_task_receive *receive)
{
	struct doca_buf *dst = doca_rdma_task_receive_get_dst_buf(receive);

	EXPECT_OK(doca_buf_reset_data_len(dst));
	EXPECT_OK(doca_task_submit(doca_rdma_task_receive_as_task(receive)));
}

/* It has its data read from one place, written to another, and compares. */
TEST_F(rdma_interop, rping)
{
	const char *argv[] = { "rping", "-c", "-a", ADDRESS, "-p", PORT,
			       "-C",	"3",  "-S", "3000",  "-V", NULL };
	struct doca_rdma_task_receive *receive;
	char *data = self->mem + LENGTH / 2;
	struct rping info;
	int i;

	if (!is_installed("rping"))
		SKIP(return, "needs rping, of rdmacm-utils");
	ASSERT_TRUE(listen_by_itself(self));
	receive = post_receive(_metadata, self, self->mem, sizeof(info));
	self->peer = run(argv, NULL, NULL);
	ASSERT_LT(0, self->peer);
	ASSERT_TRUE(AWAIT_BY(look(self), seen.established == 1));
	for (i = 0; i < ROUNDS; i++) {
		info = take_rping(_metadata, self, receive, DOCA_ACCESS_FLAG_RDMA_READ);
		next_rping(_metadata, receive);
		read_peer(_metadata, self, info.address, data, info.length);
		send_plain(_metadata, self, self->mem + 4096, sizeof(info));
		info = take_rping(_metadata, self, receive, DOCA_ACCESS_FLAG_RDMA_WRITE);
		if (i < ROUNDS - 1)
			next_rping(_metadata, receive);
		write_peer(_metadata, self, data, info.address, info.length);
		send_plain(_metadata, self, self->mem + 4096, sizeof(info));
	}
	EXPECT_TRUE(AWAIT_BY(look(self), seen.ended == 1));
	EXPECT_GOOD_END();
	drop_receive(receive);
}

/* The details go to its input, and its own come from its output. */
TEST_F_TIMEOUT(rdma_interop, pyverbs, 120)
{
	const char *argv[] = { "python3", beside("rdma_pyverbs.py"), "rxe0", NULL };
	struct doca_rdma_task_receive *ping;
	const void *ours;
	char theirs[96];
	int in, out, code;
	size_t len;

	ASSERT_OK(doca_rdma_export(self->rdma, &ours, &len, &seen.connection));
	ASSERT_EQ(sizeof(theirs), len);
	self->peer = run(argv, &in, &out);
	ASSERT_LT(0, self->peer);
	ASSERT_EQ(len, write(in, ours, len));
	if (read(out, theirs, sizeof(theirs)) != sizeof(theirs)) {
		ASSERT_TRUE(REACHED(peer_has_ended(self, &code)));
		ASSERT_EQ(NO_PYVERBS, code);
		SKIP(return, "needs python3-pyverbs");
	}
	ping = post_receive(_metadata, self, self->mem, PLAIN_MESSAGE);
	ASSERT_OK(doca_rdma_connect(self->rdma, theirs, sizeof(theirs), seen.connection));
	ASSERT_EQ(1, write(in, "", 1));
	ASSERT_TRUE(REACHED(seen.receive == ping));
	ASSERT_EQ(0, seen.bad);
	ASSERT_EQ(PLAIN_MESSAGE, doca_rdma_task_receive_get_result_len(ping));
	send_plain(_metadata, self, self->mem, PLAIN_MESSAGE);
	EXPECT_GOOD_END();
	close(in);
	close(out);
	drop_receive(ping);
}

TEST_HARNESS_MAIN
