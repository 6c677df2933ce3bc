// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Interfaces with bypasses: the interface's socket has the memory, and receives nothing
 * itself. All of it is under the lock of all bypasses.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bypass.h"

#define ROOM (BUFFER_SIZE - XSK_XDP_HEADROOM)

static struct interface *interfaces;

void interfaces_leave_to_parent(void)
{
	for (struct interface *h = interfaces; h; h = h->next) {
		if (h->xsk)
			xdp_get()->close(h->xsk, true);
		h->xsk = NULL;
		h->users = 0;
	}
}

/* Each namespace numbers its own interfaces. */
static struct interface *find(const struct route *route)
{
	struct interface *h;

	for (h = interfaces; h; h = h->next)
		if (h->ifindex == route->ifindex &&
		    h->namespace == route->namespace)
			return h;
	return NULL;
}

static struct interface *find_idle(void)
{
	struct interface *h;

	for (h = interfaces; h; h = h->next)
		if (!h->users)
			return h;
	return NULL;
}

/* Return NULL also if all buffers are in use. */
static struct interface *make(void)
{
	struct interface *h = calloc(1, sizeof(*h));

	if (!h || pool_field(&h->field, &h->memory, &h->length)) {
		free(h);
		return NULL;
	}
	h->next = interfaces;
	interfaces = h;
	return h;
}

/* Interfaces come and go: the buffers of an unused one are reused for another. */
static struct interface *find_or_make(const struct route *route, char *reason)
{
	struct interface *h = find(route);

	if (h)
		return h;
	h = make();
	if (!h)
		h = find_idle();
	if (!h) {
		snprintf(reason, REASON_MAX,
			 "there are no buffers for another interface");
		return NULL;
	}
	h->ifindex = route->ifindex;
	h->namespace = route->namespace;
	h->mode = XSK_NONE;
	return h;
}

/*
 * Behind the driver the kernel may have merged datagrams, or has yet to segment them: only the
 * kernel knows where one ends.
 */
static int check_mode(const struct interface *h, const char *ifname,
		      char *reason)
{
	if (h->mode == XSK_LATE)
		snprintf(
			reason, REASON_MAX,
			"%s has no XDP of its own in its driver; behind that, frames may have been merged",
			ifname);
	else if (h->mode == XSK_COPY && xdp_wanted() == WANT_AUTO)
		snprintf(reason, REASON_MAX,
			 "%s gives copies only, which DOCA_ZC=xdp would take",
			 ifname);
	else
		return 0;
	return -EOPNOTSUPP;
}

static int open_interface(struct interface *h, const char *ifname, char *reason)
{
	struct xsk_attr attr = { .ifname = ifname,
				 .memory = h->memory,
				 .length = h->length,
				 .chunk = BUFFER_SIZE,
				 .room = ROOM,
				 .burst = 1 };
	struct xsk_why why = {};
	int err;

	if (!xdp_get()->has_own_hook(h->ifindex))
		h->mode = XSK_LATE;
	err = check_mode(h, ifname, reason);
	if (err)
		return err;
	err = pool_open_host(h->field, &attr, &h->xsk, &why);
	if (err) {
		snprintf(reason, REASON_MAX, "%s", why.text);
		return err;
	}
	h->mode = xdp_get()->mode(h->xsk);
	err = check_mode(h, ifname, reason);
	if (!err)
		return 0;
	pool_close_host(h->field);
	h->xsk = NULL;
	return err;
}

struct interface *interface_get(const struct route *route, char *reason)
{
	struct interface *h = find_or_make(route, reason);

	if (!h || (!h->xsk && open_interface(h, route->ifname, reason)))
		return NULL;
	h->users++;
	return h;
}

void interface_put(struct interface *interface)
{
	if (--interface->users)
		return;
	pool_close_host(interface->field);
	interface->xsk = NULL;
}
