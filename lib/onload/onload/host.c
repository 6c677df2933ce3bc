// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Interfaces on which ears are: the host's sockets have the memory, and receive nothing
 * themselves. All of it is under the lock of all ears.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "ear.h"

#define ROOM (BUFFER_SIZE - XSK_XDP_HEADROOM)

static struct host *hosts;

void hosts_leave_to_parent(void)
{
	for (struct host *h = hosts; h; h = h->next) {
		if (h->xsk)
			xdp_get()->close(h->xsk, true);
		h->xsk = NULL;
		h->users = 0;
	}
}

/* Namespaces number their interfaces each by itself. */
static struct host *find(const struct where *where)
{
	struct host *h;

	for (h = hosts; h; h = h->next)
		if (h->ifindex == where->ifindex &&
		    h->namespace == where->namespace)
			return h;
	return NULL;
}

static struct host *find_idle(void)
{
	struct host *h;

	for (h = hosts; h; h = h->next)
		if (!h->users)
			return h;
	return NULL;
}

/* NULL where all buffers are in use, too. */
static struct host *make(void)
{
	struct host *h = calloc(1, sizeof(*h));

	if (!h || pool_field(&h->field, &h->memory, &h->length)) {
		free(h);
		return NULL;
	}
	h->next = hosts;
	hosts = h;
	return h;
}

/* Interfaces come and go: the buffers of one that is not used any more do for another. */
static struct host *find_or_make(const struct where *where, char *reason)
{
	struct host *h = find(where);

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
	h->ifindex = where->ifindex;
	h->namespace = where->namespace;
	h->mode = XSK_NONE;
	return h;
}

/*
 * Behind the driver the kernel may have merged datagrams, or has yet to cut them in pieces: it alone
 * knows where one ends.
 */
static int check_mode(const struct host *h, const char *ifname, char *reason)
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

static int open_host(struct host *h, const char *ifname, char *reason)
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

struct host *host_get(const struct where *where, char *reason)
{
	struct host *h = find_or_make(where, reason);

	if (!h || (!h->xsk && open_host(h, where->ifname, reason)))
		return NULL;
	h->users++;
	return h;
}

void host_put(struct host *host)
{
	if (--host->users)
		return;
	pool_close_host(host->field);
	host->xsk = NULL;
}
