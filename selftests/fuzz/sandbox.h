/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Runs a program in processes that can do harm to nothing but the driver. */
#ifndef FUZZ_SANDBOX_H
#define FUZZ_SANDBOX_H

#include <stdbool.h>

#include "language.h"

enum outcome {
	OUTCOME_ENDED,
	OUTCOME_KILLED, /* it took too long */
	OUTCOME_STUCK, /* it cannot be killed */
};

/* Programs keep their hands off file descriptors from here on. */
#define KEPT_FDS 200

/* Write a word to a file of the kernel, if it exists. */
void write_to(const char *path, const char *word);

/* Return 0, or a negative errno. */
int sandbox_init(void);

/* Run a program, and wait for its end. @may_unplug: it may take devices away. */
enum outcome sandbox_run(const struct step *steps, unsigned int n, bool may_unplug);

#endif /* FUZZ_SANDBOX_H */
