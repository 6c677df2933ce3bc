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
	h->is_copy = false;
	return h;
}

static int refuse_copy(const char *ifname, char *reason)
{
	snprintf(reason, REASON_MAX,
		 "%s gives copies only, which DOCA_ZC=xdp would take", ifname);
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

	if (h->is_copy && xdp_wanted() == WANT_AUTO)
		return refuse_copy(ifname, reason);
	err = pool_open_host(h->field, &attr, &h->xsk, &why);
	if (err) {
		snprintf(reason, REASON_MAX, "%s", why.text);
		return err;
	}
	h->is_copy = xdp_get()->mode(h->xsk) != XSK_ZEROCOPY;
	if (!h->is_copy || xdp_wanted() != WANT_AUTO)
		return 0;
	pool_close_host(h->field);
	h->xsk = NULL;
	return refuse_copy(ifname, reason);
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
