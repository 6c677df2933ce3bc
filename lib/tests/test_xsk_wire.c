// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The XDP program on the running kernel, with frames on interfaces of several kinds. */
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ktap.h"
#include "wire.h"
#include "xsk/frame.h"
#include "xsk/xsk.h"

#define POOL (300 * 4096)

static char *memory;

/* Each namespace numbers its interfaces, so two may have the same number. */
TEST(interfaces_of_two_namespaces)
{
	const struct xsk_rule_attr drop = { .action = STEER_DROP };
	struct xsk_rule *rules[2] = { NULL, NULL };
	struct xsk_why why;
	int first;

	WIRE();
	first = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	EXPECT_EQ(xsk_rule_add(&rules[0], "wire0", &drop, &why), 0);
	EXPECT(enter_namespace());
	EXPECT(!has_program());
	EXPECT_EQ(xsk_rule_add(&rules[1], "wire0", &drop, &why), 0);
	EXPECT(has_program());
	xsk_rule_del(rules[1]);
	EXPECT_EQ(setns(first, CLONE_NEWNET), 0);
	EXPECT(has_program());
	xsk_rule_del(rules[0]);
	close(first);
}

static uint16_t fold_words(const uint8_t *p, uint32_t n, uint32_t sum)
{
	while (n) {
		n -= 2;
		sum += get_be16(p + n);
	}
	return (sum & 0xffff) + (sum >> 16);
}

/* Bits of a kind: version of IP, its protocol, and whether the checksum is complete. */
static uint32_t fill_kind(uint8_t *f, unsigned int kind)
{
	const bool is_4 = kind & 1, is_tcp = kind & 2, is_whole = kind & 4;
	const uint8_t protocol = is_tcp ? FRAME_TCP : FRAME_UDP;
	const uint32_t l4 = is_4 ? 34 : 54, end = l4 + 20 + 100;
	struct frame_view view;

	memset(f, kind, end);
	memcpy(f, "\xff\xff\xff\xff\xff\xff\2\0\0\0\0\2", 12);
	memcpy(f + 12, is_4 ? "\10\0\x45\0" : "\x86\xdd\x60\0", 4);
	put_be16(f + (is_4 ? 16 : 18), end - (is_4 ? 14 : 54));
	memset(f + 20, 0, 2);
	f[20] = is_4 ? 0 : protocol;
	f[23] = is_4 ? protocol : f[23];
	f[l4 + 12] = 5 << 4;
	put_be16(f + l4 + 4, end - l4);
	frame_parse(f, end, &view);
	frame_set_l3_sum(f, &view);
	frame_set_l4_sum(f, &view);
	if (!is_whole)
		put_be16(f + l4 + (is_tcp ? 16 : 6),
			 fold_words(f + (is_4 ? 26 : 22), is_4 ? 8 : 32, protocol + end - l4));
	return end;
}

/*
 * Send frames by a packet socket, unchanged. Return a bit for each that arrives. The last one
 * is complete.
 */
static unsigned int kinds_at(struct xsk *xsk)
{
	const struct sockaddr_ll to = { .sll_family = AF_PACKET,
					.sll_ifindex = if_nametoindex("wire1") };
	struct pollfd p = { .fd = xsk_fd(xsk), .events = POLLIN };
	int fd = socket(AF_PACKET, SOCK_RAW, 0);
	struct xsk_frame frame;
	unsigned int seen = 0;
	uint8_t bytes[200];
	uint32_t len;

	for (unsigned int kind = 0; kind < 8; kind++) {
		len = fill_kind(bytes, kind);
		EXPECT_EQ(sendto(fd, bytes, len, 0, (const void *)&to, sizeof(to)), len);
	}
	while (!(seen & 1 << 7) && poll(&p, 1, 60000) == 1)
		while (xsk_next(xsk, &frame))
			if (frame.length > 100 && !memcmp(frame.data, bytes, 12))
				seen |= 1 << ((uint8_t *)frame.data)[frame.length - 1];
	close(fd);
	return seen;
}

static enum xsk_mode mode_on(const char *ifname, unsigned int *kinds)
{
	const struct xsk_rule_attr all = { .action = STEER_QUEUE };
	const struct xsk_attr attr = { .ifname = ifname,
				       .memory = memory,
				       .length = POOL,
				       .chunk = 2048,
				       .room = 1600,
				       .burst = 64 };
	struct xsk_rule *rule = NULL;
	enum xsk_mode mode;
	struct xsk_why why;
	struct xsk *xsk;

	if (xsk_open(&xsk, &attr, &why))
		return XSK_NONE;
	EXPECT_EQ(xsk_bind_number(xsk, 0, &why), 0);
	EXPECT_EQ(xsk_rule_add(&rule, ifname, &all, &why), 0);
	if (kinds)
		*kinds = kinds_at(xsk);
	mode = xsk_mode(xsk);
	xsk_rule_del(rule);
	xsk_close(xsk, false);
	return mode;
}

/*
 * A bridge does not have its own XDP, and a tap's XDP sees merged frames: there the kernel
 * gets frames that may have been merged.
 */
TEST(what_may_have_been_merged_is_the_kernel_s)
{
	unsigned int kinds = 0;

	WIRE();
	memory = mmap(NULL, POOL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT_EQ(mode_on("wire0", &kinds), XSK_COPY);
	EXPECT_EQ(kinds, 0xff);
	/* Even if a frame may be longer than a page. */
	EXPECT(!system("ip link set wire0 mtu 9000 && ip link set wire1 mtu 9000"));
	EXPECT_EQ(mode_on("wire0", &kinds), XSK_COPY);
	EXPECT_EQ(kinds, 0xff);
	if (system("ip link add late0 type bridge 2>/dev/null && ip link set late0 up && ip link set wire0 master late0 && ip tuntap add late1 mode tap && ip link set late1 up"))
		SKIP("no bridge and tap can be had");
	EXPECT_EQ(mode_on("late0", &kinds), XSK_LATE);
	EXPECT_EQ(kinds, 0xf0);
	EXPECT_EQ(mode_on("late1", NULL), XSK_LATE);
	/* Frames of a master may be from any queue below it. */
	EXPECT(!system(
		"ip link del late0 && ip link add late0 numrxqueues 9 type bridge && ip link set late0 up && ip link set wire0 master late0"));
	EXPECT_EQ(mode_on("late0", NULL), XSK_NONE);
	EXPECT(!system(
		"ip link del late0 && ip link del late1 && ip link set wire0 mtu 1500 && ip link set wire1 mtu 1500"));
	munmap(memory, POOL);
}
