// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The steering of frames: for each interface with a queue or a rule of this process, the
 * XDP program and the contents of its maps. A rule is in the map while its queue exists;
 * otherwise its frames go to the kernel.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define OVER 1 /* a lease that is over, since the machine was started */

struct xsk_rule {
	struct xsk_rule *next;
	struct port *port;
	struct steer_match match;
	enum steer_action action;
	uint16_t number;
	struct xsk_tags tags;
	uint64_t until;
	bool installed;
};

struct port {
	struct port *next;
	struct sys_program *program;
	struct xsk *xsks;
	struct xsk_rule *rules;
	uint64_t receivers; /* bitmap of the places in use */
	int ifindex;
	uint64_t namespace; /* the namespace that has this number */
	bool late; /* its program runs behind the driver */
	pid_t pid; /* pid of its creator; a child of a fork makes its own */
	char ifname[16];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct port *ports;

void xsk_fork_prepare(void)
{
	pthread_mutex_lock(&lock);
}

void xsk_fork_parent(void)
{
	pthread_mutex_unlock(&lock);
}

/*
 * The parent's ports stay in the list, for their parts are freed as ever. Queues that share
 * memory come before the one that owns it.
 */
void xsk_fork_child(void)
{
	struct port *port;
	struct xsk *xsk;

	for (port = ports; port; port = port->next) {
		sys_program_leave(port->program);
		for (xsk = port->xsks; xsk; xsk = xsk->next)
			sockets_close(xsk);
	}
	pthread_mutex_unlock(&lock);
}

/* If it is not, its maps steer the frames of the parent. */
static bool port_is_own(const struct port *port)
{
	return port->pid == getpid();
}

static struct port *port_find(int ifindex, uint64_t namespace)
{
	struct port *port;

	for (port = ports; port; port = port->next)
		if (port->ifindex == ifindex && port->namespace == namespace &&
		    port_is_own(port))
			return port;
	return NULL;
}

static int port_get(const char *ifname, struct port **out, struct xsk_why *why)
{
	int ifindex = sys_ifindex(ifname), err;
	enum xsk_step step = XSK_STEP_PROGRAM;
	uint64_t namespace = sys_namespace();
	struct port *port;

	if (ifindex < 0) {
		xsk_explain(why, XSK_STEP_INTERFACE, ifindex, ifname, 0);
		return ifindex;
	}
	*out = port_find(ifindex, namespace);
	if (*out)
		return 0;
	port = calloc(1, sizeof(*port));
	if (!port) {
		xsk_explain(why, XSK_STEP_PROGRAM, -ENOMEM, ifname, 0);
		return -ENOMEM;
	}
	err = sys_program_attach(&port->program, ifindex, &port->late, &step);
	if (err) {
		free(port);
		xsk_explain(why, step, err, ifname, 0);
		return err;
	}
	port->ifindex = ifindex;
	port->namespace = namespace;
	port->pid = getpid();
	strncpy(port->ifname, ifname, sizeof(port->ifname) - 1);
	port->next = ports;
	ports = port;
	*out = port;
	return 0;
}

static void port_put(struct port *port)
{
	struct port **at;

	if (port->xsks || port->rules)
		return;
	for (at = &ports; *at != port; at = &(*at)->next)
		;
	*at = port->next;
	sys_program_detach(port->program);
	free(port);
}

static const struct xsk *xsk_numbered(const struct port *port, uint16_t number)
{
	const struct xsk *xsk;

	for (xsk = port->xsks; xsk; xsk = xsk->next)
		if (xsk->numbered && xsk->number == number)
			return xsk;
	return NULL;
}

/* Bring the map up to date for a rule. */
static int rule_apply(struct xsk_rule *rule)
{
	const struct xsk *xsk = xsk_numbered(rule->port, rule->number);
	struct steer_target target = { .until = rule->until,
				       .action = rule->action,
				       .flow_tag = rule->tags.flow_tag,
				       .metadata = rule->tags.metadata };
	int err = 0;

	if (!port_is_own(rule->port))
		return -EBADF;
	if (rule->action == STEER_QUEUE && xsk) {
		target.base = xsk->receiver * STEER_QUEUES;
		target.room = xsk->room;
	}
	if (rule->action != STEER_QUEUE || xsk) {
		err = sys_program_set_rule(rule->port->program, &rule->match,
					   &target);
		rule->installed |= !err;
	} else if (rule->installed) {
		sys_program_set_rule(rule->port->program, &rule->match, NULL);
		rule->installed = false;
	}
	return err;
}

static int apply_number(struct port *port, uint16_t number)
{
	struct xsk_rule *rule;
	int err;

	for (rule = port->rules; rule; rule = rule->next) {
		if (rule->action != STEER_QUEUE || rule->number != number)
			continue;
		err = rule_apply(rule);
		if (err)
			return err;
	}
	return 0;
}

static int set_sockets(struct xsk *xsk)
{
	uint32_t base = xsk->receiver * STEER_QUEUES, i;
	int err;

	for (i = 0; i < xsk->nr_queues; i++) {
		err = sys_program_set_socket(xsk->port->program, base + i,
					     xsk->queues[i].fd);
		if (err)
			return err;
	}
	return 0;
}

static int add_xsk(struct port *port, struct xsk *xsk, struct xsk_why *why)
{
	int err = -ENOSPC;

	if (~port->receivers) {
		xsk->port = port;
		xsk->receiver = __builtin_ctzll(~port->receivers);
		err = set_sockets(xsk);
	}
	if (err) {
		port_put(port);
		return xsk_explain(why, XSK_STEP_MAP, err, xsk->ifname, 0);
	}
	port->receivers |= 1ull << xsk->receiver;
	xsk->next = port->xsks;
	port->xsks = xsk;
	return 0;
}

int port_add_xsk(struct xsk *xsk, struct xsk_why *why)
{
	struct port *port;
	int err;

	pthread_mutex_lock(&lock);
	err = port_get(xsk->ifname, &port, why);
	if (!err)
		err = add_xsk(port, xsk, why);
	if (!err && port->late)
		xsk->mode = XSK_LATE;
	pthread_mutex_unlock(&lock);
	return err;
}

/* First change the rules, then the sockets: so frames go to the kernel and are not lost. */
static void del_xsk(struct port *port, struct xsk *xsk)
{
	uint32_t base = xsk->receiver * STEER_QUEUES, i;

	xsk->numbered = false;
	apply_number(port, xsk->number);
	for (i = 0; i < xsk->nr_queues; i++)
		sys_program_set_socket(port->program, base + i, -1);
	port->receivers &= ~(1ull << xsk->receiver);
}

/* The parent's kernel objects stay as they are in the child of a fork; only memory is freed. */
void port_del_xsk(struct xsk *xsk, bool forked)
{
	struct port *port = xsk->port;
	struct xsk **at;

	pthread_mutex_lock(&lock);
	for (at = &port->xsks; *at != xsk; at = &(*at)->next)
		;
	*at = xsk->next;
	if (!forked)
		del_xsk(port, xsk);
	port_put(port);
	pthread_mutex_unlock(&lock);
}

/* Rules of the number that it had before lead to the kernel again. */
static int renumber(struct xsk *xsk, bool numbered, uint16_t number)
{
	uint16_t before = xsk->number;
	bool had = xsk->numbered;

	xsk->numbered = numbered;
	xsk->number = number;
	if (had)
		apply_number(xsk->port, before);
	return numbered ? apply_number(xsk->port, number) : 0;
}

int xsk_bind_number(struct xsk *xsk, uint16_t number, struct xsk_why *why)
{
	uint16_t before = xsk->number;
	bool had = xsk->numbered;
	int err = -EBUSY;

	pthread_mutex_lock(&lock);
	if (!port_is_own(xsk->port)) {
		err = -EBADF;
	} else if (!xsk_numbered(xsk->port, number)) {
		err = renumber(xsk, true, number);
		if (err)
			renumber(xsk, had, before);
	}
	pthread_mutex_unlock(&lock);
	return err ? xsk_explain(why, XSK_STEP_MAP, err, xsk->ifname, 0) : 0;
}

static const struct xsk_rule *rule_like(const struct port *port,
					const struct steer_match *match)
{
	const struct xsk_rule *rule;

	for (rule = port->rules; rule; rule = rule->next)
		if (!memcmp(&rule->match, match, sizeof(*match)))
			return rule;
	return NULL;
}

static int add_rule(struct xsk_rule *rule, const char *ifname,
		    struct xsk_why *why)
{
	struct port *port;
	int err = port_get(ifname, &port, why);

	if (err)
		return err;
	rule->port = port;
	err = rule_like(port, &rule->match) ? -EEXIST : rule_apply(rule);
	if (err) {
		port_put(port);
		return xsk_explain(why, XSK_STEP_MAP, err, ifname, 0);
	}
	rule->next = port->rules;
	port->rules = rule;
	return 0;
}

static uint64_t end_of(uint64_t lease)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return lease ? now.tv_sec * 1000000000ull + now.tv_nsec + lease : 0;
}

static void set_target(struct xsk_rule *rule, const struct xsk_rule_attr *attr)
{
	rule->action = attr->action;
	rule->number = attr->number;
	rule->tags = attr->tags;
	rule->until = end_of(attr->lease);
}

int xsk_rule_add(struct xsk_rule **out, const char *ifname,
		 const struct xsk_rule_attr *attr, struct xsk_why *why)
{
	struct xsk_rule *rule = calloc(1, sizeof(*rule));
	int err;

	if (!rule)
		return xsk_explain(why, XSK_STEP_MAP, -ENOMEM, ifname, 0);
	rule->match = attr->match;
	set_target(rule, attr);
	pthread_mutex_lock(&lock);
	err = add_rule(rule, ifname, why);
	pthread_mutex_unlock(&lock);
	if (err)
		free(rule);
	else
		*out = rule;
	return err;
}

void xsk_rule_del(struct xsk_rule *rule)
{
	struct port *port = rule->port;
	struct xsk_rule **at;

	pthread_mutex_lock(&lock);
	for (at = &port->rules; *at != rule; at = &(*at)->next)
		;
	*at = rule->next;
	if (rule->installed && port_is_own(port))
		sys_program_set_rule(port->program, &rule->match, NULL);
	port_put(port);
	pthread_mutex_unlock(&lock);
	free(rule);
}

int xsk_rule_renew(struct xsk_rule *rule, uint64_t ns)
{
	int err;

	pthread_mutex_lock(&lock);
	rule->until = ns ? end_of(ns) : OVER;
	err = rule_apply(rule);
	pthread_mutex_unlock(&lock);
	return err;
}

/* Change it in one step, so that no frame goes astray meanwhile. */
int xsk_rule_change(struct xsk_rule *rule, const struct xsk_rule_attr *attr)
{
	struct xsk_rule before;
	int err;

	pthread_mutex_lock(&lock);
	before = *rule;
	set_target(rule, attr);
	err = rule_apply(rule);
	if (err)
		*rule = before;
	pthread_mutex_unlock(&lock);
	return err;
}
