// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "data/device.h"
#include "data/msg.h"
#include "data/progress.h"
#include "data/region.h"
#include "data/stop.h"
#include "fits.h"
#include "descriptor.h"
#include "source.h"

/* Take the last component, and make it fit for printing. */
static void printable_name(const char *path, char *name)
{
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	snprintf(name, FILE_NAME_LEN + 1, "%s", base);
	printable(name);
}

/* Returns 0 if it is unknown. */
static uint64_t available_memory(void)
{
	unsigned long long kib = 0;
	char line[128];
	FILE *f;

	f = fopen("/proc/meminfo", "re");
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
			break;
	fclose(f);
	return kib * 1024;
}

/*
 * Read the file instead of mapping it: the export does not change with the file,
 * and no file system has to keep pages in place.
 */
static int load(const char *path, struct region *region,
		struct descriptor *desc)
{
	uint64_t available = available_memory();
	int fd, ret = -1;

	fd = source_open(path, &desc->length);
	if (fd < 0)
		return -1;
	if (available && desc->length > available) {
		fail("%s has %s, but only %s of memory are available", path,
		     size_text(desc->length).s, size_text(available).s);
		hint("An exported file is held in memory as a whole; 'doca_copy SRC DST' needs only buffers.");
		goto out;
	}
	/* Export an empty file as one byte, which is never copied. */
	if (region_alloc(region, desc->length ? desc->length : 1))
		goto out;
	if (source_read(fd, path, region->addr, 0, desc->length))
		goto out;
	ret = digest_memory(region->addr, desc->length, &desc->sha256);
out:
	close(fd);
	return ret;
}

static int export_region(struct region *region, struct doca_dev *dev,
			 struct descriptor *desc)
{
	const void *blob;
	doca_error_t err;
	size_t len;

	if (region_open(region, dev, DOCA_ACCESS_FLAG_PCI_READ_ONLY))
		return -1;
	err = doca_mmap_export_pci(region->mmap, dev, &blob, &len);
	if (err != DOCA_SUCCESS)
		return fail_doca(err, "cannot export the memory");
	if (len > sizeof(desc->blob))
		return fail("the export blob has %zu bytes: too many", len);
	memcpy(desc->blob, blob, len);
	desc->blob_len = len;
	desc->address = (uintptr_t)region->addr;
	return 0;
}

static int wait_for_end(const struct options *opts, int dirfd,
			const struct descriptor *desc)
{
	printf("exported %s: %s, SHA-256 %s\n"
	       "descriptor in %s; waiting%s, press Ctrl-C to end\n",
	       desc->file, size_text(desc->length).s, desc->sha256.hex,
	       opts->desc, opts->once ? " for an import" : "");
	fflush(stdout);
	if (opts->once)
		return descriptor_wait_done(dirfd, opts->desc);
	while (!stop_requested())
		stop_or_readable(-1);
	return 0;
}

static int export_to(int dirfd, const struct options *opts,
		     struct doca_dev *dev, struct descriptor *desc)
{
	struct region region = { 0 };
	int ret = -1;

	if (load(opts->src, &region, desc) || export_region(&region, dev, desc))
		goto out;
	if (descriptor_write(dirfd, desc, opts->any_user, opts->once))
		goto out;
	ret = wait_for_end(opts, dirfd, desc);
	descriptor_remove(dirfd);
out:
	region_free(&region);
	return ret;
}

int command_export(const struct options *opts)
{
	static struct descriptor desc;
	struct doca_dev *dev;
	int dirfd, ret;

	/* The library reads the variable at the export. */
	if (opts->any_user && setenv("DOCA_EXPORT_SCOPE", "any", 1))
		return fail("out of memory");
	printable_name(opts->src, desc.file);
	if (device_open(opts->dev, fits_export, &dev))
		return -1;
	dirfd = descriptor_claim(opts->desc, opts->any_user);
	if (dirfd < 0) {
		doca_dev_close(dev);
		return -1;
	}
	ret = export_to(dirfd, opts, dev, &desc);
	close(dirfd);
	doca_dev_close(dev);
	return ret;
}
