/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* Flows: declarations shared by the library's files. */
#ifndef DOCA_FLOW_FLOW_H
#define DOCA_FLOW_FLOW_H

#include <stdbool.h>

#include <doca_flow.h>

#include "core/base/log.h"
#include "core/device/dev.h"
#include "core/objects.h"

struct xsk_rule;

extern const struct object_type flow_cfg_object;
extern const struct object_type flow_port_cfg_object;
extern const struct object_type flow_port_object;
extern const struct object_type flow_pipe_cfg_object;
extern const struct object_type flow_pipe_object;

#undef OBJECT_TYPES
#define OBJECT_TYPES                                                    \
	CORE_OBJECT_TYPES, OBJECT_TYPE(doca_flow_cfg, flow_cfg_object), \
		OBJECT_TYPE(doca_flow_port_cfg, flow_port_cfg_object),  \
		OBJECT_TYPE(doca_flow_port, flow_port_object),          \
		OBJECT_TYPE(doca_flow_pipe_cfg, flow_pipe_cfg_object),  \
		OBJECT_TYPE(doca_flow_pipe, flow_pipe_object)

struct doca_flow_port {
	struct doca_flow_port *next;
	struct doca_dev *dev; /* reference */
	struct doca_flow_pipe *pipes;
};

struct doca_flow_pipe_cfg {
	struct doca_flow_port *port;
	struct doca_flow_match match;
	struct doca_flow_actions actions;
	bool has_actions;
	bool is_root;
};

struct doca_flow_pipe {
	struct doca_flow_pipe *next;
	struct doca_flow_port *port;
	struct doca_flow_match match;
	struct doca_flow_actions actions;
	bool has_actions;
	bool has_fwd;
	struct doca_flow_fwd fwd;
	uint16_t queue; /* queue of the pipe's own fwd, which is copied */
	struct xsk_rule *miss;
	struct doca_flow_pipe_entry *entries;
};

struct doca_flow_pipe_entry {
	struct doca_flow_pipe_entry *next;
	struct xsk_rule *rule;
};

bool flow_is_initialized(void);
void flow_stop_ports(void);
void flow_destroy_pipes(struct doca_flow_port *port);

/* Check that it can be done, else log why not. @queue: the queue that gets the frames. */
doca_error_t flow_check_fwd(const struct doca_flow_fwd *fwd, uint16_t *queue,
			    const struct log_site *site);

#endif /* DOCA_FLOW_FLOW_H */
