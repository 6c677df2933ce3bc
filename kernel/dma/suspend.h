/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef DOCA_DMA_SUSPEND_H
#define DOCA_DMA_SUSPEND_H

/* From then on engines have nothing in flight while the system is suspended. */
int doca_suspend_init(void);
void doca_suspend_exit(void);

#endif
