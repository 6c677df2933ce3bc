// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <doca_log.h>

#include "debug.h"

DOCA_LOG_REGISTER(API13::DEBUG);

const struct object_type api13_buf_object = { .name = "buffer of level 1.3" };
const struct object_type api13_ctx_object = { .name = "context of level 1.3" };
const struct object_type api13_devinfo_list_object = {
	.name = "list of devices of level 1.3"
};
const struct object_type api13_dma_object = {
	.name = "DMA context of level 1.3",
	.as = &api13_ctx_object,
	.offset = offsetof(struct doca_dma, ctx),
};
const struct object_type api13_inventory_object = {
	.name = "buffer inventory of level 1.3"
};
const struct object_type api13_mmap_object = { .name = "mmap of level 1.3" };
const struct object_type api13_remote_list_object = {
	.name = "list of remote devices of level 1.3"
};
const struct object_type api13_workq_object = {
	.name = "work queue of level 1.3"
};

bool api13_missing(const char *what, const char *func)
{
	DOCA_LOG_ERR("%s(): %s is NULL or 0", func, what);
	return false;
}
