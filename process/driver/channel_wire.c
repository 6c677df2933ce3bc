// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Packets of the communication channel. */
#include "shim/kernel.h"

#include <sys/socket.h>

#include "channel_wire.h"

int channel_wire_send(int fd, const void *head, size_t head_size,
		      const void *bytes, size_t size)
{
	struct iovec iov[] = {
		{ (void *)head, head_size },
		{ (void *)bytes, size },
	};
	const struct msghdr hdr = {
		.msg_iov = iov,
		.msg_iovlen = size ? 2 : 1,
	};
	int cancel = inproc_hold_cancel();
	int rc;

	static_assert(sizeof(struct channel_frame) == 64);
	rc = sendmsg(fd, &hdr, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
	inproc_let_cancel(cancel);
	return rc;
}

/* ECONNRESET comes once if the other side has ended with unread data; its packets follow. */
int channel_wire_recv(int fd, void *bytes, size_t size)
{
	struct iovec iov = { bytes, size };
	struct msghdr hdr = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t got = recvmsg(fd, &hdr, MSG_DONTWAIT);

	if (got < 0)
		return errno == EAGAIN || errno == EINTR ||
				       errno == ECONNRESET ?
			       -EAGAIN :
			       -EPIPE;
	if (hdr.msg_flags & (MSG_TRUNC | MSG_CTRUNC))
		return -EPROTO;
	return got ?: -EPIPE;
}
