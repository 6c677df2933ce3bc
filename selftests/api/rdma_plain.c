// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * A peer that knows librdmacm and verbs alone: rdma_plain server|client ADDRESS PORT. In either
 * role it sends a message and gets it back, with immediate data; then it lets the other side use
 * its memory, and looks at what has become of that. rdma_interop runs it.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

#include "rdma_plain.h"

static void give_up(const char *what)
{
	perror(what);
	exit(1);
}

#define CHECK(condition)                     \
	do {                                 \
		if (!(condition))            \
			give_up(#condition); \
	} while (0)

static unsigned char message[PLAIN_MESSAGE], answer[PLAIN_MESSAGE];
static _Alignas(8) unsigned char memory[PLAIN_MEMORY];

static struct ibv_qp_init_attr qp_attr = {
	.cap = { .max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1 },
	.qp_type = IBV_QPT_RC,
	.sq_sig_all = 1,
};

static struct rdma_conn_param conn = {
	.responder_resources = 4,
	.initiator_depth = 4,
	.retry_count = 6,
	.rnr_retry_count = 7,
};

static void post_receive(struct rdma_cm_id *id, struct ibv_mr *mr)
{
	CHECK(!rdma_post_recv(id, NULL, answer, sizeof(answer), mr));
}

static void send_with(struct rdma_cm_id *id, void *data, uint32_t len, struct ibv_mr *mr,
		      uint32_t imm)
{
	struct ibv_sge sge = { (uintptr_t)data, len, mr->lkey };
	struct ibv_send_wr *bad, wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND_WITH_IMM,
		.imm_data = htobe32(imm),
	};
	struct ibv_wc wc;

	CHECK(!ibv_post_send(id->qp, &wr, &bad));
	CHECK(rdma_get_send_comp(id, &wc) == 1 && wc.status == IBV_WC_SUCCESS);
}

/* Wait for a message, and return its length. */
static uint32_t await_message(struct rdma_cm_id *id, uint32_t imm)
{
	struct ibv_wc wc;

	CHECK(rdma_get_recv_comp(id, &wc) == 1 && wc.status == IBV_WC_SUCCESS);
	CHECK(wc.wc_flags & IBV_WC_WITH_IMM && be32toh(wc.imm_data) == imm);
	return wc.byte_len;
}

static void look_at_memory(void)
{
	uint64_t word;
	int i;

	memcpy(&word, memory, sizeof(word));
	CHECK(word == PLAIN_WORD + PLAIN_ADDS);
	for (i = sizeof(word); i < PLAIN_MEMORY; i++)
		CHECK(memory[i] == (i < PLAIN_MEMORY / 2 ? plain_byte(i, 2) : plain_byte(i, 3)));
}

static void talk(struct rdma_cm_id *id, struct ibv_mr *in, struct ibv_mr *out)
{
	const uint64_t word = PLAIN_WORD;
	struct plain_memory where;
	struct ibv_mr *mr;
	int i;

	for (i = 0; i < PLAIN_MESSAGE; i++)
		message[i] = plain_byte(i, 1);
	send_with(id, message, sizeof(message), out, PLAIN_PING);
	CHECK(await_message(id, PLAIN_PONG) == sizeof(message));
	CHECK(!memcmp(message, answer, sizeof(message)));

	for (i = 0; i < PLAIN_MEMORY; i++)
		memory[i] = plain_byte(i, 2);
	memcpy(memory, &word, sizeof(word));
	mr = ibv_reg_mr(id->pd, memory, sizeof(memory),
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE |
				IBV_ACCESS_REMOTE_ATOMIC);
	CHECK(mr);
	where = (struct plain_memory){ (uintptr_t)memory, mr->rkey, sizeof(memory) };
	memcpy(message, &where, sizeof(where));
	post_receive(id, in);
	send_with(id, message, sizeof(where), out, PLAIN_SHARE);
	CHECK(await_message(id, PLAIN_DONE) == 0);
	look_at_memory();
	CHECK(!ibv_dereg_mr(mr));
}

/* A server has one, and parts of it serve the connection, too. */
static struct rdma_cm_id *listener;

static struct rdma_cm_id *make(const char *address, const char *port, int server)
{
	struct rdma_addrinfo hints = { .ai_port_space = RDMA_PS_TCP }, *info;
	struct rdma_cm_id *id;

	hints.ai_flags = server ? RAI_PASSIVE : 0;
	CHECK(!rdma_getaddrinfo(address, port, &hints, &info));
	CHECK(!rdma_create_ep(&id, info, NULL, &qp_attr));
	rdma_freeaddrinfo(info);
	if (!server)
		return id;
	listener = id;
	CHECK(!rdma_listen(listener, 1));
	puts("listens");
	fflush(stdout);
	CHECK(!rdma_get_request(listener, &id));
	return id;
}

int main(int argc, char **argv)
{
	struct ibv_mr *in, *out;
	struct rdma_cm_id *id;
	int server;

	if (argc != 4) {
		fprintf(stderr, "usage: %s server|client ADDRESS PORT\n", argv[0]);
		return 2;
	}
	server = !strcmp(argv[1], "server");
	id = make(argv[2], argv[3], server);
	in = rdma_reg_msgs(id, answer, sizeof(answer));
	out = rdma_reg_msgs(id, message, sizeof(message));
	CHECK(in && out);
	post_receive(id, in);
	CHECK(!(server ? rdma_accept(id, &conn) : rdma_connect(id, &conn)));
	talk(id, in, out);
	rdma_disconnect(id);
	rdma_dereg_mr(in);
	rdma_dereg_mr(out);
	rdma_destroy_ep(id);
	if (listener)
		rdma_destroy_ep(listener);
	return 0;
}
