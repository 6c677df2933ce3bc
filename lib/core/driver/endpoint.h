/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0 */
/*
 * Calls on queues with an inbox; see linux/doca.h. They return 0 or a negative
 * errno, and log nothing.
 */
#ifndef DOCA_CORE_ENDPOINT_H
#define DOCA_CORE_ENDPOINT_H

#include <stdint.h>

#include <linux/doca.h>

#include "core/base/symver.h"
#include "driver.h"

/*
 * @name must be shorter than DOCA_SERVER_NAME_SIZE.
 */
DOCA_STABLE int driver_queue_listen(const struct driver_queue *queue,
				    uint32_t function_id, const char *name,
				    uint32_t max_message)
	DOCA_PRIVATE(driver_queue_listen);
DOCA_STABLE int driver_queue_connect(const struct driver_queue *queue,
				     const char *name, uint32_t max_message)
	DOCA_PRIVATE(driver_queue_connect);
DOCA_STABLE int driver_queue_disconnect(const struct driver_queue *queue,
					uint32_t connection)
	DOCA_PRIVATE(driver_queue_disconnect);

/*
 * @parent_fd is the descriptor of the parent's queue. @id is 0 after an error.
 */
DOCA_STABLE int driver_queue_attach_producer(const struct driver_queue *queue,
					     int parent_fd, uint32_t connection,
					     uint32_t *id)
	DOCA_PRIVATE(driver_queue_attach_producer);
DOCA_STABLE int driver_queue_attach_consumer(const struct driver_queue *queue,
					     int parent_fd, uint32_t connection,
					     uint32_t key, uint32_t imm_length,
					     uint32_t *id)
	DOCA_PRIVATE(driver_queue_attach_consumer);
DOCA_STABLE int driver_queue_announce(const struct driver_queue *queue)
	DOCA_PRIVATE(driver_queue_announce);

#endif /* DOCA_CORE_ENDPOINT_H */
