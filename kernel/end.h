/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* The end of a file: with its process, with the address space, or with its last close. */
#ifndef DOCA_END_H
#define DOCA_END_H

#include <linux/types.h>

struct doca_file;

/* Let no call make anything more that stays. */
void doca_file_set_dead(struct doca_file *file);
/* Return true if it is dead; if not, what the caller has made ends with the file. */
bool doca_file_is_dead(struct doca_file *file);
/* Put an end to all that the file has, without waiting. May be called again, and at once. */
void doca_file_kill(struct doca_file *file);

/*
 * Tie a new file to its address space, which kills it when it ends. -ENOMEM, or -EINTR by a
 * signal.
 */
int doca_file_tie(struct doca_file *file);
/* No longer be killed by the address space; its end may just be doing it. */
void doca_file_untie(struct doca_file *file);
/* No file is open: wait for the last calls of the address spaces, which may be ending files. */
void doca_ties_exit(void);

#endif
