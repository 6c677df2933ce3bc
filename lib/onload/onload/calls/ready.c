// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Readiness to receive, by either path. poll() and select() ask for the bypass as well. In
 * an epoll set, an epoll of our own takes the socket's place and has both in it: so edges,
 * EPOLLONESHOT and the rest are the kernel's.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <time.h>

#include "../bypass/bypass.h"

#define ON_STACK 64

/* Return the bypass's descriptor, or -1. */
static int bypass_fd_of(int fd)
{
	struct sock *sock = sock_live(fd);
	int its = -1;

	if (!sock)
		return -1;
	pthread_mutex_lock(&sock->bypass->lock);
	if (sock->bypass->xsk)
		its = xdp_get()->fd(sock->bypass->xsk);
	pthread_mutex_unlock(&sock->bypass->lock);
	return its;
}

static bool is_any_live(const struct pollfd *fds, nfds_t nr)
{
	for (nfds_t i = 0; i < nr; i++)
		if (fds[i].fd >= 0 && sock_live(fds[i].fd))
			return true;
	return false;
}

/*
 * After @fds, @both has the bypasses of some of them, which are marked. There are no other
 * bypasses, for the kernel takes no more descriptors than a process may have open.
 */
static nfds_t add_bypasses(struct pollfd *fds, nfds_t nr, struct pollfd *both)
{
	nfds_t all = nr;

	for (nfds_t i = 0; i < nr; i++) {
		const bool in = fds[i].events & (POLLIN | POLLRDNORM);
		const int its = in && fds[i].fd >= 0 ? bypass_fd_of(fds[i].fd) :
						       -1;

		both[i] = fds[i];
		both[i].revents = 0;
		fds[i].revents = its >= 0;
		if (its >= 0)
			both[all++] = (struct pollfd){ its, POLLIN, 0 };
	}
	return all;
}

static int poll_both(struct pollfd *fds, nfds_t nr, struct pollfd *both,
		     const struct timespec *timeout, const sigset_t *mask)
{
	const struct pollfd *bypass = both + nr;
	const nfds_t all = add_bypasses(fds, nr, both);
	int ret = real()->ppoll(both, all, timeout, mask), ready = 0;

	for (nfds_t i = 0; i < nr; i++) {
		const bool is_received = fds[i].revents && bypass++->revents;

		fds[i].revents = both[i].revents;
		if (is_received)
			fds[i].revents |= fds[i].events & (POLLIN | POLLRDNORM);
		ready += fds[i].revents != 0;
	}
	return ret < 0 ? ret : ready;
}

static int poll_live(struct pollfd *fds, nfds_t nr,
		     const struct timespec *timeout, const sigset_t *mask)
{
	struct pollfd few[2 * ON_STACK], *both = few;
	int ret;

	if (nr > ON_STACK)
		both = calloc(2 * nr, sizeof(*both));
	if (!both)
		return -1;
	ret = poll_both(fds, nr, both, timeout, mask);
	if (both != few)
		free(both);
	return ret;
}

EXPORT int ppoll(struct pollfd *fds, nfds_t nr, const struct timespec *timeout,
		 const sigset_t *mask)
{
	if (!is_any_live(fds, nr))
		return real()->ppoll(fds, nr, timeout, mask);
	return poll_live(fds, nr, timeout, mask);
}

EXPORT int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	const struct timespec limit = { timeout / 1000,
					timeout % 1000 * 1000000L };

	if (!is_any_live(fds, nr))
		return real()->poll(fds, nr, timeout);
	return poll_live(fds, nr, timeout < 0 ? NULL : &limit, NULL);
}

/* Called by programs that are compiled with _FORTIFY_SOURCE. */
int __poll_chk(struct pollfd *fds, nfds_t nr, int timeout, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t nr, const struct timespec *timeout,
		const sigset_t *mask, size_t room);

EXPORT int __poll_chk(struct pollfd *fds, nfds_t nr, int timeout, size_t room)
{
	if (room / sizeof(*fds) < nr)
		abort();
	return poll(fds, nr, timeout);
}

EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t nr,
		       const struct timespec *timeout, const sigset_t *mask,
		       size_t room)
{
	if (room / sizeof(*fds) < nr)
		abort();
	return ppoll(fds, nr, timeout, mask);
}

static bool is_any_selected(int nr, const fd_set *in)
{
	for (int fd = 0; in && fd < nr && fd < FD_SETSIZE; fd++)
		if (FD_ISSET(fd, in) && sock_live(fd))
			return true;
	return false;
}

static nfds_t from_sets(int nr, const fd_set *in, const fd_set *out,
			const fd_set *except, struct pollfd *fds)
{
	nfds_t n = 0;

	for (int fd = 0; fd < nr && fd < FD_SETSIZE; fd++) {
		short events = 0;

		events |= in && FD_ISSET(fd, in) ? POLLIN | POLLRDNORM : 0;
		events |= out && FD_ISSET(fd, out) ? POLLOUT : 0;
		events |= except && FD_ISSET(fd, except) ? POLLPRI : 0;
		if (events)
			fds[n++] = (struct pollfd){ fd, events, 0 };
	}
	return n;
}

static int to_set(const struct pollfd *p, short wanted, short is, fd_set *set)
{
	if (!(p->events & wanted) || !(p->revents & is))
		return 0;
	FD_SET(p->fd, set);
	return 1;
}

static int select_live(int nr, fd_set *in, fd_set *out, fd_set *except,
		       const struct timespec *timeout, const sigset_t *mask)
{
	struct pollfd fds[FD_SETSIZE];
	const nfds_t n = from_sets(nr, in, out, except, fds);
	int ret = poll_live(fds, n, timeout, mask), bits = 0;

	if (ret < 0)
		return ret;
	for (nfds_t i = 0; i < n; i++) {
		if (fds[i].revents & POLLNVAL) {
			errno = EBADF;
			return -1;
		}
	}
	for (fd_set **set = (fd_set *[]){ in, out, except, NULL }, **s = set;
	     s < set + 3; s++)
		if (*s)
			FD_ZERO(*s);
	for (nfds_t i = 0; i < n; i++) {
		bits += to_set(&fds[i], POLLIN, POLLIN | POLLHUP | POLLERR, in);
		bits += to_set(&fds[i], POLLOUT, POLLOUT | POLLERR, out);
		bits += to_set(&fds[i], POLLPRI, POLLPRI, except);
	}
	return bits;
}

EXPORT int pselect(int nr, fd_set *restrict in, fd_set *restrict out,
		   fd_set *restrict except,
		   const struct timespec *restrict timeout,
		   const sigset_t *restrict mask)
{
	if (!is_any_selected(nr, in))
		return real()->pselect(nr, in, out, except, timeout, mask);
	return select_live(nr, in, out, except, timeout, mask);
}

/* As on Linux, the rest of the time is left in @timeout. */
EXPORT int select(int nr, fd_set *restrict in, fd_set *restrict out,
		  fd_set *restrict except, struct timeval *restrict timeout)
{
	struct timespec limit;
	uint64_t end, at;
	int ret;

	if (!is_any_selected(nr, in))
		return real()->select(nr, in, out, except, timeout);
	if (!timeout)
		return select_live(nr, in, out, except, NULL, NULL);
	/* select() accepts more than a second in tv_usec, but ppoll() does not. */
	limit = (struct timespec){ timeout->tv_sec + timeout->tv_usec / 1000000,
				   timeout->tv_usec % 1000000 * 1000 };
	end = now() + limit.tv_sec * 1000000000ull + limit.tv_nsec;
	ret = select_live(nr, in, out, except, &limit, NULL);
	at = now();
	end = at < end ? end - at : 0;
	*timeout =
		(struct timeval){ end / 1000000000, end % 1000000000 / 1000 };
	return ret;
}

static void tell_length(const struct received *received, void *arg)
{
	*(int *)arg = received->d.length;
}

/* FIONREAD: return the length of the next datagram. */
EXPORT int ioctl(int fd, unsigned long request, ...)
{
	struct sock *sock = request == FIONREAD ? sock_live(fd) : NULL;
	va_list args;
	void *arg;
	int ret;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	ret = real()->ioctl(fd, request, arg);
	/* The kernel has written there, so the pointer is valid. */
	if (!ret && sock && sock_is(fd, sock))
		bypass_peek(sock, tell_length, arg);
	return ret;
}

static int make_inner(int fd, struct sock *sock)
{
	struct epoll_event event = { .events = EPOLLIN };
	int inner = epoll_create1(EPOLL_CLOEXEC), its;

	if (inner < 0)
		return -1;
	its = bypass_fd_of(fd);
	if (real()->epoll_ctl(inner, EPOLL_CTL_ADD, fd, &event) ||
	    (its >= 0 &&
	     real()->epoll_ctl(inner, EPOLL_CTL_ADD, its, &event))) {
		real()->close(inner);
		return -1;
	}
	atomic_store(&sock->inner, inner + 1);
	return inner;
}

/*
 * Make it at the first use; -1 if the socket is to be in the set itself. It takes the lock
 * under which a bypass begins, so that one of the two sees the other.
 */
static int inner_of(int fd, struct sock *sock)
{
	int inner;

	bypass_lock_all();
	inner = atomic_load(&sock->inner) - 1;
	if (inner < 0)
		inner = make_inner(fd, sock);
	bypass_unlock_all();
	return inner;
}

/* It only knows about receiving; and an epoll cannot be added as exclusive. */
static bool may_stand(const struct epoll_event *event)
{
	return event && event->events & EPOLLIN &&
	       !(event->events & (EPOLLOUT | EPOLLPRI | EPOLLEXCLUSIVE));
}

static int control(int epfd, int op, int fd, struct sock *sock,
		   struct epoll_event *event)
{
	int inner = atomic_load(&sock->inner) - 1, ret;

	if (op == EPOLL_CTL_ADD) {
		inner = may_stand(event) ? inner_of(fd, sock) : -1;
		if (inner < 0)
			bypass_bar(fd, sock,
				   "epoll is asked for more than EPOLLIN");
		return real()->epoll_ctl(epfd, op, inner < 0 ? fd : inner,
					 event);
	}
	if (inner < 0)
		return real()->epoll_ctl(epfd, op, fd, event);
	if (op == EPOLL_CTL_MOD && !may_stand(event)) {
		bypass_bar(fd, sock, "epoll is asked for more than EPOLLIN");
		if (!real()->epoll_ctl(epfd, EPOLL_CTL_DEL, inner, NULL))
			op = EPOLL_CTL_ADD;
		return real()->epoll_ctl(epfd, op, fd, event);
	}
	ret = real()->epoll_ctl(epfd, op, inner, event);
	return ret && errno == ENOENT ? real()->epoll_ctl(epfd, op, fd, event) :
					ret;
}

EXPORT int epoll_ctl(int epfd, int op, int fd, struct epoll_event *event)
{
	struct sock *sock;
	uint64_t cookie;
	int saved = errno;

	if (xdp_wanted() == WANT_KERNEL || sock_get(fd, &sock, &cookie)) {
		errno = saved;
		return real()->epoll_ctl(epfd, op, fd, event);
	}
	errno = saved;
	return control(epfd, op, fd, sock, event);
}
