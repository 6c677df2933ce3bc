// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Who else has the address of a socket, as kernels answer that. */
#include <unistd.h>

#include "ktap.h"

#include "onload/onload/others.c"

static struct {
	struct nlmsghdr head;
	int err;
} answer;

static ssize_t answer_recv(int fd, void *buf, size_t len, int flags)
{
	(void)fd;
	(void)len;
	(void)flags;
	memcpy(buf, &answer, answer.head.nlmsg_len);
	return answer.head.nlmsg_len;
}

const struct real *real(void)
{
	static const struct real calls = { .recv = answer_recv,
					   .close = close };

	return &calls;
}

static int listen_by(uint16_t type, int err)
{
	static const struct where where = { .family = 4, .port = 1 };

	answer.head.nlmsg_type = type;
	answer.head.nlmsg_len = sizeof(answer);
	answer.err = err;
	return others_listen(&where, 1);
}

TEST(a_list_that_ends_has_no_more)
{
	EXPECT_EQ(listen_by(NLMSG_DONE, 0), 0);
	answer.head.nlmsg_len = sizeof(answer.head);
	EXPECT_EQ(others_listen(&(struct where){ .family = 4 }, 1), 0);
}

/* Without udp_diag the list of UDP is empty, and its end says why. */
TEST(a_list_that_cannot_be_made_is_not_taken_for_an_empty_one)
{
	EXPECT_EQ(listen_by(NLMSG_DONE, -ENOENT), -ENOENT);
	EXPECT_EQ(listen_by(NLMSG_ERROR, -ENOENT), -ENOENT);
	EXPECT_EQ(listen_by(NLMSG_DONE, -EPERM), -EPERM);
}
