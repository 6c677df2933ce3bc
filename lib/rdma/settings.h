/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Settings of contexts: their defaults. */
#ifndef DOCA_RDMA_SETTINGS_H
#define DOCA_RDMA_SETTINGS_H

#include "rdma.h"

void rdma_settings_init(struct doca_rdma *rdma);

#endif /* DOCA_RDMA_SETTINGS_H */
