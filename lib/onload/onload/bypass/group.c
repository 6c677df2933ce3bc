// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Groups that a socket joins and leaves by setsockopt(). Filters of single sources are
 * left to the kernel.
 */
#include <netinet/in.h>
#include <string.h>

#include "bypass.h"

enum change { NOTHING, JOIN, LEAVE, SOURCE };

static const char odd[] = "its groups are more than can be told";

static enum change change_of(int level, int name)
{
	if (level != IPPROTO_IP && level != IPPROTO_IPV6)
		return NOTHING;
	if (name == MCAST_JOIN_GROUP)
		return JOIN;
	if (name == MCAST_LEAVE_GROUP)
		return LEAVE;
	if (name >= MCAST_BLOCK_SOURCE && name <= MCAST_MSFILTER)
		return SOURCE;
	if (level == IPPROTO_IPV6)
		return name == IPV6_ADD_MEMBERSHIP  ? JOIN :
		       name == IPV6_DROP_MEMBERSHIP ? LEAVE :
						      NOTHING;
	if (name == IP_ADD_MEMBERSHIP || name == IP_DROP_MEMBERSHIP)
		return name == IP_ADD_MEMBERSHIP ? JOIN : LEAVE;
	return name >= IP_UNBLOCK_SOURCE && name <= IP_MSFILTER ? SOURCE :
								  NOTHING;
}

bool group_is_of(int level, int name)
{
	return change_of(level, name) != NOTHING;
}

/* The interface may be given by its number, by its address, or not at all. */
static bool read_ipv4(struct group *g, const void *value, socklen_t len)
{
	struct ip_mreqn req = {};

	if (len < sizeof(struct ip_mreq))
		return false;
	memcpy(&req, value, len < sizeof(req) ? len : sizeof(req));
	memcpy(g->address, &req.imr_multiaddr, 4);
	g->ifindex = len >= sizeof(req) ? req.imr_ifindex : 0;
	if (!g->ifindex && req.imr_address.s_addr)
		g->ifindex = route_of_address(&req.imr_address);
	return true;
}

static bool read_any(struct group *g, int level, int name, const void *value,
		     socklen_t len)
{
	struct group_req req;
	struct ipv6_mreq req6;

	g->family = level == IPPROTO_IP ? 4 : 6;
	if (name == MCAST_JOIN_GROUP || name == MCAST_LEAVE_GROUP) {
		if (len < sizeof(req))
			return false;
		memcpy(&req, value, sizeof(req));
		g->ifindex = req.gr_interface;
		if (level == IPPROTO_IP)
			memcpy(g->address,
			       &((struct sockaddr_in *)&req.gr_group)->sin_addr,
			       4);
		else
			memcpy(g->address,
			       &((struct sockaddr_in6 *)&req.gr_group)
					->sin6_addr,
			       16);
		return true;
	}
	if (level == IPPROTO_IP)
		return read_ipv4(g, value, len);
	if (len < sizeof(req6))
		return false;
	memcpy(&req6, value, sizeof(req6));
	memcpy(g->address, &req6.ipv6mr_multiaddr, 16);
	g->ifindex = req6.ipv6mr_interface;
	return true;
}

/* Return false if there are too many. */
static bool join(struct bypass *bypass, const struct group *g)
{
	if (!g->ifindex || bypass->nr_groups == RULES_MAX)
		return false;
	bypass->groups[bypass->nr_groups++] = *g;
	return true;
}

static void leave(struct bypass *bypass, const struct group *g)
{
	for (unsigned int i = 0; i < bypass->nr_groups; i++) {
		if (memcmp(&bypass->groups[i], g, sizeof(*g)))
			continue;
		bypass->groups[i] = bypass->groups[--bypass->nr_groups];
		return;
	}
}

void group_change(int fd, struct sock *sock, int level, int name,
		  const void *value, socklen_t len)
{
	const enum change change = change_of(level, name);
	struct group g = {};
	bool told;

	told = change != SOURCE && read_any(&g, level, name, value, len);
	if (told && !g.ifindex && g.family == 4)
		g.ifindex = route_of_group(g.address);
	atomic_store(&sock->multicast, true);
	bypass_lock_all();
	if (told && change == LEAVE)
		leave(sock->bypass, &g);
	else if (told)
		told = join(sock->bypass, &g);
	atomic_store(&sock->bypass->changed, true);
	bypass_unlock_all();
	if (!told)
		bypass_bar(fd, sock, odd);
}
