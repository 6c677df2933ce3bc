/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Chores of the App Shield samples: find a target and its kernel. */
#ifndef SAMPLES_TARGET_H
#define SAMPLES_TARGET_H

#include <doca_apsh.h>

#include "sample.h"

struct target {
	struct doca_dev *dev;
	struct doca_dev_rep *rep;
	struct doca_apsh_ctx *ctx;
	struct doca_apsh_system *system;
};

/*
 * Read the command line, and start a system for the target that -u, -o and -m name.
 * @flags holds further flags, and ends with an empty one; NULL: there are none.
 */
void target_start(struct target *target, const char *name, int argc,
		  char **argv, const struct sample_flag *flags);

/* Find a process by PID; the caller frees the array that holds it. */
struct doca_apsh_process *target_find_process(struct target *target,
					      unsigned int pid,
					      struct doca_apsh_process ***list);

void target_end(struct target *target);

#endif
