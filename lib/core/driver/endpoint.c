// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <string.h>

#include "endpoint.h"

int driver_queue_listen(const struct driver_queue *queue, uint32_t function_id,
			const char *name, uint32_t max_message)
{
	struct doca_queue_listen arg = {
		.size = sizeof(arg),
		.function_id = function_id,
		.max_message = max_message,
	};

	strcpy(arg.name, name);
	return driver_queue_call(queue, DOCA_QUEUE_LISTEN, &arg);
}

int driver_queue_connect(const struct driver_queue *queue, const char *name,
			 uint32_t max_message)
{
	struct doca_queue_connect arg = {
		.size = sizeof(arg),
		.max_message = max_message,
	};

	strcpy(arg.name, name);
	return driver_queue_call(queue, DOCA_QUEUE_CONNECT, &arg);
}

int driver_queue_disconnect(const struct driver_queue *queue,
			    uint32_t connection)
{
	struct doca_queue_disconnect arg = {
		.size = sizeof(arg),
		.connection = connection,
	};

	return driver_queue_call(queue, DOCA_QUEUE_DISCONNECT, &arg);
}

static int attach(const struct driver_queue *queue,
		  struct doca_queue_attach *arg, uint32_t *id)
{
	int ret;

	arg->size = sizeof(*arg);
	ret = driver_queue_call(queue, DOCA_QUEUE_ATTACH, arg);
	*id = ret ? 0 : arg->out_id;
	return ret;
}

int driver_queue_attach_producer(const struct driver_queue *queue,
				 int parent_fd, uint32_t connection,
				 uint32_t *id)
{
	struct doca_queue_attach arg = {
		.parent_fd = parent_fd,
		.connection = connection,
		.role = DOCA_ATTACH_PRODUCER,
	};

	return attach(queue, &arg, id);
}

int driver_queue_attach_consumer(const struct driver_queue *queue,
				 int parent_fd, uint32_t connection,
				 uint32_t key, uint32_t imm_length,
				 uint32_t *id)
{
	struct doca_queue_attach arg = {
		.parent_fd = parent_fd,
		.connection = connection,
		.role = DOCA_ATTACH_CONSUMER,
		.key = key,
		.imm_length = imm_length,
	};

	return attach(queue, &arg, id);
}

int driver_queue_announce(const struct driver_queue *queue)
{
	struct doca_queue_announce arg = {
		.size = sizeof(arg),
	};

	return driver_queue_call(queue, DOCA_QUEUE_ANNOUNCE, &arg);
}
