// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Steps on files, on the ids of a process, and on its environment. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../uapi/doca_nl.h"
#include "calls.h"
#include "language.h"

#define NOBODY 65534

void do_open(const uint8_t *a)
{
	int fd = open(DOCA_NODE, (a[0] & 3 ? a[0] & 3 : O_RDWR) | O_CLOEXEC);

	if (fd >= 0)
		recent_add(&self.files, fd);
}

void do_close(const uint8_t *a)
{
	close(take_recent(&self.files, a[0]));
}

/* Take a file, or a queue. */
static int take_fd(uint8_t byte)
{
	if (byte & 1)
		return take_ring(byte >> 1)->fd;
	return take_recent(&self.files, byte >> 1);
}

void do_dup(const uint8_t *a)
{
	int fd = dup(take_fd(a[0]));

	if (fd >= 0)
		recent_add(&self.files, fd);
}

union rights {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

void do_send(const uint8_t *a)
{
	union rights rights = {};
	struct iovec iov = { .iov_base = (char[]){ 0 }, .iov_len = 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1,
			      .msg_control = &rights,
			      .msg_controllen = sizeof(rights) };
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
	int fd = take_fd(a[0]);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	sendmsg(common->sockets[0], &msg, MSG_DONTWAIT);
}

/* It may be a queue: then files are what no caller would expect. */
void do_receive(const uint8_t *a)
{
	union rights rights = {};
	char byte;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1,
			      .msg_control = &rights,
			      .msg_controllen = sizeof(rights) };
	int fd;

	(void)a;
	if (recvmsg(common->sockets[1], &msg, MSG_DONTWAIT) < 0 ||
	    !CMSG_FIRSTHDR(&msg))
		return;
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	recent_add(&self.files, fd);
	recent_add(&self.dmabufs, fd);
}

/* Make a call with any number and any argument. */
void do_raw(const uint8_t *a)
{
	uint64_t arg[16] = { a[4] ? take_number(a[4]) : 64 };
	unsigned long cmd = _IO(DOCA_IOCTL_TYPE, DOCA_CMD_BASE + a[2] % 80);
	int i;

	for (i = 5; i < 14; i++)
		arg[i - 4] = take_number(a[i]);
	if (a[3])
		cmd ^= 1UL << a[3] % 32;
	call_driver(take_fd(a[0]), cmd, arg, sizeof(arg), a[TWIST]);
}

void do_fdinfo(const uint8_t *a)
{
	fdinfo_value(take_fd(a[0]), "nothing");
}

/* Make a request of netlink, mostly a listing. */
void do_list(const uint8_t *a)
{
	struct family nl = { .sock = nl_socket_alloc(), .family = common->family };
	uint64_t value = a[4] < 0x80 ? take_recent(&common->devices, a[4]) :
				       take_number(a[4]);

	if (nl.sock && !genl_connect(nl.sock)) {
		nl_socket_set_nonblocking(nl.sock);
		family_send_request(&nl, a[0] % (DOCA_GENL_CMD_MAX + 2),
				    a[1] ? take_number(a[1]) & 0xffff : NLM_F_DUMP,
				    a[2] % (DOCA_GENL_A_MAX + 2), &value, a[3] % 9);
		nl_recvmsgs_default(nl.sock);
	}
	nl_socket_free(nl.sock);
}

/* Some of these cannot be undone. */
void do_become(const uint8_t *a)
{
	switch (a[0] % 5) {
	case 0:
		drop_capability(CAP_IPC_LOCK);
		break;
	case 1:
		drop_capability(CAP_SYS_PTRACE);
		break;
	case 2:
		if (setresuid(NOBODY, NOBODY, NOBODY))
			break;
		break;
	case 3:
		unshare(CLONE_NEWUSER);
		break;
	case 4:
		unshare(CLONE_NEWNET);
		break;
	}
}

void do_limit(const uint8_t *a)
{
	struct rlimit limit = { .rlim_cur = take_length(a[0]) };

	limit.rlim_max = limit.rlim_cur;
	setrlimit(a[1] & 1 ? RLIMIT_NOFILE : RLIMIT_MEMLOCK, &limit);
}

void do_fail(const uint8_t *a)
{
	self.fail_nth = a[0] + 1;
}

void do_pause(const uint8_t *a)
{
	if (a[0])
		pause_us(a[0] * 8);
	else
		sched_yield();
}

/* Run it in another process, so that the code it runs is recorded. */
static void rdma(const char *const *words)
{
	pid_t pid = fork();

	if (!pid) {
		unsigned int number = __atomic_fetch_add(&common->nr_tasks, 1,
							 __ATOMIC_RELAXED);

		if (on_task && number < TASKS)
			on_task(number);
		execvp(words[0], (char *const *)words);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

/* It takes much time, also from others: so it is granted only now and then. */
void do_unplug(const uint8_t *a)
{
	static const char *const words[] = { "rdma", "link", "delete", "rxe0", NULL };

	(void)a;
	if (!__atomic_load_n(&common->unplugs, __ATOMIC_RELAXED))
		return;
	__atomic_fetch_sub(&common->unplugs, 1, __ATOMIC_RELAXED);
	common->unplugged = true;
	rdma(words);
}

void do_plug(const uint8_t *a)
{
	static const char *const words[] = { "rdma", "link", "add", "rxe0", "type",
					     "rxe", "netdev", "eth0", NULL };

	(void)a;
	if (common->unplugged)
		rdma(words);
}
