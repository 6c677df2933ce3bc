/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The parts that both roles of a hostile peer share: an input, the program, and the connection. */
#ifndef NATIVE_FUZZ_PEER_H
#define NATIVE_FUZZ_PEER_H

#include "shim/kernel.h"

#include "input.h"
#include "wire.h"

#define MEMS 3
#define MEM_SIZE 70000 /* more than a slot */
#define ORDER 8 /* order of the connection's rings */
#define PATIENCE_MS 20000

/* Exported for writing, exported for reading, and not exported. */
extern struct program {
	int fd;
	u32 device;
	struct {
		u8 *addr;
		u32 key;
		struct doca_blob blob;
	} mems[MEMS];
} program;

/* The connection of either role: a socket, and the three areas. */
struct peer {
	int fd;
	int fds[WIRE_AREAS];
	u8 *areas[WIRE_AREAS];
	size_t sizes[WIRE_AREAS];
	struct doca_queue_create arg;
	u32 key; /* key of the data area, and */
	u64 data; /* its address there */
	u32 keys[4];
	u32 imports;
	u32 tail, completed;
};

void peer_size(struct peer *peer);
void peer_map(struct peer *peer, bool all);
void peer_close(struct peer *peer);

struct wire_msg peer_hello(void);
/* Receive the next message other than BELL. Returns false if the other side has hung up. */
bool peer_receive(int fd, struct wire_msg *msg, int *fds, int nr);
void peer_send(struct peer *peer, struct wire_msg *msg);
/* Send arbitrary bytes of any size, with any descriptors. */
void peer_send_raw(struct peer *peer, struct input *in);
void peer_scribble(struct peer *peer, int area, struct input *in);

/* importer.c and exporter.c: run a role until the input ends. */
void fuzz_importer(struct input *in);
void fuzz_exporter(struct input *in);

#endif /* NATIVE_FUZZ_PEER_H */
