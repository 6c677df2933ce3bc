// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
/* Consumers. */
#include <errno.h>

#include <doca_error.h>

#include "consumer.h"
#include "core/base/errno_text.h"
#include "core/driver/endpoint.h"
#include "core/memory/mmap.h"

LOG_SOURCE("COMCH::CONSUMER");

#define OTHER_EVENTS 2 /* events that answer no buffer */

/* Ask for no worker: senders read the ring. */
static doca_error_t consumer_queue(const struct doca_ctx *ctx,
				   struct driver_queue_attr *attr)
{
	attr->worker_id = 0;
	attr->ops = 0;
	attr->inbox = comch_power(ctx->nr_tasks + OTHER_EVENTS);
	return DOCA_SUCCESS;
}

static doca_error_t consumer_start(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of(ctx);
	struct doca_comch_connection *connection = consumer->at.connection;
	doca_error_t ret;
	int err = -ENOTCONN, fd;

	fd = connection_hold_fd(connection);
	if (fd >= 0)
		err = driver_queue_attach_consumer(
			&ctx->queue, fd, connection->id, consumer->key,
			consumer->imm_length, &consumer->at.id);
	connection_release_fd(connection);
	ret = attach_result(ctx, err);
	if (ret != DOCA_SUCCESS)
		return ret;
	/*
	 * The other side may wait for it before anybody makes progress here. If it cannot be told
	 * now, progress tries again, and says why not.
	 */
	consumer->announced = !driver_queue_announce(&ctx->queue);
	return DOCA_ERROR_IN_PROGRESS;
}

static void cannot_announce(struct doca_comch_consumer *consumer, int err)
{
	const char *name = consumer->ctx.type->name;

	switch (err) {
	case -ENOSPC:
		LOG_ERR("%s %p: the other side has no room for one more "
			"consumer; it stops: have the other side make "
			"progress, or fewer consumers",
			name, (void *)consumer);
		break;
	case -ENOTCONN:
		LOG_INFO("%s %p: its connection was closed; it stops", name,
			 (void *)consumer);
		break;
	default:
		LOG_ERR("%s %p: the other side cannot be told of it: %s; it "
			"stops",
			name, (void *)consumer, errno_text(err));
	}
	ctx_failed(&consumer->ctx, NULL);
}

static doca_error_t consumer_poll_start(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = consumer_of(ctx);
	int err;

	if (consumer->announced)
		return DOCA_SUCCESS;
	if (ctx->failing)
		return DOCA_ERROR_IN_PROGRESS;
	err = driver_queue_announce(&ctx->queue);
	if (!err)
		consumer->announced = true;
	else
		cannot_announce(consumer, err);
	return err ? DOCA_ERROR_IN_PROGRESS : DOCA_SUCCESS;
}

static void consumer_stop(struct doca_ctx *ctx)
{
	consumer_of(ctx)->at.id = 0;
}

static doca_error_t consumer_fini(struct doca_ctx *ctx)
{
	connection_put(consumer_of(ctx)->at.connection);
	return DOCA_SUCCESS;
}

static const struct task_type *const tasks[] = { &comch_post_recv };

const struct ctx_type doca_comch_consumer_type = {
	CTX_OBJECT(doca_comch_consumer, tasks),
	.name = "comch consumer",
	.lane = &comch_consumer_lane,
	.late_user_data = true,
	.queue = consumer_queue,
	.fini = consumer_fini,
	.start = consumer_start,
	.poll_start = consumer_poll_start,
	.stop = consumer_stop,
};

DEFINE_DESTROY(doca_comch_consumer_destroy, doca_comch_consumer)
DEFINE_AS_CTX(doca_comch_consumer_as_ctx, doca_comch_consumer)

static doca_error_t check_mmap(const struct doca_mmap *mmap,
			       const struct doca_dev *dev,
			       const struct log_site *site)
{
	if (mmap->from_export)
		return FAIL_AT(site, NOT_PERMITTED,
			       "%s(): mmap %p was made from an export; buffers "
			       "of a consumer are in memory of this process",
			       site->func, (const void *)mmap);
	if (!doca_priv_mmap_key(mmap, dev))
		return FAIL_AT(site, INVALID_VALUE,
			       "%s(): mmap %p is not started, or lacks the "
			       "device of the connection, %s",
			       site->func, (const void *)mmap, dev->info.name);
	if (!doca_priv_mmap_writable(mmap))
		return FAIL_AT(site, NOT_PERMITTED,
			       "%s(): mmap %p cannot be written; it needs "
			       "DOCA_ACCESS_FLAG_LOCAL_READ_WRITE or "
			       "_PCI_READ_WRITE",
			       site->func, (const void *)mmap);
	return DOCA_SUCCESS;
}

doca_error_t
doca_comch_consumer_create(struct doca_comch_connection *comch_connection,
			   struct doca_mmap *buf_mmap,
			   struct doca_comch_consumer **consumer)
{
	static const struct log_site site = LOG_SITE;
	struct doca_dev *dev;
	struct doca_ctx *ctx;
	doca_error_t ret;

	if (!valid(comch_connection) || !valid(buf_mmap) || !given(consumer))
		return DOCA_ERROR_INVALID_VALUE;
	dev = comch_connection->dev;
	ret = check_mmap(buf_mmap, dev, &site);
	if (ret == DOCA_SUCCESS)
		ret = attach_check(comch_connection, &site);
	if (ret == DOCA_SUCCESS)
		ret = doca_priv_ctx_new(&doca_comch_consumer_type, dev, &ctx,
					&site);
	if (ret != DOCA_SUCCESS)
		return ret;
	*consumer = consumer_of(ctx);
	(*consumer)->at.connection = connection_get(comch_connection);
	(*consumer)->mmap = buf_mmap;
	(*consumer)->key = doca_priv_mmap_key(buf_mmap, dev);
	return DOCA_SUCCESS;
}

doca_error_t
doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer,
				     uint32_t imm_data_len)
{
	static const struct log_site site = LOG_SITE;
	doca_error_t ret;

	ret = comch_may_set(CTX_OF(consumer), &doca_comch_consumer_object,
			    &site);
	if (ret != DOCA_SUCCESS)
		return ret;
	if (refused(imm_data_len > COMCH_MAX_IMM))
		return DOCA_ERROR_INVALID_VALUE;
	consumer->imm_length = imm_data_len;
	return DOCA_SUCCESS;
}

doca_error_t
doca_comch_consumer_get_imm_data_len(const struct doca_comch_consumer *consumer,
				     uint32_t *imm_data_len)
{
	if (!valid_ctx(consumer, doca_comch_consumer) || !given(imm_data_len))
		return DOCA_ERROR_INVALID_VALUE;
	*imm_data_len = consumer->imm_length;
	return DOCA_SUCCESS;
}

doca_error_t
doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer,
			   uint32_t *id)
{
	if (!valid_ctx(consumer, doca_comch_consumer) || !given(id))
		return DOCA_ERROR_INVALID_VALUE;
	if (!consumer->at.id)
		return FAIL(BAD_STATE, "%s %p has no id: it is not started",
			    consumer->ctx.type->name, (const void *)consumer);
	*id = consumer->at.id;
	return DOCA_SUCCESS;
}
