// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Interfaces, and packet sockets, which every kernel has. */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/if_packet.h>

#include "net.h"

int sys_ifindex(const char *ifname)
{
	int index = if_nametoindex(ifname);

	return index ? index : -ENODEV;
}

uint64_t sys_namespace(void)
{
	uint64_t cookie = 0;
	socklen_t len = sizeof(cookie);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return 0;
	if (getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &len))
		cookie = 0;
	close(fd);
	return cookie;
}

int sys_mtu(const char *ifname, uint32_t *mtu)
{
	struct ifreq request = { 0 };
	int fd, err;

	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", ifname);
	err = ioctl(fd, SIOCGIFMTU, &request) ? -errno : 0;
	*mtu = request.ifr_mtu;
	close(fd);
	return err;
}

/* With protocol 0 the socket receives nothing. The kernel drops frames it finds no room for. */
static int packet_set_up(int fd, int ifindex, const struct tpacket_req *req)
{
	const struct sockaddr_ll address = { .sll_family = AF_PACKET,
					     .sll_ifindex = ifindex };
	int version = TPACKET_V2, on = 1;

	if (setsockopt(fd, SOL_PACKET, PACKET_VERSION, &version,
		       sizeof(version)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_LOSS, &on, sizeof(on)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_TX_RING, req, sizeof(*req)) ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)))
		return -errno;
	return 0;
}

int sys_packet_open(const char *ifname, uint32_t slots, uint32_t slot_size,
		    int *fd, void **ring)
{
	uint32_t page = sysconf(_SC_PAGESIZE);
	uint32_t block = slot_size > page ? slot_size : page;
	size_t size = (size_t)slots * slot_size;
	const struct tpacket_req req = {
		.tp_block_size = block,
		.tp_block_nr = size / block,
		.tp_frame_size = slot_size,
		.tp_frame_nr = slots,
	};
	int ifindex = sys_ifindex(ifname), err;

	if (ifindex < 0)
		return ifindex;
	*fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (*fd < 0)
		return -errno;
	err = packet_set_up(*fd, ifindex, &req);
	if (err)
		goto err_close;
	*ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (*ring != MAP_FAILED)
		return 0;
	err = -errno;
err_close:
	close(*fd);
	return err;
}

void sys_packet_close(int fd, void *ring, size_t size)
{
	munmap(ring, size);
	close(fd);
}

int sys_packet_kick(int fd)
{
	return send(fd, "", 0, MSG_DONTWAIT) < 0 ? -errno : 0;
}
