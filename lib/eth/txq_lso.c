// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * The task that segments its data: it sends headers before each MSS bytes of the
 * payload, corrected for that part.
 */
#include <string.h>

#include <doca_error.h>

#include "core/exec/task_bufs.h"
#include "txq.h"

LOG_SOURCE("ETH::TXQ");

enum { TCP_FIN = 1, TCP_PSH = 8, TCP_CWR = 128 };

static uint64_t payload_length(const struct doca_task *task)
{
	const struct doca_buf *buf;
	uint64_t length = 0;

	for (buf = task_src(task); buf; buf = doca_priv_buf_next(buf))
		length += buf->data_len;
	return length;
}

/* A list without an end is too long, too. */
static uint32_t header_length(const struct doca_gather_list *headers)
{
	uint64_t length = 0;
	uint32_t n = 0;

	for (; headers; headers = headers->next) {
		length += headers->len;
		if (length > ETH_MAX_LSO_HEADER || ++n > ETH_MAX_SEND_LIST)
			return UINT32_MAX;
	}
	return length;
}

static uint8_t header_byte(const struct doca_gather_list *headers, uint32_t at)
{
	for (; at >= headers->len; headers = headers->next)
		at -= headers->len;
	return ((const uint8_t *)headers->addr)[at];
}

static bool is_tagged(const struct doca_gather_list *headers)
{
	const uint8_t type[] = { header_byte(headers, TX_TYPE_AT),
				 header_byte(headers, TX_TYPE_AT + 1) };

	return get_be16(type) == TX_TYPE_VLAN;
}

static uint32_t mss_of(const struct doca_task *task)
{
	uint16_t mss = tx_of(task)->mss;

	return mss ? mss : txq_of(task->ctx)->mss;
}

uint32_t tx_lso_frames(const struct doca_task *task)
{
	uint32_t mss = mss_of(task);

	return (payload_length(task) + mss - 1) / mss;
}

static doca_error_t lso_refused(const struct doca_task *task, const char *why,
				uint32_t is, uint32_t limit)
{
	return FAIL(INVALID_VALUE, "LSO task %p: %s: %u, %u",
		    (const void *)task, why, is, limit);
}

doca_error_t tx_lso_check(const struct doca_task *task)
{
	const struct doca_eth_txq *txq = txq_of(task->ctx);
	uint32_t header = header_length(tx_of(task)->headers);
	uint32_t mss = mss_of(task);
	uint64_t length = 0;
	doca_error_t ret = tx_check(task, &length);

	if (ret != DOCA_SUCCESS)
		return ret;
	if (header < 14 || header > txq->max_header)
		return lso_refused(task,
				   "its headers have less than 14 bytes, "
				   "or more than the queue was told of",
				   header, txq->max_header);
	if (!mss)
		return lso_refused(task,
				   "there is no MSS, of it or of the "
				   "queue",
				   0, UINT16_MAX);
	if (header + mss > txq->packet.max_tagged ||
	    (header + mss > txq->packet.max_frame &&
	     !is_tagged(tx_of(task)->headers)))
		return lso_refused(task,
				   "headers and MSS are more than the "
				   "interface takes",
				   header + mss, txq->packet.max_frame);
	if (tx_lso_frames(task) > txq->packet.slots)
		return lso_refused(task, "it has more frames than the queue",
				   tx_lso_frames(task), txq->packet.slots);
	return DOCA_SUCCESS;
}

static doca_error_t lso_validate(const struct doca_task *task)
{
	tx_batch_load((struct doca_task *)task);
	return tx_lso_check(task);
}

static void lso_finish(struct doca_task *task, uint32_t length,
		       const uint64_t *result)
{
	(void)length;
	(void)result;
	task_unhold_bufs(task);
}

/* Values from the headers, whose lengths fit no segment. */
struct lso {
	uint8_t bytes[ETH_MAX_LSO_HEADER];
	uint32_t length;
	uint32_t l3; /* 0: not a known one */
	uint32_t l4;
	uint8_t version;
	uint8_t protocol;
};

/* The parser refuses lengths that are too large. */
static void set_lengths(uint8_t *frame, const struct lso *lso, uint32_t length)
{
	uint8_t *ip = frame + lso->l3;
	uint32_t l3_length = length - lso->l3;

	if (lso->version == 4)
		put_be16(ip + 2, l3_length);
	else
		put_be16(ip + 4, l3_length - 40);
	if (lso->l4 && lso->protocol == FRAME_UDP)
		put_be16(frame + lso->l4 + 4, length - lso->l4);
}

static uint32_t find_ip(const uint8_t *bytes, uint32_t length)
{
	uint32_t at = 14;

	while (at + 4 <= length && at < 22 &&
	       (get_be16(bytes + at - 2) == 0x8100 ||
		get_be16(bytes + at - 2) == 0x88a8))
		at += 4;
	if (get_be16(bytes + at - 2) == 0x0800 && length >= at + 20)
		return at;
	if (get_be16(bytes + at - 2) == 0x86dd && length >= at + 40)
		return at;
	return 0;
}

static void read_headers(struct lso *lso, const struct doca_gather_list *list)
{
	struct frame_view view;

	/* The list may have changed since it was checked. */
	for (; list && list->len <= sizeof(lso->bytes) - lso->length;
	     list = list->next) {
		memcpy(lso->bytes + lso->length, list->addr, list->len);
		lso->length += list->len;
	}
	lso->l3 = find_ip(lso->bytes, lso->length);
	if (!lso->l3)
		return;
	lso->version = lso->bytes[lso->l3] >> 4;
	set_lengths(lso->bytes, lso, lso->length);
	frame_parse(lso->bytes, lso->length, &view);
	if (!view.version) {
		lso->l3 = 0;
		return;
	}
	lso->protocol = view.protocol;
	lso->l4 = view.l4;
}

/*
 * @done: bytes of payload before it
 */
static void set_tcp(uint8_t *tcp, uint32_t done, bool first, bool last)
{
	put_be32(tcp + 4, get_be32(tcp + 4) + done);
	if (!last)
		tcp[13] &= ~(TCP_FIN | TCP_PSH);
	if (!first)
		tcp[13] &= ~TCP_CWR;
}

static void finish_frame(uint8_t *frame, const struct lso *lso, uint32_t n,
			 uint32_t done, uint32_t length, bool last)
{
	struct frame_view view;

	if (!lso->l3)
		return;
	set_lengths(frame, lso, length);
	if (lso->version == 4)
		put_be16(frame + lso->l3 + 4,
			 get_be16(frame + lso->l3 + 4) + n);
	if (lso->l4 && lso->protocol == FRAME_TCP)
		set_tcp(frame + lso->l4, done, !n, last);
	frame_parse(frame, length, &view);
	frame_set_l3_sum(frame, &view);
	frame_set_l4_sum(frame, &view);
}

void tx_put_lso(struct doca_eth_txq *txq, const struct doca_task *task)
{
	uint64_t total = payload_length(task);
	uint32_t mss = mss_of(task), done = 0, n = 0, part;
	struct lso lso = { .length = 0 };
	uint8_t *frame;

	read_headers(&lso, tx_of(task)->headers);
	for (; done < total; done += part, n++) {
		part = total - done < mss ? total - done : mss;
		frame = (uint8_t *)packet_data(&txq->packet, n);
		memcpy(frame, lso.bytes, lso.length);
		tx_copy((char *)frame + lso.length, task->src, done, part);
		finish_frame(frame, &lso, n, done, lso.length + part,
			     done + part == total);
		packet_set_length(&txq->packet, n, lso.length + part);
	}
}

DEFINE_TASK(doca_eth_txq_task_lso_send)

const struct task_type eth_txq_lso = {
	TASK_OBJECT(doca_eth_txq_task_lso_send),
	.name = "LSO send",
	.src = { .name = "payload", .list = true, .data = true },
	.ask = eth_ask,
	.validate = lso_validate,
	.finish = lso_finish,
};

DEFINE_SET_CONF(doca_eth_txq_task_lso_send_set_conf, doca_eth_txq, TXQ_LSO,
		doca_eth_txq_task_lso_send)
DEFINE_ALLOC(doca_eth_txq, TXQ_LSO, doca_eth_txq_task_lso_send)
DEFINE_AS_TASK(doca_eth_txq_task_lso_send_as_doca_task,
	       doca_eth_txq_task_lso_send)
DEFINE_SET_BUF(doca_eth_txq_task_lso_send_set_pkt_payload,
	       doca_eth_txq_task_lso_send, struct doca_buf, src)
DEFINE_TASK_SET(doca_eth_txq_task_lso_send_set_ol_flags,
		doca_eth_txq_task_lso_send, uint16_t, tx.ol_flags)
DEFINE_TASK_SET(doca_eth_txq_task_lso_send_set_mss, doca_eth_txq_task_lso_send,
		uint16_t, tx.mss)
DEFINE_TASK_SET(doca_eth_txq_task_lso_send_set_headers,
		doca_eth_txq_task_lso_send, struct doca_gather_list *,
		tx.headers)

doca_error_t doca_eth_txq_task_lso_send_allocate_init(
	struct doca_eth_txq *eth_txq, struct doca_buf *pkt_payload,
	struct doca_gather_list *headers, union doca_data user_data,
	struct doca_eth_txq_task_lso_send **task_lso_send)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	if (!valid_or_null(pkt_payload))
		return DOCA_ERROR_INVALID_VALUE;
	ret = doca_eth_txq_task_lso_send_alloc_(eth_txq, user_data,
						task_lso_send, &site);
	if (ret == DOCA_SUCCESS) {
		task_set_src(&(*task_lso_send)->task, pkt_payload);
		(*task_lso_send)->tx = (struct tx_fields){ .headers = headers };
	}
	return ret;
}

/* NAME(task, &value) */
#define LSO_GET(name, constness, value_t, out, value)                       \
	doca_error_t name(                                                  \
		constness struct doca_eth_txq_task_lso_send *task_lso_send, \
		value_t *out)                                               \
	{                                                                   \
		static const struct log_site site = LOG_SITE;               \
                                                                            \
		if (!task_is(TASK_OF(task_lso_send),                        \
			     &doca_eth_txq_task_lso_send_object_, &site) || \
		    !given(out))                                            \
			return DOCA_ERROR_INVALID_VALUE;                    \
		*out = value;                                               \
		return DOCA_SUCCESS;                                        \
	}

LSO_GET(doca_eth_txq_task_lso_send_get_headers, const,
	struct doca_gather_list *, headers, task_lso_send->tx.headers)
LSO_GET(doca_eth_txq_task_lso_send_get_pkt_payload, const, struct doca_buf *,
	pkt_payload, task_src(&task_lso_send->task))
LSO_GET(doca_eth_txq_task_lso_send_get_metadata_array, , uint32_t *,
	metadata_array, task_lso_send->tx.metadata)
