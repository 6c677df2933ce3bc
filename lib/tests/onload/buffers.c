// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Buffers: their owners and number; nobody gets one twice. */
#include "bed.h"

TEST(what_is_kept_is_released_once)
{
	struct pair p = pair();
	static struct notes n = { .rc = ONLOAD_ZC_KEEP };
	onload_zc_handle twice[2];

	say(&p, "kept", 4);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(nr_free(p.rx), LIMIT - 1);
	twice[0] = twice[1] = n.first;
	EXPECT_EQ(onload_zc_release_buffers(p.rx, twice, 2), -EINVAL);
	EXPECT_EQ(nr_free(p.rx), LIMIT - 1);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, twice, 1), 0);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, twice, 1), -EINVAL);
	EXPECT_EQ(nr_free(p.rx), LIMIT);
	/* This buffer returns with another handle. */
	say(&p, "kept", 4);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, twice, 1), -EINVAL);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, &n.first, 1), 0);
	end(&p);
}

TEST(handles_that_are_none)
{
	struct pair p = pair();
	onload_zc_handle bufs[] = { NULL, ONLOAD_ZC_HANDLE_NONZC, (void *)1, (void *)(1ul << 24),
				    (void *)&p };
	struct onload_zc_iovec iov;

	for (size_t i = 0; i < sizeof(bufs) / sizeof(bufs[0]); i++)
		EXPECT_EQ(onload_zc_release_buffers(p.rx, &bufs[i], 1), -EINVAL);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, NULL, 1), -EINVAL);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, bufs, -1), -EINVAL);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, bufs, 0), 0);
	EXPECT_EQ(onload_zc_alloc_buffers(p.rx, NULL, 1, 0), -EINVAL);
	EXPECT_EQ(onload_zc_alloc_buffers(p.rx, &iov, -1, 0), -EINVAL);
	EXPECT_EQ(onload_zc_alloc_buffers(p.rx, &iov, 1, 8), -EINVAL);
	EXPECT_EQ(onload_zc_alloc_buffers(p.rx, &iov, 0, 0), 0);
	end(&p);
}

static enum onload_zc_callback_rc keep_last(struct onload_zc_recv_args *args, int flags)
{
	onload_zc_handle *bufs = args->user_ptr;

	(void)flags;
	bufs[0] = args->msg.iov[0].buf;
	bufs[1] = args->msg.iov[args->msg.msghdr.msg_iovlen - 1].buf;
	return ONLOAD_ZC_KEEP;
}

TEST(a_datagram_is_released_by_its_first_buffer)
{
	static char data[5000];
	struct pair p = pair();
	onload_zc_handle bufs[2];
	struct onload_zc_recv_args args = { .cb = keep_last, .user_ptr = bufs, .flags = INLINE };

	say(&p, data, sizeof(data));
	EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
	EXPECT_EQ(nr_free(p.rx), LIMIT - 3);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, &bufs[1], 1), -EINVAL);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, bufs, 2), -EINVAL);
	EXPECT_EQ(nr_free(p.rx), LIMIT - 3);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, &bufs[0], 1), 0);
	EXPECT_EQ(nr_free(p.rx), LIMIT);
	end(&p);
}

static enum onload_zc_callback_rc release_here(struct onload_zc_recv_args *args, int flags)
{
	struct notes *n = args->user_ptr;
	enum onload_zc_callback_rc rc = n->rc;

	note(args, flags);
	EXPECT_EQ(onload_zc_release_buffers(n->fd, &n->first, 1), 0);
	EXPECT_EQ(onload_zc_release_buffers(n->fd, &n->first, 1), -EINVAL);
	return rc;
}

TEST(a_callback_may_release_what_it_gets)
{
	struct pair p = pair();
	static struct notes n;
	struct onload_zc_recv_args args = args_of(&n, INLINE);

	args.cb = release_here;
	n.fd = p.rx;
	for (n.rc = 0; n.rc <= ONLOAD_ZC_KEEP; n.rc += ONLOAD_ZC_KEEP) {
		say(&p, "a", 1);
		say(&p, "b", 1);
		EXPECT_EQ(onload_zc_recv(p.rx, &args), 0);
		EXPECT_EQ(onload_zc_release_buffers(p.rx, &n.first, 1), -EINVAL);
		EXPECT_EQ(nr_free(p.rx), LIMIT);
	}
	EXPECT_EQ(n.calls, 4);
	end(&p);
}

TEST(with_all_buffers_kept_a_datagram_waits)
{
	const unsigned char *at[LIMIT];
	onload_zc_handle bufs[LIMIT];
	struct pair p = pair();
	static struct notes n = { .rc = ONLOAD_ZC_KEEP };
	struct onload_zc_iovec iov;
	char number;

	for (number = 0; number < LIMIT; number++) {
		say(&p, &number, 1);
		EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
		bufs[(int)number] = n.first;
		at[(int)number] = n.at;
	}
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -EAGAIN);
	say(&p, &number, 1);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), -ENOBUFS);
	EXPECT_EQ(zc_recv(p.rx, &n, ONLOAD_MSG_RECV_OS_INLINE), -ENOBUFS);
	EXPECT_EQ(onload_zc_alloc_buffers(p.rx, &iov, 1, 0), -ENOMEM);
	EXPECT_EQ(n.calls, LIMIT);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, &bufs[7], 1), 0);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.data[0], LIMIT);
	bufs[7] = n.first;
	for (number = 0; number < LIMIT; number++)
		EXPECT_EQ(*at[(int)number], number == 7 ? LIMIT : number);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, bufs, LIMIT), 0);
	EXPECT_EQ(nr_free(p.rx), LIMIT);
	end(&p);
}

TEST(the_last_buffer_is_enough_for_a_large_datagram)
{
	static unsigned char data[DATAGRAM_MAX];
	struct onload_zc_iovec iov[LIMIT];
	onload_zc_handle bufs[LIMIT];
	struct pair p = pair();
	static struct notes n;

	EXPECT_EQ(onload_zc_alloc_buffers(p.rx, iov, LIMIT, 0), 0);
	for (int i = 0; i < LIMIT; i++)
		bufs[i] = iov[i].buf;
	EXPECT_EQ(onload_zc_release_buffers(p.rx, &bufs[LIMIT - 1], 1), 0);
	data[DATAGRAM_MAX - 1] = 99;
	say(&p, data, DATAGRAM_MAX);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	EXPECT_EQ(n.len, DATAGRAM_MAX);
	EXPECT_EQ(n.parts, 32);
	EXPECT(!memcmp(n.data, data, DATAGRAM_MAX));
	EXPECT_EQ(onload_zc_release_buffers(p.rx, bufs, LIMIT - 1), 0);
	EXPECT_EQ(nr_free(p.rx), LIMIT);
	end(&p);
}

TEST(buffers_are_allocated_all_or_none)
{
	struct onload_zc_iovec iov[LIMIT];
	onload_zc_handle bufs[LIMIT];
	struct pair p = pair();

	EXPECT_EQ(onload_zc_alloc_buffers(p.rx, iov, LIMIT + 1, 0), -ENOMEM);
	EXPECT_EQ(onload_zc_alloc_buffers(p.rx, iov, LIMIT, ONLOAD_ZC_BUFFER_HDR_UDP), 0);
	for (int i = 0; i < LIMIT; i++) {
		EXPECT_EQ(iov[i].iov_len, 2048);
		memset(iov[i].iov_base, i, iov[i].iov_len);
		bufs[i] = iov[i].buf;
	}
	for (int i = 0; i < LIMIT; i++)
		EXPECT_EQ(*(unsigned char *)iov[i].iov_base, i);
	EXPECT_EQ(onload_zc_alloc_buffers(p.rx, iov, 1, 0), -ENOMEM);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, bufs, LIMIT), 0);
	end(&p);
}

/* Any socket may be used after the original one was closed. */
TEST(a_socket_that_is_closed)
{
	struct pair p = pair(), q = pair();
	static struct notes n = { .rc = ONLOAD_ZC_KEEP };

	say(&p, "kept", 4);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	end(&p);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, &n.first, 1), -EBADF);
	EXPECT_EQ(onload_zc_release_buffers(q.rx, &n.first, 1), 0);
	EXPECT_EQ(nr_free(q.rx), LIMIT);
	end(&q);
}

/* Runs in a child: status 0 on success. */
static int in_child(struct pair *p, onload_zc_handle parents)
{
	static struct notes n = { .rc = ONLOAD_ZC_KEEP };

	if (onload_zc_release_buffers(p->rx, &parents, 1) != -EINVAL)
		return 1;
	if (nr_free(p->rx) != LIMIT)
		return 2;
	say(p, "child", 5);
	if (zc_recv(p->rx, &n, INLINE) || n.calls != 1 || n.len != 5)
		return 3;
	if (onload_zc_release_buffers(p->rx, &n.first, 1))
		return 4;
	return ktap_bad ? 5 : 0;
}

TEST(a_child_has_no_buffers_of_its_parent)
{
	struct pair p = pair();
	static struct notes n = { .rc = ONLOAD_ZC_KEEP };
	int status = 0;
	pid_t pid;

	say(&p, "parent", 6);
	EXPECT_EQ(zc_recv(p.rx, &n, INLINE), 0);
	pid = fork();
	if (!pid)
		_exit(in_child(&p, n.first));
	ASSERT(waitpid(pid, &status, 0) == pid);
	EXPECT_EQ(status, 0);
	EXPECT_EQ(nr_free(p.rx), LIMIT - 1);
	EXPECT_EQ(onload_zc_release_buffers(p.rx, &n.first, 1), 0);
	end(&p);
}

static enum onload_zc_callback_rc fork_here(struct onload_zc_recv_args *args, int flags)
{
	struct notes *n = args->user_ptr;

	note(args, flags);
	n->rc = fork();
	return ONLOAD_ZC_CONTINUE;
}

/* Both processes go on, and share what comes. */
TEST(a_callback_may_fork)
{
	struct pair p = pair();
	static struct notes n;
	struct onload_zc_recv_args args = args_of(&n, INLINE);
	int ret, status = 0;

	args.cb = fork_here;
	say(&p, "x", 1);
	ret = onload_zc_recv(p.rx, &args);
	if (!n.rc)
		_exit(ret || nr_free(p.rx) != LIMIT ? 1 : 0);
	ASSERT(waitpid(n.rc, &status, 0) == n.rc);
	EXPECT_EQ(status, 0);
	EXPECT_EQ(ret, 0);
	EXPECT_EQ(nr_free(p.rx), LIMIT);
	end(&p);
}
