// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Producers of another process, which send into the buffers of consumers here. The service
 * thread takes the buffers, and copies.
 */
#include "shim/kernel.h"

#include "channel_inner.h"
#include "op.h"

static void filler_fed(struct doca_taker *taker)
{
	struct filler *filler = container_of(taker, struct filler, taker);

	WRITE_ONCE(filler->fed, true);
	channel_set_due(filler->channel);
}

static struct filler *find_filler(struct channel *channel, u32 id)
{
	struct filler *filler;

	list_for_each_entry(filler, &channel->fillers, node)
		if (filler->event.id == id)
			return filler;
	return NULL;
}

static struct filler *make_filler(struct channel *channel, u32 id)
{
	struct filler *filler = malloc(sizeof(*filler));

	if (!filler)
		return NULL;
	*filler = (struct filler){
		.channel = channel,
		.event.id = id,
	};
	doca_taker_init(&filler->taker, filler_fed);
	INIT_LIST_HEAD(&filler->answer_node);
	list_add_tail(&filler->node, &channel->fillers);
	channel->nr_fillers++;
	return filler;
}

static void filler_free(struct filler *filler)
{
	struct channel *channel = filler->channel;

	doca_taker_drop(&filler->taker);
	spin_lock(&channel->conn->lock);
	list_del(&filler->answer_node);
	spin_unlock(&channel->conn->lock);
	list_del(&filler->node);
	channel->nr_fillers--;
	free(filler);
}

void channel_drop_fillers(struct channel *channel)
{
	struct filler *filler, *next;

	list_for_each_entry_safe(filler, next, &channel->fillers, node)
		filler_free(filler);
}

void channel_leave(struct channel *channel, u32 id)
{
	struct filler *filler = find_filler(channel, id);

	if (filler)
		filler_free(filler);
}

/*
 * An answer takes the place of one that was not sent: that entry is over, or was granted. Call it
 * with the lock of the connection held.
 */
static void filler_say(struct filler *filler, enum channel_type type,
		       u32 status)
{
	struct channel *channel = filler->channel;

	filler->answer = (struct channel_frame){
		.type = type,
		.id = filler->event.id,
		.seq = filler->seq,
		.value = status,
	};
	if (list_empty(&filler->answer_node))
		list_add_tail(&filler->answer_node, &channel->answers);
	channel_flush(channel);
}

static void filler_answer(struct filler *filler, enum channel_type type,
			  u32 status)
{
	struct doca_conn *conn = filler->channel->conn;

	spin_lock(&conn->lock);
	filler_say(filler, type, status);
	spin_unlock(&conn->lock);
}

static void filler_end(struct filler *filler, u32 status)
{
	filler->asked = false;
	filler->granted = false;
	doca_taker_drop(&filler->taker);
	filler_answer(filler, CHANNEL_DONE, status);
}

static u32 filler_take(struct filler *filler)
{
	struct doca_conn_end *far = doca_conn_other(filler->channel->here);
	u32 status;

	status = doca_taker_find(&filler->taker, far, filler->consumer);
	return status ?:
			doca_taker_take(&filler->taker, filler->event.length,
					filler->event.imm_length);
}

/*
 * Everything is there. The consumer's program may close the connection as soon as it knows, and
 * both sides shall see the same end of the entry: so nobody closes it between the event and the
 * answer.
 */
static void filler_finish(struct filler *filler)
{
	struct doca_conn *conn = filler->channel->conn;

	filler->asked = false;
	filler->granted = false;
	spin_lock(&conn->lock);
	if (!conn->closed)
		filler_say(filler, CHANNEL_DONE,
			   doca_taker_finish(&filler->taker, filler->event));
	spin_unlock(&conn->lock);
	doca_taker_drop(&filler->taker);
}

static void filler_begin(struct filler *filler)
{
	u32 status;

	filler->asked = false;
	if (filler->event.length > CHANNEL_FEW) {
		filler->granted = true;
		filler_answer(filler, CHANNEL_GRANT, 0);
		return;
	}
	status = doca_taker_write(&filler->taker, 0, filler->bytes,
				  filler->event.length);
	if (status)
		filler_end(filler, status);
	else
		filler_finish(filler);
}

static void filler_try(struct filler *filler)
{
	u32 status;

	WRITE_ONCE(filler->fed, false);
	do {
		status = filler_take(filler);
		if (status == DOCA_STATUS_START &&
		    doca_taker_wait(&filler->taker))
			return;
	} while (status == DOCA_STATUS_START);
	if (status)
		filler_end(filler, status);
	else
		filler_begin(filler);
}

void channel_refill(struct channel *channel)
{
	struct filler *filler;

	list_for_each_entry(filler, &channel->fillers, node)
		if (filler->asked && READ_ONCE(filler->fed))
			filler_try(filler);
}

static bool is_good(const struct channel_frame *frame, u32 size)
{
	return frame->length <= DOCA_OP_MAX_LENGTH &&
	       frame->imm_length <= DOCA_MAX_IMM &&
	       size == (frame->length <= CHANNEL_FEW ? frame->length : 0);
}

int channel_fill(struct channel *channel, const struct channel_frame *frame,
		 const void *bytes, u32 size)
{
	struct filler *filler = find_filler(channel, frame->id);

	if (!is_good(frame, size))
		return -EPROTO;
	if (!filler && channel->nr_fillers == DOCA_MAX_ATTACHED)
		return -EPROTO;
	filler = filler ?: make_filler(channel, frame->id);
	if (!filler)
		return -ENOMEM;
	doca_taker_drop(&filler->taker);
	filler->seq = frame->seq;
	filler->consumer = frame->value;
	filler->asked = true;
	filler->granted = false;
	filler->done = 0;
	filler->event.length = frame->length;
	filler->event.imm_length = frame->imm_length;
	memset(filler->event.imm, 0, sizeof(filler->event.imm));
	memcpy(filler->event.imm, frame->imm, frame->imm_length);
	memcpy(filler->bytes, bytes, size);
	filler_try(filler);
	return 0;
}

/* After a consumer has ended, bytes are still under way. */
int channel_fill_more(struct channel *channel,
		      const struct channel_frame *frame, const void *bytes,
		      u32 size)
{
	struct filler *filler = find_filler(channel, frame->id);
	u32 status;

	if (!filler || !filler->granted || filler->seq != frame->seq)
		return 0;
	if (!size || size > filler->event.length - filler->done)
		return -EPROTO;
	status = doca_taker_write(&filler->taker, filler->done, bytes, size);
	if (status) {
		filler_end(filler, status);
		return 0;
	}
	filler->done += size;
	if (filler->done == filler->event.length)
		filler_finish(filler);
	return 0;
}
