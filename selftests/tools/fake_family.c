// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Preloaded into docactl, it answers as the driver's netlink family would, message by message, so
 * that no driver is needed. The environment says what there is:
 *
 *   FAKE_USERS, FAKE_QUEUES  how many; the queues are of two devices in turn
 *   FAKE_ABSENT              the family is not there
 *   FAKE_DENIED              errno of what needs privilege: 1 if the caller has none
 *   FAKE_NO_ENGINES          the kernel has no DMA engines
 *   FAKE_BROKEN              the listing of queues fails in the middle
 *   FAKE_INTERRUPTED         how many listings of users something interrupts; before the next one
 *                            the last user goes
 *   FAKE_COUNTS              file that is told at the end how many requests and reads there were
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/doca.h>
#include <linux/doca_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#define FAMILY 77
#define ROOM 16384 /* as much as the kernel puts into one datagram */
#define LIMIT 1000

static const char *const resources[] = {
	"object-bytes", "files", "memories", "mappings", "workers", "queues", "ring-bytes",
	"waits", "exports", "imports", "dm-bytes", "dmamap-bytes", "connections", "objects",
	"locked-bytes",
};
#define ROWS (sizeof(resources) / sizeof(resources[0]))

/* A name with everything that must be escaped or replaced, and one that two have */
static const char *const devices[] = { "software", "a\"b\\c\nd\xff", "software" };

static struct {
	int fd;
	struct nlmsghdr request; /* the one being answered; its length is 0 if there is none */
	int cmd;
	unsigned int next; /* number of the next object of a listing */
	unsigned int users_listed;
	unsigned int requests, reads;
	char *out, *at;
} fake = { .fd = -1 };

static unsigned int setting(const char *name)
{
	const char *value = getenv(name);

	return value ? strtoul(value, NULL, 10) : 0;
}

static bool is_interrupted(void)
{
	return fake.cmd == DOCA_GENL_CMD_USER_GET &&
	       fake.users_listed <= setting("FAKE_INTERRUPTED");
}

static unsigned int nr_users(void)
{
	unsigned int n = setting("FAKE_USERS");

	return n - (n && setting("FAKE_INTERRUPTED") && !is_interrupted());
}

static void put(int attr, const void *data, size_t size)
{
	struct nlattr nla = { .nla_len = NLA_HDRLEN + size, .nla_type = attr };

	memcpy(fake.at, &nla, sizeof(nla));
	memcpy(fake.at + NLA_HDRLEN, data, size);
	memset(fake.at + nla.nla_len, 0, NLA_ALIGN(nla.nla_len) - nla.nla_len);
	fake.at += NLA_ALIGN(nla.nla_len);
}

static void put_u16(int attr, uint16_t value)
{
	put(attr, &value, sizeof(value));
}

static void put_u32(int attr, uint32_t value)
{
	put(attr, &value, sizeof(value));
}

static void put_u64(int attr, uint64_t value)
{
	put(attr, &value, sizeof(value));
}

static void put_text(int attr, const char *text)
{
	put(attr, text, strlen(text) + 1);
}

static void begin(int type, int flags)
{
	struct nlmsghdr hdr = fake.request;

	hdr.nlmsg_type = type;
	hdr.nlmsg_flags = flags | (is_interrupted() ? NLM_F_DUMP_INTR : 0);
	memcpy(fake.at, &hdr, sizeof(hdr));
	fake.at += NLMSG_HDRLEN;
}

static void begin_object(int type, int cmd, int flags)
{
	struct genlmsghdr hdr = { .cmd = cmd, .version = 1 };

	begin(type, flags);
	memcpy(fake.at, &hdr, sizeof(hdr));
	fake.at += GENL_HDRLEN;
}

static void end(char *start)
{
	((struct nlmsghdr *)start)->nlmsg_len = fake.at - start;
}

static void put_device(unsigned int i)
{
	put_u32(DOCA_GENL_A_DEV_ID, i + 1);
	put_text(DOCA_GENL_A_DEV_NAME, devices[i]);
	put_u32(DOCA_GENL_A_DEV_TYPE, DOCA_DEV_SOFTWARE);
}

static void put_queue(unsigned int i)
{
	put_device(i % 2);
	put_u32(DOCA_GENL_A_FILE_ID, i + 1);
	put_u32(DOCA_GENL_A_QUEUE_ID, 1);
	put_u32(DOCA_GENL_A_QUEUE_STATE, i ? DOCA_QUEUE_RUN : DOCA_QUEUE_BROKEN);
	put_u32(DOCA_GENL_A_SQ_ENTRIES, 16);
	put_u32(DOCA_GENL_A_SQ_TAIL, 2);
	put_u32(DOCA_GENL_A_SQ_HEAD, UINT32_MAX);
	put_u64(DOCA_GENL_A_OPS, 1ULL << 40);
	put_u64(DOCA_GENL_A_ERRORS, 1);
	put_u64(DOCA_GENL_A_BYTES, 4096);
}

static void put_file(unsigned int i)
{
	put_u32(DOCA_GENL_A_FILE_ID, i + 1);
	put_u32(DOCA_GENL_A_UID, i);
	put_u32(DOCA_GENL_A_QUEUES, 3);
	put_u64(DOCA_GENL_A_PINNED_BYTES, 8192);
}

static void put_user(unsigned int i)
{
	const char *resource = resources[i % ROWS];

	put_u32(DOCA_GENL_A_UID, i / ROWS);
	put_text(DOCA_GENL_A_RESOURCE, resource);
	put_u64(DOCA_GENL_A_USED, i % ROWS + 1);
	if (strcmp(resource, "dmamap-bytes") != 0 && strcmp(resource, "locked-bytes") != 0)
		put_u64(DOCA_GENL_A_LIMIT, LIMIT);
}

static void put_engine(unsigned int i)
{
	put_text(DOCA_GENL_A_ENGINE_NAME, i ? "0000:00:02.0" : "0000:00:01.0");
	put_text(DOCA_GENL_A_ENGINE_DRIVER, "fake");
	put_u32(DOCA_GENL_A_ENGINE_STATE, i ? DOCA_ENGINE_FREE : DOCA_ENGINE_LIVE);
	put_u32(DOCA_GENL_A_ENGINE_IOMMU, DOCA_ENGINE_IOMMU_TRANSLATED);
	put_u64(DOCA_GENL_A_BYTES, 1000);
}

static void put_pair(unsigned int i)
{
	(void)i;
	put_text(DOCA_GENL_A_FUNCTION_NAME, "pair0");
}

/* Put an object, or return false behind the last one */
static bool put_object(int cmd, unsigned int i)
{
	static void (*const puts[])(unsigned int i) = {
		[DOCA_GENL_CMD_DEV_GET] = put_device,	   [DOCA_GENL_CMD_FILE_GET] = put_file,
		[DOCA_GENL_CMD_QUEUE_GET] = put_queue,	   [DOCA_GENL_CMD_USER_GET] = put_user,
		[DOCA_GENL_CMD_ENGINE_GET] = put_engine,   [DOCA_GENL_CMD_FUNCTION_GET] = put_pair,
		[DOCA_GENL_CMD_CONNECTION_GET] = NULL,
	};
	const unsigned int numbers[] = {
		[DOCA_GENL_CMD_DEV_GET] = 3,
		[DOCA_GENL_CMD_FILE_GET] = nr_users(),
		[DOCA_GENL_CMD_QUEUE_GET] = setting("FAKE_QUEUES"),
		[DOCA_GENL_CMD_USER_GET] = nr_users() * ROWS,
		[DOCA_GENL_CMD_ENGINE_GET] = 2,
		[DOCA_GENL_CMD_FUNCTION_GET] = 1,
		[DOCA_GENL_CMD_CONNECTION_GET] = 0,
	};
	char *start = fake.at;

	if (i >= numbers[cmd])
		return false;
	begin_object(FAMILY, cmd, NLM_F_MULTI);
	puts[cmd](i);
	end(start);
	return true;
}

static void put_done(int error)
{
	char *start = fake.at;

	begin(NLMSG_DONE, NLM_F_MULTI);
	memcpy(fake.at, &error, sizeof(error));
	fake.at += sizeof(error);
	end(start);
	fake.request.nlmsg_len = 0;
}

static void put_error(int error)
{
	struct nlmsgerr err = { .error = error, .msg = fake.request };
	char *start = fake.at;

	begin(NLMSG_ERROR, NLM_F_CAPPED);
	memcpy(fake.at, &err, sizeof(err));
	fake.at += sizeof(err);
	end(start);
	fake.request.nlmsg_len = 0;
}

/* The acknowledgment is a datagram of its own. */
static void answer_control(void)
{
	char *start = fake.at;

	if (getenv("FAKE_ABSENT") || fake.next++) {
		put_error(getenv("FAKE_ABSENT") ? -ENOENT : 0);
		return;
	}
	begin_object(GENL_ID_CTRL, CTRL_CMD_NEWFAMILY, 0);
	put_u16(CTRL_ATTR_FAMILY_ID, FAMILY);
	put_text(CTRL_ATTR_FAMILY_NAME, DOCA_GENL_NAME);
	end(start);
}

/* A message of an object is shorter than this. */
#define OBJECT_MAX 512

static void answer_listing(void)
{
	while (fake.at - fake.out < ROOM - OBJECT_MAX) {
		if (getenv("FAKE_BROKEN") && fake.cmd == DOCA_GENL_CMD_QUEUE_GET &&
		    fake.next == setting("FAKE_QUEUES") / 2) {
			put_done(-ENOMEM);
			return;
		}
		if (!put_object(fake.cmd, fake.next++)) {
			put_done(0);
			return;
		}
	}
}

static void answer(void)
{
	fake.at = fake.out;
	if (fake.request.nlmsg_type == GENL_ID_CTRL)
		answer_control();
	else if (fake.cmd == DOCA_GENL_CMD_EXPORT_REVOKE)
		put_error(-(int)(setting("FAKE_DENIED") ?: EINVAL));
	else if (fake.cmd == DOCA_GENL_CMD_ENGINE_GET && getenv("FAKE_NO_ENGINES"))
		put_error(-EOPNOTSUPP);
	else
		answer_listing();
}

int socket(int domain, int type, int protocol)
{
	int (*real)(int domain, int type, int protocol) = dlsym(RTLD_NEXT, "socket");

	if (domain != AF_NETLINK)
		return real(domain, type, protocol);
	fake.out = fake.at = malloc(ROOM);
	fake.fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	return fake.fd;
}

int bind(int fd, const struct sockaddr *addr, socklen_t len)
{
	(void)fd, (void)addr, (void)len;
	return 0;
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
	(void)fd, (void)level, (void)name, (void)value, (void)len;
	return 0;
}

int getsockname(int fd, struct sockaddr *addr, socklen_t *len)
{
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK, .nl_pid = getpid() };

	(void)fd;
	memcpy(addr, &nl, sizeof(nl));
	*len = sizeof(nl);
	return 0;
}

ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	const char *request = msg->msg_iov->iov_base;

	(void)fd, (void)flags;
	memcpy(&fake.request, request, sizeof(fake.request));
	fake.cmd = ((const struct genlmsghdr *)(request + NLMSG_HDRLEN))->cmd;
	fake.next = 0;
	fake.requests++;
	fake.users_listed += fake.cmd == DOCA_GENL_CMD_USER_GET;
	return msg->msg_iov->iov_len;
}

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK };
	size_t length;

	(void)fd;
	fake.reads++;
	if (fake.at == fake.out && fake.request.nlmsg_len)
		answer();
	length = fake.at - fake.out;
	memcpy(msg->msg_name, &nl, sizeof(nl));
	msg->msg_namelen = sizeof(nl);
	msg->msg_controllen = 0;
	msg->msg_flags = length > msg->msg_iov->iov_len ? MSG_TRUNC : 0;
	memcpy(msg->msg_iov->iov_base, fake.out,
	       length < msg->msg_iov->iov_len ? length : msg->msg_iov->iov_len);
	if (!(flags & MSG_PEEK))
		fake.at = fake.out;
	return length;
}

__attribute__((destructor)) static void tell(void)
{
	const char *name = getenv("FAKE_COUNTS");
	FILE *f = name && fake.out ? fopen(name, "w") : NULL;

	if (!f)
		return;
	fprintf(f, "%u %u\n", fake.requests, fake.reads);
	fclose(f);
}
