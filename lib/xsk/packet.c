// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <string.h>

#include "net.h"
#include "packet.h"

#define ETHERNET 14
#define VLAN_TAG 4
#define MAX_SLOT 65536u

static uint32_t min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t power_of_two(uint32_t n)
{
	return 1u << (32 - __builtin_clz(n - 1));
}

int packet_open(struct packet *packet, const char *ifname, uint32_t frames,
		struct xsk_why *why)
{
	uint32_t mtu = 0, room;
	int err = sys_mtu(ifname, &mtu);

	if (err)
		return xsk_explain(why, XSK_STEP_INTERFACE, err, ifname, 0);
	memset(packet, 0, sizeof(*packet));
	packet->slots = power_of_two(frames < 64 ? 64 : frames);
	/* The kernel silently drops longer frames. */
	room = mtu + ETHERNET;
	packet->max_frame = min(room, MAX_SLOT - PACKET_DATA);
	packet->max_tagged = min(room + VLAN_TAG, MAX_SLOT - PACKET_DATA);
	packet->slot_size = power_of_two(packet->max_tagged + PACKET_DATA);
	err = sys_packet_open(ifname, packet->slots, packet->slot_size,
			      &packet->fd, (void **)&packet->ring);
	if (err)
		return xsk_explain(why, XSK_STEP_MEMORY, err, ifname,
				   (size_t)packet->slots * packet->slot_size);
	return 0;
}

void packet_close(struct packet *packet)
{
	sys_packet_close(packet->fd, packet->ring,
			 (size_t)packet->slots * packet->slot_size);
}

void packet_put(struct packet *packet, uint32_t n)
{
	for (; n; n--)
		__atomic_store_n(
			&packet_slot(packet, packet->head++)->tp_status,
			TP_STATUS_SEND_REQUEST, __ATOMIC_RELEASE);
}

static uint32_t status_of(const struct packet *packet, uint32_t at)
{
	return __atomic_load_n(&packet_slot(packet, at)->tp_status,
			       __ATOMIC_ACQUIRE);
}

static bool find_next(struct packet *packet)
{
	while (packet->announced != packet->head &&
	       status_of(packet, packet->announced) != TP_STATUS_SEND_REQUEST)
		packet->announced++;
	return packet->announced != packet->head;
}

/* The kernel is called again until it has begun with all of them. */
int packet_kick(struct packet *packet)
{
	int err;

	if (!find_next(packet))
		return 0;
	err = sys_packet_kick(packet->fd);
	if (err == -EAGAIN || err == -EINTR)
		return 0;
	return err == -ENOBUFS && !find_next(packet) ? 0 : err;
}

/* The kernel skips a frame that is too long. */
void packet_skip(struct packet *packet)
{
	packet_slot(packet, packet->announced)->tp_len = UINT32_MAX;
}

void packet_reap(struct packet *packet)
{
	while (packet->tail != packet->head &&
	       !(status_of(packet, packet->tail) &
		 (TP_STATUS_SEND_REQUEST | TP_STATUS_SENDING)))
		packet->tail++;
	if ((int32_t)(packet->announced - packet->tail) < 0)
		packet->announced = packet->tail;
}

/* The kernel's own head stands at the first frame that is taken back. */
void packet_take_back(struct packet *packet)
{
	while (packet->head != packet->tail &&
	       status_of(packet, packet->head - 1) == TP_STATUS_SEND_REQUEST)
		packet_slot(packet, --packet->head)->tp_status =
			TP_STATUS_AVAILABLE;
	if ((int32_t)(packet->announced - packet->head) > 0)
		packet->announced = packet->head;
}
