// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if_arp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/link/veth.h>
#include <rdma/rdma_netlink.h>

#include "bench/msg.h"
#include "wire.h"

#define PORT 5000
#define ROOM (4 << 20) /* for a socket's datagrams in flight */

static int this_namespace(void)
{
	return open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
}

/* Moves the thread into it. */
static int new_namespace(int *fd)
{
	if (unshare(CLONE_NEWNET))
		return -1;
	*fd = this_namespace();
	return *fd < 0 ? -1 : 0;
}

int wires_open(struct wires *wires)
{
	*wires = (struct wires){ .home = this_namespace(),
				 .near = -1,
				 .far = -1 };
	if (wires->home >= 0 && !new_namespace(&wires->far) &&
	    !new_namespace(&wires->near))
		return 0;
	fail_errno(errno, "datagrams are not measured: "
			  "there cannot be network namespaces for them");
	hint("That takes CAP_SYS_ADMIN: run it as root.");
	wires_close(wires);
	return -1;
}

void wires_close(struct wires *wires)
{
	if (wires->home >= 0)
		setns(wires->home, CLONE_NEWNET);
	close(wires->near);
	close(wires->far);
	close(wires->home);
}

static int add_pair(const struct wire *wire, int far)
{
	struct nl_sock *sock = nl_socket_alloc();
	struct rtnl_link *link = rtnl_link_veth_alloc();
	struct rtnl_link *peer = link ? rtnl_link_veth_get_peer(link) : NULL;
	int err = -NLE_NOMEM;

	if (sock && peer) {
		rtnl_link_set_name(link, wire->near.name);
		rtnl_link_set_name(peer, wire->far.name);
		rtnl_link_set_ns_fd(peer, far);
		err = nl_connect(sock, NETLINK_ROUTE);
		if (!err)
			err = rtnl_link_add(sock, link,
					    NLM_F_CREATE | NLM_F_EXCL);
	}
	rtnl_link_put(peer);
	rtnl_link_put(link);
	nl_socket_free(sock);
	return err ? fail("cannot add a pair of interfaces: %s",
			  nl_geterror(err)) :
		     0;
}

/* Set the address, bring the interface up, and read its MAC address. */
static int set_up_end(struct wire_end *end)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in mask = { .sin_family = AF_INET,
				    .sin_addr = { htonl(0xffffff00) } };
	struct ifreq req = { 0 };
	int ret = -1;

	memcpy(req.ifr_name, end->name, sizeof(req.ifr_name));
	memcpy(&req.ifr_addr, &end->address, sizeof(end->address));
	if (fd < 0 || ioctl(fd, SIOCSIFADDR, &req))
		goto out;
	memcpy(&req.ifr_netmask, &mask, sizeof(mask));
	if (ioctl(fd, SIOCSIFNETMASK, &req) || ioctl(fd, SIOCGIFFLAGS, &req))
		goto out;
	req.ifr_flags |= IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &req) || ioctl(fd, SIOCGIFHWADDR, &req))
		goto out;
	memcpy(end->mac, req.ifr_hwaddr.sa_data, sizeof(end->mac));
	ret = 0;
out:
	if (ret)
		fail_errno(errno, "cannot set up interface %s", end->name);
	close(fd);
	return ret;
}

static void init_end(struct wire_end *end, const char *name, unsigned int nr,
		     unsigned int host)
{
	*end = (struct wire_end){
		.address = { .sin_family = AF_INET,
			     .sin_port = htons(PORT),
			     .sin_addr = { htonl(10U << 24 | 9U << 16 |
						 (nr & 0xff) << 8 | host) } },
	};
	snprintf(end->name, sizeof(end->name), "%s%u", name, nr);
}

int wire_open(struct wire *wire, const struct wires *wires)
{
	static unsigned int nr;
	int ret;

	nr++;
	init_end(&wire->near, "near", nr, 1);
	init_end(&wire->far, "far", nr, 2);
	if (add_pair(wire, wires->far))
		return -1;
	if (setns(wires->far, CLONE_NEWNET))
		ret = fail_errno(errno, "cannot enter a network namespace");
	else
		ret = set_up_end(&wire->far);
	setns(wires->near, CLONE_NEWNET);
	if (!ret && !set_up_end(&wire->near))
		return 0;
	wire_close(wire);
	return -1;
}

/* The other end goes with it. */
void wire_close(const struct wire *wire)
{
	struct nl_sock *sock = nl_socket_alloc();
	struct rtnl_link *link = rtnl_link_alloc();

	if (sock && link && !nl_connect(sock, NETLINK_ROUTE)) {
		rtnl_link_set_name(link, wire->near.name);
		rtnl_link_delete(sock, link);
	}
	rtnl_link_put(link);
	nl_socket_free(sock);
}

int wire_add_device(const struct wire *wire, const char *name)
{
	const int type =
		RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_NEWLINK);
	struct nl_sock *sock = nl_socket_alloc();
	struct nl_msg *msg = nlmsg_alloc_simple(type, NLM_F_REQUEST);
	int err = -NLE_NOMEM;

	if (sock && msg &&
	    !nla_put_string(msg, RDMA_NLDEV_ATTR_DEV_NAME, name) &&
	    !nla_put_string(msg, RDMA_NLDEV_ATTR_LINK_TYPE, "rxe") &&
	    !nla_put_string(msg, RDMA_NLDEV_ATTR_NDEV_NAME, wire->near.name))
		err = nl_connect(sock, NETLINK_RDMA);
	if (!err) {
		err = nl_send_sync(sock, msg); /* frees the message */
		msg = NULL;
	}
	nlmsg_free(msg);
	nl_socket_free(sock);
	if (err < 0)
		return fail("there is no RDMA device on interface %s: %s",
			    wire->near.name, nl_geterror(err));
	return 0;
}

/* Without the right to a larger buffer, only the largest bursts fail. */
int wire_set_up_socket(int fd, const struct wire_end *own,
		       const struct wire_end *other)
{
	const struct sockaddr *address = (const void *)&own->address;
	const struct sockaddr *peer = (const void *)&other->address;
	int room = ROOM;

	if (fd < 0)
		return fail_errno(errno, "cannot create a socket");
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	if (bind(fd, address, sizeof(own->address)) ||
	    connect(fd, peer, sizeof(other->address)))
		return fail_errno(errno, "cannot set up a socket");
	return 0;
}

int wire_far_socket(const struct wire *wire, const struct wires *wires)
{
	int fd, err;

	if (setns(wires->far, CLONE_NEWNET))
		return fail_errno(errno, "cannot enter a network namespace");
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	err = wire_set_up_socket(fd, &wire->far, &wire->near);
	setns(wires->near, CLONE_NEWNET);
	if (!err)
		return fd;
	close(fd);
	return -1;
}
