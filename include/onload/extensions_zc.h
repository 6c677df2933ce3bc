/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file onload/extensions_zc.h
 * @brief Zero-copy receive of UDP datagrams, in the form of Onload.
 *
 * A program is linked with
 * libonload_ext and runs under onload(1); without that its calls return -ENOSYS. See
 * onload_zc(3) for how they go together.
 *
 * Unless another value is named, functions return 0 or more, or a negative errno; errno
 * itself is left as it was. All of them return -ENOSYS where the program does not run
 * under onload(1). Those that take a socket also return -EBADF: it is no open file;
 * -ENOTSOCK: it is no socket; -ESOCKTNOSUPPORT: it is no UDP socket.
 */
#ifndef ONLOAD_EXTENSIONS_ZC_H
#define ONLOAD_EXTENSIONS_ZC_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct oo_zc_buf;

/**
 * @brief A buffer of the pool. It stands for the buffer and has no address.
 */
typedef struct oo_zc_buf *onload_zc_handle;

/** @brief No buffer of the pool. */
#define ONLOAD_ZC_HANDLE_NONZC ((onload_zc_handle)(uintptr_t)(-1))

/**
 * @brief A part of a datagram, in one buffer.
 */
struct onload_zc_iovec {
	union {
		void *iov_base; /**< first byte */
		uint64_t iov_ptr; /**< first byte, as a number */
	};
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	uint64_t iov_flags : 16;
	uint64_t iov_len : 48;
#else
	uint64_t iov_len : 48; /**< bytes, 0 to 2048 */
	uint64_t iov_flags : 16; /**< 0 */
#endif
	onload_zc_handle buf; /**< the buffer that it is in */
	union {
		void *app_cookie; /**< not used */
		uint64_t addr_space; /**< not used */
	};
};

/**
 * @brief A datagram.
 */
struct onload_zc_msg {
	struct onload_zc_iovec *iov; /**< parts, msghdr.msg_iovlen of them */
	struct msghdr msghdr; /**< all else, as of recvmsg(); not msg_iov */
};

/**
 * @brief A datagram that is to be sent, its socket, and what became of it.
 */
struct onload_zc_mmsg {
	struct onload_zc_msg msg; /**< the datagram */
	int rc; /**< bytes, or a negative errno */
	int fd; /**< the socket */
};

/**
 * @brief Results of a callback, and the next step. The values may be combined.
 */
enum onload_zc_callback_rc {
	ONLOAD_ZC_CONTINUE = 0, /**< go on with the next datagram, if any */
	ONLOAD_ZC_TERMINATE = 1, /**< return from onload_zc_recv() */
	ONLOAD_ZC_KEEP = 2, /**< the buffers are the program's from now on */
	ONLOAD_ZC_MODIFIED = 4, /**< for filters; no longer in use */
};

/** @brief Do not wait for a datagram. */
#define ONLOAD_MSG_DONTWAIT MSG_DONTWAIT

/** @brief Deliver also what comes through the kernel, with one copy. */
#define ONLOAD_MSG_RECV_OS_INLINE 0x40000000

/** @brief All flags that struct onload_zc_recv_args may have. */
#define ONLOAD_ZC_RECV_FLAGS_MASK \
	(ONLOAD_MSG_DONTWAIT | ONLOAD_MSG_RECV_OS_INLINE)

/** @brief Flags of these that the kernel has as well. */
#define ONLOAD_ZC_RECV_FLAGS_PTHRU_MASK (ONLOAD_MSG_DONTWAIT)

/** @brief For a callback: others may have the datagram, do not write to it. */
#define ONLOAD_ZC_MSG_SHARED 0x1

/** @brief For a callback: no other datagram is queued behind this one. */
#define ONLOAD_ZC_END_OF_BURST 0x2

struct onload_zc_recv_args;

/**
 * @brief Called by onload_zc_recv(), in its thread, with one datagram.
 *
 * msg.iov and msg.msghdr of @p args describe the datagram, and are good until the callback
 * returns. A datagram without data has one part of length 0. msg_name, msg_namelen,
 * msg_control, msg_controllen and msg_flags are as of recvmsg(): MSG_CTRUNC where the room
 * for control messages was not enough. @p flags are ONLOAD_ZC_MSG_SHARED and
 * ONLOAD_ZC_END_OF_BURST, or neither.
 *
 * A callback returns; it does not leave by longjmp() or an exception. It may call
 * onload_zc_recv() for another socket, not for the same.
 */
typedef enum onload_zc_callback_rc (*onload_zc_recv_callback)(
	struct onload_zc_recv_args *args, int flags);

/**
 * @brief Arguments of onload_zc_recv().
 *
 * The program sets cb, user_ptr, flags, and of msg.msghdr msg_name, msg_namelen,
 * msg_control and msg_controllen as for recvmsg(), or NULL and 0. These four are what they
 * were again when the call returns. msg.iov and msg_iov are not read.
 */
struct onload_zc_recv_args {
	struct onload_zc_msg msg; /**< the datagram, in the callback */
	onload_zc_recv_callback cb; /**< called for each datagram */
	void *user_ptr; /**< the program's own */
	int flags; /**< bits of ONLOAD_ZC_RECV_FLAGS_MASK */
};

/**
 * @brief Receive datagrams, each by a call of the program.
 *
 * It waits for the first one, unless ONLOAD_MSG_DONTWAIT or O_NONBLOCK is set, for as long
 * as SO_RCVTIMEO says. Then it calls back for each that is queued, until a callback returns
 * ONLOAD_ZC_TERMINATE, or one was told ONLOAD_ZC_END_OF_BURST.
 *
 * A datagram that the kernel has received is copied into buffers of the pool, if
 * ONLOAD_MSG_RECV_OS_INLINE allows it. If not, it stays where it is, for
 * onload_recvmsg_kernel(). What is not delivered stays in the socket: poll(), recv() and
 * other threads find it there.
 *
 * @param [in] fd
 * A socket.
 * @param [in] args
 * The callback, flags, and room for addresses and control messages.
 *
 * @return 0 after at least one call of the callback, or where the socket was shut down for
 * reading, or a negative errno:
 * - -EINVAL: @p args or its callback is NULL, or another flag is set.
 * - -EAGAIN: there is no datagram, and it is not to wait, or has waited.
 * - -EINTR: a signal came first.
 * - -ENOTEMPTY: there is a datagram from the kernel, and ONLOAD_MSG_RECV_OS_INLINE is not
 * set. onload_recvmsg_kernel() receives it.
 * - -ENOBUFS: there is a datagram, and the program keeps all buffers, and of this socket
 * those that are its own. It stays in the socket; release some and call again.
 * - -ENOMEM: there is no memory for the pool.
 * - -EBUSY: it was called from a callback of the same socket.
 * - another one that is pending on the socket, such as -ECONNREFUSED.
 *
 * @note Thread safe. Threads that receive from one socket share its datagrams.
 */
int onload_zc_recv(int fd, struct onload_zc_recv_args *args);

/**
 * @brief Receive one datagram from the kernel, as by recvmsg().
 *
 * It does not wait.
 *
 * @param [in] fd
 * A socket.
 * @param [in,out] msg
 * As for recvmsg().
 * @param [in] flags
 * As for recvmsg().
 *
 * @return Bytes, or a negative errno:
 * - -EAGAIN: there is no datagram.
 * - -EINVAL: @p msg is NULL.
 * - -EOPNOTSUPP: it is a TCP socket.
 * - another one that recvmsg() has.
 *
 * @note Thread safe.
 */
int onload_recvmsg_kernel(int fd, struct msghdr *msg, int flags);

/**
 * @brief For what buffers are allocated. It makes no difference here.
 */
enum onload_zc_buffer_type_flags {
	ONLOAD_ZC_BUFFER_HDR_NONE = 0, /**< nothing certain */
	ONLOAD_ZC_BUFFER_HDR_UDP = 1, /**< UDP */
	ONLOAD_ZC_BUFFER_HDR_TCP = 2, /**< TCP */
};

/**
 * @brief Take buffers from the pool that datagrams come in.
 *
 * Each has 2048 bytes. They are given back by onload_zc_release_buffers().
 *
 * @param [in] fd
 * A socket.
 * @param [out] iovecs
 * Filled in: iov_base, iov_len and buf.
 * @param [in] iovecs_len
 * How many there are to be; not negative.
 * @param [in] flags
 * Of enum onload_zc_buffer_type_flags.
 *
 * @return 0, or a negative errno, with none taken:
 * - -EINVAL: @p iovecs is NULL, @p iovecs_len is negative, or another flag is set.
 * - -ENOMEM: there are not so many.
 *
 * @note Thread safe.
 */
int onload_zc_alloc_buffers(int fd, struct onload_zc_iovec *iovecs,
			    int iovecs_len,
			    enum onload_zc_buffer_type_flags flags);

/**
 * @brief Give buffers back that a callback has kept, or that were allocated.
 *
 * Of a datagram only the buffer of its first part is released; the others go with it. That
 * may be in the callback already, which then does not return ONLOAD_ZC_KEEP; in another
 * thread; and after the socket that it came from was closed. @p fd may be any socket.
 *
 * All are released or, if it fails, none.
 *
 * @param [in] fd
 * A socket.
 * @param [in] bufs
 * The buffers.
 * @param [in] bufs_len
 * How many; 0 is none.
 *
 * @return 0, or a negative errno:
 * - -EINVAL: @p bufs is NULL or @p bufs_len negative; or one of them is none that the
 * program has, is not the first of its datagram, or is there twice.
 *
 * @note Thread safe.
 */
int onload_zc_release_buffers(int fd, onload_zc_handle *bufs, int bufs_len);

/**
 * @brief Called with each datagram that the recv() calls return, before they do.
 *
 * It sees the datagram, as far as the program had room for it, in the program's own
 * memory. It must return ONLOAD_ZC_CONTINUE; the datagram is delivered in any case, and the
 * log says once that it returned another value.
 */
typedef enum onload_zc_callback_rc (*onload_zc_recv_filter_callback)(
	struct onload_zc_msg *msg, void *arg, int flags);

/**
 * @brief Inspect datagrams before recv(), recvfrom(), recvmsg(), recvmmsg(), read()
 * and readv() return them.
 *
 * It is not for onload_zc_recv(), whose callback sees them anyway, nor for
 * onload_recvmsg_kernel().
 *
 * @param [in] fd
 * A socket.
 * @param [in] filter
 * Called with each; NULL to end that.
 * @param [in] cb_arg
 * Given to it.
 * @param [in] flags
 * 0.
 *
 * @return 0, or a negative errno:
 * - -EINVAL: @p flags is not 0.
 * - -ENOMEM: there is no memory for it.
 *
 * @note Thread safe. A call that has begun may still use the one that was set before.
 */
int onload_set_recv_filter(int fd, onload_zc_recv_filter_callback filter,
			   void *cb_arg, int flags);

/** @brief More will follow. */
#define ONLOAD_MSG_MORE MSG_MORE

/** @brief No signal. */
#define ONLOAD_MSG_NOSIGNAL MSG_NOSIGNAL

/** @brief All flags that onload_zc_send() may have; 0x400 is ONLOAD_MSG_WARM. */
#define ONLOAD_ZC_SEND_FLAGS_MASK \
	(ONLOAD_MSG_MORE | ONLOAD_MSG_NOSIGNAL | ONLOAD_MSG_DONTWAIT | 0x400)

/** @brief Flags of these that the kernel has as well. */
#define ONLOAD_ZC_SEND_FLAGS_PTHRU_MASK \
	(ONLOAD_MSG_MORE | ONLOAD_MSG_NOSIGNAL | ONLOAD_MSG_DONTWAIT)

/** @brief The control message that tells of the end of a send. Never seen here. */
#define ONLOAD_SO_ONLOADZC_COMPLETE 8902

/**
 * @brief Send datagrams without a copy. Not supported: use sendmsg().
 *
 * Buffers stay the program's.
 *
 * @param [in,out] msgs
 * The datagrams; rc of each is set to -EOPNOTSUPP.
 * @param [in] mlen
 * How many there are.
 * @param [in] flags
 * Of ONLOAD_ZC_SEND_FLAGS_MASK.
 *
 * @return @p mlen, the number of those that have an rc, or a negative errno:
 * - -EINVAL: @p msgs is NULL or @p mlen negative.
 *
 * @note Thread safe. The log says once that it is not supported.
 */
int onload_zc_send(struct onload_zc_mmsg *msgs, int mlen, int flags);

/**
 * @brief Hold a buffer once more. Not supported.
 *
 * @param [in] fd
 * Not used.
 * @param [in] buf
 * Not used.
 *
 * @return -EOPNOTSUPP. The log says so once.
 *
 * @note Thread safe.
 */
int onload_zc_buffer_incref(int fd, onload_zc_handle buf);

/**
 * @brief The reverse of onload_zc_buffer_incref(). Not supported.
 *
 * @param [in] fd
 * Not used.
 * @param [in] buf
 * Not used.
 *
 * @return -EOPNOTSUPP. The log says so once.
 *
 * @note Thread safe.
 */
int onload_zc_buffer_decref(int fd, onload_zc_handle buf);

struct oo_msg_template;

/**
 * @brief A message that is prepared. There is never one.
 */
typedef struct oo_msg_template *onload_template_handle;

/**
 * @brief A change of a message that is prepared.
 */
struct onload_template_msg_update_iovec {
	void *otmu_base; /**< new bytes */
	size_t otmu_len; /**< how many */
	off_t otmu_offset; /**< where in the message */
	unsigned int otmu_flags; /**< 0 */
};

/**
 * @brief Actions on a prepared message.
 */
enum onload_template_flags {
	ONLOAD_TEMPLATE_FLAGS_SEND_NOW = 1, /**< send it */
	ONLOAD_TEMPLATE_FLAGS_PIO_RETRY = 2, /**< go on without the card */
	ONLOAD_TEMPLATE_FLAGS_DONTWAIT = MSG_DONTWAIT, /**< do not wait */
};

/**
 * @brief Prepare a message. Not supported: use send().
 *
 * @param [in] fd
 * Not used.
 * @param [in] initial_msg
 * Not used.
 * @param [in] mlen
 * Not used.
 * @param [out] handle
 * Not set.
 * @param [in] flags
 * Not used.
 *
 * @return -EOPNOTSUPP. The log says so once.
 *
 * @note Thread safe.
 */
int onload_msg_template_alloc(int fd, const struct iovec *initial_msg, int mlen,
			      onload_template_handle *handle,
			      unsigned int flags);

/**
 * @brief Change or send a message that is prepared. Not supported.
 *
 * @param [in] fd
 * Not used.
 * @param [in] handle
 * Not used.
 * @param [in] updates
 * Not used.
 * @param [in] ulen
 * Not used.
 * @param [in] flags
 * Not used.
 *
 * @return -EOPNOTSUPP. The log says so once.
 *
 * @note Thread safe.
 */
int onload_msg_template_update(
	int fd, onload_template_handle handle,
	const struct onload_template_msg_update_iovec *updates, int ulen,
	unsigned int flags);

/**
 * @brief Drop a message that is prepared. Not supported.
 *
 * @param [in] fd
 * Not used.
 * @param [in] handle
 * Not used.
 *
 * @return -EOPNOTSUPP. The log says so once.
 *
 * @note Thread safe.
 */
int onload_msg_template_abort(int fd, onload_template_handle handle);

#ifdef __cplusplus
}
#endif

#endif /* ONLOAD_EXTENSIONS_ZC_H */
