// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* No code: checks the declarations in v3.h against the headers of level 3.0. */
#include "../../include/doca_buf.h"
#include "../../include/doca_buf_inventory.h"
#include "../../include/doca_ctx.h"
#include "../../include/doca_dev.h"
#include "../../include/doca_dma.h"
#include "../../include/doca_mmap.h"
#include "../../include/doca_pe.h"

#define V3_TAG(name) struct doca_##name
#define V3_ENUM(name) enum doca_##name
#define V3(type, name, ...)                                                   \
	_Static_assert(__builtin_types_compatible_p(__typeof__(&doca_##name), \
						    type (*)(__VA_ARGS__)),   \
		       #name)

#include "v3.h"

enum {
	V3_CTX_STATE_IDLE = 0,
	V3_CTX_STATE_STOPPING = 3,
};

_Static_assert((int)DOCA_CTX_STATE_IDLE == V3_CTX_STATE_IDLE, "idle");
_Static_assert((int)DOCA_CTX_STATE_STOPPING == V3_CTX_STATE_STOPPING,
	       "stopping");
