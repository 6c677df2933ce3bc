// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Memory of other processes, for the driver's executor: imports, and queues with operations
 * that are set aside. The executor of a queue takes their steps, too; while the program
 * sleeps the service thread does.
 */
#include "shim/kernel.h"

#include "memory.h"
#include "peers.h"
#include "queue.h"
#include "relay.h"

/* How long a call waits for answers. */
#define LINGER_NS (20 * NSEC_PER_USEC)

/* All operations that stand aside, of whatever queue, and those to be used again. */
static struct {
	pthread_mutex_t lock;
	struct list_head all;
	struct list_head free;
} ops = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.all = LIST_HEAD_INIT(ops.all),
	.free = LIST_HEAD_INIT(ops.free),
};

static int remote_import(const struct doca_blob *blob,
			 struct doca_remote **remote)
{
	struct relay_memory *memory;
	int rc;

	if (!wire_is_process(blob->kernel_id))
		return -EXDEV;
	memory = calloc(1, sizeof(*memory));
	if (!memory)
		return -ENOMEM;
	rc = link_import(blob, &memory->import);
	if (rc) {
		free(memory);
		return rc;
	}
	memory->remote = (struct doca_remote){
		.access = memory->import.access,
		.addr = memory->import.addr,
		.length = memory->import.length,
	};
	*remote = &memory->remote;
	return 0;
}

static void remote_release(struct doca_remote *remote)
{
	struct relay_memory *memory = relay_memory_of(remote);

	link_release(memory->import.link, memory->import.key);
	free(memory);
}

/* There are as many as ever stood aside at a time. */
static struct relay_op *op_new(struct doca_queue *queue)
{
	struct relay_op *op;

	pthread_mutex_lock(&ops.lock);
	op = list_first_entry_or_null(&ops.free, struct relay_op, all);
	if (op)
		list_del(&op->all);
	pthread_mutex_unlock(&ops.lock);
	op = op ?: malloc(sizeof(*op));
	if (!op)
		return NULL;
	op->queue = queue;
	op->sent = 0;
	op->status = DOCA_STATUS_SUCCESS;
	op->starved = NULL;
	op->asleep = false;
	op->kicked = false;
	INIT_LIST_HEAD(&op->pieces);
	return op;
}

static void op_free(struct relay_op *op)
{
	pthread_mutex_lock(&ops.lock);
	list_add(&op->all, &ops.free);
	pthread_mutex_unlock(&ops.lock);
}

/* It stands aside from now on. */
static void op_add(struct relay_op *op)
{
	list_add_tail(&op->node, &op->queue->asides.list);
	pthread_mutex_lock(&ops.lock);
	list_add_tail(&op->all, &ops.all);
	pthread_mutex_unlock(&ops.lock);
}

/* Nothing of it is under way. */
static void op_remove(struct relay_op *op)
{
	list_del(&op->node);
	pthread_mutex_lock(&ops.lock);
	list_move(&op->all, &ops.free);
	pthread_mutex_unlock(&ops.lock);
}

static u32 remote_submit(struct doca_queue *queue)
{
	struct relay_op *op = op_new(queue);
	u32 status;

	if (!op)
		return DOCA_STATUS_FAILED;
	status = relay_begin(op, &queue->op);
	if (status == DOCA_STATUS_PENDING) {
		op_add(op);
		return status;
	}
	relay_forget(op);
	queue->op.done = op->op.done;
	queue->op.result[0] = op->op.result[0];
	op_free(op);
	return status;
}

static void op_end(struct relay_op *op, u32 status)
{
	struct doca_queue *queue = op->queue;
	u64 user_data = op->op.sqe.user_data;
	u64 done = op->op.done;
	u64 result[2] = { status ? 0 : op->op.result[0] };

	relay_forget(op);
	op_remove(op);
	doca_queue_end_aside(queue, user_data, status, done, result);
}

static unsigned int remote_poll(struct doca_queue *queue)
{
	struct relay_op *op, *next;
	unsigned int ended = 0;
	u32 status;

	list_for_each_entry_safe(op, next, &queue->asides.list, node) {
		status = DOCA_STATUS_CANCELED;
		if (READ_ONCE(queue->state) == DOCA_QUEUE_RUN)
			status = relay_step(op);
		if (status == DOCA_STATUS_AGAIN)
			continue;
		op_end(op, status);
		ended++;
	}
	return ended;
}

static void remote_drop(struct doca_queue *queue)
{
	struct relay_op *op, *next;

	list_for_each_entry_safe(op, next, &queue->asides.list, node) {
		relay_forget(op);
		op_remove(op);
	}
}

static const struct doca_remote_ops remote_ops = {
	.import = remote_import,
	.release = remote_release,
	.submit = remote_submit,
	.poll = remote_poll,
	.drop = remote_drop,
};

void remote_start(void)
{
	wire_identify(doca_export_identity());
	doca_remote_ops = &remote_ops;
}

/* With the section. True if there may be something already. */
static bool queue_sleep(struct doca_queue *queue)
{
	struct relay_op *op;
	bool there = false;

	list_for_each_entry(op, &queue->asides.list, node) {
		WRITE_ONCE(op->asleep, true);
		there |= relay_arm(op);
	}
	return there;
}

static void queue_awake(struct doca_queue *queue)
{
	struct relay_op *op;

	list_for_each_entry(op, &queue->asides.list, node)
		WRITE_ONCE(op->asleep, false);
}

static void queue_kick(struct doca_queue *queue)
{
	struct relay_op *op;

	list_for_each_entry(op, &queue->asides.list, node)
		relay_kick(op, true);
	peers_poke();
}

void remote_arm(struct doca_queue *queue)
{
	if (!READ_ONCE(queue->asides.nr) || queue->worker)
		return;
	doca_run_lock(queue->run);
	if (queue_sleep(queue)) {
		doca_queue_end_waits(queue);
		doca_queue_catch_up(queue);
		/* What is left is done before the program sleeps. */
		if (queue_sleep(queue))
			queue_kick(queue);
	}
	doca_run_unlock(queue->run);
}

/* The queue of one that was kicked, with a reference; NULL. */
static struct doca_queue *next_kicked(void)
{
	struct doca_queue *queue = NULL;
	struct relay_op *op;

	pthread_mutex_lock(&ops.lock);
	list_for_each_entry(op, &ops.all, all) {
		if (!READ_ONCE(op->kicked))
			continue;
		WRITE_ONCE(op->kicked, false);
		/* Its end takes it off the list first. */
		if (!kref_get_unless_zero(&op->queue->ref))
			continue;
		queue = op->queue;
		break;
	}
	pthread_mutex_unlock(&ops.lock);
	return queue;
}

/* For a program that sleeps: until there is nothing to do before the next answer. */
void remote_run(void)
{
	struct doca_queue *queue;

	while ((queue = next_kicked())) {
		doca_run_lock(queue->run);
		do {
			doca_queue_end_waits(queue);
			doca_queue_catch_up(queue);
		} while (queue_sleep(queue) && queue->asides.nr &&
			 !READ_ONCE(queue->halted));
		doca_run_unlock(queue->run);
		doca_queue_put(queue);
	}
}

/* Poll for a while what is set aside. True if an operation has ended, or none is left. */
static bool linger(struct doca_queue *queue)
{
	u64 until = local_clock() + LINGER_NS;

	do {
		unsigned int ended;

		doca_run_lock(queue->run);
		queue_awake(queue);
		ended = doca_queue_end_waits(queue);
		doca_run_unlock(queue->run);
		if (ended || !READ_ONCE(queue->asides.nr))
			return true;
		cpu_relax();
	} while (local_clock() < until);
	return false;
}

/*
 * One that has begun something returns, so that the program can begin more. But if it has
 * asked to be woken before, it may sleep next.
 */
void remote_linger(struct doca_queue *queue,
		   const struct doca_queue_enter *enter)
{
	if (!READ_ONCE(queue->asides.nr) || queue->worker)
		return;
	if (!enter->out_entries && linger(queue))
		return;
	if (doca_ring_is_armed(&queue->ring))
		remote_arm(queue);
	else if (!enter->out_entries)
		sched_yield();
}
