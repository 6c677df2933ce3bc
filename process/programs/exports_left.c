// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * What a process leaves behind in the other one, or takes from it: answers that come too
 * late, waits that have not begun, pieces that are not asked for any more, a thread.
 */
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>

#include "dial.h"
#include "victims.h"

/* As many as an exporter has room for. */
#define WAITS 192
/* And slots, of which a step of an operation takes four. */
#define SLOTS 32
#define STEP (4 * 65536)

/* The import was given back; its place is the importer's again. */
TEST_F(ends, of_a_question_before_the_answer)
{
	static struct doca_mmap *more[1023];
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	struct doca_mmap *late;
	struct importer importer;
	int i;

	ASSERT_EQ(0, importer_open(&importer));
	ASSERT_OK(importer_import(&importer, &desc, &importer.imported));
	stop(pid);
	EXPECT_ERR(TIME_OUT, importer_import(&importer, &desc, &late));
	kill(pid, SIGCONT);
	usleep(patiently(100) * 1000);
	for (i = 0; i < 1023; i++)
		ASSERT_OK(importer_import(&importer, &desc, &more[i]));
	for (i = 0; i < 1023; i++)
		ASSERT_OK(doca_mmap_destroy(more[i]));
	importer_close(&importer);
	bury(self->shared, pid);
}

/* A context that waits for an event of the exporter's. */
struct waiter {
	struct importer importer;
	int failed;
};

static void wait_failed(struct doca_sync_event_task_wait_gt *task,
			union doca_data data, union doca_data ctx_data)
{
	struct waiter *self = ctx_data.ptr;

	self->failed++;
	wait_ended(task, data, ctx_data);
}

static int waiter_open(struct waiter *self, const struct desc *desc)
{
	struct importer *importer = &self->importer;
	union doca_data data = { .ptr = self };

	self->failed = 0;
	if (importer_open(importer) ||
	    doca_sync_event_create_from_export(importer->dev, desc->event_bytes,
					       desc->event_len,
					       &importer->event))
		return 1;
	importer->ctx = doca_sync_event_as_ctx(importer->event);
	return doca_sync_event_task_wait_gt_set_conf(
		       importer->event, wait_ended, wait_failed, WAITS) ||
	       doca_ctx_set_user_data(importer->ctx, data) ||
	       doca_pe_connect_ctx(importer->bed.pe, importer->ctx);
}

/* So many waits, for a moment, until the context is stopped. */
static doca_error_t wait_and_stop(struct waiter *self, int nr, double seconds)
{
	struct importer *importer = &self->importer;
	struct doca_sync_event_task_wait_gt *task;
	double end = bed_now() + seconds;
	doca_error_t rc;
	int i;

	importer->waits_ended = 0;
	self->failed = 0;
	rc = doca_ctx_start(importer->ctx);
	for (i = 0; !rc && i < nr; i++) {
		rc = doca_sync_event_task_wait_gt_alloc_init(
			importer->event, 100, ~0ULL, (union doca_data){},
			&task);
		if (!rc)
			rc = doca_task_submit(
				doca_sync_event_task_wait_gt_as_doca_task(
					task));
	}
	while (!rc && !self->failed && bed_now() < end)
		doca_pe_progress(importer->bed.pe);
	if (self->failed)
		rc = DOCA_ERROR_IO_FAILED;
	doca_ctx_stop(importer->ctx);
	BED_UNTIL(&importer->bed, is_idle(importer->ctx));
	return rc;
}

/* There is room for as many again. */
TEST_F(ends, of_waits_that_have_begun)
{
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	struct waiter waiter;
	int round;

	ASSERT_EQ(0, waiter_open(&waiter, &desc));
	for (round = 0; round < 2; round++) {
		EXPECT_OK(wait_and_stop(&waiter, WAITS, 0.1));
		usleep(patiently(500) * 1000);
	}
	importer_close(&waiter.importer);
	bury(self->shared, pid);
}

/* The exporter hears of those that are canceled a moment later. */
static doca_error_t wait_in_time(struct waiter *self)
{
	double end = bed_now() + patiently(3);
	doca_error_t rc;

	do
		rc = wait_and_stop(self, WAITS, 0.1);
	while (rc && bed_now() < end);
	return rc;
}

TEST_F(ends, of_waits_that_have_not_begun)
{
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	struct waiter waiter;

	ASSERT_EQ(0, waiter_open(&waiter, &desc));
	stop(pid);
	EXPECT_OK(wait_and_stop(&waiter, 1, 0.05));
	kill(pid, SIGCONT);
	EXPECT_OK(wait_in_time(&waiter));
	importer_close(&waiter.importer);
	bury(self->shared, pid);
}

/* A program that waits for one of their pieces is told when it is free. */
TEST_F(ends, of_copies_that_have_all_pieces)
{
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	doca_event_handle_t handle;
	struct importer importer;
	struct pollfd pfd;
	struct bed other;
	double end;
	int i;

	ASSERT_EQ(0, importer_open(&importer));
	ASSERT_OK(importer_import(&importer, &desc, &importer.imported));
	ASSERT_OK(bed_create(&other, importer.dev, NULL));
	ASSERT_OK(doca_ctx_start(other.ctx));
	ASSERT_OK(doca_pe_get_notification_handle(other.pe, &handle));
	stop(pid);
	for (i = 0; i < SLOTS / 4; i++)
		ASSERT_OK(bed_copy(&importer.bed, importer.imported, desc.addr,
				   importer.local, importer.mem, STEP));
	ASSERT_OK(bed_copy(&other, importer.imported, desc.addr, importer.local,
			   importer.mem + STEP, 64));
	kill(pid, SIGCONT);
	/* The answers to all are seen, and those of the first context not taken. */
	end = bed_now() + patiently(200) * 1e-3;
	while (bed_now() < end)
		doca_pe_progress(other.pe);
	ASSERT_OK(doca_pe_request_notification(other.pe));
	doca_ctx_stop(importer.bed.ctx);
	EXPECT_TRUE(BED_UNTIL(&importer.bed, importer.bed.to_idle));
	pfd = (struct pollfd){ .fd = handle, .events = POLLIN };
	if (!other.succeeded)
		EXPECT_EQ(1, poll(&pfd, 1, patiently(5) * 1000));
	ASSERT_OK(doca_pe_clear_notification(other.pe, handle));
	EXPECT_TRUE(BED_UNTIL(&other, other.succeeded == 1));
	doca_ctx_stop(other.ctx);
	ASSERT_OK(bed_destroy(&other));
	importer_close(&importer);
	bury(self->shared, pid);
}

/* Numbers of descriptors that a process may still open. */
static void allow_files(rlim_t nr)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = nr;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int run_without_files(struct shared *shared)
{
	struct exporter self;
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (exporter_open(&self, shared))
		return 1;
	store(&shared->ready, 1);
	for (;;) {
		allow_files(load(&shared->left) ? 3 : limit.rlim_cur);
		store(&shared->right, load(&shared->left));
		usleep(1000);
	}
}

static void leave_without_files(struct shared *shared, int yes)
{
	double end = bed_now() + 20;

	store(&shared->left, yes);
	while (load(&shared->right) != yes && bed_now() < end)
		usleep(100);
}

static double cpu_time(pid_t pid)
{
	struct timespec ts;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &ts))
		return 0;
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

/* The thread of a connection ends without opening any. */
TEST_F(ends, of_an_importer_whose_exporter_has_no_descriptor)
{
	pid_t pid = victim(self->shared, run_without_files);
	struct desc desc = desc_read(&self->shared->desc);
	struct importer importer;
	int status;

	ASSERT_EQ(0, importer_open(&importer));
	ASSERT_OK(importer_import(&importer, &desc, &importer.imported));
	leave_without_files(self->shared, 1);
	importer_close(&importer);
	usleep(patiently(200) * 1000);
	EXPECT_EQ(0, waitpid(pid, &status, WNOHANG));
	bury(self->shared, pid);
}

/* Nor is a connection asked for all the time; the others go on. */
TEST_F(ends, of_descriptors)
{
	pid_t pid = victim(self->shared, run_without_files);
	struct desc desc = desc_read(&self->shared->desc);
	struct importer first, second;
	double before, end;
	doca_error_t rc;

	ASSERT_EQ(0, importer_open(&first));
	ASSERT_OK(importer_import(&first, &desc, &first.imported));
	leave_without_files(self->shared, 1);
	pid_t other = quiet_fork();
	if (!other) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(importer_open(&second) ||
		      importer_import(&second, &desc, &second.imported) !=
			      DOCA_ERROR_TIME_OUT);
	}
	usleep(patiently(100) * 1000);
	before = cpu_time(pid);
	usleep(500000);
	EXPECT_LT(cpu_time(pid) - before, 0.2);
	ASSERT_OK(bed_copy(&first.bed, first.imported, desc.addr, first.local,
			   first.mem, LEN));
	EXPECT_TRUE(BED_UNTIL(&first.bed, first.bed.succeeded == 1));
	EXPECT_EQ(0, bed_wait(other));
	leave_without_files(self->shared, 0);
	other = quiet_fork();
	if (!other) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		end = bed_now() + patiently(5);
		rc = importer_open(&second);
		do
			rc = rc ?: importer_import(&second, &desc,
						   &second.imported);
		while (rc == DOCA_ERROR_TIME_OUT && bed_now() < end);
		_exit(!!rc);
	}
	EXPECT_EQ(0, bed_wait(other));
	importer_close(&first);
	bury(self->shared, pid);
}

/* The areas of a connection take three; what is missing is not the exporter's release. */
static int import_without_files(struct shared *shared)
{
	struct desc desc = desc_read(&shared->desc);
	struct doca_mmap *imported;
	struct importer importer;
	doca_error_t rc = DOCA_ERROR_DRIVER;
	int room = dup(0), nr;

	close(room);
	if (importer_open(&importer))
		return 1;
	/* The thread and the connection have some as well. */
	for (nr = 0; rc == DOCA_ERROR_DRIVER && nr < 20; nr++) {
		allow_files(room + nr);
		rc = importer_import(&importer, &desc, &imported);
	}
	return rc ? 100 + rc : nr < 3;
}

TEST_F(ends, of_descriptors_in_the_importer)
{
	pid_t pid = victim(self->shared, run_exporter), other;

	other = quiet_fork();
	if (!other) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(import_without_files(self->shared));
	}
	EXPECT_EQ(0, bed_wait(other));
	bury(self->shared, pid);
}

/* One of which the close takes until the other end, which does not, has read all. */
static int lingering(void)
{
	const struct linger linger = { .l_onoff = 1, .l_linger = 3600 };
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t len = sizeof(address);
	static char bytes[65536];

	if (bind(listener, (void *)&address, len) || listen(listener, 1) ||
	    getsockname(listener, (void *)&address, &len) ||
	    connect(fd, (void *)&address, len) ||
	    setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)))
		return -1;
	while (send(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
		;
	return fd;
}

static int send_fd(int to, int fd)
{
	char control[CMSG_SPACE(sizeof(fd))] = {}, bytes[MSG] = {};
	struct iovec iov = { bytes, sizeof(bytes) };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	return sendmsg(to, &msg, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* Of Linux 6.16. */
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

/* They would be closed here, and could be such as take an hour for that. */
TEST_F(ends, of_descriptors_that_nobody_asked_for)
{
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	int fd = dial(desc.bytes), slow = lingering(), yes = 1;
	struct importer importer;

	ASSERT_LE(0, fd);
	ASSERT_LE(0, slow);
	if (setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &yes, sizeof(yes)))
		SKIP(return, "the kernel cannot refuse them");
	stop(pid);
	if (!send_fd(fd, slow))
		close(slow);
	kill(pid, SIGCONT);
	ASSERT_EQ(0, importer_open(&importer));
	EXPECT_OK(importer_import(&importer, &desc, &importer.imported));
	importer_close(&importer);
	bury(self->shared, pid);
}

/* Each of them is asked for, and needs no place when it is not found. */
TEST_F(ends, of_exporters_that_are_not_there)
{
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	struct importer importer;
	cpu_set_t one;
	size_t at;
	int bit;

	/* So that the service thread seldom comes between. */
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	ASSERT_EQ(0, importer_open(&importer));
	for (at = 0; at < desc.len; at++) {
		for (bit = 1; bit < 256; bit *= 2) {
			desc.bytes[at] ^= bit;
			EXPECT_NE(DOCA_ERROR_NO_MEMORY,
				  importer_import(&importer, &desc,
						  &importer.imported));
			desc.bytes[at] ^= bit;
		}
	}
	ASSERT_OK(importer_import(&importer, &desc, &importer.imported));
	importer_close(&importer);
	bury(self->shared, pid);
}

TEST_HARNESS_MAIN
