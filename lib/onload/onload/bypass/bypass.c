// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Two kinds of locks: one of all bypasses for rare calls, which begin, renew and end; and one
 * of each bypass for the datagrams it has received, held for a look.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bypass.h"

const char bypass_second[] = "it has a second file descriptor";

static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static int may_cancel; /* its state before the thread took the lock */
PER_THREAD bool has_lock;

static bool lock_all_by(int (*lock)(pthread_mutex_t *mutex))
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	if (lock(&all)) {
		pthread_setcancelstate(before, NULL);
		return false;
	}
	may_cancel = before;
	has_lock = true;
	return true;
}

/* Many calls under it would end a thread that was cancelled. */
void bypass_lock_all(void)
{
	lock_all_by(pthread_mutex_lock);
}

void bypass_unlock_all(void)
{
	const int before = may_cancel;

	has_lock = false;
	pthread_mutex_unlock(&all);
	pthread_setcancelstate(before, NULL);
}

bool bypass_all_are_locked(void)
{
	return has_lock;
}

struct bypass *bypass_new(void)
{
	struct bypass *bypass = calloc(1, sizeof(*bypass));

	if (bypass)
		pthread_mutex_init(&bypass->lock, NULL);
	return bypass;
}

static void set_state(struct bypass *bypass, enum bypass_state state)
{
	atomic_store(&bypass->state, state);
}

/* Return true if its rules steer frames here while they are renewed. */
static bool is_open(const struct bypass *bypass)
{
	const int state = atomic_load(&bypass->state);

	return state == BYPASS_OPEN || state == BYPASS_RETURNED;
}

/* Log an error if the program insists on a bypass. */
static void say_kernel(int fd, struct sock *sock, const char *reason)
{
	stats_set_path(atomic_load(&sock->stats), "kernel", reason);
	if (xdp_wanted() == WANT_XDP)
		log_error("socket %d receives through the kernel: %s", fd,
			  reason);
	else
		log_info("socket %d receives through the kernel: %s", fd,
			 reason);
}

static void delete_rules(struct bypass *bypass)
{
	while (bypass->nr_rules)
		xdp_get()->rule_del(bypass->rules[--bypass->nr_rules]);
}

/* Its datagrams are lost, unless they were taken. */
void bypass_close(struct bypass *bypass, bool forked)
{
	delete_rules(bypass);
	if (bypass->xsk)
		xdp_get()->close(bypass->xsk, forked);
	if (bypass->interface && !forked) {
		pool_drop_ring(bypass->interface->field, bypass->ring);
		interface_put(bypass->interface);
	}
	bypass->xsk = NULL;
	bypass->interface = NULL;
	bypass->ring = 0;
}

static void count_lost(struct sock *sock)
{
	struct stats_socket *s = atomic_load(&sock->stats);
	const uint64_t lost = xdp_get()->lost(sock->bypass->xsk);

	if (s)
		__atomic_store_n(&s->lost, sock->bypass->lost + lost,
				 __ATOMIC_RELAXED);
}

static void end(int fd, struct sock *sock, const char *reason)
{
	struct bypass *bypass = sock->bypass;

	delete_rules(bypass);
	count_lost(sock);
	atomic_store(&bypass->attended, now());
	set_state(bypass, BYPASS_ENDED);
	say_kernel(fd, sock, reason);
}

/* For the kernel the lease ends no later than for us. */
static int renew(struct bypass *bypass, uint64_t lease)
{
	const uint64_t at = now();
	int err = 0;

	for (unsigned int i = 0; i < bypass->nr_rules && !err; i++)
		err = xdp_get()->rule_renew(bypass->rules[i], lease);
	atomic_store(&bypass->attended, at);
	return err;
}

static int add_rules(struct bypass *bypass, int fd, uint64_t lease,
		     struct xsk_why *why)
{
	const struct route *r = &bypass->route;
	struct xsk_rule_attr attr = {
		.match = { .family = r->family, .port = r->port },
		.action = STEER_QUEUE,
		.number = fd,
		.lease = lease,
	};
	int err;

	for (unsigned int i = 0; i < r->nr; i++) {
		memcpy(attr.match.address, r->to[i], 16);
		err = xdp_get()->rule_add(&bypass->rules[bypass->nr_rules],
					  r->ifname, &attr, why);
		if (err)
			return err;
		bypass->nr_rules++;
	}
	return 0;
}

static int get_room(struct bypass *bypass, char *reason)
{
	bypass->interface = interface_get(&bypass->route, reason);
	if (!bypass->interface)
		return -1;
	bypass->ring = pool_ring(bypass->interface->field);
	if (bypass->ring)
		return 0;
	snprintf(
		reason, REASON_MAX,
		"there are no buffers for another socket on %s; more DOCA_ZC_BUFFERS bring some",
		bypass->route.ifname);
	bypass_close(bypass, false);
	return -1;
}

static int open_bypass(int fd, struct sock *sock, char *reason)
{
	struct bypass *bypass = sock->bypass;
	struct xsk_why why = {};
	int err;

	if (get_room(bypass, reason))
		return -1;
	bypass->fd = fd;
	err = xdp_get()->share(&bypass->xsk, bypass->interface->xsk,
			       bypass->ring, &why);
	if (!err)
		err = xdp_get()->bind_number(bypass->xsk, fd, &why);
	atomic_store(&bypass->attended, now());
	if (!err)
		err = add_rules(bypass, fd, LEASE_NS, &why);
	if (!err)
		return 0;
	snprintf(reason, REASON_MAX, "%s", why.text);
	bypass_close(bypass, false);
	return err;
}

/* Look for other sockets whose datagrams it would take. */
static int look_for_siblings(const struct route *r, uint64_t cookie,
			     char *reason)
{
	int ret = siblings_by_address(r, cookie);

	if (ret > 0)
		snprintf(reason, REASON_MAX,
			 "another socket has its address and port");
	else if (ret)
		snprintf(
			reason, REASON_MAX,
			"whether other sockets have its address cannot be told: %s%s",
			strerror(-ret),
			ret == -ENOENT ? "; the kernel needs udp_diag" : "");
	return ret;
}

/* Only one of two descriptors would bypass the kernel. */
static int look_for_second(int fd, char *reason)
{
	int ret = siblings_by_descriptor(fd);

	if (ret > 0)
		snprintf(reason, REASON_MAX, "%s", bypass_second);
	else if (ret)
		snprintf(
			reason, REASON_MAX,
			"whether it has a second file descriptor cannot be told: %s",
			strerror(-ret));
	return ret;
}

static int look(int fd, struct sock *sock, struct route *r, char *reason)
{
	const char *barred = atomic_load(&sock->bypass->barred);

	if (xdp_wanted() == WANT_KERNEL)
		barred = "DOCA_ZC=kernel asks for it";
	if (barred) {
		snprintf(reason, REASON_MAX, "%s", barred);
		return -1;
	}
	if (!xdp_load(reason, REASON_MAX) ||
	    route_find(fd, sock->bypass, r, reason) ||
	    look_for_second(fd, reason))
		return -1;
	return look_for_siblings(r, atomic_load(&sock->cookie), reason);
}

static void watch_inside(const struct sock *sock)
{
	struct epoll_event event = { .events = EPOLLIN };
	int inner = atomic_load(&sock->inner) - 1;

	if (inner >= 0)
		real()->epoll_ctl(inner, EPOLL_CTL_ADD,
				  xdp_get()->fd(sock->bypass->xsk), &event);
}

static void begin(int fd, struct sock *sock)
{
	struct bypass *bypass = sock->bypass;
	char reason[REASON_MAX] = "";
	const char *mode;

	if (look(fd, sock, &bypass->route, reason) ||
	    open_bypass(fd, sock, reason)) {
		set_state(bypass, BYPASS_KERNEL);
		say_kernel(fd, sock, reason);
		return;
	}
	watch_inside(sock);
	mode = xdp_get()->mode_name(xdp_get()->mode(bypass->xsk));
	stats_set_path(atomic_load(&sock->stats), mode, bypass->route.ifname);
	log_info("socket %d receives past the kernel, by %s: %s", fd,
		 bypass->route.ifname, mode);
	set_state(bypass, BYPASS_RETURNED);
}

static bool has_rules_of(const struct bypass *bypass, const struct route *r)
{
	return r->family == bypass->route.family &&
	       r->port == bypass->route.port && r->nr == bypass->route.nr &&
	       !memcmp(r->to, bypass->route.to, sizeof(r->to));
}

/*
 * The socket has changed; it keeps the datagrams received so far. If its rules change, the
 * kernel gets its frames, until they are to come here again.
 */
static void change(int fd, struct sock *sock)
{
	struct bypass *bypass = sock->bypass;
	char reason[REASON_MAX] = "";
	struct xsk_why why = {};
	struct route r;
	bool same;

	if (look(fd, sock, &r, reason) || r.ifindex != bypass->route.ifindex ||
	    r.namespace != bypass->route.namespace) {
		end(fd, sock,
		    *reason ? reason : "it receives by another interface");
		return;
	}
	same = has_rules_of(bypass, &r);
	pthread_mutex_lock(&bypass->lock);
	bypass->route = r;
	pthread_mutex_unlock(&bypass->lock);
	if (same)
		return;
	delete_rules(bypass);
	set_state(bypass, BYPASS_LAPSED);
	if (add_rules(bypass, fd, LEASE_OVER, &why))
		end(fd, sock, why.text);
}

static void attend_open(int fd, struct sock *sock)
{
	struct bypass *bypass = sock->bypass;
	char reason[REASON_MAX] = "";

	count_lost(sock);
	if (xdp_get()->error(bypass->xsk))
		snprintf(reason, REASON_MAX, "%s is down or gone",
			 bypass->route.ifname);
	else if (!look_for_siblings(&bypass->route, atomic_load(&sock->cookie),
				    reason) &&
		 renew(bypass, LEASE_NS))
		snprintf(reason, REASON_MAX, "frames cannot be steered");
	if (*reason)
		end(fd, sock, reason);
}

/* Resume when nothing is left in either path, and there is room for more. */
static void attend_lapsed(int fd, struct sock *sock)
{
	struct bypass *bypass = sock->bypass;

	if (bypass_pending(sock) || !pool_may_keep(&sock->quota) ||
	    queue_has_some(fd))
		return;
	attend_open(fd, sock);
	/* Meanwhile some may have come to the kernel. */
	if (atomic_load(&bypass->state) == BYPASS_LAPSED)
		set_state(bypass, BYPASS_RETURNED);
}

static void lapse(struct bypass *bypass)
{
	renew(bypass, 0);
	set_state(bypass, BYPASS_LAPSED);
}

/* A renewal that came too late counts as well: the kernel may have had some before. */
static void attend_lease(int fd, struct sock *sock)
{
	struct bypass *bypass = sock->bypass;
	const uint64_t since = atomic_load(&bypass->attended);
	const uint64_t age = now() - since;

	if (age >= ATTEND_NS && age < LEASE_NS)
		attend_open(fd, sock);
	if (is_open(bypass) && now() - since >= LEASE_NS)
		lapse(bypass);
}

/* Frames may still have been on their way when the rule was deleted. */
static void attend_ended(struct sock *sock)
{
	struct bypass *bypass = sock->bypass;

	if (bypass_pending(sock))
		return;
	count_lost(sock);
	bypass->lost += xdp_get()->lost(bypass->xsk);
	pthread_mutex_lock(&bypass->lock);
	bypass_close(bypass, false);
	set_state(bypass, BYPASS_KERNEL);
	pthread_mutex_unlock(&bypass->lock);
}

static void attend(int fd, struct sock *sock)
{
	struct bypass *bypass = sock->bypass;
	bool changed = atomic_exchange(&bypass->changed, false);

	switch (atomic_load(&bypass->state)) {
	case BYPASS_UNKNOWN:
		begin(fd, sock);
		break;
	case BYPASS_KERNEL:
		if (changed)
			begin(fd, sock);
		break;
	case BYPASS_OPEN:
	case BYPASS_RETURNED:
	case BYPASS_LAPSED:
		if (changed)
			change(fd, sock);
		if (is_open(bypass))
			attend_lease(fd, sock);
		break;
	case BYPASS_ENDED:
		attend_ended(sock);
		break;
	}
	if (atomic_load(&bypass->state) == BYPASS_LAPSED)
		attend_lapsed(fd, sock);
}

void bypass_attend(int fd, struct sock *sock)
{
	struct bypass *bypass = sock->bypass;
	const int state = atomic_load(&bypass->state);

	if (!atomic_load(&bypass->changed)) {
		if (state == BYPASS_KERNEL)
			return;
		if (state != BYPASS_UNKNOWN && state != BYPASS_LAPSED &&
		    now() - atomic_load(&bypass->attended) < ATTEND_NS)
			return;
	}
	/* Until the socket has an address there is nothing to look up. */
	if (!atomic_load(&sock->bound))
		return;
	if (state == BYPASS_UNKNOWN)
		bypass_lock_all();
	else if (!lock_all_by(pthread_mutex_trylock))
		return;
	attend(fd, sock);
	bypass_unlock_all();
}

void bypass_renew(int fd, struct sock *sock)
{
	if (is_open(sock->bypass))
		bypass_attend(fd, sock);
}

/* A thread that has the lock does as much or more; otherwise the next call does. */
void bypass_lapse(struct sock *sock)
{
	if (!is_open(sock->bypass) || !lock_all_by(pthread_mutex_trylock))
		return;
	if (is_open(sock->bypass))
		lapse(sock->bypass);
	bypass_unlock_all();
}

void bypass_resume(int fd, struct sock *sock)
{
	if (atomic_load(&sock->bypass->state) == BYPASS_LAPSED)
		bypass_attend(fd, sock);
}

void bypass_bar(int fd, struct sock *sock, const char *reason)
{
	bypass_lock_all();
	atomic_store(&sock->bypass->barred, reason);
	if (is_open(sock->bypass) ||
	    atomic_load(&sock->bypass->state) == BYPASS_LAPSED)
		end(fd, sock, reason);
	bypass_unlock_all();
}

/* Return true if the kernel would deliver it to this socket. */
static bool is_for(const struct route *r, const struct datagram *d)
{
	if (!(d->mac[0] & 1) && memcmp(d->mac, r->mac, sizeof(r->mac)))
		return false;
	return !r->connected ||
	       (d->from_port == r->peer_port && !memcmp(d->from, r->peer, 16));
}

/* Return true if the kernel has no datagrams left from before frames came here again. */
static bool is_its_turn(struct bypass *bypass)
{
	int state = BYPASS_RETURNED;

	if (atomic_load(&bypass->state) != BYPASS_RETURNED)
		return true;
	if (queue_has_some(bypass->fd))
		return false;
	atomic_compare_exchange_strong(&bypass->state, &state, BYPASS_OPEN);
	return true;
}

static bool is_pending(struct bypass *bypass)
{
	return bypass->xsk && xdp_get()->pending(bypass->xsk) &&
	       is_its_turn(bypass);
}

/* Return false for a datagram that the kernel would not deliver. */
static bool read_frame(const struct bypass *bypass, struct received *received)
{
	received->field = bypass->interface->field;
	if (xdp_get()->datagram(&received->frame, &received->d) ||
	    !is_for(&bypass->route, &received->d))
		return false;
	received->ifindex = bypass->route.ifindex;
	received->tells = bypass->route.tells;
	return true;
}

static int next(struct sock *sock, struct received *received)
{
	struct bypass *bypass = sock->bypass;

	while (bypass->xsk && is_its_turn(bypass) &&
	       xdp_get()->next(bypass->xsk, &received->frame)) {
		if (read_frame(bypass, received)) {
			pool_take_chunk(received->field, received->frame.chunk);
			return 0;
		}
		pool_drop_chunk(received->field, received->frame.chunk);
		stats_count(atomic_load(&sock->stats), BAD, 0);
	}
	return -EAGAIN;
}

/* Take datagrams that no caller may see. */
static int look_at_next(struct sock *sock, struct received *received)
{
	struct bypass *bypass = sock->bypass;

	while (bypass->xsk && is_its_turn(bypass) &&
	       xdp_get()->look(bypass->xsk, &received->frame)) {
		if (read_frame(bypass, received))
			return 0;
		if (!xdp_get()->next(bypass->xsk, &received->frame))
			break;
		pool_drop_chunk(received->field, received->frame.chunk);
		stats_count(atomic_load(&sock->stats), BAD, 0);
	}
	return -EAGAIN;
}

int bypass_next(struct sock *sock, struct received *received)
{
	int err;

	if (!bypass_is_live(sock->bypass))
		return -EAGAIN;
	pthread_mutex_lock(&sock->bypass->lock);
	err = next(sock, received);
	received->more = is_pending(sock->bypass);
	pthread_mutex_unlock(&sock->bypass->lock);
	return err;
}

/* Under its lock no other thread takes the datagram; descriptors stay as readable as before. */
int bypass_peek(struct sock *sock,
		void (*look_at)(const struct received *received, void *arg),
		void *arg)
{
	struct bypass *bypass = sock->bypass;
	struct received received;
	int err;

	if (!bypass_is_live(bypass))
		return -EAGAIN;
	pthread_mutex_lock(&bypass->lock);
	err = look_at_next(sock, &received);
	if (!err)
		look_at(&received, arg);
	pthread_mutex_unlock(&bypass->lock);
	return err;
}

bool bypass_pending(struct sock *sock)
{
	struct bypass *bypass = sock->bypass;
	bool pending;

	if (!bypass_is_live(bypass))
		return false;
	pthread_mutex_lock(&bypass->lock);
	pending = is_pending(bypass);
	pthread_mutex_unlock(&bypass->lock);
	return pending;
}
