// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Kinds of interfaces, by rtnetlink. A bond hands its program to the interfaces below it, and so
 * does netvsc, which is a master as well: no AF_XDP socket of the master gets their frames. The
 * driver of tun runs the program also on packets that were merged, as a guest or a tunnel may
 * pass them.
 */
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/if.h>
#include <linux/rtnetlink.h>

#include "kind.h"

struct question {
	struct nlmsghdr head;
	struct ifinfomsg info;
	struct rtattr master_head; /* limits a dump to those below */
	uint32_t master;
};

/* Facts from the answers. */
struct kind {
	int ifindex;
	bool is_tun;
	bool is_master;
	uint32_t queues; /* number of receive queues that it was made with */
};

static const struct rtattr *find(const struct rtattr *attr, int len, int type)
{
	for (; RTA_OK(attr, len); attr = RTA_NEXT(attr, len))
		if ((attr->rta_type & NLA_TYPE_MASK) == type)
			return attr;
	return NULL;
}

static bool is_named(const struct rtattr *attr, const char *name)
{
	return attr && RTA_PAYLOAD(attr) > strlen(name) &&
	       !strncmp(RTA_DATA(attr), name, RTA_PAYLOAD(attr));
}

static void look_at(const struct nlmsghdr *head, struct kind *kind)
{
	const struct ifinfomsg *info = NLMSG_DATA(head);
	const int len = IFLA_PAYLOAD(head);
	const struct rtattr *attr;

	if (info->ifi_index != kind->ifindex) {
		attr = find(IFLA_RTA(info), len, IFLA_MASTER);
		kind->is_master |= attr &&
				   *(int *)RTA_DATA(attr) == kind->ifindex;
		return;
	}
	kind->is_master |= info->ifi_flags & IFF_MASTER;
	attr = find(IFLA_RTA(info), len, IFLA_NUM_RX_QUEUES);
	kind->queues = attr ? *(uint32_t *)RTA_DATA(attr) : 1;
	attr = find(IFLA_RTA(info), len, IFLA_LINKINFO);
	if (!attr)
		return;
	attr = find(RTA_DATA(attr), RTA_PAYLOAD(attr), IFLA_INFO_KIND);
	kind->is_master |= is_named(attr, "bond");
	kind->is_tun |= is_named(attr, "tun");
}

/* Return false when there is no more to come. */
static bool read_some(int fd, struct kind *kind)
{
	_Alignas(struct nlmsghdr) char buf[32768];
	const struct nlmsghdr *head = (const void *)buf;
	int len = recv(fd, buf, sizeof(buf), 0);

	if (len <= 0)
		return false;
	for (; NLMSG_OK(head, (unsigned int)len);
	     head = NLMSG_NEXT(head, len)) {
		if (head->nlmsg_type != RTM_NEWLINK)
			return false;
		look_at(head, kind);
		if (!(head->nlmsg_flags & NLM_F_MULTI))
			return false;
	}
	return true;
}

static void ask(int fd, bool below, struct kind *kind)
{
	const struct question q = {
		.head = { .nlmsg_len = below ? sizeof(q) :
					       NLMSG_LENGTH(sizeof(q.info)),
			  .nlmsg_type = RTM_GETLINK,
			  .nlmsg_flags = NLM_F_REQUEST |
					 (below ? NLM_F_DUMP : 0) },
		.info = { .ifi_index = below ? 0 : kind->ifindex },
		.master_head = { RTA_LENGTH(sizeof(q.master)), IFLA_MASTER },
		.master = kind->ifindex,
	};

	if (send(fd, &q, q.head.nlmsg_len, 0) < 0)
		return;
	while (read_some(fd, kind))
		;
}

/* An interface that nothing is known of is taken to be of the common kind. */
static struct kind kind_of(int ifindex)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	struct kind kind = { .ifindex = ifindex, .queues = 1 };

	if (fd < 0)
		return kind;
	ask(fd, false, &kind);
	ask(fd, true, &kind);
	close(fd);
	return kind;
}

bool kind_has_own_hook(int ifindex)
{
	const struct kind kind = kind_of(ifindex);

	return !kind.is_tun && !kind.is_master;
}

uint32_t kind_queues(int ifindex)
{
	const struct kind kind = kind_of(ifindex);

	return kind.is_master ? kind.queues : 1;
}
