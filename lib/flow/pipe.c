// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Pipes and their entries: each entry is a rule of the XDP program. In a pipe's
 * match and actions, 0 means nothing, all ones means the entry's value, and any
 * other value holds for all entries.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>

#include "eth/flow_rules.h"
#include "flow.h"

LOG_SOURCE("FLOW");

doca_error_t doca_flow_pipe_cfg_create(struct doca_flow_pipe_cfg **cfg,
				       struct doca_flow_port *port)
{
	struct doca_flow_pipe_cfg *new;

	if (!given(cfg) || !valid(port))
		return DOCA_ERROR_INVALID_VALUE;
	new = calloc(1, sizeof(*new));
	if (!new)
		return OUT_OF_MEMORY("a configuration of a pipe");
	new->port = port;
	doca_priv_debug_add(new, &flow_pipe_cfg_object, sizeof(*new), 1);
	*cfg = new;
	return DOCA_SUCCESS;
}

doca_error_t doca_flow_pipe_cfg_destroy(struct doca_flow_pipe_cfg *cfg)
{
	if (!valid(cfg))
		return DOCA_ERROR_INVALID_VALUE;
	doca_priv_debug_free(cfg);
	return DOCA_SUCCESS;
}

/* The name is not shown anywhere. */
doca_error_t doca_flow_pipe_cfg_set_name(struct doca_flow_pipe_cfg *cfg,
					 const char *name)
{
	return valid(cfg) && given(name) ? DOCA_SUCCESS :
					   DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_flow_pipe_cfg_set_type(struct doca_flow_pipe_cfg *cfg,
					 enum doca_flow_pipe_type type)
{
	if (!valid(cfg))
		return DOCA_ERROR_INVALID_VALUE;
	if (type != DOCA_FLOW_PIPE_BASIC)
		return FAIL(NOT_SUPPORTED,
			    "pipes of type %d are not supported: use basic "
			    "ones",
			    (int)type);
	return DOCA_SUCCESS;
}

doca_error_t doca_flow_pipe_cfg_set_is_root(struct doca_flow_pipe_cfg *cfg,
					    bool is_root)
{
	if (!valid(cfg))
		return DOCA_ERROR_INVALID_VALUE;
	cfg->is_root = is_root;
	return DOCA_SUCCESS;
}

doca_error_t
doca_flow_pipe_cfg_set_match(struct doca_flow_pipe_cfg *cfg,
			     const struct doca_flow_match *match,
			     const struct doca_flow_match *match_mask)
{
	if (!valid(cfg) || !given(match))
		return DOCA_ERROR_INVALID_VALUE;
	if (match_mask)
		return FAIL(NOT_SUPPORTED,
			    "masks of what a pipe matches are not supported");
	cfg->match = *match;
	return DOCA_SUCCESS;
}

doca_error_t doca_flow_pipe_cfg_set_actions(
	struct doca_flow_pipe_cfg *cfg,
	struct doca_flow_actions *const *actions,
	struct doca_flow_actions *const *actions_masks,
	struct doca_flow_action_descs *const *action_descs, size_t nr_actions)
{
	if (!valid(cfg) || !given(actions) || !given(nr_actions) ||
	    !given(actions[0]))
		return DOCA_ERROR_INVALID_VALUE;
	if (nr_actions > 1 || actions_masks || action_descs)
		return FAIL(NOT_SUPPORTED,
			    "a pipe may have one set of actions, without masks "
			    "and descriptions");
	cfg->actions = *actions[0];
	cfg->has_actions = true;
	return DOCA_SUCCESS;
}

doca_error_t flow_check_fwd(const struct doca_flow_fwd *fwd, uint16_t *queue,
			    const struct log_site *site)
{
	if (fwd->type == DOCA_FLOW_FWD_DROP)
		return DOCA_SUCCESS;
	if (fwd->type != DOCA_FLOW_FWD_RSS ||
	    fwd->rss_type != DOCA_FLOW_RESOURCE_TYPE_NON_SHARED)
		return FAIL_AT(site, NOT_SUPPORTED,
			       "%s(): frames go to a receive queue (RSS, not "
			       "shared) or nowhere (DROP), not where type %d "
			       "says",
			       site->func, (int)fwd->type);
	if (!fwd->rss.queues_array || fwd->rss.nr_queues != 1)
		return FAIL_AT(site, NOT_SUPPORTED,
			       "%s(): frames go to one receive queue, which "
			       "has all of its interface, not to %d",
			       site->func, fwd->rss.nr_queues);
	*queue = fwd->rss.queues_array[0];
	return DOCA_SUCCESS;
}

/* Frames that match no entry go to the kernel, unless they are dropped. */
static doca_error_t set_miss(struct doca_flow_pipe *pipe,
			     const struct doca_flow_fwd *miss,
			     const struct log_site *site)
{
	static const struct steer_match all;
	static const struct xsk_tags none;

	if (!miss)
		return DOCA_SUCCESS;
	if (miss->type != DOCA_FLOW_FWD_DROP)
		return FAIL_AT(site, NOT_SUPPORTED,
			       "%s(): what misses is dropped, or the kernel's "
			       "where there is no fwd_miss",
			       site->func);
	return doca_priv_eth_rule_add(pipe->port->dev, &all, STEER_DROP, 0,
				      none, &pipe->miss, site);
}

static doca_error_t check_cfg(const struct doca_flow_pipe_cfg *cfg,
			      const struct doca_flow_fwd *fwd, uint16_t *queue,
			      const struct log_site *site)
{
	if (!cfg->is_root)
		return FAIL_AT(site, NOT_SUPPORTED,
			       "%s(): only root pipes are supported: call "
			       "doca_flow_pipe_cfg_set_is_root()",
			       site->func);
	return fwd ? flow_check_fwd(fwd, queue, site) : DOCA_SUCCESS;
}

doca_error_t doca_flow_pipe_create(const struct doca_flow_pipe_cfg *cfg,
				   const struct doca_flow_fwd *fwd,
				   const struct doca_flow_fwd *fwd_miss,
				   struct doca_flow_pipe **pipe)
{
	static const struct log_site site = LOG_SITE;
	struct doca_flow_pipe *new;
	uint16_t queue = 0;
	doca_error_t ret;

	if (!valid(cfg) || !valid(cfg->port) || !given(pipe))
		return DOCA_ERROR_INVALID_VALUE;
	ret = check_cfg(cfg, fwd, &queue, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	new = calloc(1, sizeof(*new));
	if (!new)
		return OUT_OF_MEMORY("a pipe");
	new->port = cfg->port;
	new->match = cfg->match;
	new->actions = cfg->actions;
	new->has_actions = cfg->has_actions;
	new->has_fwd = fwd;
	if (fwd)
		new->fwd = *fwd;
	new->queue = queue;
	ret = set_miss(new, fwd_miss, &site);
	if (ret != DOCA_SUCCESS) {
		free(new);
		return ret;
	}
	doca_priv_debug_add(new, &flow_pipe_object, sizeof(*new), 1);
	new->next = cfg->port->pipes;
	cfg->port->pipes = new;
	*pipe = new;
	return DOCA_SUCCESS;
}

static void pipe_free(struct doca_flow_pipe *pipe)
{
	struct doca_flow_pipe_entry *entry;

	while ((entry = pipe->entries)) {
		pipe->entries = entry->next;
		doca_priv_eth_rule_del(entry->rule);
		free(entry);
	}
	if (pipe->miss)
		doca_priv_eth_rule_del(pipe->miss);
	doca_priv_debug_free(pipe);
}

void doca_flow_pipe_destroy(struct doca_flow_pipe *pipe)
{
	struct doca_flow_pipe **at;

	if (!valid(pipe))
		return;
	for (at = &pipe->port->pipes; *at != pipe; at = &(*at)->next)
		;
	*at = pipe->next;
	pipe_free(pipe);
}

void flow_destroy_pipes(struct doca_flow_port *port)
{
	struct doca_flow_pipe *pipe;

	while ((pipe = port->pipes)) {
		port->pipes = pipe->next;
		pipe_free(pipe);
	}
}

/* Return the value of a field for an entry. */
static uint32_t chosen(uint32_t pipe, uint32_t entry, uint32_t all_ones)
{
	return pipe == all_ones ? entry : pipe;
}

static bool is_none(const struct doca_flow_header_format *format)
{
	static const struct doca_flow_header_format none;

	return !memcmp(format, &none, sizeof(none));
}

static doca_error_t match_refused(const struct log_site *site)
{
	return FAIL_AT(site, NOT_SUPPORTED,
		       "%s(): what can be matched is every frame, or the "
		       "destination of UDP over IPv4: a port, and an address "
		       "or none",
		       site->func);
}

static doca_error_t make_match(const struct doca_flow_pipe *pipe,
			       const struct doca_flow_match *entry,
			       struct steer_match *match,
			       const struct log_site *site)
{
	const struct doca_flow_header_format *p = &pipe->match.outer;
	const struct doca_flow_header_format *e = entry ? &entry->outer :
							  &pipe->match.outer;
	uint32_t address = chosen(p->ip4.dst_ip, e->ip4.dst_ip, UINT32_MAX);
	uint16_t port = chosen(p->udp.l4_port.dst_port, e->udp.l4_port.dst_port,
			       UINT16_MAX);

	memset(match, 0, sizeof(*match));
	if (pipe->match.flags || !is_none(&pipe->match.inner) ||
	    (entry && (entry->flags || !is_none(&entry->inner))))
		return match_refused(site);
	if (is_none(p))
		return DOCA_SUCCESS;
	if (p->l3_type != DOCA_FLOW_L3_TYPE_IP4 ||
	    p->l4_type_ext != DOCA_FLOW_L4_TYPE_EXT_UDP || p->ip4.src_ip ||
	    p->udp.l4_port.src_port || !port)
		return match_refused(site);
	match->family = 4;
	match->port = port;
	memcpy(match->address, &address, sizeof(address));
	return DOCA_SUCCESS;
}

static struct xsk_tags make_tags(const struct doca_flow_pipe *pipe,
				 const struct doca_flow_actions *entry)
{
	const struct doca_flow_meta *p = &pipe->actions.meta;
	struct doca_flow_meta meta = *p;

	if (entry && !pipe->has_actions)
		meta = entry->meta;
	else if (entry) {
		meta.pkt_meta =
			chosen(p->pkt_meta, entry->meta.pkt_meta, UINT32_MAX);
		meta.mark = chosen(p->mark, entry->meta.mark, UINT32_MAX);
	}
	return (struct xsk_tags){ .flow_tag = be32toh(meta.mark),
				  .metadata = be32toh(meta.pkt_meta) };
}

static doca_error_t find_fwd(const struct doca_flow_pipe *pipe,
			     const struct doca_flow_fwd *fwd,
			     enum steer_action *action, uint16_t *queue,
			     const struct log_site *site)
{
	doca_error_t ret = DOCA_SUCCESS;

	if (fwd)
		ret = flow_check_fwd(fwd, queue, site);
	else if (pipe->has_fwd)
		*queue = pipe->queue;
	else
		ret = FAIL_AT(site, INVALID_VALUE,
			      "%s(): neither the entry nor its pipe says where "
			      "frames go",
			      site->func);
	if (ret == DOCA_SUCCESS)
		*action = (fwd ? fwd : &pipe->fwd)->type == DOCA_FLOW_FWD_DROP ?
				  STEER_DROP :
				  STEER_QUEUE;
	return ret;
}

static void warn_of_all(const struct doca_flow_pipe *pipe,
			const struct steer_match *match)
{
	static bool told;

	if (match->family || told)
		return;
	told = true;
	LOG_WARN("an entry takes all frames of device %s away from the "
		 "kernel, RDMA over Ethernet included",
		 pipe->port->dev->info.name);
}

/* If an entry matches all frames, none can miss: the rule for misses becomes the entry's. */
static doca_error_t add_rule(struct doca_flow_pipe *pipe,
			     const struct steer_match *match,
			     enum steer_action action, uint16_t queue,
			     struct xsk_tags tags, struct xsk_rule **rule,
			     const struct log_site *site)
{
	doca_error_t ret;

	if (match->family || !pipe->miss)
		return doca_priv_eth_rule_add(pipe->port->dev, match, action,
					      queue, tags, rule, site);
	ret = doca_priv_eth_rule_change(pipe->miss, action, queue, tags, site);
	if (ret != DOCA_SUCCESS)
		return ret;
	*rule = pipe->miss;
	pipe->miss = NULL;
	return DOCA_SUCCESS;
}

static doca_error_t add_entry(struct doca_flow_pipe *pipe,
			      const struct doca_flow_match *match,
			      const struct doca_flow_actions *actions,
			      const struct doca_flow_monitor *monitor,
			      const struct doca_flow_fwd *fwd,
			      struct doca_flow_pipe_entry **entry,
			      const struct log_site *site)
{
	struct doca_flow_pipe_entry *new;
	enum steer_action action = STEER_PASS;
	struct steer_match key;
	uint16_t queue = 0;
	doca_error_t ret;

	if (monitor)
		return FAIL_AT(site, NOT_SUPPORTED,
			       "%s(): entries have no monitor", site->func);
	ret = make_match(pipe, match, &key, site);
	if (ret == DOCA_SUCCESS)
		ret = find_fwd(pipe, fwd, &action, &queue, site);
	if (ret != DOCA_SUCCESS)
		return ret;
	new = calloc(1, sizeof(*new));
	if (!new)
		return FAIL_AT(site, NO_MEMORY, "out of memory for an entry");
	ret = add_rule(pipe, &key, action, queue, make_tags(pipe, actions),
		       &new->rule, site);
	if (ret != DOCA_SUCCESS) {
		free(new);
		return ret;
	}
	warn_of_all(pipe, &key);
	new->next = pipe->entries;
	pipe->entries = new;
	*entry = new;
	return DOCA_SUCCESS;
}

/* Entries take effect before the call returns, so no further event reports them. */
doca_error_t doca_flow_pipe_add_entry(uint16_t pipe_queue,
				      struct doca_flow_pipe *pipe,
				      const struct doca_flow_match *match,
				      const struct doca_flow_actions *actions,
				      const struct doca_flow_monitor *monitor,
				      const struct doca_flow_fwd *fwd,
				      uint32_t flags, void *usr_ctx,
				      struct doca_flow_pipe_entry **entry)
{
	static const struct log_site site = LOG_SITE;

	(void)pipe_queue;
	(void)flags;
	(void)usr_ctx;
	if (!valid(pipe) || !given(entry))
		return DOCA_ERROR_INVALID_VALUE;
	return add_entry(pipe, match, actions, monitor, fwd, entry, &site);
}

doca_error_t doca_flow_pipe_basic_add_entry(
	uint16_t pipe_queue, struct doca_flow_pipe *pipe,
	const struct doca_flow_match *match, uint8_t action_idx,
	const struct doca_flow_actions *actions,
	const struct doca_flow_monitor *monitor,
	const struct doca_flow_fwd *fwd, uint32_t flags, void *usr_ctx,
	struct doca_flow_pipe_entry **entry)
{
	static const struct log_site site = LOG_SITE;

	(void)pipe_queue;
	(void)flags;
	(void)usr_ctx;
	if (!valid(pipe) || !given(entry) || refused(action_idx))
		return DOCA_ERROR_INVALID_VALUE;
	return add_entry(pipe, match, actions, monitor, fwd, entry, &site);
}

doca_error_t doca_flow_entries_process(struct doca_flow_port *port,
				       uint16_t pipe_queue, uint64_t timeout,
				       uint32_t max_processed_entries)
{
	(void)pipe_queue;
	(void)timeout;
	(void)max_processed_entries;
	return valid(port) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}
