// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Functions: pairs of a host's device and its DPU's, which an administrator makes. */
#include <poll.h>
#include <sys/syscall.h>

#include "doca_nl_raw.h"
#include "doca_ring.h"
#include "pair.h"
#include "kselftest_harness.h"
#include "namespace.h"

#define SOMEBODY 65534
/* Addresses that no test machine uses */
#define DPU_PCI "0000:e3:00.0"
#define HOST_PCI "0000:e4:00.1"
#define MAX_FUNCTIONS 256

FIXTURE(functions)
{
	struct family nl;
	struct listing l;
};

static int add(struct family *nl, struct wanted w)
{
	return function_change(nl, DOCA_GENL_CMD_FUNCTION_ADD, &w);
}

#define ADD(...) add(&self->nl, (struct wanted){ __VA_ARGS__ })
#define ADD_MADE(name_) ADD(.name = name_, .dpu_pci = DPU_PCI, .host_pci = HOST_PCI)
#define DEL(name_) function_change(&self->nl, DOCA_GENL_CMD_FUNCTION_DEL, &(struct wanted){ .name = name_ })
#define GET(id)                                                                   \
	ask(self->nl.family, DOCA_GENL_CMD_FUNCTION_GET, NLM_F_ACK,                \
	    DOCA_GENL_A_FUNCTION_ID, id)
#define REFUSED(rc, words, call)                       \
	do {                                           \
		EXPECT_EQ(rc, call);                   \
		EXPECT_STREQ(words, self->nl.message); \
	} while (0)

static const struct listing *list(struct family *nl, int cmd, struct listing *l)
{
	listing_free(l);
	return family_list(nl, cmd, l) ? NULL : l;
}

#define FUNCTIONS() list(&self->nl, DOCA_GENL_CMD_FUNCTION_GET, &self->l)
#define DEVICES() list(&self->nl, DOCA_GENL_CMD_DEV_GET, &self->l)

/* Return the id, 0 if there is none */
static uint32_t device_named(struct family *nl, const char *name)
{
	struct listing l = {};
	uint32_t id = 0;
	int i;

	list(nl, DOCA_GENL_CMD_DEV_GET, &l);
	for (i = 0; i < l.n; i++)
		if (!strcmp(l.e[i].dev, name))
			id = l.e[i].v[DOCA_GENL_A_DEV_ID];
	listing_free(&l);
	return id;
}

#define DEVICE(name) device_named(&self->nl, name)

/* A test that has failed may have left some. */
static void delete_all(struct family *nl)
{
	struct listing l = {};
	int i;

	list(nl, DOCA_GENL_CMD_FUNCTION_GET, &l);
	for (i = 0; i < l.n; i++)
		function_change(nl, DOCA_GENL_CMD_FUNCTION_DEL, &(struct wanted){ .name = l.e[i].function });
	listing_free(&l);
}

FIXTURE_SETUP(functions)
{
	self->l = (struct listing){};
	ASSERT_EQ(0, family_open(&self->nl));
	delete_all(&self->nl);
	ASSERT_NE(NULL, FUNCTIONS());
	ASSERT_EQ(0, self->l.n);
}

FIXTURE_TEARDOWN(functions)
{
	delete_all(&self->nl);
	listing_free(&self->l);
	family_close(&self->nl);
}

TEST_F(functions, one_that_makes_its_devices)
{
	const struct entry *e;
	uint32_t dpu, host;

	ASSERT_EQ(0, ADD_MADE("p"));
	dpu = DEVICE("p-dpu");
	host = DEVICE("p-host");
	ASSERT_NE(0, dpu);
	ASSERT_NE(0, host);
	ASSERT_NE(NULL, FUNCTIONS());
	ASSERT_EQ(1, self->l.n);
	e = self->l.e;
	EXPECT_STREQ("p", e->function);
	EXPECT_STREQ("OPENDOCA-p", e->vuid);
	EXPECT_EQ(dpu, e->v[DOCA_GENL_A_DPU_ID]);
	EXPECT_EQ(host, e->v[DOCA_GENL_A_HOST_ID]);
	EXPECT_TRUE(e->has[DOCA_GENL_A_DPU_NAME] && e->has[DOCA_GENL_A_HOST_NAME] &&
		    e->has[DOCA_GENL_A_DPU_PCI] && e->has[DOCA_GENL_A_HOST_PCI]);
	EXPECT_FALSE(e->has[DOCA_GENL_A_ANY_USER]);
	EXPECT_EQ(0, DEL("p"));
	EXPECT_EQ(0, DEVICE("p-dpu"));
	EXPECT_EQ(0, DEVICE("p-host"));
	ASSERT_NE(NULL, FUNCTIONS());
	EXPECT_EQ(0, self->l.n);
	REFUSED(-ENOENT, "there is no pair of this name", DEL("p"));
}

/* A VUID finds the function again; an id never finds another one. */
TEST_F(functions, vuids_stay_and_ids_do_not_come_back)
{
	uint32_t id;

	ASSERT_EQ(0, ADD_MADE("a.b_c-1"));
	ASSERT_NE(NULL, FUNCTIONS());
	ASSERT_EQ(1, self->l.n);
	id = self->l.e[0].v[DOCA_GENL_A_FUNCTION_ID];
	EXPECT_EQ(0, GET(id));
	ASSERT_EQ(0, DEL("a.b_c-1"));
	REFUSED(-ENOENT, "No pair with this id is seen here",
		family_request(&self->nl, DOCA_GENL_CMD_FUNCTION_GET, NLM_F_ACK,
			       DOCA_GENL_A_FUNCTION_ID, &id, sizeof(id)));
	ASSERT_EQ(0, ADD(.name = "a.b_c-1", .dpu_pci = DPU_PCI, .host_pci = HOST_PCI,
			 .any_user = true));
	ASSERT_NE(NULL, FUNCTIONS());
	ASSERT_EQ(1, self->l.n);
	EXPECT_LT(id, self->l.e[0].v[DOCA_GENL_A_FUNCTION_ID]);
	EXPECT_STREQ("OPENDOCA-a.b_c-1", self->l.e[0].vuid);
	EXPECT_TRUE(self->l.e[0].has[DOCA_GENL_A_ANY_USER]);
	EXPECT_EQ(-EINVAL,
		  family_request(&self->nl, DOCA_GENL_CMD_FUNCTION_GET, NLM_F_ACK, 0, NULL, 0));
	EXPECT_EQ(-EINVAL, family_request(&self->nl, DOCA_GENL_CMD_FUNCTION_GET, NLM_F_DUMP,
					  DOCA_GENL_A_FUNCTION_ID, &id, sizeof(id)));
}

TEST_F(functions, a_host_s_device_is_in_one_and_a_dpu_s_in_many)
{
	uint32_t dpu, host, other_dpu, other_host, software = DEVICE("software");

	ASSERT_EQ(0, ADD_MADE("p"));
	dpu = DEVICE("p-dpu");
	host = DEVICE("p-host");
	REFUSED(-EEXIST, "there is a device at this address", ADD_MADE("q"));
	ASSERT_EQ(0, ADD(.name = "q", .dpu_pci = "0000:e5:00.0", .host_pci = "0000:e6:00.0"));
	other_dpu = DEVICE("q-dpu");
	other_host = DEVICE("q-host");
	REFUSED(-EEXIST, "there is a pair of this name",
		ADD(.name = "p", .dpu = dpu, .host = software));
	REFUSED(-EBUSY, "the host's device is in a pair already",
		ADD(.name = "r", .dpu = other_dpu, .host = host));
	REFUSED(-EBUSY, "the host's device is in a pair already",
		ADD(.name = "r", .dpu = dpu, .host = other_dpu));
	REFUSED(-EBUSY, "the DPU's device is the host's in another pair",
		ADD(.name = "r", .dpu = other_host, .host = software));
	EXPECT_EQ(0, ADD(.name = "r", .dpu = dpu, .host = software));
	ASSERT_NE(NULL, FUNCTIONS());
	EXPECT_EQ(3, self->l.n);
	EXPECT_EQ(2, listing_count(&self->l, DOCA_GENL_A_DPU_ID, dpu));
	/* Devices that were made also end the functions that others have made with them. */
	EXPECT_EQ(0, DEL("p"));
	ASSERT_NE(NULL, FUNCTIONS());
	ASSERT_EQ(1, self->l.n);
	EXPECT_STREQ("q", self->l.e[0].function);
	EXPECT_EQ(software, DEVICE("software"));
}

TEST_F(functions, what_makes_no_sense)
{
	static const char *const names[] = { "", "a b", "a/b", "\xc3\xa4",
					     "12345678901234567890123456789012" };
	static const char *const addresses[] = {
		"",	      "e3:00.0",      "0000:E3:00.0", "0000:e3:00.8", "0000:e3:00.0 ",
		"0000:e3:00", "x000:e3:00.0", "software"
	};
	uint32_t software = DEVICE("software");
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		REFUSED(-EINVAL, "a name has 1 to 31 letters, digits, and any of . _ -",
			ADD_MADE(names[i]));
	for (i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		REFUSED(-EINVAL, "an address is not like 0000:03:00.0",
			ADD(.name = "p", .dpu_pci = addresses[i], .host_pci = HOST_PCI));
		REFUSED(-EINVAL, "an address is not like 0000:03:00.0",
			ADD(.name = "p", .dpu_pci = DPU_PCI, .host_pci = addresses[i]));
	}
	REFUSED(-EEXIST, "there is a device at this address",
		ADD(.name = "p", .dpu_pci = DPU_PCI, .host_pci = DPU_PCI));
	REFUSED(-EINVAL, "the pair's name is missing",
		ADD(.dpu_pci = DPU_PCI, .host_pci = HOST_PCI));
	REFUSED(-EINVAL, "the pair's name is missing", DEL(NULL));
	REFUSED(-EINVAL, "it takes two devices, or two addresses", ADD(.name = "p"));
	REFUSED(-EINVAL, "it takes two devices, or two addresses",
		ADD(.name = "p", .dpu = software));
	REFUSED(-EINVAL, "it takes two devices, or two addresses",
		ADD(.name = "p", .dpu = software, .host_pci = HOST_PCI));
	REFUSED(-EINVAL, "it takes two devices, or two addresses",
		ADD(.name = "p", .dpu = software, .host = software, .host_pci = HOST_PCI));
	REFUSED(-EINVAL, "a device cannot be both sides",
		ADD(.name = "p", .dpu = software, .host = software));
	REFUSED(-ENODEV, "there is no such host's device",
		ADD(.name = "p", .dpu = software, .host = UINT32_MAX));
	REFUSED(-ENODEV, "there is no such DPU's device",
		ADD(.name = "p", .dpu = UINT32_MAX, .host = software));
	ASSERT_NE(NULL, DEVICES());
	EXPECT_EQ(listing_count(&self->l, DOCA_GENL_A_DEV_TYPE, DOCA_DEV_SOFTWARE), 1);
	ASSERT_NE(NULL, FUNCTIONS());
	EXPECT_EQ(0, self->l.n);
}

/* Refused ones leave nothing behind. */
TEST_F(functions, no_more_than_there_may_be)
{
	char name[16], dpu[16], host[16];
	int i;

	for (i = 0; i <= MAX_FUNCTIONS; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		snprintf(dpu, sizeof(dpu), "%04x:%02x:00.0", 0x10 + (i >> 8), i & 0xff);
		snprintf(host, sizeof(host), "%04x:%02x:00.0", 0x20 + (i >> 8), i & 0xff);
		EXPECT_EQ(i < MAX_FUNCTIONS ? 0 : -ENOSPC,
			  ADD(.name = name, .dpu_pci = dpu, .host_pci = host));
	}
	EXPECT_STREQ("there are too many pairs", self->nl.message);
	ASSERT_NE(NULL, FUNCTIONS());
	EXPECT_EQ(MAX_FUNCTIONS, self->l.n);
	ASSERT_NE(NULL, DEVICES());
	EXPECT_EQ(2 * MAX_FUNCTIONS + 1,
		  listing_count(&self->l, DOCA_GENL_A_DEV_TYPE, DOCA_DEV_SOFTWARE));
}

static void expect_no_privilege(struct __test_metadata *_metadata)
{
	static const char words[] = "it needs CAP_SYS_ADMIN in the initial user namespace";
	struct wanted made = { .name = "q", .dpu_pci = "0000:e5:00.0", .host_pci = "0000:e6:00.0" };
	struct wanted p = { .name = "p" };
	struct listing l = {};
	struct family nl;

	ASSERT_EQ(0, family_open(&nl));
	EXPECT_EQ(-EPERM, add(&nl, made));
	EXPECT_STREQ(words, nl.message);
	EXPECT_EQ(-EPERM, function_change(&nl, DOCA_GENL_CMD_FUNCTION_DEL, &p));
	EXPECT_STREQ(words, nl.message);
	EXPECT_EQ(0, family_list(&nl, DOCA_GENL_CMD_FUNCTION_GET, &l));
	EXPECT_EQ(1, l.n);
	listing_free(&l);
	family_close(&nl);
}

TEST_F(functions, anybody_may_list_and_administrators_change)
{
	pid_t pid;

	ASSERT_EQ(0, ADD_MADE("p"));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		ASSERT_EQ(0, setresuid(SOMEBODY, SOMEBODY, SOMEBODY));
		expect_no_privilege(_metadata);
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (become_root_of_a_namespace())
			_exit(HARNESS_EXIT_SKIP);
		expect_no_privilege(_metadata);
		CHILD_EXIT();
	}
	CHILD_MAY_SKIP(pid, "no user namespaces");
}

static bool shell(const char *command)
{
	return !system(command);
}

/* The other device stays as it is, and may be in a function again. */
TEST_F(functions, one_ends_with_either_device)
{
	uint32_t software = DEVICE("software"), rxe = DEVICE("rxe0");

	if (!rxe)
		SKIP(return, "needs the RDMA device rxe0");
	ASSERT_EQ(0, ADD(.name = "p", .dpu = rxe, .host = software));
	ASSERT_TRUE(shell("rdma link delete rxe0"));
	ASSERT_NE(NULL, FUNCTIONS());
	EXPECT_EQ(0, self->l.n);
	EXPECT_TRUE(shell("rdma link add rxe0 type rxe netdev eth0"));
	REFUSED(-ENODEV, "there is no such DPU's device",
		ADD(.name = "p", .dpu = rxe, .host = software));
	rxe = DEVICE("rxe0");
	ASSERT_EQ(0, ADD(.name = "p", .dpu = software, .host = rxe));
	ASSERT_TRUE(shell("rdma link delete rxe0"));
	ASSERT_NE(NULL, FUNCTIONS());
	EXPECT_EQ(0, self->l.n);
	EXPECT_TRUE(shell("rdma link add rxe0 type rxe netdev eth0"));
}

/* Users of a device that was made do not delay the administrator, and die. */
TEST_F(functions, the_end_waits_for_no_user)
{
	struct doca d = {};
	struct queue q;

	ASSERT_EQ(0, ADD_MADE("p"));
	DOCA_OPEN(&d);
	d.device = DEVICE("p-host");
	ASSERT_EQ(0, queue_open(&q, &d, 0, 16, 0));
	ASSERT_EQ(DOCA_STATUS_SUCCESS, queue_status(&q, sqe_nop(0)));
	EXPECT_EQ(0, DEL("p"));
	WAIT_UNTIL(ring_load(&q.kernel->dead));
	queue_close(&q);
	DOCA_CLOSE(&d);
}

static int heard[16], nr_heard;

static int on_event(struct nl_msg *msg, void *arg)
{
	const struct genlmsghdr *hdr = nlmsg_data(nlmsg_hdr(msg));

	(void)arg;
	if (nr_heard < 16)
		heard[nr_heard++] = hdr->cmd;
	return NL_OK;
}

TEST_F(functions, the_group_hears_of_them)
{
	static const int expected[] = {
		DOCA_GENL_CMD_DEV_ADD,	    DOCA_GENL_CMD_DEV_ADD, DOCA_GENL_CMD_FUNCTION_ADD,
		DOCA_GENL_CMD_FUNCTION_DEL, DOCA_GENL_CMD_DEV_DEL, DOCA_GENL_CMD_DEV_DEL,
	};
	struct family nl;
	int group, i;

	ASSERT_EQ(0, family_open(&nl));
	group = genl_ctrl_resolve_grp(nl.sock, DOCA_GENL_NAME, DOCA_GENL_MCGRP_DEVICE);
	ASSERT_EQ(0, nl_socket_add_membership(nl.sock, group));
	nl_socket_disable_seq_check(nl.sock);
	nl_socket_modify_cb(nl.sock, NL_CB_VALID, NL_CB_CUSTOM, on_event, NULL);
	ASSERT_EQ(0, ADD_MADE("p"));
	ASSERT_EQ(0, DEL("p"));
	while (nr_heard < 6)
		ASSERT_EQ(0, nl_recvmsgs_default(nl.sock));
	for (i = 0; i < 6; i++)
		EXPECT_EQ(expected[i], heard[i]);
	family_close(&nl);
}

/* If RDMA devices belong to one namespace, their functions are not seen in another. */
TEST_F(functions, exclusive_network_namespaces)
{
	uint32_t software = DEVICE("software"), rxe, id;
	pid_t pid;

	if (!DEVICE("rxe0") || !shell("rdma system set netns exclusive"))
		SKIP(return, "needs RDMA devices, and no other network namespace");
	rxe = DEVICE("rxe0");
	ASSERT_EQ(0, ADD(.name = "p", .dpu = software, .host = rxe));
	ASSERT_NE(NULL, FUNCTIONS());
	ASSERT_EQ(1, self->l.n);
	id = self->l.e[0].v[DOCA_GENL_A_FUNCTION_ID];
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct wanted p = { .name = "p" },
			      q = { .name = "q", .dpu = software, .host = rxe };
		struct listing l = {};
		struct family nl;

		ASSERT_EQ(0, unshare(CLONE_NEWNET));
		ASSERT_EQ(0, family_open(&nl));
		EXPECT_EQ(0, family_list(&nl, DOCA_GENL_CMD_FUNCTION_GET, &l));
		EXPECT_EQ(0, l.n);
		EXPECT_EQ(-ENOENT, family_request(&nl, DOCA_GENL_CMD_FUNCTION_GET, NLM_F_ACK,
						  DOCA_GENL_A_FUNCTION_ID, &id, sizeof(id)));
		EXPECT_EQ(-ENOENT, function_change(&nl, DOCA_GENL_CMD_FUNCTION_DEL, &p));
		EXPECT_EQ(-ENODEV, add(&nl, q));
		listing_free(&l);
		family_close(&nl);
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_EQ(0, DEL("p"));
	WAIT_UNTIL(shell("rdma system set netns shared"));
}

/* Devices in software are seen everywhere, and so is their function; this gives no privilege. */
TEST_F(functions, network_namespaces)
{
	pid_t pid;

	ASSERT_EQ(0, ADD_MADE("p"));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct listing l = {};
		struct family nl;

		ASSERT_EQ(0, unshare(CLONE_NEWNET));
		ASSERT_EQ(0, family_open(&nl));
		EXPECT_EQ(0, family_list(&nl, DOCA_GENL_CMD_FUNCTION_GET, &l));
		EXPECT_EQ(1, l.n);
		listing_free(&l);
		family_close(&nl);
		CHILD_EXIT();
	}
	EXPECT_EQ(0, child_wait(pid));
}

/* Functions need not be ended before the module is unloaded. */
TEST_F(functions, unloading)
{
	const char *parameters = getenv("DOCA_MODULE_PARAMS");
	char command[256];

	ASSERT_EQ(0, ADD_MADE("p"));
	WAIT_UNTIL(!syscall(SYS_delete_module, "doca", O_NONBLOCK));
	snprintf(command, sizeof(command), "modprobe doca %s", parameters ? parameters : "");
	ASSERT_TRUE(shell(command));
	WAIT_UNTIL(!access(DOCA_NODE, F_OK));
	family_close(&self->nl);
	ASSERT_EQ(0, family_open(&self->nl));
	ASSERT_NE(NULL, FUNCTIONS());
	EXPECT_EQ(0, self->l.n);
	EXPECT_EQ(0, DEVICE("p-dpu"));
}

TEST_HARNESS_MAIN
