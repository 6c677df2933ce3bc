// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Functions that programs of Onload get without onload(1), as their header says. */
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <onload/extensions.h>
#include <onload/extensions_zc.h>

#include "ktap.h"

/* The call returns -1, and errno says that there is no Onload. */
#define EXPECT_NO_SYS(call)               \
	do {                              \
		errno = 0;                \
		EXPECT_EQ(call, -1);      \
		EXPECT_EQ(errno, ENOSYS); \
	} while (0)

static char text[4] = "old";
static size_t len = 4;
static int64_t val = 4711;
static struct onload_stat stat = { .stack_id = 4711 };
static unsigned int spins = 4711;

TEST(what_changes_nothing_is_accepted)
{
	EXPECT_EQ(onload_is_present(), 0);
	/* The second call uses the result of the first. */
	EXPECT_EQ(onload_is_present(), 0);
	EXPECT_EQ(onload_set_stackname(ONLOAD_ALL_THREADS, ONLOAD_SCOPE_PROCESS, "stack"), 0);
	EXPECT_EQ(onload_stackname_save(), 0);
	EXPECT_EQ(onload_stackname_restore(), 0);
	EXPECT_EQ(onload_move_fd(0), 0);
	EXPECT_EQ(onload_stack_opt_set_int("EF_POLL_USEC", 1), 0);
	EXPECT_EQ(onload_stack_opt_set_str("EF_NAME", "new"), 0);
	EXPECT_EQ(onload_stack_opt_reset(), 0);
	EXPECT_EQ(onload_fd_stat(0, &stat), 0);
	EXPECT_EQ(stat.stack_id, 4711);
	EXPECT_EQ(onload_thread_set_spin(ONLOAD_SPIN_ALL, 1), 0);
	EXPECT_EQ(onload_thread_get_spin(&spins), 0);
	EXPECT_EQ(spins, 0);
	EXPECT_EQ(onload_thread_get_spin(NULL), -EINVAL);
}

TEST(calls_in_place_of_system_calls_set_errno)
{
	struct onload_ordered_epoll_event ordered;
	struct onload_delegated_send send;
	struct onload_tcp_info info;
	struct epoll_event event;
	int size = sizeof(info);

	EXPECT_NO_SYS(onload_ordered_epoll_wait(0, &event, &ordered, 1, 0));
	EXPECT_EQ(onload_delegated_send_prepare(0, 1, 0, &send),
		  ONLOAD_DELEGATED_SEND_RC_BAD_SOCKET);
	EXPECT_NO_SYS(onload_delegated_send_complete(0, NULL, 0, 0));
	EXPECT_NO_SYS(onload_delegated_send_cancel(0));
	EXPECT_NO_SYS(onload_get_tcp_info(0, &info, &size));
	EXPECT_NO_SYS(onload_socket_nonaccel(AF_INET, SOCK_DGRAM, 0));
	EXPECT_NO_SYS(onload_socket_unicast_nonaccel(AF_INET, SOCK_DGRAM, 0));
}

TEST(the_others_return_enosys)
{
	onload_zc_handle buf = ONLOAD_ZC_HANDLE_NONZC;
	struct onload_zc_iovec iov = { .iov_len = 1 };
	struct onload_zc_recv_args args = {};
	onload_template_handle template;
	struct onload_zc_mmsg msg = {};
	struct msghdr hdr = {};

	EXPECT_EQ(onload_stack_opt_get_int("EF_POLL_USEC", &val), -ENOSYS);
	EXPECT_EQ(val, 4711);
	EXPECT_EQ(onload_stack_opt_get_str("EF_NAME", text, &len), -ENOSYS);
	EXPECT_STR(text, "old");
	EXPECT_EQ(len, 4);
	EXPECT_EQ(onload_fd_check_feature(0, ONLOAD_FD_FEAT_MSG_WARM), -ENOSYS);
	EXPECT_EQ(onload_timestamping_request(0, 0), -ENOSYS);
	EXPECT_EQ(onload_zc_recv(0, &args), -ENOSYS);
	EXPECT_EQ(onload_recvmsg_kernel(0, &hdr, 0), -ENOSYS);
	EXPECT_EQ(onload_set_recv_filter(0, NULL, NULL, 0), -ENOSYS);
	EXPECT_EQ(onload_zc_alloc_buffers(0, &iov, 1, 0), -ENOSYS);
	EXPECT_EQ(onload_zc_release_buffers(0, &buf, 1), -ENOSYS);
	EXPECT_EQ(onload_zc_buffer_incref(0, buf), -ENOSYS);
	EXPECT_EQ(onload_zc_buffer_decref(0, buf), -ENOSYS);
	EXPECT_EQ(onload_zc_send(&msg, 1, 0), -ENOSYS);
	EXPECT_EQ(onload_msg_template_alloc(0, NULL, 0, &template, 0), -ENOSYS);
	EXPECT_EQ(onload_msg_template_update(0, 0, NULL, 0, 0), -ENOSYS);
	EXPECT_EQ(onload_msg_template_abort(0, 0), -ENOSYS);
}
