/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Two network namespaces, and pairs of interfaces between them. From wires_open() to
 * wires_close() the calling thread is in the near one. All vanish with the process.
 */
#ifndef BENCH_WIRE_H
#define BENCH_WIRE_H

#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

struct wires {
	int home; /* file descriptors of namespaces */
	int near;
	int far;
};

int wires_open(struct wires *wires);
void wires_close(struct wires *wires);

struct wire_end {
	char name[IFNAMSIZ];
	struct sockaddr_in address;
	uint8_t mac[6];
};

struct wire {
	struct wire_end near;
	struct wire_end far;
};

int wire_open(struct wire *wire, const struct wires *wires);
void wire_close(const struct wire *wire);

/* Add an RDMA device to its near end. It goes with the wire. */
int wire_add_device(const struct wire *wire, const char *name);

/* Make a UDP socket in the far namespace, bound there and connected to the near end. */
int wire_far_socket(const struct wire *wire, const struct wires *wires);

/* Bind a socket to its own end, and connect it to the other. Call it in the socket's namespace. */
int wire_set_up_socket(int fd, const struct wire_end *own,
		       const struct wire_end *other);

#endif /* BENCH_WIRE_H */
