// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include <doca_error.h>

#include "core/base/errno_text.h"
#include "flow_rules.h"

doca_error_t doca_priv_eth_rule_add(const struct doca_dev *dev,
				    const struct steer_match *match,
				    enum steer_action action, uint16_t number,
				    struct xsk_tags tags,
				    struct xsk_rule **rule,
				    const struct log_site *site)
{
	const struct xsk_rule_attr attr = { .match = *match,
					    .action = action,
					    .number = number,
					    .tags = tags };
	char ifname[ETH_IFNAME];
	struct xsk_why why;

	if (eth_ifname(&dev->info, ifname) != DOCA_SUCCESS)
		return doca_priv_eth_has_interface(dev, site);
	if (!xsk_rule_add(rule, ifname, &attr, &why))
		return DOCA_SUCCESS;
	if (why.err == -EEXIST)
		return FAIL_AT(site, ALREADY_EXIST,
			       "%s(): there is an entry that matches the same "
			       "on %s",
			       site->func, ifname);
	LOG_AT(site, DOCA_LOG_LEVEL_ERROR, "%s(): %s", site->func, why.text);
	return eth_error(&why);
}

doca_error_t doca_priv_eth_rule_change(struct xsk_rule *rule,
				       enum steer_action action,
				       uint16_t number, struct xsk_tags tags,
				       const struct log_site *site)
{
	const struct xsk_rule_attr attr = { .action = action,
					    .number = number,
					    .tags = tags };
	int err = xsk_rule_change(rule, &attr);

	if (!err)
		return DOCA_SUCCESS;
	return FAIL_AT(site, INITIALIZATION,
		       "%s(): the frames cannot be steered (%s)", site->func,
		       errno_text(err));
}

void doca_priv_eth_rule_del(struct xsk_rule *rule)
{
	xsk_rule_del(rule);
}
