// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Requests to the RDMA core for network interfaces of devices, and how answers are read. */
#include <errno.h>
#include <stdlib.h>

#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>

#include "ktap.h"
#include "core/device/netdev.h"

/* A fake kernel in place of libnl's sockets. */
static struct {
	/* Calls that shall fail, with libnl's negative numbers. */
	int connect_err;
	int connect_errno; /* errno that this failure leaves */
	int send_err;
	int answer_err;
	int answer_errs; /* how often it fails */

	/* The answers to the next requests, each a list of messages. */
	struct nl_msg *answers[2][16];
	unsigned int requests;

	nl_recvmsg_msg_cb_t on_message;
	void *arg;
} nl;

int nl_connect(struct nl_sock *sock, int protocol)
{
	(void)sock;
	EXPECT_EQ(protocol, NETLINK_RDMA);
	errno = nl.connect_errno;
	return nl.connect_err;
}

int nl_send_auto(struct nl_sock *sock, struct nl_msg *msg)
{
	(void)sock;
	(void)msg;
	return nl.send_err;
}

int nl_socket_modify_cb(struct nl_sock *sock, enum nl_cb_type type, enum nl_cb_kind kind,
			nl_recvmsg_msg_cb_t func, void *arg)
{
	(void)sock;
	EXPECT(type == NL_CB_VALID && kind == NL_CB_CUSTOM);
	nl.on_message = func;
	nl.arg = arg;
	return 0;
}

int nl_recvmsgs_default(struct nl_sock *sock)
{
	struct nl_msg **msg = nl.answers[nl.requests++ % 2];

	(void)sock;
	for (; *msg; msg++)
		if (nl.on_message(*msg, nl.arg) == NL_STOP)
			break;
	return nl.answer_errs-- > 0 ? nl.answer_err : 0;
}

static void set_up(void)
{
	memset(&nl, 0, sizeof(nl));
}

static void tear_down(void)
{
	for (int i = 0; i < 2; i++)
		for (int j = 0; nl.answers[i][j]; j++)
			nlmsg_free(nl.answers[i][j]);
}

static struct nl_msg *rdma(int index_attr, uint32_t index, int name_attr, const char *name)
{
	struct nl_msg *msg =
		nlmsg_alloc_simple(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET), 0);

	if (!msg)
		abort();
	nla_put_u32(msg, index_attr, index);
	if (name)
		nla_put_string(msg, name_attr, name);
	return msg;
}

#define RDMA_DEV(index, name) rdma(RDMA_NLDEV_ATTR_DEV_INDEX, index, RDMA_NLDEV_ATTR_DEV_NAME, name)
#define RDMA_IFACE(index, name) \
	rdma(RDMA_NLDEV_ATTR_NDEV_INDEX, index, RDMA_NLDEV_ATTR_NDEV_NAME, name)

TEST(the_interface_of_an_rdma_device)
{
	struct netdev netdev = { 0 };

	set_up();
	nl.answers[0][0] = RDMA_DEV(1, NULL);
	nl.answers[0][1] = RDMA_DEV(2, "rxe0");
	nl.answers[0][2] = RDMA_DEV(3, "rxe1");
	nl.answers[1][0] = RDMA_IFACE(5, "eth0");
	EXPECT_EQ(netdev_find("rxe0", &netdev), 0);
	EXPECT_EQ(netdev.index, 5);
	EXPECT_STR(netdev.name, "eth0");
	EXPECT_EQ(netdev_find("rxe2", &netdev), -ENODEV);
	tear_down();
}

TEST(an_rdma_device_without_interface_is_no_device)
{
	struct netdev netdev;

	set_up();
	nl.answers[0][0] = RDMA_DEV(2, "rxe0");
	nl.answers[1][0] = RDMA_IFACE(5, NULL);
	EXPECT_EQ(netdev_find("rxe0", &netdev), -ENODEV);
	tear_down();
}

TEST(an_rdma_core_that_does_not_answer)
{
	struct netdev netdev;

	set_up();
	nl.connect_err = -NLE_PROTO_MISMATCH;
	EXPECT_EQ(netdev_find("rxe0", &netdev), -EIO);
	set_up();
	nl.send_err = -NLE_NOMEM;
	EXPECT_EQ(netdev_find("rxe0", &netdev), -ENOMEM);
	set_up();
	nl.answer_err = -NLE_PERM;
	nl.answer_errs = 1;
	EXPECT_EQ(netdev_find("rxe0", &netdev), -EIO);
	/* libnl has no code for this error. */
	set_up();
	nl.connect_err = -NLE_FAILURE;
	nl.connect_errno = EMFILE;
	EXPECT_EQ(netdev_find("rxe0", &netdev), -EMFILE);
}

/* A device that goes while the list is made hides the next one. */
TEST(a_list_without_the_device_is_taken_anew)
{
	struct netdev netdev = { 0 };

	set_up();
	/* The first request and the third one; each looks for its own. */
	nl.answers[0][0] = RDMA_DEV(1, "rxe1");
	nl.answers[0][1] = RDMA_IFACE(5, "eth0");
	nl.answers[1][0] = RDMA_DEV(2, "rxe0");
	EXPECT_EQ(netdev_find("rxe0", &netdev), 0);
	EXPECT_EQ(netdev.index, 5);
	EXPECT_EQ(nl.requests, 3);
	tear_down();

	set_up();
	nl.answers[0][0] = RDMA_DEV(1, "rxe1");
	EXPECT_EQ(netdev_find("rxe0", &netdev), -ENODEV);
	EXPECT_EQ(nl.requests, 2);
	tear_down();
}
