// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* recvmsg()'s control messages for a datagram, in the kernel's form. */
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "bypass.h"

/* Truncate if there is no room. */
static void put(struct msghdr *head, size_t *used, int level, int type,
		const void *data, size_t len)
{
	struct cmsghdr cmsg = { .cmsg_len = CMSG_LEN(len),
				.cmsg_level = level,
				.cmsg_type = type };
	size_t room = head->msg_controllen - *used, space = CMSG_SPACE(len);
	char *at;

	if (!head->msg_control || room < sizeof(cmsg)) {
		head->msg_flags |= MSG_CTRUNC;
		return;
	}
	if (cmsg.cmsg_len > room) {
		head->msg_flags |= MSG_CTRUNC;
		cmsg.cmsg_len = room;
	}
	at = (char *)head->msg_control + *used;
	memcpy(at, &cmsg, sizeof(cmsg));
	memcpy(at + CMSG_LEN(0), data, cmsg.cmsg_len - CMSG_LEN(0));
	*used += space < room ? space : room;
}

static void put_int(struct msghdr *head, size_t *used, int level, int type,
		    int value)
{
	put(head, used, level, type, &value, sizeof(value));
}

static void put_time(struct msghdr *head, size_t *used, unsigned int tells)
{
	struct timespec ns;
	struct timeval us;

	clock_gettime(CLOCK_REALTIME, &ns);
	us = (struct timeval){ ns.tv_sec, ns.tv_nsec / 1000 };
	if (tells & TELL_TIME_NS)
		put(head, used, SOL_SOCKET, SCM_TIMESTAMPNS, &ns, sizeof(ns));
	else
		put(head, used, SOL_SOCKET, SCM_TIMESTAMP, &us, sizeof(us));
}

static void put_ipv4(struct msghdr *head, size_t *used,
		     const struct received *h)
{
	const struct datagram *d = &h->d;
	struct in_pktinfo info = { .ipi_ifindex = h->ifindex };

	memcpy(&info.ipi_addr, d->to, 4);
	if (!IN_MULTICAST(ntohl(info.ipi_addr.s_addr)))
		info.ipi_spec_dst = info.ipi_addr;
	if (h->tells & TELL_PKTINFO)
		put(head, used, IPPROTO_IP, IP_PKTINFO, &info, sizeof(info));
	if (h->tells & TELL_HOPS)
		put_int(head, used, IPPROTO_IP, IP_TTL, d->hops);
	if (h->tells & TELL_TRAFFIC)
		put(head, used, IPPROTO_IP, IP_TOS, &d->traffic, 1);
}

static void put_ipv6(struct msghdr *head, size_t *used,
		     const struct received *h)
{
	const struct datagram *d = &h->d;
	struct in6_pktinfo info = { .ipi6_ifindex = h->ifindex };

	memcpy(&info.ipi6_addr, d->to, 16);
	if (h->tells & TELL_PKTINFO)
		put(head, used, IPPROTO_IPV6, IPV6_PKTINFO, &info,
		    sizeof(info));
	if (h->tells & TELL_HOPS)
		put_int(head, used, IPPROTO_IPV6, IPV6_HOPLIMIT, d->hops);
	if (h->tells & TELL_TRAFFIC)
		put_int(head, used, IPPROTO_IPV6, IPV6_TCLASS, d->traffic);
}

void control_fill(struct msghdr *head, const struct received *received)
{
	size_t used = 0;

	if (received->tells & (TELL_TIME | TELL_TIME_NS))
		put_time(head, &used, received->tells);
	if (received->d.family == 4)
		put_ipv4(head, &used, received);
	else
		put_ipv6(head, &used, received);
	head->msg_controllen = used;
}

void control_name(struct msghdr *head, const struct received *received)
{
	const struct datagram *d = &received->d;
	union {
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} from = {};
	socklen_t len, room = head->msg_namelen;

	if (received->d.family == 4) {
		from.in.sin_family = AF_INET;
		from.in.sin_port = d->from_port;
		memcpy(&from.in.sin_addr, d->from, 4);
		len = sizeof(from.in);
	} else {
		from.in6.sin6_family = AF_INET6;
		from.in6.sin6_port = d->from_port;
		memcpy(&from.in6.sin6_addr, d->from, 16);
		if (IN6_IS_ADDR_LINKLOCAL(&from.in6.sin6_addr))
			from.in6.sin6_scope_id = received->ifindex;
		len = sizeof(from.in6);
	}
	if (!head->msg_name)
		return;
	memcpy(head->msg_name, &from, len < room ? len : room);
	head->msg_namelen = len;
}
