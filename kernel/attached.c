// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The common part of producers and consumers, which belong to an end of a connection. */
#include "attached.h"

void doca_attached_init(struct doca_attached *attached,
			struct doca_endpoint *endpoint,
			struct doca_conn_end *end, enum doca_conn_kind kind)
{
	attached->endpoint = endpoint;
	attached->end = end;
	kref_get(&end->conn->ref);
	attached->kind = kind;
	INIT_LIST_HEAD(&attached->node);
}

bool doca_attached_end(struct doca_attached *attached)
{
	struct doca_conn_end *end = attached->end;
	bool first = !attached->ended;

	lockdep_assert_held(&end->conn->lock);
	attached->ended = true;
	if (first && attached->linked) {
		list_del_init(&attached->node);
		end->nr_attached[attached->kind]--;
	}
	return first;
}

void doca_attached_tell(struct doca_attached *attached, bool hears, u16 status)
{
	struct doca_inbox *inbox = &attached->endpoint->inbox;
	const struct doca_event event = {
		.type = DOCA_EVENT_DISCONNECTED,
		.status = status,
		.connection = attached->end->id,
	};

	if (!attached->linked)
		return;
	spin_lock(&inbox->lock);
	if (hears)
		doca_inbox_put(inbox, &event);
	else
		doca_inbox_forgo(inbox, 1);
	spin_unlock(&inbox->lock);
}
