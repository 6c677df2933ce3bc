/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Pass the descriptor of an export to another process in a file. Between a host and its
 * DPU it travels by other means, but stays the same.
 */
#ifndef SAMPLES_DESCRIPTOR_H
#define SAMPLES_DESCRIPTOR_H

#include <stddef.h>

#include "sample.h"

#define DESCRIPTOR_MAX 1024 /* for a sync event; a memory map's has 512 */

/* The flag -d, and its value. */
extern const struct sample_flag descriptor_flag;
extern const char *descriptor_path;

void descriptor_write(const void *desc, size_t len);
void descriptor_remove(void);
size_t descriptor_read(void *desc, size_t size);

#endif
