// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * RDMA between two processes: on one device; on two, with the wire between them; and on two
 * machines, where DOCA_TEST_PEER is the address of the one that runs rdma_peer. Each task ends
 * once, and those that succeed have moved their data, whatever becomes of the wire or the peer.
 */
#include <fcntl.h>

#include "../lib/rounds.h"
#include "rdma_peer.h"

#define NR_TASKS 48 /* in a storm: writes, reads and additions */
#define WORD (PEER_OPEN - 4096) /* the place in the peer's memory to which they add */
#define BYTES 4096 /* moved by each other task */
#define NETDEV "eth0"

FIXTURE(rdma_between)
{
	struct doca_dev *dev;
	struct rdma_side side;
	pid_t server; /* none, if it is another machine's */
	int fd;
	const char *remedy; /* has the wire again as it was; NULL: it is */
};

FIXTURE_VARIANT(rdma_between)
{
	const char *device; /* the peer's; NULL: another machine's rxe0 */
	int gid;
	bool waits;
};

FIXTURE_VARIANT_ADD(rdma_between, one_device){ .device = "rxe0", .gid = -1 };
FIXTURE_VARIANT_ADD(rdma_between, one_device_waits){ .device = "rxe0", .gid = -1, .waits = true };
FIXTURE_VARIANT_ADD(rdma_between, wire){ .device = "rxe1", .gid = 0, .waits = true };
FIXTURE_VARIANT_ADD(rdma_between, machines){ .gid = -1, .waits = true };

typedef struct __test_metadata meta;
#define SELF FIXTURE_DATA(rdma_between) * self
#define VARIANT const FIXTURE_VARIANT(rdma_between) * variant

/* Run the program that is beside this one, until it listens. */
static pid_t run_peer(void)
{
	char path[4096], line[16];
	int out[2];
	pid_t pid;

	if (readlink("/proc/self/exe", path, sizeof(path)) < 0 || pipe2(out, O_CLOEXEC))
		return -1;
	strcpy(strrchr(path, '/'), "/rdma_peer");
	pid = quiet_fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(out[1], 1);
		execl(path, path, NULL);
		_exit(127);
	}
	close(out[1]);
	if (read(out[0], line, sizeof(line)) <= 0)
		return -1;
	close(out[0]);
	return pid;
}

static int dial(VARIANT)
{
	struct sockaddr_in where = { .sin_family = AF_INET, .sin_port = htons(PEER_PORT) };
	struct peer_hello hello = { .gid = variant->gid };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	inet_pton(AF_INET, variant->device ? "127.0.0.1" : getenv("DOCA_TEST_PEER"),
		  &where.sin_addr);
	strcpy(hello.device, variant->device ?: "rxe0");
	if (!AWAIT(!connect(fd, (struct sockaddr *)&where, sizeof(where))))
		return -1;
	return peer_give(fd, &hello, sizeof(hello)) ? fd : -1;
}

/* Get a new peer, with a new connection to it; the context has no other one. */
static bool meet(SELF, VARIANT)
{
	if (self->fd)
		close(self->fd);
	if (self->side.connection && !bed_is_idle(self->side.ctx))
		doca_rdma_connection_disconnect(self->side.connection);
	if (self->side.peers)
		doca_mmap_destroy(self->side.peers);
	self->side.peers = NULL;
	self->fd = dial(variant);
	memset(&ended, 0, sizeof(ended));
	if (self->fd < 0 || (bed_is_idle(self->side.ctx) && doca_ctx_start(self->side.ctx)))
		return false;
	return peer_meet(&self->side, self->fd);
}

/* Return true if the wire is again as it was. */
static bool calm(SELF)
{
	const char *remedy = self->remedy;

	self->remedy = NULL;
	return !remedy || !bed_shell(remedy);
}

#define NETEM "tc qdisc add dev " NETDEV " root netem "
#define NO_NETEM "tc qdisc del dev " NETDEV " root"
#define LINK "ip link set " NETDEV " "

static bool has_wire(VARIANT)
{
	return !variant->device || strcmp(variant->device, "rxe0");
}

static bool has_rdma(const char *device)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s", device);
	return !access(path, F_OK);
}

FIXTURE_SETUP(rdma_between)
{
	if (!variant->device && !getenv("DOCA_TEST_PEER"))
		SKIP_SETUP("needs another machine");
	if (!has_rdma("rxe0") || !has_rdma(variant->device ?: "rxe0"))
		SKIP_SETUP("needs the RDMA devices rxe0 and %s", variant->device ?: "rxe0");
	/* A case that was ended has not had the wire as it was. */
	if (has_wire(variant))
		bed_shell(NO_NETEM " 2>/dev/null; " LINK "up");
	if (variant->device) {
		self->server = run_peer();
		ASSERT_LT(0, self->server);
	}
	self->dev = bed_open_dev("rxe0");
	ASSERT_OK(rdma_make_side(&self->side, self->dev, NULL, PEER_MEMORY));
	ASSERT_OK(rdma_start(&self->side, variant->gid, RDMA_ALL));
	ASSERT_TRUE(meet(self, variant));
}

FIXTURE_TEARDOWN(rdma_between)
{
	EXPECT_TRUE(calm(self));
	close(self->fd);
	rdma_drop(_metadata, &self->side);
	EXPECT_OK(doca_pe_destroy(self->side.pe));
	EXPECT_OK(doca_dev_close(self->dev));
	if (self->server) {
		kill(self->server, SIGTERM);
		EXPECT_EQ(0, bed_wait(self->server));
	}
}

#define ASSERT_ENDS(nr)                                                     \
	do {                                                                \
		ASSERT_TRUE(rdma_await(self->side.pe, variant->waits, nr)); \
		ASSERT_EQ(0, ended.bad);                                    \
	} while (0)

static char was[PEER_SLOT], is[PEER_SLOT];

/* Have a message given back, or what a write has told of. */
static void echo(meta *_metadata, SELF, VARIANT, enum rdma_kind kind, size_t len, unsigned int nr)
{
	struct rdma_side *side = &self->side;
	struct rdma_pieces cut = rdma_cut(len, nr);
	struct doca_rdma_task_receive *receive;
	struct doca_buf *src, *dst = NULL, *back;
	struct doca_task *task;
	char *into = side->mem + PEER_OUT;

	memset(&ended, 0, sizeof(ended));
	bed_fill(side->mem, len + nr * RDMA_GAP, len + kind);
	memset(into, 0, len + nr * RDMA_GAP);
	back = rdma_list(side, side->mmap, into, &cut, false);
	src = len ? rdma_list(side, side->mmap, side->mem, &cut, true) : NULL;
	if (kind == RDMA_WRITE_IMM)
		dst = a_buf(side->inv, side->peers, side->peer_mem, 0, PEER_OPEN);
	receive = rdma_receive(side, back, 0);
	ASSERT_NE(NULL, receive);
	task = rdma_submit(side, kind, side->connection, src, dst, len);
	ASSERT_NE(NULL, task);
	ASSERT_ENDS(2);
	EXPECT_EQ(len, doca_rdma_task_receive_get_result_len(receive));
	EXPECT_EQ(kind == RDMA_SEND ? 0 : len,
		  doca_rdma_task_receive_get_result_immediate_data(receive));
	rdma_gather(was, side->mem, &cut, 0);
	rdma_gather(is, into, &cut, 0);
	EXPECT_EQ(0, memcmp(was, is, len));
	put(task, src, dst);
	put(doca_rdma_task_receive_as_task(receive), back, NULL);
}

/* Write a list, and read it back into another. */
static void write_and_read(meta *_metadata, SELF, VARIANT, size_t len, unsigned int nr)
{
	struct rdma_side *side = &self->side;
	struct rdma_pieces cut = rdma_cut(len, nr);
	struct doca_buf *there, *here;
	char *into = side->mem + PEER_OUT;
	struct doca_task *task;

	memset(&ended, 0, sizeof(ended));
	bed_fill(side->mem, len + nr * RDMA_GAP, len);
	memset(into, 0, len + nr * RDMA_GAP);
	here = rdma_list(side, side->mmap, side->mem, &cut, true);
	there = a_buf(side->inv, side->peers, side->peer_mem, 0, PEER_OPEN);
	task = rdma_submit(side, RDMA_WRITE, side->connection, here, there, 0);
	ASSERT_NE(NULL, task);
	ASSERT_ENDS(1);
	put(task, here, there);
	here = rdma_list(side, side->mmap, into, &cut, false);
	there = a_buf(side->inv, side->peers, side->peer_mem, len, 8);
	task = rdma_submit(side, RDMA_READ, side->connection, there, here, 0);
	ASSERT_NE(NULL, task);
	ASSERT_ENDS(2);
	put(task, here, there);
	rdma_gather(was, side->mem, &cut, 0);
	rdma_gather(is, into, &cut, 0);
	EXPECT_EQ(0, memcmp(was, is, len));
}

TEST_F_TIMEOUT(rdma_between, sizes, 120)
{
	static const size_t sizes[] = { 0, 1, 8, 1023, 1024, 1025, 65536, 1 << 20 };
	static const unsigned int lists[] = { 2, 27 };
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		echo(_metadata, self, variant, RDMA_SEND, sizes[i], 1);
		echo(_metadata, self, variant, RDMA_SEND_IMM, sizes[i], 1);
		echo(_metadata, self, variant, RDMA_WRITE_IMM, sizes[i], 1);
		write_and_read(_metadata, self, variant, sizes[i], 1);
	}
	for (i = 0; i < 2; i++) {
		echo(_metadata, self, variant, RDMA_SEND, 30000, lists[i]);
		write_and_read(_metadata, self, variant, 30000, lists[i]);
	}
}

/* Tasks of a storm. */
static struct {
	struct doca_task *tasks[NR_TASKS];
	struct doca_buf *one[NR_TASKS], *other[NR_TASKS];
} storm;

static bool add(struct rdma_side *side, int i)
{
	struct doca_rdma_task_atomic_fetch_add *add;
	const union doca_data data = { .u64 = i };

	storm.one[i] = a_buf(side->inv, side->peers, side->peer_mem + WORD, 8, 0);
	storm.other[i] = a_buf(side->inv, side->mmap, side->mem + PEER_OUT + i * BYTES, 0, 8);
	if (doca_rdma_task_atomic_fetch_add_allocate_init(
		    side->rdma, side->connection, storm.one[i], storm.other[i], 1, data, &add))
		return false;
	storm.tasks[i] = doca_rdma_task_atomic_fetch_add_as_task(add);
	return !doca_task_submit(storm.tasks[i]);
}

/* End the peer by a message, and wait until nothing is left of it. */
static bool end_peer(SELF, int i)
{
	struct rdma_side *side = &self->side;
	char c;

	storm.one[i] = storm.other[i] = NULL;
	storm.tasks[i] = rdma_submit(side, RDMA_SEND_IMM, side->connection, NULL, NULL, PEER_DIE);
	return storm.tasks[i] && recv(self->fd, &c, 1, 0) <= 0;
}

/* Each third one writes, reads what that has written, or adds. */
static bool submit(struct rdma_side *side, int i)
{
	char *there = side->peer_mem + i / 3 * BYTES;

	if (i % 3 == 2)
		return add(side, i);
	storm.one[i] = i % 3 ? a_buf(side->inv, side->peers, there, BYTES, 0) :
			       a_buf(side->inv, side->mmap, side->mem + i / 3 * BYTES, BYTES, 0);
	storm.other[i] =
		i % 3 ? a_buf(side->inv, side->mmap, side->mem + PEER_OUT + i * BYTES, 0, BYTES) :
			a_buf(side->inv, side->peers, there, 0, BYTES);
	storm.tasks[i] = rdma_submit(side, i % 3 ? RDMA_READ : RDMA_WRITE, side->connection,
				     storm.one[i], storm.other[i], i);
	return storm.tasks[i];
}

/* A task that has succeeded has moved its data; additions are counted. */
static bool has_moved(struct rdma_side *side, int i)
{
	char *out = side->mem + PEER_OUT + i * BYTES;

	if (i % 3 == 0)
		return true; /* the next one reads it */
	if (i % 3 == 1)
		return !memcmp(out, side->mem + i / 3 * BYTES, BYTES);
	return *(uint64_t *)out == i / 3;
}

/* Things that may happen to tasks, and the code of the first one that fails of it. */
struct weather {
	const char *begin, *end; /* commands */
	bool moves; /* the addresses of the link are others then */
	bool kills;
	doca_error_t code;
};

static const struct weather weathers[] = {
	{ .begin = NETEM "loss 100%", .end = NO_NETEM, .code = DOCA_ERROR_CONNECTION_RESET },
	{ .kills = true, .code = DOCA_ERROR_CONNECTION_RESET },
	{ .begin = LINK "down", .end = LINK "up", .moves = true, .code = DOCA_ERROR_IO_FAILED },
};

/* Tasks have ended once each, in their order: those that succeeded, one with a code, the rest. */
static void expect_order(meta *_metadata, const struct weather *weather, struct rdma_side *side)
{
	const doca_error_t code = ended.status;
	unsigned int i, good = NR_TASKS - ended.bad;

	EXPECT_EQ(NR_TASKS, ended.nr);
	EXPECT_EQ(weather->code, code);
	for (i = 0; i < NR_TASKS; i++) {
		EXPECT_TRUE(ended.log[i].task == i || ended.log[i].task == PEER_DIE);
		EXPECT_EQ(i < good  ? DOCA_SUCCESS :
			  i == good ? code :
				      DOCA_ERROR_SHUTDOWN,
			  ended.log[i].status);
		EXPECT_TRUE(i >= good || ended.log[i].task == PEER_DIE || has_moved(side, i));
	}
}

static void blow(meta *_metadata, SELF, VARIANT, const struct weather *weather)
{
	struct rdma_side *side = &self->side;
	int i;

	ASSERT_TRUE(meet(self, variant));
	/* The first answer has come, and the word is 0. */
	write_and_read(_metadata, self, variant, 8, 1);
	bed_fill(side->mem, PEER_OPEN, 1);
	memset(side->mem + PEER_OUT, 0xff, NR_TASKS * BYTES);
	memset(&ended, 0, sizeof(ended));
	self->remedy = weather->end;
	if (weather->begin)
		ASSERT_EQ(0, bed_shell(weather->begin));
	for (i = 0; i < NR_TASKS; i++)
		ASSERT_TRUE(weather->kills && i == NR_TASKS / 2 + 1 ? end_peer(self, i) :
								      submit(side, i));
	ASSERT_TRUE(rdma_await(side->pe, variant->waits, NR_TASKS));
	ASSERT_TRUE(calm(self));
	expect_order(_metadata, weather, side);
	for (i = 0; i < NR_TASKS; i++)
		put(storm.tasks[i], storm.one[i], storm.other[i]);
	if (weather->code)
		ASSERT_TRUE(AWAIT_BY(doca_pe_progress(side->pe), bed_is_idle(side->ctx)));
}

/* Leave the peer with tasks in flight. */
static int be_killed(void *arg)
{
	VARIANT = arg;
	struct rdma_side side;
	int i, fd = dial(variant);

	memset(&ended, 0, sizeof(ended));
	if (fd < 0 || rdma_make_side(&side, bed_open_dev("rxe0"), NULL, PEER_MEMORY) ||
	    rdma_start(&side, variant->gid, RDMA_ALL) || !peer_meet(&side, fd))
		return 1;
	for (i = 0; i < NR_TASKS; i++)
		if (!submit(&side, i))
			return 2;
	while (ended.nr < 3)
		doca_pe_progress(side.pe);
	raise(SIGKILL);
	return 3;
}

TEST_F_TIMEOUT(rdma_between, storm, 300)
{
	const bool wire = has_wire(variant);
	const size_t nr = sizeof(weathers) / sizeof(weathers[0]);
	unsigned int i, k;

	if (wire && bed_shell(NETEM "2>/dev/null && " NO_NETEM))
		SKIP(return, "needs netem of the kernel, and tc");
	for (i = 0; i < rounds(1); i++) {
		for (k = 0; k < nr; k++) {
			if (!wire && weathers[k].begin)
				continue; /* for nothing is on the wire */
			if (variant->device && weathers[k].moves)
				continue;
			blow(_metadata, self, variant, &weathers[k]);
		}
	}
	EXPECT_EQ(128 + SIGKILL, bed_in_child(be_killed, (void *)variant));
}

TEST_HARNESS_MAIN
