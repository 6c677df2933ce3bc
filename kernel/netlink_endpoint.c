// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Listings of endpoints and of their connections, with a reference to one queue at a time; of the
 * other end of a connection only numbers are read, under the connection's lock.
 */
#include <net/genetlink.h>

#include "attached.h"
#include "conn.h"
#include "file.h"
#include "listen.h"
#include "netlink_endpoint.h"
#include "netlink_put.h"
#include "queue.h"

static u32 doca_nl_role(const struct doca_endpoint *endpoint)
{
	static_assert((int)DOCA_GENL_ROLE_SERVER == (int)DOCA_ROLE_SERVER);
	static_assert((int)DOCA_GENL_ROLE_CLIENT == (int)DOCA_ROLE_CLIENT);
	static_assert((int)DOCA_GENL_ROLE_PRODUCER == (int)DOCA_ROLE_PRODUCER);
	static_assert((int)DOCA_GENL_ROLE_CONSUMER == (int)DOCA_ROLE_CONSUMER);

	return READ_ONCE(endpoint->role);
}

static int doca_nl_put_queue_of(struct sk_buff *skb,
				const struct doca_queue *queue)
{
	return nla_put_u32(skb, DOCA_GENL_A_QUEUE_ID, queue->id) ||
	       doca_nl_put_device_of(skb, queue->device) ||
	       nla_put_u32(skb, DOCA_GENL_A_ROLE,
			   doca_nl_role(queue->endpoint));
}

static int doca_nl_put_inbox(struct sk_buff *skb, struct doca_inbox *inbox)
{
	u32 tail, nr_used;
	bool starved;

	spin_lock(&inbox->lock);
	tail = inbox->tail;
	nr_used = inbox->nr_used;
	starved = inbox->starved;
	spin_unlock(&inbox->lock);
	return nla_put_u32(skb, DOCA_GENL_A_EV_ENTRIES, inbox->nr_events) ||
	       nla_put_u32(skb, DOCA_GENL_A_EV_TAIL, tail) ||
	       nla_put_u32(skb, DOCA_GENL_A_EV_HEAD,
			   READ_ONCE(inbox->queue->ring.u->ev_head)) ||
	       doca_nl_put_flag(skb, DOCA_GENL_A_EV_STARVED, starved) ||
	       nla_put_u32(skb, DOCA_GENL_A_RECV_SLOTS, inbox->nr_slots) ||
	       nla_put_u32(skb, DOCA_GENL_A_RECV_USED, nr_used);
}

static int doca_nl_put_server(struct sk_buff *skb,
			      struct doca_endpoint *endpoint)
{
	struct doca_listen_info info;

	if (!doca_listen_info(endpoint, &info))
		return 0;
	return nla_put_u32(skb, DOCA_GENL_A_FUNCTION_ID, info.function_id) ||
	       nla_put_string(skb, DOCA_GENL_A_FUNCTION_NAME, info.function) ||
	       nla_put_u32(skb, DOCA_GENL_A_MAX_MESSAGE, info.max_message) ||
	       nla_put_string(skb, DOCA_GENL_A_SERVER_NAME, info.name);
}

static int doca_nl_put_attached(struct sk_buff *skb,
				const struct doca_endpoint *endpoint)
{
	const struct doca_attached *at = doca_endpoint_attached(endpoint);

	return at ? nla_put_u32(skb, DOCA_GENL_A_ATTACHED_ID, at->id) : 0;
}

static int doca_nl_put_endpoint(const struct doca_nl_out *out,
				const struct doca_file *file,
				const struct doca_queue *queue)
{
	struct doca_endpoint *endpoint = queue->endpoint;
	struct sk_buff *skb = out->skb;
	void *hdr = doca_nl_begin(out, file);

	if (!hdr)
		return -EMSGSIZE;
	return doca_nl_end(out, hdr,
		doca_nl_put_queue_of(skb, queue) ||
		doca_nl_put_inbox(skb, &endpoint->inbox) ||
		nla_put_u32(skb, DOCA_GENL_A_CONNECTIONS,
			    READ_ONCE(endpoint->nr_ends)) ||
		doca_nl_put_server(skb, endpoint) ||
		doca_nl_put_attached(skb, endpoint));
}

int doca_nl_list_endpoints(const struct doca_nl_out *out,
			   struct doca_file *file, u32 *queue)
{
	struct doca_queue *one;
	unsigned long id;
	int rc;

	for (id = *queue; (one = doca_queue_next(file, &id)); id++) {
		rc = one->endpoint ? doca_nl_put_endpoint(out, file, one) : 0;
		doca_queue_put(one);
		if (rc) {
			*queue = id;
			return rc;
		}
	}
	return 0;
}

/* Without privilege leave out whom others' ends belong to. */
static int doca_nl_put_peer(const struct doca_nl_out *out,
			    const struct doca_file *file,
			    const struct doca_conn_info *info)
{
	if (!info->peer_user ||
	    (!out->privileged && info->peer_user != file->user))
		return 0;
	return nla_put_u32(out->skb, DOCA_GENL_A_PEER_FILE_ID,
			   info->peer_file) ||
	       nla_put_u32(out->skb, DOCA_GENL_A_PEER_QUEUE_ID,
			   info->peer_queue) ||
	       nla_put_u32(out->skb, DOCA_GENL_A_PEER_CONNECTION_ID,
			   info->peer_id);
}

static int doca_nl_put_connection(const struct doca_nl_out *out,
				  const struct doca_file *file,
				  const struct doca_queue *queue,
				  const struct doca_conn_info *info)
{
	struct sk_buff *skb = out->skb;
	void *hdr = doca_nl_begin(out, file);

	if (!hdr)
		return -EMSGSIZE;
	return doca_nl_end(out, hdr,
		doca_nl_put_queue_of(skb, queue) ||
		nla_put_u32(skb, DOCA_GENL_A_CONNECTION_ID, info->id) ||
		nla_put_u32(skb, DOCA_GENL_A_MAX_MESSAGE, info->max_message) ||
		nla_put_u32(skb, DOCA_GENL_A_PRODUCERS,
			    info->nr_attached[DOCA_CONN_PRODUCER]) ||
		nla_put_u32(skb, DOCA_GENL_A_CONSUMERS,
			    info->nr_attached[DOCA_CONN_CONSUMER]) ||
		nla_put_u32(skb, DOCA_GENL_A_WAITING, info->nr_parked) ||
		doca_nl_put_peer(out, file, info));
}

/* List the connections of one queue, from the part on with which the last message has ended. */
static int doca_nl_list_of(const struct doca_nl_out *out,
			   const struct doca_file *file,
			   const struct doca_queue *queue)
{
	struct doca_conn_info info;
	struct doca_conn_end *end;
	int rc = 0;

	while ((end = doca_conn_next(queue->endpoint, out->part))) {
		if (doca_conn_info(end, &info))
			rc = doca_nl_put_connection(out, file, queue, &info);
		doca_conn_put(end->conn);
		if (rc)
			return rc;
		++*out->part;
	}
	*out->part = 0;
	return 0;
}

int doca_nl_list_connections(const struct doca_nl_out *out,
			     struct doca_file *file, u32 *queue)
{
	struct doca_queue *one;
	unsigned long id;
	int rc;

	for (id = *queue; (one = doca_queue_next(file, &id)); id++) {
		/* The queue with which the last message has ended may be gone. */
		if (id != *queue)
			*out->part = 0;
		*queue = id;
		rc = one->endpoint ? doca_nl_list_of(out, file, one) : 0;
		doca_queue_put(one);
		if (rc)
			return rc;
	}
	return 0;
}
