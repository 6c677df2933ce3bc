/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A fake kernel behind sockets of generic netlink: it knows one family, records requests, and
 * answers with the datagrams that a test has made. One file of a program includes it.
 */
#ifndef DOCA_TESTS_FAKE_NETLINK_H
#define DOCA_TESTS_FAKE_NETLINK_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "ktap.h"

#define FAMILY 42
#define SOCKET 999

enum { FAKE_ANSWERS = 40, FAKE_BYTES = 4096 };

struct fake_datagram {
	size_t len;
	uint32_t from; /* port; 0 is the kernel */
	int err; /* fail with it instead */
	char bytes[FAKE_BYTES];
};

static struct {
	int socket_err, send_err; /* errnos of calls that shall fail */
	int family_err; /* errno of the answer about the family */
	bool family_without_id;
	struct fake_datagram answers[FAKE_ANSWERS];
	unsigned int filled, taken;
	bool asks_family; /* the last request */
	uint32_t sequence;
	struct nlmsghdr request;
	uint32_t asked_id;
	unsigned int requests; /* to the family */
	unsigned int open; /* sockets */
} kernel;

int socket(int domain, int type, int protocol)
{
	EXPECT(domain == AF_NETLINK && protocol == NETLINK_GENERIC);
	EXPECT(type & SOCK_CLOEXEC);
	errno = kernel.socket_err;
	kernel.open += !kernel.socket_err;
	return kernel.socket_err ? -1 : SOCKET;
}

int close(int fd)
{
	EXPECT_EQ(fd, SOCKET);
	kernel.open--;
	return 0;
}

ssize_t sendto(int fd, const void *message, size_t len, int flags, const struct sockaddr *to,
	       socklen_t to_len)
{
	const struct nlmsghdr *header = message;
	const char *attr = (const char *)message + NLMSG_HDRLEN + GENL_HDRLEN;

	EXPECT_EQ(fd, SOCKET);
	EXPECT(!flags && to->sa_family == AF_NETLINK && to_len == sizeof(struct sockaddr_nl));
	EXPECT(header->nlmsg_len == len && header->nlmsg_flags & NLM_F_REQUEST);
	kernel.asks_family = header->nlmsg_type == GENL_ID_CTRL;
	kernel.sequence = header->nlmsg_seq;
	if (kernel.asks_family) {
		EXPECT_STR(attr + NLA_HDRLEN, "doca");
	} else {
		kernel.request = *header;
		kernel.requests++;
		kernel.asked_id = 0;
		if (len >= NLMSG_HDRLEN + GENL_HDRLEN + NLA_HDRLEN + 4)
			memcpy(&kernel.asked_id, attr + NLA_HDRLEN, 4);
	}
	errno = kernel.send_err;
	return kernel.send_err ? -1 : (ssize_t)len;
}

/* Begin a datagram, or go on with the last one. */
static inline struct fake_datagram *fake_answer(void)
{
	if (kernel.filled == FAKE_ANSWERS)
		abort();
	return &kernel.answers[kernel.filled++];
}

static void *fake_append(struct fake_datagram *d, const void *bytes, size_t len)
{
	void *at = d->bytes + d->len;

	if (d->len + NLA_ALIGN(len) > FAKE_BYTES)
		abort();
	if (bytes)
		memcpy(at, bytes, len);
	d->len += NLA_ALIGN(len);
	return at;
}

/* The length is that of what follows until fake_end(). */
static struct nlmsghdr *fake_message(struct fake_datagram *d, uint16_t type, uint16_t flags)
{
	struct nlmsghdr *header = fake_append(d, NULL, NLMSG_HDRLEN);
	const struct genlmsghdr generic = { 0 };

	*header = (struct nlmsghdr){ .nlmsg_type = type, .nlmsg_flags = flags };
	if (type >= NLMSG_MIN_TYPE)
		fake_append(d, &generic, GENL_HDRLEN);
	return header;
}

static void fake_end(const struct fake_datagram *d, struct nlmsghdr *header)
{
	header->nlmsg_len = d->bytes + d->len - (char *)header;
}

static void fake_attr(struct fake_datagram *d, uint16_t type, const void *value, uint16_t len)
{
	const struct nlattr attr = { .nla_len = NLA_HDRLEN + len, .nla_type = type };

	fake_append(d, &attr, NLA_HDRLEN);
	fake_append(d, value, len);
}

static void fake_code(struct fake_datagram *d, uint16_t type, int code)
{
	struct nlmsghdr *header = fake_message(d, type, NLM_F_MULTI);

	fake_append(d, &code, sizeof(code));
	fake_end(d, header);
}

static void fake_family(struct fake_datagram *d)
{
	const uint16_t id = FAMILY;
	struct nlmsghdr *header;

	if (kernel.family_err) {
		fake_code(d, NLMSG_ERROR, -kernel.family_err);
		return;
	}
	header = fake_message(d, GENL_ID_CTRL, 0);
	if (!kernel.family_without_id)
		fake_attr(d, CTRL_ATTR_FAMILY_ID, &id, sizeof(id));
	fake_end(d, header);
}

/* Answers have the number of the request, unless the test has given them another. */
static void fake_number(struct fake_datagram *d)
{
	struct nlmsghdr *header = (void *)d->bytes;
	int left = d->len;

	for (; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left))
		if (!header->nlmsg_seq)
			header->nlmsg_seq = kernel.sequence;
}

ssize_t recvfrom(int fd, void *bytes, size_t size, int flags, struct sockaddr *from,
		 socklen_t *from_len)
{
	struct sockaddr_nl *address = (struct sockaddr_nl *)from;
	static struct fake_datagram family;
	struct fake_datagram *d = &family;

	EXPECT(fd == SOCKET && flags == MSG_TRUNC && *from_len == sizeof(*address));
	if (kernel.asks_family) {
		family = (struct fake_datagram){ 0 };
		fake_family(d);
	} else {
		if (kernel.taken == kernel.filled)
			abort();
		d = &kernel.answers[kernel.taken++];
	}
	*address = (struct sockaddr_nl){ .nl_family = AF_NETLINK, .nl_pid = d->from };
	errno = d->err;
	if (d->err)
		return -1;
	fake_number(d);
	memcpy(bytes, d->bytes, d->len < size ? d->len : size);
	return d->len;
}

static void fake_reset(void)
{
	EXPECT_EQ(kernel.open, 0);
	memset(&kernel, 0, sizeof(kernel));
}

#endif /* DOCA_TESTS_FAKE_NETLINK_H */
