// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The library's netlink requests and how it reads the answers: the driver's about
 * devices, the RDMA core's about their network interfaces.
 */
#include <errno.h>
#include <stdlib.h>

#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>

#include "ktap.h"
#include "core/device/dev.h"
#include "fault.h"
#include "core/device/netdev.h"
#include "core/driver/device_id.h"
#include "core/driver/function.h"
#include "core/driver/netlink.h"

#define FAMILY 42

/* A fake kernel in place of libnl's sockets. */
static struct {
	/* Calls that shall fail, with libnl's negative numbers. */
	int connect_err;
	int connect_errno; /* errno that this failure leaves */
	int resolve_err;
	int send_err;
	int answer_err;
	int answer_errs; /* how often it fails */

	/* The answers to the next requests, each a list of messages. */
	struct nl_msg *answers[2][16];
	unsigned int requests;
	uint32_t asked_id; /* the last request's */
	uint16_t type;
	uint16_t flags;

	nl_recvmsg_msg_cb_t on_message;
	void *arg;
} nl;

int genl_connect(struct nl_sock *sock)
{
	(void)sock;
	errno = nl.connect_errno;
	return nl.connect_err;
}

int nl_connect(struct nl_sock *sock, int protocol)
{
	(void)sock;
	EXPECT_EQ(protocol, NETLINK_RDMA);
	errno = nl.connect_errno;
	return nl.connect_err;
}

int genl_ctrl_resolve(struct nl_sock *sock, const char *name)
{
	(void)sock;
	EXPECT_STR(name, DOCA_GENL_NAME);
	return nl.resolve_err ? nl.resolve_err : FAMILY;
}

int nl_send_auto(struct nl_sock *sock, struct nl_msg *msg)
{
	struct nlmsghdr *hdr = nlmsg_hdr(msg);
	struct nlattr *id = NULL;

	(void)sock;
	nl.type = hdr->nlmsg_type;
	nl.flags = hdr->nlmsg_flags;
	if (nl.type == FAMILY)
		id = nlmsg_find_attr(hdr, GENL_HDRLEN, DOCA_GENL_A_DEV_ID);
	nl.asked_id = id ? nla_get_u32(id) : 0;
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

static struct nl_msg *device(uint32_t id, const char *name)
{
	struct nl_msg *msg = nlmsg_alloc();

	if (!msg || !genlmsg_put(msg, 0, 0, FAMILY, 0, 0, DOCA_GENL_CMD_DEV_GET, DOCA_GENL_VERSION))
		abort();
	if (id)
		nla_put_u32(msg, DOCA_GENL_A_DEV_ID, id);
	nla_put_u32(msg, DOCA_GENL_A_DEV_TYPE, DOCA_DEV_RDMA);
	nla_put_string(msg, DOCA_GENL_A_DEV_NAME, name);
	return msg;
}

TEST(devices_are_what_the_driver_says)
{
	struct doca_devinfo *infos = NULL;
	uint32_t n = 0;

	set_up();
	nl.answers[0][0] = device(3, "rxe0");
	nla_put_u64(nl.answers[0][0], DOCA_GENL_A_DEV_GUID, 77);
	nla_put_s32(nl.answers[0][0], DOCA_GENL_A_DEV_NUMA_NODE, 1);
	nla_put_u32(nl.answers[0][0], DOCA_GENL_A_DEV_PORTS, 2);
	nla_put_string(nl.answers[0][0], DOCA_GENL_A_DEV_PCI, "0000:03:00.0");
	nla_put_string(nl.answers[0][0], DOCA_GENL_A_ENGINE_NAME, "0000:6a:01.0");
	nl.answers[0][1] = device(0, "without an id, so not understood");
	nl.answers[0][2] = device(4, "rxe1");
	EXPECT_EQ(netlink_list_devices(&infos, &n), 0);
	EXPECT_EQ(nl.type, FAMILY);
	EXPECT(nl.flags & NLM_F_DUMP);
	ASSERT(n == 2);
	EXPECT_EQ(infos[0].id, 3);
	EXPECT_EQ(infos[0].type, DOCA_DEV_RDMA);
	EXPECT_STR(infos[0].name, "rxe0");
	EXPECT_STR(infos[0].pci, "0000:03:00.0");
	EXPECT_EQ(infos[0].guid, 77);
	EXPECT_EQ(infos[0].numa_node, 1);
	EXPECT_EQ(infos[0].nr_ports, 2);
	EXPECT_STR(infos[0].engine, "0000:6a:01.0");
	EXPECT_EQ(infos[1].id, 4);
	EXPECT_STR(infos[1].pci, "");
	EXPECT_EQ(infos[1].numa_node, -1);
	EXPECT_STR(infos[1].engine, "");
	free(infos);
	tear_down();
}

static struct nl_msg *function(uint32_t id, const char *vuid)
{
	struct nl_msg *msg = nlmsg_alloc();

	if (!msg ||
	    !genlmsg_put(msg, 0, 0, FAMILY, 0, 0, DOCA_GENL_CMD_FUNCTION_GET, DOCA_GENL_VERSION))
		abort();
	nla_put_u32(msg, DOCA_GENL_A_FUNCTION_ID, id);
	nla_put_string(msg, DOCA_GENL_A_FUNCTION_VUID, vuid);
	nla_put_u32(msg, DOCA_GENL_A_DPU_ID, 3);
	return msg;
}

TEST(functions_are_what_the_driver_says)
{
	struct driver_function *functions = NULL;
	char long_vuid[200];
	uint32_t n = 0;

	set_up();
	memset(long_vuid, 'x', sizeof(long_vuid) - 1);
	long_vuid[sizeof(long_vuid) - 1] = '\0';
	nl.answers[0][0] = function(7, "OPENDOCA-pair0");
	nla_put_u32(nl.answers[0][0], DOCA_GENL_A_HOST_ID, 4);
	nl.answers[0][1] = function(8, "without a host, so not understood");
	nl.answers[0][2] = function(9, long_vuid);
	nla_put_u32(nl.answers[0][2], DOCA_GENL_A_HOST_ID, 5);
	EXPECT_EQ(netlink_list_functions(&functions, &n), 0);
	EXPECT(nl.flags & NLM_F_DUMP);
	ASSERT(n == 2);
	EXPECT_EQ(functions[0].id, 7);
	EXPECT_EQ(functions[0].dpu, 3);
	EXPECT_EQ(functions[0].host, 4);
	EXPECT_STR(functions[0].vuid, "OPENDOCA-pair0");
	EXPECT_EQ(functions[1].id, 9);
	EXPECT_EQ(strlen(functions[1].vuid), DOCA_DEVINFO_REP_VUID_SIZE - 1);
	free(functions);
	tear_down();
}

TEST(an_rdma_device_is_found_by_its_name)
{
	uint32_t id = 0;

	set_up();
	nl.answers[0][0] = device(3, "rxe0");
	nl.answers[0][1] = device(4, "rxe1");
	EXPECT_EQ(doca_priv_device_id("rxe1", &id), 0);
	EXPECT_EQ(id, 4);
	nl.requests = 0;
	EXPECT_EQ(doca_priv_device_id("rxe2", &id), -ENODEV);
	nl.resolve_err = -NLE_OBJ_NOTFOUND;
	EXPECT(doca_priv_device_id("rxe1", &id) < 0);
	EXPECT_EQ(id, 4);
	tear_down();
}

TEST(a_list_is_as_long_as_it_must_be)
{
	struct doca_devinfo *infos = NULL;
	uint32_t n = 0;

	set_up();
	for (uint32_t i = 0; i < 15; i++)
		nl.answers[0][i] = device(i + 1, "rxe");
	fault_at(FAULT_ALLOC, 1);
	do {
		int err = netlink_list_devices(&infos, &n);

		nl.requests = 0;
		EXPECT_EQ(err, fault_happened(FAULT_ALLOC) ? -ENOMEM : 0);
	} while (fault_next(FAULT_ALLOC));
	EXPECT_EQ(n, 15);
	EXPECT_EQ(infos[14].id, 15);
	free(infos);
	tear_down();
}

TEST(a_list_that_changed_meanwhile_is_taken_anew)
{
	struct doca_devinfo *infos = NULL;
	uint32_t n = 0;

	set_up();
	nl.answers[0][0] = device(1, "rxe0");
	nl.answers[1][0] = device(2, "rxe1");
	nl.answer_err = -NLE_DUMP_INTR;
	nl.answer_errs = 1;
	EXPECT_EQ(netlink_list_devices(&infos, &n), 0);
	EXPECT_EQ(nl.requests, 2);
	ASSERT(n == 1);
	EXPECT_EQ(infos[0].id, 2);
	free(infos);

	nl.answer_errs = 1000;
	EXPECT_EQ(netlink_list_devices(&infos, &n), -EIO);
	EXPECT(nl.requests < 100);
	tear_down();
}

TEST(errors_of_netlink_have_a_number)
{
	static const struct {
		int nle;
		int err;
	} errs[] = {
		{ -NLE_NOMEM, -ENOMEM },
		{ -NLE_OBJ_NOTFOUND, -ENOENT },
		{ -NLE_NODEV, -ENODEV },
		{ -NLE_PERM, -EIO },
	};
	struct doca_devinfo *infos;
	uint32_t n;
	int *const at[] = { &nl.connect_err, &nl.resolve_err, &nl.send_err, &nl.answer_err };
	struct netdev netdev;

	for (int i = 0; i < 16; i++) {
		set_up();
		*at[i % 4] = errs[i / 4].nle;
		nl.answer_errs = 2;
		EXPECT_EQ(netlink_list_devices(&infos, &n), errs[i / 4].err);
		EXPECT_EQ(netlink_check_device(1), errs[i / 4].err);
	}
	/* libnl has no code for this error. */
	set_up();
	nl.connect_err = -NLE_FAILURE;
	nl.connect_errno = EMFILE;
	EXPECT_EQ(netlink_list_devices(&infos, &n), -EMFILE);
	EXPECT_EQ(netlink_check_device(1), -EMFILE);
	EXPECT_EQ(netdev_find("rxe0", &netdev), -EMFILE);
}

TEST(one_device_is_asked_for_by_its_id)
{
	set_up();
	EXPECT_EQ(netlink_check_device(9), 0);
	EXPECT_EQ(nl.asked_id, 9);
	EXPECT(!(nl.flags & NLM_F_DUMP));
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
}
