/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/*
 * The driver within a process: what a test can do with it beside what a program
 * can, which is to open /dev/doca.
 */
#ifndef NATIVE_H
#define NATIVE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Load the driver, unless it is; opening /dev/doca does it. At exit what is open is
 * closed, and it is unloaded.
 */
void native_start(void);

/* As in /sys/module/doca/parameters; false if there is no such parameter. */
bool native_set_param(const char *name, unsigned long value);

/* A device beside the one that there always is; 0 if there is no memory. */
uint32_t native_add_device(const char *name);
void native_remove_device(uint32_t id);

/* The device after the one with @id, which is 0 to begin with; false at the end. */
bool native_next_device(uint32_t *id, char *name, unsigned int size);

/*
 * A byte of memory that the CPU cannot read, and says so where it was asked to; NULL.
 * Copies that end before it do not notice.
 */
extern const char *native_poison;

/* Pages that are pinned. */
long native_pinned(void);

#endif /* NATIVE_H */
