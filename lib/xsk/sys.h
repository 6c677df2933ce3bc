/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The kernel's interface to AF_XDP. Tests replace it by one of their own
 * (tests/fake_xsk.h). All functions return 0 or a negative errno.
 */
#ifndef DOCA_XSK_SYS_H
#define DOCA_XSK_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xdp/xsk.h>

#include "net.h"
#include "rules.h"
#include "xsk.h"

/*
 * The rings of one receive queue, and its memory. Sockets of one queue share the
 * memory, and with it the ring that fills it; sockets of different queues cannot.
 */
struct xsk_sys_queue {
	struct xsk_umem *umem;
	struct xsk_ring_prod fill;
	struct xsk_ring_cons comp;
	struct xsk_ring_cons rx;
	struct xsk_socket *socket;
	int fd;
};

struct xsk_sys_sizes {
	uint32_t chunk;
	uint32_t headroom;
	uint32_t fill; /* number of entries, a power of two; rx likewise */
	uint32_t rx;
};

/* Get the number of receive queues. */
int sys_nr_queues(const char *ifname, uint32_t *nr);

int sys_memory_add(struct xsk_sys_queue *queue, void *memory, size_t length,
		   const struct xsk_sys_sizes *sizes);
void sys_memory_del(struct xsk_umem *umem);

/* Bind with the queue's memory, which may be that of another socket there. */
int sys_queue_bind(struct xsk_sys_queue *queue, const char *ifname, uint32_t nr,
		   const struct xsk_sys_sizes *sizes, enum xsk_mode *mode);
void sys_queue_close(struct xsk_sys_queue *queue);
/* Make the driver read the fill ring. */
void sys_queue_wake(struct xsk_sys_queue *queue);
int sys_queue_error(const struct xsk_sys_queue *queue);
uint64_t sys_queue_lost(const struct xsk_sys_queue *queue);

/* The program of an interface with its maps. It goes with the process. */
struct sys_program;

/* @late: set if it runs behind the driver, see XSK_LATE */
int sys_program_attach(struct sys_program **program, int ifindex, bool *late,
		       enum xsk_step *step);
void sys_program_detach(struct sys_program *program);
/* Drop it in the child of a fork, which would keep it attached after its parent is gone. */
void sys_program_leave(struct sys_program *program);
/* @fd: -1 to remove it */
int sys_program_set_socket(struct sys_program *program, uint32_t slot, int fd);
/* @target: NULL to remove it */
int sys_program_set_rule(struct sys_program *program,
			 const struct steer_match *match,
			 const struct steer_target *target);

#endif /* DOCA_XSK_SYS_H */
