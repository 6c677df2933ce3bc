// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Add tasks, or batches, to a send queue that is not started yet. */
#include <doca_error.h>

#include "txq.h"

LOG_SOURCE("ETH::TXQ");

static doca_error_t expand(struct doca_eth_txq *txq, unsigned int pool,
			   uint32_t more, const struct log_site *site)
{
	struct task_pool *tasks_;

	if (!ctx_is(CTX_OF(txq), &doca_eth_txq_object, site) ||
	    !given_at((void *)(uintptr_t)more, "the number", site))
		return DOCA_ERROR_INVALID_VALUE;
	tasks_ = &txq->pools[pool];
	if (!tasks_->num)
		return FAIL_AT(site, BAD_STATE,
			       "%s(): there are no such tasks yet; configure "
			       "some first",
			       site->func);
	if (!doca_priv_ctx_idle(&txq->ctx))
		return FAIL_AT(site, NOT_SUPPORTED,
			       "%s(): %s %p is started, and all tasks are made "
			       "at that time; configure as many as it needs",
			       site->func, txq->ctx.type->name, (void *)txq);
	if (more > tasks_->limits.tasks - tasks_->num)
		return FAIL_AT(site, INVALID_VALUE,
			       "%s(): more tasks than one queue may have, %u",
			       site->func, tasks_->limits.tasks);
	tasks_->num += more;
	return DOCA_SUCCESS;
}

doca_error_t doca_eth_txq_task_send_num_expand(struct doca_eth_txq *eth_txq,
					       uint32_t task_send_num)
{
	static const struct log_site site = LOG_SITE;

	return expand(eth_txq, TXQ_SEND, task_send_num, &site);
}

doca_error_t doca_eth_txq_task_lso_send_num_expand(struct doca_eth_txq *eth_txq,
						   uint32_t task_lso_send_num)
{
	static const struct log_site site = LOG_SITE;

	return expand(eth_txq, TXQ_LSO, task_lso_send_num, &site);
}

static doca_error_t expand_batches(struct doca_eth_txq *txq, unsigned int nr,
				   uint16_t more, const struct log_site *site)
{
	struct batch_pool *batches;
	doca_error_t ret;

	if (!ctx_is(CTX_OF(txq), &doca_eth_txq_object, site))
		return DOCA_ERROR_INVALID_VALUE;
	batches = &txq->batches[nr];
	ret = expand(txq, TXQ_BATCH_SEND + nr,
		     batches->num ? more * batches->max_tasks : more, site);
	if (ret == DOCA_SUCCESS)
		batches->num += more;
	return ret;
}

doca_error_t
doca_eth_txq_task_batch_send_num_expand(struct doca_eth_txq *eth_txq,
					uint16_t task_batches_num)
{
	static const struct log_site site = LOG_SITE;

	return expand_batches(eth_txq, 0, task_batches_num, &site);
}

doca_error_t
doca_eth_txq_task_batch_lso_send_num_expand(struct doca_eth_txq *eth_txq,
					    uint16_t task_batches_num)
{
	static const struct log_site site = LOG_SITE;

	return expand_batches(eth_txq, 1, task_batches_num, &site);
}
