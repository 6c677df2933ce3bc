// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * A hostile peer, controlled by an input: an importer, with arbitrary messages, entries
 * and bytes in the shared areas, or a fake exporter. ASan detects copies outside of the
 * exports; this checks that others are still served.
 */
#include "peer.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "inproc.h"
#include "queue.h"
#include "ring.h"

#define UNTOUCHED 0xa5

struct program program = { .fd = -1 };

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
	CHECK(!inproc_call(program.fd, DOCA_MEM_REG, &reg));
	map.mem_id = reg.out_mem_id;
	CHECK(!inproc_call(program.fd, DOCA_MEM_MAP, &map));
	program.mems[i].key = map.out_key;
	arg.key = map.out_key;
	if (access)
		CHECK(!inproc_call(program.fd, DOCA_MEM_EXPORT, &arg));
}

static void begin(void)
{
	char name[64];

	if (program.fd >= 0)
		return;
	CHECK(inproc_next_device(&program.device, name, sizeof(name)));
	program.fd = inproc_open();
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

struct wire_msg peer_hello(void)
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

bool peer_receive(int fd, struct wire_msg *msg, int *fds, int nr)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	int rc;

	do {
		CHECK(poll(&pfd, 1, PATIENCE_MS) == 1);
		rc = wire_recv(fd, msg, fds, nr);
	} while (rc == -EAGAIN || (rc >= 0 && msg->type == WIRE_BELL));
	return rc >= 0;
}

void peer_size(struct peer *peer)
{
	wire_queue(&peer->arg);
	CHECK(!doca_ring_size(&peer->arg));
	peer->sizes[WIRE_USER] = peer->arg.out_user_size;
	peer->sizes[WIRE_KERNEL] = peer->arg.out_kernel_size;
	peer->sizes[WIRE_DATA] = WIRE_DATA_SIZE;
}

void peer_map(struct peer *peer, bool all)
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

void peer_close(struct peer *peer)
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

void peer_send(struct peer *peer, struct wire_msg *msg)
{
	wire_send(peer->fd, msg, NULL, 0);
}

void peer_scribble(struct peer *peer, int area, struct input *in)
{
	u32 at = take(in, 2) * 4 % peer->sizes[area];
	u32 value = take(in, 4);

	memcpy(peer->areas[area] + at, &value, sizeof(value));
}

void peer_send_raw(struct peer *peer, struct input *in)
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
