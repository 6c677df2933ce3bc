// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* DPAs and message queues for them: there are none. */
#include <doca_comch_msgq.h>
#include <doca_error.h>

#include "consumer.h"
#include "producer.h"

LOG_SOURCE("COMCH");

#define NEVER                                               \
	FAIL(NOT_SUPPORTED,                                 \
	     "%s() is not supported: no device has a DPA; " \
	     "use contexts on the CPU",                     \
	     __func__)

/* Functions that are given at least one pointer check it first. */
#define NEVER_GIVEN(arg) (given(arg) ? NEVER : DOCA_ERROR_INVALID_VALUE)

doca_error_t doca_comch_consumer_completion_create(
	struct doca_comch_consumer_completion **consumer_comp)
{
	return NEVER_GIVEN(consumer_comp);
}

doca_error_t doca_comch_consumer_completion_destroy(
	struct doca_comch_consumer_completion *consumer_comp)
{
	return NEVER_GIVEN(consumer_comp);
}

doca_error_t doca_comch_consumer_completion_get_dpa_handle(
	struct doca_comch_consumer_completion *consumer_comp,
	doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle)
{
	if (!given(consumer_comp) || !given(consumer_comp_handle))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t doca_comch_consumer_completion_get_imm_data_len(
	const struct doca_comch_consumer_completion *consumer_comp,
	uint32_t *imm_data_len)
{
	if (!given(consumer_comp) || !given(imm_data_len))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t doca_comch_consumer_completion_get_max_num_consumers(
	const struct doca_comch_consumer_completion *consumer_comp,
	uint32_t *max_num_consumers)
{
	if (!given(consumer_comp) || !given(max_num_consumers))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t doca_comch_consumer_completion_get_max_num_recv(
	const struct doca_comch_consumer_completion *consumer_comp,
	uint32_t *max_num_recv)
{
	if (!given(consumer_comp) || !given(max_num_recv))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t doca_comch_consumer_completion_set_dpa_thread(
	struct doca_comch_consumer_completion *consumer_comp,
	struct doca_dpa_thread *dpa_thread)
{
	if (!given(consumer_comp) || !given(dpa_thread))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t doca_comch_consumer_completion_set_imm_data_len(
	struct doca_comch_consumer_completion *consumer_comp,
	uint32_t imm_data_len)
{
	(void)imm_data_len;
	return NEVER_GIVEN(consumer_comp);
}

doca_error_t doca_comch_consumer_completion_set_max_num_consumers(
	struct doca_comch_consumer_completion *consumer_comp,
	uint32_t max_num_consumers)
{
	(void)max_num_consumers;
	return NEVER_GIVEN(consumer_comp);
}

doca_error_t doca_comch_consumer_completion_set_max_num_recv(
	struct doca_comch_consumer_completion *consumer_comp,
	uint32_t max_num_recv)
{
	(void)max_num_recv;
	return NEVER_GIVEN(consumer_comp);
}

doca_error_t doca_comch_consumer_completion_start(
	struct doca_comch_consumer_completion *consumer_comp)
{
	return NEVER_GIVEN(consumer_comp);
}

doca_error_t doca_comch_consumer_completion_stop(
	struct doca_comch_consumer_completion *consumer_comp)
{
	return NEVER_GIVEN(consumer_comp);
}

doca_error_t
doca_comch_consumer_get_dpa_handle(struct doca_comch_consumer *consumer,
				   doca_dpa_dev_comch_consumer_t *dpa_consumer)
{
	if (!valid_ctx(consumer, doca_comch_consumer) || !given(dpa_consumer))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t doca_comch_consumer_set_completion(
	struct doca_comch_consumer *consumer,
	struct doca_comch_consumer_completion *consumer_comp,
	uint32_t user_data)
{
	(void)user_data;
	if (!valid_ctx(consumer, doca_comch_consumer) || !given(consumer_comp))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t
doca_comch_consumer_set_dev_max_num_recv(struct doca_comch_consumer *consumer,
					 uint32_t dev_num_recv)
{
	(void)dev_num_recv;
	if (!valid_ctx(consumer, doca_comch_consumer))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t
doca_comch_producer_dpa_completion_attach(struct doca_comch_producer *producer,
					  struct doca_dpa_completion *dpa_comp)
{
	if (!valid_ctx(producer, doca_comch_producer) || !given(dpa_comp))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t
doca_comch_producer_get_dpa_handle(struct doca_comch_producer *producer,
				   doca_dpa_dev_comch_producer_t *dpa_producer)
{
	if (!valid_ctx(producer, doca_comch_producer) || !given(dpa_producer))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t
doca_comch_producer_set_dev_max_num_send(struct doca_comch_producer *producer,
					 uint32_t dev_num_send)
{
	(void)dev_num_send;
	if (!valid_ctx(producer, doca_comch_producer))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t
doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq,
				struct doca_comch_consumer **consumer)
{
	if (!given(msgq) || !given(consumer))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t doca_comch_msgq_create(struct doca_dev *dev,
				    struct doca_comch_msgq **msgq)
{
	if (!valid(dev) || !given(msgq))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq)
{
	return NEVER_GIVEN(msgq);
}

doca_error_t
doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq,
				struct doca_comch_producer **producer)
{
	if (!given(msgq) || !given(producer))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq,
					      struct doca_dpa *dpa)
{
	if (!given(msgq) || !given(dpa))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq,
					      struct doca_dpa *dpa)
{
	if (!given(msgq) || !given(dpa))
		return DOCA_ERROR_INVALID_VALUE;
	return NEVER;
}

doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq,
						   uint32_t max_num_consumers)
{
	(void)max_num_consumers;
	return NEVER_GIVEN(msgq);
}

doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq,
						   uint32_t max_num_producers)
{
	(void)max_num_producers;
	return NEVER_GIVEN(msgq);
}

doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq)
{
	return NEVER_GIVEN(msgq);
}

doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq)
{
	return NEVER_GIVEN(msgq);
}
