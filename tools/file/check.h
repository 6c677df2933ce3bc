/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef FILE_CHECK_H
#define FILE_CHECK_H

#include <doca_dev.h>

#include "options.h"

/* Compare files with lists of digests. */
int check_lists(const struct options *opts, struct doca_dev *dev);

#endif /* FILE_CHECK_H */
