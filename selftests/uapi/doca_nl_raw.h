/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Netlink without a library, which would allocate: for tests that make allocations fail,
 * and for those that stop between a request and its answer.
 */
#ifndef DOCA_NL_RAW_H
#define DOCA_NL_RAW_H

#include <errno.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/doca_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

/*
 * Send a request, without an attribute if @attr is 0. The first message of the answer
 * is made at once.
 */
static inline int ask_begin(int sock, int family, int cmd, int flags, int attr, uint32_t value)
{
	struct {
		struct nlmsghdr nl;
		struct genlmsghdr genl;
		struct nlattr attr;
		uint32_t value;
	} request = {
		.nl = { .nlmsg_len = attr ? sizeof(request) :
					    NLMSG_LENGTH(GENL_HDRLEN),
			.nlmsg_type = family,
			.nlmsg_flags = NLM_F_REQUEST | flags },
		.genl = { .cmd = cmd, .version = DOCA_GENL_VERSION },
		.attr = { .nla_len = NLA_HDRLEN + sizeof(value),
			  .nla_type = attr },
		.value = value,
	};
	ssize_t n = send(sock, &request, request.nl.nlmsg_len, 0);

	return n < 0 ? -errno : 0;
}

static inline int list_begin(int sock, int family, int cmd)
{
	return ask_begin(sock, family, cmd, NLM_F_DUMP, 0, 0);
}

/* Read the whole answer */
static inline int list_end(int sock)
{
	char answer[16384];
	struct nlmsghdr *nl = (void *)answer;

	for (;;) {
		if (recv(sock, answer, sizeof(answer), 0) < 0)
			return -errno;
		if (nl->nlmsg_type == NLMSG_ERROR)
			return ((struct nlmsgerr *)NLMSG_DATA(nl))->error;
		if (nl->nlmsg_type == NLMSG_DONE)
			return *(int *)NLMSG_DATA(nl);
	}
}

static inline int ask(int family, int cmd, int flags, int attr, uint32_t value)
{
	int sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	int err;

	if (sock < 0)
		return -errno;
	err = ask_begin(sock, family, cmd, flags, attr, value);
	if (!err)
		err = list_end(sock);
	close(sock);
	return err;
}

#endif /* DOCA_NL_RAW_H */
