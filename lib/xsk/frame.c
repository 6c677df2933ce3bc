// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stddef.h>
#include <string.h>

#include "frame.h"

#define ETHERNET 14
#define TYPE_IPV4 0x0800
#define TYPE_IPV6 0x86dd
#define TYPE_VLAN 0x8100
#define TYPE_QINQ 0x88a8

static void parse_l4(const uint8_t *frame, struct frame_view *view, uint32_t at)
{
	uint32_t room = view->end - at;

	if (view->protocol == FRAME_UDP && room >= 8)
		view->l4 = at;
	else if (view->protocol == FRAME_TCP && room >= 20 &&
		 (frame[at + 12] >> 4) * 4u <= room && frame[at + 12] >> 4 >= 5)
		view->l4 = at;
}

static void parse_ipv4(const uint8_t *frame, uint32_t length, uint32_t at,
		       struct frame_view *view)
{
	const uint8_t *ip = frame + at;
	uint32_t header, total;

	if (length - at < 20 || ip[0] >> 4 != 4)
		return;
	header = (ip[0] & 15) * 4;
	total = get_be16(ip + 2);
	if (header < 20 || total < header || total > length - at)
		return;
	view->version = 4;
	view->l3 = at;
	view->l3_length = header;
	view->end = at + total;
	view->protocol = ip[9];
	if (!(get_be16(ip + 6) & 0x3fff))
		parse_l4(frame, view, at + header);
}

/* Do not parse extension headers: such packets end here. */
static void parse_ipv6(const uint8_t *frame, uint32_t length, uint32_t at,
		       struct frame_view *view)
{
	const uint8_t *ip = frame + at;
	uint32_t payload;

	if (length - at < 40 || ip[0] >> 4 != 6)
		return;
	payload = get_be16(ip + 4);
	if (payload > length - at - 40)
		return;
	view->version = 6;
	view->l3 = at;
	view->end = at + 40 + payload;
	view->protocol = ip[6];
	parse_l4(frame, view, at + 40);
}

void frame_parse(const uint8_t *frame, uint32_t length, struct frame_view *view)
{
	uint32_t at = ETHERNET, tags;
	uint16_t type;

	memset(view, 0, sizeof(*view));
	if (length < at)
		return;
	type = get_be16(frame + at - 2);
	for (tags = 0; tags < 2 && (type == TYPE_VLAN || type == TYPE_QINQ);
	     tags++) {
		at += 4;
		if (length < at)
			return;
		type = get_be16(frame + at - 2);
	}
	if (type == TYPE_IPV4)
		parse_ipv4(frame, length, at, view);
	else if (type == TYPE_IPV6)
		parse_ipv6(frame, length, at, view);
}

/* Add with end-around carry, as ones' complement does in any width. */
static uint64_t add(uint64_t sum, uint64_t value)
{
	return sum + value + (sum + value < value);
}

static uint64_t load(const uint8_t *p)
{
	uint64_t value;

	memcpy(&value, p, 8);
	return value;
}

/* The byte order does not matter while summing, only when the sum is read. */
static uint64_t sum(const uint8_t *p, uint32_t length, uint64_t sum)
{
	uint32_t word;
	uint16_t half;

	for (; length >= 32; p += 32, length -= 32) {
		sum = add(sum, load(p));
		sum = add(sum, load(p + 8));
		sum = add(sum, load(p + 16));
		sum = add(sum, load(p + 24));
	}
	for (; length >= 8; p += 8, length -= 8)
		sum = add(sum, load(p));
	/* From here on no carry is lost. */
	sum = (sum & UINT32_MAX) + (sum >> 32);
	if (length >= 4) {
		memcpy(&word, p, 4);
		sum += word;
		p += 4;
		length -= 4;
	}
	if (length >= 2) {
		memcpy(&half, p, 2);
		sum += half;
		p += 2;
		length -= 2;
	}
	if (length) {
		half = 0;
		memcpy(&half, p, 1);
		sum += half;
	}
	return sum;
}

/* Fold to 16 bits, in memory order. */
static uint16_t fold(uint64_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static uint64_t pseudo_sum(const uint8_t *frame, const struct frame_view *view)
{
	const uint8_t *ip = frame + view->l3;
	uint32_t length = view->end - view->l4;
	uint8_t tail[8] = { 0 };

	put_be32(tail, length);
	tail[7] = view->protocol;
	if (view->version == 4)
		return sum(ip + 12, 8, sum(tail, 8, 0));
	return sum(ip + 8, 32, sum(tail, 8, 0));
}

static uint32_t sum_offset(const struct frame_view *view)
{
	return view->l4 + (view->protocol == FRAME_TCP ? 16 : 6);
}

bool frame_l3_ok(const uint8_t *frame, const struct frame_view *view)
{
	const uint8_t *ip = frame + view->l3;

	if (view->version != 4)
		return view->version == 6;
	return fold(sum(ip, view->l3_length, 0)) == 0xffff;
}

/* A datagram may be shorter than its packet. */
static bool find_end(const uint8_t *frame, struct frame_view *view)
{
	uint32_t length;

	if (view->protocol != FRAME_UDP)
		return true;
	length = get_be16(frame + view->l4 + 4);
	if (length < 8 || length > view->end - view->l4)
		return false;
	view->end = view->l4 + length;
	return true;
}

enum frame_sum frame_l4_sum(const uint8_t *frame, const struct frame_view *view)
{
	struct frame_view own = *view;
	uint64_t pseudo;
	uint16_t field;

	if (!own.l4 || !find_end(frame, &own))
		return FRAME_SUM_WRONG;
	memcpy(&field, frame + sum_offset(&own), 2);
	if (own.protocol == FRAME_UDP && !field)
		return own.version == 4 ? FRAME_SUM_NONE : FRAME_SUM_WRONG;
	pseudo = pseudo_sum(frame, &own);
	if (fold(sum(frame + own.l4, own.end - own.l4, pseudo)) == 0xffff)
		return FRAME_SUM_RIGHT;
	return fold(pseudo) == field ? FRAME_SUM_PARTIAL : FRAME_SUM_WRONG;
}

bool frame_l4_ok(const uint8_t *frame, const struct frame_view *view)
{
	return frame_l4_sum(frame, view) != FRAME_SUM_WRONG;
}

void frame_set_l3_sum(uint8_t *frame, const struct frame_view *view)
{
	uint8_t *ip = frame + view->l3;
	uint16_t field;

	if (view->version != 4)
		return;
	memset(ip + 10, 0, 2);
	field = ~fold(sum(ip, view->l3_length, 0));
	memcpy(ip + 10, &field, 2);
}

void frame_set_l4_sum(uint8_t *frame, const struct frame_view *view)
{
	uint8_t *at = frame + sum_offset(view);
	struct frame_view own = *view;
	uint16_t field;

	if (!own.l4)
		return;
	find_end(frame, &own);
	memset(at, 0, 2);
	field = ~fold(
		sum(frame + own.l4, own.end - own.l4, pseudo_sum(frame, &own)));
	/* 0 would mean that there is no checksum. */
	if (!field && own.protocol == FRAME_UDP)
		field = 0xffff;
	memcpy(at, &field, 2);
}

/* The key commonly used to verify network cards. */
static const uint8_t hash_key[40] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67,
	0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
	0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30,
	0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

uint32_t frame_hash(const uint8_t *frame, const struct frame_view *view)
{
	uint32_t window = get_be32(hash_key), hash = 0, n = 0, i;
	uint8_t input[36];
	int bit;

	if (!view->version)
		return 0;
	n = view->version == 4 ? 8 : 32;
	memcpy(input, frame + view->l3 + (view->version == 4 ? 12 : 8), n);
	if (view->l4) {
		memcpy(input + n, frame + view->l4, 4);
		n += 4;
	}
	for (i = 0; i < n; i++) {
		for (bit = 7; bit >= 0; bit--) {
			if (input[i] >> bit & 1)
				hash ^= window;
			window = window << 1 | (hash_key[i + 4] >> bit & 1);
		}
	}
	return hash;
}
