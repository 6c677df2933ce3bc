// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Checksums of frames, beside those of a loop that is as slow as it is plain. */
#include <stdlib.h>
#include <string.h>

#include "eth_bed.h"
#include "xsk/frame.h"

#define MAX 1500
#define L3 14
#define L4 34

/* Words of 16 bits, as the documents have it. */
static uint32_t plain_sum(const uint8_t *p, unsigned int len, uint32_t sum)
{
	for (unsigned int i = 0; i < len; i++) {
		sum += i % 2 ? p[i] : p[i] << 8;
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return sum;
}

static uint32_t plain_pseudo(const uint8_t *frame, unsigned int len)
{
	return plain_sum(frame + L3 + 12, 8, FRAME_UDP + len);
}

static void make_frame(uint8_t *frame, unsigned int len, int fill)
{
	static const uint8_t head[] = { 0x45, 0, 0,  0, 0, 0, 0,  0, 64, 17,
					0,    0, 10, 0, 0, 1, 10, 0, 0,	 2 };

	memset(frame, 0, L4);
	put_be16(frame + 12, 0x0800);
	memcpy(frame + L3, head, sizeof(head));
	put_be16(frame + L3 + 2, 20 + len);
	for (unsigned int i = 0; i < len; i++)
		frame[L4 + i] = fill < 0 ? rand() : fill;
	put_be16(frame + L4 + 4, len);
	put_be16(frame + L4 + 6, 0);
}

static void check_length(unsigned int len, int fill)
{
	uint8_t frame[L4 + MAX];
	struct frame_view view;
	uint16_t wanted;

	make_frame(frame, len, fill);
	frame_parse(frame, L4 + len, &view);
	EXPECT_EQ(view.l4, L4);
	wanted = ~plain_sum(frame + L4, len, plain_pseudo(frame, len));
	frame_set_l4_sum(frame, &view);
	EXPECT_EQ(get_be16(frame + L4 + 6), wanted ?: 0xffff);
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_RIGHT);
	wanted = ~plain_sum(frame + L3, 20, 0);
	frame_set_l3_sum(frame, &view);
	EXPECT_EQ(get_be16(frame + L3 + 10), wanted);
	EXPECT(frame_l3_ok(frame, &view));
	frame[L4 + len - 1] ^= 1;
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_WRONG);
}

/* All ones have a carry at every step. */
TEST(sums_of_every_length)
{
	srand(1);
	for (unsigned int len = 9; len <= MAX; len++) {
		check_length(len, -1);
		check_length(len, 0xff);
		check_length(len, 0);
	}
}

/* A datagram has the length that it says, in a packet that is at least as long. */
TEST(what_is_behind_a_datagram_is_not_summed)
{
	uint8_t frame[L4 + 100];
	struct frame_view view;

	make_frame(frame, 100, 7);
	put_be16(frame + L4 + 4, 90);
	put_be16(frame + L4 + 6,
		 ~plain_sum(frame + L4, 90, plain_pseudo(frame, 90)));
	frame_parse(frame, L4 + 100, &view);
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_RIGHT);
	frame[L4 + 95] ^= 1;
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_RIGHT);
	frame[L4 + 85] ^= 1;
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_WRONG);
	frame_set_l4_sum(frame, &view);
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_RIGHT);
	/* Lengths that cannot be, with sums that would be right. */
	for (int len = 0; len < 200; len += 101) {
		put_be16(frame + L4 + 4, len);
		frame_set_l4_sum(frame, &view);
		EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_WRONG);
	}
	put_be16(frame + L4 + 6, 0);
	EXPECT_EQ(frame_l4_sum(frame, &view), FRAME_SUM_WRONG);
}
