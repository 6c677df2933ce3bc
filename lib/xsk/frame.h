/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Parse a frame and compute its checksums. All input is hostile. */
#ifndef DOCA_XSK_FRAME_H
#define DOCA_XSK_FRAME_H

#include <stdbool.h>
#include <stdint.h>

enum { FRAME_TCP = 6, FRAME_UDP = 17 };

/* Offsets from the beginning of the frame; 0: absent. */
struct frame_view {
	uint32_t l3;
	uint32_t l3_length; /* bytes in the header of version 4 */
	uint32_t l4; /* TCP or UDP with a whole header; 0 for fragments */
	uint32_t end; /* end of the IP packet, not of the frame */
	uint8_t version; /* 4 or 6; 0: not IP, or truncated */
	uint8_t protocol;
};

/* Parse Ethernet with up to two VLAN tags. */
void frame_parse(const uint8_t *frame, uint32_t length,
		 struct frame_view *view);

bool frame_l3_ok(const uint8_t *frame, const struct frame_view *view);

enum frame_sum {
	FRAME_SUM_WRONG,
	FRAME_SUM_RIGHT,
	FRAME_SUM_NONE, /* none: optional for UDP in IPv4 */
	FRAME_SUM_PARTIAL, /* sum of the pseudo-header: this machine's */
};

enum frame_sum frame_l4_sum(const uint8_t *frame,
			    const struct frame_view *view);

/* Return true unless the checksum is wrong. */
bool frame_l4_ok(const uint8_t *frame, const struct frame_view *view);

/* Fill in the checksum of a frame that has such a header. */
void frame_set_l3_sum(uint8_t *frame, const struct frame_view *view);
void frame_set_l4_sum(uint8_t *frame, const struct frame_view *view);

/* Hash addresses and ports as cards do (Toeplitz); 0 if it is not IP. */
uint32_t frame_hash(const uint8_t *frame, const struct frame_view *view);

static inline uint16_t get_be16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

static inline uint32_t get_be32(const uint8_t *p)
{
	return (uint32_t)get_be16(p) << 16 | get_be16(p + 2);
}

static inline void put_be16(uint8_t *p, uint16_t value)
{
	p[0] = value >> 8;
	p[1] = value;
}

static inline void put_be32(uint8_t *p, uint32_t value)
{
	put_be16(p, value >> 16);
	put_be16(p + 2, value);
}

#endif /* DOCA_XSK_FRAME_H */
