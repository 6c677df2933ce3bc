// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Device memory of a program that never opens a device: librdmacm does it. A server and a
 * client, each with a region, connect by the addresses of rxe0.
 *
 * It is built twice: linked with libopen_doca_dm before libibverbs, and without it, to be
 * run under doca_dm.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rdma/rdma_verbs.h>

#include "kselftest_harness.h"
#include "../lib/skip.h"

#define PORT "18516"
#define LEN 20480
#define HALF (LEN / 2) /* the client writes the first half, and sends the other one */
#define ACCESS                                              \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | \
	 IBV_ACCESS_REMOTE_READ | IBV_ACCESS_ZERO_BASED)

struct end {
	struct rdma_cm_id *id;
	struct ibv_dm *dm;
	struct ibv_mr *mr;
};

/* Find the address of rxe0 that is one of its GIDs, as text. */
static bool find_address(char *text)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = NULL;
	bool found = false;
	union ibv_gid gid;
	int i;

	for (i = 0; list && list[i] && !ctx; i++)
		if (!strcmp(ibv_get_device_name(list[i]), "rxe0"))
			ctx = ibv_open_device(list[i]);
	for (i = 0; ctx && !found && !ibv_query_gid(ctx, 1, i, &gid); i++)
		found = IN6_IS_ADDR_V4MAPPED((struct in6_addr *)gid.raw) &&
			inet_ntop(AF_INET, gid.raw + 12, text, INET_ADDRSTRLEN);
	if (ctx)
		ibv_close_device(ctx);
	if (list)
		ibv_free_device_list(list);
	return found;
}

static int endpoint(const char *address, int flags, struct rdma_cm_id **id)
{
	struct rdma_addrinfo hints = { .ai_flags = flags,
				       .ai_port_space = RDMA_PS_TCP };
	struct ibv_qp_init_attr attr = {
		.cap = { 4, 4, 1, 1, 0 },
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};
	struct rdma_addrinfo *info;
	int err;

	if (rdma_getaddrinfo(address, PORT, &hints, &info))
		return -errno;
	err = rdma_create_ep(id, info, NULL, &attr) ? -errno : 0;
	rdma_freeaddrinfo(info);
	return err;
}

static bool make_memory(struct end *e)
{
	struct ibv_alloc_dm_attr attr = { .length = LEN };
	struct ibv_device_attr_ex has = {};

	if (ibv_query_device_ex(e->id->verbs, NULL, &has) ||
	    has.max_dm_size < LEN)
		return false;
	e->dm = ibv_alloc_dm(e->id->verbs, &attr);
	e->mr = e->dm ? ibv_reg_dm_mr(e->id->pd, e->dm, 0, LEN, ACCESS) : NULL;
	return e->mr;
}

static bool drop_memory(struct end *e)
{
	return ibv_free_dm(e->dm) == EBUSY && !ibv_dereg_mr(e->mr) &&
	       !ibv_free_dm(e->dm);
}

static void fill(uint8_t *p)
{
	int i;

	for (i = 0; i < LEN; i++)
		p[i] = i * 7 + i / 256;
}

static bool request(struct rdma_cm_id *id, enum ibv_wr_opcode op, uint64_t at,
		    uint32_t lkey, uint64_t remote, uint32_t rkey, size_t len)
{
	struct ibv_sge sge = { at, len, lkey };
	struct ibv_send_wr *bad, wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = op,
		.wr.rdma = { remote, rkey },
	};
	struct ibv_wc wc;

	return !ibv_post_send(id->qp, &wr, &bad) &&
	       rdma_get_send_comp(id, &wc) == 1 && wc.status == IBV_WC_SUCCESS;
}

/* Tell the key in the answer. The exit code says which step failed. */
static int serve(const char *address, int ready)
{
	static uint8_t is[LEN], wanted[LEN];
	struct rdma_conn_param param = { .responder_resources = 1 };
	struct ibv_recv_wr *bad, wr = { .num_sge = 1 };
	struct rdma_cm_id *listener;
	struct ibv_sge sge;
	struct end e = {};
	struct ibv_wc wc;

	if (endpoint(address, RAI_PASSIVE, &listener) ||
	    rdma_listen(listener, 1) || write(ready, "r", 1) != 1 ||
	    rdma_get_request(listener, &e.id))
		return 1;
	if (!make_memory(&e))
		return 2;
	sge = (struct ibv_sge){ HALF, HALF, e.mr->lkey };
	wr.sg_list = &sge;
	param.private_data = &e.mr->rkey;
	param.private_data_len = sizeof(e.mr->rkey);
	if (ibv_post_recv(e.id->qp, &wr, &bad) || rdma_accept(e.id, &param))
		return 3;
	if (rdma_get_recv_comp(e.id, &wc) != 1 || wc.status)
		return 4;
	fill(wanted);
	if (ibv_memcpy_from_dm(is, e.dm, 0, LEN) || memcmp(is, wanted, LEN))
		return 5;
	rdma_disconnect(e.id);
	if (!drop_memory(&e))
		return 6;
	rdma_destroy_ep(e.id);
	rdma_destroy_ep(listener);
	return 0;
}

FIXTURE(cm)
{
	char address[INET_ADDRSTRLEN];
	struct end e;
	pid_t server;
	uint32_t rkey;
};

static pid_t start_server(const char *address)
{
	int ready[2];
	pid_t pid;
	char c;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(serve(address, ready[1]));
	}
	close(ready[1]);
	if (read(ready[0], &c, 1) != 1)
		pid = -1;
	close(ready[0]);
	return pid;
}

FIXTURE_SETUP(cm)
{
	struct rdma_conn_param param = { .initiator_depth = 1,
					 .retry_count = 7,
					 .rnr_retry_count = 7 };
	struct rdma_event_channel *channel;

	if (system("modprobe -q rdma_ucm"))
		SKIP_SETUP("needs the kernel's rdma_ucm");
	channel = rdma_create_event_channel();
	if (!channel || !find_address(self->address))
		SKIP_SETUP("needs an RDMA device rxe0");
	rdma_destroy_event_channel(channel);
	self->server = start_server(self->address);
	ASSERT_LT(0, self->server);
	ASSERT_EQ(0, endpoint(self->address, 0, &self->e.id));
	ASSERT_TRUE(make_memory(&self->e));
	ASSERT_EQ(0, rdma_connect(self->e.id, &param));
	memcpy(&self->rkey, self->e.id->event->param.conn.private_data,
	       sizeof(self->rkey));
}

FIXTURE_TEARDOWN(cm)
{
	int status;

	/* Each side waits for a message of the other. */
	rdma_disconnect(self->e.id);
	EXPECT_EQ(self->server, waitpid(self->server, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_TRUE(drop_memory(&self->e));
	rdma_destroy_ep(self->e.id);
}

TEST_F(cm, memory_of_both_ends)
{
	static uint8_t in[LEN], out[LEN];
	struct rdma_cm_id *id = self->e.id;
	uint32_t lkey = self->e.mr->lkey;

	fill(in);
	ASSERT_EQ(0, ibv_memcpy_to_dm(self->e.dm, 0, in, LEN));
	ASSERT_TRUE(
		request(id, IBV_WR_RDMA_WRITE, 0, lkey, 0, self->rkey, HALF));
	/* Read the written half into the other half, and then put that one back. */
	ASSERT_TRUE(
		request(id, IBV_WR_RDMA_READ, HALF, lkey, 0, self->rkey, HALF));
	ASSERT_EQ(0, ibv_memcpy_from_dm(out, self->e.dm, HALF, HALF));
	EXPECT_EQ(0, memcmp(out, in, HALF));
	ASSERT_EQ(0, ibv_memcpy_to_dm(self->e.dm, 0, in, LEN));
	ASSERT_TRUE(request(id, IBV_WR_SEND, HALF, lkey, 0, 0, HALF));
}

TEST_HARNESS_MAIN
