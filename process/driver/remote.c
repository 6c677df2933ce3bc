// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Queues with operations in flight to memory of other processes. In its calls, a program that
 * polls looks for answers itself. For a program that sleeps, and for a worker, exporters ring,
 * and the service thread looks.
 */
#include "shim/kernel.h"

#include "peers.h"
#include "queue.h"
#include "relay.h"

/* time for which a call waits for answers */
#define LINGER_NS (20 * NSEC_PER_USEC)
/* time before it lets other threads run in between */
#define EAGER_NS (4 * NSEC_PER_USEC)

/* Queues with work whose programs sleep. */
static struct {
	pthread_mutex_t lock;
	struct list_head queues;
} due = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.queues = LIST_HEAD_INIT(due.queues),
};

/* The barrier makes sure that work which a queue misses as it falls asleep is due here. */
void remote_wake(struct doca_queue *queue)
{
	struct remote_space *space = remote_space(queue);

	smp_mb();
	if (!space || !READ_ONCE(space->asleep))
		return;
	pthread_mutex_lock(&due.lock);
	if (list_empty(&space->node)) {
		kref_get(&queue->ref);
		space->queue = queue;
		list_add_tail(&space->node, &due.queues);
	}
	pthread_mutex_unlock(&due.lock);
	peers_poke();
}

/* Return the next queue with a reference; NULL at the end. */
static struct doca_queue *next_due(void)
{
	struct remote_space *space;
	struct doca_queue *queue = NULL;

	pthread_mutex_lock(&due.lock);
	space = list_first_entry_or_null(&due.queues, struct remote_space,
					 node);
	if (space) {
		list_del_init(&space->node);
		queue = space->queue;
	}
	pthread_mutex_unlock(&due.lock);
	return queue;
}

/* Do the work of programs that sleep. */
void remote_run(void)
{
	struct doca_queue *queue;
	bool more;

	while ((queue = next_due())) {
		doca_run_lock(queue->run);
		do {
			doca_queue_end_waits(queue);
			more = doca_queue_catch_up(queue);
		} while ((more || doca_queue_is_due(queue)) &&
			 !READ_ONCE(queue->halted));
		doca_run_unlock(queue->run);
		doca_queue_put(queue);
	}
}

void remote_end(void)
{
	struct doca_queue *queue;

	while ((queue = next_due()))
		doca_queue_put(queue);
}

/* Take the first link out of a set of indices. */
static struct link *take_link(const struct remote_space *space, u64 *some)
{
	u32 index = __builtin_ctzll(*some);

	*some &= *some - 1;
	return space->links[index];
}

/* Return the links of a queue; none if it is closed: the run section does not protect them. */
static u64 tied_links(const struct doca_queue *queue)
{
	return READ_ONCE(queue->halted) ? 0 : remote_space(queue)->tied;
}

/* Have the service thread take the next answers, and those that are there. */
static void arm_links(struct remote_space *space, u64 some)
{
	struct link *link;

	while (some) {
		link = take_link(space, &some);
		if (link_arm(link))
			link_stir(link);
	}
}

static int remote_open(void *at, const struct doca_op_args *args)
{
	struct remote_space *space = at;

	INIT_LIST_HEAD(&space->node);
	return 0;
}

static u32 remote_begin(struct doca_queue *queue, struct doca_flight *flight)
{
	struct remote_space *space = doca_flight_space(flight);

	if (queue->worker)
		WRITE_ONCE(space->asleep, true);
	return relay_start(queue, flight);
}

static void remote_issue(void *at)
{
	struct remote_space *space = at;
	u64 some = space->unflushed & space->tied;
	u64 flushed = some;

	space->unflushed = 0;
	while (some)
		link_flush(take_link(space, &some));
	if (READ_ONCE(space->asleep))
		arm_links(space, flushed);
}

const struct doca_op_type remote_type = {
	.name = "remote",
	.start = remote_begin,
	.recall = relay_recall,
	.issue = remote_issue,
	.private = sizeof(struct relay_op),
	.space = sizeof(struct remote_space),
	.open = remote_open,
};

/* Return true if the program's calls look for answers. */
static bool is_away(const struct doca_queue *queue)
{
	return remote_space(queue) && READ_ONCE(queue->pool->nr_remote) &&
	       !queue->worker;
}

bool remote_awake(struct doca_queue *queue)
{
	struct remote_space *space = remote_space(queue);

	if (space && !queue->worker)
		WRITE_ONCE(space->asleep, false);
	return is_away(queue);
}

void remote_arm(struct doca_queue *queue)
{
	struct remote_space *space = remote_space(queue);

	if (!is_away(queue))
		return;
	doca_run_lock(queue->run);
	WRITE_ONCE(space->asleep, true);
	arm_links(space, tied_links(queue));
	/* Pairs with the barrier of remote_wake(). */
	smp_mb();
	if (doca_queue_is_due(queue))
		remote_wake(queue);
	doca_run_unlock(queue->run);
}

/* Take all answers; return the number of operations that have ended. */
static unsigned int look(struct doca_queue *queue)
{
	struct remote_space *space = remote_space(queue);
	unsigned int ended;
	u64 some;

	doca_run_lock(queue->run);
	some = tied_links(queue);
	while (some)
		link_reap(take_link(space, &some));
	ended = doca_queue_end_waits(queue);
	doca_run_unlock(queue->run);
	return ended;
}

/* Look for a while. Return true if an operation has ended, or none is left. */
static bool linger(struct doca_queue *queue)
{
	struct remote_space *space = remote_space(queue);
	u64 begin = local_clock();
	u64 now;

	do {
		if (look(queue) || !is_away(queue))
			return true;
		now = local_clock();
		if (space->crowded || now - begin > EAGER_NS)
			space->crowded = peers_yield();
		else
			cpu_relax();
	} while (now - begin < LINGER_NS);
	return false;
}

/*
 * A call that has begun operations returns, so that the program can begin more. But if
 * the program has asked to be woken before, it may sleep next.
 */
void remote_linger(struct doca_queue *queue,
		   const struct doca_queue_enter *enter, bool was_away)
{
	if (!is_away(queue))
		return;
	if (!enter->out_entries && linger(queue))
		return;
	if (enter->out_entries && was_away)
		look(queue);
	if (doca_ring_is_armed(&queue->ring))
		remote_arm(queue);
}
