// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* The library as a whole, and ports. */
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>

#include "eth/flow_rules.h"
#include "flow.h"

LOG_SOURCE("FLOW");

struct doca_flow_cfg {
	bool has_mode;
};

struct doca_flow_port_cfg {
	struct doca_dev *dev;
};

static bool initialized;
static struct doca_flow_port *ports;

bool flow_is_initialized(void)
{
	return initialized;
}

doca_error_t doca_flow_cfg_create(struct doca_flow_cfg **cfg)
{
	struct doca_flow_cfg *new;

	if (!given(cfg))
		return DOCA_ERROR_INVALID_VALUE;
	new = calloc(1, sizeof(*new));
	if (!new)
		return OUT_OF_MEMORY("a configuration of flows");
	doca_priv_debug_add(new, &flow_cfg_object, sizeof(*new), 1);
	*cfg = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_flow_cfg_destroy(struct doca_flow_cfg *cfg)
{
	if (!valid(cfg))
		return DOCA_ERROR_INVALID_VALUE;
	doca_priv_debug_free(cfg);
	return DOCA_SUCCESS;
}

doca_error_t doca_flow_cfg_set_mode_args(struct doca_flow_cfg *cfg,
					 const char *mode_args)
{
	if (!valid(cfg) || !given(mode_args))
		return DOCA_ERROR_INVALID_VALUE;
	if (strcmp(mode_args, "vnf") && strcmp(mode_args, "vnf,isolated"))
		return FAIL(NOT_SUPPORTED,
			    "mode '%s' of flows is not supported: use 'vnf' or "
			    "'vnf,isolated'",
			    mode_args);
	cfg->has_mode = true;
	return DOCA_SUCCESS;
}

/* There are no counters yet, so any number will do. */
doca_error_t doca_flow_cfg_set_nr_counters(struct doca_flow_cfg *cfg,
					   uint32_t nr_counters)
{
	(void)nr_counters;
	return valid(cfg) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

/* Entries exist once they are added, from any queue. */
doca_error_t doca_flow_cfg_set_pipe_queues(struct doca_flow_cfg *cfg,
					   uint16_t pipe_queues)
{
	return valid(cfg) && given(pipe_queues) ? DOCA_SUCCESS :
						  DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_flow_init(struct doca_flow_cfg *cfg)
{
	if (!valid(cfg))
		return DOCA_ERROR_INVALID_VALUE;
	if (initialized)
		return FAIL(ALREADY_EXIST,
			    "flows are initialized already; call "
			    "doca_flow_destroy() first");
	if (!cfg->has_mode)
		return FAIL(BAD_STATE, "flows have no mode: call "
				       "doca_flow_cfg_set_mode_args()");
	initialized = true;
	return DOCA_SUCCESS;
}

void doca_flow_destroy(void)
{
	while (ports)
		doca_flow_port_stop(ports);
	initialized = false;
}

doca_error_t doca_flow_port_cfg_create(struct doca_flow_port_cfg **cfg)
{
	struct doca_flow_port_cfg *new;

	if (!given(cfg))
		return DOCA_ERROR_INVALID_VALUE;
	new = calloc(1, sizeof(*new));
	if (!new)
		return OUT_OF_MEMORY("a configuration of a port");
	doca_priv_debug_add(new, &flow_port_cfg_object, sizeof(*new), 1);
	*cfg = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_flow_port_cfg_destroy(struct doca_flow_port_cfg *cfg)
{
	if (!valid(cfg))
		return DOCA_ERROR_INVALID_VALUE;
	doca_priv_debug_free(cfg);
	return DOCA_SUCCESS;
}

doca_error_t doca_flow_port_cfg_set_dev(struct doca_flow_port_cfg *cfg,
					struct doca_dev *dev)
{
	if (!valid(cfg) || !valid(dev))
		return DOCA_ERROR_INVALID_VALUE;
	cfg->dev = dev;
	return DOCA_SUCCESS;
}

/* Ports are not found by their number, so do not keep it. */
doca_error_t doca_flow_port_cfg_set_port_id(struct doca_flow_port_cfg *cfg,
					    uint16_t port_id)
{
	(void)port_id;
	return valid(cfg) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t port_may_start(const struct doca_flow_port_cfg *cfg,
				   const struct log_site *site)
{
	const struct doca_flow_port *port;

	if (!initialized)
		return FAIL_AT(site, BAD_STATE,
			       "%s(): call doca_flow_init() first", site->func);
	if (!cfg->dev)
		return FAIL_AT(site, BAD_STATE,
			       "%s(): the port has no device: call "
			       "doca_flow_port_cfg_set_dev()",
			       site->func);
	for (port = ports; port; port = port->next)
		if (port->dev == cfg->dev)
			return FAIL_AT(site, ALREADY_EXIST,
				       "%s(): there is a port of %s",
				       site->func, cfg->dev->info.name);
	return doca_priv_eth_has_interface(cfg->dev, site);
}

doca_error_t doca_flow_port_start(const struct doca_flow_port_cfg *cfg,
				  struct doca_flow_port **port)
{
	static const struct log_site site = LOG_SITE;
	struct doca_flow_port *new;
	doca_error_t ret;

	if (!valid(cfg) || !given(port) || !valid_or_null(cfg->dev))
		return DOCA_ERROR_INVALID_VALUE;
	ret = port_may_start(cfg, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	new = calloc(1, sizeof(*new));
	if (!new)
		return OUT_OF_MEMORY("a port");
	new->dev = doca_priv_dev_get(cfg->dev);
	doca_priv_debug_add(new, &flow_port_object, sizeof(*new), 1);
	new->next = ports;
	ports = new;
	*port = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_flow_port_stop(struct doca_flow_port *port)
{
	struct doca_flow_port **at;

	if (!valid(port))
		return DOCA_ERROR_INVALID_VALUE;
	flow_destroy_pipes(port);
	for (at = &ports; *at != port; at = &(*at)->next)
		;
	*at = port->next;
	doca_priv_dev_put(port->dev);
	doca_priv_debug_free(port);
	return DOCA_SUCCESS;
}
