/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/* The interface for libdoca_flow: this library has the queues, and so the rules. */
#ifndef DOCA_ETH_FLOW_RULES_H
#define DOCA_ETH_FLOW_RULES_H

#include <doca_compat.h>

#include "eth.h"

struct xsk_rule;

/*
 * Steer matching frames of a device's interface; see xsk_rule_add(). Errors are logged:
 * NOT_SUPPORTED, NOT_PERMITTED, IN_USE, ALREADY_EXIST, or INITIALIZATION.
 */
DOCA_STABLE doca_error_t doca_priv_eth_rule_add(
	const struct doca_dev *dev, const struct steer_match *match,
	enum steer_action action, uint16_t number, struct xsk_tags tags,
	struct xsk_rule **rule, const struct log_site *site);
/* Give a rule another target, in place; INITIALIZATION if that fails, and nothing has changed. */
DOCA_STABLE doca_error_t doca_priv_eth_rule_change(struct xsk_rule *rule,
						   enum steer_action action,
						   uint16_t number,
						   struct xsk_tags tags,
						   const struct log_site *site);
DOCA_STABLE void doca_priv_eth_rule_del(struct xsk_rule *rule);

#endif /* DOCA_ETH_FLOW_RULES_H */
