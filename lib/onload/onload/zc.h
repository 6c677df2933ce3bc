/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Zero-copy receive on sockets of the kernel, and past it. The files, from below:
 *
 *	base/		real.c		libc's functions that ours replace
 *			clock.c		the time
 *			log.c		lines on standard error
 *			stats.c		counters for doca_zc(1)
 *			xdp.c		the library that goes past the kernel
 *	pool/		chunk.c		an interface's view of its buffers
 *			pool.c		buffers, and their owners
 *			field.c		buffers of interfaces
 *	bypass/		queue.c		datagrams that wait in the kernel
 *			route.c		the interface and the addresses of a socket
 *			siblings.c	other sockets that receive the same
 *			control.c	control messages
 *			interface.c	interfaces
 *			bypass.c	a socket's path past the kernel
 *			group.c		the groups that it has joined
 *			wait.c		calls that wait for both paths
 *	socket/		sock.c		state of a file descriptor
 *			fork.c		the state that a child inherits
 *			find.c		the socket of a file descriptor
 *	calls/		recv.c		onload_zc_recv()
 *			buffers.c	allocation and release
 *			plain.c		recvmsg() of a socket that bypasses the kernel
 *			filter.c	recv() and similar functions, with a filter
 *			ready.c		poll(), select() and epoll
 *			descriptor.c	close(), dup(), connect(), setsockopt()
 *			stack.c		names and options of stacks, spinning, file descriptors
 *			refuse.c	unsupported functions
 *
 * The library is preloaded into programs that may never use it. So it costs little: it
 * allocates nothing and opens no file before the first call of ours, it needs libc alone,
 * and it replaces only those of libc's functions that it cannot do without.
 */
#ifndef DOCA_ONLOAD_ZC_H
#define DOCA_ONLOAD_ZC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>

#include <onload/extensions.h>
#include <onload/extensions_zc.h>

#include "base/stats.h"

#define EXPORT __attribute__((visibility("default")))
/* The library is loaded at the start, so this needs no call of the loader. */
#define PER_THREAD static __thread __attribute__((tls_model("initial-exec")))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define BUFFER_SIZE 2048
/* Datagrams that may wait past the kernel, for each socket and receive queue. */
#define RING_MAX 1024
/* for the largest datagram, 65527 bytes in IPv6 */
#define BUFFERS_MAX 32

/* Offsets that programs were compiled with. */
_Static_assert(sizeof(struct onload_zc_iovec) == 32, "ABI");
_Static_assert(offsetof(struct onload_zc_iovec, buf) == 16, "ABI");
_Static_assert(offsetof(struct onload_zc_iovec, app_cookie) == 24, "ABI");
_Static_assert(sizeof(struct onload_zc_msg) == 64, "ABI");
_Static_assert(offsetof(struct onload_zc_msg, msghdr) == 8, "ABI");
_Static_assert(sizeof(struct onload_zc_recv_args) == 88, "ABI");
_Static_assert(offsetof(struct onload_zc_recv_args, cb) == 64, "ABI");
_Static_assert(offsetof(struct onload_zc_recv_args, user_ptr) == 72, "ABI");
_Static_assert(offsetof(struct onload_zc_recv_args, flags) == 80, "ABI");
_Static_assert(sizeof(struct onload_zc_mmsg) == 72, "ABI");
_Static_assert(offsetof(struct onload_zc_mmsg, rc) == 64, "ABI");
_Static_assert(sizeof(enum onload_zc_callback_rc) == 4, "ABI");

/* base/real.c */
struct real {
	ssize_t (*recv)(int fd, void *buf, size_t len, int flags);
	ssize_t (*recvfrom)(int fd, void *buf, size_t len, int flags,
			    struct sockaddr *addr, socklen_t *addr_len);
	ssize_t (*recvmsg)(int fd, struct msghdr *msg, int flags);
	int (*recvmmsg)(int fd, struct mmsghdr *msgs, unsigned int nr,
			int flags, struct timespec *timeout);
	ssize_t (*read)(int fd, void *buf, size_t len);
	ssize_t (*readv)(int fd, const struct iovec *iov, int nr);
	ssize_t (*recv_chk)(int fd, void *buf, size_t len, size_t room,
			    int flags);
	ssize_t (*recvfrom_chk)(int fd, void *buf, size_t len, size_t room,
				int flags, struct sockaddr *addr,
				socklen_t *addr_len);
	ssize_t (*read_chk)(int fd, void *buf, size_t len, size_t room);
	int (*setsockopt)(int fd, int level, int name, const void *value,
			  socklen_t len);
	int (*close)(int fd);
	int (*dup)(int fd);
	int (*dup2)(int fd, int to);
	int (*dup3)(int fd, int to, int flags);
	int (*connect)(int fd, const struct sockaddr *addr, socklen_t len);
	int (*poll)(struct pollfd *fds, nfds_t nr, int timeout);
	int (*ppoll)(struct pollfd *fds, nfds_t nr,
		     const struct timespec *timeout, const sigset_t *mask);
	int (*select)(int nr, fd_set *in, fd_set *out, fd_set *except,
		      struct timeval *timeout);
	int (*pselect)(int nr, fd_set *in, fd_set *out, fd_set *except,
		       const struct timespec *timeout, const sigset_t *mask);
	int (*epoll_ctl)(int epfd, int op, int fd, struct epoll_event *event);
	int (*ioctl)(int fd, unsigned long request, ...);
};

/* Valid even before our constructor has run, in those of other libraries. */
const struct real *real(void);

/* base/clock.c: in ns */
uint64_t now(void);

/* base/log.c: one line without a newline; errno is preserved */
__attribute__((cold, format(printf, 1, 2))) void log_error(const char *fmt,
							   ...);
__attribute__((cold, format(printf, 1, 2))) void log_info(const char *fmt, ...);

/* base/stats.c */

/* Make the counters if needed; in private memory if there can be no memfd. */
struct stats *stats_get(void);
/* Make a place for another socket, under the lock of sock.c. */
struct stats_socket *stats_show(int fd, uint64_t cookie);
/*
 * @s may be NULL. The place now belongs to another socket.
 */
void stats_restart(struct stats_socket *s, uint64_t cookie);
void stats_set_path(struct stats_socket *s, const char *path,
		    const char *reason);

enum stats_event { DATAGRAM, PAST, NO_BUFFER, NOT_INLINE, BAD, PARTIAL };
void stats_count(struct stats_socket *s, enum stats_event event, size_t bytes);

/* pool/pool.c: functions return 0 or a negative errno */

/*
 * Buffers for one datagram, held between two calls of the kernel. A buffer that is not held
 * is free, or the program has it.
 */
struct landing {
	uint32_t index[BUFFERS_MAX];
	struct iovec vec[BUFFERS_MAX];
};

/*
 * Buffers of a socket that the program keeps; @socket counts the sockets that had its
 * number. A few may always be kept, so that a socket that keeps the whole pool does not
 * starve others.
 */
struct quota {
	uint32_t kept;
	uint32_t socket;
};

void pool_begin_quota(struct quota *quota);
/* Return true if the program may have another buffer; call it after pool_open(), without a lock. */
bool pool_may_keep(const struct quota *quota);

/* Make the pool at its first use. */
int pool_open(void);
/*
 * Hold buffers for a datagram of any size, while the program has fewer than
 * DOCA_ZC_BUFFERS. -ENOBUFS
 */
int pool_land(struct landing *landing, const struct quota *quota);
void pool_cancel(const struct landing *landing);
/*
 * Give the program the first of them, as many as @len bytes need, described by @iov, and
 * free the others. Return their number.
 */
unsigned int pool_deliver(const struct landing *landing, size_t len,
			  struct onload_zc_iovec *iov, struct quota *quota);
/*
 * Free a buffer again, unless that was done or this is a forked child. Without @settle
 * the kernel gets it back only with another one, or by pool_settle().
 */
void pool_take_back(onload_zc_handle first, bool settle);
void pool_settle(void);
int pool_alloc(struct onload_zc_iovec *iov, unsigned int nr,
	       struct quota *quota);
int pool_release(const onload_zc_handle *bufs, unsigned int nr);

struct xsk;
struct xsk_attr;
struct xsk_why;

/* pool/field.c: buffers for an interface; there are 8 fields. -ENOSPC */
int pool_field(unsigned int *field, void **memory, size_t *length);
/* Give the kernel its buffers, but for those that the program keeps. */
int pool_open_host(unsigned int field, struct xsk_attr *attr, struct xsk **host,
		   struct xsk_why *why);
void pool_close_host(unsigned int field);
/*
 * Return the entries of a ring for frames that wait on it, each of which has a chunk; 0: none
 * are left.
 */
uint32_t pool_ring(unsigned int field);
void pool_drop_ring(unsigned int field, uint32_t ring);
/*
 * A thread takes a chunk that came from the kernel: the chunk stays with it even if the host
 * is closed meanwhile, and opened again. Call it with the lock of the bypass, which the host
 * outlives.
 */
void pool_take_chunk(unsigned int field, uint32_t chunk);
/* Give the program the chunk, or a copy; or give it back to the kernel. */
void pool_deliver_chunk(unsigned int field, uint32_t chunk, void *data,
			size_t len, struct onload_zc_iovec *iov,
			struct quota *quota);
void pool_drop_chunk(unsigned int field, uint32_t chunk);

/* socket/sock.c */

/*
 * A file descriptor that was seen to be a UDP socket. There is one for each number, which
 * stays; the cookie shows when another socket has the number.
 *
 * @bypass: always there
 * @inner: descriptor plus 1 of the epoll in its place in epoll sets; 0: none
 * @error: error that a call could not return; the next call does
 * @bound: its address was read, and it had one
 * @multicast: it may get datagrams that others get as well
 * @quota: its share of the pool
 * @stats: NULL in a forked child, until it is used there
 */
struct sock {
	struct bypass *bypass;
	_Atomic uint64_t cookie;
	atomic_int error;
	atomic_int inner;
	atomic_bool bound;
	atomic_bool multicast;
	struct quota quota;
	_Atomic(struct stats_socket *) stats;
	onload_zc_recv_filter_callback filter;
	void *filter_arg;
};

/*
 * Return the socket of a number that was seen, and bypasses the kernel or might; or
 * NULL. It costs one load in calls that have nothing to do with all this.
 */
struct sock *sock_live(int fd);
struct sock *sock_known(int fd);
/* Find the socket of this cookie, with a place for counters; NULL if there is none. */
struct sock *sock_find(int fd, uint64_t cookie);
/* Find it, or make it: -ESOCKTNOSUPPORT, -ENOMEM */
int sock_make(int fd, uint64_t cookie, struct sock **sock);
int sock_cookie(int fd, uint64_t *cookie);
/* Return true if the number still means this socket. */
bool sock_is(int fd, const struct sock *sock);
/* The number means nothing any more. */
void sock_forget(int fd);
/* Return NULL if it has none. */
onload_zc_recv_filter_callback sock_filter(int fd, void **arg);
void sock_set_filter(struct sock *sock, uint64_t cookie,
		     onload_zc_recv_filter_callback filter, void *arg);
/* True if there is any filter; for the many calls of programs without one. */
extern atomic_bool sock_filters;

/* socket/find.c: -EBADF, -ENOTSOCK, -ESOCKTNOSUPPORT, -ENOMEM */
int sock_get(int fd, struct sock **sock, uint64_t *cookie);

/*
 * socket/fork.c: a child has sockets, but neither buffers nor counters. -ENOMEM. Locks are
 * taken in this order: of sock.c, of all bypasses, of one bypass, of pool.c, of stats.c.
 */
int fork_watch(void);
void bypass_lock_all(void);
void bypass_unlock_all(void);
bool bypass_all_are_locked(void); /* by this thread */
void interfaces_leave_to_parent(void);
void sock_lock(void);
void sock_unlock(void);
void sock_leave_to_parent(void);
void pool_lock(void);
void pool_unlock(void);
void pool_leave_to_parent(void);
void stats_lock(void);
void stats_unlock(void);
void stats_leave_to_parent(void);

/* bypass/queue.c */
/*
 * Look for a datagram, and leave it. Return 1 if there is one, 0 if the socket was shut
 * down, or a negative errno. With flags 0 it waits like recvmsg().
 */
int queue_peek(int fd, int flags);
/* Return true if there is a datagram. */
bool queue_has_some(int fd);

/* calls/stack.c */
bool spin_wanted(void);

#endif /* DOCA_ONLOAD_ZC_H */
