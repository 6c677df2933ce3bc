/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/**
 * @file doca_comch_msgq.h
 * @brief Message queues between a program and the DPA of its device.
 *
 * No device has a DPA, so they are not supported: there are no such queues, and
 * each function returns NOT_SUPPORTED.
 */
#ifndef DOCA_COMCH_MSGQ_H
#define DOCA_COMCH_MSGQ_H

#include <stddef.h>
#include <stdint.h>
#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_comch_consumer;
struct doca_comch_msgq;
struct doca_comch_producer;
struct doca_dev;
struct doca_dpa;
/**
 * @brief Create a message queue. Not supported.
 *
 * @param[in] dev    Device.
 * @param[out] msgq  Message queue.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_create(struct doca_dev *dev,
				    struct doca_comch_msgq **msgq);

/**
 * @brief Destroy a message queue. Not supported.
 *
 * @param[in] msgq  Message queue.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p msgq is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq);

/**
 * @brief Start a message queue. Not supported.
 *
 * @param[in] msgq  Message queue.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p msgq is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq);

/**
 * @brief Stop a message queue. Not supported.
 *
 * @param[in] msgq  Message queue.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  @p msgq is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq);

/**
 * @brief Set its maximum number of consumers. Not supported.
 *
 * @param[in] msgq               Message queue.
 * @param[in] max_num_consumers  Consumers.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq,
						   uint32_t max_num_consumers);

/**
 * @brief Set its maximum number of producers. Not supported.
 *
 * @param[in] msgq               Message queue.
 * @param[in] max_num_producers  Producers.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq,
						   uint32_t max_num_producers);

/**
 * @brief Have its consumers on a DPA. Not supported.
 *
 * @param[in] msgq  Message queue.
 * @param[in] dpa   DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq,
					      struct doca_dpa *dpa);

/**
 * @brief Have its producers on a DPA. Not supported.
 *
 * @param[in] msgq  Message queue.
 * @param[in] dpa   DPA.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq,
					      struct doca_dpa *dpa);

/**
 * @brief Create a consumer of a message queue. Not supported.
 *
 * @param[in] msgq       Message queue.
 * @param[out] consumer  Consumer.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq,
				struct doca_comch_consumer **consumer);

/**
 * @brief Create a producer of a message queue. Not supported.
 *
 * @param[in] msgq       Message queue.
 * @param[out] producer  Producer.
 *
 * @retval DOCA_ERROR_INVALID_VALUE  An argument is NULL.
 * @retval DOCA_ERROR_NOT_SUPPORTED  Always.
 *
 * @since DOCA 3.0
 */
DOCA_EXPERIMENTAL
doca_error_t
doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq,
				struct doca_comch_producer **producer);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_COMCH_MSGQ_H */
