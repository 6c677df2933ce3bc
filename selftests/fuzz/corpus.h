/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Inputs, in memory and as files named by their content. */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include "language.h"

struct input {
	unsigned int n;
	struct step steps[STEPS_MAX];
};

struct corpus {
	struct input *inputs;
	unsigned int n;
};

/* Add all files of a folder, which need not exist; return their number. */
int corpus_load(struct corpus *corpus, const char *folder);
int corpus_add(struct corpus *corpus, const struct input *input);

int input_read(struct input *input, const char *path);
int input_write(const struct input *input, const char *path);
/* Write it to a file of its name; put the name in @name, if that is not NULL. */
int input_keep(const struct input *input, const char *folder, char name[17]);

#endif /* FUZZ_CORPUS_H */
