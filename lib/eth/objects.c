// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "eth.h"

CTX_OBJECT_TYPE(doca_eth_rxq);
CTX_OBJECT_TYPE(doca_eth_txq);

/* A queue has one of each while it lives. */
const struct object_type eth_rxq_event_object = { .name = "receive event" };
const struct object_type eth_rxq_batch_object = {
	.name = "event of a batch received"
};

/* One for each packet that it may have, while its pool is used. */
const struct object_type eth_rxq_array_object = {
	.name = "array of packets received"
};
