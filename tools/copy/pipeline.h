/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The copy: a range of bytes goes through a ring of buffers in chunks. Each
 * chunk is a DMA task, and many are in flight.
 *
 * The source is another process's exported memory or, without that, buffers
 * that the caller fills chunk by chunk.
 */
#ifndef COPY_PIPELINE_H
#define COPY_PIPELINE_H

#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>
#include <doca_mmap.h>

struct pipeline_conf {
	struct doca_dev *dev;
	uint64_t length;
	size_t chunk;
	unsigned int depth;

	/* The source: length bytes at addr of mmap, or mmap is NULL. */
	struct doca_mmap *mmap;
	uint8_t *addr;

	/*
	 * Called in the order of offsets, to fill a source buffer (without
	 * mmap) and to take copied data. They return 0, or print an error and
	 * return -1, which ends the copy.
	 */
	int (*fill)(void *arg, void *buf, uint64_t off, size_t len);
	int (*drain)(void *arg, const void *buf, uint64_t off, size_t len);
	void *arg;
};

/* Returns 0 if everything was copied and drained; prints an error and returns -1 otherwise. */
int pipeline_run(const struct pipeline_conf *conf);

#endif /* COPY_PIPELINE_H */
