/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * How the descriptor of an export gets to another process: in a file. Between a host and
 * its DPU it is carried there by other means; what it is does not change.
 */
#ifndef SAMPLES_DESCRIPTOR_H
#define SAMPLES_DESCRIPTOR_H

#include <stddef.h>

#include "sample.h"

#define DESCRIPTOR_MAX 1024 /* of a sync event; a memory map's has 512 */

/* The flag -d, and what it was set to. */
extern const struct sample_flag descriptor_flag;
extern const char *descriptor_path;

void descriptor_write(const void *desc, size_t len);
void descriptor_remove(void);
size_t descriptor_read(void *desc, size_t size);

#endif
