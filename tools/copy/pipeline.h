/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * The copy itself: a range of bytes goes through a ring of buffers in chunks, a
 * DMA task each, many in flight at a time.
 *
 * The source is memory that some other process has exported, or, without one,
 * buffers that the caller fills chunk by chunk.
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

	/* Memory to copy from: length bytes at addr of mmap; or mmap NULL. */
	struct doca_mmap *mmap;
	uint8_t *addr;

	/*
	 * Called in the order of offsets, to fill a source buffer (if there is
	 * no mmap) and to take what was copied. They return 0, or -1 having
	 * said why, which ends the copying.
	 */
	int (*fill)(void *arg, void *buf, uint64_t off, size_t len);
	int (*drain)(void *arg, const void *buf, uint64_t off, size_t len);
	void *arg;
};

/* Returns 0 if all was copied and drained, -1 if not, having said why. */
int pipeline_run(const struct pipeline_conf *conf);

#endif /* COPY_PIPELINE_H */
