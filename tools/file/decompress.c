// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Decompression: the data tells what it is. */
#include "commands.h"
#include "data/msg.h"
#include "gzip.h"
#include "inflater.h"

static int run(void *arg, struct stream *stream)
{
	struct input *in = &stream->in;
	struct doca_dev *dev = arg;

	if (input_look(in, 4))
		return -1;
	if (gzip_is_member(in->ahead, in->ahead_len))
		return gunzip(dev, stream);
	if (is_lz4(in->ahead, in->ahead_len))
		return unlz4(dev, stream);
	return fail("%s: this is neither gzip's nor LZ4's format", in->name);
}

int command_decompress(const struct options *opts, struct doca_dev *dev)
{
	static const char *const removed[] = { ".gz", ".lz4", NULL };

	msg_expect_failures();
	return streams_run(opts, NULL, removed, run, dev);
}
