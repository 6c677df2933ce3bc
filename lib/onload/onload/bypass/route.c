// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The interface by which a socket receives, and its addresses, if they are known for
 * certain. All else is left to the kernel.
 */
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bypass.h"

#ifndef SO_RXQ_OVFL
#define SO_RXQ_OVFL 40
#endif
#ifndef UDP_NO_CHECK6_RX
#define UDP_NO_CHECK6_RX 102
#endif

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

#define REFUSE(...)                                        \
	do {                                               \
		snprintf(reason, REASON_MAX, __VA_ARGS__); \
		return -1;                                 \
	} while (0)

static int option(int fd, int level, int name)
{
	socklen_t len = sizeof(int);
	int value = 0;

	return getsockopt(fd, level, name, &value, &len) ? 0 : value;
}

/* Options that only the kernel can handle. */
static int look_at_options(int fd, char *reason)
{
	static const struct {
		int level, name;
		const char *text;
	} odd[] = {
		{ SOL_SOCKET, SO_REUSEPORT, "SO_REUSEPORT" },
		{ SOL_SOCKET, SO_TIMESTAMPING, "SO_TIMESTAMPING" },
		{ SOL_SOCKET, SO_RXQ_OVFL, "SO_RXQ_OVFL" },
		{ SOL_SOCKET, SO_PASSCRED, "SO_PASSCRED" },
		{ IPPROTO_IP, IP_RECVERR, "IP_RECVERR" },
		{ IPPROTO_IP, IP_RECVOPTS, "IP_RECVOPTS" },
		{ IPPROTO_IP, IP_RETOPTS, "IP_RETOPTS" },
		{ IPPROTO_IP, IP_PASSSEC, "IP_PASSSEC" },
		{ IPPROTO_IP, IP_RECVORIGDSTADDR, "IP_RECVORIGDSTADDR" },
		{ IPPROTO_IP, IP_CHECKSUM, "IP_CHECKSUM" },
		{ IPPROTO_IP, IP_RECVFRAGSIZE, "IP_RECVFRAGSIZE" },
		{ IPPROTO_IP, IP_MINTTL, "IP_MINTTL" },
		{ IPPROTO_IPV6, IPV6_RECVERR, "IPV6_RECVERR" },
		{ IPPROTO_IPV6, IPV6_RECVRTHDR, "IPV6_RECVRTHDR" },
		{ IPPROTO_IPV6, IPV6_RECVHOPOPTS, "IPV6_RECVHOPOPTS" },
		{ IPPROTO_IPV6, IPV6_RECVDSTOPTS, "IPV6_RECVDSTOPTS" },
		{ IPPROTO_IPV6, IPV6_RECVPATHMTU, "IPV6_RECVPATHMTU" },
		{ IPPROTO_IPV6, IPV6_RECVORIGDSTADDR, "IPV6_RECVORIGDSTADDR" },
		{ IPPROTO_IPV6, IPV6_RECVFRAGSIZE, "IPV6_RECVFRAGSIZE" },
		{ IPPROTO_IPV6, IPV6_MINHOPCOUNT, "IPV6_MINHOPCOUNT" },
		{ IPPROTO_UDP, UDP_GRO, "UDP_GRO" },
		{ IPPROTO_UDP, UDP_ENCAP, "UDP_ENCAP" },
		{ IPPROTO_UDP, UDP_NO_CHECK6_RX, "UDP_NO_CHECK6_RX" },
	};
	socklen_t none = 0;
	char nothing;

	for (size_t i = 0; i < ARRAY_SIZE(odd); i++)
		if (option(fd, odd[i].level, odd[i].name))
			REFUSE("%s is set, which the kernel alone can do",
			       odd[i].text);
	if (getsockopt(fd, SOL_SOCKET, SO_GET_FILTER, &nothing, &none) || none)
		REFUSE("it has a filter, which the kernel alone can run");
	return 0;
}

static unsigned int tells_of(int fd, int family)
{
	unsigned int tells = 0;

	if (option(fd, SOL_SOCKET, SO_TIMESTAMPNS))
		tells |= TELL_TIME_NS;
	else if (option(fd, SOL_SOCKET, SO_TIMESTAMP))
		tells |= TELL_TIME;
	if (family == 4) {
		tells |= option(fd, IPPROTO_IP, IP_PKTINFO) ? TELL_PKTINFO : 0;
		tells |= option(fd, IPPROTO_IP, IP_RECVTTL) ? TELL_HOPS : 0;
		tells |= option(fd, IPPROTO_IP, IP_RECVTOS) ? TELL_TRAFFIC : 0;
		return tells;
	}
	tells |= option(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO) ? TELL_PKTINFO : 0;
	tells |= option(fd, IPPROTO_IPV6, IPV6_RECVHOPLIMIT) ? TELL_HOPS : 0;
	tells |= option(fd, IPPROTO_IPV6, IPV6_RECVTCLASS) ? TELL_TRAFFIC : 0;
	return tells;
}

/* The interfaces would be looked up in the thread's namespace. */
static bool is_of_this_namespace(int fd, struct route *r)
{
	struct stat ours, its = {};
	int ns = real()->ioctl(fd, SIOCGSKNS);
	bool same;

	if (ns < 0)
		return false;
	same = !fstat(ns, &its) && !stat("/proc/thread-self/ns/net", &ours) &&
	       its.st_ino == ours.st_ino && its.st_dev == ours.st_dev;
	real()->close(ns);
	r->namespace = its.st_ino;
	return same;
}

/* Copy the address's bytes, with zeros after those of IPv4. */
static void read_bytes(const struct sockaddr *addr, uint8_t bytes[16])
{
	const union address *a = (const union address *)addr;

	memset(bytes, 0, 16);
	if (addr->sa_family == AF_INET)
		memcpy(bytes, &a->in.sin_addr, 4);
	else
		memcpy(bytes, &a->in6.sin6_addr, 16);
}

static bool is_zero(const uint8_t *address)
{
	static const uint8_t zeros[16];

	return !memcmp(address, zeros, sizeof(zeros));
}

static bool is_group(int family, const uint8_t *address)
{
	return family == 4 ? (address[0] & 0xf0) == 0xe0 : address[0] == 0xff;
}

static void add(struct route *r, const uint8_t *address)
{
	if (r->nr < RULES_MAX)
		memcpy(r->to[r->nr++], address, 16);
}

/* Find the interface of an address; or, of an interface, its addresses. */
static void match_addresses(struct route *r, const uint8_t *address)
{
	const int family = r->family == 4 ? AF_INET : AF_INET6;
	struct ifaddrs *all, *i;
	uint8_t own[16];

	if (getifaddrs(&all))
		return;
	for (i = all; i; i = i->ifa_next) {
		if (!i->ifa_addr || i->ifa_addr->sa_family != family)
			continue;
		read_bytes(i->ifa_addr, own);
		if (*r->ifname ? strcmp(i->ifa_name, r->ifname) :
				 memcmp(own, address, 16))
			continue;
		if (!*r->ifname)
			strncpy(r->ifname, i->ifa_name, IF_NAMESIZE - 1);
		if (is_zero(address))
			add(r, own);
		else if (!memcmp(own, address, 16) && !r->nr)
			add(r, own);
	}
	freeifaddrs(all);
}

static void match_groups(struct route *r, const struct bypass *bypass,
			 const uint8_t *address)
{
	const struct group *g;

	for (unsigned int i = 0; i < bypass->nr_groups; i++) {
		g = &bypass->groups[i];
		if (g->family != r->family ||
		    (!is_zero(address) && memcmp(g->address, address, 16)))
			continue;
		if (!*r->ifname)
			if_indextoname(g->ifindex, r->ifname);
		if (g->ifindex == if_nametoindex(r->ifname))
			add(r, g->address);
	}
}

static int look_at_interface(struct route *r, char *reason)
{
	struct ifreq req = {};
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int err;

	memcpy(req.ifr_name, r->ifname, IF_NAMESIZE);
	err = real()->ioctl(fd, SIOCGIFFLAGS, &req);
	if (!err && req.ifr_flags & IFF_LOOPBACK) {
		real()->close(fd);
		REFUSE("%s is the loopback interface", r->ifname);
	}
	err |= real()->ioctl(fd, SIOCGIFHWADDR, &req);
	real()->close(fd);
	r->ifindex = if_nametoindex(r->ifname);
	if (err || !r->ifindex)
		REFUSE("%s cannot be asked", r->ifname);
	memcpy(r->mac, req.ifr_hwaddr.sa_data, sizeof(r->mac));
	return 0;
}

static int look_at_address(int fd, const struct bypass *bypass, struct route *r,
			   char *reason)
{
	union address a = {};
	socklen_t len = sizeof(a);
	uint8_t address[16];

	if (getsockname(fd, &a.any, &len))
		REFUSE("its address is not known");
	r->family = a.any.sa_family == AF_INET ? 4 : 6;
	r->port = a.in.sin_port;
	read_bytes(&a.any, address);
	if (r->family == 6 && IN6_IS_ADDR_V4MAPPED(&a.in6.sin6_addr))
		REFUSE("its address is one of IPv4 in IPv6");
	len = sizeof(r->ifname);
	if (getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, r->ifname, &len) ||
	    !len)
		*r->ifname = '\0';
	if (is_group(r->family, address) ||
	    (is_zero(address) && bypass->nr_groups))
		match_groups(r, bypass, address);
	else if (atomic_load(&bypass->groups_only))
		REFUSE("onload_socket_unicast_nonaccel() asks for it");
	else if (!is_zero(address) || *r->ifname)
		match_addresses(r, address);
	if (!r->nr && !is_zero(address))
		REFUSE("no interface has its address");
	if (!r->nr)
		REFUSE("it is bound to neither an address nor an interface");
	return look_at_interface(r, reason);
}

static void look_at_peer(int fd, struct route *r)
{
	union address a = {};
	socklen_t len = sizeof(a);

	if (getpeername(fd, &a.any, &len))
		return;
	r->connected = true;
	r->peer_port = a.in.sin_port;
	read_bytes(&a.any, r->peer);
}

int route_find(int fd, const struct bypass *bypass, struct route *route,
	       char *reason)
{
	*route = (struct route){};
	if (look_at_options(fd, reason))
		return -1;
	if (look_at_address(fd, bypass, route, reason))
		return -1;
	if (!is_of_this_namespace(fd, route))
		REFUSE("it takes CAP_NET_RAW, CAP_NET_ADMIN and CAP_BPF, in its own network namespace");
	route->tells = tells_of(fd, route->family);
	look_at_peer(fd, route);
	return 0;
}

unsigned int route_of_address(const void *address)
{
	struct route r = { .family = 4 };
	uint8_t own[16] = {};

	memcpy(own, address, 4);
	match_addresses(&r, own);
	return if_nametoindex(r.ifname);
}

/* Follow the route to it, as the kernel does. */
unsigned int route_of_group(const uint8_t *group)
{
	unsigned int ifindex = 0;
	union address a = { .in.sin_family = AF_INET, .in.sin_port = htons(9) };
	socklen_t len = sizeof(a.in);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	memcpy(&a.in.sin_addr, group, 4);
	if (!real()->connect(fd, &a.any, len) && !getsockname(fd, &a.any, &len))
		ifindex = route_of_address(&a.in.sin_addr);
	real()->close(fd);
	return ifindex;
}
