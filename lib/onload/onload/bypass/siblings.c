// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Other receivers of a socket's datagrams: among all sockets of its network namespace, and
 * among the file descriptors of this process.
 */
#include <dirent.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bypass.h"

struct question {
	struct nlmsghdr head;
	struct inet_diag_req_v2 req;
};

static bool is_mapped(const uint8_t *address, const uint8_t *v4)
{
	static const uint8_t prefix[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(address, prefix, 12) && !memcmp(address + 12, v4, 4);
}

/* Return true if a socket is bound to the same address or interface, or to any. */
static bool overlaps(const struct inet_diag_msg *m, const struct route *r)
{
	static const uint8_t zeros[16];
	const uint8_t *its = (const uint8_t *)m->id.idiag_src;
	const size_t len = m->idiag_family == AF_INET ? 4 : 16;

	if (m->id.idiag_if && m->id.idiag_if != r->ifindex)
		return false;
	if (m->idiag_family == AF_INET && r->family == 6)
		return false;
	if (!memcmp(its, zeros, len))
		return true;
	for (unsigned int i = 0; i < r->nr; i++)
		if ((m->idiag_family == AF_INET) == (r->family == 4) ?
			    !memcmp(its, r->to[i], len) :
			    is_mapped(its, r->to[i]))
			return true;
	return false;
}

/* A dump that fails, such as for a protocol that the kernel cannot show, ends like the others. */
static int end_of(const struct nlmsghdr *head)
{
	int err = 0;

	if (head->nlmsg_len >= NLMSG_LENGTH(sizeof(err)))
		memcpy(&err, NLMSG_DATA(head), sizeof(err));
	return err < 0 ? err : -ENODATA;
}

/*
 * Return 1 if it is one, 0 if there is more to come, -ENODATA at the end, or another
 * negative errno.
 */
static int look_at(const struct nlmsghdr *head, const struct route *r,
		   uint64_t cookie)
{
	const struct inet_diag_msg *m = NLMSG_DATA(head);
	uint64_t its;

	if (head->nlmsg_type == NLMSG_DONE)
		return end_of(head);
	if (head->nlmsg_type == NLMSG_ERROR)
		return ((const struct nlmsgerr *)NLMSG_DATA(head))->error ?:
									    -EIO;
	its = (uint64_t)m->id.idiag_cookie[1] << 32 | m->id.idiag_cookie[0];
	return its != cookie && m->id.idiag_sport == r->port && overlaps(m, r);
}

static int ask(int fd, int family, const struct route *r, uint64_t cookie)
{
	static const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct question q = {
		.head = { .nlmsg_len = sizeof(q),
			  .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			  .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.req = { .sdiag_family = family,
			 .sdiag_protocol = IPPROTO_UDP,
			 .idiag_states = -1,
			 .id = { .idiag_sport = r->port } },
	};
	_Alignas(struct nlmsghdr) char buf[16384];
	struct nlmsghdr *head;
	ssize_t len;
	int ret;

	if (sendto(fd, &q, sizeof(q), 0, (const struct sockaddr *)&kernel,
		   sizeof(kernel)) < 0)
		return -errno;
	for (;;) {
		len = real()->recv(fd, buf, sizeof(buf), 0);
		if (len <= 0)
			return len ? -errno : -EIO;
		for (head = (void *)buf; NLMSG_OK(head, len);
		     head = NLMSG_NEXT(head, len)) {
			ret = look_at(head, r, cookie);
			if (ret)
				return ret;
		}
	}
}

int siblings_by_address(const struct route *route, uint64_t cookie)
{
	static const int families[] = { AF_INET, AF_INET6 };
	int fd, ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
			    NETLINK_SOCK_DIAG);
		if (fd < 0)
			return -errno;
		ret = ask(fd, families[i], route, cookie);
		real()->close(fd);
		/* Without IPv6 there are no sockets of it. */
		if (families[i] == AF_INET6 && ret == -ENOENT)
			ret = 0;
		if (ret != -ENODATA && ret)
			return ret;
	}
	return 0;
}

static bool is_same(int fd, const struct stat *its)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_ino == its->st_ino &&
	       st.st_dev == its->st_dev;
}

/* It may have been made before a call of ours could see it. */
int siblings_by_descriptor(int fd)
{
	const struct dirent *entry;
	struct stat its;
	bool found = false;
	DIR *dir;
	int n;

	if (fstat(fd, &its))
		return -errno;
	dir = opendir("/proc/thread-self/fd");
	if (!dir)
		return -errno;
	while (!found && (entry = readdir(dir))) {
		n = atoi(entry->d_name);
		found = entry->d_name[0] != '.' && n != fd && is_same(n, &its);
	}
	closedir(dir);
	return found;
}
