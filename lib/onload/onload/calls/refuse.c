// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Unsupported functions: each logs once what to use instead. */
#include <errno.h>

#include "../zc.h"

#define SAY_ONCE(instead)                                                \
	do {                                                             \
		static atomic_flag said = ATOMIC_FLAG_INIT;              \
                                                                         \
		if (!atomic_flag_test_and_set(&said))                    \
			log_error("%s() is not supported; %s", __func__, \
				  instead);                              \
	} while (0)

/* Return it as a value, or as errno. */
#define REFUSE(instead)             \
	do {                        \
		SAY_ONCE(instead);  \
		return -EOPNOTSUPP; \
	} while (0)

#define REFUSE_BY_ERRNO(instead)    \
	do {                        \
		SAY_ONCE(instead);  \
		errno = EOPNOTSUPP; \
		return -1;          \
	} while (0)

#define UNUSED __attribute__((unused))

EXPORT int onload_zc_send(struct onload_zc_mmsg *msgs, int mlen,
			  UNUSED int flags)
{
	if (!msgs || mlen < 0)
		return -EINVAL;
	SAY_ONCE("use sendmsg()");
	for (int i = 0; i < mlen; i++)
		msgs[i].rc = -EOPNOTSUPP;
	return mlen;
}

EXPORT int onload_zc_buffer_incref(UNUSED int fd, UNUSED onload_zc_handle buf)
{
	REFUSE("count references in the program");
}

EXPORT int onload_zc_buffer_decref(UNUSED int fd, UNUSED onload_zc_handle buf)
{
	REFUSE("count references in the program");
}

EXPORT int onload_msg_template_alloc(UNUSED int fd,
				     UNUSED const struct iovec *initial_msg,
				     UNUSED int mlen,
				     UNUSED onload_template_handle *handle,
				     UNUSED unsigned int flags)
{
	REFUSE("use send()");
}

EXPORT int onload_msg_template_update(
	UNUSED int fd, UNUSED onload_template_handle handle,
	UNUSED const struct onload_template_msg_update_iovec *updates,
	UNUSED int ulen, UNUSED unsigned int flags)
{
	REFUSE("use send()");
}

EXPORT int onload_msg_template_abort(UNUSED int fd,
				     UNUSED onload_template_handle handle)
{
	REFUSE("use send()");
}

EXPORT int onload_timestamping_request(UNUSED int fd, unsigned int flags)
{
	if (flags & ~(ONLOAD_TIMESTAMPING_FLAG_TX_NIC |
		      ONLOAD_TIMESTAMPING_FLAG_RX_NIC |
		      ONLOAD_TIMESTAMPING_FLAG_RX_CPACKET))
		return -EINVAL;
	REFUSE("use SO_TIMESTAMPING");
}

EXPORT int
onload_ordered_epoll_wait(UNUSED int epfd, UNUSED struct epoll_event *events,
			  UNUSED struct onload_ordered_epoll_event *oo_events,
			  UNUSED int maxevents, UNUSED int timeout)
{
	REFUSE_BY_ERRNO("use epoll_wait()");
}

EXPORT enum onload_delegated_send_rc
onload_delegated_send_prepare(UNUSED int fd, UNUSED int size,
			      UNUSED unsigned int flags,
			      UNUSED struct onload_delegated_send *out)
{
	SAY_ONCE("use send()");
	return ONLOAD_DELEGATED_SEND_RC_BAD_SOCKET;
}

EXPORT int onload_delegated_send_complete(UNUSED int fd,
					  UNUSED const struct iovec *iov,
					  UNUSED int iovlen, UNUSED int flags)
{
	REFUSE_BY_ERRNO("use send()");
}

EXPORT int onload_delegated_send_cancel(UNUSED int fd)
{
	REFUSE_BY_ERRNO("use send()");
}

EXPORT int onload_get_tcp_info(UNUSED int fd,
			       UNUSED struct onload_tcp_info *info,
			       UNUSED int *len_in_out)
{
	REFUSE_BY_ERRNO("use TCP_INFO of getsockopt()");
}
