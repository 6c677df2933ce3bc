// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "data/device.h"
#include "data/msg.h"
#include "data/output.h"
#include "data/progress.h"
#include "fits.h"
#include "digest.h"
#include "pipeline.h"
#include "source.h"

struct local {
	const char *path;
	int fd;
	uint64_t length;
	struct digest *digest; /* digest of the data read */
	struct output out;
	struct progress progress;
};

static int fill(void *arg, void *buf, uint64_t off, size_t len)
{
	struct local *local = arg;

	if (source_read(local->fd, local->path, buf, off, len))
		return -1;
	return digest_add(local->digest, buf, len);
}

static int drain(void *arg, const void *buf, uint64_t off, size_t len)
{
	struct local *local = arg;

	if (output_write(&local->out, buf, off, len))
		return -1;
	progress_show(&local->progress, off + len);
	return 0;
}

static int copy(const struct options *opts, struct local *local,
		struct doca_dev *dev)
{
	struct pipeline_conf conf = {
		.dev = dev,
		.length = local->length,
		.chunk = opts->chunk,
		.depth = opts->depth,
		.fill = fill,
		.drain = drain,
		.arg = local,
	};
	struct digest_text wanted, sha256;
	double seconds;
	int ret;

	progress_start(&local->progress, local->length);
	ret = pipeline_run(&conf);
	seconds = progress_end(&local->progress);
	if (ret || digest_end(local->digest, &wanted) ||
	    digest_file(local->out.fd, &sha256))
		return -1;
	if (strcmp(sha256.hex, wanted.hex)) {
		fail("the copy is not what was read; it was not kept");
		hint("SHA-256 read: %s", wanted.hex);
		hint("SHA-256 of the copy: %s", sha256.hex);
		return -1;
	}
	if (output_commit(&local->out))
		return -1;
	printf("copied %s: %s in %.3f s, %s, SHA-256 %s verified\n",
	       local->path, size_text(local->length).s, seconds,
	       rate_text(local->length, seconds).s, sha256.hex);
	return 0;
}

static int copy_between(const struct options *opts, struct local *local,
			struct doca_dev *dev)
{
	struct stat st;
	int ret = -1;

	local->digest = digest_new();
	if (!local->digest)
		return -1;
	if (output_open(&local->out, opts->dst, local->length, false))
		goto out;
	if (fstat(local->fd, &st)) {
		fail_errno("cannot read %s", local->path);
	} else {
		output_limit(&local->out, &st);
		ret = copy(opts, local, dev);
	}
	output_close(&local->out);
out:
	digest_free(local->digest);
	return ret;
}

int command_local(const struct options *opts)
{
	struct local local = { .path = opts->src };
	struct doca_dev *dev;
	int ret = -1;

	local.fd = source_open(opts->src, &local.length);
	if (local.fd < 0)
		return -1;
	if (!device_open(opts->dev, fits_copy, &dev)) {
		ret = copy_between(opts, &local, dev);
		doca_dev_close(dev);
	}
	close(local.fd);
	return ret;
}
