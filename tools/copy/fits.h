/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Abilities of a device that the commands need. */
#ifndef COPY_FITS_H
#define COPY_FITS_H

#include <stdbool.h>

#include <doca_dev.h>

bool fits_copy(const struct doca_devinfo *info);
bool fits_export(const struct doca_devinfo *info);
bool fits_import(const struct doca_devinfo *info); /* and copies */

#endif /* COPY_FITS_H */
