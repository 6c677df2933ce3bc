// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0
#include <errno.h>

#include "bench/loop.h"
#include "bench/msg.h"
#include "scale.h"

static int submit_to(struct queue *queue, unsigned int n)
{
	while (n--)
		ring_get_sqe(&queue->ring);
	if (ring_submit(&queue->ring) && queue_enter(queue))
		return fail_errno(errno, "cannot enter a queue");
	return 0;
}

static int reap_from(struct queue *queue)
{
	const struct doca_cqe *cqe;
	int n = 0;

	while ((cqe = ring_peek(&queue->ring))) {
		if (cqe->status != DOCA_STATUS_SUCCESS)
			return fail("an operation failed with status %u",
				    cqe->status);
		ring_release(&queue->ring);
		n++;
	}
	return n;
}

/* Fill all queues first; then refill the queue that completions came from. */
static int submit(void *self, unsigned int n)
{
	struct queues_way *qw = self;
	unsigned int i;

	if (n < qw->all.depth || qw->nr == 1)
		return submit_to(&qw->queues[qw->next], n);
	for (i = 0; i < qw->nr; i++)
		if (submit_to(&qw->queues[i], n / qw->nr))
			return -1;
	return 0;
}

static int reap(void *self)
{
	struct queues_way *qw = self;
	struct patience patience = { 0 };
	int n;

	do {
		qw->next = (qw->next + 1) % qw->nr;
		n = reap_from(&qw->queues[qw->next]);
		if (!n && patience_lost(&patience))
			return fail("no completion in %d seconds",
				    PATIENCE_SECONDS);
	} while (!n);
	return n;
}

static int queues_run(struct way *way, struct meter *meter)
{
	struct queues_way *qw = container_of(way, struct queues_way, way);

	return loop_rate(qw, &qw->all, meter, submit, reap);
}

static void close_queues(struct queues_way *qw, unsigned int nr)
{
	while (nr--)
		queue_close(&qw->queues[nr]);
}

static int queues_open(struct way *way, const struct load *load)
{
	struct queues_way *qw = container_of(way, struct queues_way, way);
	unsigned int i;

	qw->all = *load;
	for (i = 0; i < qw->nr; i++)
		if (queue_open(&qw->queues[i], qw->domain,
			       qw->domain->worker_id, load->depth / qw->nr))
			break;
	if (i == qw->nr)
		return 0;
	close_queues(qw, i);
	return -1;
}

static void queues_close(struct way *way)
{
	struct queues_way *qw = container_of(way, struct queues_way, way);

	close_queues(qw, qw->nr);
}

void queues_way_init(struct queues_way *qw, const char *name,
		     const struct domain *domain, unsigned int nr)
{
	*qw = (struct queues_way){
		.way = {
			.name = name,
			.open = queues_open,
			.run = queues_run,
			.close = queues_close,
		},
		.domain = domain,
		.nr = nr,
	};
}
