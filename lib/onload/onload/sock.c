// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * File descriptors. close() and dup() are not stood before: what there was known of a file
 * descriptor is known by the cookie of its socket, which the kernel gives once, so it does
 * not matter how the number has come to mean another one.
 */
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ear.h"

#define SOCKS_MAX 65536

static _Atomic(struct sock *) socks[SOCKS_MAX];
static int highest = -1;
static unsigned int nr_shown;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

atomic_bool sock_filters;

void sock_lock(void)
{
	pthread_mutex_lock(&lock);
}

void sock_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

/* Locks of ears may have been another thread's; and what is in an epoll set, it shares. */
void sock_leave_to_parent(void)
{
	nr_shown = 0;
	for (int fd = 0; fd <= highest; fd++) {
		struct sock *s = atomic_load(&socks[fd]);

		if (!s)
			continue;
		atomic_store(&s->stats, NULL);
		s->quota.socket++;
		s->quota.kept = 0;
		pthread_mutex_init(&s->ear->lock, NULL);
		ear_close(s->ear, true);
		atomic_store(&s->ear->state, EAR_UNKNOWN);
		atomic_store(&s->ear->barred,
			     "its socket is that of another process, too");
	}
}

static int option(int fd, int name)
{
	socklen_t len = sizeof(int);
	int value;

	return getsockopt(fd, SOL_SOCKET, name, &value, &len) ? -1 : value;
}

static bool is_udp(int fd)
{
	const int domain = option(fd, SO_DOMAIN);

	return (domain == AF_INET || domain == AF_INET6) &&
	       option(fd, SO_TYPE) == SOCK_DGRAM &&
	       option(fd, SO_PROTOCOL) == IPPROTO_UDP;
}

/* Joining a group is seen in setsockopt(). */
static void look_at_address(int fd, struct sock *s)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} addr = {};
	socklen_t len = sizeof(addr);
	bool multicast;

	if (getsockname(fd, &addr.any, &len) || !addr.in.sin_port)
		return;
	multicast = addr.any.sa_family == AF_INET6 ?
			    IN6_IS_ADDR_MULTICAST(&addr.in6.sin6_addr) :
			    IN_MULTICAST(ntohl(addr.in.sin_addr.s_addr));
	if (multicast)
		atomic_store(&s->multicast, true);
	atomic_store(&s->bound, true);
}

/* Nowhere, where there are too many to be shown. */
static struct stats_socket *show(int fd, uint64_t cookie)
{
	static struct stats_socket unseen;
	struct stats_socket *s = &unseen;

	if (nr_shown < STATS_SOCKETS)
		s = &share_get()->sockets[nr_shown++];
	s->fd = fd;
	strcpy(s->path, "kernel");
	__atomic_store_n(&s->cookie, cookie, __ATOMIC_RELEASE);
	return s;
}

static void forget_ear(struct sock *s)
{
	const int inner = atomic_exchange(&s->inner, 0) - 1;
	struct ear *ear = s->ear;

	ears_lock();
	pthread_mutex_lock(&ear->lock);
	ear_close(ear, false);
	atomic_store(&ear->state, EAR_UNKNOWN);
	pthread_mutex_unlock(&ear->lock);
	atomic_store(&ear->barred, NULL);
	atomic_store(&ear->groups_only, false);
	ear->nr_groups = 0;
	ear->lost = 0;
	if (inner >= 0)
		real()->close(inner);
	ears_unlock();
}

/* Another socket has the number now. The old one's counters end. */
static void begin(struct sock *s, uint64_t cookie)
{
	struct stats_socket *shown = atomic_load(&s->stats);

	atomic_store(&s->error, 0);
	atomic_store(&s->bound, false);
	atomic_store(&s->multicast, false);
	s->filter = NULL;
	forget_ear(s);
	pool_begin_quota(&s->quota);
	if (shown) {
		strcpy(shown->path, "kernel");
		*shown->reason = '\0';
		__atomic_store_n(&shown->past, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&shown->bad, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&shown->partial, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&shown->lost, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&shown->datagrams, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&shown->bytes, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&shown->no_buffer, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&shown->not_inline, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&shown->cookie, cookie, __ATOMIC_RELAXED);
	}
	atomic_store(&s->cookie, cookie);
}

static struct sock *make(int fd)
{
	struct sock *s = calloc(1, sizeof(*s));

	if (s)
		s->ear = ear_new();
	if (!s || !s->ear) {
		free(s);
		return NULL;
	}
	atomic_store(&socks[fd], s);
	if (fd > highest)
		highest = fd;
	return s;
}

/* The first call for a socket, or in a child. */
static int look(int fd, uint64_t cookie, struct sock **sock)
{
	struct sock *s;
	int err;

	if (fd >= SOCKS_MAX || !is_udp(fd))
		return -ESOCKTNOSUPPORT;
	err = fork_watch();
	if (err)
		return err;
	pthread_mutex_lock(&lock);
	s = atomic_load(&socks[fd]);
	if (!s)
		s = make(fd);
	if (s && atomic_load(&s->cookie) != cookie)
		begin(s, cookie);
	if (s && !atomic_load(&s->stats))
		atomic_store(&s->stats, show(fd, cookie));
	pthread_mutex_unlock(&lock);
	*sock = s;
	return s ? 0 : -ENOMEM;
}

static int cookie_of(int fd, uint64_t *cookie)
{
	socklen_t len = sizeof(*cookie);

	return getsockopt(fd, SOL_SOCKET, SO_COOKIE, cookie, &len) ? -errno : 0;
}

int sock_get(int fd, struct sock **sock, uint64_t *cookie)
{
	struct sock *s;
	int err;

	err = cookie_of(fd, cookie);
	if (err == -EOPNOTSUPP || err == -ENOPROTOOPT)
		return -ESOCKTNOSUPPORT;
	if (err)
		return err;
	s = fd < SOCKS_MAX ? atomic_load(&socks[fd]) : NULL;
	if (!s || atomic_load(&s->cookie) != *cookie ||
	    !atomic_load(&s->stats)) {
		err = look(fd, *cookie, &s);
		if (err)
			return err;
	}
	if (!atomic_load(&s->bound))
		look_at_address(fd, s);
	*sock = s;
	return 0;
}

bool sock_is(int fd, const struct sock *sock)
{
	int saved = errno;
	uint64_t cookie;
	const bool same = !cookie_of(fd, &cookie) &&
			  cookie == atomic_load(&sock->cookie);

	errno = saved;
	return same;
}

struct sock *sock_known(int fd)
{
	struct sock *s = fd >= 0 && fd < SOCKS_MAX ? atomic_load(&socks[fd]) :
						     NULL;

	return s && atomic_load(&s->cookie) ? s : NULL;
}

struct sock *sock_live(int fd)
{
	struct sock *s =
		fd >= 0 && fd < SOCKS_MAX ?
			atomic_load_explicit(&socks[fd], memory_order_relaxed) :
			NULL;

	return s && ear_is_live(s->ear) ? s : NULL;
}

/*
 * Of most there is nothing to be forgotten; the next of that number has another cookie. Where
 * ears are closed, what AF_XDP had is closed by close() as well; that was none of them.
 */
void sock_forget(int fd)
{
	struct sock *s = sock_known(fd);

	if (!s || (!ear_is_live(s->ear) && !atomic_load(&s->inner)) ||
	    ears_are_locked())
		return;
	pthread_mutex_lock(&lock);
	begin(s, 0);
	pthread_mutex_unlock(&lock);
}

onload_zc_recv_filter_callback sock_filter(int fd, void **arg)
{
	onload_zc_recv_filter_callback filter = NULL;
	uint64_t cookie;
	struct sock *s;

	s = fd >= 0 && fd < SOCKS_MAX ? atomic_load(&socks[fd]) : NULL;
	if (!s || cookie_of(fd, &cookie) || cookie != atomic_load(&s->cookie))
		return NULL;
	pthread_mutex_lock(&lock);
	if (atomic_load(&s->cookie) == cookie) {
		filter = s->filter;
		*arg = s->filter_arg;
	}
	pthread_mutex_unlock(&lock);
	return filter;
}

int sock_set_filter(int fd, onload_zc_recv_filter_callback filter, void *arg)
{
	uint64_t cookie;
	struct sock *s;
	int err;

	err = sock_get(fd, &s, &cookie);
	if (err)
		return err;
	pthread_mutex_lock(&lock);
	if (atomic_load(&s->cookie) == cookie) {
		s->filter = filter;
		s->filter_arg = arg;
	}
	pthread_mutex_unlock(&lock);
	if (filter)
		atomic_store(&sock_filters, true);
	return 0;
}

void sock_count(struct sock *sock, enum sock_count what, size_t bytes)
{
	struct stats_socket *s = atomic_load(&sock->stats);

	if (!s)
		return;
	switch (what) {
	case DATAGRAM:
		share_count(&s->datagrams, 1);
		share_count(&s->bytes, bytes);
		break;
	case PAST:
		share_count(&s->datagrams, 1);
		share_count(&s->bytes, bytes);
		share_count(&s->past, 1);
		break;
	case BAD:
		share_count(&s->bad, 1);
		break;
	case PARTIAL:
		share_count(&s->partial, 1);
		break;
	case NO_BUFFER:
		share_count(&s->no_buffer, 1);
		break;
	case NOT_INLINE:
		share_count(&s->not_inline, 1);
		break;
	}
}

/* Joined and left groups, and options that an ear does not have. */
EXPORT int setsockopt(int fd, int level, int name, const void *value,
		      socklen_t len)
{
	int ret = real()->setsockopt(fd, level, name, value, len);
	int saved = errno;
	uint64_t cookie;
	struct sock *s;

	if (ret)
		return ret;
	if (group_is_of(level, name)) {
		if (!sock_get(fd, &s, &cookie))
			group_change(fd, s, level, name, value, len);
	} else {
		s = sock_known(fd);
		if (s)
			atomic_store(&s->ear->changed, true);
	}
	errno = saved;
	return 0;
}
