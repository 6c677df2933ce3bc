// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Imports of memory of other processes, which flights reach (remote.c). The first import
 * starts the service thread.
 */
#include "shim/kernel.h"

#include "imports.h"
#include "memory.h"
#include "relay.h"
#include "service.h"

static int remote_import(const struct doca_blob *blob,
			 struct doca_remote **remote)
{
	struct relay_memory *memory;
	int rc;

	if (!wire_is_process(blob->kernel_id))
		return -EXDEV;
	memory = calloc(1, sizeof(*memory));
	if (!memory)
		return -ENOMEM;
	rc = service_start();
	rc = rc ?: link_import(blob, &memory->import);
	if (rc) {
		free(memory);
		return rc;
	}
	memory->remote = (struct doca_remote){
		.access = memory->import.access,
		.addr = memory->import.addr,
		.length = memory->import.length,
	};
	*remote = &memory->remote;
	return 0;
}

static void remote_release(struct doca_remote *remote)
{
	struct relay_memory *memory = relay_memory_of(remote);

	link_release(memory->import.link, memory->import.key);
	free(memory);
}

/*
 * Give each entry a place, so that none stalls. A queue shared with others (conns.c)
 * only reaches memory of this process.
 */
static u32 remote_places(u32 nr)
{
	return current->shares ? 1 : nr;
}

static const struct doca_remote_ops remote_ops = {
	.import = remote_import,
	.release = remote_release,
	.places = remote_places,
	.wake = remote_wake,
	.type = &remote_type,
};

void imports_start(void)
{
	wire_identify(doca_export_identity());
	doca_remote_ops = &remote_ops;
}
