/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* What libdoca_flow has this library do: rules are where the queues are. */
#ifndef DOCA_ETH_FLOW_RULES_H
#define DOCA_ETH_FLOW_RULES_H

#include <doca_compat.h>

#include "eth.h"

struct xsk_rule;

/*
 * Steer the frames of a device's interface that match; see xsk_rule_add(). Logs why not:
 * NOT_SUPPORTED, NOT_PERMITTED, IN_USE, ALREADY_EXIST, or INITIALIZATION.
 */
DOCA_STABLE doca_error_t doca_priv_eth_rule_add(
	const struct doca_dev *dev, const struct steer_match *match,
	enum steer_action action, uint16_t number, struct xsk_tags tags,
	struct xsk_rule **rule, const struct log_site *site);
/* Give it another target, in place; INITIALIZATION, and nothing is changed, if not. */
DOCA_STABLE doca_error_t doca_priv_eth_rule_change(struct xsk_rule *rule,
						   enum steer_action action,
						   uint16_t number,
						   struct xsk_tags tags,
						   const struct log_site *site);
DOCA_STABLE void doca_priv_eth_rule_del(struct xsk_rule *rule);

#endif /* DOCA_ETH_FLOW_RULES_H */
