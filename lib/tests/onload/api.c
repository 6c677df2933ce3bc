// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Filters, questions about stacks, unsupported functions, and statistics. */
#include <sys/epoll.h>

#include "../../onload/onload/base/stats.h"
#include "bed.h"

static struct {
	unsigned int calls;
	size_t len;
	char data[16];
	int rc;
} filtered;

static enum onload_zc_callback_rc filter(struct onload_zc_msg *msg, void *arg, int flags)
{
	EXPECT(arg == &filtered);
	EXPECT_EQ(flags, 0);
	filtered.calls++;
	filtered.len = 0;
	for (size_t i = 0; i < msg->msghdr.msg_iovlen; i++) {
		memcpy(filtered.data + filtered.len, msg->iov[i].iov_base, msg->iov[i].iov_len);
		filtered.len += msg->iov[i].iov_len;
	}
	filtered.data[filtered.len] = '\0';
	errno = 4712;
	return filtered.rc;
}

static struct pair filter_pair;

/* The filter has seen everything that recv() and its likes return. */
static void expect_filtered(ssize_t ret, const char *text)
{
	EXPECT_EQ(ret, strlen(text));
	EXPECT_STR(filtered.data, text);
	filtered.data[0] = '\0';
}

TEST(a_filter_sees_what_is_received)
{
	char a[4], b[4], buf[8];
	struct iovec iov[] = { { a, 4 }, { b, 4 } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };
	struct mmsghdr msgs[2] = { { msg, 0 }, { msg, 0 } };
	struct pair *p = &filter_pair;

	*p = pair();
	EXPECT_EQ(onload_set_recv_filter(p->rx, filter, &filtered, 1), -EINVAL);
	EXPECT_EQ(onload_set_recv_filter(p->rx, filter, &filtered, 0), 0);
	errno = 4711;
	say(p, "recv", 4);
	EXPECT_EQ(recv(p->rx, buf, 8, MSG_PEEK), 4);
	EXPECT_EQ(filtered.calls, 0);
	expect_filtered(recv(p->rx, buf, 8, 0), "recv");
	say(p, "recvfrom", 8);
	expect_filtered(recvfrom(p->rx, buf, 8, 0, NULL, NULL), "recvfrom");
	say(p, "recvmsg", 7);
	expect_filtered(recvmsg(p->rx, &msg, 0), "recvmsg");
	say(p, "read", 4);
	expect_filtered(read(p->rx, buf, 8), "read");
	say(p, "readv", 5);
	expect_filtered(readv(p->rx, iov, 2), "readv");
	/* The filter sees no more than there was room for, whatever the result. */
	say(p, "0123456789", 10);
	EXPECT_EQ(recv(p->rx, buf, 8, MSG_TRUNC), 10);
	EXPECT_STR(filtered.data, "01234567");
	EXPECT_EQ(filtered.calls, 6);
	say(p, "one", 3);
	say(p, "two", 3);
	EXPECT_EQ(recvmmsg(p->rx, msgs, 2, 0, NULL), 2);
	EXPECT_EQ(filtered.calls, 8);
	EXPECT_EQ(errno, 4711);
}

static void receive_filtered(void)
{
	char buf[8];

	filtered.rc = ONLOAD_ZC_TERMINATE;
	for (int i = 0; i < 2; i++) {
		say(&filter_pair, "x", 1);
		expect_filtered(recv(filter_pair.rx, buf, 8, 0), "x");
	}
}

TEST(a_filter_that_returns_something_else_is_told_once)
{
	EXPECT_STR(
		lines_of(receive_filtered),
		"onload: a filter returned something else than ONLOAD_ZC_CONTINUE; the datagram is delivered\n");
	EXPECT_STR(lines_of(receive_filtered), "");
}

TEST(a_filter_goes_with_its_socket)
{
	int old = filter_pair.rx;
	struct pair p;
	char buf[8];

	end(&filter_pair);
	filtered.calls = 0;
	p = pair();
	EXPECT_EQ(p.rx, old);
	say(&p, "x", 1);
	EXPECT_EQ(recv(p.rx, buf, 8, 0), 1);
	EXPECT_EQ(filtered.calls, 0);
	EXPECT_EQ(onload_set_recv_filter(p.rx, filter, &filtered, 0), 0);
	EXPECT_EQ(onload_set_recv_filter(p.rx, NULL, NULL, 0), 0);
	say(&p, "x", 1);
	EXPECT_EQ(recv(p.rx, buf, 8, 0), 1);
	EXPECT_EQ(filtered.calls, 0);
	end(&p);
}

TEST(names_of_stacks)
{
	const char *longest = "0123456789abcde";

	EXPECT_EQ(onload_set_stackname(ONLOAD_THIS_THREAD, ONLOAD_SCOPE_THREAD, longest), 0);
	EXPECT_EQ(onload_set_stackname(ONLOAD_ALL_THREADS, ONLOAD_SCOPE_GLOBAL,
				       ONLOAD_DONT_ACCELERATE),
		  0);
	EXPECT_EQ(onload_set_stackname(ONLOAD_ALL_THREADS, ONLOAD_SCOPE_GLOBAL, "0123456789abcdef"),
		  -1);
	EXPECT_EQ(errno, ENAMETOOLONG);
	EXPECT_EQ(onload_set_stackname(2, ONLOAD_SCOPE_GLOBAL, "x"), -1);
	EXPECT_EQ(errno, EINVAL);
	errno = 0;
	EXPECT_EQ(onload_set_stackname(ONLOAD_ALL_THREADS, 5, "x"), -1);
	EXPECT_EQ(errno, EINVAL);
	EXPECT_EQ(onload_stackname_save(), 0);
	EXPECT_EQ(onload_stackname_restore(), 0);
}

TEST(options_are_kept)
{
	char text[8], name[] = "EF_00", too_long[80] = "EF_";
	int64_t number = 0;
	size_t len = 2;

	memset(too_long + 3, 'x', 70);
	EXPECT_EQ(onload_stack_opt_set_int("EF_POLL_USEC", 1000), 0);
	EXPECT_EQ(onload_stack_opt_get_int("EF_POLL_USEC", &number), 0);
	EXPECT_EQ(number, 1000);
	EXPECT_EQ(onload_stack_opt_get_str("EF_POLL_USEC", text, &len), -EINVAL);
	EXPECT_EQ(onload_stack_opt_set_str("EF_NAME", "text"), 0);
	EXPECT_EQ(onload_stack_opt_get_str("EF_NAME", text, &len), -ENOSPC);
	EXPECT_EQ(len, 5);
	EXPECT_EQ(onload_stack_opt_get_str("EF_NAME", text, &len), 0);
	EXPECT_STR(text, "text");
	EXPECT_EQ(onload_stack_opt_get_int("EF_NAME", &number), -EINVAL);
	EXPECT_EQ(onload_stack_opt_get_int("EF_OTHER", &number), -EINVAL);
	EXPECT_EQ(onload_stack_opt_get_int("EF_NAME", NULL), -EINVAL);
	EXPECT_EQ(onload_stack_opt_get_str("EF_NAME", NULL, &len), -EINVAL);
	EXPECT_EQ(onload_stack_opt_set_int("OTHER", 1), -EINVAL);
	EXPECT_EQ(onload_stack_opt_set_int(too_long, 1), -EINVAL);
	EXPECT_EQ(onload_stack_opt_set_int(NULL, 1), -EINVAL);
	EXPECT_EQ(onload_stack_opt_set_str("EF_NAME", NULL), -EINVAL);
	EXPECT_EQ(onload_stack_opt_set_str("EF_NAME", too_long), -EINVAL);
	for (int i = 0; i < 62; i++) {
		name[3] = '0' + i / 10;
		name[4] = '0' + i % 10;
		EXPECT_EQ(onload_stack_opt_set_int(name, i), 0);
	}
	EXPECT_EQ(onload_stack_opt_set_int("EF_65TH", 1), -ENOMEM);
	EXPECT_EQ(onload_stack_opt_set_str("EF_65TH", ""), -ENOMEM);
	EXPECT_EQ(onload_stack_opt_set_int("EF_NAME", 1), 0);
	EXPECT_EQ(onload_stack_opt_reset(), 0);
	EXPECT_EQ(onload_stack_opt_get_int("EF_NAME", &number), -EINVAL);
}

TEST(what_a_file_descriptor_is)
{
	struct onload_stat stat = {};
	struct pair p = pair();
	int fd;

	EXPECT_EQ(onload_fd_stat(p.rx, &stat), 1);
	EXPECT_STR(stat.stack_name, "kernel");
	EXPECT_EQ(stat.stack_id, getpid());
	EXPECT_EQ(stat.endpoint_id, p.rx);
	free(stat.stack_name);
	EXPECT_EQ(onload_fd_stat(p.rx, NULL), 0);
	EXPECT_EQ(onload_move_fd(p.rx), 0);
	EXPECT_EQ(onload_move_fd(-1), -1);
	EXPECT_EQ(errno, EBADF);
	EXPECT_EQ(onload_fd_check_feature(p.rx, ONLOAD_FD_FEAT_MSG_WARM), 0);
	EXPECT_EQ(onload_fd_check_feature(p.rx, 77), -EOPNOTSUPP);
	fd = onload_socket_nonaccel(AF_INET, SOCK_DGRAM, 0);
	EXPECT_EQ(onload_fd_stat(fd, &stat), 1);
	free(stat.stack_name);
	close(fd);
	fd = onload_socket_unicast_nonaccel(AF_INET, SOCK_STREAM, 0);
	EXPECT_EQ(onload_fd_stat(fd, &stat), 0);
	close(fd);
	EXPECT_EQ(onload_socket_nonaccel(-1, SOCK_DGRAM, 0), -1);
	EXPECT_EQ(errno, EAFNOSUPPORT);
	end(&p);
}

TEST(threads_spin_if_they_are_told)
{
	unsigned int state = 1;

	EXPECT_EQ(onload_thread_get_spin(&state), 0);
	EXPECT_EQ(state, 0);
	EXPECT_EQ(onload_thread_set_spin(ONLOAD_SPIN_UDP_RECV, 1), 0);
	EXPECT_EQ(onload_thread_get_spin(&state), 0);
	EXPECT_EQ(state, 1 << ONLOAD_SPIN_UDP_RECV);
	EXPECT_EQ(onload_thread_set_spin(ONLOAD_SPIN_ALL, 0), 0);
	EXPECT_EQ(onload_thread_get_spin(&state), 0);
	EXPECT_EQ(state, 0);
	EXPECT_EQ(onload_thread_set_spin(ONLOAD_SPIN_MAX, 1), -EINVAL);
	EXPECT_EQ(onload_thread_set_spin(-1, 1), -EINVAL);
	EXPECT_EQ(onload_thread_get_spin(NULL), -EINVAL);
}

#define EXPECT_NOT_SUPPORTED(call)            \
	do {                                  \
		errno = 0;                    \
		EXPECT_EQ(call, -1);          \
		EXPECT_EQ(errno, EOPNOTSUPP); \
	} while (0)

static void call_what_is_not_supported(void)
{
	struct onload_zc_mmsg msgs[2] = {};

	EXPECT_EQ(onload_zc_send(NULL, 1, 0), -EINVAL);
	EXPECT_EQ(onload_zc_send(msgs, -1, 0), -EINVAL);
	EXPECT_EQ(onload_zc_send(msgs, 2, 0), 2);
	EXPECT_EQ(msgs[0].rc, -EOPNOTSUPP);
	EXPECT_EQ(msgs[1].rc, -EOPNOTSUPP);
	EXPECT_EQ(onload_zc_buffer_incref(0, NULL), -EOPNOTSUPP);
	EXPECT_EQ(onload_zc_buffer_decref(0, NULL), -EOPNOTSUPP);
	EXPECT_EQ(onload_msg_template_alloc(0, NULL, 0, NULL, 0), -EOPNOTSUPP);
	EXPECT_EQ(onload_msg_template_update(0, NULL, NULL, 0, 0), -EOPNOTSUPP);
	EXPECT_EQ(onload_msg_template_abort(0, NULL), -EOPNOTSUPP);
	EXPECT_EQ(onload_timestamping_request(0, 8), -EINVAL);
	EXPECT_EQ(onload_timestamping_request(0, 7), -EOPNOTSUPP);
	EXPECT_EQ(onload_delegated_send_prepare(0, 0, 0, NULL),
		  ONLOAD_DELEGATED_SEND_RC_BAD_SOCKET);
	EXPECT_NOT_SUPPORTED(onload_ordered_epoll_wait(0, NULL, NULL, 0, 0));
	EXPECT_NOT_SUPPORTED(onload_delegated_send_complete(0, NULL, 0, 0));
	EXPECT_NOT_SUPPORTED(onload_delegated_send_cancel(0));
	EXPECT_NOT_SUPPORTED(onload_get_tcp_info(0, NULL, NULL));
}

TEST(what_is_not_supported_is_told_once)
{
	const char *text = lines_of(call_what_is_not_supported);
	unsigned int lines = 0;

	EXPECT(strstr(text, "onload: onload_zc_send() is not supported; use sendmsg()\n"));
	EXPECT(strstr(text, "onload_get_tcp_info() is not supported"));
	for (; *text; text++)
		lines += *text == '\n';
	EXPECT_EQ(lines, 12);
	EXPECT_STR(lines_of(call_what_is_not_supported), "");
}

/* Find the memfd like doca_zc(1). */
static struct stats *find_stats(void)
{
	char path[64], name[64];
	struct stats *stats;
	ssize_t len;

	for (int fd = 0; fd < 64; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		len = readlink(path, name, sizeof(name) - 1);
		name[len < 0 ? 0 : len] = '\0';
		if (strcmp(name, "/memfd:doca_zc (deleted)"))
			continue;
		stats = mmap(NULL, sizeof(*stats), PROT_READ, MAP_SHARED, fd, 0);
		return stats == MAP_FAILED ? NULL : stats;
	}
	return NULL;
}

static struct stats_socket stats_of(const struct stats *stats, int fd)
{
	for (int i = 0; i < STATS_SOCKETS; i++)
		if (stats->sockets[i].cookie && stats->sockets[i].fd == fd)
			return stats->sockets[i];
	return (struct stats_socket){ .fd = -1 };
}

TEST(others_see_what_was_received)
{
	struct pair p = pair();
	static struct notes n = { .rc = ONLOAD_ZC_KEEP };
	struct onload_zc_iovec iov[LIMIT];
	const struct stats *stats;
	struct stats_socket s;
	onload_zc_handle bufs[LIMIT];

	say(&p, "abc", 3);
	EXPECT_EQ(zc_recv(p.rx, &n, 0), -ENOTEMPTY);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	stats = find_stats();
	ASSERT(stats);
	EXPECT_EQ(stats->magic, STATS_MAGIC);
	EXPECT_EQ(stats->pid, getpid());
	EXPECT_EQ(stats->buffers, LIMIT);
	EXPECT_EQ(stats->kept, 1);
	EXPECT_EQ(onload_zc_alloc_buffers(p.rx, iov, LIMIT - 1, 0), 0);
	say(&p, "abc", 3);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -ENOBUFS);
	s = stats_of(stats, p.rx);
	EXPECT_STR(s.path, "kernel");
	EXPECT(*s.reason);
	EXPECT_EQ(s.past, 0);
	EXPECT_EQ(s.datagrams, 1);
	EXPECT_EQ(s.bytes, 3);
	EXPECT_EQ(s.no_buffer, 1);
	EXPECT_EQ(s.not_inline, 1);
	for (int i = 0; i < LIMIT - 1; i++)
		bufs[i] = iov[i].buf;
	bufs[LIMIT - 1] = n.first;
	EXPECT_EQ(onload_zc_release_buffers(p.rx, bufs, LIMIT), 0);
	EXPECT_EQ(stats->kept, 0);
	munmap((void *)stats, sizeof(*stats));
	end(&p);
}

/* The environment is read once, so ask in a child. */
static void ask_child(void)
{
	struct onload_stat stat;
	pid_t pid = fork();

	if (pid) {
		waitpid(pid, NULL, 0);
		return;
	}
	setenv("DOCA_ZC", "other", 1);
	if (!onload_fd_stat(pair().rx, &stat) || strcmp(stat.stack_name, "kernel"))
		fprintf(stderr, "no UDP socket\n");
	_exit(0);
}

TEST(a_path_that_is_none)
{
	EXPECT_STR(
		lines_of(ask_child),
		"onload: DOCA_ZC is none of auto, xdp and kernel; datagrams come through the kernel\n");
}
