// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Wait for both paths: in slices, to renew the lease meanwhile. */
#include <errno.h>
#include <fcntl.h>

#include "bypass.h"

bool bypass_may_wait(int fd, int flags, uint64_t *end)
{
	struct timeval limit = {};
	socklen_t len = sizeof(limit);

	*end = 0;
	if (flags & MSG_DONTWAIT || fcntl(fd, F_GETFL) & O_NONBLOCK)
		return false;
	if (!getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, &len) &&
	    (limit.tv_sec || limit.tv_usec))
		*end = now() + limit.tv_sec * 1000000000ull +
		       limit.tv_usec * 1000ull;
	return true;
}

/* The thread raises these itself, but it waits. */
static bool is_fault(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGILL ||
	       sig == SIGFPE || sig == SIGTRAP || sig == SIGABRT;
}

/*
 * Return true if the kernel would continue recvmsg() after a signal's handler; it would not
 * continue ppoll(). It is not known which signal it was, so all handlers must say so.
 */
static bool handlers_restart(void)
{
	struct sigaction action;

	for (int i = 1; i < NSIG; i++) {
		if (is_fault(i) || sigaction(i, NULL, &action))
			continue;
		if (action.sa_handler != SIG_DFL &&
		    action.sa_handler != SIG_IGN &&
		    !(action.sa_flags & SA_RESTART))
			return false;
	}
	return true;
}

static int wait_failed(uint64_t end)
{
	const int err = errno;

	return err == EINTR && !end && handlers_restart() ? 0 : -err;
}

int bypass_wait(int fd, struct sock *sock, uint64_t end)
{
	struct pollfd p[2] = { { .fd = fd, .events = POLLIN | POLLRDHUP },
			       { .fd = -1, .events = POLLIN } };
	uint64_t at = now(), ns = ATTEND_NS;
	struct timespec limit;

	if (end && at >= end)
		return -ETIMEDOUT;
	if (end && end - at < ns)
		ns = end - at;
	limit = (struct timespec){ .tv_nsec = ns };
	pthread_mutex_lock(&sock->bypass->lock);
	if (sock->bypass->xsk)
		p[1].fd = xdp_get()->fd(sock->bypass->xsk);
	pthread_mutex_unlock(&sock->bypass->lock);
	if (real()->ppoll(p, 2, &limit, NULL) < 0)
		return wait_failed(end);
	/*
	 * If the interface has gone, poll() returns at once. But mostly another thread was faster,
	 * so only make the lease look old.
	 */
	if (p[1].revents & POLLIN && !p[0].revents && !bypass_pending(sock))
		atomic_fetch_sub(&sock->bypass->attended, ATTEND_NS);
	return p[0].revents & POLLRDHUP ? -ESHUTDOWN : 0;
}
