// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * A hostile peer, as an input says: one that imports, with whatever messages, entries and
 * bytes in the shared areas, or one that answers in the name of an exporter. ASan sees
 * what is copied where it must not be; that others go on being served is checked here.
 */
#include "shim/kernel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "engine.h"
#include "memory.h"
#include "queue.h"
#include "ring.h"
#include "wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMS 3
#define MEM_SIZE 70000 /* more than a slot */
#define UNTOUCHED 0xa5
#define ORDER 8 /* of the connection's rings */
#define OWN_ENTRIES 8U
#define OWN_ORDER 3
#define OPCODES (DOCA_OP_SYNC_WAIT_NE + 1)
#define PATIENCE_MS 20000

#define CHECK(condition)                  \
	do {                              \
		if (!(condition))         \
			__builtin_trap(); \
	} while (0)

/* Exported to be written, exported to be read, and not exported. */
static struct {
	int fd;
	u32 device;
	struct {
		u8 *addr;
		u32 key;
		struct doca_blob blob;
	} mems[MEMS];
} program = { .fd = -1 };

struct input {
	const u8 *data;
	size_t size;
};

static u64 take(struct input *in, unsigned int bytes)
{
	u64 value = 0;

	if (bytes > in->size)
		bytes = in->size;
	memcpy(&value, in->data, bytes);
	in->data += bytes;
	in->size -= bytes;
	return value;
}

static void export(int i, u32 access)
{
	struct doca_mem_reg reg = {
		.size = sizeof(reg),
		.length = MEM_SIZE,
		.access = DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE |
			  access,
	};
	struct doca_mem_map map = {
		.size = sizeof(map),
		.device_id = program.device,
		.access = DOCA_ACCESS_LOCAL_READ | DOCA_ACCESS_LOCAL_WRITE,
	};
	struct doca_mem_export arg = {
		.size = sizeof(arg),
		.blob_size = DOCA_BLOB_SIZE,
		.blob = (uintptr_t)&program.mems[i].blob,
	};

	program.mems[i].addr = malloc(MEM_SIZE);
	CHECK(program.mems[i].addr);
	memset(program.mems[i].addr, UNTOUCHED, MEM_SIZE);
	reg.addr = (uintptr_t)program.mems[i].addr;
	CHECK(!engine_call(program.fd, DOCA_MEM_REG, &reg));
	map.mem_id = reg.out_mem_id;
	CHECK(!engine_call(program.fd, DOCA_MEM_MAP, &map));
	program.mems[i].key = map.out_key;
	arg.key = map.out_key;
	if (access)
		CHECK(!engine_call(program.fd, DOCA_MEM_EXPORT, &arg));
}

static void begin(void)
{
	char name[64];

	if (program.fd >= 0)
		return;
	CHECK(engine_next_device(&program.device, name, sizeof(name)));
	program.fd = engine_open();
	CHECK(program.fd >= 0);
	export(0, DOCA_ACCESS_PCI_READ | DOCA_ACCESS_PCI_WRITE);
	export(1, DOCA_ACCESS_PCI_READ);
	export(2, 0);
}

static void check_untouched(void)
{
	const u8 *mem;
	int i;

	for (i = 1; i < MEMS; i++) {
		mem = program.mems[i].addr;
		CHECK(mem[0] == UNTOUCHED &&
		      !memcmp(mem, mem + 1, MEM_SIZE - 1));
	}
}

static struct wire_msg hello(void)
{
	return (struct wire_msg){
		.type = WIRE_HELLO,
		.hello = {
			.magic = WIRE_MAGIC,
			.version = WIRE_VERSION,
			.ring_version = DOCA_RING_VERSION,
			.page_size = PAGE_SIZE,
		},
	};
}

/* The next message that is no BELL; false if the other side has hung up. */
static bool receive(int fd, struct wire_msg *msg, int *fds, int nr)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	int rc;

	do {
		CHECK(poll(&pfd, 1, PATIENCE_MS) == 1);
		rc = wire_recv(fd, msg, fds, nr);
	} while (rc == -EAGAIN || (rc >= 0 && msg->type == WIRE_BELL));
	return rc >= 0;
}

/* What both roles have: a socket, and the three areas. */
struct peer {
	int fd;
	int fds[WIRE_AREAS];
	u8 *areas[WIRE_AREAS];
	size_t sizes[WIRE_AREAS];
	struct doca_queue_create arg;
	u32 key; /* of the data area, and */
	u64 data; /* its address there */
	u32 keys[4];
	u32 imports;
	u32 tail, completed;
};

static void peer_size(struct peer *peer)
{
	wire_queue(&peer->arg);
	CHECK(!doca_ring_size(&peer->arg));
	peer->sizes[WIRE_USER] = peer->arg.out_user_size;
	peer->sizes[WIRE_KERNEL] = peer->arg.out_kernel_size;
	peer->sizes[WIRE_DATA] = WIRE_DATA_SIZE;
}

static void peer_map(struct peer *peer, bool all)
{
	int i, prot;

	for (i = 0; i < WIRE_AREAS; i++) {
		prot = i == WIRE_KERNEL && !all ? PROT_READ :
						  PROT_READ | PROT_WRITE;
		peer->areas[i] = mmap(NULL, peer->sizes[i], prot, MAP_SHARED,
				      peer->fds[i], 0);
		CHECK(peer->areas[i] != MAP_FAILED);
	}
}

static void peer_close(struct peer *peer)
{
	int i;

	close(peer->fd);
	for (i = 0; i < WIRE_AREAS; i++) {
		if (peer->areas[i])
			munmap(peer->areas[i], peer->sizes[i]);
		if (peer->fds[i] >= 0)
			close(peer->fds[i]);
	}
}

/* Others have ended: there is room, and somebody who answers. */
static void importer_open(struct peer *peer)
{
	struct sockaddr_un address;
	struct wire_msg msg = hello();
	int size = wire_address(doca_export_identity(), &address);

	*peer = (struct peer){ .fds = { -1, -1, -1 } };
	peer_size(peer);
	peer->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	CHECK(!connect(peer->fd, (void *)&address, size));
	CHECK(!wire_send(peer->fd, &msg, NULL, 0));
	CHECK(receive(peer->fd, &msg, peer->fds, WIRE_AREAS));
	CHECK(msg.type == WIRE_HELLO && !msg.hello.error);
	peer->key = msg.hello.key;
	peer->data = msg.hello.data;
	peer_map(peer, false);
}

static void send_any(struct peer *peer, struct wire_msg *msg)
{
	wire_send(peer->fd, msg, NULL, 0);
}

static void importer_import(struct peer *peer, struct input *in)
{
	struct wire_msg msg = { .type = WIRE_IMPORT };
	u8 what = take(in, 1);

	msg.blob = program.mems[what & 1].blob;
	if (what & 0x80)
		((u8 *)&msg.blob)[take(in, 1) % sizeof(msg.blob)] ^=
			take(in, 1);
	send_any(peer, &msg);
	if (!receive(peer->fd, &msg, NULL, 0) || msg.type != WIRE_ANSWER)
		return;
	CHECK(msg.answer.error <= 0);
	if (!msg.answer.error)
		peer->keys[peer->imports++ % 4] = msg.answer.key;
}

/* Near the ends of what it names; anything is possible. */
static struct doca_seg take_seg(struct peer *peer, struct input *in)
{
	u8 what = take(in, 1);
	struct doca_seg seg = { 0 };
	int i = what & 1;

	seg.length = take(in, what & 0x20 ? 3 : 2);
	if (what & 0x80) {
		seg.key = take(in, 4);
		seg.address = take(in, 8);
	} else if (what & 0x40) {
		seg.key = peer->key;
		seg.address = peer->data + take(in, 3);
	} else {
		seg.key = peer->keys[(what >> 1) % 4];
		seg.address =
			(uintptr_t)program.mems[i].addr + (int16_t)take(in, 2);
		if (what & 0x10)
			seg.address += MEM_SIZE;
	}
	if (what & 8)
		seg.address &= -8ULL;
	return seg;
}

static void importer_submit(struct peer *peer, struct input *in)
{
	struct doca_sqe *sqe =
		(void *)(peer->areas[WIRE_USER] + peer->arg.out_sq_off);
	u8 shape = take(in, 1);

	sqe += peer->tail % WIRE_TAGS;
	sqe->opcode = shape & 0x80 ? take(in, 2) : take(in, 1) % OPCODES;
	sqe->flags = shape & 0x40 ? take(in, 2) : 0;
	sqe->aux = shape & 0x20 ? take(in, 1) : 0;
	sqe->user_data = take(in, 1);
	sqe->src = take_seg(peer, in);
	sqe->dst = take_seg(peer, in);
	sqe->op[0] = shape & 4 ? take(in, 8) : 0;
	sqe->op[1] = shape & 8 ? take(in, 8) : 0;
	smp_store_release(&sqe->lap, DOCA_RING_LAP(peer->tail, ORDER));
	peer->tail++;
}

static void scribble(struct peer *peer, int area, struct input *in)
{
	u32 at = take(in, 2) * 4 % peer->sizes[area];
	u32 value = take(in, 4);

	memcpy(peer->areas[area] + at, &value, sizeof(value));
}

static void send_raw(struct peer *peer, struct input *in)
{
	struct wire_msg msg = {};
	u8 size = take(in, 1), i;
	int fds[WIRE_AREAS] = { peer->fd, peer->fd, peer->fd };

	for (i = 0; i < size % 64; i++)
		((u8 *)&msg)[i] = take(in, 1);
	if (size & 0x80)
		send(peer->fd, &msg, size, MSG_NOSIGNAL | MSG_DONTWAIT);
	else
		wire_send(peer->fd, &msg, fds, size & 0x40 ? 1 + size % 3 : 0);
}

static void importer_act(struct peer *peer, struct input *in)
{
	struct wire_msg msg = {};
	u8 what = take(in, 1);

	switch (what % 12) {
	case 0:
		importer_import(peer, in);
		break;
	case 1:
	case 2:
	case 3:
		importer_submit(peer, in);
		break;
	case 4:
	case 5:
		msg.type = WIRE_BELL;
		send_any(peer, &msg);
		break;
	case 6:
		msg.type = WIRE_RELEASE;
		msg.key = what & 0x80 ? take(in, 4) :
					peer->keys[take(in, 1) % 4];
		send_any(peer, &msg);
		break;
	case 7:
		msg.type = WIRE_CANCEL;
		msg.name = take(in, what & 0x80 ? 8 : 1);
		send_any(peer, &msg);
		break;
	case 8:
		send_raw(peer, in);
		break;
	case 9:
		scribble(peer, WIRE_USER, in);
		break;
	case 10:
		scribble(peer, WIRE_DATA, in);
		break;
	case 11:
		usleep(take(in, 1));
		break;
	}
}

static void fuzz_importer(struct input *in)
{
	struct peer peer;

	importer_open(&peer);
	while (in->size)
		importer_act(&peer, in);
	peer_close(&peer);
}

/* The exporter's role: who imports waits in another thread for what is answered. */
struct exporter {
	struct peer peer;
	int listener;
	struct doca_blob blob;
	struct input script;
};

static int make_area(struct peer *peer, int area, u8 how)
{
	int fd = memfd_create("peer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	size_t size = peer->sizes[area] - (how & 0x10 ? 1 : 0);

	CHECK(fd >= 0 && !ftruncate(fd, size));
	if (!(how & 0x20))
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
	return fd;
}

static void exporter_greet(struct exporter *self, struct input *in)
{
	struct peer *peer = &self->peer;
	struct wire_msg msg = hello();
	u8 how = take(in, 1);
	int i;

	for (i = 0; i < WIRE_AREAS; i++)
		peer->fds[i] = make_area(peer, i, how);
	if (!(how & 0x30))
		peer_map(peer, true);
	msg.hello.key = take(in, 1);
	msg.hello.data = take(in, 2);
	if (how & 0x40)
		((u8 *)&msg)[take(in, 1) % 40] ^= take(in, 1);
	wire_send(peer->fd, &msg, peer->fds,
		  how & 0x80 ? how % (WIRE_AREAS + 1) : WIRE_AREAS);
}

static void exporter_answer(struct exporter *self, struct input *in, u32 seq)
{
	struct wire_msg msg = {
		.type = WIRE_ANSWER,
		.seq = seq,
		.answer = {
			.key = 7,
			.access = DOCA_ACCESS_LOCAL_READ |
				  DOCA_ACCESS_LOCAL_WRITE,
			.addr = (uintptr_t)program.mems[0].addr,
			.length = MEM_SIZE,
		},
	};
	u8 how = take(in, 1);

	if (how & 0x80)
		((u8 *)&msg)[take(in, 1) % 40] ^= take(in, 1);
	if (how & 0x40)
		send_any(&self->peer, &msg);
	send_any(&self->peer, &msg);
}

/* It hangs up where it does not go on: so nobody waits for long. */
static void *exporter_run(void *arg)
{
	struct exporter *self = arg;
	struct input *in = &self->script;
	struct wire_msg msg;

	self->peer.fd = accept4(self->listener, NULL, NULL, SOCK_CLOEXEC);
	if (self->peer.fd < 0 || !receive(self->peer.fd, &msg, NULL, 0))
		return NULL;
	exporter_greet(self, in);
	if (!receive(self->peer.fd, &msg, NULL, 0))
		return NULL;
	exporter_answer(self, in, msg.seq);
	if (take(in, 1) & 1)
		shutdown(self->peer.fd, SHUT_RDWR);
	return NULL;
}

static void exporter_open(struct exporter *self)
{
	static u32 number;
	struct sockaddr_un address;
	u8 *id = self->blob.kernel_id;
	int size;

	self->peer = (struct peer){ .fd = -1, .fds = { -1, -1, -1 } };
	peer_size(&self->peer);
	self->blob = program.mems[0].blob;
	number++;
	memcpy(id + 8, &number, sizeof(number));
	size = wire_address(id, &address);
	self->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	CHECK(!bind(self->listener, (void *)&address, size) &&
	      !listen(self->listener, 1));
}

/* A queue of the program's own, which is honest. */
struct own {
	int fd;
	struct doca_queue_create arg;
	struct doca_ring_user *user;
	struct doca_sqe *sqes;
	const struct doca_cqe *cqes;
	u32 tail, head;
	u32 key;
};

static void own_open(struct own *own, u32 key)
{
	void *user, *kernel;

	*own = (struct own){
		.arg = {
			.size = sizeof(own->arg),
			.device_id = program.device,
			.sq_entries = OWN_ENTRIES,
			.cq_entries = OWN_ENTRIES,
			.nr_waits = 2,
		},
		.key = key,
	};
	CHECK(!engine_call(program.fd, DOCA_QUEUE_CREATE, &own->arg));
	own->fd = own->arg.out_fd;
	CHECK(!engine_map(own->fd, DOCA_MMAP_USER, own->arg.out_user_size,
			  PROT_READ | PROT_WRITE, true, &user));
	CHECK(!engine_map(own->fd, DOCA_MMAP_KERNEL, own->arg.out_kernel_size,
			  PROT_READ, true, &kernel));
	own->user = user;
	own->sqes = user + own->arg.out_sq_off;
	own->cqes = kernel + own->arg.out_cq_off;
}

static void own_close(struct own *own)
{
	CHECK(!engine_unmap(own->user, own->arg.out_user_size));
	CHECK(!engine_unmap((char *)own->cqes - own->arg.out_cq_off,
			    own->arg.out_kernel_size));
	CHECK(!engine_close(own->fd));
}

/* One side is there, the other may be here. */
static struct doca_seg own_seg(struct own *own, struct input *in, bool there,
			       u32 length)
{
	return (struct doca_seg){
		.key = there ? own->key : program.mems[0].key,
		.length = length,
		.address = ((uintptr_t)program.mems[0].addr + take(in, 1)) &
			   (length == 8 ? -8ULL : -1ULL),
	};
}

static void own_submit(struct own *own, struct input *in)
{
	struct doca_sqe *sqe = &own->sqes[own->tail % OWN_ENTRIES];
	u8 shape = take(in, 1);
	u16 opcode = take(in, 1) % OPCODES;
	u32 length = opcode == DOCA_OP_MEMCPY ? take(in, 3) % MEM_SIZE : 8;

	if (own->tail - own->head == OWN_ENTRIES)
		return;
	*sqe = (struct doca_sqe){
		.opcode = opcode,
		.lap = sqe->lap,
		.user_data = own->tail,
	};
	if (opcode == DOCA_OP_MEMCPY) {
		sqe->src = own_seg(own, in, shape & 1, length);
		sqe->dst = own_seg(own, in, !(shape & 1), length);
	} else if (opcode == DOCA_OP_SYNC_SET || opcode == DOCA_OP_SYNC_ADD ||
		   opcode == DOCA_OP_INVALIDATE) {
		sqe->dst = own_seg(own, in, true, 8);
	} else if (opcode) {
		sqe->src = own_seg(own, in, true, 8);
	}
	sqe->op[0] = opcode > DOCA_OP_MEMCPY && opcode != DOCA_OP_INVALIDATE ?
			     take(in, 1) :
			     0;
	smp_store_release(&sqe->lap, DOCA_RING_LAP(own->tail, OWN_ORDER));
	own->tail++;
}

static void own_enter(struct own *own)
{
	struct doca_queue_enter arg = {
		.size = sizeof(arg),
		.max_entries = OWN_ENTRIES,
	};
	const struct doca_cqe *cqe;

	CHECK(!engine_call(own->fd, DOCA_QUEUE_ENTER, &arg));
	for (;;) {
		cqe = &own->cqes[own->head % OWN_ENTRIES];
		if (smp_load_acquire(&cqe->lap) !=
		    DOCA_RING_LAP(own->head, OWN_ORDER))
			break;
		CHECK(cqe->user_data < own->tail);
		CHECK(own->head != own->tail);
		own->head++;
		smp_store_release(&own->user->cq_head, own->head);
	}
}

/* As an exporter does, of an entry that there is or of none. */
static void exporter_complete(struct peer *peer, struct input *in)
{
	const struct doca_sqe *sqes =
		(void *)(peer->areas[WIRE_USER] + peer->arg.out_sq_off);
	struct doca_cqe *cqe =
		(void *)(peer->areas[WIRE_KERNEL] + peer->arg.out_cq_off);
	u8 how = take(in, 1);
	u32 n = how & 0x40 ? take(in, 1) : peer->completed;

	cqe += peer->completed % WIRE_TAGS;
	cqe->user_data = how & 0x80 ? take(in, 8) :
				      sqes[n % WIRE_TAGS].user_data;
	cqe->status = how & 0x20 ? take(in, 2) : 0;
	cqe->result[0] = take(in, 1);
	smp_store_release(&cqe->lap, DOCA_RING_LAP(peer->completed, ORDER));
	peer->completed++;
}

static void exporter_act(struct peer *peer, struct own *own, struct input *in)
{
	struct wire_msg msg = {};
	u8 what = take(in, 1);

	switch (what % 10) {
	case 0:
	case 1:
		own_submit(own, in);
		break;
	case 2:
	case 3:
		own_enter(own);
		break;
	case 4:
	case 5:
		exporter_complete(peer, in);
		break;
	case 6:
		scribble(peer, WIRE_KERNEL, in);
		break;
	case 7:
		msg.type = WIRE_BELL;
		send_any(peer, &msg);
		break;
	case 8:
		send_raw(peer, in);
		break;
	case 9:
		engine_rearm(own->fd);
		usleep(take(in, 1));
		break;
	}
}

/* When the other side has gone, all ends. */
static void own_drain(struct own *own)
{
	u64 end = local_clock() + PATIENCE_MS * NSEC_PER_MSEC;

	while (own->head != own->tail) {
		own_enter(own);
		CHECK(local_clock() < end);
	}
}

static void fuzz_exporter(struct input *in)
{
	struct doca_mem_import arg = {
		.size = sizeof(arg),
		.device_id = program.device,
		.blob_size = DOCA_BLOB_SIZE,
	};
	struct doca_mem_unmap unmap = { .size = sizeof(unmap) };
	struct exporter self = {};
	pthread_t thread;
	struct own own;
	int rc;

	exporter_open(&self);
	self.script = (struct input){ in->data, min(in->size, 16UL) };
	take(in, 8);
	take(in, 8);
	arg.blob = (uintptr_t)&self.blob;
	CHECK(!pthread_create(&thread, NULL, exporter_run, &self));
	rc = engine_call(program.fd, DOCA_MEM_IMPORT, &arg);
	pthread_join(thread, NULL);
	close(self.listener);
	if (!rc) {
		own_open(&own, arg.out_key);
		while (in->size)
			exporter_act(&self.peer, &own, in);
		shutdown(self.peer.fd, SHUT_RDWR);
		own_drain(&own);
		own_close(&own);
		unmap.key = arg.out_key;
		CHECK(!engine_call(program.fd, DOCA_MEM_UNMAP, &unmap));
	}
	peer_close(&self.peer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };

	begin();
	if (take(&in, 1) & 1)
		fuzz_exporter(&in);
	else
		fuzz_importer(&in);
	check_untouched();
	return 0;
}
