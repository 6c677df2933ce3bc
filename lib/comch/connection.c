// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>

#include "connection.h"
#include "core/driver/driver.h"

LOG_SOURCE("COMCH");

struct doca_comch_connection *connection_new(struct doca_dev *dev)
{
	struct doca_comch_connection *connection;

	connection = calloc(1, sizeof(*connection));
	if (!connection) {
		LOG_ERR("out of memory for a connection");
		return NULL;
	}
	connection->dev = doca_priv_dev_get(dev);
	connection->refs = 1;
	connection->queue_fd = -1;
	connection->generation = driver_generation();
	pthread_mutex_init(&connection->lock, NULL);
	list_init(&connection->waits);
	list_init(&connection->ends);
	doca_priv_debug_add(connection, &comch_connection_object,
			    sizeof(*connection), 1);
	return connection;
}

struct doca_comch_connection *
connection_get(struct doca_comch_connection *connection)
{
	__atomic_fetch_add(&connection->refs, 1, __ATOMIC_RELAXED);
	return connection;
}

void connection_put(struct doca_comch_connection *connection)
{
	if (__atomic_sub_fetch(&connection->refs, 1, __ATOMIC_ACQ_REL))
		return;
	pthread_mutex_destroy(&connection->lock);
	doca_priv_dev_put(connection->dev);
	doca_priv_debug_free(connection);
}

/* The child of a fork has one thread, and may have a lock that another has held. */
static bool is_shared(const struct doca_comch_connection *connection)
{
	return connection->generation == driver_generation();
}

void connection_set_fd(struct doca_comch_connection *connection, int queue_fd)
{
	bool shared = is_shared(connection);

	if (shared)
		pthread_mutex_lock(&connection->lock);
	connection->queue_fd = queue_fd;
	if (shared)
		pthread_mutex_unlock(&connection->lock);
}

int connection_hold_fd(struct doca_comch_connection *connection)
{
	if (!is_shared(connection))
		return -1;
	pthread_mutex_lock(&connection->lock);
	return connection->queue_fd;
}

void connection_release_fd(struct doca_comch_connection *connection)
{
	if (is_shared(connection))
		pthread_mutex_unlock(&connection->lock);
}

doca_error_t
doca_comch_connection_set_user_data(struct doca_comch_connection *connection,
				    union doca_data user_data)
{
	if (!valid(connection))
		return DOCA_ERROR_INVALID_VALUE;
	connection->user_data = user_data;
	return DOCA_SUCCESS;
}

union doca_data doca_comch_connection_get_user_data(
	const struct doca_comch_connection *connection)
{
	return valid(connection) ? connection->user_data :
				   (union doca_data){ .u64 = 0 };
}

doca_error_t doca_comch_connection_update_info(
	struct doca_comch_connection *comch_connection)
{
	if (!valid(comch_connection))
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(comch_connection->snapshot, comch_connection->counters,
	       sizeof(comch_connection->snapshot));
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_connection_get_counter(
	const struct doca_comch_connection *comch_connection,
	enum doca_comch_counter counter_type, uint64_t *counter_value)
{
	if (!valid(comch_connection) ||
	    refused((unsigned int)counter_type <
		    DOCA_COMCH_COUNTER_SENT_MESSAGES) ||
	    refused((unsigned int)counter_type >
		    DOCA_COMCH_COUNTER_RECV_BYTES) ||
	    !given(counter_value))
		return DOCA_ERROR_INVALID_VALUE;
	*counter_value =
		comch_connection->snapshot[counter_type -
					   DOCA_COMCH_COUNTER_SENT_MESSAGES];
	return DOCA_SUCCESS;
}
