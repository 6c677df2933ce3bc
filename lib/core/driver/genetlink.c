// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "genetlink.h"

/* No answer is longer than the kernel's NLMSG_GOODSIZE. */
#define ANSWER_SIZE 8192

/* A message of a request, with room for a name. */
struct message {
	struct nlmsghdr header;
	struct genlmsghdr generic;
	char attrs[64];
};

_Static_assert(NLA_HDRLEN + GENL_NAMSIZ <= sizeof(((struct message *)0)->attrs),
	       "a name fits");

/* The only attribute; a name is the longest. */
static void put(struct message *message, uint16_t type, const void *value,
		size_t len)
{
	char *at = (char *)message + NLMSG_ALIGN(message->header.nlmsg_len);
	struct nlattr attr = {
		.nla_len = NLA_HDRLEN + len,
		.nla_type = type,
	};

	memcpy(at, &attr, sizeof(attr));
	memcpy(at + NLA_HDRLEN, value, len);
	message->header.nlmsg_len = at + attr.nla_len - (char *)message;
}

static int send_message(struct genetlink *netlink, struct message *message)
{
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	ssize_t n;

	message->header.nlmsg_seq = ++netlink->sequence;
	message->header.nlmsg_flags |= NLM_F_REQUEST;
	do
		n = sendto(netlink->fd, message, message->header.nlmsg_len, 0,
			   (const struct sockaddr *)&kernel, sizeof(kernel));
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

/* Receive messages of the kernel alone. Return how many bytes, or a negative errno. */
static ssize_t receive(int fd, char *answer)
{
	struct sockaddr_nl from = { 0 };
	socklen_t len = sizeof(from);
	ssize_t n;

	do
		n = recvfrom(fd, answer, ANSWER_SIZE, MSG_TRUNC,
			     (struct sockaddr *)&from, &len);
	while ((n < 0 && errno == EINTR) || (n >= 0 && from.nl_pid));
	if (n < 0)
		return -errno;
	return n > ANSWER_SIZE ? -EMSGSIZE : n;
}

/* Find attributes; those that do not fit are left out. */
static void find_attrs(const char *at, size_t len, uint16_t max,
		       struct nlattr **attrs)
{
	struct nlattr *attr;
	size_t step;

	memset(attrs, 0, (max + 1) * sizeof(*attrs));
	while (len >= NLA_HDRLEN) {
		attr = (struct nlattr *)(uintptr_t)at;
		if (attr->nla_len < NLA_HDRLEN || attr->nla_len > len)
			return;
		if ((attr->nla_type & NLA_TYPE_MASK) <= max)
			attrs[attr->nla_type & NLA_TYPE_MASK] = attr;
		step = NLA_ALIGN(attr->nla_len);
		if (step > len)
			return;
		at += step;
		len -= step;
	}
}

static int take_object(const struct nlmsghdr *message,
		       const struct genetlink_request *request)
{
	struct nlattr *attrs[GENETLINK_MAX_ATTR + 1];
	size_t skip = NLMSG_HDRLEN + GENL_HDRLEN;

	if (message->nlmsg_len < skip)
		return 0;
	find_attrs((const char *)message + skip, message->nlmsg_len - skip,
		   request->max_attr, attrs);
	return request->take(attrs, request->to);
}

/* An acknowledgement and the end of a dump have an errno, 0 or negative. */
static int code_of(const struct nlmsghdr *message)
{
	int code = 0;

	if (message->nlmsg_len >= NLMSG_LENGTH(sizeof(code)))
		memcpy(&code, NLMSG_DATA(message), sizeof(code));
	return code < 0 ? code : 0;
}

/* Return true if this message is the last one of its request. */
static bool take_message(const struct nlmsghdr *message, uint16_t type,
			 const struct genetlink_request *request, int *err)
{
	if (message->nlmsg_flags & NLM_F_DUMP_INTR && !*err)
		*err = -EINTR;
	if (message->nlmsg_type == NLMSG_ERROR ||
	    message->nlmsg_type == NLMSG_DONE) {
		if (!*err)
			*err = code_of(message);
		return true;
	}
	if (message->nlmsg_type == type && !*err)
		*err = take_object(message, request);
	return !(message->nlmsg_flags & NLM_F_MULTI);
}

static int take_answers(struct genetlink *netlink, uint16_t type,
			const struct genetlink_request *request)
{
	union {
		struct nlmsghdr first;
		char bytes[ANSWER_SIZE];
	} answer;
	const struct nlmsghdr *message;
	int err = 0;

	for (;;) {
		ssize_t n = receive(netlink->fd, answer.bytes);

		if (n < 0)
			return n;
		for (message = &answer.first; NLMSG_OK(message, n);
		     message = NLMSG_NEXT(message, n))
			if (message->nlmsg_seq == netlink->sequence &&
			    take_message(message, type, request, &err))
				return err;
	}
}

static int take_family(struct nlattr *const *attrs, void *to)
{
	const struct nlattr *id = attrs[CTRL_ATTR_FAMILY_ID];

	if (!id || id->nla_len < NLA_HDRLEN + sizeof(uint16_t))
		return -EIO;
	memcpy(to, (const char *)id + NLA_HDRLEN, sizeof(uint16_t));
	return 0;
}

static int find_family(struct genetlink *netlink, const char *family)
{
	const struct genetlink_request request = {
		.max_attr = CTRL_ATTR_FAMILY_ID,
		.take = take_family,
		.to = &netlink->family,
	};
	struct message message = {
		.header = {
			.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN),
			.nlmsg_type = GENL_ID_CTRL,
		},
		.generic = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 },
	};
	int err;

	if (strlen(family) >= GENL_NAMSIZ)
		return -EINVAL;
	put(&message, CTRL_ATTR_FAMILY_NAME, family, strlen(family) + 1);
	err = send_message(netlink, &message);
	if (!err)
		err = take_answers(netlink, GENL_ID_CTRL, &request);
	return err || netlink->family ? err : -ENOENT;
}

int genetlink_open(struct genetlink *netlink, const char *family)
{
	int err;

	*netlink = (struct genetlink){ 0 };
	netlink->fd =
		socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (netlink->fd < 0)
		return -errno;
	err = find_family(netlink, family);
	if (err)
		close(netlink->fd);
	return err;
}

void genetlink_close(struct genetlink *netlink)
{
	close(netlink->fd);
}

int genetlink_ask(struct genetlink *netlink,
		  const struct genetlink_request *request)
{
	struct message message = {
		.header = {
			.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN),
			.nlmsg_type = netlink->family,
			.nlmsg_flags = request->dump ? NLM_F_DUMP : 0,
		},
		.generic = {
			.cmd = request->command,
			.version = request->version,
		},
	};
	int err;

	if (!request->dump)
		put(&message, request->id_attr, &request->id,
		    sizeof(request->id));
	err = send_message(netlink, &message);
	return err ? err : take_answers(netlink, netlink->family, request);
}

static bool copy_number(const struct nlattr *attr, void *value, size_t size)
{
	if (!attr || attr->nla_len < NLA_HDRLEN + size)
		return false;
	memcpy(value, (const char *)attr + NLA_HDRLEN, size);
	return true;
}

bool genetlink_u32(const struct nlattr *attr, uint32_t *value)
{
	return copy_number(attr, value, sizeof(*value));
}

bool genetlink_u64(const struct nlattr *attr, uint64_t *value)
{
	return copy_number(attr, value, sizeof(*value));
}

void genetlink_string(const struct nlattr *attr, char *to, size_t size)
{
	if (attr)
		snprintf(to, size, "%.*s", attr->nla_len - NLA_HDRLEN,
			 (const char *)attr + NLA_HDRLEN);
}
