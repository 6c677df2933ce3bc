// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "data/device.h"
#include "data/msg.h"
#include "data/output.h"
#include "data/progress.h"
#include "fits.h"
#include "descriptor.h"
#include "pipeline.h"

struct import {
	struct output out;
	struct progress progress;
};

static int drain(void *arg, const void *buf, uint64_t off, size_t len)
{
	struct import *import = arg;

	if (output_write(&import->out, buf, off, len))
		return -1;
	progress_show(&import->progress, off + len);
	return 0;
}

static int say_import_failed(doca_error_t err)
{
	fail_doca(err, "cannot import the memory");
	if (err == DOCA_ERROR_NOT_PERMITTED)
		hint("Import as the user who exports, or export with --any-user.");
	else if (err == DOCA_ERROR_INVALID_VALUE)
		hint("The descriptor is stale if the exporter has ended; then export again.");
	return -1;
}

/* One of the descriptor's two files may be from an earlier export. */
static int check_range(struct doca_mmap *mmap, const struct descriptor *desc)
{
	doca_error_t err;
	void *addr;
	size_t len;

	err = doca_mmap_get_memrange(mmap, &addr, &len);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot ask for the imported range");
	if ((uintptr_t)addr == desc->address &&
	    len == (desc->length ? desc->length : 1))
		return 0;
	return fail("the descriptor's files do not belong together");
}

static int copy(const struct options *opts, struct import *import,
		struct doca_dev *dev, struct doca_mmap *mmap,
		const struct descriptor *desc)
{
	struct pipeline_conf conf = {
		.dev = dev,
		.length = desc->length,
		.chunk = opts->chunk,
		.depth = opts->depth,
		.mmap = mmap,
		.addr = (uint8_t *)(uintptr_t)desc->address,
		.drain = drain,
		.arg = import,
	};
	struct digest_text sha256;
	double seconds;
	int ret;

	progress_start(&import->progress, desc->length);
	ret = pipeline_run(&conf);
	seconds = progress_end(&import->progress);
	if (ret || digest_file(import->out.fd, &sha256))
		return -1;
	if (strcmp(sha256.hex, desc->sha256.hex)) {
		fail("the copy is not what was exported; it was not kept");
		hint("SHA-256 exported: %s", desc->sha256.hex);
		hint("SHA-256 of the copy: %s", sha256.hex);
		return -1;
	}
	if (output_commit(&import->out))
		return -1;
	printf("copied %s: %s in %.3f s, %s, SHA-256 %s verified\n", desc->file,
	       size_text(desc->length).s, seconds,
	       rate_text(desc->length, seconds).s, sha256.hex);
	return 0;
}

static int import_from(struct doca_mmap *mmap, const struct options *opts,
		       struct doca_dev *dev, const struct descriptor *desc)
{
	struct import import;
	int ret;

	if (check_range(mmap, desc))
		return -1;
	if (output_open(&import.out, opts->dst, desc->length, false))
		return -1;
	ret = copy(opts, &import, dev, mmap, desc);
	output_close(&import.out);
	return ret;
}

int command_import(const struct options *opts)
{
	static struct descriptor desc;
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	doca_error_t err;
	int ret = -1;

	if (descriptor_read(opts->desc, &desc))
		return -1;
	if (device_open(opts->dev, fits_import, &dev))
		goto out_desc;
	err = doca_mmap_create_from_export(NULL, desc.blob, desc.blob_len, dev,
					   &mmap);
	if (err != DOCA_SUCCESS) {
		say_import_failed(err);
		goto out;
	}
	ret = import_from(mmap, opts, dev, &desc);
	doca_mmap_destroy(mmap);
	if (!ret)
		descriptor_set_done(&desc);
out:
	doca_dev_close(dev);
out_desc:
	descriptor_close(&desc);
	return ret;
}
