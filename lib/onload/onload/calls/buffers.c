// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include "../zc.h"

#define HDR_FLAGS (ONLOAD_ZC_BUFFER_HDR_UDP | ONLOAD_ZC_BUFFER_HDR_TCP)

/* All sockets share one pool, and each has a share of its own. */
static int check_fd(int fd, struct sock **sock)
{
	uint64_t cookie;
	int saved = errno;
	int err = sock_get(fd, sock, &cookie);

	errno = saved;
	return err;
}

EXPORT int onload_zc_alloc_buffers(int fd, struct onload_zc_iovec *iovecs,
				   int iovecs_len,
				   enum onload_zc_buffer_type_flags flags)
{
	struct sock *sock;
	int err = check_fd(fd, &sock);

	if (err)
		return err;
	if (!iovecs || iovecs_len < 0 || (unsigned int)flags & ~HDR_FLAGS)
		return -EINVAL;
	return pool_alloc(iovecs, iovecs_len, &sock->quota);
}

EXPORT int onload_zc_release_buffers(int fd, onload_zc_handle *bufs,
				     int bufs_len)
{
	struct sock *sock;
	int err = check_fd(fd, &sock);

	if (err)
		return err;
	if (!bufs || bufs_len < 0)
		return -EINVAL;
	return pool_release(bufs, bufs_len);
}
