// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Ears. Two kinds of locks: that of all ears is for what is rare, to begin, renew and end.
 * That of one ear is for what it has heard, and is held for as long as it takes to look.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ear.h"

const char ear_second[] = "it has a second file descriptor";

static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static int may_cancel; /* of the thread that has the lock, before it had */
PER_THREAD bool has_lock;

static bool ears_lock_by(int (*lock)(pthread_mutex_t *mutex))
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

/* Under it many calls are made that end a thread which was cancelled. */
void ears_lock(void)
{
	ears_lock_by(pthread_mutex_lock);
}

void ears_unlock(void)
{
	const int before = may_cancel;

	has_lock = false;
	pthread_mutex_unlock(&all);
	pthread_setcancelstate(before, NULL);
}

bool ears_are_locked(void)
{
	return has_lock;
}

struct ear *ear_new(void)
{
	struct ear *ear = calloc(1, sizeof(*ear));

	if (ear)
		pthread_mutex_init(&ear->lock, NULL);
	return ear;
}

static void set_state(struct ear *ear, enum ear_state state)
{
	atomic_store(&ear->state, state);
}

/* Do its rules lead here, as long as they are renewed? */
static bool is_open(const struct ear *ear)
{
	const int state = atomic_load(&ear->state);

	return state == EAR_OPEN || state == EAR_RETURNED;
}

static void show(struct sock *sock, const char *path, const char *reason)
{
	struct stats_socket *s = atomic_load(&sock->stats);

	if (!s)
		return;
	snprintf(s->path, sizeof(s->path), "%s", path);
	snprintf(s->reason, sizeof(s->reason), "%s", reason);
}

/* At the level of errors if the program has asked for more. */
static void say_kernel(int fd, struct sock *sock, const char *reason)
{
	show(sock, "kernel", reason);
	if (xdp_wanted() == WANT_XDP)
		log_error("socket %d receives through the kernel: %s", fd,
			  reason);
	else
		log_info("socket %d receives through the kernel: %s", fd,
			 reason);
}

static void delete_rules(struct ear *ear)
{
	while (ear->nr_rules)
		xdp_get()->rule_del(ear->rules[--ear->nr_rules]);
}

/* What it has heard is lost, unless it was drained. */
void ear_close(struct ear *ear, bool forked)
{
	delete_rules(ear);
	if (ear->xsk)
		xdp_get()->close(ear->xsk, forked);
	if (ear->host && !forked) {
		pool_drop_ring(ear->host->field, ear->ring);
		host_put(ear->host);
	}
	ear->xsk = NULL;
	ear->host = NULL;
	ear->ring = 0;
}

static void count_lost(struct sock *sock)
{
	struct stats_socket *s = atomic_load(&sock->stats);
	const uint64_t lost = xdp_get()->lost(sock->ear->xsk);

	if (s)
		__atomic_store_n(&s->lost, sock->ear->lost + lost,
				 __ATOMIC_RELAXED);
}

static void end(int fd, struct sock *sock, const char *reason)
{
	struct ear *ear = sock->ear;

	delete_rules(ear);
	count_lost(sock);
	atomic_store(&ear->attended, now());
	set_state(ear, EAR_ENDED);
	say_kernel(fd, sock, reason);
}

/* Its end is never later for the kernel than it is here. */
static int renew(struct ear *ear, uint64_t lease)
{
	const uint64_t at = now();
	int err = 0;

	for (unsigned int i = 0; i < ear->nr_rules && !err; i++)
		err = xdp_get()->rule_renew(ear->rules[i], lease);
	atomic_store(&ear->attended, at);
	return err;
}

static int add_rules(struct ear *ear, int fd, uint64_t lease,
		     struct xsk_why *why)
{
	const struct where *w = &ear->where;
	struct xsk_rule_attr attr = {
		.match = { .family = w->family, .port = w->port },
		.action = STEER_QUEUE,
		.number = fd,
		.lease = lease,
	};
	int err;

	for (unsigned int i = 0; i < w->nr; i++) {
		memcpy(attr.match.address, w->to[i], 16);
		err = xdp_get()->rule_add(&ear->rules[ear->nr_rules], w->ifname,
					  &attr, why);
		if (err)
			return err;
		ear->nr_rules++;
	}
	return 0;
}

static int get_room(struct ear *ear, char *reason)
{
	ear->host = host_get(&ear->where, reason);
	if (!ear->host)
		return -1;
	ear->ring = pool_ring(ear->host->field);
	if (ear->ring)
		return 0;
	snprintf(
		reason, REASON_MAX,
		"there are no buffers for another socket on %s; more DOCA_ZC_BUFFERS bring some",
		ear->where.ifname);
	ear_close(ear, false);
	return -1;
}

static int open_ear(int fd, struct sock *sock, char *reason)
{
	struct ear *ear = sock->ear;
	struct xsk_why why = {};
	int err;

	if (get_room(ear, reason))
		return -1;
	ear->fd = fd;
	err = xdp_get()->share(&ear->xsk, ear->host->xsk, ear->ring, &why);
	if (!err)
		err = xdp_get()->bind_number(ear->xsk, fd, &why);
	atomic_store(&ear->attended, now());
	if (!err)
		err = add_rules(ear, fd, LEASE_NS, &why);
	if (!err)
		return 0;
	snprintf(reason, REASON_MAX, "%s", why.text);
	ear_close(ear, false);
	return err;
}

/* Are there other sockets from which it would take datagrams? */
static int look_for_others(const struct where *w, uint64_t cookie, char *reason)
{
	int ret = others_listen(w, cookie);

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

/* Of two descriptors only one would hear. */
static int look_for_second(int fd, char *reason)
{
	int ret = others_hold(fd);

	if (ret > 0)
		snprintf(reason, REASON_MAX, "%s", ear_second);
	else if (ret)
		snprintf(
			reason, REASON_MAX,
			"whether it has a second file descriptor cannot be told: %s",
			strerror(-ret));
	return ret;
}

static int look(int fd, struct sock *sock, struct where *w, char *reason)
{
	const char *barred = atomic_load(&sock->ear->barred);

	if (xdp_wanted() == WANT_KERNEL)
		barred = "DOCA_ZC=kernel asks for it";
	if (barred) {
		snprintf(reason, REASON_MAX, "%s", barred);
		return -1;
	}
	if (!xdp_load(reason, REASON_MAX) ||
	    where_look(fd, sock->ear, w, reason) || look_for_second(fd, reason))
		return -1;
	return look_for_others(w, atomic_load(&sock->cookie), reason);
}

static void watch_inside(const struct sock *sock)
{
	struct epoll_event event = { .events = EPOLLIN };
	int inner = atomic_load(&sock->inner) - 1;

	if (inner >= 0)
		real()->epoll_ctl(inner, EPOLL_CTL_ADD,
				  xdp_get()->fd(sock->ear->xsk), &event);
}

static void begin(int fd, struct sock *sock)
{
	struct ear *ear = sock->ear;
	char reason[REASON_MAX] = "";
	const char *mode;

	if (look(fd, sock, &ear->where, reason) || open_ear(fd, sock, reason)) {
		set_state(ear, EAR_KERNEL);
		say_kernel(fd, sock, reason);
		return;
	}
	watch_inside(sock);
	mode = xdp_get()->mode_name(xdp_get()->mode(ear->xsk));
	show(sock, mode, ear->where.ifname);
	log_info("socket %d receives past the kernel, by %s: %s", fd,
		 ear->where.ifname, mode);
	set_state(ear, EAR_RETURNED);
}

static bool has_rules_of(const struct ear *ear, const struct where *w)
{
	return w->family == ear->where.family && w->port == ear->where.port &&
	       w->nr == ear->where.nr &&
	       !memcmp(w->to, ear->where.to, sizeof(w->to));
}

/*
 * Something about the socket is another; it has what it has heard so far. While its rules are
 * others the kernel has its frames, and goes on with that until they are to come here again.
 */
static void change(int fd, struct sock *sock)
{
	struct ear *ear = sock->ear;
	char reason[REASON_MAX] = "";
	struct xsk_why why = {};
	struct where w;
	bool same;

	if (look(fd, sock, &w, reason) || w.ifindex != ear->where.ifindex ||
	    w.namespace != ear->where.namespace) {
		end(fd, sock,
		    *reason ? reason : "it receives by another interface");
		return;
	}
	same = has_rules_of(ear, &w);
	pthread_mutex_lock(&ear->lock);
	ear->where = w;
	pthread_mutex_unlock(&ear->lock);
	if (same)
		return;
	delete_rules(ear);
	set_state(ear, EAR_LAPSED);
	if (add_rules(ear, fd, LEASE_OVER, &why))
		end(fd, sock, why.text);
}

static void attend_open(int fd, struct sock *sock)
{
	struct ear *ear = sock->ear;
	char reason[REASON_MAX] = "";

	count_lost(sock);
	if (xdp_get()->error(ear->xsk))
		snprintf(reason, REASON_MAX, "%s is down or gone",
			 ear->where.ifname);
	else if (!look_for_others(&ear->where, atomic_load(&sock->cookie),
				  reason) &&
		 renew(ear, LEASE_NS))
		snprintf(reason, REASON_MAX, "frames cannot be steered");
	if (*reason)
		end(fd, sock, reason);
}

/* With nothing left in either path, and room for what comes. */
static void attend_lapsed(int fd, struct sock *sock)
{
	struct ear *ear = sock->ear;

	if (ear_pending(sock) || !pool_may_keep(&sock->quota) ||
	    queue_has_some(fd))
		return;
	attend_open(fd, sock);
	/* Meanwhile there may have come some. */
	if (atomic_load(&ear->state) == EAR_LAPSED)
		set_state(ear, EAR_RETURNED);
}

static void lapse(struct ear *ear)
{
	renew(ear, 0);
	set_state(ear, EAR_LAPSED);
}

/* Also if it was renewed, but too late: the kernel may have had some before. */
static void attend_lease(int fd, struct sock *sock)
{
	struct ear *ear = sock->ear;
	const uint64_t since = atomic_load(&ear->attended);
	const uint64_t age = now() - since;

	if (age >= ATTEND_NS && age < LEASE_NS)
		attend_open(fd, sock);
	if (is_open(ear) && now() - since >= LEASE_NS)
		lapse(ear);
}

/* A frame may have been on its way when the rule was deleted. */
static void attend_ended(struct sock *sock)
{
	struct ear *ear = sock->ear;

	if (ear_pending(sock))
		return;
	count_lost(sock);
	ear->lost += xdp_get()->lost(ear->xsk);
	pthread_mutex_lock(&ear->lock);
	ear_close(ear, false);
	set_state(ear, EAR_KERNEL);
	pthread_mutex_unlock(&ear->lock);
}

static void attend(int fd, struct sock *sock)
{
	struct ear *ear = sock->ear;
	bool changed = atomic_exchange(&ear->changed, false);

	switch (atomic_load(&ear->state)) {
	case EAR_UNKNOWN:
		begin(fd, sock);
		break;
	case EAR_KERNEL:
		if (changed)
			begin(fd, sock);
		break;
	case EAR_OPEN:
	case EAR_RETURNED:
	case EAR_LAPSED:
		if (changed)
			change(fd, sock);
		if (is_open(ear))
			attend_lease(fd, sock);
		break;
	case EAR_ENDED:
		attend_ended(sock);
		break;
	}
	if (atomic_load(&ear->state) == EAR_LAPSED)
		attend_lapsed(fd, sock);
}

void ear_attend(int fd, struct sock *sock)
{
	struct ear *ear = sock->ear;
	const int state = atomic_load(&ear->state);

	if (!atomic_load(&ear->changed)) {
		if (state == EAR_KERNEL)
			return;
		if (state != EAR_UNKNOWN && state != EAR_LAPSED &&
		    now() - atomic_load(&ear->attended) < ATTEND_NS)
			return;
	}
	/* Until it has an address it is told by none. */
	if (!atomic_load(&sock->bound))
		return;
	if (state == EAR_UNKNOWN)
		ears_lock();
	else if (!ears_lock_by(pthread_mutex_trylock))
		return;
	attend(fd, sock);
	ears_unlock();
}

void ear_renew(int fd, struct sock *sock)
{
	if (is_open(sock->ear))
		ear_attend(fd, sock);
}

/* Another thread that has the lock does the same or more; or the next call does. */
void ear_lapse(struct sock *sock)
{
	if (!is_open(sock->ear) || !ears_lock_by(pthread_mutex_trylock))
		return;
	if (is_open(sock->ear))
		lapse(sock->ear);
	ears_unlock();
}

void ear_resume(int fd, struct sock *sock)
{
	if (atomic_load(&sock->ear->state) == EAR_LAPSED)
		ear_attend(fd, sock);
}

void ear_bar(int fd, struct sock *sock, const char *reason)
{
	ears_lock();
	atomic_store(&sock->ear->barred, reason);
	if (is_open(sock->ear) || atomic_load(&sock->ear->state) == EAR_LAPSED)
		end(fd, sock, reason);
	ears_unlock();
}

/* Would the kernel deliver it to this socket? */
static bool is_for(const struct where *w, const struct datagram *d)
{
	if (!(d->mac[0] & 1) && memcmp(d->mac, w->mac, sizeof(w->mac)))
		return false;
	return !w->connected ||
	       (d->from_port == w->peer_port && !memcmp(d->from, w->peer, 16));
}

/* Of those that came to the kernel before frames came here again, none is left. */
static bool is_its_turn(struct ear *ear)
{
	int state = EAR_RETURNED;

	if (atomic_load(&ear->state) != EAR_RETURNED)
		return true;
	if (queue_has_some(ear->fd))
		return false;
	atomic_compare_exchange_strong(&ear->state, &state, EAR_OPEN);
	return true;
}

static bool is_pending(struct ear *ear)
{
	return ear->xsk && xdp_get()->pending(ear->xsk) && is_its_turn(ear);
}

/* False for one that the kernel would not deliver. */
static bool read_frame(const struct ear *ear, struct heard *heard)
{
	heard->field = ear->host->field;
	if (xdp_get()->datagram(&heard->frame, &heard->d) ||
	    !is_for(&ear->where, &heard->d))
		return false;
	heard->ifindex = ear->where.ifindex;
	heard->tells = ear->where.tells;
	return true;
}

static int next(struct sock *sock, struct heard *heard)
{
	struct ear *ear = sock->ear;

	while (ear->xsk && is_its_turn(ear) &&
	       xdp_get()->next(ear->xsk, &heard->frame)) {
		if (read_frame(ear, heard)) {
			pool_take_chunk(heard->field, heard->frame.chunk);
			return 0;
		}
		pool_drop_chunk(heard->field, heard->frame.chunk);
		sock_count(sock, BAD, 0);
	}
	return -EAGAIN;
}

/* What none is to see is taken. */
static int look_at_next(struct sock *sock, struct heard *heard)
{
	struct ear *ear = sock->ear;

	while (ear->xsk && is_its_turn(ear) &&
	       xdp_get()->look(ear->xsk, &heard->frame)) {
		if (read_frame(ear, heard))
			return 0;
		if (!xdp_get()->next(ear->xsk, &heard->frame))
			break;
		pool_drop_chunk(heard->field, heard->frame.chunk);
		sock_count(sock, BAD, 0);
	}
	return -EAGAIN;
}

int ear_next(struct sock *sock, struct heard *heard)
{
	int err;

	if (!ear_is_live(sock->ear))
		return -EAGAIN;
	pthread_mutex_lock(&sock->ear->lock);
	err = next(sock, heard);
	heard->more = is_pending(sock->ear);
	pthread_mutex_unlock(&sock->ear->lock);
	return err;
}

/* With its lock held, so no other thread takes it; descriptors stay as readable as before. */
int ear_peek(struct sock *sock,
	     void (*look_at)(const struct heard *heard, void *arg), void *arg)
{
	struct ear *ear = sock->ear;
	struct heard heard;
	int err;

	if (!ear_is_live(ear))
		return -EAGAIN;
	pthread_mutex_lock(&ear->lock);
	err = look_at_next(sock, &heard);
	if (!err)
		look_at(&heard, arg);
	pthread_mutex_unlock(&ear->lock);
	return err;
}

bool ear_pending(struct sock *sock)
{
	struct ear *ear = sock->ear;
	bool pending;

	if (!ear_is_live(ear))
		return false;
	pthread_mutex_lock(&ear->lock);
	pending = is_pending(ear);
	pthread_mutex_unlock(&ear->lock);
	return pending;
}
