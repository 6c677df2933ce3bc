// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The datagram that the kernel would deliver from a frame, by its rules of IP and UDP. */
#include <errno.h>
#include <string.h>

#include "datagram.h"
#include "xsk/frame.h"

static void find_ip(const uint8_t *ip, struct datagram *to)
{
	if (to->family == 4) {
		to->traffic = ip[1];
		to->hops = ip[8];
		memcpy(to->from, ip + 12, 4);
		memcpy(to->to, ip + 16, 4);
	} else {
		to->traffic = get_be16(ip) >> 4;
		to->hops = ip[7];
		memcpy(to->from, ip + 8, 16);
		memcpy(to->to, ip + 24, 16);
	}
}

/* Bytes behind the datagram in its packet belong neither to it nor to the checksum. */
int datagram_find(const struct xsk_frame *frame, struct datagram *to)
{
	uint8_t *bytes = frame->data;
	struct frame_view view;
	enum frame_sum sum;
	uint32_t length;

	frame_parse(bytes, frame->length, &view);
	if (!view.l4 || view.protocol != FRAME_UDP ||
	    !frame_l3_ok(bytes, &view))
		return -EBADMSG;
	length = get_be16(bytes + view.l4 + 4);
	if (length < 8 || length > view.end - view.l4)
		return -EBADMSG;
	view.end = view.l4 + length;
	sum = frame_l4_sum(bytes, &view);
	if (sum == FRAME_SUM_WRONG)
		return -EBADMSG;
	*to = (struct datagram){ .mac = bytes,
				 .data = bytes + view.l4 + 8,
				 .length = length - 8,
				 .partial = sum == FRAME_SUM_PARTIAL,
				 .family = view.version };
	memcpy(&to->from_port, bytes + view.l4, 2);
	find_ip(bytes + view.l3, to);
	return 0;
}
