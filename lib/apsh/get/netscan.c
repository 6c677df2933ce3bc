// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Sockets: connections over networks, and within the machine. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "../private.h"
#include "socket.h"

LOG_SOURCE("APSH");

/* States of TCP, which other kinds of sockets use as well. */
enum { ESTABLISHED = 1, TIME_WAIT = 6, CLOSE = 7, LISTEN = 10, NEW_SYN = 12 };

struct doca_apsh_netscan {
	struct object object;
	u32 pid, fd, net_ns;
	u64 sk, local_port, remote_port;
	const char *comm, *protocol, *local, *remote, *state, *time, *family,
		*type, *filter;
	u64 sent, acked, received;
	bool counts_sent;
	u32 segs_in, segs_out, data_in, data_out;
	const char *netif_name;
	char **ipv4, **mac, **ipv6;
	u32 nr4, nr_mac, nr6;
};

/* The kind of a socket, as numbers. */
struct kind {
	u32 family, type, protocol, state;
	bool whole; /* false if it begins or ends: then its struct is short */
};

static bool is_inet(const struct kind *k)
{
	return k->family == AF_INET || k->family == AF_INET6;
}

static bool is_tcp(const struct kind *k)
{
	return is_inet(k) && k->protocol == IPPROTO_TCP;
}

static struct kind kind_of(struct view *v, u64 sk)
{
	struct kind k = {
		.family = (u32)view_field(v, sk, F_SKC_FAMILY),
		.state = (u32)view_field(v, sk, F_SKC_STATE),
		.type = SOCK_STREAM,
		.protocol = IPPROTO_TCP,
		.whole = true,
	};

	if (is_inet(&k) && (k.state == TIME_WAIT || k.state == NEW_SYN)) {
		k.whole = false;
		if (k.state == TIME_WAIT)
			k.state = (u32)view_field(v, sk, F_TW_STATE);
		return k;
	}
	k.type = (u32)view_field(v, sk, F_SK_TYPE);
	k.protocol = (u32)view_field(v, sk, F_SK_PROTOCOL);
	return k;
}

static const char *protocol_of(struct snapshot *s, const struct kind *k)
{
	switch (k->family) {
	case AF_UNIX:
		return "UNIX";
	case AF_NETLINK:
		return "NETLINK";
	case AF_PACKET:
		return "PACKET";
	case AF_VSOCK:
		return "VSOCK";
	case AF_INET:
	case AF_INET6:
		break;
	default:
		return snapshot_format(s, "AF_%u", k->family);
	}
	if (k->type == SOCK_RAW)
		return "RAW";
	switch (k->protocol) {
	case IPPROTO_TCP:
		return "TCP";
	case IPPROTO_UDP:
		return "UDP";
	case IPPROTO_UDPLITE:
		return "UDPLITE";
	case IPPROTO_ICMP:
	case IPPROTO_ICMPV6:
		return "ICMP";
	case IPPROTO_SCTP:
		return "SCTP";
	case IPPROTO_MPTCP:
		return "MPTCP";
	default:
		return snapshot_format(s, "IP_%u", k->protocol);
	}
}

static const char *family_of(struct snapshot *s, u32 family)
{
	static const char *const names[] = {
		[AF_UNIX] = "AF_UNIX",
		[AF_INET] = "AF_INET",
		[AF_INET6] = "AF_INET6",
		[AF_NETLINK] = "AF_NETLINK",
		[AF_PACKET] = "AF_PACKET",
		[AF_VSOCK] = "AF_VSOCK",
		[AF_BLUETOOTH] = "AF_BLUETOOTH",
		[AF_ALG] = "AF_ALG",
		[AF_XDP] = "AF_XDP",
	};

	if (family < ARRAY_SIZE(names) && names[family])
		return names[family];
	return snapshot_format(s, "AF_%u", family);
}

static const char *type_of(struct snapshot *s, u32 type)
{
	static const char *const names[] = {
		[SOCK_STREAM] = "STREAM",
		[SOCK_DGRAM] = "DGRAM",
		[SOCK_RAW] = "RAW",
		[SOCK_RDM] = "RDM",
		[SOCK_SEQPACKET] = "SEQPACKET",
	};

	if (type < ARRAY_SIZE(names) && names[type])
		return names[type];
	return snapshot_format(s, "%u", type);
}

static const char *state_of(struct snapshot *s, const struct kind *k)
{
	static const char *const names[] = {
		"",	      "ESTABLISHED", "SYN_SENT",  "SYN_RECV",
		"FIN_WAIT1",  "FIN_WAIT2",   "TIME_WAIT", "CLOSE",
		"CLOSE_WAIT", "LAST_ACK",    "LISTEN",	  "CLOSING",
		"SYN_RECV",
	};

	if (!is_tcp(k) && (k->state == CLOSE || !k->state))
		return "UNCONNECTED";
	if (k->state < ARRAY_SIZE(names))
		return names[k->state];
	return snapshot_format(s, "%u", k->state);
}

static const char *filter_of(struct call *c, u64 sk)
{
	struct view *v = &c->view;
	u64 filter = view_field(v, sk, F_SK_FILTER), prog;
	u8 tag[8];

	if (!filter)
		return "none";
	prog = view_field(v, filter, F_FILTER_PROG);
	if (view_field(v, prog, F_PROG_CLASSIC))
		return "cBPF";
	view_read_field(v, prog, F_PROG_TAG, tag, sizeof(tag));
	return snapshot_format(c->snap,
			       "eBPF tag=%02x%02x%02x%02x%02x%02x%02x%02x",
			       tag[0], tag[1], tag[2], tag[3], tag[4], tag[5],
			       tag[6], tag[7]);
}

static void add_inet(struct call *c, struct doca_apsh_netscan *o, u32 family)
{
	bool six = family == AF_INET6;
	struct view *v = &c->view;
	u8 address[16];

	view_read_field(v, o->sk, six ? F_SKC_LOCAL6 : F_SKC_LOCAL, address,
			six ? 16 : 4);
	o->local = address_text(c, (int)family, address);
	view_read_field(v, o->sk, six ? F_SKC_REMOTE6 : F_SKC_REMOTE, address,
			six ? 16 : 4);
	o->remote = address_text(c, (int)family, address);
	o->local_port = view_field(v, o->sk, F_SKC_LOCAL_PORT);
	o->remote_port = ntohs((u16)view_field(v, o->sk, F_SKC_REMOTE_PORT));
	view_identity(v, o->sk + offset_of_field(v, F_SKC_ADDRS), 8,
		      &o->object);
	view_identity(v, o->sk + offset_of_field(v, F_SKC_REMOTE_PORT), 2,
		      &o->object);
}

static void add_tcp(struct view *v, struct doca_apsh_netscan *o)
{
	o->sent = view_field(v, o->sk, F_TCP_SENT);
	o->acked = view_field(v, o->sk, F_TCP_ACKED);
	o->received = view_field(v, o->sk, F_TCP_RECEIVED);
	o->segs_in = (u32)view_field(v, o->sk, F_TCP_SEGS_IN);
	o->segs_out = (u32)view_field(v, o->sk, F_TCP_SEGS_OUT);
	o->data_in = (u32)view_field(v, o->sk, F_TCP_DATA_IN);
	o->data_out = (u32)view_field(v, o->sk, F_TCP_DATA_OUT);
}

/* Write a path, or @ and a name, as /proc/net/unix does. */
static void add_unix(struct call *c, struct doca_apsh_netscan *o)
{
	struct view *v = &c->view;
	u64 addr = view_field(v, o->sk, F_UNIX_ADDR);
	u64 len = addr ? view_field(v, addr, F_UNIX_LEN) : 0;
	size_t family = offsetof(struct sockaddr_un, sun_path);
	char path[sizeof(((struct sockaddr_un *)0)->sun_path) + 1] = "";

	if (len <= family || len - family > sizeof(path) - 1)
		return;
	len -= family;
	if (!view_read(v, NULL, addr + offset_of_field(v, F_UNIX_NAME) + family,
		       path, len))
		return;
	for (u64 i = *path ? len : 0; i < len; i++)
		if (!path[i])
			path[i] = '@';
	o->local = snapshot_string(c->snap, path);
}

/* Return the interface that it is bound to; else the one with its address. */
static const struct netif *netif_of(const struct doca_apsh_netscan *o,
				    const struct netif *list, u32 nr, u64 ns,
				    u32 bound, bool inet)
{
	for (u32 i = 0; i < nr; i++) {
		const struct netif *n = &list[i];

		if (n->ns != ns || (bound && n->index != bound))
			continue;
		if (bound)
			return n;
		for (u32 k = 0; inet && k < n->nr4; k++)
			if (!strcmp(n->ipv4[k], o->local))
				return n;
		for (u32 k = 0; inet && k < n->nr6; k++)
			if (!strcmp(n->ipv6[k], o->local))
				return n;
	}
	return NULL;
}

static void add_netif(struct doca_apsh_netscan *o, const struct netif *n)
{
	if (!n)
		return;
	o->netif_name = n->name;
	o->ipv4 = n->ipv4;
	o->nr4 = n->nr4;
	o->ipv6 = n->ipv6;
	o->nr6 = n->nr6;
	o->mac = n->mac;
	o->nr_mac = n->nr_mac;
}

static void want_sockets(struct view *v, const struct nodes *n)
{
	for (u32 i = 0; i < n->nr; i++) {
		view_want_field(v, n->list[i], F_SKC_REMOTE);
		view_want_field(v, n->list[i], F_SKC_NET);
		view_want_field(v, n->list[i], F_SK_TYPE);
	}
	view_flush(v);
}

static void add(struct call *c, u64 sk, const struct owner *by,
		const struct netif *netifs, u32 nr)
{
	struct doca_apsh_netscan *o = snapshot_add(c->snap, sizeof(*o));
	struct view *v = &c->view;
	struct kind k = kind_of(v, sk);
	u64 ns = view_field(v, sk, F_SKC_NET);

	if (!o)
		return;
	o->sk = sk;
	o->pid = by->pid;
	o->fd = by->fd;
	o->comm = snapshot_string(c->snap, by->comm);
	o->net_ns = ns ? (u32)view_field(v, ns, F_NET_INUM) : 0;
	o->local = o->remote = o->time = o->netif_name = "";
	o->protocol = protocol_of(c->snap, &k);
	o->family = family_of(c->snap, k.family);
	o->type = type_of(c->snap, k.type);
	o->state = state_of(c->snap, &k);
	o->filter = k.whole ? filter_of(c, sk) : "none";
	if (is_inet(&k))
		add_inet(c, o, k.family);
	else if (k.family == AF_UNIX)
		add_unix(c, o);
	if (is_tcp(&k) && k.whole)
		add_tcp(v, o);
	add_netif(o,
		  netif_of(o, netifs, nr, ns,
			   (u32)view_field(v, sk, F_SKC_DEVICE), is_inet(&k)));
	o->counts_sent = has(v, F_TCP_SENT);
	view_identity(v, sk + offset_of_field(v, F_SKC_NET), 8, &o->object);
	view_identity(v, sk + offset_of_field(v, F_SKC_FAMILY), 2, &o->object);
}

bool doca_priv_apsh_counts_sent(const struct doca_apsh_netscan *connection)
{
	return connection->counts_sent;
}

static void warn_once(struct call *c)
{
	if (has(&c->view, F_TCP_SENT) || c->system->warned_of_sent)
		return;
	c->system->warned_of_sent = true;
	LOG_WARN("the target's kernel does not count the bytes that TCP has "
		 "sent, as those before 4.19: they are 0");
}

static void fill(struct call *c)
{
	struct nodes namespaces = { 0 };
	struct netif *netifs = NULL;
	struct view *v = &c->view;
	struct sockets s = { 0 };
	u32 nr;

	if (net_known(c) && namespaces_get(c, &namespaces) &&
	    netifs_get(c, &namespaces, &netifs, &nr) &&
	    sockets_get(c, &namespaces, &s)) {
		warn_once(c);
		want_sockets(v, &s.nodes);
		for (u32 i = 0;
		     i < s.nodes.nr && view_on_time(v) && !c->snap->no_memory;
		     i++)
			add(c, s.nodes.list[i], &s.owners[i], netifs, nr);
	}
	sockets_free(&s);
	free(netifs);
	nodes_free(&namespaces);
}

static const struct getter netscan_getter = {
	.what = "sockets",
	.object = &apsh_netscan_object,
	.limit = -1,
	.gone = DOCA_ERROR_INITIALIZATION,
	.fill = fill,
};

DEFINE_SYSTEM_GET(doca_apsh_netscan_get, doca_apsh_netscan, connections,
		  connections_size, &netscan_getter)
DEFINE_PROCESS_GET(doca_apsh_process_netscan_get, doca_apsh_netscan,
		   connections, connections_size, &netscan_getter)
DEFINE_FREE(doca_apsh_netscan_free, doca_apsh_netscan, connections)

#define SOCKET(name, member) \
	ATTR(DOCA_APSH_NETSCAN_##name, doca_apsh_netscan, member)

static const struct attr attrs[] = {
	SOCKET(PID, pid),
	SOCKET(COMM, comm),
	SOCKET(PROTOCOL, protocol),
	SOCKET(LOCAL_ADDR, local),
	SOCKET(REMOTE_ADDR, remote),
	SOCKET(LOCAL_PORT, local_port),
	SOCKET(REMOTE_PORT, remote_port),
	SOCKET(STATE, state),
	SOCKET(TIME, time),
	ATTR_WINDOWS(DOCA_APSH_NETSCAN_WINDOWS_TIME),
	SOCKET(LINUX_FD, fd),
	SOCKET(LINUX_SOCKET_OFFSET, sk),
	SOCKET(LINUX_FAMILY, family),
	SOCKET(LINUX_TYPE, type),
	SOCKET(LINUX_FILTER, filter),
	SOCKET(LINUX_NET_NAMESPACE, net_ns),
	SOCKET(LINUX_TCP_BYTES_SENT, sent),
	SOCKET(LINUX_TCP_BYTES_ACKED, acked),
	SOCKET(LINUX_TCP_BYTES_RECEIVED, received),
	SOCKET(LINUX_TCP_SEGS_IN, segs_in),
	SOCKET(LINUX_TCP_SEGS_OUT, segs_out),
	SOCKET(LINUX_TCP_DATA_SEGS_IN, data_in),
	SOCKET(LINUX_TCP_DATA_SEGS_OUT, data_out),
	SOCKET(LINUX_INTERFACE_NAME, netif_name),
	SOCKET(LINUX_INTERFACE_IPV4_ARR, ipv4),
	SOCKET(LINUX_INTERFACE_IPV4_ARR_SIZE, nr4),
	SOCKET(LINUX_INTERFACE_MAC_ARR, mac),
	SOCKET(LINUX_INTERFACE_MAC_ARR_SIZE, nr_mac),
	SOCKET(LINUX_INTERFACE_IPV6_ARR, ipv6),
	SOCKET(LINUX_INTERFACE_IPV6_ARR_SIZE, nr6),
};

DEFINE_INFO_GET(__doca_apsh_netscan_info_get, doca_apsh_netscan,
		doca_apsh_netscan_attr, attrs, connection)
