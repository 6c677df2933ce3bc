// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/msg.h"
#include "data/stop.h"
#include "streams.h"

static char *without_suffix(const char *path, const char *const removed[])
{
	size_t len = strlen(path), suffix;

	for (; *removed; removed++) {
		suffix = strlen(*removed);
		if (len > suffix && path[len - suffix - 1] != '/' &&
		    !strcmp(path + len - suffix, *removed))
			return strndup(path, len - suffix);
	}
	return NULL;
}

static char *output_name(const char *path, const char *added,
			 const char *const removed[])
{
	char *name = NULL;

	if (!strcmp(path, "-"))
		return strdup(path);
	if (added)
		return asprintf(&name, "%s%s", path, added) < 0 ? NULL : name;
	name = without_suffix(path, removed);
	if (!name)
		fail("%s does not end with %s: name the output with -o", path,
		     removed[0]);
	return name;
}

static int run_one(const struct options *opts, const char *path,
		   const char *out,
		   int (*run)(void *arg, struct stream *stream), void *arg)
{
	struct stream stream;
	int ret;

	if (input_open(&stream.in, path))
		return -1;
	ret = sink_open(&stream.out, out, opts->force);
	if (!ret) {
		sink_limit(&stream.out, &stream.in);
		ret = run(arg, &stream);
		progress_end(&stream.in.progress);
		if (!ret)
			ret = sink_commit(&stream.out);
		sink_close(&stream.out);
	}
	input_close(&stream.in);
	return ret;
}

int streams_run(const struct options *opts, const char *added,
		const char *const removed[],
		int (*run)(void *arg, struct stream *stream), void *arg)
{
	int ret = 0, i;
	char *name;

	for (i = 0; opts->files[i] && !stop_requested(); i++) {
		name = NULL;
		if (!opts->out && !opts->test) {
			name = output_name(opts->files[i], added, removed);
			if (!name) {
				ret = -1;
				continue;
			}
		}
		if (run_one(opts, opts->files[i],
			    opts->test ? NULL :
			    name       ?:
					 opts->out,
			    run, arg))
			ret = -1;
		free(name);
	}
	if (opts->files[i] && !ret)
		ret = fail("interrupted");
	return ret;
}
