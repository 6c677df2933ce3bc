// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Messages by RDMA: the client sends a few texts, and the server sends each of them back.
 *
 * Each side makes a connection and exports its details, bytes that the other side connects
 * with. They may travel by any means; common/peer.c has a TCP connection for them. A message
 * goes into the buffer of a receive task, which the receiver submits before; where it has
 * none, the sender's task waits. At last an empty message has immediate data, four bytes
 * that need no memory, and tells how many texts there were.
 *
 * Usage: rdma_send_receive server|client [-d DEVICE] [-g GID-INDEX] [-a ADDRESS]
 */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_rdma.h>

#include "../common/peer.h"
#include "../common/sample.h"

#define NAME "rdma_send_receive"
#define PINGS 3
#define PIECES \
	2 /* the server receives into one while it sends the other back */
#define SIZE 64

static const union doca_data none;

static enum peer_role role;
static struct peer peer;
static struct doca_rdma *rdma;
static struct doca_rdma_connection *connection;
static char memory[PIECES][SIZE];
static struct doca_mmap *mmap;
static struct doca_buf_inventory *inventory;
static struct doca_buf *bufs[PIECES];

static unsigned int texts; /* that have come */
static unsigned int sending;
static unsigned int
	told; /* texts that the client has sent, it says; 0: not yet */

static void receive(struct doca_buf *buf)
{
	struct doca_rdma_task_receive *task;

	check(doca_buf_reset_data_len(buf), "a buffer");
	check(doca_rdma_task_receive_allocate_init(rdma, buf, none, &task),
	      "a task");
	check(doca_task_submit(doca_rdma_task_receive_as_task(task)),
	      "submission");
}

static void send_text(struct doca_buf *buf)
{
	struct doca_rdma_task_send *task;

	check(doca_rdma_task_send_allocate_init(rdma, connection, buf, none,
						&task),
	      "a task");
	check(doca_task_submit(doca_rdma_task_send_as_task(task)),
	      "submission");
	sending++;
}

static void send_end(void)
{
	struct doca_rdma_task_send_imm *task;

	check(doca_rdma_task_send_imm_allocate_init(rdma, connection, NULL,
						    htonl(PINGS), none, &task),
	      "a task");
	check(doca_task_submit(doca_rdma_task_send_imm_as_task(task)),
	      "submission");
	sending++;
}

/* The task's place is free before its buffer is used by another. */
static void on_received(struct doca_rdma_task_receive *task,
			union doca_data task_data, union doca_data ctx_data)
{
	struct doca_buf *buf = doca_rdma_task_receive_get_dst_buf(task);
	int length = doca_rdma_task_receive_get_result_len(task);
	bool ends = doca_rdma_task_receive_get_result_opcode(task) ==
		    DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM;
	doca_be32_t immediate =
		doca_rdma_task_receive_get_result_immediate_data(task);
	void *text;

	(void)task_data, (void)ctx_data;
	doca_task_free(doca_rdma_task_receive_as_task(task));
	if (ends) {
		told = ntohl(immediate);
		return;
	}
	texts++;
	check(doca_buf_get_data(buf, &text), "a buffer");
	if (role == PEER_CLIENT) {
		printf("The server answers: %.*s\n", length, (char *)text);
		receive(buf);
	} else {
		printf("The client says: %.*s\n", length, (char *)text);
		send_text(buf);
	}
}

/* The other side has the text: the server can receive another one there. */
static void on_sent(struct doca_rdma_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	/* The task sees its source as const, but the reference is ours. */
	struct doca_buf *buf =
		(struct doca_buf *)doca_rdma_task_send_get_src_buf(task);

	(void)task_data, (void)ctx_data;
	doca_task_free(doca_rdma_task_send_as_task(task));
	sending--;
	if (role == PEER_SERVER)
		receive(buf);
}

static void on_end_sent(struct doca_rdma_task_send_imm *task,
			union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	doca_task_free(doca_rdma_task_send_imm_as_task(task));
	sending--;
}

/* Receive tasks that are left end with the context. */
static void on_not_received(struct doca_rdma_task_receive *task,
			    union doca_data task_data, union doca_data ctx_data)
{
	struct doca_task *base = doca_rdma_task_receive_as_task(task);

	(void)task_data, (void)ctx_data;
	if (doca_task_get_status(base) != DOCA_ERROR_SHUTDOWN)
		check(doca_task_get_status(base), "a message");
	doca_task_free(base);
}

static void on_not_sent(struct doca_rdma_task_send *task,
			union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	give_up(doca_task_get_status(doca_rdma_task_send_as_task(task)),
		"a message");
}

static void on_end_not_sent(struct doca_rdma_task_send_imm *task,
			    union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	give_up(doca_task_get_status(doca_rdma_task_send_imm_as_task(task)),
		"the last message");
}

static void map_memory(void)
{
	int i;

	check(doca_mmap_create(&mmap), "the memory map");
	check(doca_mmap_set_memrange(mmap, memory, sizeof(memory)),
	      "the memory map");
	check(doca_mmap_set_permissions(mmap,
					DOCA_ACCESS_FLAG_LOCAL_READ_WRITE),
	      "the memory map");
	check(doca_mmap_add_dev(mmap, peer.dev), "the memory map");
	check(doca_mmap_start(mmap), "start of the memory map");
	check(doca_buf_inventory_create(PIECES, &inventory), "the inventory");
	check(doca_buf_inventory_start(inventory), "the inventory");
	for (i = 0; i < PIECES; i++)
		check(doca_buf_inventory_buf_get_by_addr(
			      inventory, mmap, memory[i], SIZE, &bufs[i]),
		      "a buffer");
}

static void unmap_memory(void)
{
	int i;

	for (i = 0; i < PIECES; i++)
		check(doca_buf_dec_refcount(bufs[i], NULL), "a buffer");
	check(doca_buf_inventory_destroy(inventory), "the inventory");
	check(doca_mmap_destroy(mmap), "the memory map");
}

static void start(void)
{
	struct doca_ctx *ctx;

	check(doca_rdma_create(peer.dev, &rdma), "the context");
	peer_configure(rdma);
	check(doca_rdma_task_receive_set_conf(rdma, on_received,
					      on_not_received, PIECES),
	      "the receive tasks");
	check(doca_rdma_task_send_set_conf(rdma, on_sent, on_not_sent, PIECES),
	      "the send tasks");
	check(doca_rdma_task_send_imm_set_conf(rdma, on_end_sent,
					       on_end_not_sent, 1),
	      "the send tasks");
	ctx = doca_rdma_as_ctx(rdma);
	check(doca_pe_connect_ctx(peer.pe, ctx), "the engine");
	check(doca_ctx_start(ctx), "start of the context");
}

/* Once this side has connected it may send, whether or not the other one has. */
static void connect_peers(void)
{
	const void *details;
	char theirs[PEER_MAX];
	size_t length;

	check(doca_rdma_export(rdma, &details, &length, &connection),
	      "a connection");
	length = peer_swap(&peer, details, length, theirs, sizeof(theirs));
	check(doca_rdma_connect(rdma, theirs, length, connection),
	      "the connection");
}

static void be_server(void)
{
	int i;

	for (i = 0; i < PIECES; i++)
		receive(bufs[i]);
	connect_peers();
	while (!told || sending)
		peer_progress(&peer);
}

static void be_client(void)
{
	unsigned int i;
	int length;

	receive(bufs[1]);
	connect_peers();
	for (i = 1; i <= PINGS; i++) {
		length = snprintf(memory[0], SIZE, "ping %u", i);
		check(doca_buf_set_data(bufs[0], memory[0], length),
		      "a buffer");
		send_text(bufs[0]);
		while (texts < i || sending)
			peer_progress(&peer);
	}
	send_end();
	while (sending)
		peer_progress(&peer);
}

int main(int argc, char **argv)
{
	role = peer_start(NAME, argc, argv);
	peer_open(&peer);
	map_memory();
	start();
	peer_meet(&peer, role);
	if (role == PEER_SERVER)
		be_server();
	else
		be_client();

	peer_part(&peer);
	peer_stop(&peer, doca_rdma_as_ctx(rdma));
	check(doca_rdma_destroy(rdma), "the context");
	unmap_memory();
	peer_close(&peer);

	if (role == PEER_SERVER)
		printf("%u of %u texts have come\n", texts, told);
	else
		printf("%u of %u texts were answered\n", texts, PINGS);
	return texts == PINGS ? EXIT_SUCCESS : EXIT_FAILURE;
}
