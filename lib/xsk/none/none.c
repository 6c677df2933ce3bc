// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Replaces all that needs libxdp and libbpf where the library was built without them. */
#include <errno.h>

#include "../xsk.h"

bool xsk_is_built(void)
{
	return false;
}

int xsk_open(struct xsk **xsk, const struct xsk_attr *attr, struct xsk_why *why)
{
	(void)xsk;
	return xsk_explain(why, XSK_STEP_BUILT, -EOPNOTSUPP, attr->ifname, 0);
}

int xsk_share(struct xsk **xsk, struct xsk *host, uint32_t burst,
	      struct xsk_why *why)
{
	(void)burst;
	(void)xsk;
	(void)host;
	return xsk_explain(why, XSK_STEP_BUILT, -EOPNOTSUPP, "", 0);
}

int xsk_rule_add(struct xsk_rule **rule, const char *ifname,
		 const struct xsk_rule_attr *attr, struct xsk_why *why)
{
	(void)rule;
	(void)attr;
	return xsk_explain(why, XSK_STEP_BUILT, -EOPNOTSUPP, ifname, 0);
}

/* Never called: there is no socket to pass. */

void xsk_close(struct xsk *xsk, bool forked)
{
	(void)xsk;
	(void)forked;
}

bool xsk_next(struct xsk *xsk, struct xsk_frame *frame)
{
	(void)xsk;
	(void)frame;
	return false;
}

bool xsk_look(struct xsk *xsk, struct xsk_frame *frame)
{
	(void)xsk;
	(void)frame;
	return false;
}

bool xsk_pending(const struct xsk *xsk)
{
	(void)xsk;
	return false;
}

bool xsk_give(struct xsk *xsk, uint32_t chunk)
{
	(void)xsk;
	(void)chunk;
	return false;
}

void xsk_refill(struct xsk *xsk)
{
	(void)xsk;
}

struct xsk_tags xsk_take_tags(const struct xsk_frame *frame)
{
	(void)frame;
	return (struct xsk_tags){ 0 };
}

uint32_t xsk_chunks(const struct xsk *xsk)
{
	(void)xsk;
	return 0;
}

uint32_t xsk_slice(const struct xsk *xsk)
{
	(void)xsk;
	return 0;
}

enum xsk_mode xsk_mode(const struct xsk *xsk)
{
	(void)xsk;
	return XSK_NONE;
}

int xsk_fd(const struct xsk *xsk)
{
	(void)xsk;
	return -1;
}

int xsk_error(const struct xsk *xsk)
{
	(void)xsk;
	return -EOPNOTSUPP;
}

uint64_t xsk_lost(const struct xsk *xsk)
{
	(void)xsk;
	return 0;
}

void xsk_rule_del(struct xsk_rule *rule)
{
	(void)rule;
}

int xsk_rule_renew(struct xsk_rule *rule, uint64_t ns)
{
	(void)rule;
	(void)ns;
	return -EOPNOTSUPP;
}

int xsk_rule_change(struct xsk_rule *rule, const struct xsk_rule_attr *attr)
{
	(void)rule;
	(void)attr;
	return -EOPNOTSUPP;
}

int xsk_bind_number(struct xsk *xsk, uint16_t number, struct xsk_why *why)
{
	(void)xsk;
	(void)number;
	return xsk_explain(why, XSK_STEP_BUILT, -EOPNOTSUPP, "", 0);
}

void xsk_fork_prepare(void)
{
}

void xsk_fork_parent(void)
{
}

void xsk_fork_child(void)
{
}
