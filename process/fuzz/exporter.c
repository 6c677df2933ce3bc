// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The exporter's role. The importer waits for its answers, in another thread. */
#include "peer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "inproc.h"
#include "own.h"

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
	struct wire_msg msg = peer_hello();
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
		peer_send(&self->peer, &msg);
	peer_send(&self->peer, &msg);
}

/* Hang up at the end of the script, so that nobody waits for long. */
static void *exporter_run(void *arg)
{
	struct exporter *self = arg;
	struct input *in = &self->script;
	struct wire_msg msg;

	self->peer.fd = accept4(self->listener, NULL, NULL, SOCK_CLOEXEC);
	if (self->peer.fd < 0 || !peer_receive(self->peer.fd, &msg, NULL, 0))
		return NULL;
	exporter_greet(self, in);
	if (!peer_receive(self->peer.fd, &msg, NULL, 0))
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

/* Complete an existing or invented entry, like an exporter. */
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
	smp_store_release(&cqe->phase, DOCA_RING_PHASE(peer->completed, ORDER));
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
		peer_scribble(peer, WIRE_KERNEL, in);
		break;
	case 7:
		msg.type = WIRE_BELL;
		peer_send(peer, &msg);
		break;
	case 8:
		peer_send_raw(peer, in);
		break;
	case 9:
		inproc_rearm(own->fd);
		usleep(take(in, 1));
		break;
	}
}

void fuzz_exporter(struct input *in)
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
	self.script = *in;
	self.script.size = min(in->size, 16UL);
	take(in, 8);
	take(in, 8);
	arg.blob = (uintptr_t)&self.blob;
	CHECK(!pthread_create(&thread, NULL, exporter_run, &self));
	rc = inproc_call(program.fd, DOCA_MEM_IMPORT, &arg);
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
		CHECK(!inproc_call(program.fd, DOCA_MEM_UNMAP, &unmap));
	}
	peer_close(&self.peer);
}
