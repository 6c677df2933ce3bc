// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Importers that have connected. Each gets a file of the driver with its user's id, and a
 * queue of that file in shared memory: it may import and reach what any file may, and the
 * driver checks its writes as it checks every program's.
 *
 * All of this belongs to the service thread, which executes these queues: it goes on
 * polling for a moment after each entry, and then asks in the ring to be called.
 */
#include "shim/kernel.h"

#include <sys/mman.h>

#include "conns.h"
#include "device.h"
#include "inproc.h"
#include "memory.h"
#include "queue.h"
#include "wire.h"

#define HELLO_NS (WIRE_SLOW * 2 * NSEC_PER_SEC)
#define HOT_NS (20 * NSEC_PER_USEC)
/* Limit of one importer. */
#define MAX_IMPORTS 1024
/*
 * Users other than the program's may have one half of all connections, and one of them
 * an eighth.
 */
#define PART_FOREIGN 2
#define PART_OF_USER 8
/* Rounds without work before a connection is left to call, however short they are. */
#define HOT_ROUNDS 64
/* Messages before another connection's turn. */
#define MAX_MESSAGES 16

struct conn {
	struct peers_watch watch;
	struct peers_watch bell; /* watches the queue */
	struct list_head node;
	int place;
	uid_t uid;
	u64 deadline; /* time limit of HELLO; 0 once it is there */
	int file_fd, queue_fd;
	int file_place, queue_place;
	struct file *queue_file;
	struct doca_queue *queue;
	void *data;
	int data_fd;
	u32 data_key;
	u32 device;
	u32 keys[MAX_IMPORTS]; /* keys of its imports, and */
	u32 imports; /* their number */
	u64 canceled[WIRE_TAGS]; /* waits that may not have begun, by their tags */
	bool cancels; /* canceled has waits */
	u64 hot; /* time until which the thread polls it; 0: it does not */
	unsigned int quiet; /* rounds without work */
	bool dead;
};

static struct {
	struct list_head live;
	struct list_head dead;
	unsigned int nr;
	bool crowded; /* others wait for the CPU */
} conns = {
	.live = LIST_HEAD_INIT(conns.live),
	.dead = LIST_HEAD_INIT(conns.dead),
};

static unsigned long importers = INPROC_IMPORTERS;

/* Their threads and waits count for a user, and one user may have them all. */
void inproc_set_importers(unsigned long nr)
{
	WRITE_ONCE(importers, nr);
	inproc_set_param("max_workers", 64 + nr);
	inproc_set_param("max_waits", 4096 + nr * WIRE_WAITS);
}

static struct conn *conn_of(struct peers_watch *watch)
{
	return container_of(watch, struct conn, watch);
}

/* Cut it off from now on; all its objects go at the end of the round. */
static void conn_kill(struct conn *conn)
{
	if (conn->dead)
		return;
	conn->dead = true;
	list_move_tail(&conn->node, &conns.dead);
}

static void conn_close_file(int fd, int place)
{
	if (place >= 0)
		peers_forget(place);
	inproc_close(fd);
}

static void conn_free(struct conn *conn)
{
	if (conn->queue_fd >= 0) {
		peers_unwatch(&conn->bell);
		conn_close_file(conn->queue_fd, conn->queue_place);
		fput(conn->queue_file);
	}
	if (conn->file_fd >= 0)
		conn_close_file(conn->file_fd, conn->file_place);
	if (conn->data)
		munmap(conn->data, WIRE_DATA_SIZE);
	if (conn->data_fd >= 0)
		close(conn->data_fd);
	peers_unwatch(&conn->watch);
	peers_close(conn->place);
	list_del(&conn->node);
	conns.nr--;
	free(conn);
}

/* If the socket has no room, the importer has not read earlier messages: it will look. */
static void conn_ring(struct conn *conn)
{
	static const struct wire_msg msg = { .type = WIRE_BELL };
	int rc;

	if (!READ_ONCE(conn->queue_file->signalled))
		return;
	inproc_rearm(conn->queue_fd);
	rc = wire_send(conn->watch.fd, &msg, NULL, 0);
	if (rc && rc != -EAGAIN)
		conn_kill(conn);
}

static void conn_bell_ready(struct peers_watch *watch)
{
	struct conn *conn = container_of(watch, struct conn, bell);

	if (!conn->dead)
		conn_ring(conn);
}

static int conn_make_file(struct conn *conn)
{
	struct doca_device *device;

	device = doca_device_next(0, DOCA_DEV_SOFTWARE, NULL);
	if (!device)
		return -ENODEV;
	conn->device = device->id;
	doca_device_put(device);
	conn->file_fd = inproc_open_file();
	if (conn->file_fd < 0)
		return conn->file_fd;
	conn->file_place = peers_keep(conn->file_fd);
	return conn->file_place < 0 ? -EMFILE : 0;
}

static int conn_make_data(struct conn *conn)
{
	const u32 access = DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE;
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.length = WIRE_DATA_SIZE,
		.access = access,
	};
	struct doca_mem_map map = {
		.size = sizeof(map),
		.device_id = conn->device,
		.access = access,
	};
	int rc;

	conn->data = inproc_share(WIRE_DATA_SIZE, &conn->data_fd);
	if (!conn->data)
		return -ENOMEM;
	rc = inproc_seal(conn->data_fd, false);
	if (rc)
		return rc;
	reg.addr = (uintptr_t)conn->data;
	current->own = true;
	rc = inproc_call_file(conn->file_fd, DOCA_MEM_REG, &reg);
	current->own = false;
	if (rc)
		return rc;
	map.mem_id = reg.out_mem_id;
	rc = inproc_call_file(conn->file_fd, DOCA_MEM_MAP, &map);
	conn->data_key = map.out_key;
	return rc;
}

/* Return the operations that may reach remote memory, whole or in pieces. */
static u64 remote_opcodes(void)
{
	u64 opcodes = 0;
	u32 i;

	for (i = 0; i < DOCA_OP_NR; i++)
		if (doca_op_types[i] && doca_op_types[i]->remote)
			opcodes |= BIT_ULL(i);
	return opcodes;
}

static int conn_make_queue(struct conn *conn)
{
	struct doca_queue_create arg;
	int rc;

	wire_queue(&arg);
	arg.device_id = conn->device;
	arg.opcodes = remote_opcodes();
	current->shares = true;
	rc = inproc_call_file(conn->file_fd, DOCA_QUEUE_CREATE, &arg);
	current->shares = false;
	if (rc)
		return rc;
	conn->queue_file = inproc_file(arg.out_fd);
	/* The process is at its end, and has closed it. */
	if (!conn->queue_file)
		return -EBADF;
	conn->queue_fd = arg.out_fd;
	conn->queue = conn->queue_file->private_data;
	conn->queue_place = peers_keep(conn->queue_fd);
	if (conn->queue_place < 0)
		return -EMFILE;
	/* An import that ends must not end the others. */
	conn->queue->forgiving = true;
	rc = inproc_seal(inproc_area_fd(&conn->queue->ring.user), false);
	if (!rc)
		rc = inproc_seal(inproc_area_fd(&conn->queue->ring.kernel),
				 true);
	return rc;
}

/* Make it in the name of the importer's user. */
static int conn_make(struct conn *conn)
{
	int rc;

	current->uid = conn->uid;
	current->foreign = true;
	rc = conn_make_file(conn);
	rc = rc ?: conn_make_data(conn);
	rc = rc ?: conn_make_queue(conn);
	current->foreign = false;
	if (rc)
		return rc;
	conn->bell = (struct peers_watch){ conn->queue_fd, conn_bell_ready };
	return peers_watch(&conn->bell);
}

/* A call that fails as the process exits, with the driver's files, is no answer. */
static bool is_at_its_end(int rc)
{
	return rc && inproc_files_ended();
}

static int conn_hello(struct conn *conn, const struct wire_msg *msg)
{
	const struct wire_hello *hello = &msg->hello;
	struct wire_msg answer = {
		.type = WIRE_HELLO,
		.hello = {
			.magic = WIRE_MAGIC,
			.version = WIRE_VERSION,
			.ring_version = DOCA_RING_VERSION,
			.page_size = PAGE_SIZE,
		},
	};
	int fds[WIRE_AREAS];
	int rc;

	if (msg->type != WIRE_HELLO || hello->magic != WIRE_MAGIC)
		return -EPROTO;
	rc = -EPROTO;
	if (hello->version == WIRE_VERSION &&
	    hello->ring_version == DOCA_RING_VERSION &&
	    hello->page_size == PAGE_SIZE)
		rc = conn_make(conn);
	if (is_at_its_end(rc))
		return rc;
	answer.hello.error = rc;
	if (rc) {
		wire_send(conn->watch.fd, &answer, NULL, 0);
		return rc;
	}
	conn->deadline = 0;
	answer.hello.key = conn->data_key;
	answer.hello.data = (uintptr_t)conn->data;
	fds[WIRE_USER] = inproc_area_fd(&conn->queue->ring.user);
	fds[WIRE_KERNEL] = inproc_area_fd(&conn->queue->ring.kernel);
	fds[WIRE_DATA] = conn->data_fd;
	rc = wire_send(conn->watch.fd, &answer, fds, WIRE_AREAS);
	/* They stay mapped; a child inherits nothing of them. */
	inproc_area_unshare(&conn->queue->ring.user);
	inproc_area_unshare(&conn->queue->ring.kernel);
	close(conn->data_fd);
	conn->data_fd = -1;
	return rc;
}

static int conn_import(struct conn *conn, const struct wire_msg *msg)
{
	struct doca_mem_import arg = {
		.size = sizeof(arg),
		.device_id = conn->device,
		.blob_size = sizeof(msg->blob),
		.blob = (uintptr_t)&msg->blob,
	};
	struct wire_msg answer = { .type = WIRE_ANSWER, .seq = msg->seq };
	int rc = -EDQUOT;

	current->uid = conn->uid;
	current->foreign = true;
	/* A blob of another process must not lead on from here. */
	if (memcmp(msg->blob.kernel_id, doca_export_identity(),
		   sizeof(msg->blob.kernel_id)))
		rc = -ENOKEY;
	else if (conn->imports < MAX_IMPORTS)
		rc = inproc_call_file(conn->file_fd, DOCA_MEM_IMPORT, &arg);
	current->foreign = false;
	if (is_at_its_end(rc))
		return rc;
	if (!rc)
		conn->keys[conn->imports++] = arg.out_key;
	answer.answer = (struct wire_answer){
		.error = rc,
		.key = arg.out_key,
		.access = arg.out_access,
		.addr = arg.out_addr,
		.length = arg.out_length,
	};
	/* An importer has one request at a time: there is room for the answer. */
	return wire_send(conn->watch.fd, &answer, NULL, 0);
}

/* It can only name its own imports. */
static int conn_release(struct conn *conn, u32 key)
{
	struct doca_mem_unmap arg = { .size = sizeof(arg), .key = key };
	u32 i;
	int rc;

	for (i = 0; i < conn->imports && conn->keys[i] != key; i++)
		;
	if (i == conn->imports)
		return -EPROTO;
	conn->keys[i] = conn->keys[--conn->imports];
	rc = inproc_call_file(conn->file_fd, DOCA_MEM_UNMAP, &arg);
	/* The import may have ended by itself, with the export. */
	return rc == -ENOENT ? 0 : rc;
}

/*
 * The entry of the wait is in the ring before the message is sent, but it may not have
 * begun: then cancel it when it has.
 */
static void conn_cancel(struct conn *conn, u64 name)
{
	struct doca_queue *queue = conn->queue;

	doca_run_lock(queue->run);
	if (doca_queue_pending(queue)) {
		conn->canceled[name % WIRE_TAGS] = name;
		conn->cancels = true;
	}
	doca_queue_cancel_wait(queue, name);
	doca_run_unlock(queue->run);
	conn_ring(conn);
}

/* Call it in the run section. When the whole ring has begun, the waits that are left had ended. */
static void conn_cancel_begun(struct conn *conn)
{
	u32 tag;

	for (tag = 0; tag < WIRE_TAGS; tag++)
		if (conn->canceled[tag])
			doca_queue_cancel_wait(conn->queue,
					       conn->canceled[tag]);
	if (doca_queue_pending(conn->queue))
		return;
	memset(conn->canceled, 0, sizeof(conn->canceled));
	conn->cancels = false;
}

/* Poll it for a moment, and do without calls. */
static void conn_warm(struct conn *conn)
{
	WRITE_ONCE(conn->queue->ring.k->need_wakeup, 0);
	conn->hot = local_clock() + HOT_NS;
	conn->quiet = 0;
}

static int conn_take(struct conn *conn, const struct wire_msg *msg)
{
	if (conn->deadline)
		return conn_hello(conn, msg);
	switch (msg->type) {
	case WIRE_IMPORT:
		return conn_import(conn, msg);
	case WIRE_RELEASE:
		return conn_release(conn, msg->key);
	case WIRE_CANCEL:
		conn_cancel(conn, msg->name);
		return 0;
	case WIRE_BELL:
		conn_warm(conn);
		return 0;
	default:
		return -EPROTO;
	}
}

static void conn_ready(struct peers_watch *watch)
{
	struct conn *conn = conn_of(watch);
	struct wire_msg msg;
	int i, rc = 0;

	for (i = 0; i < MAX_MESSAGES && !rc && !conn->dead; i++) {
		rc = wire_recv(watch->fd, &msg, NULL, 0);
		if (rc == -EAGAIN)
			return;
		if (rc >= 0)
			rc = conn_take(conn, &msg);
	}
	if (rc)
		conn_kill(conn);
}

bool conns_admit(uid_t uid, unsigned int nr, unsigned int foreign,
		 unsigned int of_user)
{
	unsigned long most = READ_ONCE(importers);

	if (nr >= most)
		return false;
	return uid == geteuid() ||
	       (foreign < most / PART_FOREIGN && of_user < most / PART_OF_USER);
}

bool conns_have_room(uid_t uid)
{
	unsigned int foreign = 0, of_user = 0;
	struct conn *conn;

	list_for_each_entry(conn, &conns.live, node) {
		foreign += conn->uid != geteuid();
		of_user += conn->uid == uid;
	}
	return conns_admit(uid, conns.nr, foreign, of_user);
}

bool conns_add(int fd, int place, uid_t uid)
{
	struct conn *conn = calloc(1, sizeof(*conn));

	if (!conn)
		return false;
	conn->watch = (struct peers_watch){ fd, conn_ready };
	conn->bell.fd = -1;
	conn->uid = uid;
	conn->deadline = local_clock() + HELLO_NS;
	conn->file_fd = -1;
	conn->queue_fd = -1;
	conn->data_fd = -1;
	conn->place = place;
	list_add_tail(&conn->node, &conns.live);
	conns.nr++;
	if (peers_watch(&conn->watch))
		conn_kill(conn);
	return true;
}

/* Stop polling: an entry that is not seen now comes with a call. */
static void conn_cool(struct conn *conn)
{
	WRITE_ONCE(conn->queue->ring.k->need_wakeup, 1);
	smp_mb(); /* B */
	if (doca_queue_has_work(conn->queue))
		conn_warm(conn);
	else
		conn->hot = 0;
}

/* Execute like ENTER, but for one turn: long work of one importer delays the others by a step. */
static void conn_turn(struct conn *conn)
{
	struct doca_queue *queue = conn->queue;
	struct doca_budget budget = {
		.entries = DOCA_BATCH_ENTRIES,
		.length = DOCA_BATCH_LENGTH,
	};
	u32 waits;

	doca_run_lock(queue->run);
	waits = doca_queue_nr_waiting(queue);
	doca_queue_batch(queue, &budget);
	if (conn->cancels)
		conn_cancel_begun(conn);
	if (doca_queue_nr_waiting(queue) > waits)
		doca_queue_wake(queue);
	doca_queue_end_waits(queue);
	doca_run_unlock(queue->run);
}

/* Execute it; return true if there was work. */
static bool conn_execute(struct conn *conn, u64 now)
{
	bool work = doca_queue_has_work(conn->queue);

	if (work) {
		conn_turn(conn);
		conn->hot = local_clock() + HOT_NS;
		conn->quiet = 0;
		conn_ring(conn);
	} else if (++conn->quiet > HOT_ROUNDS && now > conn->hot) {
		conn_cool(conn);
	}
	if (READ_ONCE(conn->queue->halted))
		conn_kill(conn);
	return work;
}

/* Rounds between two polls of the sockets. */
#define ROUNDS 16

/* Return the number of connections that had work; @hot: one of them may have some soon. */
static unsigned int round_of_conns(bool *hot)
{
	struct conn *conn, *next;
	u64 now = local_clock();
	unsigned int nr = 0;

	*hot = false;
	list_for_each_entry_safe(conn, next, &conns.live, node) {
		if (conn->deadline && now > conn->deadline)
			conn_kill(conn);
		if (conn->deadline || !conn->hot)
			continue;
		nr += conn_execute(conn, now);
		*hot |= conn->hot;
	}
	return nr;
}

/* If others wait for the CPU, importers among them can have nothing new meanwhile. */
bool conns_run(void)
{
	bool hot;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		if (round_of_conns(&hot))
			continue;
		if (!hot)
			return false;
		if (conns.crowded || i == ROUNDS - 1)
			conns.crowded = peers_yield();
		else
			cpu_relax();
	}
	return true;
}

int conns_patience(void)
{
	struct conn *conn;

	list_for_each_entry(conn, &conns.live, node)
		if (conn->deadline)
			return 100;
	return -1;
}

void conns_reap(void)
{
	struct conn *conn;

	while ((conn = list_first_entry_or_null(&conns.dead, struct conn,
						node)))
		conn_free(conn);
}

void conns_end(void)
{
	struct conn *conn, *next;

	list_for_each_entry_safe(conn, next, &conns.live, node)
		conn_kill(conn);
	conns_reap();
}
