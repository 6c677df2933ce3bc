// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * RDMA by numbers: additions of two peers to one sync event lose nothing, a
 * value that was set is read back, and what a process has had of the device
 * goes with it. DOCA_TEST_TASKS is the number of tasks of each peer.
 */
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <doca_rdma.h>
#include <doca_sync_event.h>

#include "bed.h"

#define IN_FLIGHT 16
#define ALL                                                               \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | \
	 DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

/* A peer, which is connected with the owner of the event. */
struct peer {
	struct doca_rdma *rdma;
	struct doca_rdma_connection *connection;
	unsigned long submitted, done;
};

FIXTURE(rdma_counts)
{
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_buf_inventory *inv;
	struct doca_mmap *mmap;
	struct doca_rdma *owner;
	struct peer peers[2];
	struct doca_sync_event *event;
	struct doca_sync_event_remote_net *remote;
	uint64_t *words;
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

static void on_add(struct doca_rdma_task_remote_net_sync_event_notify_add *add,
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
	if ((rc = doca_rdma_set_permissions(rdma, ALL)) ||
	    (rc = doca_rdma_task_remote_net_sync_event_notify_add_set_conf(rdma, on_add, on_add,
									   IN_FLIGHT)) ||
	    (rc = doca_rdma_task_remote_net_sync_event_notify_set_set_conf(rdma, on_set, on_set,
									   1)) ||
	    (rc = doca_rdma_task_remote_net_sync_event_get_set_conf(rdma, on_get, on_get, 1)) ||
	    (rc = doca_pe_connect_ctx(pe, doca_rdma_as_ctx(rdma))))
		return rc;
	return doca_ctx_start(doca_rdma_as_ctx(rdma));
}

static doca_error_t connect_to(struct doca_rdma *owner, struct peer *peer)
{
	const void *of_owner, *of_peer;
	struct doca_rdma_connection *connection;
	size_t len_owner, len_peer;
	doca_error_t rc;

	if ((rc = doca_rdma_export(owner, &of_owner, &len_owner, &connection)) ||
	    (rc = doca_rdma_export(peer->rdma, &of_peer, &len_peer, &peer->connection)) ||
	    (rc = doca_rdma_connect(owner, of_peer, len_peer, connection)))
		return rc;
	return doca_rdma_connect(peer->rdma, of_owner, len_owner, peer->connection);
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

FIXTURE_SETUP(rdma_counts)
{
	int i;

	wanted = tasks_of_a_test();
	wrong = false;
	memset(self->peers, 0, sizeof(self->peers));
	self->dev = bed_open_dev("rxe0");
	if (!self->dev)
		SKIP_SETUP("needs the RDMA device rxe0");
	self->words = aligned_alloc(4096, 4096);
	memset(self->words, 0, 4096);
	ASSERT_OK(doca_pe_create(&self->pe));
	ASSERT_OK(doca_buf_inventory_create(4 * IN_FLIGHT, &self->inv));
	ASSERT_OK(doca_buf_inventory_start(self->inv));
	ASSERT_OK(bed_mmap((char *)self->words, 4096, ALL, self->dev, NULL, &self->mmap));
	ASSERT_OK(start(self->dev, self->pe, &self->owner));
	ASSERT_OK(make_event(self->dev, &self->event, &self->remote));
	for (i = 0; i < 2; i++) {
		ASSERT_OK(start(self->dev, self->pe, &self->peers[i].rdma));
		ASSERT_OK(connect_to(self->owner, &self->peers[i]));
	}
}

FIXTURE_TEARDOWN(rdma_counts)
{
	int i;

	for (i = 0; i < 2; i++) {
		EXPECT_OK(doca_ctx_stop(doca_rdma_as_ctx(self->peers[i].rdma)));
		EXPECT_OK(doca_rdma_destroy(self->peers[i].rdma));
	}
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

static struct doca_buf *word(FIXTURE_DATA(rdma_counts) * self, int at, size_t data)
{
	struct doca_buf *buf = NULL;

	if (doca_buf_inventory_buf_get_by_addr(self->inv, self->mmap, &self->words[at], 8, &buf))
		return NULL;
	doca_buf_set_data(buf, &self->words[at], data);
	return buf;
}

/* Nothing is late that makes progress: the count goes up. */
#define REACHED(count, number)                                                          \
	({                                                                              \
		unsigned long last_;                                                    \
		do                                                                      \
			last_ = (count);                                                \
		while (last_ < (number) && !wrong &&                                    \
		       AWAIT_BY(doca_pe_progress(self->pe), (count) > last_ || wrong)); \
		!wrong && (count) == (number);                                          \
	})

TEST_F_TIMEOUT(rdma_counts, two_add, 600)
{
	struct doca_rdma_task_remote_net_sync_event_notify_add *adds[2][IN_FLIGHT];
	union doca_data data;
	uint64_t value = 0;
	int i, k;

	for (i = 0; i < 2; i++) {
		for (k = 0; k < IN_FLIGHT; k++) {
			data.ptr = &self->peers[i];
			ASSERT_OK(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
				self->peers[i].rdma, self->peers[i].connection, self->remote,
				word(self, i * IN_FLIGHT + k, 0), i + 1, data, &adds[i][k]));
		}
	}
	for (k = 0; k < IN_FLIGHT; k++)
		for (i = 0; i < 2; i++)
			go(&self->peers[i],
			   doca_rdma_task_remote_net_sync_event_notify_add_as_task(adds[i][k]));
	EXPECT_TRUE(REACHED(self->peers[0].done + self->peers[1].done, 2 * wanted));
	EXPECT_OK(doca_sync_event_get(self->event, &value));
	EXPECT_EQ(3 * wanted, value);
	for (i = 0; i < 2; i++) {
		for (k = 0; k < IN_FLIGHT; k++) {
			doca_buf_dec_refcount(
				doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf(
					adds[i][k]),
				NULL);
			doca_task_free(doca_rdma_task_remote_net_sync_event_notify_add_as_task(
				adds[i][k]));
		}
	}
}

/* A get behind a set on one connection has its value. */
TEST_F_TIMEOUT(rdma_counts, sets_and_gets, 600)
{
	struct doca_rdma_task_remote_net_sync_event_notify_set *set;
	struct doca_rdma_task_remote_net_sync_event_get *get;
	struct peer *peer = &self->peers[0];
	union doca_data data = { .ptr = peer };
	struct doca_buf *from = word(self, 0, 8), *to = word(self, 1, 0);
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
		ASSERT_TRUE(REACHED(peer->done, 2 * i));
		ASSERT_EQ(i << 32 | i, self->words[1]);
	}
	doca_task_free(doca_rdma_task_remote_net_sync_event_notify_set_as_task(set));
	doca_task_free(doca_rdma_task_remote_net_sync_event_get_as_task(get));
	doca_buf_dec_refcount(from, NULL);
	doca_buf_dec_refcount(to, NULL);
}

/* Number of objects of all devices: queue pairs, queues, regions, domains,
 * identifiers. */
static long resources(void)
{
	FILE *out = popen("for r in qp cq mr pd cm_id srq ctx; do rdma resource show $r; done "
			  "2>/dev/null | wc -l",
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
	struct peer peer = { 0 };
	struct doca_rdma *owner;
	struct doca_pe *pe;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!dev || doca_pe_create(&pe) || start(dev, pe, &owner) || start(dev, pe, &peer.rdma) ||
	    connect_to(owner, &peer) || make_event(dev, &event, &remote) || write(fd, "", 1) != 1)
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

	if (before < 0 || system("rdma resource show qp >/dev/null 2>&1"))
		SKIP(return, "needs rdma of iproute2");
	ASSERT_EQ(0, pipe(fds));
	pid = fork();
	if (!pid)
		be_killed(fds[1]);
	close(fds[1]);
	if (read(fds[0], &c, 1) != 1)
		SKIP(return, "needs the RDMA device rxe0");
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
	if (bed_mmap(aligned_alloc(4096, 768 << 10), 768 << 10, ALL, dev, NULL, &mmap))
		return 3;
	/* It is pinned once by the driver, and there is no room for the second time.
   */
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
