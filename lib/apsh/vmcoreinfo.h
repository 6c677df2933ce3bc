/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* A VMCOREINFO: lines NAME=VALUE in which a kernel says where it is. */
#ifndef DOCA_APSH_VMCOREINFO_H
#define DOCA_APSH_VMCOREINFO_H

#include "types.h"

/* The distance of the addresses of an image from where it is, on arm64 */
#define VMCOREINFO_IMAGE_OFFSET "NUMBER(kimage_voffset)="

/* Parse a line in hexadecimal or signed decimal digits; false if there is none. */
bool vmcoreinfo_line(const char *info, const char *name, int base, u64 *value);

#endif /* DOCA_APSH_VMCOREINFO_H */
