// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "comch.h"

CTX_OBJECT_TYPE(doca_comch_server);
CTX_OBJECT_TYPE(doca_comch_client);
CTX_OBJECT_TYPE(doca_comch_consumer);
CTX_OBJECT_TYPE(doca_comch_producer);

const struct object_type comch_connection_object = { .name = "connection" };
