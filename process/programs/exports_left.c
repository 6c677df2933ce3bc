// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Things that a process leaves behind in the other one, or takes from it: late answers,
 * waits that have not begun, pieces that nobody wants any more, a thread.
 */
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>

#include "dial.h"
#include "pair.h"

/* The number of slots of an exporter; a step takes four of them. */
#define SLOTS 32
#define STEP (4 * 65536)

/* The importer has given the import up; its place is free again. */
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
	for (i = 0; i < 1023; i++)
		ASSERT_TRUE(AWAIT(!importer_import(&importer, &desc, &more[i])));
	for (i = 0; i < 1023; i++)
		ASSERT_OK(doca_mmap_destroy(more[i]));
	importer_close(&importer);
	bury(self->shared, pid);
}

/*
 * Use all places until the context is stopped, then start it again. The first round trip
 * gives a slow exporter time to see which waits have ended; each try takes the places that
 * are free.
 */
static bool wait_and_stop(struct importer *self)
{
	bool good = importer_waits_have_begun(self);
	int i;

	self->waits_failed = 0;
	for (i = 0; i < WAITS; i++)
		good &= !importer_wait(self, 100);
	good &= importer_waits_have_begun(self) && !self->waits_failed;
	doca_ctx_stop(self->ctx);
	return BED_UNTIL(&self->bed, is_idle(self->ctx)) && !doca_ctx_start(self->ctx) && good;
}

/* All places are free again as soon as the exporter knows that the waits have ended. */
TEST_F(ends, of_waits_that_have_begun)
{
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	struct importer importer;

	ASSERT_EQ(0, importer_open(&importer));
	ASSERT_EQ(0, importer_watch(&importer, &desc, WAITS));
	EXPECT_TRUE(wait_and_stop(&importer));
	EXPECT_TRUE(AWAIT(wait_and_stop(&importer)));
	importer_close(&importer);
	bury(self->shared, pid);
}

TEST_F(ends, of_waits_that_have_not_begun)
{
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	struct importer importer;
	int i;

	ASSERT_EQ(0, importer_open(&importer));
	ASSERT_EQ(0, importer_watch(&importer, &desc, WAITS));
	stop(pid);
	ASSERT_OK(importer_wait(&importer, 100));
	for (i = 0; i < 10000; i++)
		doca_pe_progress(importer.bed.pe);
	EXPECT_EQ(0, importer.waits_failed);
	doca_ctx_stop(importer.ctx);
	EXPECT_TRUE(BED_UNTIL(&importer.bed, is_idle(importer.ctx)));
	ASSERT_OK(doca_ctx_start(importer.ctx));
	kill(pid, SIGCONT);
	EXPECT_TRUE(AWAIT(wait_and_stop(&importer)));
	importer_close(&importer);
	bury(self->shared, pid);
}

/*
 * A program that waits for a piece is woken when one is free. The exporter's writes are
 * visible before the answers, which are not read.
 */
TEST_F(ends, of_copies_that_have_all_pieces)
{
	char *theirs = self->shared->mem = map(LEN);
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	doca_event_handle_t handle;
	struct importer importer;
	struct pollfd pfd;
	struct bed other;
	int i;

	ASSERT_EQ(0, importer_open(&importer));
	ASSERT_OK(importer_import(&importer, &desc, &importer.imported));
	ASSERT_OK(bed_create(&other, importer.dev, NULL));
	ASSERT_OK(doca_ctx_start(other.ctx));
	ASSERT_OK(doca_pe_get_notification_handle(other.pe, &handle));
	memset(importer.mem, 1, STEP);
	stop(pid);
	for (i = 0; i < SLOTS / 4; i++)
		ASSERT_OK(bed_copy(&importer.bed, importer.local, importer.mem, importer.imported,
				   theirs + i * (LEN - STEP) / 8, STEP));
	ASSERT_OK(bed_copy(&other, importer.imported, desc.addr, importer.local,
			   importer.mem + STEP, 64));
	kill(pid, SIGCONT);
	i = (SLOTS / 4 - 1) * ((LEN - STEP) / 8) + STEP;
	EXPECT_TRUE(AWAIT_BY(doca_pe_progress(other.pe), ((volatile char *)theirs)[i - 1]));
	for (i = 0; i < 10000; i++)
		doca_pe_progress(other.pe);
	ASSERT_OK(doca_pe_request_notification(other.pe));
	doca_ctx_stop(importer.bed.ctx);
	EXPECT_TRUE(BED_UNTIL(&importer.bed, importer.bed.to_idle));
	pfd = (struct pollfd){ .fd = handle, .events = POLLIN };
	if (!other.succeeded)
		EXPECT_EQ(1, poll(&pfd, 1, patiently(25) * 1000));
	ASSERT_OK(doca_pe_clear_notification(other.pe, handle));
	EXPECT_TRUE(BED_UNTIL(&other, other.succeeded == 1));
	doca_ctx_stop(other.ctx);
	ASSERT_OK(bed_destroy(&other));
	importer_close(&importer);
	bury(self->shared, pid);
}

/* Limit the numbers of descriptors that the process may still open. */
static void allow_files(rlim_t nr)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = nr;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Lack descriptors as long as the test says so. */
static int run_without_files(struct shared *shared)
{
	struct exporter self;
	struct rlimit limit;
	int without = 0;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (exporter_open(&self, shared))
		return 1;
	store(&shared->ready, 1);
	for (;;) {
		without = load_other(&shared->left, without);
		allow_files(without ? 3 : limit.rlim_cur);
		store(&shared->right, without);
	}
}

static bool leave_without_files(struct shared *shared, int yes)
{
	store(&shared->left, yes);
	return AWAIT(load(&shared->right) == yes);
}

/* The thread of a connection ends without opening a descriptor. */
TEST_F(ends, of_an_importer_whose_exporter_has_no_descriptor)
{
	pid_t pid = victim(self->shared, run_without_files);
	struct desc desc = desc_read(&self->shared->desc);
	int sockets = nr_fds_of(pid, "socket:");
	struct importer importer;

	ASSERT_EQ(0, importer_open(&importer));
	ASSERT_OK(importer_import(&importer, &desc, &importer.imported));
	EXPECT_EQ(sockets + 1, nr_fds_of(pid, "socket:"));
	ASSERT_TRUE(leave_without_files(self->shared, 1));
	importer_close(&importer);
	EXPECT_EQ(sockets, SETTLES(sockets, nr_fds_of(pid, "socket:")));
	EXPECT_EQ(0, waitpid(pid, NULL, WNOHANG));
	bury(self->shared, pid);
}

/* Import in a process of its own, repeatedly if patient. Return the result. */
static int import_again(struct shared *shared, bool patient)
{
	struct desc desc = desc_read(&shared->desc);
	struct importer self;
	pid_t pid = quiet_fork();
	doca_error_t rc;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (importer_open(&self))
		_exit(99);
	rc = importer_import(&self, &desc, &self.imported);
	if (patient && rc == DOCA_ERROR_TIME_OUT)
		AWAIT(!(rc = importer_import(&self, &desc, &self.imported)));
	_exit(rc);
}

/* Return true if they sleep often enough in a row to exclude chance. */
static bool threads_sleep(pid_t pid)
{
	int looks = 0;

	while (looks < 50 && threads_of_sleep(pid)) {
		looks++;
		usleep(1000);
	}
	return looks == 50;
}

/* The exporter does not retry all the time, and others are still served. */
TEST_F(ends, of_descriptors)
{
	pid_t pid = victim(self->shared, run_without_files), other;
	struct desc desc = desc_read(&self->shared->desc);
	struct importer first;

	ASSERT_EQ(0, importer_open(&first));
	ASSERT_OK(importer_import(&first, &desc, &first.imported));
	ASSERT_TRUE(leave_without_files(self->shared, 1));
	other = import_again(self->shared, false);
	EXPECT_EQ(DOCA_ERROR_TIME_OUT, bed_wait(other));
	/* The connection is still pending. */
	EXPECT_TRUE(AWAIT(threads_sleep(pid)));
	ASSERT_OK(bed_copy(&first.bed, first.imported, desc.addr, first.local, first.mem, LEN));
	EXPECT_TRUE(BED_UNTIL(&first.bed, first.bed.succeeded == 1));
	ASSERT_TRUE(leave_without_files(self->shared, 0));
	other = import_again(self->shared, true);
	EXPECT_EQ(DOCA_SUCCESS, bed_wait(other));
	importer_close(&first);
	bury(self->shared, pid);
}

/*
 * A connection's areas take three descriptors. A lack of them is not an error of the
 * exporter's release.
 */
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
	/* The thread and the connection need some as well. */
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

/*
 * Make a descriptor whose close() waits until the other end, which does not read,
 * has read everything.
 */
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

/* Since Linux 6.16. */
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

/* They would be closed here, and closing one could take an hour. */
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

/* Each exporter is searched, and takes no place if it is not found. */
TEST_F(ends, of_exporters_that_are_not_there)
{
	pid_t pid = victim(self->shared, run_exporter);
	struct desc desc = desc_read(&self->shared->desc);
	struct importer importer;
	cpu_set_t one;
	size_t at;
	int bit;

	/* Share a CPU, so that the service thread seldom comes between. */
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

static int import_alone(void *arg)
{
	struct desc desc = desc_read(arg);
	struct importer importer;

	if (importer_open(&importer))
		return 1;
	return importer_import(&importer, &desc, &importer.imported) == DOCA_ERROR_NO_MEMORY ? 2 :
											       0;
}

/* The exporter sets the limit, and importers that have gone do not count. */
TEST_F(ends, of_as_many_importers_as_a_setting_allows)
{
	struct shared *shared = self->shared;
	struct importer importer;
	struct desc desc;
	pid_t pid;

	setenv("DOCA_IMPORTERS", "1", 1);
	pid = victim(shared, run_exporter);
	unsetenv("DOCA_IMPORTERS");
	desc = desc_read(&shared->desc);
	ASSERT_EQ(0, importer_open(&importer));
	ASSERT_OK(importer_import(&importer, &desc, &importer.imported));
	EXPECT_EQ(2, bed_in_child(import_alone, &shared->desc));
	importer_close(&importer);
	EXPECT_TRUE(AWAIT(bed_in_child(import_alone, &shared->desc) == 0));
	bury(shared, pid);
}

TEST_HARNESS_MAIN
