// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Unload the module while a process holds any object of it: this is refused, and the
 * object goes on working. When the process is killed, the module can be unloaded after a
 * moment.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "world.h"
#include "kselftest_harness.h"

/* All objects, some of which are still held */
struct hold {
	struct doca d;
	uint32_t worker;
	struct buf buf;
	struct queue q;
	int sock; /* netlink socket */
	int family;
	int pair[2];
	uint8_t *dm; /* mapping of it */
};

static int open_all(struct hold *h, const struct mode *mode)
{
	int err = doca_open(&h->d);

	if (!err)
		err = mode_worker(&h->d, mode, &h->worker);
	if (!err)
		err = buf_make(&h->d, &h->buf, PAGE, ACCESS_LOCAL | ACCESS_PCI);
	if (!err)
		err = queue_open_waits(&h->q, &h->d, h->worker, 16, 1);
	return err;
}

static void close_queue_and_file(struct hold *h)
{
	close(h->q.fd);
	close(h->d.fd);
}

/* Each of these keeps one kind of object, and returns 0 or the negative errno */
static int hold_file(struct hold *h)
{
	queue_close(&h->q);
	return 0;
}

static bool file_works(struct hold *h)
{
	return !queue_open(&h->q, &h->d, h->worker, 16, 0) &&
	       !queue_status(&h->q, sqe_nop(0)) && hold_file(h) == 0;
}

static int hold_queue(struct hold *h)
{
	munmap(h->q.user, h->q.geo.out_user_size);
	munmap((void *)h->q.kernel, h->q.geo.out_kernel_size);
	return close(h->d.fd) ? -errno : 0;
}

static bool queue_is_there(struct hold *h)
{
	return queue_revents(&h->q, POLLIN, 0) == POLLHUP &&
	       !read_fdinfo(h->q.fd);
}

static int hold_user_area(struct hold *h)
{
	close_queue_and_file(h);
	return munmap((void *)h->q.kernel, h->q.geo.out_kernel_size);
}

static bool user_area_is_there(struct hold *h)
{
	memset(h->q.user, 0x5a, h->q.geo.out_user_size);
	return h->q.user->cq_head == 0x5a5a5a5a;
}

static int hold_kernel_area(struct hold *h)
{
	close_queue_and_file(h);
	return munmap(h->q.user, h->q.geo.out_user_size);
}

static bool kernel_area_is_there(struct hold *h)
{
	return ring_load(&h->q.kernel->dead);
}

/* A worker that never sleeps and one that waits, with the objects that they need */
static int hold_all(struct hold *h)
{
	struct doca_seg value = seg_of(&h->buf, 0, 8);

	queue_push(&h->q, sqe_sync_wait(DOCA_OP_SYNC_WAIT_NE, value, 0, UINT64_MAX));
	return queue_publish(&h->q);
}

static bool all_works(struct hold *h)
{
	return !queue_status(&h->q, sqe_copy(seg_of(&h->buf, 64, 64), seg_of(&h->buf, 128, 64)));
}

static int hold_import(struct hold *h)
{
	struct doca_blob blob;
	int err = mem_export(h->d.fd, h->buf.key, 0, &blob, NULL);

	return err ? err : mem_import(h->d.fd, h->d.device, &blob, NULL);
}

/* The memory is mapped, and all else is closed */
static int hold_dm(struct hold *h)
{
	struct doca_dm_alloc a;
	int err = dm_alloc(h->d.fd, h->d.device, PAGE, &a);

	h->dm = err ? NULL : dm_map(h->d.fd, PAGE, a.out_offset);
	queue_close(&h->q);
	close(h->d.fd);
	return h->dm ? 0 : -errno;
}

static bool dm_is_there(struct hold *h)
{
	memset(h->dm, 0x5a, PAGE);
	return h->dm[PAGE - 1] == 0x5a;
}

/* The file is in no process's table: it is in flight to a process that does not receive it */
static int hold_in_flight(struct hold *h)
{
	char control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec one = { .iov_base = control, .iov_len = 1 };
	struct msghdr msg = { .msg_iov = &one, .msg_iovlen = 1,
			      .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&msg);

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, h->pair))
		return -errno;
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &h->d.fd, sizeof(int));
	if (sendmsg(h->pair[0], &msg, 0) != 1)
		return -errno;
	queue_close(&h->q);
	return close(h->d.fd);
}

static bool it_arrives(struct hold *h)
{
	struct doca_query query = { .size = sizeof(query) };
	char control[CMSG_SPACE(sizeof(int))], c;
	struct iovec one = { .iov_base = &c, .iov_len = 1 };
	struct msghdr msg = { .msg_iov = &one, .msg_iovlen = 1,
			      .msg_control = control,
			      .msg_controllen = sizeof(control) };

	if (recvmsg(h->pair[1], &msg, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&msg))
		return false;
	memcpy(&h->d.fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(int));
	/* It has ended with the last descriptor, and says so. */
	return doca_call(h->d.fd, DOCA_QUERY, &query) == -ENODEV;
}

/* Only the first message of a listing was made; the rest is made when it is read */
static int hold_listing(struct hold *h)
{
	uint32_t mem;
	int i, err = 0;

	for (i = 0; !err && i < 1000; i++)
		err = mem_reg(h->d.fd, h->buf.addr, 1, ACCESS_LOCAL, &mem);
	h->sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (err || h->sock < 0)
		return err ? err : -errno;
	return list_begin(h->sock, h->family, DOCA_GENL_CMD_MEMORY_GET);
}

static int hold_only_listing(struct hold *h)
{
	int err = hold_listing(h);

	queue_close(&h->q);
	close(h->d.fd);
	return err;
}

static bool listing_ends(struct hold *h)
{
	return !list_end(h->sock);
}

FIXTURE(unload) {
	int family;
	int sock;
	pid_t pid;
};

FIXTURE_VARIANT(unload) {
	int (*hold)(struct hold *h);
	bool (*works)(struct hold *h);
	struct mode mode;
};

#define HELD(name, ...) \
	FIXTURE_VARIANT_ADD(unload, name) { __VA_ARGS__ }

HELD(file, hold_file, file_works);
HELD(queue, hold_queue, queue_is_there);
HELD(user_area, hold_user_area, user_area_is_there);
HELD(kernel_area, hold_kernel_area, kernel_area_is_there);
HELD(wait, hold_all, all_works);
HELD(poller, hold_all, all_works, { true, DOCA_IDLE_NEVER });
HELD(import, hold_import, all_works);
HELD(dm, hold_dm, dm_is_there);
HELD(file_in_flight, hold_in_flight, it_arrives);
HELD(listing, hold_only_listing, listing_ends);

static int module_remove(void)
{
	return syscall(SYS_delete_module, "doca", O_NONBLOCK) ? -errno : 0;
}

static bool module_load(void)
{
	const char *parameters = getenv("DOCA_MODULE_PARAMS");
	char command[256];

	snprintf(command, sizeof(command), "modprobe doca %s", parameters ? parameters : "");
	if (system(command))
		return false;
	WAIT_UNTIL(!access(DOCA_NODE, F_OK));
	return true;
}

/* Hold it, and tell whether it works whenever asked */
static int holder(int sock, int family, int (*hold)(struct hold *h),
		  bool (*works)(struct hold *h), const struct mode *mode)
{
	struct hold h = { .family = family };
	char c;
	int err;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	err = open_all(&h, mode);
	if (!err)
		err = hold(&h);
	if (err)
		return err == -EOPNOTSUPP ? HARNESS_EXIT_SKIP : 1;
	do {
		if (write(sock, "k", 1) != 1)
			return 2;
	} while (read(sock, &c, 1) == 1 && works(&h));
	return 3;
}

FIXTURE_SETUP(unload)
{
	int sock[2];
	struct family nl;
	struct doca d;

	signal(SIGPIPE, SIG_IGN);
	DOCA_OPEN(&d);
	close(d.fd);
	ASSERT_EQ(0, family_open(&nl));
	self->family = nl.family;
	family_close(&nl);
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sock));
	self->pid = fork();
	ASSERT_LE(0, self->pid);
	if (!self->pid) {
		close(sock[0]);
		_exit(holder(sock[1], self->family, variant->hold, variant->works, &variant->mode));
	}
	close(sock[1]);
	self->sock = sock[0];
}

FIXTURE_TEARDOWN(unload)
{
	close(self->sock);
	if (access("/sys/module/doca", F_OK))
		EXPECT_TRUE(module_load());
}

/* Return true if it works, or has begun to */
static bool says_yes(int sock)
{
	char c;

	return read(sock, &c, 1) == 1 && c == 'k';
}

TEST_F(unload, not_under_a_user)
{
	int err;

	if (!says_yes(self->sock)) {
		ASSERT_EQ(HARNESS_EXIT_SKIP, child_wait(self->pid));
		SKIP(return, "workers are switched off");
	}
	EXPECT_EQ(-EWOULDBLOCK, module_remove());
	ASSERT_EQ(1, write(self->sock, "?", 1));
	EXPECT_TRUE(says_yes(self->sock));

	kill(self->pid, SIGKILL);
	/* It is on its way out, or has gone: both are fine. */
	WAIT_UNTIL((err = module_remove()) != -EWOULDBLOCK);
	EXPECT_EQ(0, err);
	EXPECT_EQ(1000 + SIGKILL, child_wait(self->pid));
}

/* A blob takes another load of the module for another kernel */
TEST(blobs_of_before_are_worthless)
{
	struct doca_blob blob;
	struct buf buf;
	struct doca d;

	DOCA_OPEN(&d);
	ASSERT_EQ(0, buf_make(&d, &buf, PAGE, ACCESS_LOCAL | ACCESS_PCI));
	ASSERT_EQ(0, mem_export(d.fd, buf.key, 0, &blob, NULL));
	ASSERT_EQ(0, mem_import(d.fd, d.device, &blob, NULL));
	DOCA_CLOSE(&d);
	ASSERT_EQ(0, module_remove());
	ASSERT_TRUE(module_load());
	DOCA_OPEN(&d);
	EXPECT_EQ(-EXDEV, mem_import(d.fd, d.device, &blob, NULL));
	DOCA_CLOSE(&d);
}

TEST_HARNESS_MAIN
