/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * What a socket receives past the kernel. Frames to its addresses go to its bypass as long as
 * the program receives: each receiving call renews a lease of 250 ms when it is 100 ms old.
 * A program that stops, or does something else, loses nothing: the socket in the kernel
 * receives again. So it does at once where the program keeps all buffers that it may. What
 * is past the kernel is the older then; and frames go there again when the program may keep
 * buffers and has taken all that was in both. A bypass that has ended keeps its datagrams until
 * they are taken.
 */
#ifndef DOCA_ONLOAD_BYPASS_H
#define DOCA_ONLOAD_BYPASS_H

#include <net/if.h>

#include "../base/xdp.h"
#include "../zc.h"

#define RULES_MAX 8
#define LEASE_NS 250000000ull
#define LEASE_OVER 1 /* in ns: of a rule that is not to lead here yet */
#define ATTEND_NS 100000000ull
#define REASON_MAX sizeof(((struct stats_socket *)0)->reason)

enum bypass_state {
	BYPASS_UNKNOWN, /* whether it can be */
	BYPASS_KERNEL, /* it cannot */
	BYPASS_OPEN,
	BYPASS_RETURNED, /* open; the kernel may have older datagrams, which come first */
	BYPASS_LAPSED, /* the kernel has its frames for the time being */
	BYPASS_ENDED,
};

/* Groups that a socket has joined. */
struct group {
	uint8_t family; /* 4 or 6 */
	uint8_t address[16];
	unsigned int ifindex;
};

enum tell {
	TELL_PKTINFO = 1,
	TELL_HOPS = 2,
	TELL_TRAFFIC = 4,
	TELL_TIME = 8,
	TELL_TIME_NS = 16,
};

/* route.c: which frames are a socket's, and what is to be told of them. */
struct route {
	char ifname[IF_NAMESIZE];
	unsigned int ifindex;
	uint64_t namespace; /* of that number */
	uint8_t mac[6];
	uint8_t family; /* 4 or 6 */
	uint16_t port; /* in the order of the network */
	unsigned int nr;
	uint8_t to[RULES_MAX][16];
	bool connected;
	uint8_t peer[16];
	uint16_t peer_port;
	unsigned int tells;
};

/*
 * @attended: when the lease was renewed, in ns
 * @barred: why it cannot be any more
 * @groups_only: and what is for one address is the kernel's
 * @lost: frames, before it began again
 */
struct bypass {
	pthread_mutex_t lock;
	atomic_int state;
	atomic_bool changed;
	_Atomic uint64_t attended;
	const char *_Atomic barred;
	atomic_bool groups_only;
	uint64_t lost;
	int fd; /* of its socket */
	struct interface *interface;
	uint32_t ring; /* entries on each queue */
	struct xsk *xsk;
	struct xsk_rule *rules[RULES_MAX];
	unsigned int nr_rules;
	struct route route;
	struct group groups[RULES_MAX];
	unsigned int nr_groups;
};

/* 0, or -1 with the reason why only the kernel will do. */
int route_find(int fd, const struct bypass *bypass, struct route *route,
	       char *reason);
/* The interface that the kernel would take for a group. 0: none */
unsigned int route_of_group(const uint8_t *group);
/* That of an address of IPv4. 0: none */
unsigned int route_of_address(const void *address);

/* group.c */
bool group_is_of(int level, int name);
void group_change(int fd, struct sock *sock, int level, int name,
		  const void *value, socklen_t len);

/* siblings.c: 1 if other sockets may get the same; or a negative errno. */
int siblings_by_address(const struct route *route, uint64_t cookie);
/* 1 if it has a second file descriptor in this process; or a negative errno. */
int siblings_by_descriptor(int fd);

/* A datagram, in the hands of one thread; and what is to be told of it. */
struct received {
	struct xsk_frame frame;
	struct datagram d;
	unsigned int field;
	unsigned int ifindex;
	unsigned int tells;
	bool more; /* there was another behind it */
};

/* control.c: of a message that has the room for it. */
void control_fill(struct msghdr *head, const struct received *received);
void control_name(struct msghdr *head, const struct received *received);

/* interface.c, under the lock of all bypasses: an interface, while a bypass is on it. */
struct interface {
	struct interface *next;
	unsigned int ifindex;
	uint64_t namespace;
	unsigned int field;
	void *memory;
	size_t length;
	struct xsk *xsk; /* NULL while there are no users */
	unsigned int users;
	enum xsk_mode mode; /* that it gives; XSK_NONE: that is not known */
};

struct interface *interface_get(const struct route *route, char *reason);
void interface_put(struct interface *interface);

/* Why not */
extern const char bypass_second[];

struct bypass *bypass_new(void);
/* Renew, end or begin: before each check for datagrams. */
void bypass_attend(int fd, struct sock *sock);
/* Between datagrams of a call, which may be long: only renew. */
void bypass_renew(int fd, struct sock *sock);
/* Frames are the kernel's, until they are to come here again. */
void bypass_lapse(struct sock *sock);
/* So they are if all was taken that there was. */
void bypass_resume(int fd, struct sock *sock);
/* Nothing is steered to it any more. */
void bypass_bar(int fd, struct sock *sock, const char *reason);
/* What there is of it is given back. */
void bypass_close(struct bypass *bypass, bool forked);
/* -EAGAIN */
int bypass_next(struct sock *sock, struct received *received);
/* The same, which stays where it is. */
int bypass_peek(struct sock *sock,
		void (*look_at)(const struct received *received, void *arg),
		void *arg);
bool bypass_pending(struct sock *sock);
/*
 * Until there may be something in either path, for a bounded time: 0, or a negative errno.
 * -ESHUTDOWN: the kernel will not wait any more, so it may be asked what it has to say.
 * @end: -ETIMEDOUT then; 0 for never
 */
int bypass_wait(int fd, struct sock *sock, uint64_t end);
/* When a call that waits has to be back, and whether it may. */
bool bypass_may_wait(int fd, int flags, uint64_t *end);

static inline bool bypass_is_live(const struct bypass *bypass)
{
	return atomic_load(&bypass->state) >= BYPASS_OPEN;
}

#endif /* DOCA_ONLOAD_BYPASS_H */
