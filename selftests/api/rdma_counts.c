// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * RDMA by numbers: additions of two processes to one sync event lose nothing, while its owner waits
 * for them and does nothing else; a value that was set is read back, and what a process has had of
 * the device goes with it. DOCA_TEST_TASKS is the number of tasks of each peer.
 */
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "rdma_tasks.h"

#define IN_FLIGHT 16
#define TIMEOUT 600

/* A peer, which is connected with the owner of the event. */
struct peer {
	struct doca_rdma *rdma;
	struct doca_rdma_connection *connection;
	unsigned long submitted, done;
};

static unsigned long wanted;
static bool wrong;

static unsigned long tasks_of_a_test(void)
{
	const char *number = getenv("DOCA_TEST_TASKS");

	return number ? strtoul(number, NULL, 0) : 500;
}

static void go(struct peer *peer, struct doca_task *task)
{
	if (peer->submitted == wanted)
		return;
	peer->submitted++;
	wrong |= doca_task_submit(task) != DOCA_SUCCESS;
}

static void on_added(struct doca_rdma_task_remote_net_sync_event_notify_add *add,
		     union doca_data data, union doca_data ctx_data)
{
	struct doca_task *task = doca_rdma_task_remote_net_sync_event_notify_add_as_task(add);
	struct peer *peer = data.ptr;

	(void)ctx_data;
	wrong |= doca_task_get_status(task) != DOCA_SUCCESS;
	peer->done++;
	doca_buf_reset_data_len(
		doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf(add));
	go(peer, task);
}

static void on_set(struct doca_rdma_task_remote_net_sync_event_notify_set *set,
		   union doca_data data, union doca_data ctx_data)
{
	(void)ctx_data;
	wrong |= doca_task_get_status(
			 doca_rdma_task_remote_net_sync_event_notify_set_as_task(set)) != 0;
	((struct peer *)data.ptr)->done++;
}

static void on_get(struct doca_rdma_task_remote_net_sync_event_get *get, union doca_data data,
		   union doca_data ctx_data)
{
	(void)ctx_data;
	wrong |= doca_task_get_status(doca_rdma_task_remote_net_sync_event_get_as_task(get)) != 0;
	((struct peer *)data.ptr)->done++;
}

static doca_error_t start(struct doca_dev *dev, struct doca_pe *pe, struct doca_rdma **out)
{
	struct doca_rdma *rdma;
	doca_error_t rc;

	if ((rc = doca_rdma_create(dev, out)))
		return rc;
	rdma = *out;
	if ((rc = doca_rdma_set_permissions(rdma, RDMA_ALL)) ||
	    (rc = doca_rdma_task_remote_net_sync_event_notify_add_set_conf(rdma, on_added, on_added,
									   IN_FLIGHT)) ||
	    (rc = doca_rdma_task_remote_net_sync_event_notify_set_set_conf(rdma, on_set, on_set,
									   1)) ||
	    (rc = doca_rdma_task_remote_net_sync_event_get_set_conf(rdma, on_get, on_get, 1)) ||
	    (rc = doca_pe_connect_ctx(pe, doca_rdma_as_ctx(rdma))))
		return rc;
	return doca_ctx_start(doca_rdma_as_ctx(rdma));
}

static doca_error_t make_event(struct doca_dev *dev, struct doca_sync_event **event,
			       struct doca_sync_event_remote_net **remote)
{
	const uint8_t *desc;
	doca_error_t rc;
	size_t size;

	if ((rc = doca_sync_event_create(event)) ||
	    (rc = doca_sync_event_add_subscriber_location_cpu(*event, dev)) ||
	    (rc = doca_sync_event_add_publisher_location_remote_net(*event)) ||
	    (rc = doca_sync_event_start(*event)) ||
	    (rc = doca_sync_event_export_to_remote_net(*event, &desc, &size)))
		return rc;
	return doca_sync_event_remote_net_create_from_export(dev, desc, size, remote);
}

FIXTURE(rdma_counts)
{
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_buf_inventory *inv;
	struct doca_mmap *mmap;
	struct doca_rdma *owner;
	struct peer peer;
	struct doca_sync_event *event;
	struct doca_sync_event_remote_net *remote;
	uint64_t *words;
};

FIXTURE_SETUP(rdma_counts)
{
	struct doca_rdma_connection *there;

	wanted = tasks_of_a_test();
	ASSERT_LT(0, wanted);
	wrong = false;
	self->dev = bed_open_dev("rxe0");
	if (!self->dev)
		SKIP_SETUP("needs the RDMA device rxe0");
	self->words = aligned_alloc(4096, 4096);
	memset(self->words, 0, 4096);
	ASSERT_OK(doca_pe_create(&self->pe));
	ASSERT_OK(doca_buf_inventory_create(2, &self->inv));
	ASSERT_OK(doca_buf_inventory_start(self->inv));
	ASSERT_OK(bed_mmap(self->words, 4096, RDMA_ALL, self->dev, NULL, &self->mmap));
	ASSERT_OK(start(self->dev, self->pe, &self->owner));
	ASSERT_OK(make_event(self->dev, &self->event, &self->remote));
	ASSERT_OK(start(self->dev, self->pe, &self->peer.rdma));
	ASSERT_OK(rdma_connect_both(self->owner, self->peer.rdma, &there, &self->peer.connection));
}

FIXTURE_TEARDOWN(rdma_counts)
{
	EXPECT_OK(doca_ctx_stop(doca_rdma_as_ctx(self->peer.rdma)));
	EXPECT_OK(doca_rdma_destroy(self->peer.rdma));
	EXPECT_OK(doca_sync_event_remote_net_destroy(self->remote));
	EXPECT_OK(doca_sync_event_stop(self->event));
	EXPECT_OK(doca_sync_event_destroy(self->event));
	EXPECT_OK(doca_ctx_stop(doca_rdma_as_ctx(self->owner)));
	EXPECT_OK(doca_rdma_destroy(self->owner));
	EXPECT_OK(doca_pe_destroy(self->pe));
	EXPECT_OK(doca_buf_inventory_destroy(self->inv));
	EXPECT_OK(doca_mmap_destroy(self->mmap));
	EXPECT_OK(doca_dev_close(self->dev));
	free(self->words);
}

/* Nothing is late that makes progress: the count goes up. */
#define REACHED(pe, count, number)                                                \
	({                                                                        \
		unsigned long last_;                                              \
		do                                                                \
			last_ = (count);                                          \
		while (last_ < (number) && !wrong &&                              \
		       AWAIT_BY(doca_pe_progress(pe), (count) > last_ || wrong)); \
		!wrong && (count) == (number);                                    \
	})

/* A get behind a set on one connection has its value. */
TEST_F_TIMEOUT(rdma_counts, sets_and_gets, TIMEOUT)
{
	struct doca_rdma_task_remote_net_sync_event_notify_set *set;
	struct doca_rdma_task_remote_net_sync_event_get *get;
	struct peer *peer = &self->peer;
	union doca_data data = { .ptr = peer };
	struct doca_buf *from = a_buf(self->inv, self->mmap, &self->words[0], 8, 0);
	struct doca_buf *to = a_buf(self->inv, self->mmap, &self->words[1], 0, 8);
	unsigned long i;

	ASSERT_OK(doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
		peer->rdma, peer->connection, self->remote, from, data, &set));
	ASSERT_OK(doca_rdma_task_remote_net_sync_event_get_allocate_init(
		peer->rdma, peer->connection, self->remote, to, data, &get));
	for (i = 1; i <= wanted; i++) {
		self->words[0] = i << 32 | i;
		doca_buf_reset_data_len(to);
		ASSERT_OK(doca_task_submit(
			doca_rdma_task_remote_net_sync_event_notify_set_as_task(set)));
		ASSERT_OK(doca_task_submit(doca_rdma_task_remote_net_sync_event_get_as_task(get)));
		ASSERT_TRUE(REACHED(self->pe, peer->done, 2 * i));
		ASSERT_EQ(i << 32 | i, self->words[1]);
	}
	doca_task_free(doca_rdma_task_remote_net_sync_event_notify_set_as_task(set));
	doca_task_free(doca_rdma_task_remote_net_sync_event_get_as_task(get));
	doca_buf_dec_refcount(from, NULL);
	doca_buf_dec_refcount(to, NULL);
}

/* Descriptors that the owner gives to a peer. */
struct owners {
	char connection[96], event[72];
};

/* Add to the event of the process at the other end, as often as wanted. */
static int add_all(int fd, uint64_t value)
{
	struct doca_rdma_task_remote_net_sync_event_notify_add *add;
	struct doca_dev *dev = bed_open_dev("rxe0");
	static uint64_t words[IN_FLIGHT] __attribute__((aligned(4096)));
	struct doca_sync_event_remote_net *event;
	struct doca_task *tasks[IN_FLIGHT];
	struct doca_buf_inventory *inv;
	struct owners owners;
	struct doca_mmap *mmap;
	struct doca_pe *pe;
	struct peer peer = { 0 };
	const void *ours;
	size_t len;
	int i;

	if (!dev || doca_pe_create(&pe) || start(dev, pe, &peer.rdma) ||
	    doca_buf_inventory_create(IN_FLIGHT, &inv) || doca_buf_inventory_start(inv) ||
	    bed_mmap(words, sizeof(words), RDMA_ALL, dev, NULL, &mmap) ||
	    doca_rdma_export(peer.rdma, &ours, &len, &peer.connection) ||
	    read(fd, &owners, sizeof(owners)) != sizeof(owners) || write(fd, ours, len) != len ||
	    doca_rdma_connect(peer.rdma, owners.connection, sizeof(owners.connection),
			      peer.connection) ||
	    doca_sync_event_remote_net_create_from_export(dev, (uint8_t *)owners.event,
							  sizeof(owners.event), &event))
		return 1;
	for (i = 0; i < IN_FLIGHT; i++) {
		if (doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
			    peer.rdma, peer.connection, event, a_buf(inv, mmap, &words[i], 0, 8),
			    value, (union doca_data){ .ptr = &peer }, &add))
			return 2;
		tasks[i] = doca_rdma_task_remote_net_sync_event_notify_add_as_task(add);
	}
	for (i = 0; i < IN_FLIGHT; i++)
		go(&peer, tasks[i]);
	return REACHED(pe, peer.done, wanted) ? 0 : 3;
}

/* Begin a process that adds; if that fails, it ends the one that waits for it. */
static pid_t adder(int *fd, uint64_t value)
{
	int fds[2], code;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -1;
	pid = quiet_fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		code = add_all(fds[1], value);
		if (code)
			kill(getppid(), SIGABRT);
		_exit(code);
	}
	close(fds[1]);
	*fd = fds[0];
	return pid;
}

FIXTURE(rdma_adders){};

FIXTURE_SETUP(rdma_adders)
{
	if (access("/sys/class/infiniband/rxe0", F_OK))
		SKIP_SETUP("needs the RDMA device rxe0");
}

FIXTURE_TEARDOWN(rdma_adders)
{
}

TEST_F_TIMEOUT(rdma_adders, two_processes, TIMEOUT)
{
	struct doca_sync_event_remote_net *remote;
	struct doca_rdma_connection *connection;
	struct doca_sync_event *event;
	struct doca_rdma *owner;
	struct owners owners;
	struct doca_dev *dev;
	struct doca_pe *pe;
	const uint8_t *desc;
	const void *ours;
	uint64_t value = 0;
	char theirs[96];
	pid_t pids[2];
	int fds[2], i;
	size_t len;

	wanted = tasks_of_a_test();
	ASSERT_LT(0, wanted);
	for (i = 0; i < 2; i++) {
		pids[i] = adder(&fds[i], i + 1);
		ASSERT_LT(0, pids[i]);
	}
	dev = bed_open_dev("rxe0");
	ASSERT_NE(NULL, dev);
	ASSERT_OK(doca_pe_create(&pe));
	ASSERT_OK(start(dev, pe, &owner));
	ASSERT_OK(make_event(dev, &event, &remote));
	ASSERT_OK(doca_sync_event_export_to_remote_net(event, &desc, &len));
	ASSERT_EQ(sizeof(owners.event), len);
	memcpy(owners.event, desc, len);
	for (i = 0; i < 2; i++) {
		ASSERT_OK(doca_rdma_export(owner, &ours, &len, &connection));
		ASSERT_EQ(sizeof(owners.connection), len);
		memcpy(owners.connection, ours, len);
		ASSERT_EQ(sizeof(owners), write(fds[i], &owners, sizeof(owners)));
		ASSERT_EQ(sizeof(theirs), read(fds[i], theirs, sizeof(theirs)));
		ASSERT_OK(doca_rdma_connect(owner, theirs, sizeof(theirs), connection));
	}
	/* No progress is made here. */
	EXPECT_OK(doca_sync_event_wait_gt(event, 3 * wanted - 1, UINT64_MAX));
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(0, bed_wait(pids[i]));
		close(fds[i]);
	}
	EXPECT_OK(doca_sync_event_get(event, &value));
	EXPECT_EQ(3 * wanted, value);
	EXPECT_OK(doca_sync_event_remote_net_destroy(remote));
	EXPECT_OK(doca_sync_event_stop(event));
	EXPECT_OK(doca_sync_event_destroy(event));
	EXPECT_OK(doca_ctx_stop(doca_rdma_as_ctx(owner)));
	EXPECT_OK(doca_rdma_destroy(owner));
	EXPECT_OK(doca_pe_destroy(pe));
	EXPECT_OK(doca_dev_close(dev));
}

/* Number of objects of all devices: queue pairs, queues, regions, domains, identifiers. */
static long resources(void)
{
	FILE *out = popen("for r in qp cq mr pd cm_id srq; do rdma resource show $r || exit; "
			  "done >/run/resources && wc -l </run/resources",
			  "r");
	long n = -1;

	if (out && fscanf(out, "%ld", &n) != 1)
		n = -1;
	if (out)
		pclose(out);
	return n;
}

static void be_killed(int fd)
{
	struct doca_dev *dev = bed_open_dev("rxe0");
	struct doca_sync_event_remote_net *remote;
	struct doca_sync_event *event;
	struct doca_rdma_connection *there;
	struct peer peer = { 0 };
	struct doca_rdma *owner;
	struct doca_pe *pe;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!dev || doca_pe_create(&pe) || start(dev, pe, &owner) || start(dev, pe, &peer.rdma) ||
	    rdma_connect_both(owner, peer.rdma, &there, &peer.connection) ||
	    make_event(dev, &event, &remote) || write(fd, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

TEST(nothing_is_left_of_a_process)
{
	int fds[2], status;
	long before = resources();
	char c;
	pid_t pid;

	if (access("/sys/class/infiniband/rxe0", F_OK))
		SKIP(return, "needs the RDMA device rxe0");
	if (before < 0)
		SKIP(return, "needs rdma of iproute2, and root");
	ASSERT_EQ(0, pipe(fds));
	pid = quiet_fork();
	if (!pid)
		be_killed(fds[1]);
	close(fds[1]);
	ASSERT_EQ(1, read(fds[0], &c, 1));
	EXPECT_LT(before, resources());
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(AWAIT(resources() == before));
	close(fds[0]);
}

static void drop_capability(int nr)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct caps[2];

	syscall(SYS_capget, &header, caps);
	caps[0].effective &= ~(1u << nr);
	caps[0].permitted &= ~(1u << nr);
	syscall(SYS_capset, &header, caps);
}

/* Memory that may not be pinned: the call fails, and nothing is left of it. */
static int export_too_much(void *arg)
{
	const struct rlimit limit = { 1 << 20, 1 << 20 };
	struct doca_dev *dev = bed_open_dev("rxe0");
	struct doca_mmap *mmap;
	const void *desc;
	size_t len;

	(void)arg;
	if (!dev)
		return 2;
	setrlimit(RLIMIT_MEMLOCK, &limit);
	drop_capability(CAP_IPC_LOCK);
	if (bed_mmap(aligned_alloc(4096, 768 << 10), 768 << 10, RDMA_ALL, dev, NULL, &mmap))
		return 3;
	/* It is pinned once by the driver, and there is no room for the second time. */
	if (doca_mmap_export_rdma(mmap, dev, &desc, &len) != DOCA_ERROR_NO_MEMORY)
		return 4;
	return doca_mmap_destroy(mmap) || doca_dev_close(dev) ? 5 : 0;
}

TEST(what_may_not_be_pinned)
{
	struct doca_dev *dev = bed_open_dev("rxe0");

	if (!dev)
		SKIP(return, "needs the RDMA device rxe0");
	EXPECT_OK(doca_dev_close(dev));
	if (bed_in_process())
		SKIP(return, "in process the driver pins nothing");
	EXPECT_EQ(0, bed_in_child(export_too_much, NULL));
}

TEST_HARNESS_MAIN
