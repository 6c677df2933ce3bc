/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The kernel's interface to network interfaces and packet sockets. Tests have
 * interfaces of their own. All functions return 0 or a negative errno.
 */
#ifndef DOCA_XSK_NET_H
#define DOCA_XSK_NET_H

#include <stddef.h>
#include <stdint.h>

/*
 * Return an interface's number; and the namespace that numbers it, the thread's, or 0 if
 * unknown.
 */
int sys_ifindex(const char *ifname);
uint64_t sys_namespace(void);
int sys_mtu(const char *ifname, uint32_t *mtu);

/* Open the ring of a packet socket, see packet.h. */
int sys_packet_open(const char *ifname, uint32_t slots, uint32_t slot_size,
		    int *fd, void **ring);
void sys_packet_close(int fd, void *ring, size_t size);
int sys_packet_kick(int fd);

#endif /* DOCA_XSK_NET_H */
