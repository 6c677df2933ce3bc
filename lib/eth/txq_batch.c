// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/*
 * Batches of send tasks: the program writes the values for each task into arrays, which
 * are read when the batch is submitted.
 */
#include <stdlib.h>

#include <doca_error.h>

#include "txq.h"

LOG_SOURCE("ETH::TXQ");

/* For a batch of this queue: return its arrays, and its first index in them. */
static struct tx_arrays *arrays_of(const struct doca_task_batch *batch,
				   uint32_t *first)
{
	struct doca_eth_txq *txq = txq_of(batch->ctx);
	unsigned int nr = batch->pool->batches - txq->batches;

	*first = batch->first - txq->batches[nr].block[0].first;
	return &txq->arrays[nr];
}

void tx_batch_load(struct doca_task *task)
{
	const struct doca_task_batch *batch;
	struct tx_arrays *arrays;
	struct tx_fields *tx = tx_of(task);
	uint32_t at;

	if (!task->pool->batches)
		return;
	batch = list_entry(task->sink, struct doca_task_batch, sink);
	arrays = arrays_of(batch, &at);
	at += task->index - batch->first;
	task_set_src(task, arrays->pkts[at]);
	tx->headers = arrays->headers[at];
	tx->ol_flags = arrays->ol_flags[at];
	tx->mss = arrays->mss[at];
}

static void call_send(struct doca_task_batch *batch)
{
	doca_eth_txq_task_batch_send_completion_cb_t cb;
	uint32_t at;
	struct tx_arrays *arrays = arrays_of(batch, &at);

	cb = (doca_eth_txq_task_batch_send_completion_cb_t)(batch->status ==
									    DOCA_SUCCESS ?
								    batch->pool
									    ->done :
								    batch->pool
									    ->failed);
	cb(batch, batch->nr_tasks, batch->ctx->user_data, batch->user_data,
	   batch->task_user_data, arrays->pkts + at, batch->task_status);
}

static void call_lso(struct doca_task_batch *batch)
{
	doca_eth_txq_task_batch_lso_send_completion_cb_t cb;
	uint32_t at;
	struct tx_arrays *arrays = arrays_of(batch, &at);

	cb = (doca_eth_txq_task_batch_lso_send_completion_cb_t)(batch->status ==
										DOCA_SUCCESS ?
									batch->pool
										->done :
									batch->pool
										->failed);
	cb(batch, batch->nr_tasks, batch->ctx->user_data, batch->user_data,
	   batch->task_user_data, arrays->pkts + at, arrays->headers + at,
	   batch->task_status);
}

static const struct batch_type types[] = { { call_send }, { call_lso } };

/* Make one block, with the largest alignment first. */
static doca_error_t make_arrays(struct tx_arrays *arrays, size_t n)
{
	arrays->block = calloc(
		n, sizeof(*arrays->pkts) + sizeof(*arrays->headers) +
			   sizeof(*arrays->metadata) +
			   sizeof(*arrays->ol_flags) + sizeof(*arrays->mss));
	if (!arrays->block)
		return FAIL(INITIALIZATION,
			    "cannot start the send queue: no memory for "
			    "batches of %zu tasks",
			    n);
	arrays->pkts = arrays->block;
	arrays->headers = (void *)(arrays->pkts + n);
	arrays->metadata = (void *)(arrays->headers + n);
	arrays->ol_flags = (void *)(arrays->metadata + n);
	arrays->mss = arrays->ol_flags + n;
	return DOCA_SUCCESS;
}

doca_error_t tx_batches_start(struct doca_eth_txq *txq)
{
	doca_error_t ret;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		txq->arrays[i].block = NULL;
		if (!txq->batches[i].num)
			continue;
		ret = make_arrays(&txq->arrays[i],
				  pool_tasks(&txq->pools[TXQ_BATCH_SEND + i]));
		if (ret == DOCA_SUCCESS)
			continue;
		tx_batches_stop(txq);
		return ret;
	}
	return DOCA_SUCCESS;
}

void tx_batches_stop(struct doca_eth_txq *txq)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		free(txq->arrays[i].block);
		txq->arrays[i].block = NULL;
	}
}

static doca_error_t set_conf(struct doca_eth_txq *txq, unsigned int nr,
			     enum doca_task_batch_max_tasks_number max,
			     uint16_t num, task_cb_t done, task_cb_t failed,
			     const struct log_site *site)
{
	uint32_t max_tasks = batch_max_tasks(max);
	doca_error_t ret;

	if (!max_tasks)
		return FAIL_AT(site, INVALID_VALUE,
			       "%s(): invalid argument: no such number of "
			       "tasks, %u",
			       site->func, (unsigned int)max);
	ret = doca_priv_task_set_conf(CTX_OF(txq), &doca_eth_txq_object,
				      TXQ_BATCH_SEND + nr, done, failed,
				      num * max_tasks, site);
	if (ret != DOCA_SUCCESS)
		return ret;
	txq->batches[nr].type = &types[nr];
	txq->batches[nr].num = num;
	txq->batches[nr].max_tasks = max_tasks;
	txq->pools[TXQ_BATCH_SEND + nr].batches = &txq->batches[nr];
	return DOCA_SUCCESS;
}

/* Allocate a batch, with nothing in its arrays. */
static doca_error_t allocate(struct doca_eth_txq *txq, unsigned int nr,
			     uint16_t tasks_num, union doca_data user_data,
			     struct doca_task_batch **batch,
			     struct tx_arrays **arrays, uint32_t *first,
			     const struct log_site *site)
{
	doca_error_t ret;
	uint32_t i;

	if (!ctx_is(CTX_OF(txq), &doca_eth_txq_object, site))
		return DOCA_ERROR_INVALID_VALUE;
	if (!txq->batches[nr].num)
		return FAIL_AT(site, BAD_STATE,
			       "%s(): the queue has no such batches; configure "
			       "some before it is started",
			       site->func);
	ret = doca_priv_batch_alloc(&txq->ctx, &txq->pools[TXQ_BATCH_SEND + nr],
				    tasks_num, user_data, batch);
	if (ret != DOCA_SUCCESS)
		return ret;
	*arrays = arrays_of(*batch, first);
	for (i = *first; i < *first + tasks_num; i++) {
		(*arrays)->pkts[i] = NULL;
		(*arrays)->headers[i] = NULL;
		(*arrays)->ol_flags[i] = 0;
		(*arrays)->mss[i] = 0;
		(*arrays)->metadata[i] = 0;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_eth_txq_task_batch_send_set_conf(
	struct doca_eth_txq *eth_txq,
	enum doca_task_batch_max_tasks_number max_tasks_number,
	uint16_t num_task_batches,
	doca_eth_txq_task_batch_send_completion_cb_t success_completion_cb,
	doca_eth_txq_task_batch_send_completion_cb_t error_completion_cb)
{
	static const struct log_site site = LOG_SITE;

	return set_conf(eth_txq, 0, max_tasks_number, num_task_batches,
			(task_cb_t)success_completion_cb,
			(task_cb_t)error_completion_cb, &site);
}

doca_error_t doca_eth_txq_task_batch_lso_send_set_conf(
	struct doca_eth_txq *eth_txq,
	enum doca_task_batch_max_tasks_number max_tasks_number,
	uint16_t num_task_batches,
	doca_eth_txq_task_batch_lso_send_completion_cb_t success_completion_cb,
	doca_eth_txq_task_batch_lso_send_completion_cb_t error_completion_cb)
{
	static const struct log_site site = LOG_SITE;

	return set_conf(eth_txq, 1, max_tasks_number, num_task_batches,
			(task_cb_t)success_completion_cb,
			(task_cb_t)error_completion_cb, &site);
}

doca_error_t doca_eth_txq_task_batch_send_allocate(
	struct doca_eth_txq *eth_txq, uint16_t tasks_num,
	union doca_data task_batch_user_data, struct doca_buf ***pkt_array,
	union doca_data **task_user_data_array,
	struct doca_task_batch **task_batch)
{
	static const struct log_site site = LOG_SITE;
	struct tx_arrays *arrays;
	doca_error_t ret;
	uint32_t at;

	if (!given(pkt_array) || !given(task_user_data_array) ||
	    !given(task_batch))
		return DOCA_ERROR_INVALID_VALUE;
	ret = allocate(eth_txq, 0, tasks_num, task_batch_user_data, task_batch,
		       &arrays, &at, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	*pkt_array = arrays->pkts + at;
	*task_user_data_array = (*task_batch)->task_user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_eth_txq_task_batch_lso_send_allocate(
	struct doca_eth_txq *eth_txq, uint16_t tasks_num,
	union doca_data task_batch_user_data,
	struct doca_buf ***pkt_payload_array,
	struct doca_gather_list ***headers_array,
	union doca_data **task_user_data_array,
	struct doca_task_batch **task_batch)
{
	static const struct log_site site = LOG_SITE;
	struct tx_arrays *arrays;
	doca_error_t ret;
	uint32_t at;

	if (!given(pkt_payload_array) || !given(headers_array) ||
	    !given(task_user_data_array) || !given(task_batch))
		return DOCA_ERROR_INVALID_VALUE;
	ret = allocate(eth_txq, 1, tasks_num, task_batch_user_data, task_batch,
		       &arrays, &at, &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	*pkt_payload_array = arrays->pkts + at;
	*headers_array = arrays->headers + at;
	*task_user_data_array = (*task_batch)->task_user_data;
	return DOCA_SUCCESS;
}

/* NAME(batch, &array): @member of its tasks, if it is a batch of type @nr */
#define BATCH_GET(name, batch, nr, value_t, out, member)                  \
	doca_error_t name(struct doca_task_batch *batch, value_t **out)   \
	{                                                                 \
		uint32_t at;                                              \
                                                                          \
		if (!valid(batch) || !given(out))                         \
			return DOCA_ERROR_INVALID_VALUE;                  \
		if (batch->pool->batches->type != &types[nr])             \
			return FAIL(INVALID_VALUE,                        \
				    "%s(): it is no batch of such tasks", \
				    __func__);                            \
		*out = arrays_of(batch, &at)->member;                     \
		*out += at;                                               \
		return DOCA_SUCCESS;                                      \
	}

BATCH_GET(doca_eth_txq_task_batch_send_get_metadata_array, task_batch_send, 0,
	  uint32_t, metadata_array, metadata)
BATCH_GET(doca_eth_txq_task_batch_send_get_ol_flags_array, task_batch_send, 0,
	  uint16_t, ol_flags_array, ol_flags)
BATCH_GET(doca_eth_txq_task_batch_lso_send_get_metadata_array,
	  task_batch_lso_send, 1, uint32_t, metadata_array, metadata)
BATCH_GET(doca_eth_txq_task_batch_lso_send_get_ol_flags_array,
	  task_batch_lso_send, 1, uint16_t, ol_flags_array, ol_flags)
BATCH_GET(doca_eth_txq_task_batch_lso_send_get_mss_array, task_batch_lso_send,
	  1, uint16_t, mss_array, mss)
