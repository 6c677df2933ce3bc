/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "corpus.h"

/* Make another input out of one of the corpus, or out of nothing. */
void mutate(struct input *input, const struct corpus *corpus, uint32_t *seed);

#endif /* FUZZ_MUTATE_H */
