/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
/* Imports of memory of other processes. */
#ifndef INPROC_IMPORTS_H
#define INPROC_IMPORTS_H

/* Have the driver import such memory from now on. */
void imports_start(void);

#endif /* INPROC_IMPORTS_H */
