/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Sending frames: a ring of slots that the kernel takes frames from, of a packet
 * socket. It does not compete with other sockets for frames, so any number of them may
 * be on an interface. One thread at a time.
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
	uint32_t head; /* counter of the next slot to fill; not an index */
	uint32_t tail; /* counter of the next slot to see sent */
	uint32_t announced; /* counter up to which the kernel was told */
	uint32_t max_frame;
	uint32_t max_tagged; /* for a frame with a VLAN tag */
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

/* Return the place of the frame @n slots after the head; there must be room. */
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
 * Tell the kernel of the filled slots. Return 0, or why it takes nothing now: -ENOBUFS if
 * the frame at ->announced was dropped on its way. That frame is still the kernel's next
 * one.
 */
int packet_kick(struct packet *packet);

/* Have the kernel go on with the frame after that one. */
void packet_skip(struct packet *packet);

/* Move the tail over frames that were sent. */
void packet_reap(struct packet *packet);

/* Take back the frames that the kernel has not begun with. */
void packet_take_back(struct packet *packet);

#endif /* DOCA_XSK_PACKET_H */
