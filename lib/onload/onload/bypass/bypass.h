/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A socket's path past the kernel. Frames to its addresses go to its bypass while the program
 * receives: each receiving call renews a lease of 250 ms when it is 100 ms old. A program that
 * stops, or does something else, loses nothing: the socket in the kernel receives again. It
 * also does so at once if the program keeps as many buffers as it may. The datagrams past the
 * kernel are then the older ones; and frames go there again when the program may keep buffers
 * and has taken all datagrams of both paths. A bypass that has ended keeps its datagrams until
 * they are taken.
 */
#ifndef DOCA_ONLOAD_BYPASS_H
#define DOCA_ONLOAD_BYPASS_H

#include <net/if.h>

#include "../base/xdp.h"
#include "../zc.h"

#define RULES_MAX 8
#define LEASE_NS 250000000ull
#define LEASE_OVER 1 /* in ns: the rule does not steer frames here yet */
#define ATTEND_NS 100000000ull
#define REASON_MAX sizeof(((struct stats_socket *)0)->reason)

enum bypass_state {
	BYPASS_UNKNOWN, /* not tried yet */
	BYPASS_KERNEL, /* not possible */
	BYPASS_OPEN,
	BYPASS_RETURNED, /* open; the kernel may have older datagrams, which come first */
	BYPASS_LAPSED, /* the kernel gets its frames for now */
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

/* route.c: the frames for a socket, and the control messages it wants. */
struct route {
	char ifname[IF_NAMESIZE];
	unsigned int ifindex;
	uint64_t namespace; /* the namespace that has this number */
	uint8_t mac[6];
	uint8_t family; /* 4 or 6 */
	uint16_t port; /* in network byte order */
	unsigned int nr;
	uint8_t to[RULES_MAX][16];
	bool connected;
	uint8_t peer[16];
	uint16_t peer_port;
	unsigned int tells;
};

/*
 * @attended: ns at which the lease was renewed
 * @barred: reason why it is not possible any more
 * @groups_only: frames for its own address go to the kernel
 * @lost: frames lost before it began again
 */
struct bypass {
	pthread_mutex_t lock;
	atomic_int state;
	atomic_bool changed;
	_Atomic uint64_t attended;
	const char *_Atomic barred;
	atomic_bool groups_only;
	uint64_t lost;
	int fd; /* its socket */
	struct interface *interface;
	uint32_t ring; /* entries on each queue */
	struct xsk *xsk;
	struct xsk_rule *rules[RULES_MAX];
	unsigned int nr_rules;
	struct route route;
	struct group groups[RULES_MAX];
	unsigned int nr_groups;
};

/* Return 0; or -1 with the reason why only the kernel will do. */
int route_find(int fd, const struct bypass *bypass, struct route *route,
	       char *reason);
/* Return the interface that the kernel would choose for a group; 0: none. */
unsigned int route_of_group(const uint8_t *group);
/* Return the interface of an IPv4 address; 0: none. */
unsigned int route_of_address(const void *address);

/* group.c */
bool group_is_of(int level, int name);
void group_change(int fd, struct sock *sock, int level, int name,
		  const void *value, socklen_t len);

/* siblings.c: return 1 if other sockets may get the same datagrams; or a negative errno. */
int siblings_by_address(const struct route *route, uint64_t cookie);
/* Return 1 if it has a second file descriptor in this process; or a negative errno. */
int siblings_by_descriptor(int fd);

/* A datagram in the hands of one thread, and its control messages. */
struct received {
	struct xsk_frame frame;
	struct datagram d;
	unsigned int field;
	unsigned int ifindex;
	unsigned int tells;
	bool more; /* another one was behind it */
};

/* control.c: fill in a message, as far as it has room. */
void control_fill(struct msghdr *head, const struct received *received);
void control_name(struct msghdr *head, const struct received *received);

/* interface.c: an interface with bypasses, under the lock of all bypasses. */
struct interface {
	struct interface *next;
	unsigned int ifindex;
	uint64_t namespace;
	unsigned int field;
	void *memory;
	size_t length;
	struct xsk *xsk; /* NULL while there are no users */
	unsigned int users;
	enum xsk_mode mode; /* the mode that it offers; XSK_NONE: not known */
};

struct interface *interface_get(const struct route *route, char *reason);
void interface_put(struct interface *interface);

/* reason of a refusal */
extern const char bypass_second[];

struct bypass *bypass_new(void);
/* Renew, end or begin: call it before each check for datagrams. */
void bypass_attend(int fd, struct sock *sock);
/* Only renew: call it between the datagrams of a call, which may be long. */
void bypass_renew(int fd, struct sock *sock);
/* Leave frames to the kernel, until they are to come here again. */
void bypass_lapse(struct sock *sock);
/* Take frames again if all datagrams were taken. */
void bypass_resume(int fd, struct sock *sock);
/* Never steer frames to it again. */
void bypass_bar(int fd, struct sock *sock, const char *reason);
/* Give back all that it has. */
void bypass_close(struct bypass *bypass, bool forked);
/* Take the next datagram, or return -EAGAIN. */
int bypass_next(struct sock *sock, struct received *received);
/* Look at the next datagram, and leave it. */
int bypass_peek(struct sock *sock,
		void (*look_at)(const struct received *received, void *arg),
		void *arg);
bool bypass_pending(struct sock *sock);
/*
 * Wait for a bounded time for datagrams in either path: return 0, or a negative errno.
 * -ESHUTDOWN: the kernel will not wait any more, so ask it for the reason. @end: time of
 * -ETIMEDOUT; 0: never.
 */
int bypass_wait(int fd, struct sock *sock, uint64_t end);
/* Return whether a call may wait, and the time when it must be back. */
bool bypass_may_wait(int fd, int flags, uint64_t *end);

static inline bool bypass_is_live(const struct bypass *bypass)
{
	return atomic_load(&bypass->state) >= BYPASS_OPEN;
}

#endif /* DOCA_ONLOAD_BYPASS_H */
