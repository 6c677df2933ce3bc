// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Datagrams by sockets, and by zero-copy receive. The latter's functions are looked up at
 * run time, where onload has preloaded them: libonload is not linked, so it affects no
 * other way.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <onload/extensions.h>
#include <onload/extensions_zc.h>

#include "bench/msg.h"
#include "datagram_way.h"

static struct burst_messages messages;

static void socket_close(struct datagram_way *dw)
{
	close(dw->fd);
}

static int set_up(struct datagram_way *dw, int fd)
{
	dw->fd = fd;
	if (!wire_set_up_socket(fd, &dw->wire.near, &dw->wire.far))
		return 0;
	socket_close(dw);
	return -1;
}

static int socket_open(struct datagram_way *dw)
{
	return set_up(dw, socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
}

static int recvmsg_take(struct datagram_way *dw)
{
	uint8_t *data = messages.data[0];
	struct iovec iov = { data, sizeof(messages.data[0]) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t length = recvmsg(dw->fd, &msg, MSG_DONTWAIT);

	if (length < 0)
		return errno == EAGAIN ?
			       0 :
			       fail_errno(errno, "cannot receive datagrams");
	return burst_note(&dw->burst, data, length) ? -1 : 1;
}

static int recvmmsg_open(struct datagram_way *dw)
{
	burst_messages_init(&messages, BURST_MAX_SIZE + 1);
	return socket_open(dw);
}

static int recvmmsg_take(struct datagram_way *dw)
{
	return burst_receive(&dw->burst, &messages, dw->fd);
}

static struct burst_messages sent;

static int sendmmsg_open(struct datagram_way *dw)
{
	burst_messages_init(&sent, dw->burst.load.size);
	return socket_open(dw);
}

static int sendmmsg_send(struct datagram_way *dw)
{
	return burst_send(&dw->burst, &sent, dw->fd);
}

/* Functions of libonload; NULL without it. */
static struct {
	__typeof__(onload_zc_recv) *recv;
	__typeof__(onload_fd_stat) *fd_stat;
} onload;

struct zc {
	struct onload_zc_recv_args args;
	int taken; /* -1: a datagram was wrong */
};

static enum onload_zc_callback_rc zc_note(struct onload_zc_recv_args *args,
					  int flags)
{
	struct datagram_way *dw = args->user_ptr;
	const struct onload_zc_iovec *part = args->msg.iov;
	struct zc *zc = dw->self;

	(void)flags;
	if (burst_note(&dw->burst, part->iov_base, part->iov_len))
		zc->taken = -1;
	if (zc->taken < 0)
		return ONLOAD_ZC_TERMINATE;
	zc->taken++;
	return ONLOAD_ZC_CONTINUE;
}

static int zc_take(struct datagram_way *dw)
{
	struct zc *zc = dw->self;
	int err;

	zc->taken = 0;
	err = onload.recv(dw->fd, &zc->args);
	if (err && err != -EAGAIN)
		return fail_errno(-err, "cannot receive datagrams");
	return zc->taken;
}

static int find_onload(void)
{
	onload.recv = dlsym(RTLD_DEFAULT, "onload_zc_recv");
	onload.fd_stat = dlsym(RTLD_DEFAULT, "onload_fd_stat");
	if (onload.recv && onload.fd_stat)
		return 0;
	fail("zero-copy receive is not there");
	hint("Run it as 'onload doca_bench_peers datagrams', with DOCA_ZC=xdp to go past the kernel.");
	return -1;
}

static int zc_make(struct datagram_way *dw, int fd)
{
	struct zc *zc;

	if (set_up(dw, fd))
		return -1;
	zc = calloc(1, sizeof(*zc));
	if (!zc) {
		socket_close(dw);
		return fail_errno(ENOMEM, "cannot receive datagrams");
	}
	zc->args.cb = zc_note;
	zc->args.user_ptr = dw;
	zc->args.flags = ONLOAD_MSG_DONTWAIT | ONLOAD_MSG_RECV_OS_INLINE;
	dw->self = zc;
	return 0;
}

static int zc_open(struct datagram_way *dw)
{
	if (find_onload())
		return -1;
	return zc_make(dw, socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
}

/* A socket whose address others may share never bypasses the kernel. */
static int zc_kernel_open(struct datagram_way *dw)
{
	int fd, on = 1;

	if (find_onload())
		return -1;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
	return zc_make(dw, fd);
}

/* The name includes the path that the socket has used in the end. */
static void zc_close(struct datagram_way *dw)
{
	struct onload_stat stat;

	if (onload.fd_stat(dw->fd, &stat) == 1) {
		snprintf(dw->name, sizeof(dw->name), "zc, %s", stat.stack_name);
		dw->way.name = dw->name;
		free(stat.stack_name);
	}
	free(dw->self);
	socket_close(dw);
}

const struct datagram_ops recvmsg_ops = {
	.name = "recvmsg",
	.open = socket_open,
	.close = socket_close,
	.take = recvmsg_take,
};

const struct datagram_ops recvmmsg_ops = {
	.name = "recvmmsg",
	.open = recvmmsg_open,
	.close = socket_close,
	.take = recvmmsg_take,
};

const struct datagram_ops zc_ops = {
	.name = "zc",
	.optional = true,
	.open = zc_open,
	.close = zc_close,
	.take = zc_take,
};

const struct datagram_ops zc_kernel_ops = {
	.name = "zc, kernel",
	.optional = true,
	.open = zc_kernel_open,
	.close = zc_close,
	.take = zc_take,
};

const struct datagram_ops sendmmsg_ops = {
	.name = "sendmmsg",
	.open = sendmmsg_open,
	.close = socket_close,
	.send = sendmmsg_send,
};
