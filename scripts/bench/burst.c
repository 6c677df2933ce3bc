// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <string.h>

#include "bench/msg.h"
#include "burst.h"

void burst_begin(struct burst *burst, const struct load *load)
{
	*burst = (struct burst){ .load = *load };
}

void burst_next(struct burst *burst)
{
	burst->first += burst->load.depth;
	burst->seen = 0;
}

int burst_note(struct burst *burst, const void *data, size_t length)
{
	uint32_t number, n;

	if (length != burst->load.size)
		return fail("a datagram has %zu bytes, not %zu", length,
			    burst->load.size);
	memcpy(&number, data, sizeof(number));
	n = number - burst->first;
	if (n >= burst->load.depth || burst->seen >> n & 1)
		return fail("datagram %u came again, or late", number);
	burst->seen |= UINT64_C(1) << n;
	return 0;
}

bool burst_whole(const struct burst *burst)
{
	return burst->seen == UINT64_MAX >> (BURST_MAX - burst->load.depth);
}

void burst_messages_init(struct burst_messages *messages, size_t size)
{
	unsigned int i;

	memset(messages, 0, sizeof(*messages));
	for (i = 0; i < BURST_MAX; i++) {
		struct msghdr *header = &messages->headers[i].msg_hdr;

		messages->iov[i].iov_base = messages->data[i];
		messages->iov[i].iov_len = size;
		header->msg_iov = &messages->iov[i];
		header->msg_iovlen = 1;
	}
}

int burst_send(const struct burst *burst, struct burst_messages *messages,
	       int fd)
{
	unsigned int i, depth = burst->load.depth;
	int n;

	for (i = 0; i < depth; i++) {
		uint32_t number = burst->first + i;

		memcpy(messages->data[i], &number, sizeof(number));
	}
	for (i = 0; i < depth; i += n) {
		n = sendmmsg(fd, messages->headers + i, depth - i, 0);
		if (n < 0)
			return fail_errno(errno, "cannot send datagrams");
	}
	return 0;
}

int burst_receive(struct burst *burst, struct burst_messages *messages, int fd)
{
	int i, n;

	n = recvmmsg(fd, messages->headers, BURST_MAX, MSG_DONTWAIT, NULL);
	if (n < 0)
		return errno == EAGAIN ?
			       0 :
			       fail_errno(errno, "cannot receive datagrams");
	for (i = 0; i < n; i++)
		if (burst_note(burst, messages->data[i],
			       messages->headers[i].msg_len))
			return -1;
	return n;
}
