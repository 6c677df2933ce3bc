/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Samples with two sides in one source: the DPU's, which has a server, and the host's,
 * which has a client. Each is run twice, 'SAMPLE dpu' and 'SAMPLE host', in any order.
 */
#ifndef SAMPLES_SIDE_H
#define SAMPLES_SIDE_H

#include <doca_dev.h>
#include <doca_pe.h>

#include "sample.h"

enum side {
	SIDE_DPU = 1,
	SIDE_HOST,
};

/* Read the command line, which names the side, and may have the flags -p and -r. */
enum side side_start(const char *name, int argc, char **argv,
		     const struct sample_flag *flags);

/* Open a device that stands for this side of a pair. */
struct doca_dev *side_open_device(enum side side);

/* Open the representor of the host: what the DPU's device sees of it. */
struct doca_dev_rep *side_open_representor(struct doca_dev *dev);

/*
 * Make progress; if no callback has run, sleep until there is something to do. Call it
 * in a loop that ends by what a callback sets. pe_event shows what is behind it.
 */
void side_progress(struct doca_pe *pe);

#endif
