// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include "flow.h"

const struct object_type flow_cfg_object = { .name = "configuration of flows" };
const struct object_type flow_port_cfg_object = {
	.name = "configuration of a port"
};
const struct object_type flow_port_object = { .name = "port" };
const struct object_type flow_pipe_cfg_object = {
	.name = "configuration of a pipe"
};
const struct object_type flow_pipe_object = { .name = "pipe" };
