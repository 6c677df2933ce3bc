/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Zero-copy receive on sockets of the kernel, and past it. What each file is for, from below:
 *
 *	base/		real.c		libc's functions that ours stand before
 *			clock.c		the time
 *			log.c		lines on standard error
 *			stats.c		what doca_zc(1) sees
 *			xdp.c		the library that goes past the kernel
 *	pool/		chunk.c		what an interface has of its buffers
 *			pool.c		buffers, and their owners
 *			field.c		those of interfaces
 *	bypass/		queue.c		what waits in the kernel
 *			route.c		by which interface a socket receives, and to which addresses
 *			siblings.c	other sockets that receive the same
 *			control.c	control messages
 *			interface.c	interfaces
 *			bypass.c	what a socket receives past the kernel
 *			group.c		the groups that it has joined
 *			wait.c		calls that wait for both paths
 *	socket/		sock.c		what is known of a file descriptor
 *			fork.c		what a child has of all that
 *			find.c		the socket of a file descriptor
 *	calls/		recv.c		onload_zc_recv()
 *			buffers.c	allocation and release
 *			plain.c		recvmsg() of a socket that bypasses the kernel
 *			filter.c	recv() and its likes, with a filter
 *			ready.c		poll(), select() and epoll
 *			descriptor.c	close(), dup(), connect(), setsockopt()
 *			stack.c		names and options of stacks, spinning, file descriptors
 *			refuse.c	what is not supported
 *
 * The library is preloaded into programs that may never use it. So it is made for little:
 * nothing is allocated and no file is open before the first call of ours, it needs libc
 * alone, and of the names that it takes only those stand before libc's that it cannot do
 * without.
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
/* Of a library that is there from the start, so it needs nothing of the loader. */
#define PER_THREAD static __thread __attribute__((tls_model("initial-exec")))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define BUFFER_SIZE 2048
/* Datagrams that may wait past the kernel, for each socket and receive queue. */
#define RING_MAX 1024
/* Of the largest datagram, 65527 bytes by IPv6. */
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

/* Also good before our constructor has run, as in those of other libraries. */
const struct real *real(void);

/* base/clock.c: in ns */
uint64_t now(void);

/* base/log.c; one line without a newline, errno is left as it was */
__attribute__((cold, format(printf, 1, 2))) void log_error(const char *fmt,
							   ...);
__attribute__((cold, format(printf, 1, 2))) void log_info(const char *fmt, ...);

/* base/stats.c */

/* Makes it if need be; private memory if there can be no memfd. */
struct stats *stats_get(void);
/* A place for another socket, under the lock of sock.c. */
struct stats_socket *stats_show(int fd, uint64_t cookie);
/* Those of a socket may be NULL. Another one has the place now. */
void stats_restart(struct stats_socket *s, uint64_t cookie);
void stats_set_path(struct stats_socket *s, const char *path,
		    const char *reason);

enum stats_event { DATAGRAM, PAST, NO_BUFFER, NOT_INLINE, BAD, PARTIAL };
void stats_count(struct stats_socket *s, enum stats_event event, size_t bytes);

/* pool/pool.c: 0 or a negative errno */

/*
 * Buffers for one datagram, held between two calls of the kernel. A buffer that is not held
 * is free or the program's.
 */
struct landing {
	uint32_t index[BUFFERS_MAX];
	struct iovec vec[BUFFERS_MAX];
};

/*
 * Buffers that the program keeps of a socket; of the @socket-th that had its number. A few
 * may always be kept, so that who keeps all of the pool does not starve others.
 */
struct quota {
	uint32_t kept;
	uint32_t socket;
};

void pool_begin_quota(struct quota *quota);
/* Whether another buffer may be the program's, behind pool_open(): without a lock. */
bool pool_may_keep(const struct quota *quota);

/* The pool, at its first use. */
int pool_open(void);
/* Whatever its size: the program may have as many as DOCA_ZC_BUFFERS. -ENOBUFS */
int pool_land(struct landing *landing, const struct quota *quota);
void pool_cancel(const struct landing *landing);
/*
 * The first of them, as many as @len bytes need, are the program's, described by @iov; the
 * others are free. Returns how many there are.
 */
unsigned int pool_deliver(const struct landing *landing, size_t len,
			  struct onload_zc_iovec *iov, struct quota *quota);
/*
 * Free again, unless that has been done or it is a forked child. Unless it is settled the
 * kernel has it back only with another one, or by pool_settle().
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
/* The kernel has its buffers then, but for those that the program keeps. */
int pool_open_host(unsigned int field, struct xsk_attr *attr, struct xsk **host,
		   struct xsk_why *why);
void pool_close_host(unsigned int field);
/* Entries of a ring for frames that wait on it, each of which has a chunk; 0: there are none. */
uint32_t pool_ring(unsigned int field);
void pool_drop_ring(unsigned int field, uint32_t ring);
/*
 * A chunk that came from the kernel is in the hand of a thread: it stays so where its host is
 * closed meanwhile, and opened again. With the lock of its bypass, which the host outlives.
 */
void pool_take_chunk(unsigned int field, uint32_t chunk);
/* It, or a copy, is the program's; or it is the kernel's again. */
void pool_deliver_chunk(unsigned int field, uint32_t chunk, void *data,
			size_t len, struct onload_zc_iovec *iov,
			struct quota *quota);
void pool_drop_chunk(unsigned int field, uint32_t chunk);

/* socket/sock.c */

/*
 * A file descriptor that was seen to be a UDP socket. There is one for each number, which
 * stays; another socket of that number is recognized by its cookie.
 *
 * @bypass: is always there
 * @inner: in place of it in an epoll set, and 1; 0 if there is none
 * @error: that a call had no way to tell; the next one does
 * @bound: its address was read, and it had one
 * @multicast: it may get datagrams that others get as well
 * @quota: of the pool
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
 * The socket of a number that was seen, and bypasses the kernel or might; or NULL. One
 * load, for calls that have nothing to do with all this.
 */
struct sock *sock_live(int fd);
struct sock *sock_known(int fd);
/* That of this cookie, with a place to be counted in, or NULL. */
struct sock *sock_find(int fd, uint64_t cookie);
/* There it is made, if need be: -ESOCKTNOSUPPORT, -ENOMEM */
int sock_make(int fd, uint64_t cookie, struct sock **sock);
int sock_cookie(int fd, uint64_t *cookie);
/* Is it still that of the number? */
bool sock_is(int fd, const struct sock *sock);
/* The number means nothing any more. */
void sock_forget(int fd);
/* NULL if it has none */
onload_zc_recv_filter_callback sock_filter(int fd, void **arg);
void sock_set_filter(struct sock *sock, uint64_t cookie,
		     onload_zc_recv_filter_callback filter, void *arg);
/* Is there any filter? For the many calls of programs that have none. */
extern atomic_bool sock_filters;

/* socket/find.c: -EBADF, -ENOTSOCK, -ESOCKTNOSUPPORT, -ENOMEM */
int sock_get(int fd, struct sock **sock, uint64_t *cookie);

/*
 * socket/fork.c. A child has sockets, and neither buffers nor counters. -ENOMEM. Locks are
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
 * Is there a datagram, which stays where it is? 1 if so, 0 if the socket was shut down, or a
 * negative errno. With flags 0 it waits as recvmsg() does.
 */
int queue_peek(int fd, int flags);
/* Is there one? */
bool queue_has_some(int fd);

/* calls/stack.c */
bool spin_wanted(void);

#endif /* DOCA_ONLOAD_ZC_H */
