/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * A way within a process of its own, for libraries that start threads, take memory and
 * load more libraries: what else is measured is not to know of them.
 */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include "peer.h"

/*
 * Have find() look for the way in a child, with an area of its own that is like ours.
 * To be called before there are threads and memory.
 */
struct way *child_way(struct way *(*find)(const struct peer_conf *conf,
					  struct peer_text *text),
		      const struct peer_conf *conf, struct peer_text *text);

#endif /* BENCH_CHILD_H */
