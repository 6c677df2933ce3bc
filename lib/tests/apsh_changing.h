/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A source of an image in which the list of modules changes. */
#ifndef DOCA_TESTS_APSH_CHANGING_H
#define DOCA_TESTS_APSH_CHANGING_H

#include "apsh_image.h"

static const struct source_ops *ops;

/* The head of the list is another one whenever it is read again, at the end. */
static int read_with_a_new_head(struct source *source, struct source_range *r, unsigned int n)
{
	int err = ops->read(source, r, n);

	for (unsigned int i = 0; i < n; i++)
		if (r[i].pa == pa_of(symbol(S_modules)) && r[i].len == 16)
			*(u8 *)r[i].to ^= 8;
	return err;
}

#endif /* DOCA_TESTS_APSH_CHANGING_H */
