/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Where a program is run: in processes that can do no harm but to the driver. */
#ifndef FUZZ_SANDBOX_H
#define FUZZ_SANDBOX_H

#include <stdbool.h>

#include "language.h"

enum outcome {
	OUTCOME_ENDED,
	OUTCOME_KILLED, /* it took too long */
	OUTCOME_STUCK, /* it cannot be killed */
};

/* What programs keep from the file descriptors that there are: from here on. */
#define KEPT_FDS 200

/* A word to the kernel, if it hears it there. */
void write_to(const char *path, const char *word);

/* Returns 0, or a negative errno. */
int sandbox_init(void);

/* Run it, and wait for its end. @may_unplug: it may take devices away. */
enum outcome sandbox_run(const struct step *steps, unsigned int n, bool may_unplug);

#endif /* FUZZ_SANDBOX_H */
