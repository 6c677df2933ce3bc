// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>

#include "peer.h"

#if !defined(HAVE_LIBURING) || !defined(HAVE_DPDK)
static struct way *missing(struct peer_text *text, const char *package)
{
	snprintf(
		text->s, sizeof(text->s),
		"not measured: this program was built without it; install %s and build it again",
		package);
	return NULL;
}
#endif

#ifndef HAVE_LIBURING
static struct way *uring_peer(const struct peer_conf *conf,
			      struct peer_text *text)
{
	(void)conf;
	return missing(text, "liburing-dev");
}
#endif

#ifndef HAVE_DPDK
static struct way *dpdk_peer(const struct peer_conf *conf,
			     struct peer_text *text)
{
	(void)conf;
	return missing(text, "libdpdk-dev");
}
#endif

void peers_find(struct peers *peers, const struct peer_conf *conf)
{
	peers->uring = uring_peer(conf, &peers->uring_text);
	peers->dpdk = dpdk_peer(conf, &peers->dpdk_text);
}
