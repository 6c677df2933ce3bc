// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "rdma.h"

CTX_OBJECT_TYPE(doca_rdma);

const struct object_type rdma_connection_object = { .name = "RDMA connection" };
const struct object_type rdma_addr_object = { .name = "doca_rdma_addr" };
