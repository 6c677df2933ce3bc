/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Commands that make one output of each input. */
#ifndef FILE_STREAMS_H
#define FILE_STREAMS_H

#include "input.h"
#include "options.h"
#include "sink.h"

struct stream {
	struct input in;
	struct sink out;
};

/*
 * Run for each file. Outputs are named by @added, which is added to the name, or by
 * @removed, of which one is removed: NULL, and a list that ends with NULL.
 */
int streams_run(const struct options *opts, const char *added,
		const char *const removed[],
		int (*run)(void *arg, struct stream *stream), void *arg);

#endif /* FILE_STREAMS_H */
