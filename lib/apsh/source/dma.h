/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
#ifndef DOCA_APSH_SOURCE_DMA_H
#define DOCA_APSH_SOURCE_DMA_H

#include "source.h"

extern const struct source_ops source_dma_ops;

#endif /* DOCA_APSH_SOURCE_DMA_H */
