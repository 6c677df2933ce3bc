// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* AF_XDP sockets, by libxdp. */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/ethtool.h>
#include <linux/sockios.h>

#include "kind.h"
#include "sys.h"

/* Do not ask sysfs, which may show another network namespace. */
int sys_nr_queues(const char *ifname, uint32_t *nr)
{
	struct ethtool_channels channels = { .cmd = ETHTOOL_GCHANNELS };
	struct ifreq request = { .ifr_data = (void *)&channels };
	int fd, err;

	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", ifname);
	err = ioctl(fd, SIOCETHTOOL, &request) ? -errno : 0;
	close(fd);
	*nr = channels.rx_count + channels.combined_count;
	/* If the driver does not answer, it has one queue, or more that stay the kernel's. */
	if (err == -EOPNOTSUPP || (!err && !*nr)) {
		*nr = kind_queues(sys_ifindex(ifname));
		return 0;
	}
	return err;
}

/* The descriptor belongs to the process, not to a program that it executes. */
static void close_on_exec(int fd)
{
	fcntl(fd, F_SETFD, FD_CLOEXEC);
}

int sys_memory_add(struct xsk_sys_queue *queue, void *memory, size_t length,
		   const struct xsk_sys_sizes *sizes)
{
	const struct xsk_umem_config config = {
		.fill_size = sizes->fill,
		.comp_size = 64, /* unused: nothing is sent */
		.frame_size = sizes->chunk,
		.frame_headroom = sizes->headroom,
	};

	int err = xsk_umem__create(&queue->umem, memory, length, &queue->fill,
				   &queue->comp, &config);

	if (!err)
		close_on_exec(xsk_umem__fd(queue->umem));
	return err;
}

void sys_memory_del(struct xsk_umem *umem)
{
	xsk_umem__delete(umem);
}

static enum xsk_mode mode_of(int fd)
{
	struct xdp_options options = { 0 };
	socklen_t len = sizeof(options);

	if (getsockopt(fd, SOL_XDP, XDP_OPTIONS, &options, &len))
		return XSK_COPY;
	return options.flags & XDP_OPTIONS_ZEROCOPY ? XSK_ZEROCOPY : XSK_COPY;
}

/* Without XDP_COPY or XDP_ZEROCOPY the kernel uses zero-copy if it can. */
int sys_queue_bind(struct xsk_sys_queue *queue, const char *ifname, uint32_t nr,
		   const struct xsk_sys_sizes *sizes, enum xsk_mode *mode)
{
	const struct xsk_socket_config config = {
		.rx_size = sizes->rx,
		.libxdp_flags = XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD,
		.bind_flags = XDP_USE_NEED_WAKEUP,
	};
	int err = xsk_socket__create_shared(&queue->socket, ifname, nr,
					    queue->umem, &queue->rx, NULL,
					    &queue->fill, &queue->comp,
					    &config);

	if (err)
		return err;
	queue->fd = xsk_socket__fd(queue->socket);
	close_on_exec(queue->fd);
	*mode = mode_of(queue->fd);
	return 0;
}

void sys_queue_close(struct xsk_sys_queue *queue)
{
	xsk_socket__delete(queue->socket);
}

/* The caller may hold locks, so the thread must not be cancelled here. */
void sys_queue_wake(struct xsk_sys_queue *queue)
{
	char nothing;
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	recv(queue->fd, &nothing, 0, MSG_DONTWAIT);
	pthread_setcancelstate(state, NULL);
}

int sys_queue_error(const struct xsk_sys_queue *queue)
{
	socklen_t len = sizeof(int);
	int err = 0;

	if (getsockopt(queue->fd, SOL_SOCKET, SO_ERROR, &err, &len))
		return -errno;
	return -err;
}

/* Count frames that the kernel dropped; frames that the program refused went to the kernel. */
uint64_t sys_queue_lost(const struct xsk_sys_queue *queue)
{
	struct xdp_statistics stats = { 0 };
	socklen_t len = sizeof(stats);

	getsockopt(queue->fd, SOL_XDP, XDP_STATISTICS, &stats, &len);
	return stats.rx_dropped + stats.rx_ring_full;
}
