/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A way in a process of its own, for libraries that start threads, take memory and
 * load more libraries. They must not affect what else is measured.
 */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include "peer.h"

/*
 * Let find() look for the way in a child, with an area like ours. Call it before
 * there are threads and memory.
 */
struct way *child_way(struct way *(*find)(const struct peer_conf *conf,
					  struct peer_text *text),
		      const struct peer_conf *conf, struct peer_text *text);

#endif /* BENCH_CHILD_H */
