// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <rdma/rdma_netlink.h>

#include "core/device/dev.h"
#include "table.h"

static int to_errno(int err)
{
	switch (-err) {
	case NLE_SUCCESS:
		return 0;
	case NLE_NOMEM:
		return -ENOMEM;
	case NLE_OBJ_NOTFOUND:
	case NLE_NODEV:
		return -ENODEV;
	default:
		return -EIO;
	}
}

/* Returns a negative errno, which libnl leaves: it has no error code for too many open files. */
static int connect_to(int protocol, struct nl_sock **sock)
{
	int err;

	*sock = nl_socket_alloc();
	if (!*sock)
		return -ENOMEM;
	nl_socket_disable_auto_ack(*sock);
	errno = 0;
	err = nl_connect(*sock, protocol);
	if (err) {
		err = errno ? -errno : to_errno(err);
		nl_socket_free(*sock);
	}
	return err;
}

struct rdma_search {
	const char *ibdev;
	uint32_t index;
	bool found;
	struct netdev *netdev;
};

static int match_rdma(struct nl_msg *msg, void *arg)
{
	struct nlattr *attrs[RDMA_NLDEV_ATTR_MAX];
	struct rdma_search *search = arg;

	if (nlmsg_parse(nlmsg_hdr(msg), 0, attrs, RDMA_NLDEV_ATTR_MAX - 1,
			NULL) ||
	    !attrs[RDMA_NLDEV_ATTR_DEV_INDEX] ||
	    !attrs[RDMA_NLDEV_ATTR_DEV_NAME])
		return NL_SKIP;
	if (nla_strcmp(attrs[RDMA_NLDEV_ATTR_DEV_NAME], search->ibdev) == 0) {
		search->index = nla_get_u32(attrs[RDMA_NLDEV_ATTR_DEV_INDEX]);
		search->found = true;
	}
	return NL_OK;
}

static int take_netdev(struct nl_msg *msg, void *arg)
{
	struct nlattr *attrs[RDMA_NLDEV_ATTR_MAX];
	struct rdma_search *search = arg;

	if (nlmsg_parse(nlmsg_hdr(msg), 0, attrs, RDMA_NLDEV_ATTR_MAX - 1,
			NULL) ||
	    !attrs[RDMA_NLDEV_ATTR_NDEV_INDEX] ||
	    !attrs[RDMA_NLDEV_ATTR_NDEV_NAME])
		return NL_SKIP;
	search->netdev->index = nla_get_u32(attrs[RDMA_NLDEV_ATTR_NDEV_INDEX]);
	snprintf(search->netdev->name, sizeof(search->netdev->name), "%s",
		 nla_get_string(attrs[RDMA_NLDEV_ATTR_NDEV_NAME]));
	search->found = true;
	return NL_OK;
}

/* Ask the RDMA core for devices or, with @port, for that port of the device found before. */
static int ask_rdma(struct nl_sock *sock, struct rdma_search *search,
		    uint32_t port)
{
	int cmd = port ? RDMA_NLDEV_CMD_PORT_GET : RDMA_NLDEV_CMD_GET;
	struct nl_msg *msg;
	int err = -NLE_NOMEM;

	msg = nlmsg_alloc_simple(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, cmd),
				 port ? 0 : NLM_F_DUMP);
	if (!msg)
		return err;
	if (!port ||
	    (!nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, search->index) &&
	     !nla_put_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, port)))
		err = nl_send_auto(sock, msg);
	nlmsg_free(msg);
	if (err < 0)
		return err;
	nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM,
			    port ? take_netdev : match_rdma, search);
	search->found = false;
	err = nl_recvmsgs_default(sock);
	if (!err && !search->found)
		err = -NLE_NODEV;
	return err;
}

int verbs_table_find(const char *ibdev, struct netdev *netdev)
{
	struct rdma_search search = { .ibdev = ibdev, .netdev = netdev };
	struct nl_sock *sock;
	int err = connect_to(NETLINK_RDMA, &sock);

	if (err)
		return err;
	err = ask_rdma(sock, &search, 0);
	/* The kernel counts devices as it lists them: where one goes meanwhile, it skips another. */
	if (err == -NLE_NODEV)
		err = ask_rdma(sock, &search, 0);
	if (!err)
		err = ask_rdma(sock, &search, DEV_PORT);
	nl_socket_free(sock);
	return to_errno(err);
}

struct addr_search {
	int index;
	int family;
	struct rtnl_addr *best;
};

static void match_addr(struct nl_object *obj, void *arg)
{
	struct rtnl_addr *addr = (struct rtnl_addr *)obj;
	struct addr_search *search = arg;

	if (rtnl_addr_get_ifindex(addr) == search->index &&
	    rtnl_addr_get_family(addr) == search->family &&
	    rtnl_addr_get_local(addr) &&
	    (!search->best ||
	     rtnl_addr_get_scope(addr) < rtnl_addr_get_scope(search->best)))
		search->best = addr;
}

int verbs_table_get_addr(const struct netdev *netdev, int family, void *addr,
			 size_t size)
{
	struct addr_search search = { netdev->index, family, NULL };
	struct nl_sock *sock;
	struct nl_cache *cache;
	struct nl_addr *local;
	int err = connect_to(NETLINK_ROUTE, &sock);

	if (err)
		return err;
	err = rtnl_addr_alloc_cache(sock, &cache);
	nl_socket_free(sock);
	if (err)
		return to_errno(err);
	nl_cache_foreach(cache, match_addr, &search);
	err = -ENOENT;
	if (search.best) {
		local = rtnl_addr_get_local(search.best);
		if (nl_addr_get_len(local) == size) {
			memcpy(addr, nl_addr_get_binary_addr(local), size);
			err = 0;
		}
	}
	nl_cache_free(cache);
	return err;
}

int verbs_table_get_mac(const struct netdev *netdev, void *addr, size_t size)
{
	struct nl_sock *sock;
	struct rtnl_link *link;
	struct nl_addr *mac;
	int err = connect_to(NETLINK_ROUTE, &sock);

	if (err)
		return err;
	err = rtnl_link_get_kernel(sock, netdev->index, NULL, &link);
	nl_socket_free(sock);
	if (err)
		return to_errno(err);
	mac = rtnl_link_get_addr(link);
	err = -ENOENT;
	if (mac && nl_addr_get_len(mac) == size) {
		memcpy(addr, nl_addr_get_binary_addr(mac), size);
		err = 0;
	}
	rtnl_link_put(link);
	return err;
}
