// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* DMA engines: list them, and choose the devices that they copy for */
#include <errno.h>

#include "commands.h"
#include "msg.h"

static int change(struct family *family, int cmd, const struct argument *args,
		  const char *what, const char *whom)
{
	int ret = family_change(family, cmd, args, what, whom);

	if (ret && family->error == -ENODEV)
		hint("'docactl engine list' lists what there is and could be, "
		     "'docactl device' the devices.");
	return ret;
}

/*
 * @engine: NULL to detach
 */
static int attach_one(struct family *family, const char *engine,
		      const char *device, uint32_t id)
{
	const struct argument args[] = {
		{ .attr = DOCA_GENL_A_DEV_ID, .value = id },
		{ .attr = engine ? DOCA_GENL_A_ENGINE_NAME : 0,
		  .text = engine },
		{ 0 },
	};

	if (engine)
		return change(family, DOCA_GENL_CMD_ENGINE_ATTACH, args,
			      "attach engine", engine);
	return change(family, DOCA_GENL_CMD_ENGINE_DETACH, args,
		      "detach the engine of", device);
}

static int attach(struct family *family, const char *engine, char **names,
		  int n)
{
	struct records devices = { 0 };
	int ret = family_list(family, kind_device.cmd, &devices);
	bool listed = !ret;
	int i;

	for (i = 0; i < n && listed; i++) {
		uint32_t id = find_device(&devices, names[i]);

		if (!id || attach_one(family, engine, names[i], id))
			ret = -1;
	}
	records_free(&devices);
	return ret;
}

/* If one fails, go on with the others. */
static int change_all(struct family *family, int cmd, const char *what,
		      char **names, int n)
{
	int i, ret = 0;

	for (i = 0; i < n; i++) {
		const struct argument args[] = {
			{ .attr = DOCA_GENL_A_ENGINE_NAME, .text = names[i] },
			{ 0 },
		};

		if (change(family, cmd, args, what, names[i]))
			ret = -1;
	}
	return ret;
}

int command_engine(struct family *family, const struct options *opts)
{
	char **names = opts->names;
	int n = opts->nr_names;

	switch (opts->engine_command) {
	case ENGINE_ADD:
		return change_all(family, DOCA_GENL_CMD_ENGINE_ADD,
				  "add engine", names, n);
	case ENGINE_REMOVE:
		return change_all(family, DOCA_GENL_CMD_ENGINE_DEL,
				  "remove engine", names, n);
	case ENGINE_ATTACH:
		return attach(family, names[0], names + 1, n - 1);
	case ENGINE_DETACH:
		return attach(family, NULL, names, n);
	default:
		return command_show(family, opts);
	}
}
