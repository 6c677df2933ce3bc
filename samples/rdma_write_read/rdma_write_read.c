// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Memory of another program: the client reads a text of the server's, writes one, and adds
 * to its counter.
 *
 * The server exports a memory map, and the client makes one of the descriptor. Its buffers
 * stand for the server's memory: their addresses mean nothing here. The server permits each
 * kind of access twice, for the memory and for the peers of the context, and then does
 * nothing at all: it has no tasks, and sleeps until the client is done.
 *
 * Usage: rdma_write_read server|client [-d DEVICE] [-g GID-INDEX] [-a ADDRESS]
 */
#include <inttypes.h>
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

#define NAME "rdma_write_read"
#define SIZE 64
#define BUFS 6
#define ACCESS                                                            \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | \
	 DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

static const union doca_data none;

/* Both sides have such memory, with the same layout. */
static struct memory {
	uint64_t counter;
	char question[SIZE];
	char answer[SIZE];
} memory;

static struct peer peer;
static struct doca_rdma *rdma;
static struct doca_rdma_connection *connection;
static struct doca_buf_inventory *inventory;
static struct doca_mmap *ours, *theirs;
static bool ended;

static void end(struct doca_task *task)
{
	check(doca_task_get_status(task), "the task");
	ended = true;
}

static void on_write(struct doca_rdma_task_write *task,
		     union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	end(doca_rdma_task_write_as_task(task));
}

static void on_read(struct doca_rdma_task_read *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	end(doca_rdma_task_read_as_task(task));
}

static void on_add(struct doca_rdma_task_atomic_fetch_add *task,
		   union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data, (void)ctx_data;
	end(doca_rdma_task_atomic_fetch_add_as_task(task));
}

/* Tasks could be in flight together: they are executed in their order. */
static void execute(struct doca_task *task)
{
	ended = false;
	check(doca_task_submit(task), "submission");
	while (!ended)
		peer_progress(&peer);
	doca_task_free(task);
}

/* Data are what a task moves, and room is where it puts them. */
static struct doca_buf *with_data(struct doca_mmap *mmap, void *at, size_t size)
{
	struct doca_buf *buf;

	check(doca_buf_inventory_buf_get_by_data(inventory, mmap, at, size,
						 &buf),
	      "a buffer");
	return buf;
}

static struct doca_buf *with_room(struct doca_mmap *mmap, void *at, size_t size)
{
	struct doca_buf *buf;

	check(doca_buf_inventory_buf_get_by_addr(inventory, mmap, at, size,
						 &buf),
	      "a buffer");
	return buf;
}

static void put(struct doca_buf *one, struct doca_buf *other)
{
	check(doca_buf_dec_refcount(one, NULL), "a buffer");
	check(doca_buf_dec_refcount(other, NULL), "a buffer");
}

static void read_question(struct memory *remote)
{
	struct doca_buf *src = with_data(theirs, remote->question, SIZE);
	struct doca_buf *dst = with_room(ours, memory.question, SIZE);
	struct doca_rdma_task_read *task;

	check(doca_rdma_task_read_allocate_init(rdma, connection, src, dst,
						none, &task),
	      "the read task");
	execute(doca_rdma_task_read_as_task(task));
	put(src, dst);
	printf("The server asks: %.*s\n", SIZE, memory.question);
}

static void write_answer(struct memory *remote)
{
	int length = snprintf(memory.answer, SIZE, "42, by the client");
	struct doca_buf *src = with_data(ours, memory.answer, length);
	struct doca_buf *dst = with_room(theirs, remote->answer, SIZE);
	struct doca_rdma_task_write *task;

	check(doca_rdma_task_write_allocate_init(rdma, connection, src, dst,
						 none, &task),
	      "the write task");
	execute(doca_rdma_task_write_as_task(task));
	put(src, dst);
}

/* No other client comes in between, where there are several. */
static void count(struct memory *remote)
{
	struct doca_buf *dst = with_data(theirs, &remote->counter, 8);
	struct doca_buf *was = with_room(ours, &memory.counter, 8);
	struct doca_rdma_task_atomic_fetch_add *task;

	check(doca_rdma_task_atomic_fetch_add_allocate_init(
		      rdma, connection, dst, was, 1, none, &task),
	      "the atomic task");
	execute(doca_rdma_task_atomic_fetch_add_as_task(task));
	put(dst, was);
	printf("The counter was %" PRIu64 "\n", memory.counter);
}

static void map_memory(void)
{
	check(doca_mmap_create(&ours), "the memory map");
	check(doca_mmap_set_memrange(ours, &memory, sizeof(memory)),
	      "the memory map");
	check(doca_mmap_set_permissions(ours, ACCESS), "the memory map");
	check(doca_mmap_add_dev(ours, peer.dev), "the memory map");
	check(doca_mmap_start(ours), "start of the memory map");
}

static void create(void)
{
	check(doca_rdma_create(peer.dev, &rdma), "the context");
	peer_configure(rdma);
	check(doca_rdma_set_permissions(rdma, ACCESS), "the permissions");
}

static void enable_tasks(void)
{
	check(doca_rdma_task_read_set_conf(rdma, on_read, on_read, 1),
	      "the read tasks");
	check(doca_rdma_task_write_set_conf(rdma, on_write, on_write, 1),
	      "the write tasks");
	check(doca_rdma_task_atomic_fetch_add_set_conf(rdma, on_add, on_add, 1),
	      "the atomic tasks");
}

static void start(void)
{
	check(doca_pe_connect_ctx(peer.pe, doca_rdma_as_ctx(rdma)),
	      "the engine");
	check(doca_ctx_start(doca_rdma_as_ctx(rdma)), "start of the context");
}

static void connect_peers(void)
{
	const void *details;
	char other[PEER_MAX];
	size_t length;

	check(doca_rdma_export(rdma, &details, &length, &connection),
	      "a connection");
	length = peer_swap(&peer, details, length, other, sizeof(other));
	check(doca_rdma_connect(rdma, other, length, connection),
	      "the connection");
}

static bool be_server(void)
{
	const void *desc;
	size_t length;

	memory.counter = 7;
	snprintf(memory.question, SIZE, "What is the answer?");
	create();
	start();
	peer_meet(&peer, PEER_SERVER);
	connect_peers();
	check(doca_mmap_export_rdma(ours, peer.dev, &desc, &length), "export");
	peer_swap(&peer, desc, length, NULL, 0);
	peer_part(&peer);
	printf("The answer is %.*s; the counter is %" PRIu64 "\n", SIZE,
	       memory.answer, memory.counter);
	return memory.counter == 8 &&
	       !strcmp(memory.answer, "42, by the client");
}

static bool be_client(void)
{
	char desc[PEER_MAX];
	size_t length;
	void *remote;

	create();
	enable_tasks();
	start();
	peer_meet(&peer, PEER_CLIENT);
	connect_peers();
	length = peer_swap(&peer, NULL, 0, desc, sizeof(desc));
	check(doca_mmap_create_from_export(NULL, desc, length, peer.dev,
					   &theirs),
	      "import");
	check(doca_mmap_get_memrange(theirs, &remote, &length), "the range");
	if (length != sizeof(memory))
		give_up(DOCA_ERROR_INVALID_VALUE, "the exported memory");

	check(doca_buf_inventory_create(BUFS, &inventory), "the inventory");
	check(doca_buf_inventory_start(inventory), "the inventory");
	read_question(remote);
	write_answer(remote);
	count(remote);
	check(doca_buf_inventory_destroy(inventory), "the inventory");
	check(doca_mmap_destroy(theirs), "the imported memory map");
	peer_part(&peer);
	return memory.counter == 7;
}

int main(int argc, char **argv)
{
	enum peer_role role = peer_start(NAME, argc, argv);
	bool right;

	peer_open(&peer);
	map_memory();
	right = role == PEER_SERVER ? be_server() : be_client();

	peer_stop(&peer, doca_rdma_as_ctx(rdma));
	check(doca_rdma_destroy(rdma), "the context");
	check(doca_mmap_destroy(ours), "the memory map");
	peer_close(&peer);
	return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
