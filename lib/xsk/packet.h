/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Frames that are sent: a ring of slots that the kernel takes frames from, of a packet
 * socket. It takes no frames from other sockets, so any number of them may be on an
 * interface. One thread at a time.
 */
#ifndef DOCA_XSK_PACKET_H
#define DOCA_XSK_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/if_packet.h>

#include "xsk.h"

#define PACKET_DATA (TPACKET2_HDRLEN - sizeof(struct sockaddr_ll))

struct packet {
	char *ring;
	uint32_t slots; /* a power of two */
	uint32_t slot_size;
	uint32_t head; /* next to be filled; counters, not indices */
	uint32_t tail; /* next to be seen as sent */
	uint32_t announced; /* up to here the kernel was told */
	uint32_t max_frame;
	uint32_t max_tagged; /* of a frame with a VLAN tag */
	int fd;
};

int packet_open(struct packet *packet, const char *ifname, uint32_t frames,
		struct xsk_why *why);
void packet_close(struct packet *packet);

static inline struct tpacket2_hdr *packet_slot(const struct packet *packet,
					       uint32_t at)
{
	return (void *)(packet->ring +
			(size_t)(at & (packet->slots - 1)) * packet->slot_size);
}

static inline uint32_t packet_room(const struct packet *packet)
{
	return packet->slots - (packet->head - packet->tail);
}

/* Where the frame that is @n behind the head is to be written; there must be room. */
static inline char *packet_data(const struct packet *packet, uint32_t n)
{
	return (char *)packet_slot(packet, packet->head + n) + PACKET_DATA;
}

static inline void packet_set_length(const struct packet *packet, uint32_t n,
				     uint32_t length)
{
	packet_slot(packet, packet->head + n)->tp_len = length;
}

/* The next @n slots are filled. */
void packet_put(struct packet *packet, uint32_t n);

/*
 * Tell the kernel of what was put. 0, or why it takes nothing now: -ENOBUFS if the frame at
 * ->announced was dropped on its way. It is the kernel's next one all the same.
 */
int packet_kick(struct packet *packet);

/* The kernel is to go on with the frame behind that one. */
void packet_skip(struct packet *packet);

/* Move the tail over what is sent. */
void packet_reap(struct packet *packet);

/* Frames that the kernel has not begun with are taken back. */
void packet_take_back(struct packet *packet);

#endif /* DOCA_XSK_PACKET_H */
