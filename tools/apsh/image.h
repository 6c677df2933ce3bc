/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef APSH_IMAGE_H
#define APSH_IMAGE_H

#include <doca_apsh.h>

/* Let the check of code compare with that image. Where it cannot be used the check tells why. */
void image_use(struct doca_apsh_system *system, const char *image);

#endif /* APSH_IMAGE_H */
