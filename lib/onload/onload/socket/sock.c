// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * File descriptors. Facts about one belong to its socket's cookie, which the kernel gives only
 * once; so it does not matter how the number came to mean another socket.
 */
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../bypass/bypass.h"

#define SOCKS_MAX 65536

static _Atomic(struct sock *) socks[SOCKS_MAX];
static int highest = -1;
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

/* Other threads may have held the locks of bypasses; and entries of epoll sets are shared. */
void sock_leave_to_parent(void)
{
	for (int fd = 0; fd <= highest; fd++) {
		struct sock *s = atomic_load(&socks[fd]);

		if (!s)
			continue;
		atomic_store(&s->stats, NULL);
		s->quota.socket++;
		s->quota.kept = 0;
		pthread_mutex_init(&s->bypass->lock, NULL);
		bypass_close(s->bypass, true);
		atomic_store(&s->bypass->state, BYPASS_UNKNOWN);
		atomic_store(&s->bypass->barred,
			     "its socket is that of another process, too");
	}
}

static void forget_bypass(struct sock *s)
{
	const int inner = atomic_exchange(&s->inner, 0) - 1;
	struct bypass *bypass = s->bypass;

	bypass_lock_all();
	pthread_mutex_lock(&bypass->lock);
	bypass_close(bypass, false);
	atomic_store(&bypass->state, BYPASS_UNKNOWN);
	pthread_mutex_unlock(&bypass->lock);
	atomic_store(&bypass->barred, NULL);
	atomic_store(&bypass->groups_only, false);
	bypass->nr_groups = 0;
	bypass->lost = 0;
	if (inner >= 0)
		real()->close(inner);
	bypass_unlock_all();
}

/* Another socket has the number now. The old one's counters end. */
static void begin(struct sock *s, uint64_t cookie)
{
	atomic_store(&s->error, 0);
	atomic_store(&s->bound, false);
	atomic_store(&s->multicast, false);
	s->filter = NULL;
	forget_bypass(s);
	pool_begin_quota(&s->quota);
	stats_restart(atomic_load(&s->stats), cookie);
	atomic_store(&s->cookie, cookie);
}

static struct sock *make(int fd)
{
	struct sock *s = calloc(1, sizeof(*s));

	if (s)
		s->bypass = bypass_new();
	if (!s || !s->bypass) {
		free(s);
		return NULL;
	}
	atomic_store(&socks[fd], s);
	if (fd > highest)
		highest = fd;
	return s;
}

int sock_make(int fd, uint64_t cookie, struct sock **sock)
{
	struct sock *s;

	if (fd >= SOCKS_MAX)
		return -ESOCKTNOSUPPORT;
	pthread_mutex_lock(&lock);
	s = atomic_load(&socks[fd]);
	if (!s)
		s = make(fd);
	if (s && atomic_load(&s->cookie) != cookie)
		begin(s, cookie);
	if (s && !atomic_load(&s->stats))
		atomic_store(&s->stats, stats_show(fd, cookie));
	pthread_mutex_unlock(&lock);
	*sock = s;
	return s ? 0 : -ENOMEM;
}

int sock_cookie(int fd, uint64_t *cookie)
{
	socklen_t len = sizeof(*cookie);

	return getsockopt(fd, SOL_SOCKET, SO_COOKIE, cookie, &len) ? -errno : 0;
}

struct sock *sock_find(int fd, uint64_t cookie)
{
	struct sock *s = fd < SOCKS_MAX ? atomic_load(&socks[fd]) : NULL;

	return s && atomic_load(&s->cookie) == cookie &&
			       atomic_load(&s->stats) ?
		       s :
		       NULL;
}

bool sock_is(int fd, const struct sock *sock)
{
	int saved = errno;
	uint64_t cookie;
	const bool same = !sock_cookie(fd, &cookie) &&
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

	return s && bypass_is_live(s->bypass) ? s : NULL;
}

/*
 * Most need not be forgotten: the next socket of that number has another cookie. While
 * bypasses are closed, close() is also called for AF_XDP's descriptors, which never were
 * sockets here.
 */
void sock_forget(int fd)
{
	struct sock *s = sock_known(fd);

	if (!s || (!bypass_is_live(s->bypass) && !atomic_load(&s->inner)) ||
	    bypass_all_are_locked())
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
	if (!s || sock_cookie(fd, &cookie) || cookie != atomic_load(&s->cookie))
		return NULL;
	pthread_mutex_lock(&lock);
	if (atomic_load(&s->cookie) == cookie) {
		filter = s->filter;
		*arg = s->filter_arg;
	}
	pthread_mutex_unlock(&lock);
	return filter;
}

void sock_set_filter(struct sock *s, uint64_t cookie,
		     onload_zc_recv_filter_callback filter, void *arg)
{
	pthread_mutex_lock(&lock);
	if (atomic_load(&s->cookie) == cookie) {
		s->filter = filter;
		s->filter_arg = arg;
	}
	pthread_mutex_unlock(&lock);
	if (filter)
		atomic_store(&sock_filters, true);
}
