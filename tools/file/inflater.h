/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A pipeline of tasks that decompress, DEFLATE or blocks of LZ4. */
#ifndef FILE_INFLATER_H
#define FILE_INFLATER_H

#include <doca_compress.h>

#include "engine.h"
#include "streams.h"

struct inflater {
	struct engine engine;
	struct doca_compress *compress;
};

/* As engine_open(); nothing is done where it is open, with as much room. */
int inflater_open(struct inflater *inflater, struct doca_dev *dev,
		  unsigned int depth, size_t in_size, size_t out_size);
int inflater_open_lz4(struct inflater *inflater, struct doca_dev *dev,
		      unsigned int depth, size_t in_size, size_t out_size);
void inflater_close(struct inflater *inflater);

/* Decompress all members of a gzip file, or all frames of an LZ4 file. */
int gunzip(struct doca_dev *dev, struct stream *stream);
int unlz4(struct doca_dev *dev, struct stream *stream);

/* Whether an LZ4 file, which may be no more than a skippable frame, begins so. */
bool is_lz4(const uint8_t *data, size_t len);

#endif /* FILE_INFLATER_H */
