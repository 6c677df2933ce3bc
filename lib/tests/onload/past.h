/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A socket with an address of a real interface, and frames to it on a fake one. */
#ifndef DOCA_TESTS_ONLOAD_PAST_H
#define DOCA_TESTS_ONLOAD_PAST_H

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include "../onload_link/link.h"
#include "bed.h"

static struct sockaddr_in here;
static uint8_t here_mac[6];

__attribute__((constructor)) static void past_init(void)
{
	setenv("DOCA_ZC", "xdp", 1);
	setenv("DOCA_SDK_LOG_LEVEL", "50", 1);
	link_set(XSK_COPY, 0, 0);
}

/*
 * Return false if no interface has an address, or the user has no permission: nothing to
 * test then.
 */
static inline bool past_can(void)
{
	struct ifaddrs *all = NULL, *i;
	struct ifreq req = {};
	int fd, ns;

	if (here.sin_port)
		return true;
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	ns = ioctl(fd, 0x894C /* SIOCGSKNS */);
	if (ns >= 0)
		close(ns);
	if (ns < 0 || getifaddrs(&all)) {
		close(fd);
		return false;
	}
	for (i = all; i; i = i->ifa_next) {
		if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET ||
		    i->ifa_flags & IFF_LOOPBACK)
			continue;
		memcpy(&here, i->ifa_addr, sizeof(here));
		here.sin_port = 1;
		strncpy(req.ifr_name, i->ifa_name, IF_NAMESIZE - 1);
		EXPECT_EQ(ioctl(fd, SIOCGIFHWADDR, &req), 0);
		memcpy(here_mac, req.ifr_hwaddr.sa_data, 6);
		break;
	}
	freeifaddrs(all);
	close(fd);
	return here.sin_port;
}

#define PAST()                                                        \
	do {                                                          \
		if (!past_can())                                      \
			SKIP("needs an interface and CAP_NET_ADMIN"); \
	} while (0)

/* ThreadSanitizer defers signals, and reports most calls of a handler as errors. */
#ifdef __SANITIZE_THREAD__
#define SIGNALS() SKIP("ThreadSanitizer has signals of its own")
#else
#define SIGNALS() (void)0
#endif

static inline struct pair past_pair(void)
{
	struct pair p = { .to.in = here, .to_len = sizeof(p.to.in) };

	p.to.in.sin_port = 0;
	p.rx = socket(AF_INET, SOCK_DGRAM, 0);
	p.tx = socket(AF_INET, SOCK_DGRAM, 0);
	EXPECT_EQ(bind(p.rx, &p.to.any, p.to_len), 0);
	EXPECT_EQ(getsockname(p.rx, &p.to.any, &p.to_len), 0);
	return p;
}

/* Make a frame from 10.0.0.1, port 1000. */
static inline uint32_t past_frame(const struct pair *p, uint8_t *frame, const void *data,
				  uint32_t len)
{
	memset(frame, 0, 42);
	memcpy(frame, here_mac, 6);
	memcpy(frame + 6, "\2\0\0\0\0\2\10\0\x45", 9);
	put_be16(frame + 16, 28 + len);
	frame[15] = 0x10;
	frame[22] = 64;
	frame[23] = FRAME_UDP;
	memcpy(frame + 26, "\12\0\0\1", 4);
	memcpy(frame + 30, &p->to.in.sin_addr, 4);
	put_be16(frame + 34, 1000);
	memcpy(frame + 36, &p->to.in.sin_port, 2);
	put_be16(frame + 38, 8 + len);
	memcpy(frame + 42, data, len);
	link_complete(frame, 42 + len);
	return 42 + len;
}

static inline bool past_say(struct pair *p, const void *data, uint32_t len)
{
	uint8_t frame[1600];

	return link_receive(frame, past_frame(p, frame, data, len));
}

/* The first call opens the bypass. */
static inline void past_open(struct pair *p, struct notes *n)
{
	EXPECT_EQ(zc_recv(p->rx, n, INLINE), -EAGAIN);
	EXPECT_EQ(link_rules(), 1);
}

/* Variables of most cases: a pair with a bypass, and notes of a callback. */
#define OPEN_PAIR(p, n)              \
	PAST();                      \
	struct pair p = past_pair(); \
	static struct notes n;       \
	past_open(&p, &n)

static inline void past_end(struct pair *p)
{
	end(p);
	EXPECT(link_is_clean());
}

#endif /* DOCA_TESTS_ONLOAD_PAST_H */
