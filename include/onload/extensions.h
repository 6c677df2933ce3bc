/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file onload/extensions.h
 * @brief Functions of Onload besides zero-copy receive.
 *
 * They tell whether Onload is there, names and options of stacks, spinning, and properties
 * of a file descriptor.
 *
 * A program is linked with libonload_ext and runs under onload(1). Sockets are the kernel's
 * there, so names and options of stacks are kept and change nothing. Without onload(1) each
 * function returns what its description says, and changes nothing.
 */
#ifndef ONLOAD_EXTENSIONS_H
#define ONLOAD_EXTENSIONS_H

#include <arpa/inet.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

#include <onload/extensions_timestamping.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief Do all of a send but send. The kernel's send() does not know it. */
#define ONLOAD_MSG_WARM 0x400

/** @brief Receive to the end of a packet only. The kernel's recv() does not know it. */
#define ONLOAD_MSG_ONEPKT 0x20000

/** @brief Timestamps of a TCP stream. There are none here. */
#define ONLOAD_SOF_TIMESTAMPING_STREAM (1 << 23)

/** @brief The control message that has them. */
#define ONLOAD_SCM_TIMESTAMPING_STREAM ONLOAD_SOF_TIMESTAMPING_STREAM

/**
 * @brief Timestamps of a part of a TCP stream.
 */
struct onload_scm_timestamping_stream {
	struct timespec first_sent; /**< sent first */
	struct timespec last_sent; /**< sent last */
	size_t len; /**< bytes */
};

/**
 * @brief Check whether the program runs under onload(1).
 *
 * @return 1 if so, else 0.
 *
 * @note Thread safe.
 */
int onload_is_present(void);

/**
 * @brief Scope of a stack's name.
 */
enum onload_stackname_scope {
	ONLOAD_SCOPE_NOCHANGE, /**< no change */
	ONLOAD_SCOPE_THREAD, /**< this thread */
	ONLOAD_SCOPE_PROCESS, /**< this process */
	ONLOAD_SCOPE_USER, /**< this user's */
	ONLOAD_SCOPE_GLOBAL, /**< all */
};

/**
 * @brief New sockets that a name is for.
 */
enum onload_stackname_who {
	ONLOAD_THIS_THREAD, /**< this thread's */
	ONLOAD_ALL_THREADS, /**< this process's */
};

/** @brief A name that says: the kernel's. */
#define ONLOAD_DONT_ACCELERATE NULL

/**
 * @brief Name the stack of new sockets. It is checked, and changes nothing.
 *
 * @param [in] who
 * Which sockets.
 * @param [in] scope
 * Where the name is known.
 * @param [in] stackname
 * At most 15 characters; or ONLOAD_DONT_ACCELERATE.
 *
 * @return 0, also without onload(1); or -1 with errno EINVAL, a value is not of its
 * enumeration, or ENAMETOOLONG.
 *
 * @note Thread safe.
 */
int onload_set_stackname(enum onload_stackname_who who,
			 enum onload_stackname_scope scope,
			 const char *stackname);

/**
 * @brief Remember the name for onload_stackname_restore().
 *
 * @return 0.
 *
 * @note Thread safe.
 */
int onload_stackname_save(void);

/**
 * @brief Take the name that was remembered.
 *
 * @return 0.
 *
 * @note Thread safe.
 */
int onload_stackname_restore(void);

/**
 * @brief Set an option of stacks that are made later. It is kept, and changes
 * nothing.
 *
 * @param [in] opt
 * Its name, such as "EF_POLL_USEC", of at most 63 characters.
 * @param [in] val
 * Any value.
 *
 * @return 0, also without onload(1); or a negative errno:
 * - -EINVAL: @p opt is NULL, empty, does not begin with "EF_", or is too long.
 * - -ENOMEM: there are 64 others.
 *
 * @note Thread safe.
 */
int onload_stack_opt_set_int(const char *opt, int64_t val);

/**
 * @brief The value of an option that was set as a number.
 *
 * @param [in] opt
 * Its name.
 * @param [out] val
 * The value.
 *
 * @return 0, or a negative errno:
 * - -EINVAL: an argument is NULL, or it was not set as a number.
 * - -ENOSYS: the program does not run under onload(1).
 *
 * @note Thread safe.
 */
int onload_stack_opt_get_int(const char *opt, int64_t *val);

/**
 * @brief Like onload_stack_opt_set_int(), for a text.
 *
 * @param [in] opt
 * Its name.
 * @param [in] val
 * A text of at most 63 characters.
 *
 * @return 0, also without onload(1); or a negative errno:
 * - -EINVAL: @p val is NULL or too long, or as for onload_stack_opt_set_int().
 * - -ENOMEM: there are 64 others.
 *
 * @note Thread safe.
 */
int onload_stack_opt_set_str(const char *opt, const char *val);

/**
 * @brief The value of an option that was set as a text.
 *
 * @param [in] opt
 * Its name.
 * @param [out] val_out
 * The text and its end.
 * @param [in,out] val_out_len
 * The room for it; with -ENOSPC what is needed.
 *
 * @return 0, or a negative errno:
 * - -EINVAL: an argument is NULL, or it was not set as a text.
 * - -ENOSPC: the room is not enough.
 * - -ENOSYS: the program does not run under onload(1).
 *
 * @note Thread safe.
 */
int onload_stack_opt_get_str(const char *opt, char *val_out,
			     size_t *val_out_len);

/**
 * @brief Forget all options.
 *
 * @return 0.
 *
 * @note Thread safe.
 */
int onload_stack_opt_reset(void);

/**
 * @brief Properties of a file descriptor.
 */
struct onload_stat {
	int32_t stack_id; /**< the process */
	char *stack_name; /**< how it receives: "kernel"; the caller frees it */
	int32_t endpoint_id; /**< the file descriptor */
	int32_t endpoint_state; /**< 0 */
};

/**
 * @brief Get the way in which a file descriptor receives.
 *
 * @param [in] fd
 * Any file descriptor.
 * @param [out] stat
 * Filled in if 1 is returned.
 *
 * @return 1 if it is a UDP socket, from which onload_zc_recv() receives; else 0, also
 * without onload(1) and where there is no memory for the name.
 *
 * @note Thread safe.
 */
int onload_fd_stat(int fd, struct onload_stat *stat);

/**
 * @brief In which calls a thread polls for data for a while before it sleeps.
 */
enum onload_spin_type {
	ONLOAD_SPIN_ALL, /**< all of these */
	ONLOAD_SPIN_UDP_RECV, /**< onload_zc_recv(); the others change nothing */
	ONLOAD_SPIN_UDP_SEND,
	ONLOAD_SPIN_TCP_RECV,
	ONLOAD_SPIN_TCP_SEND,
	ONLOAD_SPIN_TCP_ACCEPT,
	ONLOAD_SPIN_PIPE_RECV,
	ONLOAD_SPIN_PIPE_SEND,
	ONLOAD_SPIN_SELECT,
	ONLOAD_SPIN_POLL,
	ONLOAD_SPIN_PKT_WAIT,
	ONLOAD_SPIN_EPOLL_WAIT,
	ONLOAD_SPIN_STACK_LOCK,
	ONLOAD_SPIN_SOCK_LOCK,
	ONLOAD_SPIN_SO_BUSY_POLL,
	ONLOAD_SPIN_TCP_CONNECT,
	ONLOAD_SPIN_MIMIC_EF_POLL, /**< like ONLOAD_SPIN_ALL */
	ONLOAD_SPIN_MAX, /**< none, but their number */
};

/**
 * @brief Have this thread spin, or not. At first it does not.
 *
 * With ONLOAD_SPIN_UDP_RECV onload_zc_recv() polls the socket for 50
 * microseconds before it sleeps.
 *
 * @param [in] type
 * In which calls.
 * @param [in] spin
 * 0 if not.
 *
 * @return 0, also without onload(1); or -EINVAL if there is no such @p type.
 *
 * @note Thread safe.
 */
int onload_thread_set_spin(enum onload_spin_type type, int spin);

/**
 * @brief Get the calls in which this thread spins.
 *
 * @param [out] state
 * The bit of each enum onload_spin_type; 0 without onload(1).
 *
 * @return 0, or -EINVAL if @p state is NULL.
 *
 * @note Thread safe.
 */
int onload_thread_get_spin(unsigned int *state);

/**
 * @brief Questions about a file descriptor.
 */
enum onload_fd_feature {
	ONLOAD_FD_FEAT_MSG_WARM = 0, /**< ONLOAD_MSG_WARM */
	ONLOAD_FD_FEAT_UDP_TX_TS_HDR = 1, /**< headers with timestamps */
};

/**
 * @brief Check whether a file descriptor has a feature.
 *
 * @param [in] fd
 * Any.
 * @param [in] feature
 * Which.
 *
 * @return 0, as none has any; -EOPNOTSUPP if the feature is unknown; -ENOSYS without
 * onload(1).
 *
 * @note Thread safe.
 */
int onload_fd_check_feature(int fd, enum onload_fd_feature feature);

/**
 * @brief Move a socket to this thread's stack. It changes nothing.
 *
 * @param [in] fd
 * A socket of any kind.
 *
 * @return 0, also without onload(1); or -1 with errno EBADF or ENOTSOCK.
 *
 * @note Thread safe.
 */
int onload_move_fd(int fd);

/**
 * @brief Get the time of readable data, and the number of bytes in order.
 */
struct onload_ordered_epoll_event {
	struct timespec ts; /**< the card's time */
	int bytes; /**< bytes that may be read */
};

struct epoll_event;

/**
 * @brief epoll_wait() in the order in which frames came. Not supported.
 *
 * @param [in] epfd
 * Not used.
 * @param [out] events
 * Not set.
 * @param [out] oo_events
 * Not set.
 * @param [in] maxevents
 * Not used.
 * @param [in] timeout
 * Not used.
 *
 * @return -1 with errno EOPNOTSUPP, and the log says so once; errno ENOSYS without
 * onload(1).
 *
 * @note Thread safe.
 */
int onload_ordered_epoll_wait(int epfd, struct epoll_event *events,
			      struct onload_ordered_epoll_event *oo_events,
			      int maxevents, int timeout);

/**
 * @brief State of a TCP connection of which the program sends frames itself.
 */
struct onload_delegated_send {
	void *headers; /**< headers of a frame */
	int headers_len; /**< room for them, then their length */
	int mss; /**< most that a frame may have */
	int send_wnd; /**< send window */
	int cong_wnd; /**< congestion window */
	int user_size; /**< the requested size */
	int tcp_seq_offset; /**< offset of the sequence number */
	int ip_len_offset; /**< offset of the length */
	int ip_tcp_hdr_len; /**< length of both headers */
	int reserved[5]; /**< 0 */
};

/**
 * @brief Results of onload_delegated_send_prepare().
 */
enum onload_delegated_send_rc {
	ONLOAD_DELEGATED_SEND_RC_OK = 0, /**< it may send */
	ONLOAD_DELEGATED_SEND_RC_BAD_SOCKET, /**< not with this socket */
	ONLOAD_DELEGATED_SEND_RC_SMALL_HEADER, /**< no room for headers */
	ONLOAD_DELEGATED_SEND_RC_SENDQ_BUSY, /**< other data waits */
	ONLOAD_DELEGATED_SEND_RC_NOWIN, /**< the peer takes no more */
	ONLOAD_DELEGATED_SEND_RC_NOARP, /**< the peer's address is unknown */
	ONLOAD_DELEGATED_SEND_RC_NOCWIN, /**< the network takes no more */
};

/** @brief Do not look for the peer's address. */
#define ONLOAD_DELEGATED_SEND_FLAG_IGNORE_ARP 0x1

/** @brief Find the peer's address. */
#define ONLOAD_DELEGATED_SEND_FLAG_RESOLVE_ARP 0x2

/**
 * @brief Prepare to send frames of a TCP connection. Not supported: use send().
 *
 * @param [in] fd
 * Not used.
 * @param [in] size
 * Not used.
 * @param [in] flags
 * Not used.
 * @param [out] out
 * Not set.
 *
 * @return ONLOAD_DELEGATED_SEND_RC_BAD_SOCKET. The log says why once.
 *
 * @note Thread safe.
 */
enum onload_delegated_send_rc
onload_delegated_send_prepare(int fd, int size, unsigned int flags,
			      struct onload_delegated_send *out);

/**
 * @brief Put the length of a frame, and whether it is pushed, into its headers.
 *
 * @param [in,out] ds
 * Headers that onload_delegated_send_prepare() has made.
 * @param [in] bytes
 * Data of the frame.
 * @param [in] push
 * Whether the peer is to hand it over at once.
 */
static inline void
onload_delegated_send_tcp_update(struct onload_delegated_send *ds, int bytes,
				 int push)
{
	uint8_t *headers = (uint8_t *)ds->headers;
	uint16_t *length = (uint16_t *)(void *)(headers + ds->ip_len_offset);
	uint8_t *flags = headers + ds->tcp_seq_offset + 9;

	*length = htons((uint16_t)(bytes + ds->ip_tcp_hdr_len));
	*flags = (uint8_t)(push ? *flags | 0x8 : *flags & ~0x8);
}

/**
 * @brief Have the headers be those of the next frame.
 *
 * @param [in,out] ds
 * Headers that onload_delegated_send_prepare() has made.
 * @param [in] bytes
 * Data of the frame before.
 */
static inline void
onload_delegated_send_tcp_advance(struct onload_delegated_send *ds, int bytes)
{
	uint8_t *headers = (uint8_t *)ds->headers;
	uint32_t *seq = (uint32_t *)(void *)(headers + ds->tcp_seq_offset);

	ds->send_wnd -= bytes;
	ds->cong_wnd -= bytes;
	ds->user_size -= bytes;
	*seq = htonl(ntohl(*seq) + (uint32_t)bytes);
}

/**
 * @brief Report frames that were sent. Not supported.
 *
 * @param [in] fd
 * Not used.
 * @param [in] iov
 * Not used.
 * @param [in] iovlen
 * Not used.
 * @param [in] flags
 * Not used.
 *
 * @return -1 with errno EOPNOTSUPP, and the log says so once; errno ENOSYS without
 * onload(1).
 *
 * @note Thread safe.
 */
int onload_delegated_send_complete(int fd, const struct iovec *iov, int iovlen,
				   int flags);

/**
 * @brief Report that no more is sent. Not supported.
 *
 * @param [in] fd
 * Not used.
 *
 * @return -1 with errno EOPNOTSUPP, and the log says so once; errno ENOSYS without
 * onload(1).
 *
 * @note Thread safe.
 */
int onload_delegated_send_cancel(int fd);

/**
 * @brief Buffers and windows of a TCP connection.
 */
struct onload_tcp_info {
	int so_recvbuf; /**< receive buffer */
	int rcvbuf_used; /**< bytes in it */
	int rcv_window; /**< receive window */
	int so_sndbuf; /**< send buffer */
	int so_sndbuf_pkts; /**< send buffer in packets */
	int sndbuf_pkts_avail; /**< packets that have room */
	int snd_mss; /**< bytes of a packet */
	int snd_window; /**< send window */
	int cong_window; /**< congestion window */
};

/**
 * @brief Ask for them. Not supported: use TCP_INFO of getsockopt().
 *
 * @param [in] fd
 * Not used.
 * @param [out] info
 * Not set.
 * @param [in,out] len_in_out
 * Not set.
 *
 * @return -1 with errno EOPNOTSUPP, and the log says so once; errno ENOSYS without
 * onload(1).
 *
 * @note Thread safe.
 */
int onload_get_tcp_info(int fd, struct onload_tcp_info *info, int *len_in_out);

/**
 * @brief socket(), of a socket that is the kernel's in any case.
 *
 * onload_zc_recv() receives from it as from any that is the kernel's.
 *
 * @param [in] domain
 * As for socket().
 * @param [in] type
 * As for socket().
 * @param [in] protocol
 * As for socket().
 *
 * @return A file descriptor; or -1 with errno as of socket(), or ENOSYS without onload(1).
 *
 * @note Thread safe.
 */
int onload_socket_nonaccel(int domain, int type, int protocol);

/**
 * @brief socket(), of a socket of which only multicast may go past the kernel.
 *
 * @param [in] domain
 * As for socket().
 * @param [in] type
 * As for socket().
 * @param [in] protocol
 * As for socket().
 *
 * @return A file descriptor; or -1 with errno as of socket(), or ENOSYS without onload(1).
 *
 * @note Thread safe.
 */
int onload_socket_unicast_nonaccel(int domain, int type, int protocol);

#ifdef __cplusplus
}
#endif

#endif /* ONLOAD_EXTENSIONS_H */
